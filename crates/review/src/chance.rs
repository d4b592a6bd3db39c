//! From scores to winning chances, and from those to accuracy. The curves are the ones that lichess has published
//! for human games, so that results can be compared.

use chess::Color;
use uci::Score;

/// Slope of the winning chances, per centipawn.
const STEEPNESS: f64 = 0.003_682_08;

/// Winning chances of the side whose score this is, in percent: `100 / (1 + e^(-0.00368208 cp))`.
pub fn chance(score: Score) -> f64 {
    match score {
        Score::Centipawns(cp) => 100.0 / (1.0 + (-STEEPNESS * f64::from(cp)).exp()),
        Score::Mate(moves) if moves > 0 => 100.0,
        Score::Mate(_) => 0.0,
    }
}

/// Winning chances of a side in percent, by White's score.
pub fn chance_of(side: Color, score: Score) -> f64 {
    chance(if side == Color::White { score } else { -score })
}

/// The accuracy of a move that cost `loss` percent of winning chances, from 0 to 100:
/// `103.1668 e^(-0.04354 loss) - 3.1669`.
pub fn move_accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// The accuracy of one side in a game: half the mean of its moves, each weighted by the volatility of the
/// winning chances around it, half their harmonic mean, which one bad move pulls down. `chances` are White's, before the first move and
/// after each; `accuracies` has an entry for each move, `None` for the other side's and for forced ones.
pub fn game_accuracy(chances: &[f64], accuracies: &[Option<f64>]) -> Option<f64> {
    let window = (accuracies.len() / 10).clamp(2, 8);
    let mut weighted = (0.0, 0.0);
    let mut harmonic = (0.0, 0.0);
    for (ply, accuracy) in accuracies.iter().enumerate() {
        let Some(accuracy) = accuracy else { continue };
        let end = (ply + 2).min(chances.len());
        let start = end.saturating_sub(window);
        let weight = deviation(&chances[start..end]).clamp(0.5, 12.0);
        weighted = (weighted.0 + weight * accuracy, weighted.1 + weight);
        harmonic = (harmonic.0 + 1.0, harmonic.1 + 1.0 / accuracy.max(0.1));
    }
    (harmonic.0 > 0.0).then(|| f64::midpoint(weighted.0 / weighted.1, harmonic.0 / harmonic.1))
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_of_both_sides_add_up() {
        for score in [Score::Centipawns(0), Score::Centipawns(31), Score::Centipawns(-1200), Score::Mate(3)] {
            assert!((chance(score) + chance(-score) - 100.0).abs() < 1e-9, "{score}");
        }
        assert!((chance(Score::Centipawns(100)) - 59.1).abs() < 0.1);
        assert!((chance(Score::Mate(3)) - 100.0).abs() < 1e-9 && chance(Score::Mate(-1)).abs() < 1e-9);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert!(move_accuracy(0.0) > 99.9 && move_accuracy(-5.0) > 99.9);
        assert!((move_accuracy(10.0) - 63.6).abs() < 0.1);
        assert!(move_accuracy(100.0) < 1e-9);
    }

    #[test]
    fn one_blunder_counts_more_than_its_share() {
        let chances = [50.0, 50.0, 50.0, 50.0, 10.0];
        let accuracies = [Some(100.0), None, Some(100.0), None, Some(10.0)];
        let accuracy = game_accuracy(&chances, &accuracies).expect("three moves");
        // Weights 0.5, 0.5 and 12 make 220 / 13; the harmonic mean is 25.
        assert!((accuracy - f64::midpoint(220.0 / 13.0, 25.0)).abs() < 1e-9, "{accuracy}");
        assert_eq!(game_accuracy(&[50.0], &[None]), None);
    }

    #[test]
    fn accuracy_is_weighted_by_volatility() {
        let accuracies = [Some(50.0), None, Some(100.0), None];
        let early = game_accuracy(&[50.0, 90.0, 90.0, 90.0, 90.0], &accuracies).expect("two moves");
        let late = game_accuracy(&[50.0, 50.0, 50.0, 90.0, 90.0], &accuracies).expect("two moves");
        assert!(early < late, "the bad move was made when it mattered: {early} {late}");
    }
}
