//! Anomalies of a set of games. A finding must be both large enough to matter and statistically significant.

use std::fmt;

use chess::Color;

use super::Audit;

/// An anomaly.
#[derive(Clone, PartialEq, Debug)]
pub enum Anomaly {
    /// There are no games and no positions.
    Nothing,
    /// Damaged sections.
    Broken {
        /// Number of sections.
        places: usize,
        bytes: u64,
    },
    /// Games whose final position contradicts their result.
    WrongResults {
        games: u64,
        /// The first one, with its file.
        first: String,
    },
    /// Games whose loser was far ahead at the end.
    Contradictions(u64),
    /// Rate of duplicate games.
    DuplicateGames(f64),
    /// Rate of duplicate positions.
    DuplicatePositions(f64),
    /// White's score.
    UnequalResults(f64),
    /// Draw rate.
    Drawish(f64),
    /// Scores do not predict results, by side to move.
    UnrelatedScores(Color),
    /// Results favour White beyond the scores, in centipawns.
    ShiftedScores(f64),
    /// Scores seem to belong to other positions: how much worse positions look to their side to move than
    /// their neighbours, in centipawns.
    DisplacedScores(f64),
    /// The king squares of both sides differ.
    UnequalKings(f64),
}

/// Standard errors for significance.
const BEYOND_CHANCE: f64 = 4.0;
/// More duplicate games than short games explain.
const MOST_DOUBLE_GAMES: f64 = 0.005;
/// Some duplicates are normal: openings, repetitions.
const MOST_DOUBLE_POSITIONS: f64 = 0.25;
/// White's first-move advantage is a few percent, not more.
const WHITE_SHARE: std::ops::RangeInclusive<f64> = 0.45..=0.60;
/// With more draws there is little to train on.
const MOST_DRAWS: f64 = 0.85;
/// If twenty pawns multiply the odds by less than e, scores mean nothing.
const FLATTEST: f64 = 1.0 / 2000.0;
/// A smaller shift does not matter in training.
const LARGEST_SHIFT: f64 = 15.0;
/// The largest acceptable share of games that contradict their scores.
const MOST_CONTRADICTIONS: f64 = 0.002;
/// Both sides castle a little differently.
const LARGEST_KING_ASYMMETRY: f64 = 0.15;
/// With fewer games or single positions, king squares are noise.
const ENOUGH_GAMES: u64 = 1000;

pub(super) fn all(audit: &Audit) -> Vec<Anomaly> {
    let mut findings = Vec::new();
    if audit.records() == 0 {
        findings.push(Anomaly::Nothing);
    }
    if !audit.damage.is_empty() {
        let bytes = audit.damage.iter().map(|(_, damage)| damage.bytes).sum();
        findings.push(Anomaly::Broken { places: audit.damage.len(), bytes });
    }
    if let Some(before) = audit.before_wrong_result {
        let first = name_of_game(audit, before);
        findings.push(Anomaly::WrongResults { games: audit.wrong_results, first });
    }
    if audit.contradictions as f64 > MOST_CONTRADICTIONS * audit.games as f64 {
        findings.push(Anomaly::Contradictions(audit.contradictions));
    }
    findings.extend(duplicates(audit));
    findings.extend(results(audit));
    findings.extend(scores(audit));
    let asymmetry = audit.coverage.king_asymmetry();
    if audit.records() >= ENOUGH_GAMES && asymmetry > LARGEST_KING_ASYMMETRY {
        findings.push(Anomaly::UnequalKings(asymmetry));
    }
    findings
}

/// A game by its number and file, if known.
fn name_of_game(audit: &Audit, mut before: u64) -> String {
    for (file, games) in &audit.files {
        if before < *games {
            return format!("game {} of {}", before + 1, file.display());
        }
        before -= games;
    }
    format!("game {}", before + 1)
}

fn duplicates(audit: &Audit) -> Vec<Anomaly> {
    let mut findings = Vec::new();
    let games = audit.distinct_games.duplicate_share();
    if games > MOST_DOUBLE_GAMES {
        findings.push(Anomaly::DuplicateGames(games));
    }
    let positions = audit.distinct_positions.duplicate_share();
    if positions > MOST_DOUBLE_POSITIONS {
        findings.push(Anomaly::DuplicatePositions(positions));
    }
    findings
}

fn results(audit: &Audit) -> Vec<Anomaly> {
    let mut findings = Vec::new();
    let games = audit.records() as f64;
    let [losses, draws, wins] = audit.results.map(|count| count as f64 / games.max(1.0));
    let share = audit.white_share();
    let error = ((wins + draws / 4.0 - share * share).max(0.0) / games.max(1.0)).sqrt();
    let outside = (WHITE_SHARE.start() - share).max(share - WHITE_SHARE.end());
    if losses + draws + wins > 0.0 && outside > BEYOND_CHANCE * error {
        findings.push(Anomaly::UnequalResults(share));
    }
    if audit.records() >= ENOUGH_GAMES && draws > MOST_DRAWS {
        findings.push(Anomaly::Drawish(draws));
    }
    findings
}

fn scores(audit: &Audit) -> Vec<Anomaly> {
    let mut findings = Vec::new();
    let is_unrelated = |&color: &Color| {
        let fit = audit.calibration(Some(color));
        fit.is_some_and(|fit| fit.slope + BEYOND_CHANCE * fit.slope_error < FLATTEST)
    };
    let unrelated: Vec<Color> = Color::ALL.into_iter().filter(is_unrelated).collect();
    if unrelated.is_empty()
        && let Some(fit) = audit.calibration(None)
        && fit.intercept.abs() > BEYOND_CHANCE * fit.intercept_error
        && fit.shift().abs() > LARGEST_SHIFT
    {
        findings.push(Anomaly::ShiftedScores(fit.shift()));
    }
    findings.extend(unrelated.into_iter().map(Anomaly::UnrelatedScores));
    if audit.mover_edge.mean() < -BEYOND_CHANCE * audit.mover_edge.error() {
        findings.push(Anomaly::DisplacedScores(-audit.mover_edge.mean()));
    }
    findings
}

impl fmt::Display for Anomaly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: &f64| format!("{:.1} %", 100.0 * share);
        match self {
            Anomaly::Nothing => f.write_str("no games"),
            Anomaly::Broken { places, bytes } => {
                write!(f, "{places} damaged sections with {bytes} bytes were skipped")
            }
            Anomaly::WrongResults { games: 1, first } => {
                write!(f, "the final position of {first} contradicts its result")
            }
            Anomaly::WrongResults { games, first } => write!(
                f,
                "the final positions of {games} games contradict their results; the first is {first}"
            ),
            Anomaly::Contradictions(games) => {
                write!(f, "{games} games were lost by the side that was ten pawns ahead at the end")
            }
            Anomaly::DuplicateGames(share) => {
                write!(f, "{} of the games are duplicates", percent(share))
            }
            Anomaly::DuplicatePositions(share) => {
                write!(f, "{} of the positions are duplicates", percent(share))
            }
            Anomaly::UnequalResults(share) => {
                write!(f, "White scores {}: the evaluation may not be colour-symmetric", percent(share))
            }
            Anomaly::Drawish(share) => write!(f, "{} of the games are drawn", percent(share)),
            Anomaly::UnrelatedScores(color) => write!(
                f,
                "with {color} to move, scores do not correlate with results; are they from White's point of view?"
            ),
            Anomaly::ShiftedScores(shift) => {
                let (side, shift) = if *shift > 0.0 { ("White", *shift) } else { ("Black", -shift) };
                write!(
                    f,
                    "results favour {side} beyond the scores, as if all scores were off by {shift:.0} centipawns"
                )
            }
            Anomaly::DisplacedScores(edge) => write!(
                f,
                "positions look {edge:.1} centipawns worse to their side to move than their neighbours; \
                 scores may be one ply off"
            ),
            Anomaly::UnequalKings(asymmetry) => {
                write!(f, "the king squares of both sides differ ({})", percent(asymmetry))
            }
        }
    }
}
