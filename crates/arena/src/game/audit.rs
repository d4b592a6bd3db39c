//! Looks through what an engine says while it plays. Nothing here ends a game, but every warning is a bug.

use chess::{Color, Game, Position};
use uci::{Bound, Info, Score};

use crate::players::{MoveReply, ReplyMove};
use record::ending::side_name;

/// An oddity of an engine that did not end the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The side that did it.
    pub side: Color,
    /// What.
    pub text: String,
    /// The position in which it happened.
    pub fen: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} in {}", side_name(self.side), self.text, self.fen)
    }
}

/// The position a thought is about.
#[derive(Debug)]
pub struct ReplyAudit<'a> {
    /// The game so far.
    pub game: &'a Game,
    /// Who thinks.
    pub mover: Color,
    /// Check mating lines, too.
    pub check_mate_lines: bool,
}

impl ReplyAudit<'_> {
    /// Everything odd about a thought.
    pub fn of_thought(&self, thought: &MoveReply) -> Vec<Warning> {
        let mut found = Vec::new();
        if thought.stray_answers > 0 {
            found.push(format!("{} bestmove too many before this search", thought.stray_answers));
        }
        // Engines repeat themselves: one complaint a move is enough.
        found.extend(thought.lines.iter().find_map(|info| self.of_line(info)));
        if let Some(info) = thought.info.as_ref().filter(|info| info.bound == Bound::Exact)
            && let Some(first) = info.pv.first()
            && thought.best != ReplyMove::None
            && !self.is_best(thought, first)
            && !self.failed_high_last(thought)
        {
            let best = thought.best.uci(!self.game.position().has_standard_castling());
            found.push(format!("bestmove {best} is not the first move of its last line, {first}"));
        }
        let fen = self.game.position().to_fen();
        found.into_iter().map(|text| Warning { side: self.mover, text, fen: fen.clone() }).collect()
    }

    fn is_best(&self, reply: &MoveReply, text: &str) -> bool {
        ReplyMove::parse(self.game.position(), Some(text.to_owned())) == reply.best
    }

    /// Whether the last line was the best move as a lower bound: it failed high, and its score was not resolved in time.
    fn failed_high_last(&self, reply: &MoveReply) -> bool {
        let last = reply.lines.iter().rev().find(|info| !info.pv.is_empty());
        last.is_some_and(|info| info.bound == Bound::Lower && self.is_best(reply, &info.pv[0]))
    }

    fn of_line(&self, info: &Info) -> Option<String> {
        let mut position: Position = *self.game.position();
        for (played, written) in info.pv.iter().enumerate() {
            let Ok(mv) = position.parse_uci(written) else {
                return Some(if position.has_legal_move() {
                    format!("illegal move {written} in its line: pv {}", info.pv.join(" "))
                } else {
                    format!("line goes on after the end of the game: {written} after {played} moves")
                });
            };
            position = position.after(mv);
        }
        match info.score {
            Some(Score::Mate(moves)) if self.check_mate_lines && info.bound == Bound::Exact => {
                mate_line_error(moves, info.pv.len(), &position)
            }
            _ => None,
        }
    }
}

/// A mating line must be as long as announced and end in mate.
fn mate_line_error(moves: i32, plies: usize, end: &Position) -> Option<String> {
    let expected = if moves > 0 { 2 * moves.unsigned_abs() - 1 } else { 2 * moves.unsigned_abs() } as usize;
    let mated = end.in_check() && !end.has_legal_move();
    if plies == 0 || (plies == expected && mated) {
        None
    } else if plies != expected {
        Some(format!("mate {moves} announced with a line of {plies} half moves instead of {expected}"))
    } else {
        Some(format!("mate {moves} announced with a line that does not end in mate"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(pv: &str, score: Score) -> Info {
        Info { pv: pv.split_whitespace().map(str::to_owned).collect(), score: Some(score), ..Info::default() }
    }

    fn warnings(fen: Option<&str>, infos: Vec<Info>, best: &str) -> Vec<String> {
        let start = fen.map_or_else(Position::startpos, |fen| Position::from_fen(fen).expect("valid"));
        let game = Game::new(start);
        let thought = MoveReply {
            best: ReplyMove::parse(&start, Some(best.to_owned())),
            info: infos.last().cloned(),
            lines: infos,
            ..MoveReply::default()
        };
        let audit = ReplyAudit { game: &game, mover: Color::White, check_mate_lines: true };
        audit.of_thought(&thought).into_iter().map(|warning| warning.text).collect()
    }

    #[test]
    fn sound_lines_are_not_remarked() {
        assert!(warnings(None, vec![info("e2e4 e7e5 g1f3", Score::Centipawns(20))], "e2e4").is_empty());
        let back_rank = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
        assert!(warnings(Some(back_rank), vec![info("e1e8", Score::Mate(1))], "e1e8").is_empty());
    }

    #[test]
    fn illegal_lines_are_remarked_once_a_move() {
        let bad = || info("e2e4 e2e4", Score::Centipawns(0));
        let found = warnings(None, vec![bad(), bad()], "e2e4");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("illegal move e2e4"), "{found:?}");
    }

    #[test]
    fn a_move_other_than_announced_is_remarked() {
        let found = warnings(None, vec![info("e2e4", Score::Centipawns(0))], "d2d4");
        assert!(found[0].contains("bestmove d2d4"), "{found:?}");
    }

    #[test]
    fn a_move_that_failed_high_at_the_end_is_announced() {
        let exact = info("e2e4", Score::Centipawns(0));
        let better = Info { bound: Bound::Lower, ..info("d2d4", Score::Centipawns(9)) };
        let start = Game::new(Position::startpos());
        let audit = ReplyAudit { game: &start, mover: Color::White, check_mate_lines: false };
        let thought = |best: &str| MoveReply {
            best: ReplyMove::parse(start.position(), Some(best.to_owned())),
            info: Some(exact.clone()),
            lines: vec![exact.clone(), better.clone()],
            ..MoveReply::default()
        };
        assert!(audit.of_thought(&thought("d2d4")).is_empty());
        assert_eq!(audit.of_thought(&thought("c2c4")).len(), 1);
    }

    #[test]
    fn mating_lines_must_mate_in_time() {
        let back_rank = Some("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
        let found = warnings(back_rank, vec![info("e1e7", Score::Mate(1))], "e1e7");
        assert!(found[0].contains("does not end in mate"), "{found:?}");
        let found = warnings(back_rank, vec![info("e1e8", Score::Mate(2))], "e1e8");
        assert!(found[0].contains("instead of 3"), "{found:?}");
        let found = warnings(back_rank, vec![info("e1e8 g8g7", Score::Mate(1))], "e1e8");
        assert!(found[0].contains("after the end of the game"), "{found:?}");
    }
}
