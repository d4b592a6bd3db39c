//! Reports in the formats of fastchess and cutechess-cli, and closing statistics.

use std::fmt::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pgn::clock_text;
use crate::config::{EngineConfig, MatchConfig};
use crate::game::EngineLimits;
use crate::knockout::{EncounterState, Knockout};
use crate::results::{Encounter, OpeningPair, PHASE_STARTS, Tally, TimeUse, sprt_llr};
use record::game_end::Termination;
use stats::{Forecast, Sprt, SprtBounds, Trinomial};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportStyle {
    #[default]
    Fastchess,
    Cutechess,
}

#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    pub config: &'a MatchConfig,
    pub tally: &'a Tally,
}

/// The state of the SPRT.
#[derive(Clone, Copy, Debug)]
pub struct SprtState {
    pub test: Sprt,
    pub llr: f64,
    pub bounds: SprtBounds,
    pub forecast: Option<Forecast>,
}

impl SprtState {
    /// The LLR in percent of the bound on its side.
    pub fn progress(&self) -> f64 {
        let bound = if self.llr >= 0.0 { self.bounds.upper } else { self.bounds.lower };
        100.0 * self.llr / bound.abs()
    }
}

impl MatchReport<'_> {
    pub fn sprt_state(&self) -> Option<SprtState> {
        let test = self.config.sprt?;
        let llr = sprt_llr(&test, self.tally, self.config.by_pairs);
        let observed = self.tally.encounter(0, 1).distribution(self.config.by_pairs);
        Some(SprtState { test, llr, bounds: test.bounds(), forecast: test.forecast(llr, &observed) })
    }

    /// Estimated time to the end of the match.
    pub fn time_left(&self) -> Option<Duration> {
        let by_plan = self.config.schedule.len().saturating_sub(self.tally.games()) as f64;
        let forecast = self.sprt_state().and_then(|state| state.forecast);
        let games = forecast.map_or(by_plan, |forecast| forecast.games.min(by_plan));
        let mean = self.tally.mean_duration()?.as_secs_f64();
        Duration::try_from_secs_f64(games * mean / self.config.concurrency.max(1) as f64).ok()
    }

    pub fn lines(&self, style: ReportStyle) -> Vec<String> {
        let mut lines = match (style, self.config.engines.len()) {
            (ReportStyle::Fastchess, 2) => self.fastchess_pair(),
            (ReportStyle::Cutechess, 2) => self.cutechess_pair(),
            _ => self.ranking(),
        };
        lines.extend(self.tally.knockout().iter().flat_map(|knockout| self.bracket(knockout)));
        lines
    }

    /// The encounters of a knockout: `Semifinal: A 2.5 - 0.5 D, A advances`.
    fn bracket(&self, knockout: &Knockout) -> Vec<String> {
        let name = |engine: usize| self.config.engines[engine].name.as_str();
        let player = |engine: Option<usize>| engine.map_or("?", name);
        let line = |encounter: EncounterState| {
            let round = match knockout.stages() - encounter.stage {
                1 => "Final".to_owned(),
                2 => "Semifinal".to_owned(),
                3 => "Quarterfinal".to_owned(),
                _ => format!("Round {}", encounter.stage + 1),
            };
            let [first, second] = encounter.players.map(player);
            let [of_first, of_second] = encounter.half_points.map(|points| points as f64 / 2.0);
            let end = match encounter.winner {
                Some(winner) if knockout.stages() == encounter.stage + 1 => {
                    format!(", {} wins", name(winner))
                }
                Some(winner) => format!(", {} advances", name(winner)),
                None => String::new(),
            };
            format!("{round}: {first} {of_first} - {of_second} {second}{end}")
        };
        knockout.encounters().map(line).collect()
    }

    fn bracket_json(&self, knockout: &Knockout) -> Value {
        let name = |engine: Option<usize>| engine.map(|engine| self.config.engines[engine].name.as_str());
        let encounters: Vec<Value> = knockout
            .encounters()
            .map(|encounter| {
                let [first, second] = encounter.players.map(name);
                let points = encounter.half_points.map(|points| points as f64 / 2.0);
                json!({"round": encounter.stage + 1, "first": first, "second": second, "points": points,
                       "winner": name(encounter.winner)})
            })
            .collect();
        json!({"encounters": encounters, "winner": name(knockout.winner())})
    }

    fn fastchess_pair(&self) -> Vec<String> {
        let rule = "-".repeat(50);
        let names = [&self.config.engines[0].name, &self.config.engines[1].name];
        let encounter = self.tally.encounter(0, 1);
        let games = encounter.counted(self.config.by_pairs);
        let mut lines = vec![
            rule.clone(),
            format!("Results of {} vs {} ({}{}):", names[0], names[1], self.settings(), self.book()),
        ];
        if let Some(estimate) = encounter.estimate(self.config.by_pairs) {
            lines.push(format!(
                "Elo: {} +/- {}, nElo: {} +/- {}",
                cell(estimate.elo, 2),
                cell(estimate.elo_error, 2),
                cell(estimate.nelo, 2),
                cell(estimate.nelo_error, 2)
            ));
            let mut line = format!(
                "LOS: {:.2} %, DrawRatio: {:.2} %",
                estimate.los * 100.0,
                self.draw_ratio(&encounter)
            );
            if self.config.by_pairs {
                let [ll, ld, _, wd, ww] = encounter.pairs.counts;
                let _ = write!(line, ", PairsRatio: {}", cell((wd + ww) as f64 / (ll + ld) as f64, 2));
            }
            lines.push(line);
        }
        lines.push(format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            games.games(),
            games.wins,
            games.losses,
            games.draws,
            games.points(),
            games.score() * 100.0
        ));
        if self.config.by_pairs {
            let split = encounter.split_pairs;
            lines.push(format!(
                "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
                encounter.pairs.counts,
                cell(split as f64 / (encounter.pairs.counts[2] - split) as f64, 2)
            ));
        }
        lines.extend(self.fastchess_test());
        lines.push(rule);
        lines
    }

    fn fastchess_test(&self) -> Option<String> {
        let state = self.sprt_state()?;
        let (elo0, elo1) = state.test.hypotheses();
        Some(format!(
            "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{elo0:.2}, {elo1:.2}]",
            state.llr,
            state.progress(),
            state.bounds.lower,
            state.bounds.upper
        ))
    }

    /// Drawn games in percent; with pentanomial statistics, pairs with one point.
    fn draw_ratio(&self, encounter: &Encounter) -> f64 {
        if self.config.by_pairs && encounter.pairs.pairs() > 0 {
            return 100.0 * encounter.pairs.counts[2] as f64 / encounter.pairs.pairs() as f64;
        }
        100.0 * encounter.games().draw_rate()
    }

    /// Limits, threads and hash, those of both engines if they differ.
    fn settings(&self) -> String {
        let of_both = |text: &dyn Fn(&EngineConfig) -> String| {
            let [first, second] = [0, 1].map(|i| text(&self.config.engines[i]));
            if first == second { first } else { format!("{first} - {second}") }
        };
        let value = |value: &Option<String>, unit: &str| {
            value.as_ref().map_or("NULL".to_owned(), |value| format!("{value}{unit}"))
        };
        [
            of_both(&|engine| limits_text(&engine.limits)),
            of_both(&|engine| value(&engine.identity.threads, "t")),
            of_both(&|engine| value(&engine.identity.hash, "MB")),
        ]
        .join(", ")
    }

    fn book(&self) -> String {
        let Some(openings) = &self.config.openings else { return String::new() };
        let inside = if self.config.chess960 { "960 start positions" } else { "built-in book" };
        let name = openings.file.as_ref().and_then(|file| file.file_name());
        format!(", {}", name.map_or(inside.into(), |name| name.to_string_lossy()))
    }

    /// The score of the first two engines in one line, as cutechess-cli prints it after every game.
    pub fn score_line(&self) -> String {
        let [first, second] = [0, 1].map(|i| &self.config.engines[i].name);
        format!("Score of {first} vs {second}: {}", score_text(self.tally.encounter(0, 1).games()))
    }

    fn cutechess_pair(&self) -> Vec<String> {
        let first = &self.config.engines[0].name;
        let encounter = self.tally.encounter(0, 1);
        let mut lines = vec![
            self.score_line(),
            format!("...      {first} playing White: {}", score_text(encounter.as_white)),
            format!("...      {first} playing Black: {}", score_text(encounter.as_black)),
            format!("...      White vs Black: {}", score_text(self.tally.by_color())),
        ];
        if let Some(estimate) = encounter.estimate(self.config.by_pairs) {
            lines.push(format!(
                "Elo difference: {} +/- {}, LOS: {:.1} %, DrawRatio: {:.1} %",
                cell(estimate.elo, 1),
                cell(estimate.elo_error, 1),
                estimate.los * 100.0,
                encounter.games().draw_rate() * 100.0
            ));
        }
        if let Some(state) = self.sprt_state() {
            lines.push(format!(
                "SPRT: llr {:.3} ({:.1}%), lbound {:.3}, ubound {:.3}",
                state.llr,
                state.progress(),
                state.bounds.lower,
                state.bounds.upper
            ));
        }
        lines
    }

    /// The rating list of a tournament, best first.
    fn ranking(&self) -> Vec<String> {
        let ratings = self.tally.ratings(self.config.by_pairs);
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
        let width =
            self.config.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(4);
        let mut lines = vec![format!(
            "Rank {:<width$} {:>9} {:>7} {:>8} {:>7} {:>8}",
            "Name", "Elo", "+/-", "Games", "Score", "Draws"
        )];
        for (rank, &engine) in order.iter().enumerate() {
            let rating = &ratings[engine];
            lines.push(format!(
                "{:>4} {:<width$} {:>9.1} {:>7} {:>8} {:>6.1}% {:>7.1}%",
                rank + 1,
                self.config.engines[engine].name,
                rating.elo,
                rating.error.map_or("-".to_owned(), |error| format!("{error:.1}")),
                rating.games.games(),
                rating.games.score() * 100.0,
                rating.games.draw_rate() * 100.0
            ));
        }
        lines
    }

    /// Additional lines at the end of a match: colours, openings, faults, time usage, repeated games.
    pub fn closing(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let (games, known) = (self.tally.games(), self.tally.known_games());
        if known < games {
            lines.push(format!("Colours, openings and times are known of {known} of {games} games"));
        }
        let white = self.tally.by_color();
        if white.games() > 0 {
            lines.push(format!(
                "White: {:.1} % (+{} -{} ={}), average game length: {:.0} plies",
                white.score() * 100.0,
                white.wins,
                white.losses,
                white.draws,
                self.tally.mean_plies()
            ));
        }
        let is_known = |pair: &&OpeningPair| pair.white_half_points.is_some();
        let pairs: Vec<&OpeningPair> = self.tally.opening_pairs().iter().filter(is_known).collect();
        if !pairs.is_empty() {
            let by_color = |pair: &OpeningPair| matches!(pair.white_half_points, Some(0 | 4));
            let decided_by_color = pairs.iter().filter(|pair| by_color(pair)).count();
            let decided = pairs.iter().filter(|pair| pair.half_points != 2).count();
            lines.push(format!(
                "Opening pairs: {} played, {decided} decisive, {decided_by_color} won by the same colour in both games",
                pairs.len()
            ));
        }
        for (engine, config) in self.config.engines.iter().enumerate() {
            if self.tally.time_use(engine).moves > 0 {
                lines.push(format!("{}: {}", config.name, self.time_text(engine)));
            }
        }
        lines.extend((0..self.config.engines.len()).flat_map(|engine| self.fault_lines(engine)));
        if self.tally.warnings() > 0 {
            lines.push(format!("Warnings: {}", self.tally.warnings()));
        }
        if let Some(forecast) = self.sprt_state().and_then(|state| state.forecast).filter(|f| f.games >= 1.0)
        {
            lines.push(format!(
                "Forecast: {:.0} more games, {:.0} % chance of accepting H1",
                forecast.games,
                forecast.pass * 100.0
            ));
        }
        let distinct = self.tally.distinct();
        if distinct.games > 0 {
            lines.push(format!("Distinct games: {} of {}", distinct.distinct, distinct.games));
        }
        if !distinct.is_valid() {
            lines.push(format!(
                "INVALID MATCH: {:.0} % of the games are duplicates; use more openings (-openings) or a time control",
                distinct.repeated() * 100.0
            ));
        }
        lines
    }

    /// The games that an engine lost by its faults. Scripts count the words for these in the lines of single games, so they
    /// are not repeated here.
    fn fault_lines(&self, engine: usize) -> Vec<String> {
        let count = |kinds: &[Termination]| -> u64 {
            kinds.iter().filter_map(|&kind| self.tally.faults().get(&(engine, kind))).sum()
        };
        let counts = [
            ("Timeouts", count(&[Termination::Time])),
            ("Crashed", count(&[Termination::Disconnect, Termination::Stall])),
            ("Illegal moves", count(&[Termination::IllegalMove])),
        ];
        if counts.iter().all(|(_, count)| *count == 0) {
            return Vec::new();
        }
        let heading = format!("Player: {}", self.config.engines[engine].name);
        let lines = counts.iter().map(|(what, count)| format!("  {what}: {count}"));
        std::iter::once(heading).chain(lines).collect()
    }

    fn time_text(&self, engine: usize) -> String {
        let used = self.tally.time_use(engine);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let mut text = format!("{:.1} ms/move (max {:.0} ms", ms(used.mean()), ms(used.longest));
        if let Some(left) = used.lowest_left {
            let _ = write!(text, ", min left on clock {:.0} ms", ms(left));
        }
        let phase = |i: usize| ms(used.phases[i].1.checked_div(used.phases[i].0).unwrap_or_default());
        let _ = write!(
            text,
            "; {:.1} / {:.1} / {:.1} ms up to move {} / {} / end)",
            phase(0),
            phase(1),
            phase(2),
            PHASE_STARTS[0] - 1,
            PHASE_STARTS[1] - 1
        );
        if used.moves > 0 && used.depths > 0 {
            let _ = write!(text, ", avg depth {:.1}", used.depths as f64 / f64::from(used.moves));
        }
        if used.nodes > 0 && !used.total.is_zero() {
            let _ = write!(text, ", {:.0} knps", used.nodes as f64 / used.total.as_secs_f64() / 1000.0);
        }
        if used.timed > 0 {
            let latency = used.latency_us as f64 / f64::from(used.timed) / 1000.0;
            let _ = write!(text, ", latency {latency:.2} ms");
        }
        text
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        let engines: Vec<Value> =
            self.config.engines.iter().enumerate().map(|(i, _)| self.engine_json(i)).collect();
        let encounters: Vec<Value> =
            self.pairings().into_iter().map(|(a, b)| self.encounter_json(a, b)).collect();
        let distinct = self.tally.distinct();
        let pairs: Vec<Value> = self
            .tally
            .opening_pairs()
            .iter()
            .map(|pair| {
                json!({"meeting": pair.meeting, "opening": pair.opening.map(|index| index + 1),
                       "points": f64::from(pair.half_points) / 2.0,
                       "white_points": pair.white_half_points.map(|points| f64::from(points) / 2.0)})
            })
            .collect();
        let test = self.sprt_state().map(|state| {
            json!({"llr": state.llr, "lower": state.bounds.lower, "upper": state.bounds.upper,
                   "elo0": state.test.hypotheses().0, "elo1": state.test.hypotheses().1,
                   "model": state.test.model(), "decision": state.test.decide(state.llr),
                   "forecast": state.forecast})
        });
        json!({
            "schema": "vedette-match/1", "games": self.tally.games(), "games_planned": self.config.schedule.len(), "seed": self.config.seed,
            "engines": engines, "encounters": encounters, "sprt": test, "white": self.tally.by_color(),
            "distinct_games": distinct.distinct, "valid": distinct.is_valid(), "warnings": self.tally.warnings(),
            "terminations": self.tally.terminations(), "opening_pairs": pairs,
            "knockout": self.tally.knockout().map(|knockout| self.bracket_json(knockout)),
        })
    }

    /// In a knockout those that have met.
    fn pairings(&self) -> Vec<(usize, usize)> {
        let mut pairings = self.config.schedule.pairings();
        if self.tally.knockout().is_some() {
            pairings.retain(|&(first, second)| self.tally.encounter(first, second).games().games() > 0);
        }
        pairings
    }

    fn engine_json(&self, engine: usize) -> Value {
        let config = &self.config.engines[engine];
        let rating = self.tally.ratings(self.config.by_pairs)[engine];
        let faults: serde_json::Map<String, Value> = self
            .tally
            .faults()
            .iter()
            .filter(|((culprit, _), _)| *culprit == engine)
            .map(|((_, termination), count)| (fault_name(*termination).to_owned(), json!(count)))
            .collect();
        json!({"name": config.name, "command": config.command, "options": config.options,
               "limits": config.limits.to_string(), "rating": rating, "faults": faults,
               "identity": config.identity, "time": time_json(self.tally.time_use(engine))})
    }

    fn encounter_json(&self, first: usize, second: usize) -> Value {
        let encounter = self.tally.encounter(first, second);
        json!({"first": self.config.engines[first].name, "second": self.config.engines[second].name,
               "games": encounter.games(), "as_white": encounter.as_white, "as_black": encounter.as_black,
               "imported": encounter.imported, "pentanomial": encounter.pairs.counts,
               "estimate": encounter.estimate(self.config.by_pairs)})
    }

    pub fn progress(&self) -> String {
        let done = self.tally.games();
        let left =
            self.time_left().map_or(String::new(), |left| format!(", about {} left", clock_text(left)));
        let most = if self.tally.knockout().is_some() { "at most " } else { "" };
        format!("{done} of {most}{} games{left}", self.config.schedule.len())
    }
}

/// A number with so many decimals; infinity as C prints it, which scripts expect, and a dash for what is not known.
fn cell(value: f64, decimals: usize) -> String {
    if value.is_nan() { "-".to_owned() } else { format!("{value:.decimals$}").to_lowercase() }
}

/// Limits as in fastchess's header: a depth is in plies.
fn limits_text(limits: &EngineLimits) -> String {
    let without_depth = EngineLimits { depth: None, ..*limits };
    match limits.depth {
        Some(depth) if !without_depth.is_limited() => format!("{depth} plies"),
        _ => limits.to_string(),
    }
}

/// `wins - losses - draws  [score] games`
fn score_text(side: Trinomial) -> String {
    format!("{} - {} - {}  [{:.3}] {}", side.wins, side.losses, side.draws, side.score(), side.games())
}

/// Times are in seconds.
fn time_json(used: &TimeUse) -> Value {
    let seconds = |time: Duration| time.as_secs_f64();
    let phases: Vec<Value> =
        used.phases.iter().map(|&(moves, time)| json!({"moves": moves, "seconds": seconds(time)})).collect();
    let latency = (used.timed > 0).then(|| used.latency_us as f64 / f64::from(used.timed) / 1e6);
    json!({
        "moves": used.moves, "seconds": seconds(used.total), "longest": seconds(used.longest),
        "least_left": used.lowest_left.map(seconds), "phases": phases, "nodes": used.nodes,
        "mean_depth": (used.moves > 0).then(|| used.depths as f64 / f64::from(used.moves)), "mean_latency": latency,
    })
}

fn fault_name(termination: Termination) -> &'static str {
    match termination {
        Termination::Time => "time forfeit",
        Termination::IllegalMove => "illegal move",
        Termination::Disconnect => "disconnect",
        Termination::Stall => "stall",
        _ => "other fault",
    }
}
