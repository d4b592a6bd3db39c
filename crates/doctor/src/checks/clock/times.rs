//! The times of single moves under two kinds of clock, and by how much longer one kind takes, for the checks of the clock.

use std::time::Duration;

use chess::Position;

use crate::check::Examination;
use crate::patient::Thinking;
use crate::retrace::one_after_the_other;
use crate::samples::mean;
use crate::sureness::{Side, Sureness, error_of_difference};

/// Moves that were asked for in one way.
#[derive(Default)]
pub struct Times(Vec<Thinking>);

/// The longest that one of them may take.
const LONGEST: Duration = Duration::from_secs(3);

impl Times {
    /// Asks for a move in each position, each with a fresh table, with the words of `go`. None is cut shorter because the time
    /// of the check is nearly over: it could not be compared.
    pub fn measure(exam: &mut Examination, positions: &[Position], go: &str) -> Self {
        let mut times = Self::default();
        for position in positions {
            if !exam.goes_on() {
                break;
            }
            times.0.extend(exam.patient.search_fresh(position, go, LONGEST));
        }
        times
    }

    /// The searches.
    pub fn searches(&self) -> &[Thinking] {
        &self.0
    }

    /// The geometric mean, in milliseconds.
    pub fn millis(&self) -> f64 {
        1000.0 * mean(&self.logs()).exp()
    }

    /// Lines that show a move of each kind in the same position.
    pub fn beside(&self, other: &Self) -> Vec<String> {
        let same = |one: &Thinking| other.0.iter().find(|two| two.position == one.position);
        let both = self.0.iter().find_map(|one| Some((one, same(one)?)));
        both.map_or_else(Vec::new, |(one, two)| one_after_the_other(&one.repro(), &two.repro()))
    }

    /// Logarithms of the times in seconds.
    fn logs(&self) -> Vec<f64> {
        self.0.iter().map(|thinking| thinking.elapsed.as_secs_f64().max(0.001).ln()).collect()
    }

    /// Moves of which only the times matter, in milliseconds.
    #[cfg(test)]
    pub fn of(millis: &[u64]) -> Self {
        Self(millis.iter().map(|&time| Thinking::of_times(time, time)).collect())
    }
}

/// By how much longer one kind of move takes than the other.
pub struct Ratio {
    /// So many times.
    pub value: f64,
    /// Its error of 95 %.
    pub error: f64,
    /// Whether it is at least the bound.
    pub is_above: bool,
    /// That it is on that side of the bound.
    pub sureness: Sureness,
}

/// Times of moves, in milliseconds, in which nothing can be seen of a clock.
const AT_ONCE: f64 = 10.0;

/// Why there is no ratio.
pub const TOO_QUICK: &str = "too few moves, or they take less than 10 ms whatever the clock says";

impl Ratio {
    /// `None` when there are too few times, or an engine that answers at once.
    pub fn of(longer: &Times, shorter: &Times, bound: f64) -> Option<Self> {
        if longer.millis() < AT_ONCE && shorter.millis() < AT_ONCE {
            return None;
        }
        let value = longer.millis() / shorter.millis();
        let is_above = value >= bound;
        let (long, short) = (longer.logs(), shorter.logs());
        let error = value * error_of_difference(&long, &short)?;
        let sureness = Sureness::of_difference(&long, &short, bound.ln(), Side::above_if(is_above));
        Some(Self { value, error, is_above, sureness })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_of_times_knows_its_error() {
        let ratio =
            |longer: &[u64], shorter: &[u64]| Ratio::of(&Times::of(longer), &Times::of(shorter), 1.25);
        let steady = ratio(&[400, 410, 390], &[100, 101, 99]).expect("told");
        assert!(steady.is_above && steady.sureness.level > 0.99 && steady.error < 0.3);
        let noisy = ratio(&[400, 60, 900], &[100, 300, 30]).expect("told");
        assert!(noisy.sureness.level < 0.9 && noisy.error > 1.0);
    }

    #[test]
    fn an_engine_that_answers_at_once_shows_nothing_of_its_clock() {
        let ratio =
            |longer: &[u64], shorter: &[u64]| Ratio::of(&Times::of(longer), &Times::of(shorter), 1.25);
        assert!(ratio(&[2, 2, 2], &[2, 2, 2]).is_none());
        assert!(ratio(&[200], &[100]).is_none());
    }

    #[test]
    fn the_lines_of_a_comparison_show_both_moves_in_one_position() {
        let start = Position::startpos();
        let other = start.after(start.legal_moves()[0]);
        let of = |position, go: &str| {
            let asked = ["uci", "ucinewgame", go].map(str::to_owned).into();
            Thinking { position, asked, ..Thinking::of_times(1, 1) }
        };
        let short = Times(vec![of(other, "go short other"), of(start, "go short")]);
        let long = Times(vec![of(start, "go long")]);
        assert_eq!(short.beside(&long), ["uci", "ucinewgame", "go short", "ucinewgame", "go long"]);
        assert!(short.beside(&Times::default()).is_empty());
    }
}
