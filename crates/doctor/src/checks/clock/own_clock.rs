//! Unequal clocks: does each side use its own?

use std::time::Duration;

use chess::{Color, Position};

use super::game::lateness;
use super::times::{Ratio, TOO_QUICK, Times};
use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::confidence::Confidence;
use crate::finding::{Finding, Verdict};
use crate::samples::openings;

/// Milliseconds.
const SHORT: u64 = 300;
const LONG: u64 = 6000;

/// How many times longer a move takes with its own long clock (at least), and where it reads the other one (at most).
const MIN_BY_OWN: f64 = 2.0;
const MAX_BY_OTHER: f64 = 0.5;

struct SideClocks {
    color: Color,
    short: Times,
    long: Times,
}

/// The clock that a side uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Own,
    Neither,
    Other,
}

struct Reading {
    by: By,
    ratio: f64,
    error: f64,
    confidence: Confidence,
}

impl SideClocks {
    fn ask(exam: &mut Examination, color: Color, positions: &[Position]) -> Self {
        let go = |own: u64, other: u64| {
            let (white, black) = if color == Color::White { (own, other) } else { (other, own) };
            format!("go wtime {white} btime {black}")
        };
        let short = Times::measure(exam, positions, &go(SHORT, LONG));
        let long = Times::measure(exam, positions, &go(LONG, SHORT));
        Self { color, short, long }
    }

    /// `None` where the moves are too quick.
    fn reading(&self) -> Option<Reading> {
        let own = Ratio::of(&self.long, &self.short, MIN_BY_OWN)?;
        let other = Ratio::of(&self.long, &self.short, MAX_BY_OTHER)?;
        let (by, ratio) = if own.is_above {
            (By::Own, own)
        } else if !other.is_above {
            (By::Other, other)
        } else if self.late() >= 2 {
            // The maximum or the sum of both.
            (By::Other, own)
        } else {
            (By::Neither, own)
        };
        Some(Reading { by, ratio: ratio.value, error: ratio.error, confidence: ratio.confidence })
    }

    fn late(&self) -> usize {
        let clock = Duration::from_millis(SHORT);
        self.short.searches().iter().filter(|result| lateness(result, clock) == Some(true)).count()
    }

    fn name(&self) -> &'static str {
        if self.color == Color::White { "White" } else { "Black" }
    }

    fn description(&self) -> String {
        format!("{} {:.0} and {:.0} ms", self.name(), self.short.millis(), self.long.millis())
    }
}

pub fn own_clock(exam: &mut Examination) -> Finding {
    let turned = |position: Position, color| {
        if position.turn() == color { position } else { position.color_mirrored() }
    };
    let sides = [Color::White, Color::Black].map(|color| {
        let positions: Vec<Position> =
            openings(exam.pick(2, 4), 73).into_iter().map(|position| turned(position, color)).collect();
        SideClocks::ask(exam, color, &positions)
    });
    evaluate(&sides, exam.timing_confidence())
}

fn evaluate(sides: &[SideClocks; 2], trust: (f64, String)) -> Finding {
    let read = sides.iter().filter_map(|side| Some((side, side.reading()?)));
    // The worse side, or the less certain one.
    let worst = read.reduce(|one, two| {
        let is_worse = (two.1.by, one.1.confidence.level) > (one.1.by, two.1.confidence.level);
        if is_worse { two } else { one }
    });
    let is_whole = sides.iter().all(|side| side.reading().is_some());
    let Some((side, reading)) = worst.filter(|(_, reading)| is_whole || reading.by == By::Other) else {
        return Finding::skipped(FindingId::ClockOwnClock, TOO_QUICK);
    };
    let (verdict, note) = match reading.by {
        By::Own => (Verdict::Pass, String::new()),
        By::Neither => (Verdict::Warning, format!(": {} hardly uses its clock", side.name())),
        By::Other => (Verdict::Fail, format!(": {} uses the opponent's clock", side.name())),
    };
    let times: Vec<String> = sides.iter().map(SideClocks::description).collect();
    let summary = format!(
        "time per move with 0.3 s against 6 s and with 6 s against 0.3 s: {}{note}",
        times.join(", ")
    );
    Finding::new(FindingId::ClockOwnClock, verdict, summary)
        .effect(reading.ratio)
        .error(reading.error)
        .confidence(reading.confidence)
        .at_most(trust)
        .threshold(format!(
            "at most {MAX_BY_OTHER} times as long with the long clock, or 2 late moves with the short one; less than \
             {MIN_BY_OWN} times is a warning"
        ))
        .samples(sides.iter().map(|side| side.short.searches().len() + side.long.searches().len()).sum())
        .repro(side.short.beside(&side.long))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;

    fn found(white: [&[u64]; 2], black: [&[u64]; 2]) -> Finding {
        let side = |color, [short, long]: [&[u64]; 2]| SideClocks {
            color,
            short: Times::of(short),
            long: Times::of(long),
        };
        evaluate(&[side(Color::White, white), side(Color::Black, black)], (0.99, String::new()))
    }

    const SOUND: [&[u64]; 2] = [&[12, 15], &[250, 400]];

    #[test]
    fn wrong_clock_is_found() {
        let other: [&[u64]; 2] = [&[250, 290], &[9, 10]];
        let black = found(SOUND, other);
        assert!(
            black.is_failure() && black.summary.ends_with("Black uses the opponent's clock"),
            "{black:?}"
        );
        assert!(black.confidence.level > 0.9, "{black:?}");
        assert_eq!(diagnose(&[black]).explanations[0].id, "other-clock");
        let white = found(other, SOUND);
        assert!(
            white.is_failure() && white.summary.ends_with("White uses the opponent's clock"),
            "{white:?}"
        );
        assert!(found([&[2, 2], &[2, 2]], other).is_failure(), "White unknown");
    }

    #[test]
    fn sum_of_clocks_fails() {
        assert!(found(SOUND, [&[400, 420], &[400, 410]]).is_failure());
    }

    #[test]
    fn fixed_time_per_move_is_a_warning() {
        assert_eq!(found(SOUND, SOUND).verdict, Verdict::Pass);
        assert_eq!(found(SOUND, [&[100, 100], &[100, 100]]).verdict, Verdict::Warning);
        assert_eq!(found(SOUND, [&[2, 2], &[2, 2]]).verdict, Verdict::Skipped);
    }
}
