//! Zugzwang: where passing would be best. An engine whose null move is not kept out of pawn endings is blind there.

use std::time::Duration;

use chess::Position;
use uci::info::Score;

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, Verdict};
use crate::patient::{Thinking, Trouble};
use crate::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "zugzwang",
    group: Group::Soundness,
    title: "zugzwang, and the null move",
    method: "Pawn endings that are won only because the other side must move, with known results, searched to a depth \
             at which a sound search sees them with ease. Scores are read on the engine's own scale: what it gives for a \
             queen more.",
    seconds: (10, 30),
    run,
};

/// What must be true of a score, in centipawns of which a queen has [`QUEEN`].
#[derive(Clone, Copy)]
enum Wanted {
    /// Mate for the side to move, within so many moves.
    MateWithin(i32),
    /// Better than this.
    Above(i32),
    /// Worse than this.
    Below(i32),
}

const POSITIONS: [(&str, u32, Wanted); 10] = [
    ("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 18, Wanted::MateWithin(6)),
    ("8/8/1P6/8/p7/8/3K4/1k6 w - - 0 1", 18, Wanted::MateWithin(8)),
    // The trebuchet: whoever moves loses the pawn and the game.
    ("8/8/8/2pK4/1kP5/8/8/8 b - - 0 1", 14, Wanted::Below(-100)),
    ("8/8/8/2pK4/1kP5/8/8/8 w - - 0 1", 14, Wanted::Below(-100)),
    // Found by comparing random pawn endings with and without an unsound null move; Stockfish, Ethereal and Toga II agree.
    ("8/3p4/8/8/6K1/8/1Pk5/8 b - - 0 1", 13, Wanted::Above(300)),
    ("4K3/6p1/8/4p3/8/4P3/4kP2/8 w - - 0 1", 13, Wanted::Below(-750)),
    ("8/8/1P1K4/5p2/5P1k/8/8/8 b - - 0 1", 13, Wanted::Below(-1550)),
    ("8/4K3/1P6/6p1/8/4k3/7p/8 b - - 0 1", 13, Wanted::Above(1550)),
    // The far opposition with the king on the sixth rank: whoever has to move gives way.
    ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 14, Wanted::Below(-200)),
    ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 12, Wanted::Above(100)),
];

/// The start without Black's queen, and what the engines give for it with whose scores the bounds were set.
const QUEEN_ODDS: &str = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const QUEEN: f64 = 900.0;

/// By how much the engine's centipawns are smaller than those of the bounds; 1 where they are not, and where it is not known.
fn scale(exam: &mut Examination) -> f64 {
    let searched = Position::from_fen(QUEEN_ODDS).ok().and_then(|position| {
        exam.patient.search_fresh(&position, "go depth 4", exam.cap(Duration::from_secs(2))).ok()
    });
    scale_by(searched.as_ref())
}

fn scale_by(queen_odds: Option<&Thinking>) -> f64 {
    match queen_odds.and_then(Thinking::score) {
        Some(Score::Centipawns(score)) if score > 0 => (f64::from(score) / QUEEN).clamp(0.01, 1.0),
        _ => 1.0,
    }
}

impl Wanted {
    fn holds(self, thinking: &Thinking, scale: f64) -> Option<bool> {
        let score = thinking.centipawns()?;
        let scaled = |bound: i32| (f64::from(bound) * scale) as i32;
        Some(match self {
            Self::MateWithin(moves) => {
                let in_words =
                    matches!(thinking.score(), Some(Score::Mate(told)) if told > 0 && told <= moves);
                // That mates are told in the wrong words is another fault, and is told elsewhere.
                in_words || score > 0 && thinking.tells_mate_as_centipawns()
            }
            Self::Above(bound) => score > scaled(bound),
            Self::Below(bound) => score < scaled(bound),
        })
    }
}

/// Whether the zugzwang is seen; `None` where the search says nothing of it. A mate that is told is seen, however the search
/// ended; other scores may be right by accident, and may yet become right, before the depth that was asked for.
fn is_seen(thinking: &Thinking, depth: u32, wanted: Wanted, scale: f64) -> Option<bool> {
    let right = wanted.holds(thinking, scale)?;
    let tells_mate = matches!(thinking.score(), Some(Score::Mate(_))) || thinking.tells_mate_as_centipawns();
    (thinking.has_finished(depth) || right && tells_mate).then_some(right)
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let scale = scale(exam);
    let mut scores = Failures::default();
    for (fen, depth, wanted) in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let go = format!("go depth {depth}");
        let cap = exam.cap(Duration::from_secs(exam.pick(2, 6)));
        let Ok(thinking) = exam.patient.search_fresh(&position, &go, cap) else { continue };
        let Some(right) = is_seen(&thinking, depth, wanted, scale) else {
            scores.unfinished += usize::from(!thinking.has_finished(depth));
            continue;
        };
        let told = || format!("{} at depth {} in {fen}", thinking.score_text(), thinking.depth());
        scores.add(&thinking, (!right).then(told));
    }
    let (asked, unfinished, wrong) = (scores.asked, scores.unfinished, scores.count());
    if asked < 4 {
        let why = format!("only {asked} searches were answered; {unfinished} did not end in time");
        return Ok(vec![Finding::unmeasured("zugzwang", "solved", why)]);
    }
    let summary = match scores.wrong.first() {
        None => format!("all {asked} zugzwangs are seen"),
        Some(first) => format!("{wrong} of {asked} zugzwangs are not seen: {first}"),
    };
    let verdict = match wrong {
        0 => Verdict::Sound,
        1..5 => Verdict::Notice,
        _ => Verdict::Alarm,
    };
    let finding = Finding::new("zugzwang", "solved", verdict, summary)
        .effect("zugzwangs not seen", wrong as f64, "")
        .sure(scores.sureness(RATES, verdict == Verdict::Alarm))
        .threshold("five zugzwangs not seen; one is a notice")
        .samples(asked)
        .measure("share of the scale of the bounds", scale)
        .repro(scores.repro);
    Ok(vec![finding])
}

/// Reductions hide one or two in sound engines; with an unsound null move half of them are not seen.
const RATES: Rates = Rates { sound: 0.15, faulty: 0.5 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_that_is_told_is_seen_and_only_a_finished_search_misses_one() {
        let seen =
            |score, wanted, cut_short| is_seen(&Thinking::of_line(9, score, 1, cut_short), 13, wanted, 1.0);
        let (mate, score) = (Score::Mate(5), Score::Centipawns(1700));
        assert_eq!(seen(mate, Wanted::MateWithin(6), true), Some(true));
        assert_eq!(seen(mate, Wanted::Above(300), true), Some(true));
        assert_eq!(seen(Score::Mate(9), Wanted::MateWithin(6), true), None, "it may yet come nearer");
        assert_eq!(seen(mate, Wanted::Below(-100), true), None);
        assert_eq!(seen(score, Wanted::Above(300), true), None, "no depth, no proof");
        assert_eq!(seen(score, Wanted::Above(300), false), Some(true));
        assert_eq!(seen(score, Wanted::Below(-100), false), Some(false));
    }

    #[test]
    fn an_engine_with_small_scores_is_not_blind() {
        let told = |score| Thinking::of_line(13, Score::Centipawns(score), 1, false);
        let won = |score, scale| Wanted::Above(1550).holds(&told(score), scale);
        assert_eq!([won(1700, 1.0), won(400, 1.0), won(400, 0.2)], [Some(true), Some(false), Some(true)]);
        assert!((scale_by(Some(&told(180))) - 0.2).abs() < 1e-9);
        // Greater scores, none, and none that can be true leave the bounds alone.
        for odds in [Some(&told(2000)), Some(&told(-50)), None] {
            assert!((scale_by(odds) - 1.0).abs() < 1e-9);
        }
    }
}
