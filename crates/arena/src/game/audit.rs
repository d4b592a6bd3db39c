//! Checks what an engine reports while it plays. Nothing here ends a game, but every warning is a bug of the engine.

use chess::{Color, Game, Position};
use uci::{Bound, Info, Score};

use crate::players::{MoveReply, ReplyMove};
use record::game_end::side_name;

/// A mistake of an engine that did not end the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub side: Color,
    pub text: String,
    pub fen: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} in {}", side_name(self.side), self.text, self.fen)
    }
}

/// Checks the reply to a move request.
#[derive(Debug)]
pub struct ReplyAudit<'a> {
    pub game: &'a Game,
    pub mover: Color,
    pub check_mate_lines: bool,
}

impl ReplyAudit<'_> {
    pub fn warnings(&self, reply: &MoveReply) -> Vec<Warning> {
        let mut found = Vec::new();
        if reply.stray_answers > 0 {
            found.push(format!("{} unexpected bestmove before this search", reply.stray_answers));
        }
        // One warning per move is enough.
        found.extend(reply.lines.iter().find_map(|info| self.of_line(info)));
        if let Some(info) = reply.info.as_ref().filter(|info| info.bound == Bound::Exact)
            && let Some(first) = info.pv.first()
            && reply.best != ReplyMove::None
            && !self.is_best(reply, first)
            && !self.failed_high_last(reply)
        {
            let best = reply.best.uci(!self.game.position().has_standard_castling());
            found.push(format!("bestmove {best} is not the first move of the last PV, {first}"));
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
                    format!("illegal move {written} in pv {}", info.pv.join(" "))
                } else {
                    format!("PV continues after the end of the game: {written} after {played} plies")
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

/// A mate PV must have the announced length and end in mate.
fn mate_line_error(moves: i32, plies: usize, end: &Position) -> Option<String> {
    let expected = if moves > 0 { 2 * moves.unsigned_abs() - 1 } else { 2 * moves.unsigned_abs() } as usize;
    let mated = end.in_check() && !end.has_legal_move();
    if plies == 0 || (plies == expected && mated) {
        None
    } else if plies != expected {
        Some(format!("mate {moves} reported with a PV of {plies} plies, expected {expected}"))
    } else {
        Some(format!("mate {moves} reported with a PV that does not end in mate"))
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
        let reply = MoveReply {
            best: ReplyMove::parse(&start, Some(best.to_owned())),
            info: infos.last().cloned(),
            lines: infos,
            ..MoveReply::default()
        };
        let audit = ReplyAudit { game: &game, mover: Color::White, check_mate_lines: true };
        audit.warnings(&reply).into_iter().map(|warning| warning.text).collect()
    }

    #[test]
    fn sound_pv_has_no_warning() {
        assert!(warnings(None, vec![info("e2e4 e7e5 g1f3", Score::Centipawns(20))], "e2e4").is_empty());
        let back_rank = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
        assert!(warnings(Some(back_rank), vec![info("e1e8", Score::Mate(1))], "e1e8").is_empty());
    }

    #[test]
    fn illegal_pv_warns_once_per_move() {
        let bad = || info("e2e4 e2e4", Score::Centipawns(0));
        let found = warnings(None, vec![bad(), bad()], "e2e4");
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("illegal move e2e4"), "{found:?}");
    }

    #[test]
    fn bestmove_must_match_the_pv() {
        let found = warnings(None, vec![info("e2e4", Score::Centipawns(0))], "d2d4");
        assert!(found[0].contains("bestmove d2d4"), "{found:?}");
    }

    #[test]
    fn bestmove_may_be_a_fail_high() {
        let exact = info("e2e4", Score::Centipawns(0));
        let better = Info { bound: Bound::Lower, ..info("d2d4", Score::Centipawns(9)) };
        let start = Game::new(Position::startpos());
        let audit = ReplyAudit { game: &start, mover: Color::White, check_mate_lines: false };
        let reply = |best: &str| MoveReply {
            best: ReplyMove::parse(start.position(), Some(best.to_owned())),
            info: Some(exact.clone()),
            lines: vec![exact.clone(), better.clone()],
            ..MoveReply::default()
        };
        assert!(audit.warnings(&reply("d2d4")).is_empty());
        assert_eq!(audit.warnings(&reply("c2c4")).len(), 1);
    }

    #[test]
    fn mate_pv_must_end_in_mate() {
        let back_rank = Some("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1");
        let found = warnings(back_rank, vec![info("e1e7", Score::Mate(1))], "e1e7");
        assert!(found[0].contains("does not end in mate"), "{found:?}");
        let found = warnings(back_rank, vec![info("e1e8", Score::Mate(2))], "e1e8");
        assert!(found[0].contains("expected 3"), "{found:?}");
        let found = warnings(back_rank, vec![info("e1e8 g8g7", Score::Mate(1))], "e1e8");
        assert!(found[0].contains("after the end of the game"), "{found:?}");
    }
}
