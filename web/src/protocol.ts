// Generated from crates/studio/src/protocol: UPDATE=1 cargo test -p studio typescript

/**
 * The newest lines of a search, from White's point of view.
 */
export type Analysis = { run: number, lines: Array<PvLine>, nodes: number, millis: number, best: string | null, finished: boolean, };

export type AnalysisRequest = { "start": AnalysisStart } | "stop" | { "engines": EnginesStart };

/**
 * Without a limit the search is infinite.
 */
export type AnalysisStart = { setup: SearchSetup, 
/**
 * Whether to take the engine from another page that uses it.
 */
take: boolean, };

export type BothSides<T> = { white: T, black: T, };

export type Bound = "exact" | "lower" | "upper";

export type Change = { finding: string, before: Verdict | null, after: Verdict | null, 
/**
 * Before, after and unit.
 */
effect: [number, number, string] | null, summary: string, };

/**
 * A check that can be selected.
 */
export type CheckInfo = { name: string, title: string, group: string, 
/**
 * Seconds that it may take; 0 if it is left out.
 */
quick: number, full: number, };

export type CheckState = { title: string, 
/**
 * The worst verdict; none before the check is done.
 */
verdict: Verdict | null, };

/**
 * A request with the number that its reply carries.
 */
export type ClientMessage = { number: number, request: Request, };

export type ClockSetting = { 
/**
 * Seconds for the whole game.
 */
seconds: number, 
/**
 * Seconds added after each move.
 */
increment: number, };

/**
 * What changed between two reports.
 */
export type Comparison = { 
/**
 * New failures.
 */
worse: Array<Change>, 
/**
 * Fixed failures.
 */
better: Array<Change>, 
/**
 * Other verdicts that changed.
 */
other: Array<Change>, 
/**
 * The same verdict with another number.
 */
moved: Array<Change>, };

/**
 * Games, LLR, Elo and its error.
 */
export type CurvePoint = [number, number, number | null, number | null];

export type DoctorProgress = { id: Id, engine: string, 
/**
 * The check in progress.
 */
title: string, number: number, of: number, 
/**
 * Upper bound of the time left, in seconds.
 */
left: number, 
/**
 * All checks of the run, in their order.
 */
checks: Array<CheckState>, finished: boolean, error: string | null, };

/**
 * A report, for the page.
 */
export type DoctorReport = { id: Id, engine: string, 
/**
 * Name and version of the doctor.
 */
doctor: string, seconds: number, interrupted: boolean, headline: string, causes: Array<ReportCause>, findings: Array<ReportFinding>, 
/**
 * The same for an issue.
 */
markdown: string, };

export type DoctorRequest = { "start": DoctorStart } | "stop" | "list" | { "open": { id: Id, } } | { "compare": { before: Id, after: Id, } } | { "remove": { id: Id, } };

export type DoctorStart = { 
/**
 * Name of an external engine; none for Vedette.
 */
engine: string | null, thoroughness: Thoroughness, 
/**
 * Names of the checks to run; empty for all.
 */
only: Array<string>, };

/**
 * A game is drawn when both scores stay small.
 */
export type DrawAdjudication = { 
/**
 * From this move on.
 */
from_move: number, 
/**
 * For this many moves.
 */
moves: number, 
/**
 * In centipawns.
 */
score: number, };

/**
 * The result of two engines, from the first one's point of view.
 */
export type Encounter = { 
/**
 * Their indices.
 */
players: [number, number], games: GameCounts, 
/**
 * Pairs with 0, ½, 1, 1½ and 2 points.
 */
pairs: [number, number, number, number, number], 
/**
 * None before the first game.
 */
estimate: Estimate | null, };

export type EngineAnalysis = { engine: string, analysis: Analysis, };

/**
 * Names and values of UCI options.
 */
export type EngineOptions = Array<[string, string]>;

/**
 * Without a limit the engines search until they get another position.
 */
export type EnginesStart = { 
/**
 * Those that search; the page's others end.
 */
names: Array<string>, setup: SearchSetup, millis: number | null, };

export type Entrant = { engine: MatchEngine, 
/**
 * UCI options: numbers, and `true` or `false`.
 */
options: EngineOptions, };

export type Errors = { inaccuracies: number, mistakes: number, blunders: number, };

export type Estimate = { score: number, 
/**
 * None if it is infinite.
 */
elo: number | null, elo_error: number | null, };

export type Event = { "event": "game", "content": GameState } | { "event": "analysis", "content": Analysis } | { "event": "analysis-taken", "content": number } | { "event": "analysis-free" } | { "event": "engine-analysis", "content": EngineAnalysis } | { "event": "engine-failed", "content": { engine: string, error: string, } } | { "event": "trace-finished", "content": TraceOverview } | { "event": "trace-failed", "content": string } | { "event": "reason", "content": ReasonProgress } | { "event": "match", "content": MatchState } | { "event": "live-games", "content": Array<LiveGame> } | { "event": "review", "content": ReviewProgress } | { "event": "doctor", "content": DoctorProgress } | { "event": "warning", "content": string };

/**
 * A static evaluation in centipawns, from White's point of view.
 */
export type Explanation = { value: number, 
/**
 * By how much each legal move changes the evaluation.
 */
moves: { [key in string]: number }, 
/**
 * The evaluation minus the evaluation without the piece, by square.
 */
pieces: { [key in string]: number }, 
/**
 * The terms of the classical evaluation.
 */
terms: string | null, };

export type Explored = { 
/**
 * Games that reached the position.
 */
games: number, 
/**
 * The most frequent first.
 */
moves: Array<ExploredMove>, 
/**
 * The newest of the games.
 */
newest: Array<LibraryGame>, };

export type ExploredMove = { mv: string, san: string, games: number, 
/**
 * Games that White won, drew and lost; the others have no result.
 */
white: number, draws: number, black: number, };

export type Fate = "searched" | "cut" | "pruned" | "unfinished";

export type FoundNodes = { 
/**
 * The first of them.
 */
nodes: Array<TraceNode>, count: number, };

export type GameCounts = { wins: number, draws: number, losses: number, };

export type GameOver = { 
/**
 * `1-0`, `0-1` or `1/2-1/2`.
 */
result: string, reason: string, };

export type GamePhase = "opening" | "middlegame" | "endgame";

/**
 * A game of the library.
 */
export type GameRef = { source: GameSource, 
/**
 * The review, match or file that it belongs to.
 */
id: Id, 
/**
 * Its index there.
 */
index: number, };

/**
 * The game in progress.
 */
export type GameRequest = { "new": NewGame } | { "move": { mv: string, ply: number, } } | "take-back" | "resign" | "hint" | "offer-draw" | { "continue": { id: Id, } };

export type GameReview = { tags: Array<[string, string]>, result: string, start: string, 
/**
 * White's score and winning chances, in percent, before the first move.
 */
score: Score | null, chance: number, moves: Array<ReviewedMove>, 
/**
 * From 0 to 100.
 */
accuracy: BothSides<number | null>, errors: BothSides<Errors>, 
/**
 * The mistakes and blunders to learn from.
 */
retry: Array<Retry>, };

/**
 * Where a game comes from.
 */
export type GameSource = "played" | "reviewed" | "match" | "imported";

export type GameState = { 
/**
 * Whether the clock of the side to move is running.
 */
runs: boolean, thinking: boolean, 
/**
 * Of two states of a game the one with the greater version is the newer.
 */
version: number, id: Id, start: string, chess960: boolean, moves: Array<string>, side: Side, elo: number | null, 
/**
 * The name of an external engine; none for Vedette.
 */
opponent: string | null, clock: ClockSetting | null, 
/**
 * Time left for White and Black, in milliseconds.
 */
left_ms: [number, number], 
/**
 * What the clock showed after each move, in milliseconds; empty without a clock.
 */
clocks_ms: Array<number>, date: string, ending: GameOver | null, };

/**
 * The studio and its current state.
 */
export type Hello = { version: string, 
/**
 * The network's hash, or the classical evaluation.
 */
evaluation: string, 
/**
 * The weakest and the strongest level.
 */
elo: [number, number], threads: number, max_lines: number, 
/**
 * Largest hash size in MiB.
 */
max_hash: number, 
/**
 * Names of the external engines.
 */
engines: Array<string>, checks: Array<CheckInfo>, game: GameState | null, match: MatchState | null, review: ReviewProgress | null, doctor: DoctorProgress | null, trace: TraceOverview | null, 
/**
 * Whether a search is being recorded.
 */
recording: boolean, };

export type Hint = { mv: string, san: string, };

/**
 * The id of a stored item: letters, digits and dashes, so that no id leads out of its folder.
 */
export type Id = string;

/**
 * A PGN file that was imported.
 */
export type ImportedFile = { id: Id, games: number, 
/**
 * The players of its first game.
 */
white: string, black: string, };

export type LibraryGame = { white: string, black: string, result: string, date: string, event: string, 
/**
 * ECO code and name, if known.
 */
opening: string, 
/**
 * Full moves.
 */
moves: number, 
/**
 * Whether it is a game against Vedette that can be continued.
 */
unfinished: boolean, source: GameSource, 
/**
 * The review, match or file that it belongs to.
 */
id: Id, 
/**
 * Its index there.
 */
index: number, };

export type LibraryPage = { games: Array<LibraryGame>, 
/**
 * All games that were found.
 */
count: number, 
/**
 * Whether there are more games than the library reads.
 */
truncated: boolean, };

export type LibraryRequest = { "search": { text: string, 
/**
 * Games of one source only.
 */
source: GameSource | null, 
/**
 * Leaves out the first ones.
 */
skip: number, } } | { "pgn": GameRef } | { "import": { pgn: string, } } | { "remove": { source: GameSource, id: Id, } } | "files" | { "explore": { position: PositionSpec, } };

/**
 * A game that is being played.
 */
export type LiveGame = { 
/**
 * Its index in the schedule.
 */
number: number, white: string, black: string, fen: string, 
/**
 * The last move in UCI notation.
 */
last: string | null, plies: number, 
/**
 * White and Black.
 */
sides: [LiveSide, LiveSide], };

/**
 * What an engine reported with its last move.
 */
export type LiveSide = { 
/**
 * From White's point of view.
 */
score: Score | null, depth: number | null, 
/**
 * Time left, if there is a clock.
 */
left_ms: number | null, 
/**
 * Time for the move.
 */
used_ms: number, };

export type MatchEngine = { "vedette": { 
/**
 * None for full strength.
 */
elo: number | null, 
/**
 * Use the classical evaluation instead of the network.
 */
classical: boolean, } } | { "external": string };

export type MatchGame = { 
/**
 * Its index in the order in which games ended.
 */
number: number, white: string, black: string, result: string, reason: string, plies: number, };

/**
 * The positions that games start from, each once with either colour.
 */
export type MatchOpenings = "built-in" | "standard" | "chess960" | { "imported": { id: Id, plies: number, } };

export type MatchReport = { games: number, games_planned: number, engines: Array<Standing>, encounters: Array<Encounter>, sprt: SprtState | null, 
/**
 * Whether so many games were repeated that the result says little.
 */
repeats: boolean, };

export type MatchRequest = { "start": MatchStart } | { "command": MatchStart } | { "pgn": { id: Id, } } | { "resume": { id: Id, } } | "stop" | "list" | { "open": { id: Id, } } | { "game": { id: Id, index: number, } } | { "remove": { id: Id, } };

export type MatchStart = { 
/**
 * At least two.
 */
engines: Array<Entrant>, 
/**
 * Whether the first engine plays all the others. Otherwise all play each other.
 */
gauntlet: boolean, 
/**
 * Of each two engines that meet.
 */
pairs: number, 
/**
 * Time control such as `10+0.1`.
 */
clock: string | null, 
/**
 * Nodes per move.
 */
nodes: number | null, concurrency: number, 
/**
 * SPRT bounds in Elo; none for a fixed number of games.
 */
sprt: [number, number] | null, openings: MatchOpenings, draw: DrawAdjudication | null, resign: ResignAdjudication | null, 
/**
 * Longer games are drawn.
 */
max_moves: number | null, };

/**
 * A match as `matches/*.json` holds it.
 */
export type MatchState = { curve: Array<CurvePoint>, 
/**
 * The newest games; all of them are in the match's PGN.
 */
games: Array<MatchGame>, id: Id, report: MatchReport, 
/**
 * Why the match ended; none while it is running.
 */
over: string | null, 
/**
 * Whether it has ended with games left to play.
 */
resumable: boolean, 
/**
 * The limits of both engines.
 */
clock: string, 
/**
 * Whether the engines are still being started.
 */
preparing: boolean, 
/**
 * Seconds that the games so far took, in this run.
 */
elapsed: number, 
/**
 * Seconds that the planned games left may take; none before it can be estimated.
 */
left: number | null, };

export type MatchSummary = { id: Id, report: MatchReport, 
/**
 * Why the match ended; none while it is running.
 */
over: string | null, 
/**
 * Whether it has ended with games left to play.
 */
resumable: boolean, 
/**
 * The limits of both engines.
 */
clock: string, 
/**
 * Whether the engines are still being started.
 */
preparing: boolean, 
/**
 * Seconds that the games so far took, in this run.
 */
elapsed: number, 
/**
 * Seconds that the planned games left may take; none before it can be estimated.
 */
left: number | null, };

/**
 * Why a move is good or bad.
 */
export type MoveReason = { sentences: Array<string>, 
/**
 * What follows the move, or the best line if it is the best one, in SAN.
 */
line: Array<string>, 
/**
 * White's score after the first move of the line.
 */
score: Score, };

export type NewGame = { 
/**
 * The human's side.
 */
side: Side, 
/**
 * The engine's Elo; none for full strength.
 */
elo: number | null, 
/**
 * The name of an external engine; none for Vedette.
 */
opponent: string | null, clock: ClockSetting | null, 
/**
 * Number of the Chess960 start position; none for standard chess.
 */
chess960: number | null, fen: string | null, 
/**
 * The date in the user's calendar, as PGN writes it.
 */
date: string, };

export type NodeFilter = { "purpose": Purpose } | { "reason": string };

export type NodePage = { nodes: Array<TraceNode>, 
/**
 * How many follow.
 */
more: number, };

export type OpeningName = { eco: string, name: string, };

export type OpeningTotals = { name: string, games: number, points: number, 
/**
 * Games with a result.
 */
finished: number, 
/**
 * From 0 to 100.
 */
accuracy: number | null, };

export type Pairing = { white: string, black: string, result: string, };

/**
 * Something in a PGN that could not be read.
 */
export type PgnWarning = { 
/**
 * Game and line, from 1.
 */
game: number, line: number, what: string, 
/**
 * Whether the game was left out.
 */
skipped: boolean, };

export type PhaseTotals = { phase: GamePhase, moves: number, 
/**
 * From 0 to 100.
 */
accuracy: number | null, mistakes: number, blunders: number, };

/**
 * What books and tablebases know about a position.
 */
export type PositionFacts = { 
/**
 * The opening of the moves that led here.
 */
opening: OpeningName | null, tablebase: TablebaseVerdict | null, };

/**
 * A start position and the moves played from it, in UCI notation.
 */
export type PositionSpec = { start: string, moves: Array<string>, };

/**
 * What a node was searched for.
 */
export type Purpose = "root" | "first-move" | "zero-window" | "reduced-zero-window" | "full-depth" | "re-search" | "null-move" | "verification" | "razoring" | "probcut" | "singular" | "quiescence";

/**
 * Castling is written as king takes rook, which has one meaning in every variant.
 */
export type PvLine = { depth: number, selective_depth: number, score: Score, 
/**
 * White's wins, draws and losses, in thousandths.
 */
wdl: [number, number, number], pv: Array<string>, };

export type Quality = "forced" | "best" | "good" | "inaccuracy" | "mistake" | "blunder";

/**
 * Search statistics of one iteration, or of the nodes of one depth; rates are in percent.
 */
export type Rates = { depth: number, nodes: number, zero_window_searches: number, re_searches: number, 
/**
 * Re-searches / zero-window searches at PV nodes.
 */
pv_re_search_rate: number, 
/**
 * Zero-window searches that failed high.
 */
fail_high_rate: number, 
/**
 * Reduced searches that were repeated at full depth.
 */
lmr_re_search_rate: number, 
/**
 * Beta cutoffs by the first move.
 */
first_move_cutoff_rate: number, };

export type ReasonOutcome = { "found": MoveReason } | { "failed": string } | "stopped";

/**
 * The search for the reason of a move.
 */
export type ReasonProgress = { 
/**
 * In SAN.
 */
mv: string, 
/**
 * How many searches there were so far.
 */
searches: number, 
/**
 * None while it goes on.
 */
outcome: ReasonOutcome | null, };

export type RecordingSummary = { id: Id, fen: string, depth: number, 
/**
 * For the side to move.
 */
score: Score, 
/**
 * The first moves of the PV.
 */
best: Array<string>, 
/**
 * Nodes of all iterations.
 */
searched: number, };

export type Reply = { "kind": "done" } | { "kind": "hello", "value": Hello } | { "kind": "game", "value": GameState | null } | { "kind": "hint", "value": Hint } | { "kind": "draw-offer", "value": boolean } | { "kind": "library", "value": LibraryPage } | { "kind": "imported", "value": number } | { "kind": "explored", "value": Explored } | { "kind": "files", "value": Array<ImportedFile> } | { "kind": "facts", "value": PositionFacts } | { "kind": "pgn", "value": string } | { "kind": "explanation", "value": Explanation } | { "kind": "started", "value": Id } | { "kind": "reviews", "value": Array<ReviewSummary> } | { "kind": "review", "value": ReviewDetails } | { "kind": "totals", "value": ReviewTotals } | { "kind": "reviewed-game", "value": GameReview } | { "kind": "recordings", "value": Array<RecordingSummary> } | { "kind": "nodes", "value": NodePage } | { "kind": "found", "value": FoundNodes } | { "kind": "path", "value": Array<TraceNode> } | { "kind": "why-not", "value": WhyNot } | { "kind": "matches", "value": Array<MatchSummary> } | { "kind": "match", "value": MatchState } | { "kind": "reports", "value": Array<ReportSummary> } | { "kind": "report", "value": DoctorReport } | { "kind": "comparison", "value": Comparison } | { "kind": "command", "value": string };

/**
 * What may explain the failures.
 */
export type ReportCause = { cause: string, advice: string, };

export type ReportFinding = { id: string, group: string, verdict: Verdict, summary: string, 
/**
 * When it fails.
 */
threshold: string, 
/**
 * UCI commands that reproduce it.
 */
repro: Array<string>, };

export type ReportSummary = { id: Id, engine: string, healthy: boolean, failures: number, 
/**
 * Number of checks that were run.
 */
checks: number, interrupted: boolean, seconds: number, causes: Array<string>, };

export type Request = "hello" | { "game": GameRequest } | { "library": LibraryRequest } | { "facts": { position: PositionSpec, } } | { "analysis": AnalysisRequest } | { "explain": { fen: string, } } | { "review": ReviewRequest } | { "trace": TraceRequest } | { "match": MatchRequest } | { "doctor": DoctorRequest };

/**
 * A game is lost when both scores say so.
 */
export type ResignAdjudication = { 
/**
 * For this many moves.
 */
moves: number, 
/**
 * In centipawns.
 */
score: number, };

/**
 * A mistake to be tried again.
 */
export type Retry = { ply: number, white: boolean, fen: string, played: string, best_uci: string, line: Array<string>, quality: Quality, };

export type ReviewDetails = { id: Id, engine: string, limits: string, games: Array<Pairing>, broken: Array<PgnWarning>, };

export type ReviewProgress = { id: Id, 
/**
 * The game in progress, from 1.
 */
game: number, games: number, 
/**
 * Positions.
 */
done: number, total: number, finished: boolean, error: string | null, };

export type ReviewRequest = { "start": ReviewStart } | { "resume": { id: Id, } } | "stop" | "list" | { "open": { id: Id, } } | { "game": { id: Id, index: number, } } | { "totals": { id: Id, } } | { "pgn": { id: Id, } } | { "remove": { id: Id, } };

/**
 * Also the content of `reviews/*.order`.
 */
export type ReviewStart = { pgn: string, 
/**
 * Name of an external engine; none for Vedette.
 */
engine: string | null, } & ({ "depth": number } | { "millis": number });

export type ReviewSummary = { id: Id, 
/**
 * Finished games.
 */
games: number, 
/**
 * The first game.
 */
white: string, black: string, result: string, accuracy: BothSides<number | null>, limits: string, 
/**
 * Whether it was stopped before its end.
 */
resumable: boolean, };

/**
 * Several games together.
 */
export type ReviewTotals = { 
/**
 * Whose games they are; none: both sides are counted.
 */
player: string | null, 
/**
 * The most frequent first.
 */
openings: Array<OpeningTotals>, phases: Array<PhaseTotals>, };

export type ReviewedMove = { 
/**
 * From 1.
 */
ply: number, 
/**
 * Full move number.
 */
number: number, white: boolean, san: string, uci: string, 
/**
 * The position before the move.
 */
fen: string, 
/**
 * White's score after the move; none if it ended the game.
 */
score: Score | null, 
/**
 * White's winning chances after the move, in percent.
 */
chance: number, 
/**
 * Loss of winning chances for the side that moved, in percent.
 */
loss: number, quality: Quality, 
/**
 * The best move and its line, in SAN.
 */
best: string | null, line: Array<string>, 
/**
 * Why it was a mistake, in sentences.
 */
explanation: string | null, };

/**
 * A score in centipawns or moves to mate.
 */
export type Score = { "cp": number } | { "mate": number };

/**
 * What to search, and how.
 */
export type SearchSetup = { position: PositionSpec, 
/**
 * Number of lines (`MultiPV`).
 */
lines: number, threads: number, 
/**
 * Hash size in MiB.
 */
hash: number, 
/**
 * The page's number for this search: results carry it.
 */
run: number, 
/**
 * Depth limit.
 */
depth: number | null, };

export type ServerMessage = { number: number, ok: Reply, } | { number: number, error: string, } | Event;

export type Side = "white" | "black";

export type SprtState = { llr: number, lower: number, upper: number, elo0: number, elo1: number, };

export type Standing = { name: string, 
/**
 * Against all others.
 */
games: GameCounts, 
/**
 * Relative to the mean of all engines; only of more than two.
 */
elo: number | null, elo_error: number | null, };

export type TablebaseMove = { mv: string, san: string, result: TablebaseResult, 
/**
 * Plies to the next capture or pawn move, or to mate.
 */
dtz: number | null, };

export type TablebaseResult = "loss" | "blessed-loss" | "draw" | "cursed-win" | "win";

/**
 * For the side to move.
 */
export type TablebaseVerdict = { result: TablebaseResult, 
/**
 * The best first.
 */
moves: Array<TablebaseMove>, };

export type Thoroughness = "quick" | "full";

/**
 * A node of the tree. Window, scores and bound are those of the side that made the move; where the position is the
 * parent's, those of the side to move.
 */
export type TraceNode = { id: number, parent: number | null, 
/**
 * Number of children in the stored tree.
 */
children: number, ply: number, 
/**
 * The place of the move in the move order, from 1.
 */
number: number, 
/**
 * The move in UCI notation and in SAN; none for a root, a null move, and a search of the same position.
 */
mv: string | null, san: string | null, 
/**
 * The move that a singularity search leaves out.
 */
excluded: string | null, purpose: Purpose, depth: number, extension: number, 
/**
 * None for minus and plus infinity.
 */
alpha: Score | null, beta: Score | null, pv: boolean, quiescence: boolean, hash_hit: boolean, evaluation: Score | null, score: Score | null, bound: Bound, fate: Fate, 
/**
 * The outcome in a few words.
 */
verdict: string, best: string | null, line: Array<string>, nodes: number, 
/**
 * Those of them that are not stored.
 */
hidden: number, };

/**
 * Everything but the tree.
 */
export type TraceOverview = { fen: string, depth: number, 
/**
 * For the side to move.
 */
score: Score, 
/**
 * The PV in SAN.
 */
line: Array<string>, 
/**
 * Nodes of all iterations.
 */
searched: number, 
/**
 * Nodes of the stored tree.
 */
kept: number, 
/**
 * How many nodes were searched for each purpose, the most frequent first.
 */
purposes: Array<[Purpose, number]>, 
/**
 * How many nodes were cut off or pruned for each reason, the most frequent first.
 */
reasons: Array<[string, number]>, by_iteration: Array<Rates>, by_depth: Array<Rates>, };

export type TraceRequest = { "start": TraceStart } | "stop" | "list" | { "open": { id: Id, } } | { "remove": { id: Id, } } | { "children": { node: number | null, skip: number, } } | { "find": NodeFilter } | { "path": { node: number, } } | { "why-not": { line: string, } } | { "reason": { 
/**
 * In SAN.
 */
mv: string, } } | "stop-reason";

export type TraceStart = { position: PositionSpec, depth: number, };

export type Verdict = "pass" | "skipped" | "warning" | "fail";

/**
 * Why a line was not played.
 */
export type WhyNot = { 
/**
 * The line in SAN.
 */
asked: Array<string>, decision: string, nodes: Array<TraceNode>, refutation: Array<string>, };
