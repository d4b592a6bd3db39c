//! Chess960, where the engine offers it: castling is written as king takes rook, and happens from other squares.

use std::time::Duration;

use chess::Position;

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, alarm_if};
use crate::patient::Trouble;
use crate::sureness::Rates;
use support::random::Random;

/// The check.
pub const CHECK: Check = Check {
    name: "chess960",
    group: Group::Legality,
    title: "Chess960, where it is offered",
    method: "With UCI_Chess960 set, searches random positions a few moves into games from random starting positions, \
             and asks with searchmoves for castling wherever it is legal.",
    seconds: (6, 25),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    if !exam.patient.offers("UCI_Chess960") {
        return Ok(vec![Finding::unmeasured("chess960", "moves", "the engine does not offer UCI_Chess960")]);
    }
    exam.patient.set("UCI_Chess960", "true")?;
    let mut random = Random::new(960);
    let (mut answers, mut castled) = (Failures::default(), 0);
    for _ in 0..exam.pick(30, 200) {
        if !exam.goes_on() {
            break;
        }
        let Some(mut position) = Position::chess960(random.below(960) as u16) else { continue };
        for _ in 0..random.below(24) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        let Some(first) = position.legal_moves().iter().copied().next() else { continue };
        let castle = position.legal_moves().iter().copied().find(|mv| mv.is_castle());
        castled += usize::from(castle.is_some());
        let go = format!("go depth 4 searchmoves {}", castle.unwrap_or(first).uci(true));
        for go in ["go depth 4", go.as_str()] {
            let Ok(thinking) = exam.patient.search(&position, go, exam.cap(Duration::from_secs(2))) else {
                continue;
            };
            // What does not have the form of a move says nothing of castling: `info.bestmove` tells of it.
            if thinking.unreadable.is_some() {
                continue;
            }
            let best = thinking.best.as_deref().unwrap_or("no move");
            let is_illegal = position.parse_uci(best).is_err();
            answers.add(&thinking, is_illegal.then(|| format!("{best} in {}", position.to_shredder_fen())));
        }
    }
    let (asked, wrong) = (answers.asked, answers.count());
    if asked == 0 {
        return Ok(vec![Finding::unmeasured("chess960", "moves", "no search was answered with a move")]);
    }
    let summary = match answers.wrong.first() {
        None => format!("{asked} searches, castling possible in {castled} positions: all moves legal"),
        Some(first) => format!("{wrong} of {asked} answers are illegal: {first}"),
    };
    let finding = Finding::new("chess960", "moves", alarm_if(wrong > 0), summary)
        .effect("illegal answers", wrong as f64, "")
        .sure(answers.sureness(Rates { sound: 0.0002, faulty: 0.05 }, wrong > 0))
        .threshold("any illegal answer")
        .samples(asked)
        .repro(answers.repro);
    Ok(vec![finding])
}
