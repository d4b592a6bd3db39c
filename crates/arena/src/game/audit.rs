//! Checks what an engine reports while it plays. Nothing here ends a game, but every warning is a bug of the engine. The
//! warnings begin as fastchess's do, because scripts look for them.

use chess::{Color, DrawReason, Game, Outcome, Position};
use uci::{Bound, Info, MAX_PV, Score};

use crate::players::{MoveReply, ReplyMove};
use record::game_end::side_name;

/// A mistake of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayWarning {
    pub side: Color,
    /// `{engine}` stands for the name of the engine, `{opponent}` for that of the other one.
    pub text: String,
    pub fen: String,
}

impl PlayWarning {
    /// The text with the names of the engine and its opponent.
    pub fn about(&self, [engine, opponent]: [&str; 2]) -> String {
        if !self.text.contains("{engine}") {
            return format!("{} from {engine}", self.text);
        }
        self.text.replace("{opponent}", opponent).replace("{engine}", engine)
    }
}

impl std::fmt::Display for PlayWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = [side_name(self.side), side_name(!self.side)];
        write!(f, "{}: {} in {}", names[0], self.about(names), self.fen)
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
    pub fn warnings(&self, reply: &MoveReply) -> Vec<PlayWarning> {
        let mut found = Vec::new();
        if reply.stray_answers > 0 {
            found.push(format!("{} unexpected bestmove before this search", reply.stray_answers));
        }
        if reply.info.is_none() && reply.infos > 0 {
            found.push("Could not extract score from engine {engine}: no score in its info lines".to_owned());
        }
        // One warning per move is enough.
        found.extend(reply.lines.iter().find_map(|info| self.of_line(info)));
        found.extend(self.of_ponder_move(reply));
        if let Some(info) = reply.info.as_ref().filter(|info| info.bound == Bound::Exact)
            && let Some(first) = info.pv.first()
            && reply.best != ReplyMove::None
            && !self.is_best(reply, first)
            && !self.failed_high_last(reply)
        {
            let best = reply.best.uci(!self.game.position().has_standard_castling());
            found.push(format!("Bestmove does not match beginning of last PV - move {best}, PV {first}"));
        }
        let fen = self.game.position().to_fen();
        found.into_iter().map(|text| PlayWarning { side: self.mover, text, fen: fen.clone() }).collect()
    }

    /// Both sides say that they mate, or that they are mated: one of them is wrong. `before` is the score of the last move.
    pub fn mate_scores(&self, before: Option<Score>, now: Option<Score>) -> Option<PlayWarning> {
        let (Some(Score::Mate(before)), Some(Score::Mate(now))) = (before, now) else { return None };
        if before.signum() * now.signum() <= 0 {
            return None;
        }
        let [own, other] = [self.mover, !self.mover].map(side_name);
        let text = format!(
            "Sign mismatch in mate scores {before} and {now} from {{opponent}} ({other}) and {{engine}} ({own})"
        );
        Some(PlayWarning { side: self.mover, text, fen: self.game.position().to_fen() })
    }

    /// A move that ends the game.
    pub fn illegal_move(&self, written: &str) -> Vec<PlayWarning> {
        let is_move = |text: &str| {
            let bytes = text.as_bytes();
            let square = |at: usize| {
                bytes.get(at).is_some_and(|file| (b'a'..=b'h').contains(file))
                    && bytes.get(at + 1).is_some_and(|rank| (b'1'..=b'8').contains(rank))
            };
            square(0) && square(2) && matches!(bytes.get(4..), Some([] | [b'n' | b'b' | b'r' | b'q']))
        };
        let mut texts = Vec::new();
        if !written.is_empty() && !is_move(written) {
            texts.push(format!(
                "Move does not match uci move format, lowercase and 4/5 chars. Move {written} played by {{engine}}"
            ));
        }
        let shown = if written.is_empty() { "<none>" } else { written };
        texts.push(format!("Illegal move {shown} played by {{engine}}"));
        let fen = self.game.position().to_fen();
        texts.into_iter().map(|text| PlayWarning { side: self.mover, text, fen: fen.clone() }).collect()
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
        let mut game = self.game.clone();
        for (ply, written) in (1..).zip(&info.pv) {
            if let Some(reason) = reason_of_end(&game) {
                return Some(format!("PV continues after {reason} - move {written}"));
            }
            let Ok(mv) = game.position().parse_uci(written) else {
                return Some(format!("Illegal PV move - move {written} at ply {ply}"));
            };
            game.play(mv);
        }
        match info.score {
            Some(Score::Mate(moves)) if self.check_mate_lines && info.bound == Bound::Exact => {
                mate_line_error(moves, info.pv.len(), game.position())
            }
            _ => None,
        }
    }

    /// The expected answer must be a move of a game that goes on.
    fn of_ponder_move(&self, reply: &MoveReply) -> Option<String> {
        let (best, ponder) = (reply.best.legal()?, reply.ponder.as_ref()?);
        let mut game = self.game.clone();
        game.play(best);
        match reason_of_end(&game) {
            Some(reason) => Some(format!("Ponder move after {reason} - move {ponder}")),
            None if game.position().parse_uci(ponder).is_err() => {
                Some(format!("Illegal ponder move - move {ponder}"))
            }
            None => None,
        }
    }
}

/// Why a game is over. Insufficient material does not count, as in fastchess: engines may play on.
fn reason_of_end(game: &Game) -> Option<&'static str> {
    match game.outcome()? {
        Outcome::Checkmate { .. } => Some("checkmate"),
        Outcome::Draw(DrawReason::Stalemate) => Some("stalemate"),
        Outcome::Draw(DrawReason::Threefold) => Some("threefold repetition"),
        Outcome::Draw(DrawReason::FiftyMoves) => Some("fifty-move rule"),
        Outcome::Draw(DrawReason::InsufficientMaterial) => None,
    }
}

/// A mate PV must have the announced length and end in mate.
fn mate_line_error(moves: i32, plies: usize, end: &Position) -> Option<String> {
    let expected = if moves > 0 { 2 * moves.unsigned_abs() - 1 } else { 2 * moves.unsigned_abs() } as usize;
    let mated = end.in_check() && !end.has_legal_move();
    let lengths = || format!("mate {moves} with {plies} plies, expected {expected}");
    match plies {
        0 | MAX_PV => None,
        _ if plies < expected => Some(format!("Incomplete mating PV - {}", lengths())),
        _ if plies > expected => Some(format!("Too long mating PV - {}", lengths())),
        _ if !mated => Some(format!("Mating PV does not end with checkmate - mate {moves}")),
        _ => None,
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
        assert!(found[0].starts_with("Illegal PV move - move e2e4"), "{found:?}");
    }

    #[test]
    fn bestmove_must_match_the_pv() {
        let found = warnings(None, vec![info("e2e4", Score::Centipawns(0))], "d2d4");
        assert_eq!(found[0], "Bestmove does not match beginning of last PV - move d2d4, PV e2e4");
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
        assert_eq!(found[0], "Mating PV does not end with checkmate - mate 1");
        let found = warnings(back_rank, vec![info("e1e8", Score::Mate(2))], "e1e8");
        assert_eq!(found[0], "Incomplete mating PV - mate 2 with 1 plies, expected 3");
        let found = warnings(back_rank, vec![info("e1e7 g8f8", Score::Mate(1))], "e1e7");
        assert_eq!(found[0], "Too long mating PV - mate 1 with 2 plies, expected 1");
    }

    #[test]
    fn mate_scores_of_both_sides_agree() {
        let game = Game::new(Position::startpos());
        let audit = ReplyAudit { game: &game, mover: Color::White, check_mate_lines: false };
        let mate = |moves| Some(Score::Mate(moves));
        for (before, now) in [(mate(3), mate(-2)), (mate(3), Some(Score::Centipawns(9))), (None, mate(2))] {
            assert_eq!(audit.mate_scores(before, now), None);
        }
        let warning = audit.mate_scores(mate(3), mate(1)).expect("both mate");
        let expected = "Sign mismatch in mate scores 3 and 1 from Old (Black) and New (White)";
        assert_eq!(warning.about(["New", "Old"]), expected);
    }

    #[test]
    fn illegal_moves_are_reported_as_in_fastchess() {
        let game = Game::new(Position::startpos());
        let audit = ReplyAudit { game: &game, mover: Color::White, check_mate_lines: false };
        let texts = |written: &str| -> Vec<String> {
            audit.illegal_move(written).iter().map(|warning| warning.about(["New", "Old"])).collect()
        };
        assert_eq!(texts("e2e5"), ["Illegal move e2e5 played by New"]);
        assert_eq!(texts("e7e8q"), ["Illegal move e7e8q played by New"]);
        assert_eq!(texts(""), ["Illegal move <none> played by New"]);
        for written in ["E2E4", "e2e4q5", "xyz", "e2e4x", "(none)"] {
            assert!(texts(written)[0].starts_with("Move does not match uci move format"), "{written}");
        }
    }

    #[test]
    fn missing_score_warns() {
        let game = Game::new(Position::startpos());
        let best = ReplyMove::parse(game.position(), Some("e2e4".to_owned()));
        let audit = ReplyAudit { game: &game, mover: Color::White, check_mate_lines: false };
        let texts = |infos| audit.warnings(&MoveReply { best: best.clone(), infos, ..MoveReply::default() });
        assert!(texts(0).is_empty());
        assert!(texts(3)[0].about(["New", "Old"]).starts_with("Could not extract score from engine New"));
    }

    /// The warnings after these moves, with this PV and this ponder move.
    fn after_moves(fen: &str, moves: &str, pv: &str, ponder: Option<&str>) -> Vec<String> {
        let mut game = Game::new(Position::from_fen(fen).expect("valid"));
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).expect("legal"));
        }
        let infos = vec![info(pv, Score::Centipawns(0))];
        let best = pv.split_whitespace().next().map(str::to_owned);
        let reply = MoveReply {
            best: ReplyMove::parse(game.position(), best),
            ponder: ponder.map(str::to_owned),
            info: infos.last().cloned(),
            lines: infos,
            ..MoveReply::default()
        };
        let audit = ReplyAudit { game: &game, mover: game.position().turn(), check_mate_lines: false };
        audit.warnings(&reply).into_iter().map(|warning| warning.text).collect()
    }

    #[test]
    fn pv_ends_with_the_game() {
        let start = Position::startpos().to_fen();
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        let found = after_moves(&start, shuffle, "f6g8 e2e4", None);
        assert_eq!(found, ["PV continues after threefold repetition - move e2e4"]);
        assert!(after_moves(&start, shuffle, "f6g8", None).is_empty());
        assert!(after_moves(&start, &shuffle[..24], "g8f6 f3g1", None).is_empty());

        let rooks = "7k/8/8/8/8/8/R7/1R5K w - - 98 80";
        let found = after_moves(rooks, "", "h1h2 h8h7 h2h3", None);
        assert_eq!(found, ["PV continues after fifty-move rule - move h2h3"]);
        let found = after_moves(rooks, "", "a2a7 h8g8 b1b8 g8h8", None);
        assert!(found[0].starts_with("PV continues after fifty-move rule"), "{found:?}");

        let found = after_moves("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "", "e1e8 g8g7", None);
        assert_eq!(found, ["PV continues after checkmate - move g8g7"]);
        let found = after_moves("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "", "f1f7 h8g8", None);
        assert_eq!(found, ["PV continues after stalemate - move h8g8"]);
        // Insufficient material.
        assert!(after_moves("7k/8/8/8/8/8/1r6/K7 w - - 0 1", "", "a1b2 h8g8 b2b3", None).is_empty());
    }

    #[test]
    fn ponder_move_is_played_in_the_game() {
        let start = Position::startpos().to_fen();
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
        let found = after_moves(&start, shuffle, "f6g8", Some("e2e4"));
        assert_eq!(found, ["Ponder move after threefold repetition - move e2e4"]);
        let found = after_moves(&start, "", "e2e4", Some("e2e4"));
        assert_eq!(found, ["Illegal ponder move - move e2e4"]);
        assert!(after_moves(&start, "", "e2e4 e7e5", Some("e7e5")).is_empty());
    }
}
