//! What looks wrong with a set of games. A finding must be both large enough to matter and statistically
//! significant.

use std::fmt;

use chess::Color;

use super::Audit;

/// Something suspicious.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// There are no games.
    Nothing,
    /// Bytes that are no game: how often, and how many.
    Broken {
        /// Places.
        places: usize,
        /// Bytes.
        bytes: u64,
    },
    /// Games that ended on the board with another result than they claim.
    WrongResults {
        /// How many.
        games: u64,
        /// The first one: game and file.
        first: String,
    },
    /// Games whose loser was far ahead at the end.
    Contradictions(u64),
    /// Share of games that occur more than once.
    DuplicateGames(f64),
    /// Share of positions that occur more than once.
    DuplicatePositions(f64),
    /// Share of White's points.
    UnequalResults(f64),
    /// Share of games that are drawn.
    Drawish(f64),
    /// Scores do not predict results, by side to move.
    UnrelatedScores(Color),
    /// Results favour White beyond the scores, in centipawns.
    ShiftedScores(f64),
    /// Scores seem to stand beside the wrong positions: how much worse positions look to their side to move
    /// than their neighbours, in centipawns.
    DisplacedScores(f64),
    /// The kings of both sides stand differently.
    UnequalKings(f64),
}

/// Standard errors for significance.
const BEYOND_CHANCE: f64 = 4.0;
/// More double games than this are no accident of short games.
const MOST_DOUBLE_GAMES: f64 = 0.005;
/// Openings and repetitions make some duplicates.
const MOST_DOUBLE_POSITIONS: f64 = 0.25;
/// White's first-move advantage is a few percent, not more.
const WHITE_SHARE: std::ops::RangeInclusive<f64> = 0.45..=0.60;
/// With so many draws there is little to train on.
const MOST_DRAWS: f64 = 0.85;
/// If twenty pawns multiply the odds by less than e, scores say nothing.
const FLATTEST: f64 = 1.0 / 2000.0;
/// A shift of less is lost in the noise of training.
const LARGEST_SHIFT: f64 = 15.0;
/// More games than this share should not contradict their scores.
const MOST_CONTRADICTIONS: f64 = 0.002;
/// Kings castle differently for both sides, a little.
const LARGEST_KING_ASYMMETRY: f64 = 0.15;
/// With fewer games king squares are noise.
const ENOUGH_GAMES: u64 = 1000;

/// Everything that is suspicious about the games.
pub(super) fn all(audit: &Audit) -> Vec<Finding> {
    let mut findings = Vec::new();
    if audit.games == 0 {
        findings.push(Finding::Nothing);
    }
    if !audit.damage.is_empty() {
        let bytes = audit.damage.iter().map(|(_, damage)| damage.bytes).sum();
        findings.push(Finding::Broken { places: audit.damage.len(), bytes });
    }
    if let Some(before) = audit.before_wrong_result {
        let first = name_of_game(audit, before);
        findings.push(Finding::WrongResults { games: audit.wrong_results, first });
    }
    if audit.contradictions as f64 > MOST_CONTRADICTIONS * audit.games as f64 {
        findings.push(Finding::Contradictions(audit.contradictions));
    }
    findings.extend(duplicates(audit));
    findings.extend(results(audit));
    findings.extend(scores(audit));
    let asymmetry = audit.coverage.king_asymmetry();
    if audit.games >= ENOUGH_GAMES && asymmetry > LARGEST_KING_ASYMMETRY {
        findings.push(Finding::UnequalKings(asymmetry));
    }
    findings
}

/// A game by its number and its file, as far as the audit was told about files.
fn name_of_game(audit: &Audit, mut before: u64) -> String {
    for (file, games) in &audit.files {
        if before < *games {
            return format!("game {} of {}", before + 1, file.display());
        }
        before -= games;
    }
    format!("game {}", before + 1)
}

fn duplicates(audit: &Audit) -> Vec<Finding> {
    let mut findings = Vec::new();
    let games = audit.distinct_games.duplicate_share();
    if games > MOST_DOUBLE_GAMES {
        findings.push(Finding::DuplicateGames(games));
    }
    let positions = audit.distinct_positions.duplicate_share();
    if positions > MOST_DOUBLE_POSITIONS {
        findings.push(Finding::DuplicatePositions(positions));
    }
    findings
}

fn results(audit: &Audit) -> Vec<Finding> {
    let mut findings = Vec::new();
    let games = audit.games as f64;
    let [losses, draws, wins] = audit.results.map(|count| count as f64 / games.max(1.0));
    let share = audit.white_share();
    let error = ((wins + draws / 4.0 - share * share).max(0.0) / games.max(1.0)).sqrt();
    let outside = (WHITE_SHARE.start() - share).max(share - WHITE_SHARE.end());
    if losses + draws + wins > 0.0 && outside > BEYOND_CHANCE * error {
        findings.push(Finding::UnequalResults(share));
    }
    if audit.games >= ENOUGH_GAMES && draws > MOST_DRAWS {
        findings.push(Finding::Drawish(draws));
    }
    findings
}

fn scores(audit: &Audit) -> Vec<Finding> {
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
        findings.push(Finding::ShiftedScores(fit.shift()));
    }
    findings.extend(unrelated.into_iter().map(Finding::UnrelatedScores));
    if audit.mover_edge.mean() < -BEYOND_CHANCE * audit.mover_edge.error() {
        findings.push(Finding::DisplacedScores(-audit.mover_edge.mean()));
    }
    findings
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: &f64| format!("{:.1} %", 100.0 * share);
        match self {
            Finding::Nothing => f.write_str("there are no games"),
            Finding::Broken { places, bytes } => {
                write!(f, "{places} places with {bytes} bytes that are no game; they were left out")
            }
            Finding::WrongResults { games: 1, first } => {
                write!(f, "{first} ended on the board with another result than it claims")
            }
            Finding::WrongResults { games, first } => write!(
                f,
                "{games} games ended on the board with another result than they claim, {first} first of them"
            ),
            Finding::Contradictions(games) => {
                write!(f, "{games} games were lost by the side that was ten pawns ahead at the end")
            }
            Finding::DuplicateGames(share) => {
                write!(f, "{} of the games occur more than once", percent(share))
            }
            Finding::DuplicatePositions(share) => {
                write!(f, "{} of the positions occur more than once", percent(share))
            }
            Finding::UnequalResults(share) => {
                write!(f, "White scores {} of the points: the colours are not treated alike", percent(share))
            }
            Finding::Drawish(share) => write!(f, "{} of the games are drawn", percent(share)),
            Finding::UnrelatedScores(color) => write!(
                f,
                "with {color} to move, scores do not go with results; are they really from White's view?"
            ),
            Finding::ShiftedScores(shift) => {
                let (side, shift) = if *shift > 0.0 { ("White", *shift) } else { ("Black", -shift) };
                write!(
                    f,
                    "results favour {side} beyond the scores, as if all scores were off by {shift:.0} \
                     centipawns"
                )
            }
            Finding::DisplacedScores(edge) => write!(
                f,
                "positions look {edge:.1} centipawns worse to their side to move than their neighbours; \
                 scores may stand one move too early or too late"
            ),
            Finding::UnequalKings(asymmetry) => {
                write!(f, "the kings of both sides stand differently ({})", percent(asymmetry))
            }
        }
    }
}
