//! Which way up the tables are: single pieces on good and on bad squares.

use std::time::Duration;

use chess::Position;

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Finding, Group, alarm_if};
use crate::doctor::patient::Trouble;
use crate::doctor::samples::binomial_tail;

/// The check.
pub const CHECK: Check = Check {
    name: "orientation",
    group: Group::Evaluation,
    title: "tables the right way up: pawns, kings, knights",
    method: "Pairs of positions that differ in the place of one or two men: pawns near promotion and at home, a castled \
             king and one on a walk, knights in the centre and on the rim. Each pair is searched to depth 1 for White and, \
             mirrored, for Black; the better place must score more.",
    seconds: (8, 12),
    run,
};

/// What a pair is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The rank of pawns and kings: upside down in a table that is read the wrong way.
    Rank,
    /// The file and the centre: the same either way up.
    Centre,
}

/// Better for White than the one behind it. Both have the same side to move and the same men.
const PAIRS: [(About, &str, &str); 12] = [
    // Rams of pawns, far up and far down.
    (About::Rank, "7k/8/p7/P7/8/8/8/7K w - - 0 1", "7k/8/8/p7/P7/8/8/7K w - - 0 1"),
    (About::Rank, "4k3/8/p2p2p1/P2P2P1/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/p2p2p1/P2P2P1/8/4K3 w - - 0 1"),
    (About::Rank, "6k1/5ppp/p3p3/P3P3/8/8/5PPP/6K1 w - - 0 1", "6k1/5ppp/8/8/p3p3/P3P3/5PPP/6K1 w - - 0 1"),
    // Free pawns, that cannot be stopped or taken soon.
    (About::Rank, "8/1k6/8/7P/8/8/8/K7 b - - 0 1", "8/1k6/8/8/8/7P/8/K7 b - - 0 1"),
    // The king at home and on a walk, with all pieces on the board.
    (
        About::Rank,
        "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w - - 0 1",
        "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/4KN2/PPPP1PPP/RNBQ1R2 w - - 0 1",
    ),
    (
        About::Rank,
        "r1bq1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
        "r1bq1rk1/ppp2ppp/2np1n2/4p3/4P1K1/2NP1N2/PPP2PPP/R1BQ1R2 w - - 0 1",
    ),
    (
        About::Rank,
        "r2q1rk1/pp3ppp/2n1bn2/3p4/3P4/2N1BN2/PP3PPP/R2Q1RK1 w - - 0 1",
        "r2q1rk1/pp3ppp/2n1bn2/3p4/3P1K2/2N1BN2/PP3PPP/R2Q1R2 w - - 0 1",
    ),
    // Knights.
    (
        About::Centre,
        "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
    ),
    (
        About::Centre,
        "r1bqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
        "r1bqkbnr/pppppppp/2n5/8/N7/8/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
    ),
    (
        About::Centre,
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/7N/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
    ),
    (About::Centre, "4k3/pp3ppp/8/8/4N3/8/PP3PPP/4K3 b - - 0 1", "4k3/pp3ppp/8/8/8/N7/PP3PPP/4K3 b - - 0 1"),
    (About::Centre, "4k3/pp3ppp/8/8/3N4/8/PP3PPP/4K3 b - - 0 1", "4k3/pp3ppp/8/7N/8/8/PP3PPP/4K3 b - - 0 1"),
];

/// One pair seen with one colour.
struct Answer {
    about: About,
    black: bool,
    /// By how much the better place is better.
    gain: i32,
    repro: Vec<String>,
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let mut answers = Vec::new();
    for (about, better, worse) in PAIRS {
        for black in [false, true] {
            let mut value = |fen: &str| -> Option<(i32, Vec<String>)> {
                let position = Position::from_fen(fen).ok()?;
                let seen = if black { position.color_mirrored() } else { position };
                let thinking = exam.patient.search_fresh(&seen, "go depth 1", Duration::from_secs(2)).ok()?;
                let score = thinking.centipawns()?;
                let own_move = position.turn() == chess::Color::White;
                Some((if own_move { score } else { -score }, thinking.repro()))
            };
            if let (Some((good, first)), Some((bad, second))) = (value(better), value(worse)) {
                answers.push(Answer { about, black, gain: good - bad, repro: [first, second].concat() });
            }
        }
    }
    Ok(vec![ranks(&answers, false), ranks(&answers, true), centre(&answers)])
}

fn ranks(answers: &[Answer], black: bool) -> Finding {
    let what = if black { "black" } else { "white" };
    let asked: Vec<&Answer> = answers.iter().filter(|a| a.about == About::Rank && a.black == black).collect();
    if asked.len() < 5 {
        return Finding::unmeasured("orientation", what, "too few probes were answered");
    }
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain <= 0).collect();
    let sum: i32 = asked.iter().map(|answer| answer.gain.clamp(-300, 300)).sum();
    let average = f64::from(sum) / asked.len() as f64;
    // A healthy engine may think otherwise about one pair or two; upside down it does about most.
    let alarm = wrong.len() * 2 > asked.len() && average < 0.0;
    let name = if black { "Black" } else { "White" };
    let summary = format!(
        "{name}: {} of {} better places for pawns and king score more, by {average:.0} cp on average",
        asked.len() - wrong.len(),
        asked.len()
    );
    Finding::new("orientation", what, alarm_if(alarm), summary)
        .effect("mean gain of the better place", average, "cp")
        .confidence(
            if alarm { 1.0 - binomial_tail(wrong.len(), asked.len(), 0.15) } else { 0.95 },
            format!("{} probes, each wrong in a healthy engine with probability 0.15 or less", asked.len()),
        )
        .threshold("more than half of the probes wrong, and the better places worse on average")
        .samples(asked.len())
        .repro(wrong.first().filter(|_| alarm).map(|answer| answer.repro.clone()).unwrap_or_default())
}

fn centre(answers: &[Answer]) -> Finding {
    let asked: Vec<&Answer> = answers.iter().filter(|answer| answer.about == About::Centre).collect();
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain <= 0).collect();
    let alarm = wrong.len() * 5 > asked.len() * 3;
    let sum: i32 = asked.iter().map(|answer| answer.gain.clamp(-300, 300)).sum();
    let average = f64::from(sum) / asked.len().max(1) as f64;
    let summary = format!(
        "{} of {} knights in the centre score more than on the rim, by {average:.0} cp on average",
        asked.len() - wrong.len(),
        asked.len()
    );
    Finding::new("orientation", "rim", alarm_if(alarm), summary)
        .effect("mean gain of the centre", average, "cp")
        .confidence(0.95, format!("{} probes", asked.len()))
        .threshold("more than 60 % of the knights better on the rim")
        .samples(asked.len())
        .repro(wrong.first().filter(|_| alarm).map(|answer| answer.repro.clone()).unwrap_or_default())
}
