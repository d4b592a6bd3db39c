//! Which way up the tables are: single pieces on good and on bad squares.

use std::time::Duration;

use chess::Position;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, SHARE_RIGHT, alarm_if};
use crate::patient::Trouble;
use crate::retrace::one_after_the_other;
use crate::sureness::{Rates, Sureness};

/// The check.
pub const CHECK: Check = Check {
    name: "orientation",
    group: Group::Evaluation,
    title: "tables the right way up: pawns, kings, knights",
    method: "Pairs of positions that differ in the place of a few men: pawns and kings moved along their files, knights in the \
             centre and on the rim, castled kings and kings on a walk with most pieces on the board. Six sound engines agree which is better. Each pair is searched to depth 1 for White \
             and, mirrored, for Black; the better place must score more.",
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
    /// The king in the middlegame: castled, and on a walk.
    Shelter,
}

/// Better for White than the one behind it. Both have the same side to move and the same men.
const PAIRS: [(About, &str, &str); 25] = [
    // Men moved along their files. Found by trying some thousand such changes: Vedette, Stockfish, Ethereal, Toga II, Glaurung
    // and GNU Chess agree about each, and tables upside down turn each round.
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
    // Kings, with queens and most pieces on the board. The same six engines agree about each, by 130 cp and more.
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
                answers.push(Answer {
                    about,
                    black,
                    gain: good - bad,
                    repro: one_after_the_other(&first, &second),
                });
            }
        }
    }
    Ok(vec![
        ranks(&answers, false),
        ranks(&answers, true),
        prefers(&answers, &KNIGHTS),
        prefers(&answers, &KINGS),
    ])
}

/// The mean gain of the better places; no single one decides.
fn mean_gain(asked: &[&Answer]) -> f64 {
    let sum: i32 = asked.iter().map(|answer| answer.gain.clamp(-300, 300)).sum();
    f64::from(sum) / asked.len().max(1) as f64
}

fn ranks(answers: &[Answer], black: bool) -> Finding {
    let what = if black { "black" } else { "white" };
    let asked: Vec<&Answer> = answers.iter().filter(|a| a.about == About::Rank && a.black == black).collect();
    if asked.len() < 5 {
        return Finding::unmeasured("orientation", what, "too few probes were answered");
    }
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain <= 0).collect();
    if asked.iter().all(|answer| answer.gain == 0) {
        return Finding::unmeasured(
            "orientation",
            what,
            "pawns and kings score the same wherever they stand",
        );
    }
    let average = mean_gain(&asked);
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
        .sure(Sureness::of_failures(wrong.len(), asked.len(), Rates { sound: 0.35, faulty: 0.8 }, alarm))
        .threshold("more than half of the probes wrong, and the better places worse on average")
        .samples(asked.len())
        .measure(SHARE_RIGHT, (asked.len() - wrong.len()) as f64 / asked.len() as f64)
        .repro(wrong.first().filter(|_| alarm).map(|answer| answer.repro.clone()).unwrap_or_default())
}

/// What is asked of pairs for both colours together.
struct Question {
    about: About,
    /// Name of the finding.
    what: &'static str,
    men: &'static str,
    better: &'static str,
    worse: &'static str,
}

const KNIGHTS: Question = Question {
    about: About::Centre,
    what: "rim",
    men: "knights",
    better: "in the centre",
    worse: "on the rim",
};

const KINGS: Question = Question {
    about: About::Shelter,
    what: "king",
    men: "kings in the middlegame",
    better: "castled",
    worse: "on a walk",
};

/// Do men score more in the better place, whatever the colour? Equal is not worse: an engine may not know about it.
fn prefers(answers: &[Answer], question: &Question) -> Finding {
    let Question { about, what, men, better, worse } = *question;
    let asked: Vec<&Answer> = answers.iter().filter(|answer| answer.about == about).collect();
    if asked.len() < 5 {
        return Finding::unmeasured("orientation", what, "too few probes were answered");
    }
    if asked.iter().all(|answer| answer.gain == 0) {
        return Finding::unmeasured(
            "orientation",
            what,
            format!("{men} score the same {better} and {worse}"),
        );
    }
    let right = asked.iter().filter(|answer| answer.gain > 0).count();
    let wrong: Vec<&&Answer> = asked.iter().filter(|answer| answer.gain < 0).collect();
    let average = mean_gain(&asked);
    let alarm = wrong.len() * 5 > asked.len() * 3 && average < 0.0;
    let summary = format!(
        "of {} {men} {right} score more {better} and {} {worse}; {better} is better by {average:.0} cp on average",
        asked.len(),
        wrong.len()
    );
    Finding::new("orientation", what, alarm_if(alarm), summary)
        .effect(&format!("mean gain {better}"), average, "cp")
        .sure(Sureness::of_failures(wrong.len(), asked.len(), Rates { sound: 0.25, faulty: 0.75 }, alarm))
        .threshold(format!("more than 60 % better {worse}, and {better} worse on average"))
        .samples(asked.len())
        .measure(SHARE_RIGHT, right as f64 / asked.len() as f64)
        .repro(wrong.first().filter(|_| alarm).map(|answer| answer.repro.clone()).unwrap_or_default())
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
    fn knights_are_liked_on_the_rim_only_when_they_score_more_there() {
        assert_eq!(prefers_centre(&knights(&[0; 10])).verdict, Verdict::Unmeasured);
        assert_eq!(prefers_centre(&knights(&[])).verdict, Verdict::Unmeasured);
        assert_eq!(prefers_centre(&knights(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 5])).verdict, Verdict::Sound);
        assert_eq!(
            prefers_centre(&knights(&[-1, -1, -1, -1, -1, -1, -1, 50, 50, 50])).verdict,
            Verdict::Sound
        );
        assert_eq!(
            prefers_centre(&knights(&[-30, -30, -30, -30, -30, -30, -30, 5, 5, 5])).verdict,
            Verdict::Alarm
        );
    }

    #[test]
    fn every_pair_is_read_and_has_one_side_to_move_and_the_same_men() {
        for (_, better, worse) in PAIRS {
            let read = |fen| Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let (better, worse) = (read(better), read(worse));
            assert_eq!(better.turn(), worse.turn());
            let men = |position: &Position| {
                let board = position.to_fen();
                let mut men: Vec<char> = board
                    .split(' ')
                    .next()
                    .into_iter()
                    .flat_map(str::chars)
                    .filter(|c| c.is_alphabetic())
                    .collect();
                men.sort_unstable();
                men
            };
            assert_eq!(men(&better), men(&worse));
        }
    }
}
