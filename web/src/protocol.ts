// What the studio says, as it says it; crates/studio/src/protocol.rs is the other side.

export type Side = 'white' | 'black';

export interface Ending {
  result: string;
  reason: string;
}

export interface GameState {
  id: string;
  start: string;
  chess960: boolean;
  moves: string[];
  side: Side;
  elo: number | null;
  clock: { seconds: number; increment: number } | null;
  left_ms: [number, number];
  date: string;
  ending: Ending | null;
  runs: boolean;
  thinking: boolean;
  /** Grows: of two views of a game the one with the greater version is the newer. */
  version: number;
}

export interface Hello {
  version: string;
  judge: string;
  elo: [number, number];
  threads: number;
  lines: number;
  hash: number;
  engines: string[];
  folder: string;
  game: GameState | null;
  match: MatchState | null;
  trace: TraceOverview | null;
  /** Whether a search is being recorded. */
  recording: boolean;
  /** What the doctor can check. */
  checks: DoctorCheck[];
  review: ReviewProgress | null;
  doctor: DoctorProgress | null;
}

export interface Score {
  cp?: number;
  mate?: number;
}

export interface EngineLine extends Score {
  depth: number;
  selective: number;
  wdl: [number, number, number];
  pv: string[];
}

export interface Analysis {
  run: number;
  lines: EngineLine[];
  nodes: number | null;
  millis: number | null;
  hashfull: number | null;
  best: string | null;
  finished: boolean;
}

export interface Explanation {
  value: number;
  moves: Record<string, number>;
  men: Record<string, number>;
  terms: string | null;
}

export interface Rates {
  depth: number;
  main_nodes: number;
  pv_nodes: number;
  quiescence_nodes: number;
  scouts: number;
  pv_scouts: number;
  fail_highs: number;
  reduced_scouts: number;
  full_depth_searches: number;
  re_searches: number;
  cutoffs: number;
  a: number;
  b: number;
  c: number;
  d: number;
  first_move_cutoffs: number;
  node_cuts: [string, number][];
  move_cuts: [string, number][];
}

/** A search that was recorded, and can be recorded again. */
export interface Recording {
  id: string;
  fen: string;
  depth: number;
  judge: string;
  score: Score;
  best: string[];
  searched: number;
}

export interface TraceOverview {
  fen: string;
  depth: number;
  best: string;
  score: Score;
  line: string[];
  searched: number;
  kept: number;
  /** How many nodes were searched for what, and ended by what; the most frequent first. */
  purposes: [string, number][];
  reasons: [string, number][];
  by_iteration: Rates[];
  by_depth: Rates[];
}

export interface TraceNode {
  id: number;
  parent: number | null;
  children: number;
  ply: number;
  number: number;
  move: string | null;
  san: string | null;
  excluded: string | null;
  purpose: string;
  depth: number;
  extension: number;
  alpha: Score | null;
  beta: Score | null;
  pv: boolean;
  quiescence: boolean;
  hash_hit: boolean;
  evaluation: Score | null;
  score: Score | null;
  bound: 'exact' | 'lower' | 'upper';
  fate: 'searched' | 'cut' | 'pruned' | 'unfinished';
  reason: string | null;
  verdict: string;
  best: string | null;
  line: string[];
  nodes: number;
  hidden: number;
}

export interface Why {
  asked: string[];
  instead: string | null;
  nodes: TraceNode[];
  refutation: string[];
  score: Score | null;
  bound: string | null;
  decision: string;
  steps: string[];
}

export interface Estimate {
  score: number;
  elo: number | null;
  elo_error: number | null;
  los: number | null;
}

export interface MatchReport {
  games: number;
  games_planned: number;
  engines: { name: string; limits: string; faults: Record<string, number> }[];
  encounters: {
    first: string;
    second: string;
    games: { wins: number; draws: number; losses: number };
    pentanomial: number[];
    estimate: Estimate | null;
  }[];
  sprt: { llr: number; lower: number; upper: number; elo0: number; elo1: number } | null;
}

export interface MatchGame {
  number: number;
  white: string;
  black: string;
  result: string;
  reason: string;
  plies: number;
}

export interface MatchState {
  id: string;
  report: MatchReport;
  curve: [number, number, number | null, number | null][];
  games: MatchGame[];
  over: string | null;
  /** Whether games are left to play, although nothing is played now. */
  resumable: boolean;
  clock: string;
  /** Whether the engines are still being looked at. */
  preparing?: boolean;
}

export interface GameSummary {
  id: string;
  white: string;
  black: string;
  date: string;
  result: string;
  moves: number;
}

export interface Events {
  open: Hello;
  closed: object;
  game: { game: GameState };
  analysis: Analysis;
  'analysis-taken': { run: number };
  'analysis-free': object;
  trace: { trace?: TraceOverview; error?: string };
  match: { match: MatchState };
  review: ReviewProgress;
  doctor: DoctorProgress;
  warning: { text: string };
}

export interface ReviewProgress {
  id: string;
  game: number;
  games: number;
  done: number;
  total: number;
  finished: boolean;
  error: string | null;
}

export interface ReviewedMove {
  ply: number;
  number: number;
  white: boolean;
  san: string;
  uci: string;
  fen: string;
  score: Score | null;
  chance: number;
  loss: number;
  accuracy: number;
  judgement: 'forced' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';
  best: string | null;
  line: string[];
  depth: number;
}

export interface Errors {
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface Retry {
  ply: number;
  white: boolean;
  fen: string;
  played: string;
  best: string;
  best_uci: string;
  line: string[];
  judgement: string;
}

export interface GameReview {
  number: number;
  tags: [string, string][];
  result: string;
  start: string;
  chess960: boolean;
  score: Score | null;
  chance: number;
  moves: ReviewedMove[];
  accuracy: { white: number | null; black: number | null };
  errors: { white: Errors; black: Errors };
  retry: Retry[];
}

export interface OpenedReview {
  id: string;
  engine: string;
  limits: string;
  games: { white: string; black: string; result: string }[];
  broken: { game: number; line: number; what: string; skipped: boolean }[];
}

export interface ReviewSummary {
  id: string;
  games: number;
  white: string;
  black: string;
  result: string;
  accuracy: { white: number | null; black: number | null };
  limits: string;
  /** Whether it is not done, although nothing is being reviewed. */
  resumable: boolean;
}

export interface DoctorCheck {
  name: string;
  title: string;
  group: string;
  /** Seconds that it may take; 0 if it is left out. */
  quick: number;
  full: number;
}

export interface DoctorProgress {
  id: string;
  engine: string;
  title: string;
  number: number;
  of: number;
  left: number;
  finished: boolean;
  error: string | null;
}

export interface DoctorSummary {
  id: string;
  engine: string;
  healthy: boolean;
  alarms: number;
  /** Checks that were made. */
  checks: number;
  /** Whether it was stopped before its end. */
  interrupted: boolean;
  seconds: number;
  causes: string[];
}
