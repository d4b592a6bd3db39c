//! What a cause costs in games, in Elo: from matches of Vedette with and without the bug
//! (`docs/notes/2026-11-prices.md`) where there are any, else an estimate.

use serde::{Deserialize, Serialize};

use crate::catalogue::FindingId;
use crate::finding::Finding;

/// What a cause costs in general.
#[derive(Clone, Copy, Debug)]
pub struct Price {
    low: f64,
    high: f64,
    is_measured: bool,
    /// A finding, and its effect in the engine whose price was measured: twice the effect costs twice as much.
    at: Option<(FindingId, f64)>,
    /// A finding that shows how often a game is lost by it.
    rate: Option<FindingId>,
}

/// What a cause costs this engine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Elo, at least.
    pub low: f64,
    pub high: f64,
    /// From matches or from what was counted, not an estimate.
    pub is_measured: bool,
}

/// From here on nearly all games are lost.
const EVERY_GAME: f64 = 600.0;

/// Up to here it hardly matters.
const HARDLY: f64 = 20.0;

/// Limits of the scaling by an effect.
const MIN_SCALE: f64 = 0.2;
const MAX_SCALE: f64 = 5.0;

impl Price {
    const fn new(low: u32, high: u32, is_measured: bool) -> Self {
        Self { low: low as f64, high: high as f64, is_measured, at: None, rate: None }
    }

    /// From matches.
    pub const fn measured(low: u32, high: u32) -> Self {
        Self::new(low, high, true)
    }

    pub const fn estimated(low: u32, high: u32) -> Self {
        Self::new(low, high, false)
    }

    /// Measured in an engine in which this finding had this effect.
    #[must_use]
    pub const fn at(self, finding: FindingId, effect: f64) -> Self {
        Self { at: Some((finding, effect)), ..self }
    }

    /// Each failure of the finding loses a game; an estimate where it does not fail.
    pub const fn by_rate(finding: FindingId, low: u32, high: u32) -> Self {
        Self { rate: Some(finding), ..Self::estimated(low, high) }
    }

    /// What it costs the engine with these findings.
    pub fn cost(&self, findings: &[Finding]) -> Cost {
        let failed = |id| findings.iter().find(|finding| finding.is(id) && finding.is_failure());
        if let Some((low, high)) = self.rate.and_then(failed).and_then(lost_games) {
            return Cost { low: elo_of_losses(low), high: elo_of_losses(high), is_measured: true };
        }
        let scale = self.at.and_then(|(id, effect)| Some(failed(id)?.effect.as_ref()?.value.abs() / effect));
        let scale = scale.unwrap_or(1.0).clamp(MIN_SCALE, MAX_SCALE);
        Cost { low: self.low * scale, high: self.high * scale, is_measured: self.is_measured }
    }
}

/// Moves of a game.
const MOVES: f64 = 60.0;

/// The share of games that the failures lose, with a margin of error of 95 %.
fn lost_games(finding: &Finding) -> Option<(f64, f64)> {
    let effect = finding.effect.as_ref()?;
    let count = finding.samples.max(1) as f64;
    let is_share = effect.unit == "%";
    let rate = (if is_share { effect.value / 100.0 } else { effect.value / count }).clamp(0.0, 1.0);
    let margin = 1.96 * (rate * (1.0 - rate) / count).sqrt();
    // A share is one of games already, a count one of moves.
    let of_games = |rate: f64| if is_share { rate } else { 1.0 - (1.0 - rate).powf(MOVES) };
    Some((of_games((rate - margin).max(0.0)), of_games((rate + margin).min(1.0))))
}

/// Elo against an equal opponent if this share of the games is lost beside the play.
fn elo_of_losses(share: f64) -> f64 {
    let score = 0.5 * (1.0 - share.clamp(0.0, 0.999));
    400.0 * ((1.0 - score) / score).log10()
}

impl Cost {
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.low.min(EVERY_GAME), self.high.min(EVERY_GAME))
    }

    /// For people.
    pub fn text(&self) -> String {
        let rounded = |elo: f64| (elo / 10.0).round() * 10.0;
        let (low, high) = (rounded(self.low), rounded(self.high));
        let estimate = if self.is_measured { "" } else { ", estimated" };
        if self.low >= EVERY_GAME {
            format!("loses nearly every game{estimate}")
        } else if self.high <= HARDLY {
            format!("costs hardly anything in games{estimate}")
        } else if low <= 0.0 {
            format!("costs up to {high:.0} Elo{estimate}")
        } else if self.high >= EVERY_GAME {
            format!("costs {low:.0} Elo and more{estimate}")
        } else if low >= high {
            format!("costs about {high:.0} Elo{estimate}")
        } else {
            format!("costs about {low:.0} to {high:.0} Elo{estimate}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::causes::causes;
    use super::*;
    use crate::catalogue::FindingId as F;
    use crate::finding::Verdict;

    /// Causes of the bugs whose matches ended with a margin of error.
    const MEASURED: [(&str, &str); 18] = [
        ("tables-upside-down", "tables-upside-down"),
        ("black-tables-flipped", "black-tables"),
        ("no-quiescence", "no-quiescence"),
        ("over-reduction", "over-reduction"),
        ("reverse-futility-everywhere", "unsound-pruning"),
        ("stand-pat-in-check", "stand-pat-in-check"),
        ("bound-ignored", "bounds-misused"),
        ("upper-stored-as-lower", "bounds-stored-wrong"),
        ("stale-hash", "stale-hash"),
        ("stalemate-is-mate", "mate-stalemate"),
        ("repetition-ignored", "repetition"),
        ("first-move-at-depth-one", "depth-one"),
        ("null-move-in-zugzwang", "null-move"),
        ("cutoff-only-above-beta", "strict-cutoff"),
        ("re-search-everywhere", "repeated-zero-windows"),
        ("root-full-window", "root-full-window"),
        ("exact-stored-as-upper", "exact-not-stored"),
        ("draw-missed-at-horizon", "draw-at-leaf"),
    ];

    /// The results of a row, weighted by their precision.
    fn pooled(row: &str) -> (f64, f64) {
        let results = row.split('|').filter_map(|cell| {
            let (elo, margin) = cell.trim().split_once(" ± ")?;
            Some((elo.parse::<f64>().ok()?, margin.parse::<f64>().ok()?))
        });
        let (mut sum, mut weights) = (0.0, 0.0);
        for (elo, margin) in results {
            sum += elo / margin.powi(2);
            weights += margin.powi(-2);
        }
        (sum / weights, weights.sqrt().recip())
    }

    #[test]
    fn measured_prices_are_those_of_the_matches() {
        let table = include_str!("../../../../docs/notes/2026-11-prices.md");
        for (bug, id) in MEASURED {
            let row = table.lines().find(|line| line.starts_with(&format!("| `{bug}` |"))).expect(bug);
            let (elo, margin) = pooled(row);
            let rounded = |elo: f64| ((elo / 10.0).round() * 10.0).max(0.0);
            let price = causes().find(|cause| cause.id == id).expect(id).price;
            assert_eq!((price.low, price.high), (rounded(-elo - margin), rounded(-elo + margin)), "{bug}");
            assert!(price.is_measured, "{bug}");
        }
    }

    #[test]
    fn cost_grows_with_the_effect() {
        let failed = |value| vec![Finding::new(F::MirrorEvaluation, Verdict::Fail, "").effect(value)];
        let price = Price::measured(10, 60).at(F::MirrorEvaluation, 50.0);
        let cost = |value| price.cost(&failed(value)).high;
        let near = |cost: f64, expected: f64| assert!((cost - expected).abs() < 1e-9, "{cost} {expected}");
        near(cost(50.0), 60.0);
        near(cost(100.0), 120.0);
        near(cost(1.0), 12.0);
        near(cost(9000.0), 300.0);
        near(price.cost(&[]).high, 60.0);
    }

    #[test]
    fn lost_games_are_counted() {
        let price = Price::by_rate(F::FastGamesFlags, 10, 20);
        let flags =
            |share, games| Finding::new(F::FastGamesFlags, Verdict::Fail, "").effect(share).samples(games);
        let half = price.cost(&[flags(50.0, 10_000)]);
        // A score of a quarter.
        assert!(half.low > 180.0 && half.high < 200.0, "{half:?}");
        assert_eq!(price.cost(&[]), Cost { low: 10.0, high: 20.0, is_measured: false });
        let price = Price::by_rate(F::LegalityStability, 10, 20);
        let crash = |count| Finding::new(F::LegalityStability, Verdict::Fail, "").effect(count).samples(6000);
        let cost = price.cost(&[crash(10.0)]);
        assert!(cost.low > 10.0 && cost.high < 60.0, "one game in ten: {cost:?}");
    }

    #[test]
    fn costs_are_readable() {
        let text = |low, high, is_measured| Cost { low, high, is_measured }.text();
        assert_eq!(text(197.0, 348.0, true), "costs about 200 to 350 Elo");
        assert_eq!(text(0.0, 0.0, true), "costs hardly anything in games");
        assert_eq!(text(0.0, 70.0, true), "costs up to 70 Elo");
        assert_eq!(text(50.0, 800.0, false), "costs 50 Elo and more, estimated");
        assert_eq!(text(600.0, 1000.0, true), "loses nearly every game");
        assert_eq!(text(48.0, 52.0, true), "costs about 50 Elo");
    }
}
