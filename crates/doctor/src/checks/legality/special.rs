//! Moves that engines get wrong: castling, en passant, promotion and underpromotion, at the root and in move lists; the
//! board after them; and roots without a legal move.

use std::time::Duration;

use chess::{Game, Position};

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::SpecialMoves,
    method: "Requests legal special moves with searchmoves, and illegal ones beside a legal move that loses; sends games with \
             every kind of special move, from startpos and from a FEN; searches for moves that only a wrongly updated board \
             allows or forbids; searches checkmate and stalemate.",
    seconds: (8, 20),
    run,
};

/// Positions with a legal special move.
const LEGAL: [(&str, &str); 10] = [
    ("7k/8/8/2KpP3/8/8/8/8 w - d6 0 1", "e5d6"),
    ("8/8/8/8/k1pP4/8/K7/8 b - d3 0 1", "c4d3"),
    ("8/2P1k3/1q6/8/8/8/8/7K w - - 0 1", "c7c8n"),
    ("8/2P1k3/8/8/8/8/8/7K w - - 0 1", "c7c8b"),
    ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2b1r"),
    ("r3k3/1P6/8/8/8/8/8/7K w - - 0 1", "b7a8q"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
];

/// A position, moves from it, a special move that is then illegal, and a legal one that loses: with both in searchmoves, an
/// engine that generates the illegal move plays it.
struct IllegalSpecialMove {
    fen: &'static str,
    moves: &'static str,
    illegal: &'static str,
    legal: &'static str,
}

const ILLEGAL: [IllegalSpecialMove; 12] = [
    // Castling through an attacked square.
    illegal_move("5rk1/6p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "h1h6"),
    illegal_move("3r2k1/1p6/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "a1a6"),
    illegal_move("4k2r/8/8/8/8/8/6P1/5RK1 b k - 0 1", "e8g8", "h8h3"),
    illegal_move("r3k3/8/8/8/8/8/1P6/3R2K1 b q - 0 1", "e8c8", "a8a3"),
    // Castling without the right to it: by the FEN, after the rook or the king came back, after the rook was captured.
    illegal_move("6k1/6p1/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "h1h6"),
    illegal_move("r3k3/8/8/8/8/8/1P6/6K1 b - - 0 1", "e8c8", "a8a3"),
    illegal_after("6k1/6p1/8/8/8/8/8/4K2R w K - 0 1", "h1h2 g8f8 h2h1 f8g8", "e1g1", "h1h6"),
    illegal_after("r3k3/8/8/8/8/8/1P6/6K1 b q - 0 1", "e8e7 g1h1 e7e8 h1g1", "e8c8", "a8a3"),
    illegal_after("6k1/1p6/8/8/8/8/6b1/R3K2R b KQ - 0 1", "g2h1", "e1g1", "a1a6"),
    illegal_after("r3k2r/6B1/8/8/8/8/1P6/6K1 w kq - 0 1", "g7h8", "e8g8", "a8a3"),
    // En passant that exposes the king on the rank.
    illegal_move("8/8/8/K1pP3r/8/8/8/7k w - c6 0 1", "d5c6", "d5d6"),
    illegal_move("7K/8/8/8/k1Pp3R/8/8/8 b - c3 0 1", "d4c3", "d4d3"),
];

const fn illegal_move(fen: &'static str, illegal: &'static str, legal: &'static str) -> IllegalSpecialMove {
    illegal_after(fen, "", illegal, legal)
}

const fn illegal_after(
    fen: &'static str,
    moves: &'static str,
    illegal: &'static str,
    legal: &'static str,
) -> IllegalSpecialMove {
    IllegalSpecialMove { fen, moves, illegal, legal }
}

impl IllegalSpecialMove {
    fn game(&self) -> Option<Game> {
        game_after(self.fen, self.moves)
    }
}

fn game_after(fen: &str, moves: &str) -> Option<Game> {
    let mut game = Game::new(Position::from_fen(fen).ok()?);
    for word in moves.split_whitespace() {
        let mv = game.position().parse_uci(word).ok()?;
        game.play(mv);
    }
    Some(game)
}

/// A move list with a special move, and what follows: queen captures that are possible only on a wrongly updated board, and
/// a move that is possible only on the right one.
struct SpecialMoveTest {
    fen: &'static str,
    moves: &'static str,
    impossible: &'static [&'static str],
    possible: &'static str,
}

const BOARD_TESTS: [SpecialMoveTest; 8] = [
    // The pawn captured en passant captures, and blocks a rook.
    board_test("4k3/8/8/3pP2r/2Q5/8/8/4K3 w - d6 0 1", "e5d6", &["d5c4"], "h5a5"),
    board_test("4k3/8/8/2q5/3Pp2R/8/8/4K3 b - d3 0 1", "e4d3", &["d4c5"], "h4a4"),
    // The rook is still in the corner.
    board_test("k7/2q5/8/8/8/8/8/4K2R w K - 0 1", "e1g1 c7h7", &["h1h7"], "f1f8"),
    board_test("7k/5q2/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1 f7a7", &["a1a7"], "d1d8"),
    board_test("4k2r/8/8/8/8/8/2Q5/K7 b k - 0 1", "e8g8 c2h2", &["h8h2"], "f8f1"),
    board_test("r3k3/8/8/8/8/8/5Q2/7K b q - 0 1", "e8c8 f2a2", &["a8a2"], "d8d1"),
    // The promoted knight moves like a queen, or the pawn is still there.
    board_test("8/2P4k/8/8/8/8/1q6/7K w - - 0 1", "c7c8n b2b8", &["c8b8", "c7b8q"], "c8e7"),
    board_test("7k/1Q6/8/8/8/8/2p4K/8 b - - 0 1", "c2c1n b7b1", &["c1b1", "c2b1q"], "c1e2"),
];

const fn board_test(
    fen: &'static str,
    moves: &'static str,
    impossible: &'static [&'static str],
    possible: &'static str,
) -> SpecialMoveTest {
    SpecialMoveTest { fen, moves, impossible, possible }
}

/// Games with special moves.
const GAMES: [&str; 5] = [
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 f1e1 e4d6",
    "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 d2d4 g8f6",
    "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8",
    "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q",
    "h2h4 g7g5 h4g5 h7h6 g5h6 f8g7 h6g7 a7a6 g7h8n",
];

/// Moves before the FEN in games that are sent from a FEN.
const MOVES_IN_FEN: usize = 2;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let [answers, lists] = lists(exam);
    let known = exam.in_part(3, known_moves);
    // Without move lists nothing behind them can be tested.
    let plays_lists = !lists.is_failure();
    let illegal_move = exam.in_part(2, |exam| illegal_moves(exam, plays_lists));
    let board = if plays_lists {
        board(exam)
    } else {
        skipped(FindingId::SpecialMovesBoard, "move lists are not applied")
    };
    Ok(vec![known, illegal_move, answers, lists, board, no_move(exam)])
}

fn skipped(id: FindingId, why: &str) -> Finding {
    Finding::skipped(id, why)
}

/// In place of a missing move. Malformed moves are reported by `info.bestmove` and skipped here.
const NO_MOVE: &str = "no move";

const NO_SEARCHMOVES: &str = "go searchmoves is not respected";

fn is_incident(error: EngineError) -> bool {
    !matches!(error, EngineError::GivenUp | EngineError::Interrupted)
}

/// With crashes or hangs the result is at best a warning; they have a finding of their own.
fn with_incidents(verdict: Verdict, summary: String, asked: usize, incidents: usize) -> (Verdict, String) {
    match incidents {
        0 if asked == 0 => (Verdict::Skipped, "no search ended with a best move in time".to_owned()),
        0 => (verdict, summary),
        _ => (
            verdict.max(Verdict::Warning),
            format!("{summary}; {incidents} of {} searches crashed or hung", asked + incidents),
        ),
    }
}

/// Answers, and searches that crashed or hung.
#[derive(Default)]
struct Answers {
    checked: Failures,
    incidents: usize,
}

impl Answers {
    fn add(
        &mut self,
        answer: Result<SearchOutput, EngineError>,
        fault: impl FnOnce(&SearchOutput) -> Option<String>,
    ) {
        match answer {
            Ok(result) if result.malformed.is_some() => {}
            Ok(result) => self.checked.add(&result, fault(&result)),
            Err(error) => self.incidents += usize::from(is_incident(error)),
        }
    }

    /// `good` and `bad` follow the numbers in the summary; any wrong answer is a failure.
    fn finding(self, id: FindingId, [good, bad]: [&str; 2], rates: TrialRates) -> Finding {
        let Self { checked, incidents } = self;
        let (asked, wrong) = (checked.asked, checked.count());
        let summary = match checked.wrong.first() {
            None => format!("{asked} {good}"),
            Some(first) => format!("{wrong} of {asked} {bad}: {first}"),
        };
        let (verdict, summary) = with_incidents(Verdict::fail_if(wrong > 0), summary, asked, incidents);
        Finding::new(id, verdict, summary)
            .effect(wrong as f64)
            .confidence(checked.confidence(rates, wrong > 0))
            .samples(asked)
            .repro(checked.repro)
    }
}

fn known_moves(exam: &mut Examination) -> Finding {
    if !exam.respects_searchmoves {
        return skipped(FindingId::SpecialMovesGenerated, NO_SEARCHMOVES);
    }
    let mut answers = Answers::default();
    for (fen, word) in LEGAL {
        if !exam.has_time() {
            break;
        }
        let Ok(position) = Position::from_fen(fen) else { continue };
        let go = format!("go depth 4 searchmoves {word}");
        let answer = exam.engine.search_fresh(&position, &go, exam.cap(Duration::from_secs(3)));
        answers.add(answer, |result| {
            let best = result.best.as_deref().unwrap_or(NO_MOVE);
            (best != word).then(|| format!("{best} instead of {word} in {fen}"))
        });
    }
    let words = ["special moves are generated", "special moves are not generated"];
    answers
        .finding(FindingId::SpecialMovesGenerated, words, TrialRates { sound: 0.002, faulty: 0.1 })
        .threshold("any missing castling, en passant, promotion or underpromotion")
}

fn illegal_moves(exam: &mut Examination, plays_lists: bool) -> Finding {
    if !exam.respects_searchmoves {
        return skipped(FindingId::SpecialMovesIllegal, NO_SEARCHMOVES);
    }
    let mut answers = Answers::default();
    for illegal_move in
        ILLEGAL.into_iter().filter(|illegal_move| plays_lists || illegal_move.moves.is_empty())
    {
        let (Some(game), IllegalSpecialMove { illegal, legal, .. }) = (illegal_move.game(), illegal_move)
        else {
            continue;
        };
        if !exam.has_time() {
            break;
        }
        let go = format!("go depth 4 searchmoves {legal} {illegal}");
        let cap = exam.cap(Duration::from_secs(3));
        let answer = exam.engine.new_game().and_then(|()| exam.engine.search_game(&game, &go, cap));
        answers.add(answer, |result| {
            let played = result.best.as_deref() == Some(illegal);
            played.then(|| format!("{illegal} in {}", result.position.to_fen()))
        });
    }
    let words = ["illegal special moves are rejected", "illegal special moves are played"];
    answers
        .finding(FindingId::SpecialMovesIllegal, words, TrialRates { sound: 0.002, faulty: 0.2 })
        .threshold("any castling through check or without the right, or en passant that exposes the king")
}

/// Sends the games, from startpos and from a FEN in turn.
fn lists(exam: &mut Examination) -> [Finding; 2] {
    // The other parts need time too.
    let time_for_others = exam.left() / 2;
    let mut answers = AnswersAfterMoves::default();
    for moves in GAMES {
        let mut from_start = Game::default();
        let mut from_fen = None;
        for word in moves.split_whitespace() {
            let Ok(mv) = from_start.position().parse_uci(word) else { break };
            if !exam.has_time() || exam.left() < time_for_others {
                break;
            }
            from_start.play(mv);
            answers.ask(exam, &from_start, false);
            if let Some(game) = &mut from_fen {
                Game::play(game, mv);
                answers.ask(exam, game, true);
            } else if from_start.moves().len() == MOVES_IN_FEN {
                from_fen = Some(Game::new(*from_start.position()));
            }
        }
    }
    answers.findings()
}

/// Answers after every move of the games: legal, or only legal before the move list?
#[derive(Default)]
struct AnswersAfterMoves {
    answers: Answers,
    unplayed: Unplayed,
}

impl AnswersAfterMoves {
    fn ask(&mut self, exam: &mut Examination, game: &Game, from_fen: bool) {
        let answer = exam.engine.search_game(game, "go depth 2", exam.cap(Duration::from_secs(2)));
        if let Ok(result) = &answer {
            self.unplayed.add(result, game, from_fen);
        }
        self.answers.add(answer, |result| {
            let best = result.best.as_deref().unwrap_or(NO_MOVE);
            let is_illegal = game.position().parse_uci(best).is_err();
            is_illegal.then(|| after_list(best, game))
        });
    }

    fn findings(self) -> [Finding; 2] {
        let words =
            ["positions with special moves in the move list, all best moves legal", "best moves are illegal"];
        let answers = self
            .answers
            .finding(FindingId::SpecialMovesAnswers, words, TrialRates { sound: 0.0002, faulty: 0.05 })
            .threshold("any illegal move");
        [answers, self.unplayed.finding()]
    }
}

fn after_list(best: &str, game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(|mv| mv.uci(false).to_string()).collect();
    format!("{best} after {}", moves.join(" "))
}

/// Answers that are legal before the move list and not after it, for lists after startpos and after a FEN.
#[derive(Default)]
struct Unplayed {
    after_start: Failures,
    after_fen: Failures,
}

/// Minimum number of such answers that fails.
const MIN_UNPLAYED: usize = 2;

/// Minimum share of such answers that fails, one in this many: without any move it is at least every second one (the other side is to move), up to
/// an unknown move one in ten.
const UNPLAYED_SHARE: usize = 3;

fn are_unplayed(answers: &Failures) -> bool {
    answers.count() >= MIN_UNPLAYED && UNPLAYED_SHARE * answers.count() >= answers.asked
}

impl Unplayed {
    fn add(&mut self, result: &SearchOutput, game: &Game, from_fen: bool) {
        let Some(best) = result.best.as_deref() else { return };
        let (before, after) = (game.start(), game.position());
        let is_unplayed = before.parse_uci(best).is_ok() && after.parse_uci(best).is_err();
        let fault = is_unplayed.then(|| after_list(best, game));
        let answers = if from_fen { &mut self.after_fen } else { &mut self.after_start };
        answers.add(result, fault);
    }

    fn finding(self) -> Finding {
        let Self { after_start, after_fen } = self;
        let asked = after_start.asked + after_fen.asked;
        let counts = [after_start.count(), after_fen.count()];
        if counts == [0, 0] && after_start.asked.min(after_fen.asked) < MIN_UNPLAYED {
            let why = format!(
                "too few searches in time: {} after startpos and {} after a FEN",
                after_start.asked, after_fen.asked
            );
            return skipped(FindingId::SpecialMovesLists, &why);
        }
        let unplayed = [&after_start, &after_fen].map(are_unplayed);
        let fails = unplayed.contains(&true);
        let whose = match unplayed {
            [true, true] => "moves after 'position' are ignored",
            [true, false] => "moves after 'position startpos' are ignored",
            [false, true] => "moves after 'position fen ...' are ignored",
            [false, false] => "some move lists seem to be ignored",
        };
        let worse = match unplayed {
            [true, false] => &after_start,
            [false, true] => &after_fen,
            _ if counts[1] > counts[0] => &after_fen,
            _ => &after_start,
        };
        let summary = match worse.wrong.first() {
            None => format!(
                "all {asked} move lists are applied, {} after startpos and {} after a FEN",
                after_start.asked, after_fen.asked
            ),
            Some(first) => format!(
                "{whose}: {} of {} best moves are legal only before the move list: {first}",
                worse.count(),
                worse.asked
            ),
        };
        let verdict = if worse.count() == 0 { Verdict::Pass } else { Verdict::Warning };
        let rates = TrialRates { sound: 0.0002, faulty: 0.3 };
        // Both must be clean to pass; one is enough to fail.
        let confidence = if fails {
            worse.confidence(rates, true)
        } else {
            after_start.confidence(rates, false).and(after_fen.confidence(rates, false))
        };
        Finding::new(FindingId::SpecialMovesLists, verdict.max(Verdict::fail_if(fails)), summary)
            .effect(worse.count() as f64)
            .confidence(confidence)
            .threshold(format!("{MIN_UNPLAYED} best moves and one in {UNPLAYED_SHARE}, after startpos or after a FEN, that are legal only before the move list"))
            .samples(asked)
            .measure(Measure::AfterStartpos, counts[0] as f64)
            .measure(Measure::AfterFen, counts[1] as f64)
            .repro(worse.repro.clone())
    }
}

fn board(exam: &mut Examination) -> Finding {
    let mut answers = Answers::default();
    for board_test in BOARD_TESTS {
        let Some(game) = game_after(board_test.fen, board_test.moves) else { continue };
        if !exam.has_time() {
            break;
        }
        answers.add(ask_after(exam, &game, "go depth 3"), |result| board_test.played_impossible(result));
        if exam.respects_searchmoves {
            let go = format!("go depth 3 searchmoves {}", board_test.possible);
            answers.add(ask_after(exam, &game, &go), |result| board_test.refused_possible(result));
        }
    }
    let words = [
        "searches after castling, en passant and promotion agree with the board",
        "searches after castling, en passant and promotion contradict the board",
    ];
    answers
        .finding(FindingId::SpecialMovesBoard, words, TrialRates { sound: 0.0005, faulty: 0.1 })
        .threshold("any move of a piece that is not there, or refusal of a legal move")
}

fn ask_after(exam: &mut Examination, game: &Game, go: &str) -> Result<SearchOutput, EngineError> {
    let cap = exam.cap(Duration::from_secs(2));
    exam.engine.new_game()?;
    exam.engine.search_game(game, go, cap)
}

impl SpecialMoveTest {
    fn played_impossible(&self, result: &SearchOutput) -> Option<String> {
        let played = result.best.as_deref().filter(|best| self.impossible.contains(best))?;
        Some(format!("{played} after {} from {}", self.moves, self.fen))
    }

    fn refused_possible(&self, result: &SearchOutput) -> Option<String> {
        let Self { fen, moves, possible, .. } = self;
        let best = result.best.as_deref().unwrap_or(NO_MOVE);
        (best != *possible).then(|| format!("{best} instead of {possible} after {moves} from {fen}"))
    }
}

fn no_move(exam: &mut Examination) -> Finding {
    let before = exam.engine.incident_count();
    let mut faults = Vec::new();
    let mut asked = 0;
    for (name, fen) in
        [("checkmate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]
    {
        let Ok(position) = Position::from_fen(fen) else { continue };
        asked += 1;
        match exam.engine.search_fresh(&position, "go depth 3", Duration::from_secs(2)) {
            Ok(result) => {
                if let Some(best) = result.best.or(result.malformed) {
                    faults.push(format!("{best} in {name}"));
                }
            }
            Err(error) => faults.push(format!("{name}: {error}")),
        }
    }
    exam.engine.discard_incidents_after(before);
    let summary = if faults.is_empty() {
        "no move for checkmate and stalemate at the root".to_owned()
    } else {
        faults.join("; ")
    };
    // Match runners never search a finished game; GUIs do.
    let verdict = if faults.is_empty() { Verdict::Pass } else { Verdict::Warning };
    Finding::new(FindingId::SpecialMovesNone, verdict, summary)
        .effect(faults.len() as f64)
        .fixed_confidence(0.99, "one search each")
        .threshold("a move, a crash or a hang is a warning")
        .samples(asked)
}

#[cfg(test)]
mod tests {
    use chess::Role;

    use super::*;

    #[test]
    fn lists_have_the_stated_legality() {
        for (fen, word) in LEGAL {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.parse_uci(word).is_ok(), "{word} in {fen}");
        }
        for illegal_move in ILLEGAL {
            let IllegalSpecialMove { fen, moves, illegal, legal } = illegal_move;
            let game = illegal_move.game().unwrap_or_else(|| panic!("{fen} moves {moves}"));
            let is_legal = |word| game.position().parse_uci(word).is_ok();
            assert!(!is_legal(illegal) && is_legal(legal), "{fen} moves {moves}");
        }
        for moves in GAMES {
            let mut game = Game::default();
            for word in moves.split_whitespace() {
                game.play(game.position().parse_uci(word).unwrap_or_else(|_| panic!("{word} of {moves}")));
            }
            assert!(game.moves().len() > MOVES_IN_FEN + MIN_UNPLAYED, "{moves}");
        }
    }

    #[test]
    fn special_moves_have_the_stated_consequences() {
        for SpecialMoveTest { fen, moves, impossible, possible } in BOARD_TESTS {
            let game = game_after(fen, moves).unwrap_or_else(|| panic!("{fen} moves {moves}"));
            let (before, after) = (game.start(), game.position());
            assert!(after.parse_uci(possible).is_ok(), "{possible} after {moves} from {fen}");
            for word in impossible {
                assert!(after.parse_uci(word).is_err(), "{word} after {moves} from {fen}");
                let target = after.piece_at(word[2..4].parse().expect("a square"));
                assert!(target.is_some_and(|piece| piece.role() == Role::Queen), "{word} captures no queen");
            }
            assert!(before.parse_uci(possible).is_err(), "{possible} is legal without {moves}");
        }
    }

    fn answered(game: &Game, best: &str) -> SearchOutput {
        SearchOutput {
            position: *game.position(),
            best: Some(best.to_owned()),
            ..SearchOutput::with_times(10, 10)
        }
    }

    fn unplayed_of(answers: &[(&str, bool)]) -> Finding {
        let game = game_after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4").expect("a game");
        let mut unplayed = Unplayed::default();
        for &(best, from_fen) in answers {
            unplayed.add(&answered(&game, best), &game, from_fen);
        }
        unplayed.finding()
    }

    #[test]
    fn two_ignored_lists_fail() {
        let sound = [("e8e7", false), ("e8d7", true), ("e8d8", false), ("e8f8", true)];
        assert_eq!(unplayed_of(&sound).verdict, Verdict::Pass);
        assert_eq!(unplayed_of(&sound[..3]).verdict, Verdict::Skipped, "only one after a FEN");
        // Illegal also before the list.
        let otherwise = [&sound[..], &[("e8e6", true), ("e4e6", true)]].concat();
        assert_eq!(unplayed_of(&otherwise).verdict, Verdict::Pass);
        assert_eq!(unplayed_of(&[("e2e4", true), ("e2e3", false)]).verdict, Verdict::Warning);
        // Applied up to an unknown move.
        let some = [&[("e8d7", true); 5][..], &[("e2e4", true), ("e2e3", true)]].concat();
        assert_eq!(unplayed_of(&some).verdict, Verdict::Warning);
        let failed = unplayed_of(&[("e2e4", true), ("e2e3", true), ("e8e7", false)]);
        assert_eq!(failed.verdict, Verdict::Fail);
        assert!(failed.summary.starts_with("moves after 'position fen ...' are ignored: 2 of 2"));
        let both = unplayed_of(&[("e2e4", true), ("e2e3", true), ("e1d1", false), ("e2e4", false)]);
        assert!(both.summary.starts_with("moves after 'position' are ignored"), "{}", both.summary);
        assert_eq!(unplayed_of(&[]).verdict, Verdict::Skipped);
    }

    #[test]
    fn wrong_board_shows_by_played_or_refused_moves() {
        let board_test = &BOARD_TESTS[0];
        let game = game_after(board_test.fen, board_test.moves).expect("a game");
        let with = |best| answered(&game, best);
        assert!(board_test.played_impossible(&with("d5c4")).is_some());
        assert!(board_test.played_impossible(&with("d5d4")).is_none());
        assert!(board_test.refused_possible(&with("h5h1")).is_some());
        assert!(board_test.refused_possible(&with("h5a5")).is_none());
    }

    #[test]
    fn incidents_do_not_pass() {
        let evaluate =
            |verdict, asked, broken| with_incidents(verdict, "all generated".to_owned(), asked, broken);
        let (verdict, summary) = evaluate(Verdict::Pass, 6, 3);
        assert_eq!(verdict, Verdict::Warning);
        assert!(summary.ends_with("3 of 9 searches crashed or hung"), "{summary}");
        assert_eq!(evaluate(Verdict::Fail, 6, 3).0, Verdict::Fail);
        assert_eq!(evaluate(Verdict::Pass, 9, 0), (Verdict::Pass, "all generated".to_owned()));
    }
}
