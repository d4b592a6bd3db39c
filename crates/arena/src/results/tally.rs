//! The running score of a match, built from game summaries in any order.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::summary::{GameSummary, TimeUse};
use crate::config::MatchConfig;
use crate::knockout::Knockout;
use record::game_end::Termination;
use stats::{Distribution, Estimate, Pentanomial, Rating, Trinomial, rate};

/// Results of one pairing, from the point of view of the engine with the lower index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encounter {
    /// Games in which the first engine had White.
    pub as_white: Trinomial,
    /// Games in which the first engine had Black.
    pub as_black: Trinomial,
    /// Games that another program played: only their results are known.
    pub imported: Trinomial,
    pub pairs: Pentanomial,
    /// The games of complete pairs.
    pub paired: Trinomial,
    /// Pairs with one point each that were a win and a loss, not two draws.
    pub split_pairs: u64,
}

impl Encounter {
    pub fn games(&self) -> Trinomial {
        let mut sum = self.as_white;
        add(&mut sum, self.as_black);
        add(&mut sum, self.imported);
        sum
    }

    /// The games that a report counts: with pentanomial statistics those of complete pairs, as in fastchess.
    pub fn counted(&self, by_pairs: bool) -> Trinomial {
        if by_pairs { self.paired } else { self.games() }
    }

    /// The distribution of pairs or of games.
    pub fn distribution(&self, by_pairs: bool) -> Distribution {
        if by_pairs { self.pairs.distribution() } else { self.games().distribution() }
    }

    pub fn estimate(&self, by_pairs: bool) -> Option<Estimate> {
        Estimate::from_distribution(&self.distribution(by_pairs))
    }
}

fn add(sum: &mut Trinomial, part: Trinomial) {
    sum.losses += part.losses;
    sum.draws += part.draws;
    sum.wins += part.wins;
}

/// Both games from one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningPair {
    pub meeting: u64,
    /// The opening's index in the book, if the games are known.
    pub opening: Option<usize>,
    /// Twice the points of the engine with the lower index, 0 to 4.
    pub half_points: u8,
    /// Twice White's points in both games, 0 to 4: at 0 and 4 the same colour won both games.
    pub white_half_points: Option<u8>,
}

/// Highest share of repeated games in a valid match.
const MAX_REPEATED: f64 = 0.05;

/// How many games are distinct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DistinctGames {
    pub games: u64,
    pub distinct: u64,
}

impl DistinctGames {
    /// The share of games that repeat an earlier one.
    pub fn repeated(self) -> f64 {
        if self.games == 0 { 0.0 } else { (self.games - self.distinct) as f64 / self.games as f64 }
    }

    /// Whether few games are repeated. A single one may be chance.
    pub fn is_valid(self) -> bool {
        self.games - self.distinct <= 1 || self.repeated() <= MAX_REPEATED
    }
}

#[derive(Clone, Debug)]
pub struct Tally {
    engines: usize,
    paired: bool,
    encounters: BTreeMap<(usize, usize), Encounter>,
    /// Pairs with one finished game: twice the points of the first engine, and of White if they are known.
    halves: HashMap<u64, (u8, Option<u8>)>,
    opening_pairs: Vec<OpeningPair>,
    digests: HashMap<u64, u32>,
    faults: BTreeMap<(usize, Termination), u64>,
    terminations: BTreeMap<Termination, u64>,
    time: Vec<TimeUse>,
    games: u64,
    by_color: Trinomial,
    playing_time: Duration,
    plies: u64,
    /// Games that are known move by move.
    known: u64,
    warnings: u64,
    knockout: Option<Knockout>,
}

impl Tally {
    /// `paired`: the two games of a meeting have swapped colours.
    pub fn new(engines: usize, paired: bool) -> Self {
        Self {
            engines,
            paired,
            encounters: BTreeMap::new(),
            halves: HashMap::new(),
            opening_pairs: Vec::new(),
            digests: HashMap::new(),
            faults: BTreeMap::new(),
            terminations: BTreeMap::new(),
            time: vec![TimeUse::default(); engines],
            games: 0,
            by_color: Trinomial::default(),
            playing_time: Duration::ZERO,
            plies: 0,
            known: 0,
            warnings: 0,
            knockout: None,
        }
    }

    pub fn of(config: &MatchConfig, games: &[GameSummary]) -> Self {
        let mut tally = Self::new(config.engines.len(), config.schedule.is_paired());
        tally.knockout = Knockout::new(&config.schedule);
        for game in games {
            tally.add(game);
        }
        tally
    }

    pub fn add(&mut self, game: &GameSummary) {
        let first_is_white = game.white < game.black;
        let key = (game.white.min(game.black), game.white.max(game.black));
        let half_points = if first_is_white { game.white_half_points } else { 2 - game.white_half_points };
        // Of a game of another program only the result is known, not who had White.
        let is_known = game.termination != Termination::Unknown;
        let encounter = self.encounters.entry(key).or_default();
        let games = match first_is_white {
            _ if !is_known => &mut encounter.imported,
            true => &mut encounter.as_white,
            false => &mut encounter.as_black,
        };
        games.add(half_points);
        self.games += 1;
        let white = is_known.then_some(game.white_half_points);
        if let Some(white) = white {
            self.by_color.add(white);
        }
        if self.paired {
            match self.halves.remove(&game.meeting) {
                None => {
                    self.halves.insert(game.meeting, (half_points, white));
                }
                Some((other, other_white)) => {
                    encounter.pairs.add(half_points + other);
                    encounter.paired.add(half_points);
                    encounter.paired.add(other);
                    encounter.split_pairs += u64::from(half_points + other == 2 && half_points != 1);
                    self.opening_pairs.push(OpeningPair {
                        meeting: game.meeting,
                        opening: is_known.then_some(game.opening),
                        half_points: half_points + other,
                        white_half_points: white.zip(other_white).map(|(white, other)| white + other),
                    });
                }
            }
        }
        if is_known {
            *self.digests.entry(game.digest).or_default() += 1;
            self.known += 1;
        }
        *self.terminations.entry(game.termination).or_default() += 1;
        if let Some(culprit) = game.culprit {
            *self.faults.entry((culprit, game.termination)).or_default() += 1;
        }
        self.time[game.white].add(&game.time[0]);
        self.time[game.black].add(&game.time[1]);
        self.playing_time = self.playing_time.saturating_add(game.duration);
        self.plies = self.plies.saturating_add(game.plies as u64);
        self.warnings = self.warnings.saturating_add(game.warnings as u64);
        if let Some(knockout) = &mut self.knockout {
            knockout.add(game.index, game.white_half_points);
        }
    }

    /// The bracket of a knockout.
    pub fn knockout(&self) -> Option<&Knockout> {
        self.knockout.as_ref()
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games that are known move by move: all, unless another program began the match.
    pub fn known_games(&self) -> u64 {
        self.known
    }

    /// Results of two engines, from the point of view of `first`.
    pub fn encounter(&self, first: usize, second: usize) -> Encounter {
        let found = self.encounters.get(&(first.min(second), first.max(second))).copied().unwrap_or_default();
        if first <= second {
            return found;
        }
        Encounter {
            as_white: found.as_black.reversed(),
            as_black: found.as_white.reversed(),
            imported: found.imported.reversed(),
            pairs: found.pairs.reversed(),
            paired: found.paired.reversed(),
            split_pairs: found.split_pairs,
        }
    }

    /// Results of one engine against all others.
    pub fn total(&self, engine: usize) -> Encounter {
        let mut sum = Encounter::default();
        for other in (0..self.engines).filter(|&other| other != engine) {
            let part = self.encounter(engine, other);
            add(&mut sum.as_white, part.as_white);
            add(&mut sum.as_black, part.as_black);
            add(&mut sum.imported, part.imported);
            add(&mut sum.paired, part.paired);
            for (to, from) in sum.pairs.counts.iter_mut().zip(part.pairs.counts) {
                *to += from;
            }
            sum.split_pairs += part.split_pairs;
        }
        sum
    }

    pub fn ratings(&self, by_pairs: bool) -> Vec<Rating> {
        rate(self.engines, |i, j| self.encounter(i, j).counted(by_pairs))
    }

    /// All known games from White's point of view.
    pub fn by_color(&self) -> Trinomial {
        self.by_color
    }

    /// Finished pairs.
    pub fn opening_pairs(&self) -> &[OpeningPair] {
        &self.opening_pairs
    }

    pub fn distinct(&self) -> DistinctGames {
        DistinctGames { games: self.known, distinct: self.digests.len() as u64 }
    }

    /// Games lost by a fault, by engine and kind.
    pub fn faults(&self) -> &BTreeMap<(usize, Termination), u64> {
        &self.faults
    }

    pub fn terminations(&self) -> &BTreeMap<Termination, u64> {
        &self.terminations
    }

    pub fn time_use(&self, engine: usize) -> &TimeUse {
        &self.time[engine]
    }

    pub fn mean_plies(&self) -> f64 {
        if self.known == 0 { 0.0 } else { self.plies as f64 / self.known as f64 }
    }

    pub fn mean_duration(&self) -> Option<Duration> {
        let games = u32::try_from(self.known).ok().filter(|&games| games > 0)?;
        Some(self.playing_time / games)
    }

    pub fn warnings(&self) -> u64 {
        self.warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(index: u64, white: usize, black: usize, white_half_points: u8) -> GameSummary {
        GameSummary {
            index,
            meeting: index / 2,
            opening: 0,
            white,
            black,
            white_half_points,
            termination: Termination::Checkmate,
            culprit: None,
            plies: 80,
            digest: index,
            time: [TimeUse::default(); 2],
            duration: Duration::from_secs(2),
            warnings: 0,
        }
    }

    #[test]
    fn pairs_do_not_depend_on_order() {
        let games = [game(0, 0, 1, 2), game(1, 1, 0, 1), game(2, 0, 1, 0), game(3, 1, 0, 0)];
        let tally = |order: [usize; 4]| {
            let mut tally = Tally::new(2, true);
            for i in order {
                tally.add(&games[i]);
            }
            tally
        };
        let encounter = tally([0, 1, 2, 3]).encounter(0, 1);
        assert_eq!(encounter, tally([3, 0, 1, 2]).encounter(0, 1));
        assert_eq!(encounter.pairs.counts, [0, 0, 1, 1, 0]);
        assert_eq!(encounter.split_pairs, 1);
        assert_eq!(encounter.games(), Trinomial { losses: 1, draws: 1, wins: 2 });
        assert_eq!(encounter.as_white, Trinomial { losses: 1, draws: 0, wins: 1 });
    }

    #[test]
    fn encounter_reversed() {
        let mut tally = Tally::new(2, true);
        for game in [game(0, 0, 1, 2), game(1, 1, 0, 1)] {
            tally.add(&game);
        }
        let other = tally.encounter(1, 0);
        assert_eq!(other.pairs.counts, [0, 1, 0, 0, 0]);
        assert_eq!(other.as_black, Trinomial { losses: 1, draws: 0, wins: 0 });
        assert_eq!(tally.total(1), other);
    }

    /// The colours of games that another program played are not known, so nothing is said of them.
    #[test]
    fn imported_games_have_no_colours() {
        let mut tally = Tally::new(2, true);
        for (index, white, black, half_points) in [(0, 0, 1, 2), (1, 1, 0, 2)] {
            tally.add(&GameSummary {
                termination: Termination::Unknown,
                ..game(index, white, black, half_points)
            });
        }
        for game in [game(2, 0, 1, 2), game(3, 1, 0, 1)] {
            tally.add(&game);
        }
        let encounter = tally.encounter(0, 1);
        assert_eq!((tally.games(), tally.known_games()), (4, 2));
        assert_eq!(encounter.games(), Trinomial { losses: 1, draws: 1, wins: 2 });
        assert_eq!(encounter.imported, Trinomial { losses: 1, draws: 0, wins: 1 });
        assert_eq!(encounter.pairs.counts, [0, 0, 1, 1, 0]);
        assert_eq!(tally.by_color(), Trinomial { losses: 0, draws: 1, wins: 1 });
        let white: Vec<_> = tally.opening_pairs().iter().map(|pair| pair.white_half_points).collect();
        assert_eq!(white, [None, Some(3)]);
    }

    #[test]
    fn unfinished_pair_does_not_count() {
        let mut tally = Tally::new(2, true);
        tally.add(&game(0, 0, 1, 2));
        let encounter = tally.encounter(0, 1);
        assert_eq!((encounter.pairs.pairs(), encounter.counted(true).games()), (0, 0));
        assert_eq!((tally.games(), encounter.counted(false).games()), (1, 1));
        tally.add(&game(3, 1, 0, 2));
        tally.add(&game(1, 1, 0, 1));
        let encounter = tally.encounter(0, 1);
        assert_eq!(encounter.counted(true), Trinomial { losses: 0, draws: 1, wins: 1 });
        assert_eq!((encounter.pairs.counts, tally.games()), ([0, 0, 0, 1, 0], 3));
        assert_eq!(tally.encounter(1, 0).counted(true), Trinomial { losses: 1, draws: 1, wins: 0 });
    }

    #[test]
    fn repeated_games_invalidate_the_match() {
        let mut tally = Tally::new(2, true);
        for index in 0..100 {
            tally.add(&GameSummary { digest: index.min(93), ..game(index, 0, 1, 1) });
        }
        assert_eq!(tally.distinct(), DistinctGames { games: 100, distinct: 94 });
        assert!(!tally.distinct().is_valid());
        assert!(DistinctGames { games: 100, distinct: 95 }.is_valid());
        assert!(DistinctGames { games: 2, distinct: 1 }.is_valid());
        assert!(!DistinctGames { games: 4, distinct: 2 }.is_valid());
    }

    #[test]
    fn faults_are_counted_per_engine() {
        let mut tally = Tally::new(2, true);
        let time = GameSummary { culprit: Some(1), termination: Termination::Time, ..game(0, 0, 1, 2) };
        tally.add(&time);
        assert_eq!(tally.faults().get(&(1, Termination::Time)), Some(&1));
    }
}
