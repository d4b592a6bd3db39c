//! Principal variation search with a hash table, null moves, late move reductions and quiescence search.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use crate::board::{Board, Move, PAWN, QUEEN};
use crate::evaluation::evaluate;
use crate::mutants::Mutant;

const MATE: i32 = 30_000;
const MATE_BOUND: i32 = MATE - 200;
const MAX_PLY: usize = 100;

/// When to stop.
#[derive(Clone, Default)]
pub struct Limits {
    pub depth: Option<usize>,
    pub nodes: Option<u64>,
    /// At most so long.
    pub hard: Option<Duration>,
    /// No new iteration after so long.
    pub soft: Option<Duration>,
    /// Root moves, if not all.
    pub only: Vec<String>,
    /// Answer only after `stop`.
    pub infinite: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    mv: Option<Move>,
    score: i32,
    depth: i32,
    bound: Bound,
}

pub struct Search {
    mutant: Mutant,
    table: Vec<Option<Entry>>,
    killers: [[Option<Move>; 2]; MAX_PLY + 1],
    history: Vec<i32>,
    /// Of the game and the current line.
    keys: Vec<u64>,
    limits: Limits,
    started: Instant,
    nodes: u64,
    selective_depth: usize,
    stopped: bool,
    /// Commands that arrived during the search, for afterwards.
    pub pending: Vec<String>,
}

impl Search {
    pub fn new(mutant: Mutant) -> Search {
        Search {
            mutant,
            table: vec![None; entries(16)],
            killers: [[None; 2]; MAX_PLY + 1],
            history: vec![0; 64 * 64],
            keys: Vec::new(),
            limits: Limits::default(),
            started: Instant::now(),
            nodes: 0,
            selective_depth: 0,
            stopped: false,
            pending: Vec::new(),
        }
    }

    pub fn resize(&mut self, megabytes: usize) {
        self.table = vec![None; entries(megabytes)];
    }

    pub fn new_game(&mut self) {
        self.table.fill(None);
        self.history.fill(0);
    }

    /// Searches, prints info lines, and returns the best move. `keys` are those of all positions of the game.
    pub fn go(
        &mut self,
        board: &Board,
        keys: &[u64],
        limits: Limits,
        input: &Receiver<String>,
    ) -> Option<Move> {
        self.started = Instant::now();
        self.nodes = 0;
        self.stopped = false;
        self.keys = keys.to_vec();
        self.killers = [[None; 2]; MAX_PLY + 1];
        self.history.iter_mut().for_each(|value| *value /= 8);
        let mut moves = board.legal_moves();
        if !limits.only.is_empty() {
            moves.retain(|mv| limits.only.contains(&mv.uci()));
        }
        self.limits = limits;
        let mut best = moves.first().copied();
        let mut score = 0;
        let deepest = self.limits.depth.unwrap_or(MAX_PLY - 10).clamp(1, MAX_PLY - 10);
        if best.is_some() {
            for depth in 1..=deepest {
                self.selective_depth = 0;
                let Some((value, mut line)) = self.aspire(board, &mut moves, depth as i32, score, input)
                else {
                    break;
                };
                if self.stopped && self.mutant != Mutant::AbortedIterationAccepted {
                    break;
                }
                score = value;
                line.truncate(depth + 20);
                best = line.first().copied().or(best);
                self.report(depth, score, &line);
                let is_late = self.limits.soft.is_some_and(|soft| self.started.elapsed() >= soft);
                if self.stopped || is_late {
                    break;
                }
            }
        }
        while self.limits.infinite && !self.stopped {
            self.read(input, true);
        }
        best
    }

    fn report(&self, depth: usize, score: i32, line: &[Move]) {
        let millis = self.started.elapsed().as_millis() as u64;
        let score = if self.mutant == Mutant::FirstScoreHidesTables && depth == 1 {
            "cp -50000".to_owned()
        } else if score.abs() > MATE_BOUND {
            let plies = MATE - score.abs();
            let count = if self.mutant == Mutant::MateInPlies { plies } else { (plies + 1) / 2 };
            format!("mate {}", count * score.signum())
        } else {
            format!("cp {score}")
        };
        let line: Vec<String> = line.iter().map(|mv| mv.uci()).collect();
        let sampled = &self.table[..self.table.len().min(1000)];
        let full = sampled.iter().filter(|entry| entry.is_some()).count() * 1000 / sampled.len();
        println!(
            "info depth {depth} seldepth {} score {score} nodes {} nps {} time {millis} hashfull {full} pv {}",
            self.selective_depth.max(depth),
            self.nodes,
            self.nodes * 1000 / millis.max(1),
            line.join(" ")
        );
    }

    /// Reads commands that have arrived: `stop` and `quit` end the search.
    fn read(&mut self, input: &Receiver<String>, wait: bool) {
        if self.mutant == Mutant::StopIgnored && !self.limits.infinite {
            return;
        }
        loop {
            let line = if wait { input.recv().map_err(TryRecvError::from) } else { input.try_recv() };
            let line = match line {
                Ok(line) => line,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => {
                    self.stopped |= self.limits.infinite;
                    return;
                }
            };
            match line.trim() {
                "stop" => self.stopped = true,
                "isready" => println!("readyok"),
                _ => {
                    self.stopped |= line.trim() == "quit";
                    self.pending.push(line);
                }
            }
            if self.stopped {
                return;
            }
        }
    }

    fn check_limits(&mut self, input: &Receiver<String>) {
        if self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(1024) {
            self.stopped |= self.limits.hard.is_some_and(|hard| self.started.elapsed() >= hard);
            // Waiting happens after the last iteration.
            if self.mutant != Mutant::StopIgnored {
                self.read(input, false);
            }
        }
    }

    /// An iteration, with a window around the last score.
    fn aspire(
        &mut self,
        board: &Board,
        moves: &mut [Move],
        depth: i32,
        last: i32,
        input: &Receiver<String>,
    ) -> Option<(i32, Vec<Move>)> {
        let mut margin = 30;
        let is_narrow = depth >= 4 && last.abs() < MATE_BOUND;
        let (mut alpha, mut beta) = if is_narrow { (last - margin, last + margin) } else { (-MATE, MATE) };
        loop {
            let (score, line) = self.search_root(board, moves, depth, alpha, beta, input);
            if self.stopped {
                return (self.mutant == Mutant::AbortedIterationAccepted && !line.is_empty())
                    .then_some((score, line));
            }
            if (score > alpha && score < beta) || self.mutant == Mutant::AspirationFailAccepted {
                return Some((score, line));
            }
            margin *= 4;
            if score <= alpha {
                alpha = if margin > 500 { -MATE } else { last - margin };
            } else {
                beta = if margin > 500 { MATE } else { last + margin };
            }
        }
    }

    fn search_root(
        &mut self,
        board: &Board,
        moves: &mut [Move],
        depth: i32,
        alpha: i32,
        beta: i32,
        input: &Receiver<String>,
    ) -> (i32, Vec<Move>) {
        let (mut best, mut best_line, mut lower) = (-MATE, Vec::new(), alpha);
        let mut best_index = 0;
        for (index, &mv) in moves.iter().enumerate() {
            let next = board.after(mv);
            self.nodes += 1;
            self.keys.push(next.key());
            let mut line = Vec::new();
            let mut score = if index == 0 {
                -self.search(&next, depth - 1, -beta, -lower, 1, true, &mut line, input)
            } else {
                -self.search(&next, depth - 1, -lower - 1, -lower, 1, true, &mut line, input)
            };
            let is_unsure = index > 0 && score > lower && score < beta;
            if is_unsure && !self.stopped && self.mutant != Mutant::ZeroWindowNotReSearched {
                line.clear();
                score = -self.search(&next, depth - 1, -beta, -lower, 1, true, &mut line, input);
            }
            self.keys.pop();
            if self.stopped && self.mutant != Mutant::AbortedIterationAccepted {
                break;
            }
            if score > best {
                (best, best_index) = (score, index);
                best_line = std::iter::once(mv).chain(line).collect();
                lower = lower.max(score);
            }
            if self.stopped || lower >= beta {
                break;
            }
        }
        moves[..=best_index].rotate_right(1);
        (best, best_line)
    }

    fn is_draw(&self, board: &Board) -> bool {
        if board.halfmoves >= 100 || board.is_dead() {
            return true;
        }
        let current = self.keys.len() - 1;
        let back = (board.halfmoves as usize).min(current);
        (2..=back / 2 * 2).step_by(2).any(|plies| self.keys[current - plies] == self.keys[current])
    }

    fn mated(&self, ply: usize) -> i32 {
        if self.mutant == Mutant::MateWithoutPly { -MATE + 1 } else { -MATE + ply as i32 }
    }

    #[expect(clippy::too_many_arguments)]
    fn search(
        &mut self,
        board: &Board,
        depth: i32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        null_allowed: bool,
        line: &mut Vec<Move>,
        input: &Receiver<String>,
    ) -> i32 {
        let in_check = board.in_check();
        let depth = if in_check { depth + 1 } else { depth };
        // Mate on the last move of the fifty is mate.
        if self.is_draw(board) && (!in_check || !board.legal_moves().is_empty()) {
            return 0;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(board, alpha, beta, ply, 0, input);
        }
        let is_pv = beta - alpha > 1;
        let key = board.key();
        let entry = self.table[self.slot(key)]
            .filter(|entry| entry.key == key || self.mutant == Mutant::KeyNotCompared);
        if let Some(entry) = entry.filter(|entry| !is_pv && entry.depth >= depth) {
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }
        if null_allowed
            && !is_pv
            && depth >= 3
            && let Some(score) = self.null_move(board, depth, beta, ply, input)
        {
            return score;
        }
        let hash_move = entry.and_then(|entry| entry.mv);
        let moves = self.ordered(board, hash_move, ply);
        let (mut best, mut best_move, original) = (-MATE, None, alpha);
        let mut searched = 0;
        for mv in moves {
            let Some(next) = board.after_if_legal(mv) else { continue };
            self.nodes += 1;
            self.check_limits(input);
            if self.stopped {
                return 0;
            }
            self.keys.push(next.key());
            let is_quiet = !board.is_capture(mv) && mv.promotion == 0;
            let mut child = Vec::new();
            let mut score;
            if searched == 0 {
                score = -self.search(&next, depth - 1, -beta, -alpha, ply + 1, true, &mut child, input);
            } else {
                let reduction =
                    i32::from(depth >= 3 && searched >= 4 && is_quiet && !in_check && !next.in_check());
                let reduced = depth - 1 - reduction;
                score = -self.search(&next, reduced, -alpha - 1, -alpha, ply + 1, true, &mut child, input);
                let repeats = self.mutant != Mutant::ReducedNotReSearched;
                if reduction > 0 && score > alpha && repeats && !self.stopped {
                    score =
                        -self.search(&next, depth - 1, -alpha - 1, -alpha, ply + 1, true, &mut child, input);
                }
                let repeats = self.mutant != Mutant::ZeroWindowNotReSearched;
                if score > alpha && score < beta && repeats && !self.stopped {
                    child.clear();
                    score = -self.search(&next, depth - 1, -beta, -alpha, ply + 1, true, &mut child, input);
                }
            }
            self.keys.pop();
            if self.stopped {
                return 0;
            }
            searched += 1;
            if score > best {
                best = score;
                best_move = Some(mv);
                if score > alpha {
                    alpha = score;
                    line.clear();
                    line.push(mv);
                    line.append(&mut child);
                }
                if alpha >= beta {
                    if is_quiet {
                        self.reward(mv, depth, ply);
                    }
                    break;
                }
            }
        }
        if searched == 0 {
            return if in_check { self.mated(ply) } else { 0 };
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > original {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let mv = best_move.filter(|_| bound != Bound::Upper).or(hash_move);
        let slot = self.slot(key);
        self.table[slot] = Some(Entry { key, mv, score: to_table(best, ply), depth, bound });
        best
    }

    /// Null-move pruning: the score if the side to move is at or above beta even after passing, or if the
    /// search was stopped.
    fn null_move(
        &mut self,
        board: &Board,
        depth: i32,
        beta: i32,
        ply: usize,
        input: &Receiver<String>,
    ) -> Option<i32> {
        let may_pass = !board.in_check() || self.mutant == Mutant::NullMoveInCheck;
        if !may_pass || !board.has_pieces() || evaluate(board, self.mutant) < beta {
            return None;
        }
        let next = board.after_null();
        self.nodes += 1;
        self.keys.push(next.key());
        let score = -self.search(&next, depth - 3, -beta, -beta + 1, ply + 1, false, &mut Vec::new(), input);
        self.keys.pop();
        if self.stopped {
            return Some(0);
        }
        (score >= beta && score < MATE_BOUND).then_some(score)
    }

    fn quiesce(
        &mut self,
        board: &Board,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        taken: usize,
        input: &Receiver<String>,
    ) -> i32 {
        self.selective_depth = self.selective_depth.max(ply);
        let in_check = board.in_check();
        let mut best = -MATE;
        if !in_check || ply >= MAX_PLY {
            best = evaluate(board, self.mutant);
            let is_deep = self.mutant == Mutant::QuiescenceOnePly && taken >= 1;
            if best >= beta || ply >= MAX_PLY || is_deep {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut moves = self.ordered(board, None, ply);
        if !in_check {
            moves.retain(|&mv| board.is_capture(mv) || mv.promotion == QUEEN);
        }
        let mut searched = 0;
        for mv in moves {
            let Some(next) = board.after_if_legal(mv) else { continue };
            self.nodes += 1;
            searched += 1;
            self.check_limits(input);
            if self.stopped {
                return 0;
            }
            let score = -self.quiesce(&next, -beta, -alpha, ply + 1, taken + 1, input);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        if in_check && searched == 0 { self.mated(ply) } else { best }
    }

    fn slot(&self, key: u64) -> usize {
        (key % self.table.len() as u64) as usize
    }

    fn reward(&mut self, mv: Move, depth: i32, ply: usize) {
        if self.killers[ply][0] != Some(mv) {
            self.killers[ply] = [Some(mv), self.killers[ply][0]];
        }
        self.history[mv.from as usize * 64 + mv.to as usize] += depth * depth;
    }

    /// Pseudo-legal moves: the hash move, captures by MVV-LVA, killers, the rest by history.
    fn ordered(&self, board: &Board, hash_move: Option<Move>, ply: usize) -> Vec<Move> {
        let mut moves = board.pseudo_legal_moves();
        moves.sort_by_cached_key(|&mv| {
            let value = if Some(mv) == hash_move {
                i32::MAX
            } else if board.is_capture(mv) || mv.promotion == QUEEN {
                let victim = i32::from(board.at(mv.to).abs().max(PAWN)) + i32::from(mv.promotion);
                let sorted = if self.mutant == Mutant::LeastValuableVictim { -victim } else { victim };
                2_000_000_000 + sorted * 10 - i32::from(board.at(mv.from).abs())
            } else if self.killers[ply].contains(&Some(mv)) {
                1_900_000_000
            } else {
                self.history[mv.from as usize * 64 + mv.to as usize].min(1_800_000_000)
            };
            std::cmp::Reverse(value)
        });
        moves
    }
}

fn entries(megabytes: usize) -> usize {
    (megabytes.max(1) << 20) / size_of::<Option<Entry>>()
}

/// A mate score counts from the root in the search, from the position in the table.
fn to_table(score: i32, ply: usize) -> i32 {
    if score.abs() > MATE_BOUND { score + score.signum() * ply as i32 } else { score }
}

fn from_table(score: i32, ply: usize) -> i32 {
    if score.abs() > MATE_BOUND { score - score.signum() * ply as i32 } else { score }
}
