//! Moves that engines get wrong: castling, captures in passing, promotions and underpromotions, as the only good move
//! and in the list of moves played; what they do to the board; and roots without any move.

use std::time::Duration;

use chess::{Game, Position};

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "special-moves",
    group: Group::Legality,
    title: "castling, en passant, promotion, and no move at all",
    method: "Asks by searchmoves for special moves that are legal, and for illegal ones beside a legal move that loses; plays games with every kind of special move in the \
             list, from the start position and from a FEN; asks for what only a board that was updated wrongly allows, or forbids; asks for a move where there is none (mate \
             and stalemate).",
    seconds: (8, 20),
    run,
};

/// Positions with a special move that is legal there: asked for by searchmoves, it must be the answer.
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

/// A position, the moves played from it, a special move that is then illegal, and a legal one that loses: asked for both by
/// searchmoves, an engine that makes the first plays it.
struct Tempting {
    fen: &'static str,
    moves: &'static str,
    illegal: &'static str,
    legal: &'static str,
}

const ILLEGAL: [Tempting; 12] = [
    // Castling through an attacked square.
    tempting("5rk1/6p1/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "h1h6"),
    tempting("3r2k1/1p6/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "a1a6"),
    tempting("4k2r/8/8/8/8/8/6P1/5RK1 b k - 0 1", "e8g8", "h8h3"),
    tempting("r3k3/8/8/8/8/8/1P6/3R2K1 b q - 0 1", "e8c8", "a8a3"),
    // Castling without the right to it: by the FEN, after the rook or the king came back, after the rook was captured.
    tempting("6k1/6p1/8/8/8/8/8/4K2R w - - 0 1", "e1g1", "h1h6"),
    tempting("r3k3/8/8/8/8/8/1P6/6K1 b - - 0 1", "e8c8", "a8a3"),
    tempting_after("6k1/6p1/8/8/8/8/8/4K2R w K - 0 1", "h1h2 g8f8 h2h1 f8g8", "e1g1", "h1h6"),
    tempting_after("r3k3/8/8/8/8/8/1P6/6K1 b q - 0 1", "e8e7 g1h1 e7e8 h1g1", "e8c8", "a8a3"),
    tempting_after("6k1/1p6/8/8/8/8/6b1/R3K2R b KQ - 0 1", "g2h1", "e1g1", "a1a6"),
    tempting_after("r3k2r/6B1/8/8/8/8/1P6/6K1 w kq - 0 1", "g7h8", "e8g8", "a8a3"),
    // Captures in passing that uncover the king along the rank.
    tempting("8/8/8/K1pP3r/8/8/8/7k w - c6 0 1", "d5c6", "d5d6"),
    tempting("7K/8/8/8/k1Pp3R/8/8/8 b - c3 0 1", "d4c3", "d4d3"),
];

const fn tempting(fen: &'static str, illegal: &'static str, legal: &'static str) -> Tempting {
    tempting_after(fen, "", illegal, legal)
}

const fn tempting_after(
    fen: &'static str,
    moves: &'static str,
    illegal: &'static str,
    legal: &'static str,
) -> Tempting {
    Tempting { fen, moves, illegal, legal }
}

impl Tempting {
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

/// A list of moves with a special one, and what it leaves behind: captures of a queen that are there only where the board was
/// updated wrongly, so that such an engine plays them unasked, and a move that is there only where it was updated rightly.
struct Aftermath {
    fen: &'static str,
    moves: &'static str,
    impossible: &'static [&'static str],
    possible: &'static str,
}

const AFTERMATHS: [Aftermath; 8] = [
    // The pawn that was captured in passing captures, and stands in the way of a rook.
    aftermath("4k3/8/8/3pP2r/2Q5/8/8/4K3 w - d6 0 1", "e5d6", &["d5c4"], "h5a5"),
    aftermath("4k3/8/8/2q5/3Pp2R/8/8/4K3 b - d3 0 1", "e4d3", &["d4c5"], "h4a4"),
    // The rook is still in its corner, or not beside the king.
    aftermath("k7/2q5/8/8/8/8/8/4K2R w K - 0 1", "e1g1 c7h7", &["h1h7"], "f1f8"),
    aftermath("7k/5q2/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1 f7a7", &["a1a7"], "d1d8"),
    aftermath("4k2r/8/8/8/8/8/2Q5/K7 b k - 0 1", "e8g8 c2h2", &["h8h2"], "f8f1"),
    aftermath("r3k3/8/8/8/8/8/5Q2/7K b q - 0 1", "e8c8 f2a2", &["a8a2"], "d8d1"),
    // A knight that moves like a queen, or a pawn that is still there.
    aftermath("8/2P4k/8/8/8/8/1q6/7K w - - 0 1", "c7c8n b2b8", &["c8b8", "c7b8q"], "c8e7"),
    aftermath("7k/1Q6/8/8/8/8/2p4K/8 b - - 0 1", "c2c1n b7b1", &["c1b1", "c2b1q"], "c1e2"),
];

const fn aftermath(
    fen: &'static str,
    moves: &'static str,
    impossible: &'static [&'static str],
    possible: &'static str,
) -> Aftermath {
    Aftermath { fen, moves, impossible, possible }
}

/// Games with special moves; the engine must follow them and answer legally.
const GAMES: [&str; 5] = [
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 f1e1 e4d6",
    "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 d2d4 g8f6",
    "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8",
    "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q",
    "h2h4 g7g5 h4g5 h7h6 g5h6 f8g7 h6g7 a7a6 g7h8n",
];

/// Moves of each game that are in the FEN where it is told from one.
const IN_THE_FEN: usize = 2;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let [followed, lists] = lists(exam);
    let known = exam.in_part(3, known_moves);
    // Where the moves of lists are not played, what lies behind them cannot be asked for.
    let plays_lists = !lists.is_alarm();
    let tempting = exam.in_part(2, |exam| tempting_moves(exam, plays_lists));
    let board =
        if plays_lists { board(exam) } else { unmeasured("board", "the moves of lists are not played") };
    Ok(vec![known, tempting, followed, lists, board, no_move(exam)])
}

fn unmeasured(what: &str, why: &str) -> Finding {
    Finding::unmeasured("special-moves", what, why)
}

/// An answer without a move, in words. One that does not have the form of a move says nothing of the rules and is not judged
/// here: `info.bestmove` tells of it.
const NO_MOVE: &str = "no move";

/// Why nothing can be asked for by name.
const DISOBEYS: &str = "the engine does not obey searchmoves";

/// Whether the engine itself failed, and not the examination's patience.
fn is_breakdown(trouble: Trouble) -> bool {
    !matches!(trouble, Trouble::GivenUp | Trouble::Interrupted)
}

/// A list in which searches broke down is not sound, even if all answers were right: crashes are told elsewhere as what they
/// are, and here that the rest is all that was seen.
fn with_breakdowns(verdict: Verdict, summary: String, asked: usize, broken: usize) -> (Verdict, String) {
    match broken {
        0 if asked == 0 => (Verdict::Unmeasured, "no search was answered with a move in time".to_owned()),
        0 => (verdict, summary),
        _ => (
            verdict.max(Verdict::Notice),
            format!("{summary}; {broken} of {} searches broke down", asked + broken),
        ),
    }
}

/// The answers to one question, and the searches that broke down instead.
#[derive(Default)]
struct Answers {
    judged: Failures,
    broken: usize,
}

impl Answers {
    fn hear(
        &mut self,
        answer: Result<Thinking, Trouble>,
        complaint: impl FnOnce(&Thinking) -> Option<String>,
    ) {
        match answer {
            Ok(thinking) if thinking.unreadable.is_some() => {}
            Ok(thinking) => self.judged.add(&thinking, complaint(&thinking)),
            Err(trouble) => self.broken += usize::from(is_breakdown(trouble)),
        }
    }

    /// `good` and `bad` stand behind the numbers in the summary; any wrong answer is an alarm.
    fn finding(self, what: &str, effect: &str, [good, bad]: [&str; 2], rates: Rates) -> Finding {
        let Self { judged, broken } = self;
        let (asked, wrong) = (judged.asked, judged.count());
        let summary = match judged.wrong.first() {
            None => format!("{asked} {good}"),
            Some(first) => format!("{wrong} of {asked} {bad}: {first}"),
        };
        let (verdict, summary) = with_breakdowns(alarm_if(wrong > 0), summary, asked, broken);
        Finding::new("special-moves", what, verdict, summary)
            .effect(effect, wrong as f64, "")
            .sure(judged.sureness(rates, wrong > 0))
            .samples(asked)
            .repro(judged.repro)
    }
}

fn known_moves(exam: &mut Examination) -> Finding {
    if !exam.obeys_search_moves {
        return unmeasured("known", DISOBEYS);
    }
    let mut answers = Answers::default();
    for (fen, word) in LEGAL {
        if !exam.goes_on() {
            break;
        }
        let Ok(position) = Position::from_fen(fen) else { continue };
        let go = format!("go depth 4 searchmoves {word}");
        let answer = exam.patient.search_fresh(&position, &go, exam.cap(Duration::from_secs(3)));
        answers.hear(answer, |thinking| {
            let best = thinking.best.as_deref().unwrap_or(NO_MOVE);
            (best != word).then(|| format!("{best} where {word} was asked for in {fen}"))
        });
    }
    let words = ["special moves, each played when asked for", "special moves are not played when asked for"];
    answers
        .finding("known", "special moves not known", words, Rates { sound: 0.002, faulty: 0.1 })
        .threshold("any: castling, en passant, promotion and underpromotion must be known")
}

fn tempting_moves(exam: &mut Examination, plays_lists: bool) -> Finding {
    if !exam.obeys_search_moves {
        return unmeasured("tempting", DISOBEYS);
    }
    let mut answers = Answers::default();
    for tempting in ILLEGAL.into_iter().filter(|tempting| plays_lists || tempting.moves.is_empty()) {
        let (Some(game), Tempting { illegal, legal, .. }) = (tempting.game(), tempting) else { continue };
        if !exam.goes_on() {
            break;
        }
        let go = format!("go depth 4 searchmoves {legal} {illegal}");
        let cap = exam.cap(Duration::from_secs(3));
        let answer = exam.patient.new_game().and_then(|()| exam.patient.search_game(&game, &go, cap));
        answers.hear(answer, |thinking| {
            let played = thinking.best.as_deref() == Some(illegal);
            played.then(|| format!("{illegal} in {}", thinking.position.to_fen()))
        });
    }
    let words = ["illegal special moves, none played when asked for", "illegal special moves are played"];
    answers
        .finding("tempting", "illegal special moves played", words, Rates { sound: 0.002, faulty: 0.2 })
        .threshold("any: castling through an attacked square or without the right, captures in passing that uncover the king")
}

/// Plays the games, each from the start position and from a FEN in turn.
fn lists(exam: &mut Examination) -> [Finding; 2] {
    // The other questions need their time too.
    let time_for_others = exam.left() / 2;
    let mut heard = Followed::default();
    for moves in GAMES {
        let mut from_start = Game::default();
        let mut from_fen = None;
        for word in moves.split_whitespace() {
            let Ok(mv) = from_start.position().parse_uci(word) else { break };
            if !exam.goes_on() || exam.left() < time_for_others {
                break;
            }
            from_start.play(mv);
            heard.ask(exam, &from_start, false);
            if let Some(game) = &mut from_fen {
                Game::play(game, mv);
                heard.ask(exam, game, true);
            } else if from_start.moves().len() == IN_THE_FEN {
                from_fen = Some(Game::new(*from_start.position()));
            }
        }
    }
    heard.findings()
}

/// The answers after every move of the games: whether they are legal, and whether they are answers to the position before the
/// list.
#[derive(Default)]
struct Followed {
    answers: Answers,
    unplayed: Unplayed,
}

impl Followed {
    fn ask(&mut self, exam: &mut Examination, game: &Game, from_fen: bool) {
        // What is legal is known at any depth.
        let answer = exam.patient.search_game(game, "go depth 2", exam.cap(Duration::from_secs(2)));
        if let Ok(thinking) = &answer {
            self.unplayed.hear(thinking, game, from_fen);
        }
        self.answers.hear(answer, |thinking| {
            let best = thinking.best.as_deref().unwrap_or(NO_MOVE);
            let is_illegal = game.position().parse_uci(best).is_err();
            is_illegal.then(|| after_list(best, game))
        });
    }

    fn findings(self) -> [Finding; 2] {
        let words = ["positions of games with special moves, all answered legally", "answers are illegal"];
        let followed = self
            .answers
            .finding("followed", "illegal answers", words, Rates { sound: 0.0002, faulty: 0.05 })
            .threshold("any illegal answer");
        [followed, self.unplayed.finding()]
    }
}

/// An answer with the moves that it is an answer to.
fn after_list(best: &str, game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(|mv| mv.uci(false).to_string()).collect();
    format!("{best} after {}", moves.join(" "))
}

/// Answers to the position before the list of moves, where they cannot be answers to the one after it; by what the list stands
/// behind.
#[derive(Default)]
struct Unplayed {
    after_start: Failures,
    after_fen: Failures,
}

/// Answers of the kind from which on the moves behind `startpos`, or behind a FEN, are thought not to be played.
const UNPLAYED: usize = 2;

/// One of so many answers must be of the kind: where no move is played it is every second one at least, because the other side
/// is to move, and where a list is followed up to a move that is not known it is one of ten.
const UNPLAYED_SHARE: usize = 3;

fn are_unplayed(heard: &Failures) -> bool {
    heard.count() >= UNPLAYED && UNPLAYED_SHARE * heard.count() >= heard.asked
}

impl Unplayed {
    fn hear(&mut self, thinking: &Thinking, game: &Game, from_fen: bool) {
        let Some(best) = thinking.best.as_deref() else { return };
        let (before, after) = (game.start(), game.position());
        let is_unplayed = before.parse_uci(best).is_ok() && after.parse_uci(best).is_err();
        let complaint = is_unplayed.then(|| after_list(best, game));
        let heard = if from_fen { &mut self.after_fen } else { &mut self.after_start };
        heard.add(thinking, complaint);
    }

    fn finding(self) -> Finding {
        let Self { after_start, after_fen } = self;
        let asked = after_start.asked + after_fen.asked;
        let counts = [after_start.count(), after_fen.count()];
        if counts == [0, 0] && after_start.asked.min(after_fen.asked) < UNPLAYED {
            let why = format!(
                "too few lists were answered in time: {} after 'startpos' and {} after a FEN",
                after_start.asked, after_fen.asked
            );
            return unmeasured("lists", &why);
        }
        let unplayed = [&after_start, &after_fen].map(are_unplayed);
        let alarm = unplayed.contains(&true);
        let whose = match unplayed {
            [true, true] => "the moves after 'position' are not played",
            [true, false] => "the moves after 'position startpos' are not played",
            [false, true] => "the moves after 'position fen ...' are not played",
            [false, false] => "the moves of some lists seem not to be played",
        };
        let worse = match unplayed {
            [true, false] => &after_start,
            [false, true] => &after_fen,
            _ if counts[1] > counts[0] => &after_fen,
            _ => &after_start,
        };
        let summary = match worse.wrong.first() {
            None => format!(
                "the moves of {asked} lists are played, {} after 'startpos' and {} after a FEN",
                after_start.asked, after_fen.asked
            ),
            Some(first) => format!(
                "{whose}: {} of {} answers are legal before the list and not after it: {first}",
                worse.count(),
                worse.asked
            ),
        };
        let verdict = if worse.count() == 0 { Verdict::Sound } else { Verdict::Notice };
        let rates = Rates { sound: 0.0002, faulty: 0.3 };
        // Both ways must be clean for a sound verdict; one is enough for an alarm.
        let sureness = if alarm {
            worse.sureness(rates, true)
        } else {
            after_start.sureness(rates, false).and(after_fen.sureness(rates, false))
        };
        Finding::new("special-moves", "lists", verdict.max(alarm_if(alarm)), summary)
            .effect("answers to the position before the list", worse.count() as f64, "")
            .sure(sureness)
            .threshold("two answers and a third of them, after 'startpos' or after a FEN, that are legal before the list of moves and not after it")
            .samples(asked)
            .measure("after startpos", counts[0] as f64)
            .measure("after a FEN", counts[1] as f64)
            .repro(worse.repro.clone())
    }
}

/// Asks for what special moves leave behind on the board.
fn board(exam: &mut Examination) -> Finding {
    let mut answers = Answers::default();
    for aftermath in AFTERMATHS {
        let Some(game) = game_after(aftermath.fen, aftermath.moves) else { continue };
        if !exam.goes_on() {
            break;
        }
        answers.hear(ask_after(exam, &game, "go depth 3"), |thinking| aftermath.played_impossible(thinking));
        if exam.obeys_search_moves {
            let go = format!("go depth 3 searchmoves {}", aftermath.possible);
            answers.hear(ask_after(exam, &game, &go), |thinking| aftermath.refused_possible(thinking));
        }
    }
    let words = [
        "answers after castling, captures in passing and promotions, all of them fit the board",
        "answers after castling, captures in passing and promotions do not fit the board",
    ];
    answers
        .finding("board", "answers that do not fit the board", words, Rates { sound: 0.0005, faulty: 0.1 })
        .threshold("any: a man moves that is gone, from where it is no more, or as what it was; or a move that is legal is refused")
}

fn ask_after(exam: &mut Examination, game: &Game, go: &str) -> Result<Thinking, Trouble> {
    let cap = exam.cap(Duration::from_secs(2));
    exam.patient.new_game()?;
    exam.patient.search_game(game, go, cap)
}

impl Aftermath {
    fn played_impossible(&self, thinking: &Thinking) -> Option<String> {
        let played = thinking.best.as_deref().filter(|best| self.impossible.contains(best))?;
        Some(format!("{played} after {} from {}", self.moves, self.fen))
    }

    fn refused_possible(&self, thinking: &Thinking) -> Option<String> {
        let Self { fen, moves, possible, .. } = self;
        let best = thinking.best.as_deref().unwrap_or(NO_MOVE);
        (best != *possible).then(|| format!("{best} where {possible} was asked for after {moves} from {fen}"))
    }
}

fn no_move(exam: &mut Examination) -> Finding {
    let before = exam.patient.breakdowns();
    let mut complaints = Vec::new();
    let mut asked = 0;
    for (name, fen) in
        [("checkmate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), ("stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]
    {
        let Ok(position) = Position::from_fen(fen) else { continue };
        asked += 1;
        match exam.patient.search_fresh(&position, "go depth 3", Duration::from_secs(2)) {
            Ok(thinking) => {
                if let Some(best) = thinking.best.or(thinking.unreadable) {
                    complaints.push(format!("{best} in {name}"));
                }
            }
            Err(trouble) => complaints.push(format!("{name}: {trouble}")),
        }
    }
    exam.patient.forgive_beyond(before);
    let summary = if complaints.is_empty() {
        "mate and stalemate at the root are answered with no move".to_owned()
    } else {
        complaints.join("; ")
    };
    // No match runner asks for a move after the end of the game; analysts do.
    let verdict = if complaints.is_empty() { Verdict::Sound } else { Verdict::Notice };
    Finding::new("special-moves", "none", verdict, summary)
        .effect("roots without a move that went wrong", complaints.len() as f64, "")
        .sure_by_hand(0.99, "each asked once")
        .threshold("a move, a crash or a hang is a notice")
        .samples(asked)
}

#[cfg(test)]
mod tests {
    use chess::Role;

    use super::*;

    #[test]
    fn every_special_move_is_legal_or_not_as_the_lists_say() {
        for (fen, word) in LEGAL {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(position.parse_uci(word).is_ok(), "{word} in {fen}");
        }
        for tempting in ILLEGAL {
            let Tempting { fen, moves, illegal, legal } = tempting;
            let game = tempting.game().unwrap_or_else(|| panic!("{fen} moves {moves}"));
            let is_legal = |word| game.position().parse_uci(word).is_ok();
            assert!(!is_legal(illegal) && is_legal(legal), "{fen} moves {moves}");
        }
        for moves in GAMES {
            let mut game = Game::default();
            for word in moves.split_whitespace() {
                game.play(game.position().parse_uci(word).unwrap_or_else(|_| panic!("{word} of {moves}")));
            }
            assert!(game.moves().len() > IN_THE_FEN + UNPLAYED, "{moves}");
        }
    }

    /// What must hold where the board is right, and what would be seen of one that is wrong.
    #[test]
    fn what_special_moves_leave_behind_is_as_the_list_says() {
        for Aftermath { fen, moves, impossible, possible } in AFTERMATHS {
            let game = game_after(fen, moves).unwrap_or_else(|| panic!("{fen} moves {moves}"));
            let (before, after) = (game.start(), game.position());
            assert!(after.parse_uci(possible).is_ok(), "{possible} after {moves} from {fen}");
            for word in impossible {
                assert!(after.parse_uci(word).is_err(), "{word} after {moves} from {fen}");
                let target = after.piece_at(word[2..4].parse().expect("a square"));
                assert!(target.is_some_and(|man| man.role() == Role::Queen), "{word} captures no queen");
            }
            assert!(before.parse_uci(possible).is_err(), "{possible} is legal without {moves}");
        }
    }

    /// A search of a game that was answered so.
    fn answered(game: &Game, best: &str) -> Thinking {
        Thinking { position: *game.position(), best: Some(best.to_owned()), ..Thinking::of_times(10, 10) }
    }

    fn unplayed_of(answers: &[(&str, bool)]) -> Finding {
        let game = game_after("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4").expect("a game");
        let mut unplayed = Unplayed::default();
        for &(best, from_fen) in answers {
            unplayed.hear(&answered(&game, best), &game, from_fen);
        }
        unplayed.finding()
    }

    #[test]
    fn two_answers_to_the_position_before_the_list_are_an_alarm() {
        let sound = [("e8e7", false), ("e8d7", true), ("e8d8", false), ("e8f8", true)];
        assert_eq!(unplayed_of(&sound).verdict, Verdict::Sound);
        assert_eq!(unplayed_of(&sound[..3]).verdict, Verdict::Unmeasured, "only one after a FEN");
        // Illegal, but no answers to the position before the list.
        let otherwise = [&sound[..], &[("e8e6", true), ("e4e6", true)]].concat();
        assert_eq!(unplayed_of(&otherwise).verdict, Verdict::Sound);
        assert_eq!(unplayed_of(&[("e2e4", true), ("e2e3", false)]).verdict, Verdict::Notice);
        // Up to a move that is not known the list was followed.
        let some = [&[("e8d7", true); 5][..], &[("e2e4", true), ("e2e3", true)]].concat();
        assert_eq!(unplayed_of(&some).verdict, Verdict::Notice);
        let alarm = unplayed_of(&[("e2e4", true), ("e2e3", true), ("e8e7", false)]);
        assert_eq!(alarm.verdict, Verdict::Alarm);
        assert!(alarm.summary.starts_with("the moves after 'position fen ...' are not played: 2 of 2"));
        let both = unplayed_of(&[("e2e4", true), ("e2e3", true), ("e1d1", false), ("e2e4", false)]);
        assert!(both.summary.starts_with("the moves after 'position' are not played"), "{}", both.summary);
        assert_eq!(unplayed_of(&[]).verdict, Verdict::Unmeasured);
    }

    #[test]
    fn a_board_is_wrong_by_what_is_played_or_refused() {
        let aftermath = &AFTERMATHS[0];
        let game = game_after(aftermath.fen, aftermath.moves).expect("a game");
        let heard = |best| answered(&game, best);
        assert!(aftermath.played_impossible(&heard("d5c4")).is_some());
        // Another illegal move may have any cause.
        assert!(aftermath.played_impossible(&heard("d5d4")).is_none());
        assert!(aftermath.refused_possible(&heard("h5h1")).is_some());
        assert!(aftermath.refused_possible(&heard("h5a5")).is_none());
    }

    #[test]
    fn what_broke_down_is_not_sound() {
        let judged =
            |verdict, asked, broken| with_breakdowns(verdict, "all played".to_owned(), asked, broken);
        let (verdict, summary) = judged(Verdict::Sound, 6, 3);
        assert_eq!(verdict, Verdict::Notice);
        assert!(summary.ends_with("3 of 9 searches broke down"), "{summary}");
        assert_eq!(judged(Verdict::Alarm, 6, 3).0, Verdict::Alarm);
        assert_eq!(judged(Verdict::Sound, 9, 0), (Verdict::Sound, "all played".to_owned()));
    }
}
