//! Adjudication: ending games early as a draw, by resignation or by length.

use chess::Color;
use serde::{Deserialize, Serialize};

/// Draw adjudication: both engines report scores near zero for a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// First move number at which it applies.
    pub move_number: u32,
    /// Consecutive moves of each side.
    pub move_count: u32,
    /// Largest absolute score, in centipawns.
    pub score: i32,
}

/// Resign adjudication: an engine reports a losing score for a number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Consecutive moves.
    pub move_count: u32,
    /// Score below which an engine resigns, negated, in centipawns.
    pub score: i32,
    /// The opponent must report a winning score.
    pub two_sided: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    pub draw: Option<DrawRule>,
    pub resign: Option<ResignRule>,
    /// Full moves after which a game is drawn.
    pub max_moves: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjudication {
    Draw,
    Resigns(Color),
    TooLong,
}

/// Applies the rules to one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: AdjudicationRules,
    quiet_plies: u32,
    losing: [u32; 2],
    winning: [u32; 2],
    plies: u32,
}

impl Adjudicator {
    pub fn new(rules: AdjudicationRules) -> Self {
        Self { rules, quiet_plies: 0, losing: [0; 2], winning: [0; 2], plies: 0 }
    }

    /// Records a move and its score (`None` if the engine reported none); `irreversible`: a capture or pawn move.
    pub fn after_move(
        &mut self,
        mover: Color,
        score: Option<i32>,
        move_number: u32,
        irreversible: bool,
    ) -> Option<Adjudication> {
        self.plies += 1;
        let side = mover as usize;
        if let Some(rule) = self.rules.draw {
            let quiet = score.is_some_and(|score| score.abs() <= rule.score) && !irreversible;
            self.quiet_plies =
                if quiet && move_number >= rule.move_number { self.quiet_plies + 1 } else { 0 };
            if self.quiet_plies >= 2 * rule.move_count.max(1) {
                return Some(Adjudication::Draw);
            }
        }
        if let Some(rule) = self.rules.resign {
            let count = |run: u32, holds: bool| if holds { run + 1 } else { 0 };
            self.losing[side] = count(self.losing[side], score.is_some_and(|score| score <= -rule.score));
            self.winning[side] = count(self.winning[side], score.is_some_and(|score| score >= rule.score));
            for loser in [mover, !mover] {
                let enough = |run: u32| run >= rule.move_count.max(1);
                let agreed = !rule.two_sided || enough(self.winning[!loser as usize]);
                if enough(self.losing[loser as usize]) && agreed {
                    return Some(Adjudication::Resigns(loser));
                }
            }
        }
        let limit = self.rules.max_moves?;
        (self.plies >= limit.saturating_mul(2)).then_some(Adjudication::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(rules: AdjudicationRules, scores: &[(Color, i32)]) -> Vec<Option<Adjudication>> {
        let mut adjudicator = Adjudicator::new(rules);
        let mut plies = 0u32;
        let mut record = |&(color, score): &(Color, i32)| {
            plies += 1;
            adjudicator.after_move(color, Some(score), plies.div_ceil(2), false)
        };
        scores.iter().map(&mut record).collect()
    }

    use Color::{Black, White};

    #[test]
    fn draw_after_consecutive_quiet_moves() {
        let draw = Some(DrawRule { move_number: 2, move_count: 2, score: 10 });
        let quiet = [(White, 0), (Black, 0), (White, 5), (Black, -5), (White, 10), (Black, 0)];
        let verdicts = feed(AdjudicationRules { draw, ..AdjudicationRules::default() }, &quiet);
        assert_eq!(verdicts, [None, None, None, None, None, Some(Adjudication::Draw)]);
        let mut restless = quiet;
        restless[3].1 = 11;
        assert!(
            feed(AdjudicationRules { draw, ..AdjudicationRules::default() }, &restless)
                .iter()
                .all(Option::is_none)
        );
    }

    #[test]
    fn capture_resets_the_draw_count() {
        let draw = Some(DrawRule { move_number: 1, move_count: 1, score: 10 });
        let mut adjudicator = Adjudicator::new(AdjudicationRules { draw, ..AdjudicationRules::default() });
        assert_eq!(adjudicator.after_move(White, Some(0), 1, true), None);
        assert_eq!(adjudicator.after_move(Black, Some(0), 1, false), None);
        assert_eq!(adjudicator.after_move(White, Some(0), 2, false), Some(Adjudication::Draw));
    }

    #[test]
    fn resign_one_sided_and_two_sided() {
        let rule = ResignRule { move_count: 2, score: 500, two_sided: false };
        let scores = [(White, -600), (Black, 20), (White, -600)];
        let one = feed(AdjudicationRules { resign: Some(rule), ..AdjudicationRules::default() }, &scores);
        assert_eq!(one[2], Some(Adjudication::Resigns(White)));
        let both = AdjudicationRules {
            resign: Some(ResignRule { two_sided: true, ..rule }),
            ..AdjudicationRules::default()
        };
        assert_eq!(feed(both.clone(), &scores)[2], None);
        let agreed = [(White, -600), (Black, 700), (White, -600), (Black, 500)];
        assert_eq!(feed(both, &agreed)[3], Some(Adjudication::Resigns(White)));
    }

    #[test]
    fn missing_scores_do_not_adjudicate() {
        let rules = AdjudicationRules {
            draw: Some(DrawRule { move_number: 0, move_count: 1, score: 1000 }),
            resign: Some(ResignRule { move_count: 1, score: 0, two_sided: false }),
            max_moves: None,
        };
        let mut adjudicator = Adjudicator::new(rules);
        assert!((0..20).all(|i| adjudicator.after_move(White, None, i, false).is_none()));
    }

    #[test]
    fn draw_by_length() {
        let rules = AdjudicationRules { max_moves: Some(2), ..AdjudicationRules::default() };
        let verdicts = feed(rules, &[(White, 900), (Black, -900), (White, 900), (Black, -900)]);
        assert_eq!(verdicts[2..], [None, Some(Adjudication::TooLong)]);
    }
}
