//! Orientation of the piece-square tables: pieces on good and on bad squares.

use std::time::Duration;

use chess::Position;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, TrialRates};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;

pub const CHECK: Check = Check {
    id: CheckId::Orientation,
    method: "Pairs of positions that differ in the squares of a few pieces: pawns and kings moved along their files, knights in \
             the centre and on the rim, castled kings and kings in the centre with most pieces on the board. Six sound \
             engines agree which is better. Each pair is searched to depth 1 for White and, mirrored, for Black.",
    seconds: (8, 12),
    run,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// Ranks of pawns and kings: inverted in a table that is upside down.
    Rank,
    /// Files: the same in a table that is upside down.
    Centre,
    /// The king in the middlegame.
    Shelter,
}

/// The first is better for White. Both have the same side to move and the same pieces.
const PAIRS: [(About, &str, &str); 25] = [
    // Pieces moved along their files. Chosen from some thousand changes: Vedette, Stockfish, Ethereal, Toga II, Glaurung and
    // GNU Chess agree about each, and upside-down tables invert each.
    (
        About::Rank,
        "3rk3/pp3ppp/P1p4P/1P6/8/2P5/5PP1/3RK3 b - - 0 1",
        "3rk3/pp3ppp/2p5/8/8/2P5/PP3PPP/3RK3 b - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/P7/3PK3/8/1PP1PPPP/8 b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/3P4/1P2K3/8/P1P1PPPP/8 b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    ),
    (
        About::Rank,
        "r2qk2r/ppp2ppp/8/3pp2P/3PP1P1/5P2/PPP5/R2QK2R w - - 0 1",
        "r2qk2r/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/R2QK2R w - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/4KP2/8/P7/1PPPP1PP/8 w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/8/4P3/4K3/PPPP1PPP/8 b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/2P5/8/4K3/PP1PPPPP/8 b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/2P5/4K3/8/PP1PPPPP/8 w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    ),
    (
        About::Rank,
        "r1bqkbnr/pppppppp/2n2P2/7R/3P4/8/PPP1P1PP/RNBQKBN1 w - - 0 1",
        "r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ),
    (
        About::Rank,
        "4k3/pppppppp/8/8/3P4/2P1K3/PP2PPPP/8 b - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 0 1",
    ),
    (
        About::Rank,
        "6k1/pp3ppp/2p2P2/P2p2P1/3P4/2P5/1P5P/6K1 w - - 0 1",
        "6k1/pp3ppp/2p5/3p4/3P4/2P5/PP3PPP/6K1 w - - 0 1",
    ),
    (
        About::Rank,
        "r1bqkbnr/pppppppp/2n5/2P5/7P/3P4/PP2PPP1/RNBQKBNR w - - 0 1",
        "r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ),
    (
        About::Rank,
        "r3k2r/ppp2ppp/2n2n2/4p2P/4P3/2N2N2/PPP2PP1/R3K2R w - - 0 1",
        "r3k2r/ppp2ppp/2n2n2/4p3/4P3/2N2N2/PPP2PPP/R3K2R w - - 0 1",
    ),
    (
        About::Rank,
        "2kr3r/ppp2ppp/7P/4p1P1/4P3/8/PPP2P2/2KR3R b - - 0 1",
        "2kr3r/ppp2ppp/8/4p3/4P3/8/PPP2PPP/2KR3R b - - 0 1",
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
    // Kings, with queens and most pieces on the board. The same engines agree about each, by 130 cp and more.
    (
        About::Shelter,
        "rnbq1rk1/pppnbppp/3pp3/8/8/3PPN2/PPPNBPPP/R1BQ1RK1 w - - 0 1",
        "rnbq1rk1/pppnbppp/3pp3/8/4K3/3PPN2/PPPNBPPP/R1BQ1R2 w - - 0 1",
    ),
    (
        About::Shelter,
        "1rbq1rk1/ppp1bppp/2npp3/8/8/2NPP3/PPP1BPPP/R1BQ1RK1 w - - 0 1",
        "1rbq1rk1/ppp1bppp/2npp3/8/4K3/2NPP3/PPP1BPPP/R1BQ1R2 w - - 0 1",
    ),
    (
        About::Shelter,
        "r1bq1rk1/pppnbppp/3ppn2/8/8/2NPPN2/PPPBBPPP/R2Q1RK1 w - - 0 1",
        "r1bq1rk1/pppnbppp/3ppn2/8/3K4/2NPPN2/PPPBBPPP/R2Q1R2 w - - 0 1",
    ),
    (
        About::Shelter,
        "r1bqr1k1/pppnbppp/3p1n2/8/8/2PP1N2/PP1NBPPP/R1BQ1RK1 w - - 0 1",
        "r1bqr1k1/pppnbppp/3p1n2/8/5K2/2PP1N2/PP1NBPPP/R1BQ1R2 w - - 0 1",
    ),
    (
        About::Shelter,
        "rnbq1rk1/ppp1bppp/4pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 1",
        "rnbq1rk1/ppp1bppp/4pn2/3p4/2PP1K2/2N1PN2/PP2BPPP/R1BQ1R2 w - - 0 1",
    ),
    (
        About::Shelter,
        "2rq1rk1/pb1nbppp/1p2pn2/2p5/8/1P1PPN2/PBPNBPPP/R2Q1RK1 w - - 0 1",
        "2rq1rk1/pb1nbppp/1p2pn2/2p5/5K2/1P1PPN2/PBPNBPPP/R2Q1R2 w - - 0 1",
    ),
];

/// One pair for one colour.
struct Answer {
    about: About,
    black: bool,
    gain: i32,
    repro: Vec<String>,
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let go = exam.go_depth_from(1);
    let mut answers = Vec::new();
    for (about, better, worse) in PAIRS {
        for black in [false, true] {
            let mut value = |fen: &str| -> Option<(i32, Vec<String>)> {
                let position = Position::from_fen(fen).ok()?;
                let seen = if black { position.color_mirrored() } else { position };
                let result = exam.engine.search_fresh(&seen, &go, Duration::from_secs(2)).ok()?;
                let score = result.centipawns()?;
                let own_move = position.turn() == chess::Color::White;
                Some((if own_move { score } else { -score }, result.repro()))
            };
            if let (Some((good, first)), Some((bad, second))) = (value(better), value(worse)) {
                answers.push(Answer { about, black, gain: good - bad, repro: concat_repro(&first, &second) });
            }
        }
    }
    let mut findings = vec![
        ranks(&answers, false),
        ranks(&answers, true),
        prefers(&answers, &KNIGHTS),
        prefers(&answers, &KINGS),
    ];
    for finding in &mut findings {
        finding.summary += &exam.depth_note(1);
    }
    Ok(findings)
}

/// Clamped, so that no single pair decides.
fn mean_gain(asked: &[&Answer]) -> f64 {
    let sum: i32 = asked.iter().map(|answer| answer.gain.clamp(-300, 300)).sum();
    f64::from(sum) / asked.len().max(1) as f64
}

fn ranks(answers: &[Answer], black: bool) -> Finding {
    let id = if black { FindingId::OrientationBlack } else { FindingId::OrientationWhite };
    let asked: Vec<&Answer> = answers.iter().filter(|a| a.about == About::Rank && a.black == black).collect();
    if asked.len() < 5 {
        return Finding::skipped(id, "too few pairs");
    }
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain <= 0).collect();
    if asked.iter().all(|answer| answer.gain == 0) {
        return Finding::skipped(id, "pawns and kings score the same on all squares");
    }
    let average = mean_gain(&asked);
    // A sound engine may disagree about a pair or two.
    let fails = wrong.len() * 2 > asked.len() && average < 0.0;
    let name = if black { "Black" } else { "White" };
    let summary = format!(
        "{name}: pawns and king score more on {} of {} better squares, by {average:.0} cp on average",
        asked.len() - wrong.len(),
        asked.len()
    );
    Finding::new(id, Verdict::fail_if(fails), summary)
        .effect(average)
        .confidence(Confidence::of_failures(
            wrong.len(),
            asked.len(),
            TrialRates { sound: 0.35, faulty: 0.8 },
            fails,
        ))
        .threshold("more than half of the pairs wrong, and a negative mean gain")
        .samples(asked.len())
        .measure(Measure::ShareRight, (asked.len() - wrong.len()) as f64 / asked.len() as f64)
        .repro(wrong.first().filter(|_| fails).map(|answer| answer.repro.clone()).unwrap_or_default())
}

/// Pairs for both colours together.
struct Question {
    about: About,
    id: FindingId,
    pieces: &'static str,
    better: &'static str,
    worse: &'static str,
}

const KNIGHTS: Question = Question {
    about: About::Centre,
    id: FindingId::OrientationRim,
    pieces: "knights",
    better: "in the centre",
    worse: "on the rim",
};

const KINGS: Question = Question {
    about: About::Shelter,
    id: FindingId::OrientationKing,
    pieces: "kings in the middlegame",
    better: "castled",
    worse: "in the centre",
};

/// Equal scores pass: an engine may not have such a term.
fn prefers(answers: &[Answer], question: &Question) -> Finding {
    let Question { about, id, pieces, better, worse } = *question;
    let asked: Vec<&Answer> = answers.iter().filter(|answer| answer.about == about).collect();
    if asked.len() < 5 {
        return Finding::skipped(id, "too few pairs");
    }
    if asked.iter().all(|answer| answer.gain == 0) {
        return Finding::skipped(id, format!("{pieces} score the same {better} and {worse}"));
    }
    let right = asked.iter().filter(|answer| answer.gain > 0).count();
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain < 0).collect();
    let average = mean_gain(&asked);
    let fails = wrong.len() * 5 > asked.len() * 3 && average < 0.0;
    let summary = format!(
        "of {} {pieces}, {right} score more {better} and {} {worse}; mean gain {better}: {average:.0} cp",
        asked.len(),
        wrong.len()
    );
    Finding::new(id, Verdict::fail_if(fails), summary)
        .effect(average)
        .confidence(Confidence::of_failures(
            wrong.len(),
            asked.len(),
            TrialRates { sound: 0.25, faulty: 0.75 },
            fails,
        ))
        .threshold(format!("more than 60 % score more {worse}, and a negative mean gain"))
        .samples(asked.len())
        .measure(Measure::ShareRight, right as f64 / asked.len() as f64)
        .repro(wrong.first().filter(|_| fails).map(|answer| answer.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;

    fn knights(gains: &[i32]) -> Vec<Answer> {
        let answer = |&gain: &i32| Answer { about: About::Centre, black: false, gain, repro: Vec::new() };
        gains.iter().map(answer).collect()
    }

    fn prefers_centre(answers: &[Answer]) -> Finding {
        prefers(answers, &KNIGHTS)
    }

    #[test]
    fn rim_fails_only_with_higher_scores() {
        assert_eq!(prefers_centre(&knights(&[0; 10])).verdict, Verdict::Skipped);
        assert_eq!(prefers_centre(&knights(&[])).verdict, Verdict::Skipped);
        assert_eq!(prefers_centre(&knights(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 5])).verdict, Verdict::Pass);
        assert_eq!(
            prefers_centre(&knights(&[-1, -1, -1, -1, -1, -1, -1, 50, 50, 50])).verdict,
            Verdict::Pass
        );
        assert_eq!(
            prefers_centre(&knights(&[-30, -30, -30, -30, -30, -30, -30, 5, 5, 5])).verdict,
            Verdict::Fail
        );
    }

    #[test]
    fn pairs_have_the_same_pieces_and_side_to_move() {
        for (_, better, worse) in PAIRS {
            let read = |fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let (better, worse) = (read(better), read(worse));
            assert_eq!(better.turn(), worse.turn());
            let pieces = |position: &Position| {
                let board = position.to_fen();
                let mut pieces: Vec<char> = board
                    .split(' ')
                    .next()
                    .into_iter()
                    .flat_map(str::chars)
                    .filter(|c| c.is_alphabetic())
                    .collect();
                pieces.sort_unstable();
                pieces
            };
            assert_eq!(pieces(&better), pieces(&worse));
        }
    }
}
