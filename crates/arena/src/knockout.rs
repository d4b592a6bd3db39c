//! Single elimination: who meets in a round depends on the results of the round before.
//!
//! The number of a game says which encounter it belongs to, so a saved game has its place again when the match is resumed.

use std::collections::HashMap;

use support::random::Random;

use crate::schedule::{Job, Schedule, Tournament};

/// After this many tied tie-breaks the engine with the better place in the draw advances: deterministic engines could go on
/// for ever.
const TIE_BREAKS: u64 = 100;

/// Bounds on rounds and games, so that no number of a game overflows.
const LIMIT: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entrant {
    Engine(usize),
    /// The winner of an encounter with a lower number.
    Winner(usize),
}

#[derive(Clone, Debug)]
struct KnockoutMatch {
    /// From 0.
    stage: u64,
    entrants: [Entrant; 2],
    /// Twice the first entrant's points, by game.
    results: HashMap<u64, u8>,
    /// The next game to start, unless it is finished already.
    next: u64,
    winner: Option<usize>,
}

impl KnockoutMatch {
    /// Twice the points of both entrants in the games before `end`.
    fn half_points(&self, end: u64) -> [u64; 2] {
        let results = self.results.iter().filter(|&(&game, _)| game < end);
        results.fold([0; 2], |[first, second], (_, &points)| {
            [first + u64::from(points), second + u64::from(2 - points)]
        })
    }
}

/// An encounter for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncounterState {
    /// From 0.
    pub stage: u64,
    /// Engines, as far as they are known.
    pub players: [Option<usize>; 2],
    /// Twice their points.
    pub half_points: [u64; 2],
    pub winner: Option<usize>,
}

/// A knockout tournament and its results so far.
#[derive(Clone, Debug)]
pub struct Knockout {
    schedule: Schedule,
    /// The place of each engine in the draw, best first.
    places: Vec<usize>,
    encounters: Vec<KnockoutMatch>,
    stages: u64,
}

impl Knockout {
    /// `None` for other tournaments.
    pub fn new(schedule: &Schedule) -> Option<Self> {
        let Tournament::Knockout { seeds, draw } = schedule.tournament else { return None };
        let mut order: Vec<usize> = (0..schedule.engines).collect();
        Random::new(draw).shuffle(&mut order[seeds.min(schedule.engines)..]);
        let (encounters, stages) = bracket(&order);
        let mut places = vec![0; order.len()];
        for (place, &engine) in order.iter().enumerate() {
            places[engine] = place;
        }
        let schedule =
            Schedule { rounds: schedule.rounds.min(LIMIT), games: schedule.games.min(LIMIT), ..*schedule };
        Some(Self { schedule, places, encounters, stages })
    }

    /// Games of an encounter before tie-breaks.
    fn regular(&self) -> u64 {
        self.schedule.rounds * self.schedule.games
    }

    /// The number of a game of an encounter.
    fn index(&self, encounter: usize, game: u64) -> u64 {
        let (regular, games) = (self.regular(), self.schedule.games);
        let (encounter, encounters) = (encounter as u64, self.encounters.len() as u64);
        match game.checked_sub(regular) {
            None => encounter * regular + game,
            Some(extra) => {
                let unit = extra / games * encounters + encounter;
                encounters * regular + unit * games + extra % games
            }
        }
    }

    /// The encounter of a game, and its number there.
    fn place(&self, index: u64) -> Option<(usize, u64)> {
        let (regular, games) = (self.regular(), self.schedule.games);
        let encounters = self.encounters.len() as u64;
        if regular == 0 || encounters == 0 {
            return None;
        }
        let Some(extra) = index.checked_sub(encounters * regular) else {
            return Some(((index / regular) as usize, index % regular));
        };
        let (unit, game) = (extra / games, extra % games);
        let tie_break = unit / encounters;
        (tie_break < TIE_BREAKS).then(|| ((unit % encounters) as usize, regular + tie_break * games + game))
    }

    fn players(&self, encounter: usize) -> [Option<usize>; 2] {
        self.encounters[encounter].entrants.map(|entrant| match entrant {
            Entrant::Engine(engine) => Some(engine),
            Entrant::Winner(earlier) => self.encounters[earlier].winner,
        })
    }

    /// A game whose players are known.
    pub fn job(&self, index: u64) -> Option<Job> {
        let (number, game) = self.place(index)?;
        let [Some(first), Some(second)] = self.players(number) else { return None };
        let Schedule { rounds, games, .. } = self.schedule;
        let stage = self.encounters[number].stage;
        let opening = match game.checked_sub(self.regular()) {
            None => stage * rounds + game / games,
            Some(extra) => self.stages * rounds + extra / games,
        };
        let turn = if games == 1 { game } else { game % games };
        let (white, black) = self.schedule.colors(first, second, turn);
        Some(Job { index, round: stage, opening, meeting: index / games, white, black })
    }

    /// The next game that is needed whatever the results of those that are running. `None` if there is none now, or if the
    /// tournament is over.
    pub fn take(&mut self) -> Option<Job> {
        for number in 0..self.encounters.len() {
            if let Some(game) = self.needed(number) {
                self.encounters[number].next = game + 1;
                return self.job(self.index(number, game));
            }
        }
        None
    }

    fn needed(&self, number: usize) -> Option<u64> {
        let encounter = &self.encounters[number];
        let regular = self.regular();
        if regular == 0 || encounter.winner.is_some() || self.players(number).contains(&None) {
            return None;
        }
        let mut game = encounter.next;
        while encounter.results.contains_key(&game) {
            game += 1;
        }
        let finished = |end: u64| encounter.results.keys().filter(|&&game| game < end).count() as u64;
        if game < regular {
            let running = game - finished(game);
            let leader = encounter.half_points(regular).into_iter().max().unwrap_or(0);
            return (leader + 2 * running <= regular).then_some(game);
        }
        // A tie-break begins when all before it are tied.
        let start = game - (game - regular) % self.schedule.games;
        (finished(start) == start).then_some(game)
    }

    /// Adds the result of a game whose players are known.
    pub fn add(&mut self, index: u64, white_half_points: u8) {
        let Some((number, game)) = self.place(index) else { return };
        let Some(job) = self.job(index) else { return };
        let first = self.players(number)[0];
        let points = if first == Some(job.white) { white_half_points } else { 2 - white_half_points.min(2) };
        self.encounters[number].results.insert(game, points.min(2));
        if self.encounters[number].winner.is_none() {
            let [first, second] = self.players(number);
            self.encounters[number].winner =
                self.first_won(number).and_then(|won| if won { first } else { second });
        }
    }

    /// Whether the first entrant of an encounter has won it, if that is decided: it has more points than the other can still
    /// reach, or won the first tie-break that is not tied.
    fn first_won(&self, number: usize) -> Option<bool> {
        let encounter = &self.encounters[number];
        let (regular, games) = (self.regular(), self.schedule.games);
        let [first, second] = encounter.half_points(regular);
        if first.max(second) > regular {
            return Some(first > second);
        }
        if first + second < 2 * regular {
            return None;
        }
        for start in (0..TIE_BREAKS).map(|tie_break| regular + tie_break * games) {
            let points = (start..start + games).map(|game| encounter.results.get(&game).copied());
            let points = points.map(|points| points.map(u64::from)).sum::<Option<u64>>()?;
            if points != games {
                return Some(points > games);
            }
        }
        let [first, second] = self.players(number);
        Some(self.places[first?] < self.places[second?])
    }

    /// The games of all encounters whose players are known, up to the tie-break after the last finished game.
    pub fn jobs(&self) -> impl Iterator<Item = Job> {
        let (regular, games) = (self.regular(), self.schedule.games);
        self.encounters.iter().enumerate().flat_map(move |(number, encounter)| {
            let finished = encounter.results.keys().max().map_or(0, |last| last + 1);
            let end = finished.saturating_sub(regular).next_multiple_of(games.max(1)) + games;
            (0..regular + end).filter_map(move |game| self.job(self.index(number, game)))
        })
    }

    pub fn winner(&self) -> Option<usize> {
        self.encounters.last()?.winner
    }

    /// The number of rounds.
    pub fn stages(&self) -> u64 {
        self.stages
    }

    pub fn encounters(&self) -> impl Iterator<Item = EncounterState> {
        self.encounters.iter().enumerate().map(|(number, encounter)| EncounterState {
            stage: encounter.stage,
            players: self.players(number),
            half_points: encounter.half_points(u64::MAX),
            winner: encounter.winner,
        })
    }
}

/// The encounters of a draw, in the order of the rounds, and the number of rounds. As in any seeded draw, the best two can
/// only meet in the final, and engines without an opponent in the first round are those with the best places.
fn bracket(order: &[usize]) -> (Vec<KnockoutMatch>, u64) {
    let mut seats = vec![0];
    while seats.len() < order.len() {
        let last = 2 * seats.len() - 1;
        seats = seats.into_iter().flat_map(|place| [place, last - place]).collect();
    }
    let mut line: Vec<Option<Entrant>> =
        seats.into_iter().map(|place| order.get(place).map(|&engine| Entrant::Engine(engine))).collect();
    let (mut encounters, mut stage) = (Vec::new(), 0);
    while line.len() > 1 {
        let winners = line.chunks(2).map(|pair| match *pair {
            [Some(first), Some(second)] => {
                let entrants = [first, second];
                encounters.push(KnockoutMatch {
                    stage,
                    entrants,
                    results: HashMap::new(),
                    next: 0,
                    winner: None,
                });
                Some(Entrant::Winner(encounters.len() - 1))
            }
            _ => pair.iter().find_map(|entrant| *entrant),
        });
        line = winners.collect();
        stage += 1;
    }
    (encounters, stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(engines: usize, seeds: usize, rounds: u64, games: u64) -> Schedule {
        let tournament = Tournament::Knockout { seeds, draw: 1 };
        Schedule { engines, tournament, rounds, games, swap: true, reverse: false }
    }

    fn knockout(engines: usize, rounds: u64) -> Knockout {
        Knockout::new(&schedule(engines, engines, rounds, 2)).expect("a knockout")
    }

    /// Plays all games one after another; `result` gives White's half points. Returns the jobs.
    fn play(knockout: &mut Knockout, mut result: impl FnMut(&Job) -> u8) -> Vec<Job> {
        let mut jobs = Vec::new();
        while let Some(job) = knockout.take() {
            knockout.add(job.index, result(&job));
            jobs.push(job);
        }
        jobs
    }

    /// The engine with the lower number wins.
    fn lower_wins(job: &Job) -> u8 {
        if job.white < job.black { 2 } else { 0 }
    }

    #[test]
    fn seeds_meet_late() {
        let mut knockout = knockout(8, 1);
        let pairs: Vec<_> = knockout.encounters().map(|encounter| encounter.players).collect();
        let pair = |a, b| [Some(a), Some(b)];
        assert_eq!(pairs[..4], [pair(0, 7), pair(3, 4), pair(1, 6), pair(2, 5)]);
        assert_eq!(pairs[4..], [[None; 2]; 3]);
        play(&mut knockout, lower_wins);
        let pairs: Vec<_> = knockout.encounters().skip(4).map(|encounter| encounter.players).collect();
        assert_eq!(pairs, [pair(0, 3), pair(1, 2), pair(0, 1)]);
        assert_eq!((knockout.winner(), knockout.stages()), (Some(0), 3));
    }

    #[test]
    fn best_places_have_byes() {
        let first_round = |engines| -> Vec<_> {
            let knockout = knockout(engines, 1);
            knockout.encounters().filter(|e| e.stage == 0).map(|e| e.players.map(Option::unwrap)).collect()
        };
        assert_eq!(first_round(2), [[0, 1]]);
        assert_eq!(first_round(3), [[1, 2]]);
        assert_eq!(first_round(5), [[3, 4]]);
        assert_eq!(first_round(6), [[3, 4], [2, 5]]);
        for engines in 2..40 {
            let mut knockout = knockout(engines, 2);
            assert_eq!(knockout.encounters().count(), engines - 1);
            play(&mut knockout, lower_wins);
            assert_eq!(knockout.winner(), Some(0), "{engines} engines");
        }
    }

    #[test]
    fn unseeded_engines_are_drawn() {
        let places = |seeds, draw| {
            let tournament = Tournament::Knockout { seeds, draw };
            Knockout::new(&Schedule { tournament, ..schedule(8, 0, 1, 2) }).expect("a knockout").places
        };
        assert_eq!(places(0, 5), places(0, 5));
        assert_ne!(places(0, 5), places(0, 6));
        assert_eq!(places(2, 5)[..2], [0, 1]);
        assert_eq!(places(9, 5), (0..8).collect::<Vec<_>>());
    }

    /// Four games at most: two wins and a draw decide.
    #[test]
    fn encounter_ends_when_decided() {
        let mut knockout = knockout(2, 2);
        let jobs = play(&mut knockout, |job| if job.index == 1 { 1 } else { lower_wins(job) });
        assert_eq!((jobs.len(), knockout.winner()), (3, Some(0)));
        let state = knockout.encounters().next().expect("the final");
        assert_eq!((state.half_points, state.winner), ([5, 1], Some(0)));
    }

    #[test]
    fn tie_breaks_are_pairs_with_their_own_openings() {
        let mut knockout = knockout(4, 1);
        // All games are drawn until the second tie-break.
        let jobs = play(&mut knockout, |job| if job.opening < 3 { 1 } else { lower_wins(job) });
        let first: Vec<_> = jobs.iter().filter(|job| job.black + job.white == 3 && job.round == 0).collect();
        let found: Vec<_> = first.iter().take(6).map(|job| (job.opening, job.white)).collect();
        assert_eq!(found[..4], [(0, 0), (0, 3), (2, 0), (2, 3)], "{jobs:?}");
        assert_eq!(found[4].0, 3);
        let meetings: std::collections::HashSet<_> = jobs.iter().map(|job| job.meeting).collect();
        assert_eq!((jobs.len(), 2 * meetings.len()), (18, 18));
        assert_eq!(knockout.winner(), Some(0));
    }

    #[test]
    fn endless_draws_end() {
        let mut knockout = Knockout::new(&schedule(3, 0, 1, 1)).expect("a knockout");
        let jobs = play(&mut knockout, |_| 1);
        assert_eq!(jobs.len() as u64, 2 * (1 + TIE_BREAKS));
        let winner = knockout.winner().expect("the better place");
        assert_eq!(knockout.places[winner], 0);
        assert!(knockout.job(u64::MAX).is_none());
    }

    /// The same result whenever a game is played.
    fn fixed_result(job: &Job) -> u8 {
        (support::random::mix(job.index + 5) % 3) as u8
    }

    /// Plays with several games at a time, which end in any order, until `end` games are finished. Returns those.
    fn play_at_once(knockout: &mut Knockout, concurrency: usize, end: usize) -> Vec<Job> {
        let mut random = Random::new(concurrency as u64);
        let (mut running, mut played) = (Vec::<Job>::new(), Vec::new());
        while knockout.winner().is_none() && played.len() < end {
            while running.len() < concurrency {
                let Some(job) = knockout.take() else { break };
                running.push(job);
            }
            let job = running.swap_remove(random.below(running.len()));
            knockout.add(job.index, fixed_result(&job));
            played.push(job);
        }
        assert!(running.is_empty() || played.len() == end, "games that are not needed: {running:?}");
        played
    }

    /// However many games run at a time, and in whatever order they end, the same games are played.
    #[test]
    fn concurrency_does_not_change_the_games() {
        let all = |concurrency: usize| {
            let mut knockout = Knockout::new(&schedule(7, 2, 3, 2)).expect("a knockout");
            let mut played = play_at_once(&mut knockout, concurrency, usize::MAX);
            played.sort_unstable_by_key(|job| job.index);
            (played, knockout.winner())
        };
        let alone = all(1);
        for concurrency in 2..20 {
            assert_eq!(all(concurrency), alone, "{concurrency} games at a time");
        }
    }

    /// What was running when the match was interrupted is played again, and nothing else.
    #[test]
    fn resumed_knockout_plays_what_is_missing() {
        let begin = || Knockout::new(&schedule(6, 0, 2, 2)).expect("a knockout");
        let mut whole = begin();
        let count = play(&mut whole, fixed_result).len();
        for (concurrency, kept) in
            (1..8).flat_map(|concurrency| (0..count).map(move |kept| (concurrency, kept)))
        {
            let finished = play_at_once(&mut begin(), concurrency, kept);
            let mut resumed = begin();
            for job in &finished {
                resumed.add(job.index, fixed_result(job));
            }
            let rest = play(&mut resumed, fixed_result);
            assert_eq!(finished.len() + rest.len(), count, "{concurrency} {kept}");
            assert!(resumed.encounters().eq(whole.encounters()), "{concurrency} {kept}");
        }
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let knockout = Knockout::new(&schedule(9, 0, u64::MAX, u64::MAX)).expect("a knockout");
        for index in [0, 1 << 40, 1 << 60, u64::MAX] {
            let _ = knockout.job(index);
        }
        for (rounds, games) in [(0, 2), (2, 0), (0, 0)] {
            assert!(Knockout::new(&schedule(4, 0, rounds, games)).expect("a knockout").take().is_none());
        }
    }
}
