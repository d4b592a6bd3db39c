//! White's score in self-play from varied openings.

use std::collections::HashSet;
use std::time::Duration;

use chess::{Color, Game, Position, Role};

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::Confidence;
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::samples::openings;
use stats::normal_cdf;

pub const CHECK: Check = Check {
    id: CheckId::SelfPlay,
    method: "Plays self-play games at 3,000 nodes per move from varied openings, each once. A side that is a rook ahead for six \
             plies wins. Identical games count once. Ends after 48 different games when the score is three standard errors \
             from the thresholds, and after 160 games at the latest.",
    seconds: (0, 70),
    run,
};

/// White scores 50 to 58 % in sound engines.
const BOUNDS: (f64, f64) = (0.40, 0.68);

/// Different games, and standard errors from a threshold, before an early end.
const MIN_GAMES: usize = 48;
const CERTAIN: f64 = 3.0;

/// The p-value that fails.
const MAX_P: f64 = 0.01;

/// The widest margin of error of a pass.
const MAX_MARGIN: f64 = 0.14;

/// White's score, and its standard error.
fn share_and_error(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let share = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|point| (point - share).powi(2)).sum::<f64>() / count;
    (share, (variance / count).sqrt().max(1e-6))
}

fn is_certain(points: &[f64]) -> bool {
    let (share, error) = share_and_error(points);
    let nearest = (share - BOUNDS.0).abs().min((share - BOUNDS.1).abs());
    points.len() >= MIN_GAMES && nearest > CERTAIN * error
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let mut seen = HashSet::new();
    let (mut played, mut repeated) = (0, 0);
    let mut points = Vec::new();
    for opening in openings(exam.pick(20, 160), 83) {
        if !exam.has_time() || is_certain(&points) {
            break;
        }
        let Some((white_points, game)) = play(exam, opening) else { continue };
        played += 1;
        let moves: Vec<u16> = game.moves().iter().map(|mv| mv.bits()).collect();
        if seen.insert(moves) {
            points.push(white_points);
        } else {
            repeated += 1;
        }
    }
    if points.len() < 16 {
        let why = too_few(points.len(), "different game", "different games");
        return Ok(vec![Finding::skipped(FindingId::SelfPlayWhiteScore, why)]);
    }
    let (share, error) = share_and_error(&points);
    let outside = (share - BOUNDS.1).max(BOUNDS.0 - share) / error;
    let p = 1.0 - normal_cdf(outside);
    if p >= MAX_P && 1.96 * error > MAX_MARGIN {
        let (games, percent, error) = (points.len(), 100.0 * share, 196.0 * error);
        let why = format!("only {games} different games: White scores {percent:.1} % ± {error:.1}");
        return Ok(vec![Finding::skipped(FindingId::SelfPlayWhiteScore, why)]);
    }
    let verdict = if p < MAX_P {
        Verdict::Fail
    } else if repeated * 20 > played {
        Verdict::Warning
    } else {
        Verdict::Pass
    };
    let finding = Finding::new(
        FindingId::SelfPlayWhiteScore,
        verdict,
        format!(
            "White scores {:.1} % ± {:.1} in {} different games ({repeated} repeated)",
            100.0 * share,
            196.0 * error,
            points.len()
        ),
    )
    .effect(100.0 * share)
    .confidence(Confidence {
        level: if verdict == Verdict::Fail { 1.0 - p } else { p },
        basis: format!("p = {:.3}: other side of the threshold, {} games", p.min(1.0 - p), points.len()),
    })
    .error(196.0 * error)
    .threshold(format!(
        "outside of {:.0} to {:.0} % with p < {MAX_P}; more than 5 % repeated games are a warning",
        100.0 * BOUNDS.0,
        100.0 * BOUNDS.1
    ))
    .samples(points.len())
    .measure(Measure::RepeatedGames, f64::from(repeated));
    Ok(vec![finding])
}

/// White's points and the game.
fn play(exam: &mut Examination, opening: Position) -> Option<(f64, Game)> {
    const MAX_PLIES: usize = 200;
    let mut game = Game::new(opening);
    let mut ahead = 0;
    exam.engine.new_game().ok()?;
    let go = exam.go_nodes(3000);
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if !exam.has_time() {
            return None;
        }
        let result = exam.engine.search_game(&game, &go, Duration::from_secs(2)).ok()?;
        let mv = game.position().parse_uci(result.best.as_deref()?).ok()?;
        game.play(mv);
        let balance = material(game.position());
        ahead = if balance.abs() >= 5 { ahead + balance.signum() } else { 0 };
        if ahead.abs() >= 6 {
            return Some((if ahead > 0 { 1.0 } else { 0.0 }, game));
        }
    }
    let points = match game.outcome().and_then(chess::Outcome::winner) {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    };
    Some((points, game))
}

/// White's material minus Black's, in pawns.
fn material(position: &Position) -> i32 {
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        .iter()
        .map(|&(role, value)| {
            value * (position.count(Color::White, role) as i32 - position.count(Color::Black, role) as i32)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_results_end_early() {
        let games = |count: usize, wins: usize| -> Vec<f64> {
            (0..count).map(|game| f64::from(u8::from(game % 10 < wins))).collect()
        };
        assert!(!is_certain(&games(40, 10)), "too few games");
        assert!(is_certain(&games(50, 10)), "White wins all");
        assert!(!is_certain(&games(100, 6)), "60 of 100 may be 68 %");
        assert!(is_certain(&[0.5; 48]), "all drawn");
    }
}
