//! Time management.
//!
//! There are two limits. After the soft limit no new iteration starts; at the hard limit the search is
//! stopped. The search scales the soft limit: less time if the best move is stable and took most of the
//! nodes, more if the score falls.

use crate::{Clock, Limits, Mutant, Score, mutants};
use std::time::Duration;

/// The time budget of one search.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Budget {
    /// The budget for these limits, with a move overhead.
    pub fn new(limits: &Limits, overhead: Duration) -> Budget {
        let for_move = limits.move_time.map(|time| time.saturating_sub(overhead.min(time / 2)));
        let clock = limits.clock.map(|clock| Budget::for_clock(clock, overhead));
        let hard = clock.and_then(|budget| budget.hard).into_iter().chain(for_move).min();
        Budget { soft: clock.and_then(|budget| budget.soft), hard }
    }

    fn for_clock(clock: Clock, overhead: Duration) -> Budget {
        // With little time left, reserve half of it instead of the full overhead.
        let remaining = clock.remaining.saturating_sub(overhead).max(clock.remaining / 2).as_secs_f64();
        // The increment is added after the move, so it cannot be spent before.
        let counted =
            if mutants::active(Mutant::IncrementIgnored) { Duration::ZERO } else { clock.increment };
        let increment = counted.as_secs_f64().min(remaining);
        let (share, most) = match clock.moves_to_go {
            Some(moves) => {
                let moves = f64::from(moves.clamp(1, 50));
                (0.95 / moves, if moves < 1.5 { 0.9 } else { 0.5 })
            }
            None => (0.045, 0.4),
        };
        let mut soft = (remaining * share + increment * 0.65).min(remaining * most);
        if mutants::active(Mutant::ClockTenth) {
            soft /= 10.0;
        }
        if mutants::active(Mutant::ClockOverrun) {
            let late = Duration::from_secs_f64(1.5 * clock.remaining.as_secs_f64());
            return Budget { soft: Some(late), hard: Some(late) };
        }
        let hard = (soft * 3.5).min(remaining * most);
        Budget { soft: Some(Duration::from_secs_f64(soft)), hard: Some(Duration::from_secs_f64(hard)) }
    }

    /// The soft limit before scaling, from the start of the search.
    pub fn soft(&self) -> Option<Duration> {
        self.soft
    }

    /// The hard limit, from the start of the search.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// Whether the iteration that just finished should be the last.
    pub fn is_enough(&self, elapsed: Duration, stability: &SearchStability) -> bool {
        if self.hard.is_some_and(|hard| elapsed >= hard) {
            return true;
        }
        let Some(soft) = self.soft else { return false };
        if stability.only_move {
            return true;
        }
        elapsed >= soft.mul_f64(stability.factor())
    }
}

/// What the iterations so far show about the time needed.
#[derive(Clone, Debug, Default)]
pub struct SearchStability {
    /// There is only one legal move.
    pub only_move: bool,
    /// Fraction of all nodes spent on the best move.
    pub effort: f64,
    /// Iterations since the best move changed.
    pub stable_iterations: u32,
    /// How much the score has fallen compared with earlier iterations, in centipawns.
    pub score_drop: i32,
}

impl SearchStability {
    /// The scale of the soft limit.
    fn factor(&self) -> f64 {
        let effort = (1.75 - 1.25 * self.effort).clamp(0.5, 1.7);
        let stability = 1.25 - 0.055 * f64::from(self.stable_iterations.min(9));
        let trend = (1.0 + f64::from(self.score_drop) * 0.008).clamp(0.85, 1.6);
        effort * stability * trend
    }

    /// How much `score` is below the average of the scores before it.
    pub fn drop_from(average: Option<f64>, score: Score) -> i32 {
        match average {
            Some(average) if !score.is_decisive() => {
                (average - f64::from(score.0)).clamp(-200.0, 200.0) as i32
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining_ms),
            increment: Duration::from_millis(increment_ms),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        Budget::new(&limits, Duration::from_millis(10))
    }

    #[test]
    fn hard_limit_leaves_time() {
        for remaining in [1, 2, 5, 10, 50, 100, 1000, 60_000, u64::MAX / 1_000_000] {
            for increment in [0, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(500)] {
                    let budget = budget(remaining, increment, moves_to_go);
                    let hard = budget.hard().unwrap();
                    assert!(
                        hard < Duration::from_millis(remaining),
                        "{remaining} {increment} {moves_to_go:?}"
                    );
                    assert!(budget.soft.unwrap() <= hard);
                }
            }
        }
    }

    #[test]
    fn first_moves_use_a_sensible_share() {
        let soft = budget(10_000, 100, None).soft.unwrap();
        assert!((200..=800).contains(&soft.as_millis()), "{soft:?}");
    }

    #[test]
    fn movetime_less_overhead() {
        let hard =
            |ms| Budget::new(&Limits::move_time(Duration::from_millis(ms)), Duration::from_millis(10)).hard();
        assert_eq!(hard(1000), Some(Duration::from_millis(990)));
        assert_eq!(hard(4), Some(Duration::from_millis(2)));
        assert_eq!(hard(0), Some(Duration::ZERO));
    }

    #[test]
    fn smaller_of_movetime_and_clock() {
        let hard = |move_ms, remaining_ms| {
            let clock = Clock {
                remaining: Duration::from_millis(remaining_ms),
                increment: Duration::ZERO,
                moves_to_go: None,
            };
            let limits = Limits { clock: Some(clock), ..Limits::move_time(Duration::from_millis(move_ms)) };
            Budget::new(&limits, Duration::from_millis(10)).hard()
        };
        assert_eq!(hard(5000, 100), budget(100, 0, None).hard());
        assert_eq!(hard(50, 60_000), Some(Duration::from_millis(40)));
    }

    #[test]
    fn unstable_best_move_gets_more_time() {
        let calm = SearchStability { effort: 0.9, stable_iterations: 9, ..SearchStability::default() };
        let doubt = SearchStability {
            effort: 0.3,
            stable_iterations: 0,
            score_drop: 40,
            ..SearchStability::default()
        };
        assert!(calm.factor() < 0.6 && doubt.factor() > 1.8);
    }
}
