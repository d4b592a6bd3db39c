//! Whose clock is it? Moves with unequal clocks, for the check of the clock: in all others both sides have the same time, and an
//! engine that reads the wrong one would not be seen.

use std::time::Duration;

use chess::{Color, Position};

use super::game::lateness;
use super::times::{Ratio, TOO_QUICK, Times};
use crate::check::Examination;
use crate::finding::{Finding, Verdict};
use crate::samples::openings;
use crate::sureness::Sureness;

/// The two clocks, in milliseconds.
const SHORT: u64 = 300;
const LONG: u64 = 6000;

/// How many times longer a move takes at the least with the long clock of its own, and how many where it reads the other's: at
/// most half as long, though it has twenty times as much.
const LEAST_BY_OWN: f64 = 2.0;
const MOST_BY_OTHER: f64 = 0.5;

/// Moves of one colour.
struct Side {
    color: Color,
    /// With the short clock, against the long one.
    short: Times,
    /// The other way round.
    long: Times,
}

/// By which clock a colour goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Own,
    /// The time of a move depends on neither much.
    Neither,
    Other,
}

/// What the times of one colour say.
struct Reading {
    by: By,
    ratio: f64,
    error: f64,
    sureness: Sureness,
}

impl Side {
    fn ask(exam: &mut Examination, color: Color, positions: &[Position]) -> Self {
        let go = |own: u64, other: u64| {
            let (white, black) = if color == Color::White { (own, other) } else { (other, own) };
            format!("go wtime {white} btime {black}")
        };
        let short = Times::measure(exam, positions, &go(SHORT, LONG));
        let long = Times::measure(exam, positions, &go(LONG, SHORT));
        Self { color, short, long }
    }

    /// `None` where the times say nothing.
    fn reading(&self) -> Option<Reading> {
        let own = Ratio::of(&self.long, &self.short, LEAST_BY_OWN)?;
        let other = Ratio::of(&self.long, &self.short, MOST_BY_OTHER)?;
        let (by, ratio) = if own.is_above {
            (By::Own, own)
        } else if !other.is_above {
            (By::Other, other)
        } else if self.late() >= 2 {
            // The longer of both, or their sum.
            (By::Other, own)
        } else {
            (By::Neither, own)
        };
        Some(Reading { by, ratio: ratio.value, error: ratio.error, sureness: ratio.sureness })
    }

    fn late(&self) -> usize {
        let clock = Duration::from_millis(SHORT);
        self.short.searches().iter().filter(|thinking| lateness(thinking, clock) == Some(true)).count()
    }

    fn name(&self) -> &'static str {
        if self.color == Color::White { "White" } else { "Black" }
    }

    fn told(&self) -> String {
        format!("{} {:.0} and {:.0} ms", self.name(), self.short.millis(), self.long.millis())
    }
}

/// Does each colour go by its own clock?
pub fn own_clock(exam: &mut Examination) -> Finding {
    let turned = |position: Position, color| {
        if position.turn() == color { position } else { position.color_mirrored() }
    };
    let sides = [Color::White, Color::Black].map(|color| {
        let positions: Vec<Position> =
            openings(exam.pick(2, 4), 73).into_iter().map(|position| turned(position, color)).collect();
        Side::ask(exam, color, &positions)
    });
    judge(&sides, exam.trust_in_time())
}

fn judge(sides: &[Side; 2], trust: (f64, String)) -> Finding {
    let read = sides.iter().filter_map(|side| Some((side, side.reading()?)));
    // The worse of both, and of equals the one of which less is known.
    let worst = read.reduce(|one, two| {
        let is_worse = (two.1.by, one.1.sureness.level) > (one.1.by, two.1.sureness.level);
        if is_worse { two } else { one }
    });
    let is_whole = sides.iter().all(|side| side.reading().is_some());
    let Some((side, reading)) = worst.filter(|(_, reading)| is_whole || reading.by == By::Other) else {
        return Finding::unmeasured("clock", "own-clock", TOO_QUICK);
    };
    let (verdict, remark) = match reading.by {
        By::Own => (Verdict::Sound, String::new()),
        By::Neither => (Verdict::Notice, format!(": {} hardly goes by its clock", side.name())),
        By::Other => (Verdict::Alarm, format!(": {} goes by the other side's clock", side.name())),
    };
    let told: Vec<String> = sides.iter().map(Side::told).collect();
    let summary = format!("with 0.3 s against 6 s, and with 6 s against 0.3 s, {}{remark}", told.join(", "));
    Finding::new("clock", "own-clock", verdict, summary)
        .effect("time with the long clock against the short one", reading.ratio, "times")
        .error(reading.error)
        .sure(reading.sureness.at_most(trust))
        .threshold("with the long clock at most half as long as with the short one, or late twice with the short one; a notice below twice as long")
        .samples(sides.iter().map(|side| side.short.searches().len() + side.long.searches().len()).sum())
        .repro(side.short.beside(&side.long))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;

    fn found(white: [&[u64]; 2], black: [&[u64]; 2]) -> Finding {
        let side = |color, [short, long]: [&[u64]; 2]| Side {
            color,
            short: Times::of(short),
            long: Times::of(long),
        };
        judge(&[side(Color::White, white), side(Color::Black, black)], (0.99, String::new()))
    }

    const SOUND: [&[u64]; 2] = [&[12, 15], &[250, 400]];

    #[test]
    fn the_colour_that_reads_the_other_clock_is_named() {
        let other: [&[u64]; 2] = [&[250, 290], &[9, 10]];
        let black = found(SOUND, other);
        assert!(
            black.is_alarm() && black.summary.ends_with("Black goes by the other side's clock"),
            "{black:?}"
        );
        assert!(black.confidence.level > 0.9, "{black:?}");
        assert_eq!(diagnose(&[black]).explanations[0].id, "other-clock");
        let white = found(other, SOUND);
        assert!(
            white.is_alarm() && white.summary.ends_with("White goes by the other side's clock"),
            "{white:?}"
        );
        assert!(found([&[2, 2], &[2, 2]], other).is_alarm(), "though nothing is known of White");
    }

    #[test]
    fn both_clocks_together_are_the_other_side_s_too() {
        assert!(found(SOUND, [&[400, 420], &[400, 410]]).is_alarm());
    }

    #[test]
    fn sound_clocks_are_sound_and_fixed_times_a_notice() {
        assert_eq!(found(SOUND, SOUND).verdict, Verdict::Sound);
        assert_eq!(found(SOUND, [&[100, 100], &[100, 100]]).verdict, Verdict::Notice);
        assert_eq!(found(SOUND, [&[2, 2], &[2, 2]]).verdict, Verdict::Unmeasured);
    }
}
