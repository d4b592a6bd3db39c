//! Chess960, where the engine supports it: castling is king takes rook, from any squares.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use support::random::Random;

pub const CHECK: Check = Check {
    id: CheckId::Chess960,
    method: "With UCI_Chess960 set, searches positions a few random moves after random starting positions, and requests \
             castling with searchmoves wherever it is legal.",
    seconds: (6, 25),
    run,
};

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    if !exam.engine.has_option("UCI_Chess960") {
        return Ok(vec![Finding::skipped(FindingId::Chess960Moves, "no option UCI_Chess960")]);
    }
    exam.engine.set("UCI_Chess960", "true")?;
    let mut random = Random::new(960);
    let (mut answers, mut castled) = (Failures::default(), 0);
    for _ in 0..exam.pick(30, 200) {
        if !exam.has_time() {
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
            let Ok(result) = exam.engine.search(&position, go, exam.cap(Duration::from_secs(2))) else {
                continue;
            };
            // `info.bestmove` reports malformed moves.
            if result.malformed.is_some() {
                continue;
            }
            let best = result.best.as_deref().unwrap_or("no move");
            let is_illegal = position.parse_uci(best).is_err();
            answers.add(&result, is_illegal.then(|| format!("{best} in {}", position.to_shredder_fen())));
        }
    }
    let (asked, wrong) = (answers.asked, answers.count());
    if asked == 0 {
        return Ok(vec![Finding::skipped(FindingId::Chess960Moves, "no best moves")]);
    }
    let summary = match answers.wrong.first() {
        None => format!("all {asked} best moves are legal; castling was legal in {castled} positions"),
        Some(first) => format!("{wrong} of {asked} best moves are illegal: {first}"),
    };
    let finding = Finding::new(FindingId::Chess960Moves, Verdict::fail_if(wrong > 0), summary)
        .effect(wrong as f64)
        .confidence(answers.confidence(TrialRates { sound: 0.0002, faulty: 0.05 }, wrong > 0))
        .threshold("any illegal move")
        .samples(asked)
        .repro(answers.repro);
    Ok(vec![finding])
}
