//! White's share of points in games of the engine against itself, from varied openings, counted by colour.

use std::collections::HashSet;
use std::time::Duration;

use chess::{Color, Game, Position, Role};

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict};
use crate::patient::Trouble;
use crate::samples::openings;
use crate::sureness::Sureness;
use stats::normal_cdf;

/// The check.
pub const CHECK: Check = Check {
    name: "self-play",
    group: Group::Colour,
    title: "White's share in games against itself",
    method: "Plays the engine against itself at 3,000 nodes a move from varied openings, each once, and counts points by \
             colour. A side that is a rook ahead for six half moves has won. Games with the same moves count once: a \
             deterministic engine that replays one game has a sample of one. Ends after 48 different games when the \
             share is three standard errors inside the bounds or outside, and after 160 at the latest.",
    seconds: (0, 70),
    run,
};

/// White scores 50 to 58 % in sound engines. Only what is surely outside of these bounds is a fault.
const BOUNDS: (f64, f64) = (0.40, 0.68);

/// Different games before which no result is certain enough to end, and standard errors from a bound that are.
const FEWEST: usize = 48;
const CERTAIN: f64 = 3.0;

/// Probability below which a share outside of the bounds is no accident.
const ALARM: f64 = 0.01;

/// Error of 95 % beyond which a share inside of the bounds says nothing.
const WIDEST: f64 = 0.14;

/// White's share of the points, and its standard error.
fn share_and_error(points: &[f64]) -> (f64, f64) {
    let count = points.len() as f64;
    let share = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|point| (point - share).powi(2)).sum::<f64>() / count;
    (share, (variance / count).sqrt().max(1e-6))
}

/// Whether further games would hardly change the verdict.
fn is_certain(points: &[f64]) -> bool {
    let (share, error) = share_and_error(points);
    let nearest = (share - BOUNDS.0).abs().min((share - BOUNDS.1).abs());
    points.len() >= FEWEST && nearest > CERTAIN * error
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let mut seen = HashSet::new();
    let (mut played, mut repeated) = (0, 0);
    let mut points = Vec::new();
    for opening in openings(exam.pick(20, 160), 83) {
        if !exam.goes_on() || is_certain(&points) {
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
        let why = format!("only {} different games were finished", points.len());
        return Ok(vec![Finding::unmeasured("self-play", "white-share", why)]);
    }
    let (share, error) = share_and_error(&points);
    let outside = (share - BOUNDS.1).max(BOUNDS.0 - share) / error;
    let p = 1.0 - normal_cdf(outside);
    if p >= ALARM && 1.96 * error > WIDEST {
        let (games, percent, error) = (points.len(), 100.0 * share, 196.0 * error);
        let why = format!("{games} different games are too few: White scores {percent:.1} % ± {error:.1}");
        return Ok(vec![Finding::unmeasured("self-play", "white-share", why)]);
    }
    let verdict = if p < ALARM {
        Verdict::Alarm
    } else if repeated * 20 > played {
        Verdict::Notice
    } else {
        Verdict::Sound
    };
    let finding = Finding::new(
        "self-play",
        "white-share",
        verdict,
        format!(
            "White scores {:.1} % ± {:.1} in {} different games ({repeated} repeated)",
            100.0 * share,
            196.0 * error,
            points.len()
        ),
    )
    .effect("White's share", 100.0 * share, "%")
    .sure(Sureness {
        level: if verdict == Verdict::Alarm { 1.0 - p } else { p },
        basis: format!(
            "p = {:.3}: the other side of a bound, {} games by colour",
            p.min(1.0 - p),
            points.len()
        ),
    })
    .error(196.0 * error)
    .threshold("surely (p < 0.01) outside of 40 to 68 %; more than 5 % repeated games are a notice")
    .samples(points.len())
    .measure("repeated games", f64::from(repeated));
    Ok(vec![finding])
}

/// Plays one game; White's points and the game.
fn play(exam: &mut Examination, opening: Position) -> Option<(f64, Game)> {
    const MOST_PLIES: usize = 200;
    let mut game = Game::new(opening);
    let mut ahead = 0;
    exam.patient.new_game().ok()?;
    let go = exam.go_nodes(3000);
    while game.outcome().is_none() && game.moves().len() < MOST_PLIES {
        if !exam.goes_on() {
            return None;
        }
        let thinking = exam.patient.search_game(&game, &go, Duration::from_secs(2)).ok()?;
        let mv = game.position().parse_uci(thinking.best.as_deref()?).ok()?;
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

/// White's men minus Black's, in pawns.
fn material(position: &Position) -> i32 {
    [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
        .iter()
        .map(|&(role, worth)| {
            worth * (position.count(Color::White, role) as i32 - position.count(Color::Black, role) as i32)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_shares_end_early_and_close_ones_go_on() {
        let games = |count: usize, wins: usize| -> Vec<f64> {
            (0..count).map(|game| f64::from(u8::from(game % 10 < wins))).collect()
        };
        assert!(!is_certain(&games(40, 10)), "few games are never certain");
        assert!(is_certain(&games(50, 10)), "White wins all: surely outside");
        assert!(!is_certain(&games(100, 6)), "60 % of a hundred games without a draw may be 68 %");
        assert!(is_certain(&[0.5; 48]), "all drawn: surely inside");
    }
}
