//! Moves that engines get wrong: castling, captures in passing, promotions and underpromotions, as the only good move
//! and in the list of moves played; and roots without any move.

use std::time::Duration;

use chess::{Game, Position};

use crate::doctor::check::{Check, Examination};
use crate::doctor::failures::Failures;
use crate::doctor::finding::{Finding, Group, Verdict, alarm_if};
use crate::doctor::patient::{Thinking, Trouble};
use crate::doctor::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "special-moves",
    group: Group::Legality,
    title: "castling, en passant, promotion, and no move at all",
    method: "Asks by searchmoves for special moves that are legal, and for illegal ones beside a legal move that loses; plays games with every kind of special move in the \
             list; asks for a move where there is none (mate and stalemate).",
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
        let mut game = Game::new(Position::from_fen(self.fen).ok()?);
        for word in self.moves.split_whitespace() {
            let mv = game.position().parse_uci(word).ok()?;
            game.play(mv);
        }
        Some(game)
    }
}

/// Games with special moves; the engine must follow them and answer legally.
const GAMES: [&str; 5] = [
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 f1e1 e4d6",
    "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6 d2d4 g8f6",
    "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8",
    "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6 b7a8q",
    "h2h4 g7g5 h4g5 h7h6 g5h6 f8g7 h6g7 a7a6 g7h8n",
];

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    Ok(vec![exam.in_part(3, known_moves), exam.in_part(2, tempting_moves), lists(exam), no_move(exam)])
}

/// An answer without a move, in words. One that does not have the form of a move says nothing of the rules and is not judged
/// here: `info.bestmove` tells of it.
const NO_MOVE: &str = "no move";

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
        return Finding::unmeasured("special-moves", "known", "the engine does not obey searchmoves");
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

fn tempting_moves(exam: &mut Examination) -> Finding {
    if !exam.obeys_search_moves {
        return Finding::unmeasured("special-moves", "tempting", "the engine does not obey searchmoves");
    }
    let mut answers = Answers::default();
    for tempting in ILLEGAL {
        if !exam.goes_on() {
            break;
        }
        let (Some(game), Tempting { illegal, legal, .. }) = (tempting.game(), tempting) else { continue };
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

fn lists(exam: &mut Examination) -> Finding {
    let mut answers = Answers::default();
    for moves in GAMES {
        let mut game = Game::default();
        for word in moves.split_whitespace() {
            if !exam.goes_on() {
                break;
            }
            let Ok(mv) = game.position().parse_uci(word) else { break };
            game.play(mv);
            let answer = exam.patient.search_game(&game, "go depth 3", exam.cap(Duration::from_secs(2)));
            answers.hear(answer, |thinking| {
                let best = thinking.best.as_deref().unwrap_or(NO_MOVE);
                let is_illegal = game.position().parse_uci(best).is_err();
                is_illegal.then(|| format!("{best} after {word}"))
            });
        }
    }
    let words = ["positions of games with special moves, all answered legally", "answers are illegal"];
    answers
        .finding("followed", "illegal answers", words, Rates { sound: 0.0002, faulty: 0.05 })
        .threshold("any illegal answer")
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
        }
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
