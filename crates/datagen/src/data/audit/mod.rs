//! Statistics and anomalies of training games and positions: results, duplicates, calibration of scores, material,
//! king squares, colour symmetry.

mod coverage;
mod distinct;
mod finding;
mod logistic;
mod mean;
mod picture;
mod text;

pub use coverage::Coverage;
pub use distinct::Distinct;
pub use finding::Anomaly;
pub use logistic::{Fit, ScoredResult};
pub use mean::Mean;
pub use picture::{html, svg};

use chess::{Color, Outcome};
use record::dataset::DataFormat;
use record::packed::{Damage, Filter, PackedGame, PackedResult, Sample};
use std::path::PathBuf;

use super::source::ReadSummary;
use support::random::Random;

/// Maximum number of stored keys for duplicates. Beyond that they are sampled.
const REMEMBERED: usize = 4_000_000;

/// Games of which one position each is kept for calibration.
const SAMPLED: usize = 400_000;

/// Larger scores do not enter the calibration: nearly all are won.
const CALIBRATED: i16 = 1000;

/// Width of a score bin, in centipawns.
pub const SCORE_STEP: i32 = 25;
/// Bins on each side of zero.
pub const SCORE_CLASSES: usize = 60;
/// Width of a bin of game lengths, in plies.
pub const LENGTH_STEP: usize = 20;
/// Bins of game lengths; the last one has all longer games.
pub const LENGTH_CLASSES: usize = 26;

/// Positions of one score bin.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ScoreClass {
    /// How many there are.
    pub positions: u64,
    /// White's points in their games.
    pub white_points: f64,
}

/// The statistics. [`add`](Audit::add) all games first.
#[derive(Debug)]
pub struct Audit {
    pub games: u64,
    /// Positions that belong to no game, of files without moves.
    pub single_positions: u64,
    /// Games with a (double) Chess960 start position, by castling rights.
    pub chess960_games: u64,
    /// Games without a move.
    pub empty_games: u64,
    /// Games, and positions without one, by result: Black's wins, draws, White's wins.
    pub results: [u64; 3],
    /// Games by length, in bins of [`LENGTH_STEP`] plies.
    pub lengths: [u64; LENGTH_CLASSES],
    /// Length of the longest game, in plies.
    pub longest: usize,
    /// Games whose final position contradicts their result.
    pub wrong_results: u64,
    /// The index of the first of them.
    pub before_wrong_result: Option<u64>,
    /// Games whose last score contradicts their result.
    pub contradictions: u64,
    pub positions: u64,
    /// Positions that the default filter keeps.
    pub kept: u64,
    /// Positions with the side to move in check.
    pub checks: u64,
    /// Positions whose best move captures or promotes.
    pub noisy: u64,
    /// Positions with a mate score or a score beyond the bins.
    pub beyond: u64,
    /// Positions by score, from White's point of view.
    pub scores: Vec<ScoreClass>,
    pub distinct_games: Distinct,
    pub distinct_starts: Distinct,
    pub distinct_positions: Distinct,
    /// Pieces and kings.
    pub coverage: Coverage,
    /// White's score in the start position.
    pub first_score: Mean,
    /// How much better a position is for its side to move than the positions around it, by games.
    pub mover_edge: Mean,
    /// The files, with their numbers of games.
    pub files: Vec<(PathBuf, u64)>,
    /// Bytes of all files.
    pub bytes: u64,
    /// What could not be read.
    pub damage: Vec<(PathBuf, Damage)>,
    filter: Filter,
    sample: Vec<ScoredResult>,
    random: Random,
}

impl Default for Audit {
    fn default() -> Audit {
        Audit::new(Filter::default())
    }
}

impl Audit {
    /// An empty audit. It counts the positions that `filter` keeps.
    pub fn new(filter: Filter) -> Audit {
        Audit {
            games: 0,
            single_positions: 0,
            chess960_games: 0,
            empty_games: 0,
            results: [0; 3],
            lengths: [0; LENGTH_CLASSES],
            longest: 0,
            wrong_results: 0,
            before_wrong_result: None,
            contradictions: 0,
            positions: 0,
            kept: 0,
            checks: 0,
            noisy: 0,
            beyond: 0,
            scores: vec![ScoreClass::default(); 2 * SCORE_CLASSES + 1],
            distinct_games: Distinct::new(REMEMBERED),
            distinct_starts: Distinct::new(REMEMBERED),
            distinct_positions: Distinct::new(REMEMBERED),
            coverage: Coverage::default(),
            first_score: Mean::default(),
            mover_edge: Mean::default(),
            files: Vec::new(),
            bytes: 0,
            damage: Vec::new(),
            filter,
            sample: Vec::new(),
            // A fixed seed, so that audits are reproducible.
            random: Random::new(1),
        }
    }

    pub fn add(&mut self, game: &PackedGame) {
        self.games += 1;
        self.results[game.result as usize] += 1;
        self.chess960_games += u64::from(is_chess960(game));
        self.empty_games += u64::from(game.moves.is_empty());
        self.longest = self.longest.max(game.moves.len());
        self.lengths[(game.moves.len() / LENGTH_STEP).min(LENGTH_CLASSES - 1)] += 1;
        self.distinct_starts.add(game.start.key());
        self.distinct_games.add(key_of(game));
        self.contradictions += u64::from(contradicts(game));
        if let Some(&(_, score)) = game.moves.first() {
            self.first_score.add(f64::from(score.clamp(-CALIBRATED, CALIBRATED)));
        }
        if let Some(edge) = mover_edge(game) {
            self.mover_edge.add(edge);
        }
        let mut last = game.start;
        let chosen = self.random.below(game.moves.len().max(1));
        for sample in game.positions() {
            let keeps = self.filter.keeps(&sample);
            self.add_position(&sample, keeps);
            if sample.index == chosen {
                self.keep_point(&sample);
            }
            if sample.index + 1 == game.moves.len() {
                last = sample.mv.map_or(last, |mv| sample.position.after(mv));
            }
        }
        let wrong = |outcome: Outcome| {
            outcome.winner().map_or(PackedResult::Draw, PackedResult::win_of) != game.result
        };
        if last.outcome().is_some_and(wrong) {
            self.wrong_results += 1;
            self.before_wrong_result.get_or_insert(self.games - 1);
        }
    }

    /// Adds a position of a file without moves, which has this format.
    pub fn add_single(&mut self, sample: &Sample, format: DataFormat) {
        self.single_positions += 1;
        self.results[sample.result as usize] += 1;
        let keeps = format.filter(&self.filter).keeps(sample);
        self.add_position(sample, keeps);
        self.keep_point(sample);
    }

    /// Games, and positions without one: what has a result.
    pub fn records(&self) -> u64 {
        self.games + self.single_positions
    }

    /// Sets the files of the games, and their damage.
    pub fn add_reading(&mut self, reading: ReadSummary) {
        self.files.extend(reading.files);
        self.bytes += reading.bytes;
        self.damage.extend(reading.damage);
    }

    fn add_position(&mut self, sample: &Sample, keeps: bool) {
        let position = &sample.position;
        self.positions += 1;
        self.kept += u64::from(keeps);
        self.checks += u64::from(position.in_check());
        self.noisy += u64::from(sample.mv.is_some_and(|mv| position.is_noisy(mv)));
        self.distinct_positions.add(position.key());
        self.coverage.add(position);
        match class_of(sample.score) {
            Some(class) => {
                self.scores[class].positions += 1;
                self.scores[class].white_points += f64::from(sample.result.white_points());
            }
            None => self.beyond += 1,
        }
    }

    /// Keeps a position for calibration: one of each game, so that samples are independent. Reservoir sampling limits
    /// their number.
    fn keep_point(&mut self, sample: &Sample) {
        if sample.score.unsigned_abs() > CALIBRATED.unsigned_abs() {
            return;
        }
        let point = ScoredResult {
            score: f64::from(sample.score),
            points: f64::from(sample.result.white_points()),
            turn: sample.position.turn(),
        };
        if self.sample.len() < SAMPLED {
            self.sample.push(point);
        } else {
            let place = self.random.below(self.records() as usize);
            if let Some(old) = self.sample.get_mut(place) {
                *old = point;
            }
        }
    }

    /// The calibration curve, of all positions or of those of one side to move. `None` with too few games.
    pub fn calibration(&self, turn: Option<Color>) -> Option<Fit> {
        let wanted = |point: &&ScoredResult| turn.is_none_or(|turn| point.turn == turn);
        Fit::of(&self.sample.iter().filter(wanted).copied().collect::<Vec<_>>())
    }

    /// The curve from a side's score to its win probability (draws are not wins). Both sides of every
    /// position are included, so that it does not depend on colour.
    pub fn winning_chances(&self) -> Option<Fit> {
        let side =
            |score: f64, won: bool, turn| ScoredResult { score, points: f64::from(u8::from(won)), turn };
        let sides = |point: &ScoredResult| {
            let ScoredResult { score, points, turn } = *point;
            [side(score, points > 0.75, turn), side(-score, points < 0.25, turn)]
        };
        Fit::of(&self.sample.iter().flat_map(sides).collect::<Vec<_>>())
    }

    /// White's points per game or position, from 0 to 1.
    pub fn white_share(&self) -> f64 {
        let [_, draws, wins] = self.results;
        (wins as f64 + draws as f64 / 2.0) / self.records().max(1) as f64
    }

    pub fn findings(&self) -> Vec<Anomaly> {
        finding::all(self)
    }
}

/// The bin of a score, if there is one.
fn class_of(score: i16) -> Option<usize> {
    let class = (i32::from(score) + SCORE_STEP / 2).div_euclid(SCORE_STEP) + SCORE_CLASSES as i32;
    usize::try_from(class).ok().filter(|&class| class < 2 * SCORE_CLASSES + 1)
}

/// The score at the centre of a bin.
pub fn class_score(class: usize) -> i32 {
    (class as i32 - SCORE_CLASSES as i32) * SCORE_STEP
}

/// Whether the castling rights are not those of standard chess.
pub(super) fn is_chess960(game: &PackedGame) -> bool {
    use chess::{CastlingSide, File};
    let rights = game.start.castling();
    Color::ALL.into_iter().any(|color| {
        let home = |side, file| rights.rook(color, side).is_none_or(|rook| rook.file() == file);
        rights.any(color)
            && !(game.start.king(color).file() == File::E
                && home(CastlingSide::Short, File::H)
                && home(CastlingSide::Long, File::A))
    })
}

/// A hash of a game.
pub(super) fn key_of(game: &PackedGame) -> u64 {
    game.moves.iter().fold(game.start.key(), |key, (mv, _)| Random::new(key ^ u64::from(mv.bits())).bits())
}

/// Whether the last score is ten pawns or more for a side that did not win.
fn contradicts(game: &PackedGame) -> bool {
    let Some(&(_, score)) = game.moves.last() else { return false };
    match game.result {
        PackedResult::WhiteWins => score <= -CALIBRATED,
        PackedResult::BlackWins => score >= CALIBRATED,
        PackedResult::Draw => false,
    }
}

/// How much better positions look to their side to move than their two neighbours in the game, in centipawns.
/// A search is slightly optimistic for the side to move, so this is above zero unless scores are one ply off.
fn mover_edge(game: &PackedGame) -> Option<f64> {
    const UNDECIDED: i16 = 600;
    let mut edge = Mean::default();
    for (index, window) in game.moves.windows(3).enumerate() {
        let [before, here, after] = [window[0].1, window[1].1, window[2].1];
        if [before, here, after].iter().any(|score| score.unsigned_abs() > UNDECIDED.unsigned_abs()) {
            continue;
        }
        let hump = f64::from(here) - f64::midpoint(f64::from(before), f64::from(after));
        // The middle of the first window is the game's second position.
        let white_moves = (game.start.turn() == Color::White) == (index % 2 == 1);
        edge.add(if white_moves { hump } else { -hump });
    }
    (edge.count() > 0).then(|| edge.mean())
}

#[cfg(test)]
mod tests;
