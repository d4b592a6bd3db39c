//! A textbook search in three steps: minimax, alpha-beta, principal variation search. No table, no unsound
//! pruning, no clock. It is meant to be read, and is an oracle for tests: all three must give the same score.
//!
//! Every score is the side to move's ("negamax"): a position's score is the negated score of the position
//! after the best move.
//!
//! Details that are easy to get wrong:
//! - The end of the game is checked before the depth: a mate on the last ply is a mate.
//! - In check without a move is mate; without a move and not in check is stalemate.
//! - A score *equal* to beta cuts off: the opponent already has an alternative as good.
//! - The likely best move is searched first.
//! - A move is searched a second time only at a PV node, and only if its zero-window search beat alpha.
//!
//! ```
//! use chess::Position;
//! use engine::textbook::{Method, solve};
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
//! let answer = solve(&position, 3, Method::PrincipalVariation, |_| 0);
//! assert_eq!(answer.score, engine::Score::mate_in(1));
//! assert_eq!(position.san(answer.line[0]).to_string(), "Ra8#");
//! ```

use crate::Score;
use chess::{Move, Position};

/// One of the three steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Every move of every node.
    Minimax,
    /// With cutoffs.
    AlphaBeta,
    /// Alpha-beta with a zero-window search for every move but the first.
    PrincipalVariation,
    /// The same with mate distance pruning.
    MateDistancePruning,
}

/// The result of a textbook search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The score for the side to move.
    pub score: Score,
    /// Best play by both sides.
    pub line: Vec<Move>,
    /// Nodes visited.
    pub nodes: u64,
    /// Re-searches with the full window.
    pub re_searches: u64,
}

/// Searches `depth` plies deep. `evaluate` gives the score of a leaf in centipawns for the side to move.
pub fn solve(
    position: &Position,
    depth: u32,
    method: Method,
    evaluate: impl Fn(&Position) -> i32,
) -> Solution {
    let mut search =
        Textbook { evaluate, mate_distance: method == Method::MateDistancePruning, nodes: 0, re_searches: 0 };
    let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
    let mut line = Vec::new();
    let score = match method {
        Method::Minimax => search.minimax(position, depth, 0, &mut line),
        Method::AlphaBeta => search.alpha_beta(position, depth, 0, alpha, beta, &mut line),
        Method::PrincipalVariation | Method::MateDistancePruning => {
            search.principal_variation(position, depth, 0, alpha, beta, true, &mut line)
        }
    };
    Solution { score, line, nodes: search.nodes, re_searches: search.re_searches }
}

struct Textbook<E> {
    evaluate: E,
    mate_distance: bool,
    nodes: u64,
    re_searches: u64,
}

impl<E: Fn(&Position) -> i32> Textbook<E> {
    /// The score of a leaf: the game is over, or the depth is 0. `Err` has the moves of other positions.
    fn settled(&mut self, position: &Position, depth: u32, ply: usize) -> Result<Score, Vec<Move>> {
        self.nodes += 1;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(if position.in_check() { Score::mated_in(ply) } else { Score::ZERO });
        }
        if position.is_insufficient_material() || position.halfmove_clock() >= 100 {
            return Ok(Score::ZERO);
        }
        if depth == 0 {
            return Ok(Score::evaluation((self.evaluate)(position)));
        }
        Err(best_first(position, moves.to_vec()))
    }

    fn minimax(&mut self, position: &Position, depth: u32, ply: usize, line: &mut Vec<Move>) -> Score {
        let moves = match self.settled(position, depth, ply) {
            Ok(score) => return score,
            Err(moves) => moves,
        };
        let mut best = Score::NONE;
        for mv in moves {
            let mut reply = Vec::new();
            let score = -self.minimax(&position.after(mv), depth - 1, ply + 1, &mut reply);
            if score > best {
                best = score;
                *line = [vec![mv], reply].concat();
            }
        }
        best
    }

    fn alpha_beta(
        &mut self,
        position: &Position,
        depth: u32,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        line: &mut Vec<Move>,
    ) -> Score {
        let moves = match self.settled(position, depth, ply) {
            Ok(score) => return score,
            Err(moves) => moves,
        };
        let mut best = Score::NONE;
        for mv in moves {
            let mut reply = Vec::new();
            let score = -self.alpha_beta(&position.after(mv), depth - 1, ply + 1, -beta, -alpha, &mut reply);
            if score > best {
                best = score;
                if score > alpha {
                    *line = [vec![mv], reply].concat();
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        best
    }

    #[allow(clippy::too_many_arguments)]
    fn principal_variation(
        &mut self,
        position: &Position,
        depth: u32,
        ply: usize,
        mut alpha: Score,
        mut beta: Score,
        pv: bool,
        line: &mut Vec<Move>,
    ) -> Score {
        let moves = match self.settled(position, depth, ply) {
            Ok(score) => return score,
            Err(moves) => moves,
        };
        if self.mate_distance {
            // The worst score is being mated here, the best is mate with the next move.
            alpha = alpha.max(Score::mated_in(ply));
            beta = beta.min(Score::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }
        let mut best = Score::NONE;
        for (index, mv) in moves.into_iter().enumerate() {
            let child = position.after(mv);
            let mut reply = Vec::new();
            let mut score = Score::NONE;
            if !pv || index > 0 {
                // Zero window: is this move better than the best so far?
                score = -self.principal_variation(
                    &child,
                    depth - 1,
                    ply + 1,
                    -(alpha + 1),
                    -alpha,
                    false,
                    &mut reply,
                );
            }
            if pv && (index == 0 || score > alpha) {
                self.re_searches += u64::from(index > 0);
                reply.clear();
                score =
                    -self.principal_variation(&child, depth - 1, ply + 1, -beta, -alpha, true, &mut reply);
            }
            if score > best {
                best = score;
                if score > alpha {
                    *line = [vec![mv], reply].concat();
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        best
    }
}

/// MVV-LVA; other moves unsorted.
fn best_first(position: &Position, mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|&mv| {
        let gain = position.captured(mv).map_or(0, |role| 10 * (role.index() as i32 + 1));
        let promotion = mv.promotion().map_or(0, |role| 10 * role.index() as i32);
        let risk =
            if gain > 0 { position.role_at(mv.from()).map_or(0, |role| role.index() as i32) } else { 0 };
        -(gain + promotion - risk)
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, Role};

    const METHODS: [Method; 4] =
        [Method::Minimax, Method::AlphaBeta, Method::PrincipalVariation, Method::MateDistancePruning];

    fn material(position: &Position) -> i32 {
        let side = |color: Color| -> i32 {
            Role::ALL[..5]
                .iter()
                .map(|&role| position.count(color, role) as i32 * role.exchange_value())
                .sum()
        };
        side(position.turn()) - side(!position.turn())
    }

    #[test]
    fn methods_agree_and_save_nodes() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/8/8/1k6/2q5/K7 b - - 98 90",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for depth in 0..=3 {
                let answers = METHODS.map(|method| solve(&position, depth, method, material));
                for answer in &answers {
                    assert_eq!(answer.score, answers[0].score, "{fen} depth {depth}");
                }
                assert!(answers[1].nodes <= answers[0].nodes);
                assert_eq!((answers[0].re_searches, answers[1].re_searches), (0, 0));
            }
        }
    }

    #[test]
    fn mate_and_stalemate_at_every_depth() {
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let stalemated = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        for method in METHODS {
            for depth in 0..3 {
                assert_eq!(solve(&mated, depth, method, material).score, Score::mated_in(0));
                assert_eq!(solve(&stalemated, depth, method, material).score, Score::ZERO);
            }
        }
    }

    #[test]
    fn mate_distance_pruning_keeps_score() {
        let position = Position::from_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1").unwrap();
        let plain = solve(&position, 4, Method::PrincipalVariation, material);
        let pruned = solve(&position, 4, Method::MateDistancePruning, material);
        assert_eq!(plain.score, Score::mate_in(3));
        assert_eq!(pruned.score, plain.score);
        assert!(pruned.nodes < plain.nodes, "{} {}", pruned.nodes, plain.nodes);
    }
}
