//! `go mate`: a search of all moves that proves a mate in so many moves, or that there is none.
//!
//! The principal variation search prunes and reduces, and may pass over a quiet first move for a long time. This one
//! leaves nothing out: the attacker needs one move, and the defender must have none that escapes.

use chess::{Move, MoveList, Position};
use std::cmp::Reverse;
use std::collections::HashMap;

/// What a proof has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MateProof {
    /// The shortest mate, as a line of best play.
    Mate(Vec<Move>),
    /// There is no mate in so many moves.
    None,
    /// It was stopped before it knew.
    Unknown,
}

/// Positions that are remembered; more are forgotten at once.
const MAX_KNOWN: usize = 1 << 20;

/// The state of a proof.
pub(crate) struct MateSearch<F> {
    /// Whether the attacker mates in so many moves, by position.
    known: HashMap<(u64, u32), bool>,
    /// Positions visited so far.
    pub nodes: u64,
    max_nodes: u64,
    is_stopped: F,
    stopped: bool,
}

impl<F: FnMut(u64) -> bool> MateSearch<F> {
    /// A proof of at most so many nodes. `is_stopped` is asked every so often, with the nodes so far.
    pub fn new(max_nodes: u64, is_stopped: F) -> MateSearch<F> {
        MateSearch { known: HashMap::new(), nodes: 0, max_nodes, is_stopped, stopped: false }
    }

    /// Looks for the shortest mate in at most `moves` moves that begins with one of the root moves.
    pub fn prove(&mut self, position: &Position, root: &[Move], moves: u32) -> MateProof {
        for count in 1..=moves {
            for mv in ordered(position, root, count) {
                if self.is_mated(&position.after(mv), count - 1) {
                    return MateProof::Mate(self.line(position, mv, count));
                }
                if self.stopped {
                    return MateProof::Unknown;
                }
            }
        }
        MateProof::None
    }

    /// Whether the side to move mates in at most `moves` moves.
    fn mates(&mut self, position: &Position, moves: u32) -> bool {
        let place = (position.key(), moves);
        // The halfmove clock is no part of the key: near its end nothing is remembered.
        let is_remembered = position.halfmove_clock() + 2 * moves < 100;
        if let Some(&known) = self.known.get(&place).filter(|_| is_remembered) {
            return known;
        }
        let all = position.legal_moves();
        let found = ordered(position, &all, moves)
            .into_iter()
            .any(|mv| !self.stopped && self.is_mated(&position.after(mv), moves - 1));
        if !self.stopped && is_remembered {
            if self.known.len() >= MAX_KNOWN {
                self.known.clear();
            }
            self.known.insert(place, found);
        }
        found
    }

    /// Whether the side to move is mated whatever it does, at the latest by `moves` further moves of the attacker.
    fn is_mated(&mut self, position: &Position, moves: u32) -> bool {
        self.enter();
        let replies = position.legal_moves();
        if replies.is_empty() {
            return position.in_check();
        }
        let is_draw = position.halfmove_clock() >= 100 || position.is_insufficient_material();
        if moves == 0 || is_draw || self.stopped {
            return false;
        }
        // Captures first: they refute most attacks.
        let (captures, quiets): (Vec<Move>, Vec<Move>) =
            replies.iter().partition(|&&mv| position.captured(mv).is_some());
        captures.into_iter().chain(quiets).all(|mv| {
            let after = position.after(mv);
            after.halfmove_clock() < 100 && self.mates(&after, moves)
        }) && !self.stopped
    }

    /// The line of a proven mate: the defender holds out as long as possible.
    fn line(&mut self, position: &Position, first: Move, moves: u32) -> Vec<Move> {
        let mut line = vec![first];
        let mut position = position.after(first);
        let mut left = moves - 1;
        while left > 0 && position.has_legal_move() {
            let replies: MoveList = position.legal_moves();
            // A reply that is not mated a move earlier, if there is one.
            let longest =
                replies.iter().copied().find(|&mv| left == 1 || !self.mates(&position.after(mv), left - 1));
            let Some(reply) = longest.or_else(|| replies.first().copied()) else { break };
            position = position.after(reply);
            left = (1..=left).find(|&count| self.mates(&position, count)).unwrap_or(left);
            let all = position.legal_moves();
            let mut moves = ordered(&position, &all, left).into_iter();
            let Some(mv) = moves.find(|&mv| self.is_mated(&position.after(mv), left - 1)) else { break };
            line.extend([reply, mv]);
            position = position.after(mv);
            left -= 1;
        }
        line
    }

    fn enter(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.max_nodes || self.nodes.is_multiple_of(256) && (self.is_stopped)(self.nodes) {
            self.stopped = true;
        }
    }
}

/// The moves that may mate in so many moves: checks only for the last one, and those that leave few replies first.
fn ordered(position: &Position, moves: &[Move], left: u32) -> Vec<Move> {
    if left == 1 {
        return moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
    }
    let mut scored: Vec<(Reverse<bool>, u32, Move)> = moves
        .iter()
        .map(|&mv| (Reverse(position.gives_check(mv)), position.after(mv).count_legal_moves(), mv))
        .collect();
    scored.sort_by_key(|&(check, replies, _)| (check, replies));
    scored.into_iter().map(|(_, _, mv)| mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Game;

    fn prove(fen: &str, moves: u32) -> (MateProof, u64) {
        let position = Position::from_fen(fen).unwrap();
        let root = position.legal_moves();
        let mut search = MateSearch::new(u64::MAX, |_| false);
        (search.prove(&position, &root, moves), search.nodes)
    }

    /// The length of the mate in moves; the line ends with it.
    fn mate_in(fen: &str, moves: u32) -> Option<usize> {
        match prove(fen, moves).0 {
            MateProof::Mate(line) => {
                let mut game = Game::new(Position::from_fen(fen).unwrap());
                for &mv in &line {
                    assert!(game.position().is_legal(mv), "{fen} {line:?}");
                    game.play(mv);
                }
                let winner = game.outcome().and_then(chess::Outcome::winner);
                assert_eq!(winner, Some(game.start().turn()), "{fen} {line:?}");
                Some(line.len().div_ceil(2))
            }
            MateProof::None => None,
            MateProof::Unknown => panic!("not stopped"),
        }
    }

    #[test]
    fn shortest_mates_are_proven() {
        for (fen, moves) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
            // Morphy: a quiet first move, and a zugzwang.
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
            ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2),
            ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ] {
            assert_eq!(mate_in(fen, moves + 1), Some(moves as usize), "{fen}");
            assert_eq!(mate_in(fen, moves - 1), None, "{fen}");
        }
    }

    #[test]
    fn positions_without_mate_are_refused() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/4k3/8/8/2B1K3/8/8 w - - 0 1",
            // Stalemate is no mate.
            "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",
            // The fifty-move rule comes first.
            "7k/8/8/8/8/8/R7/1R5K w - - 98 90",
        ] {
            assert_eq!(mate_in(fen, 2), None, "{fen}");
        }
    }

    #[test]
    fn proof_ends_at_its_limits() {
        let position = Position::startpos();
        let root = position.legal_moves();
        let mut search = MateSearch::new(1000, |_| false);
        assert_eq!(search.prove(&position, &root, 4), MateProof::Unknown);
        assert_eq!(search.nodes, 1000);
        let mut search = MateSearch::new(u64::MAX, |nodes| nodes > 5000);
        assert_eq!(search.prove(&position, &root, 4), MateProof::Unknown);
    }

    #[test]
    fn search_moves_restrict_the_proof() {
        let position = Position::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").unwrap();
        let other = [position.parse_uci("a1a5").unwrap()];
        assert_eq!(MateSearch::new(u64::MAX, |_| false).prove(&position, &other, 2), MateProof::None);
    }
}
