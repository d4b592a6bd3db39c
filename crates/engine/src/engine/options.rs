//! The options of the engine: typed setters, and a table that sets them by the names and values of UCI.
//!
//! The UCI session and the in-process player of a match both go through [`Engine::set_option`].

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use nnue::Network;
use support::sync::lock;
use tables::{MAX_PIECES, Tablebases};
use uci::{InvalidOption, OptionDeclaration, OptionTable};

use super::pool::Pool;
use super::{Engine, STARTING};
use crate::evaluation::{EvaluationKind, embedded, load_network};
use crate::numa::{InvalidNumaPolicy, NumaPolicy};
use crate::params::Params;
use crate::strength::ELO;
use crate::table::Table;

/// The options in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash_mb: usize,
    /// Search threads.
    pub threads: usize,
    /// Number of principal variations to report.
    pub multi_pv: usize,
    /// Time reserved per move for communication delays.
    pub move_overhead: Duration,
    /// Nodes per millisecond where clocks count nodes instead of time; zero for real time.
    pub nodes_per_ms: u32,
    /// Collect search statistics and report them at the end.
    pub collect_statistics: bool,
    /// Which evaluation is used.
    pub evaluation: EvaluationKind,
    /// Play below full strength.
    pub limit_strength: bool,
    /// The limited strength, in Elo.
    pub elo: u32,
    /// The folders of the tablebases.
    pub syzygy_path: String,
    /// The least depth at which positions with as many pieces as the largest tables are looked up.
    pub syzygy_probe_depth: u32,
    /// The most pieces of positions that are looked up.
    pub syzygy_probe_limit: u32,
    /// Wins that the fifty-move rule prevents are draws.
    pub syzygy_50_move_rule: bool,
    /// Where search threads run.
    pub numa: NumaPolicy,
}

/// Sizes of the transposition table in mebibytes.
pub const HASH_MB: RangeInclusive<usize> = 1..=1_048_576;
/// Numbers of threads.
pub const THREADS: RangeInclusive<usize> = 1..=512;
/// Numbers of principal variations.
pub const MULTI_PV: RangeInclusive<usize> = 1..=256;
/// Move overhead in milliseconds.
pub const MOVE_OVERHEAD_MS: RangeInclusive<usize> = 0..=5000;
/// Nodes that count as a millisecond; zero for real time.
pub const NODES_PER_MS: RangeInclusive<usize> = 0..=10_000;
/// Least depths of positions with as many pieces as the largest tables.
const SYZYGY_PROBE_DEPTH: RangeInclusive<usize> = 1..=100;
/// Most pieces of positions that are looked up in the tablebases.
const SYZYGY_PROBE_LIMIT: RangeInclusive<usize> = 0..=MAX_PIECES as usize;

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mb: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            nodes_per_ms: 0,
            collect_statistics: false,
            evaluation: EvaluationKind::default(),
            limit_strength: false,
            elo: 1500,
            syzygy_path: String::new(),
            syzygy_probe_depth: 1,
            syzygy_probe_limit: MAX_PIECES,
            syzygy_50_move_rule: true,
            numa: NumaPolicy::default(),
        }
    }
}

/// A search is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Busy;

impl fmt::Display for Busy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a search is running")
    }
}

impl std::error::Error for Busy {}

/// Why an option could not be set. The old value stays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// A search is running.
    Busy,
    /// The value is outside of the option's range.
    OutOfRange {
        /// The lowest value.
        min: usize,
        /// The highest value.
        max: usize,
    },
    /// Not enough memory for a table of this many mebibytes.
    NoMemory(usize),
    /// This many threads cannot be started.
    NoThreads(usize),
    /// There is no built-in network, and none was loaded.
    NoNetwork,
    /// The network cannot be loaded; the text has the file's name and the reason.
    NetworkFile(String),
    /// The tablebases cannot be opened; the text has the folders and the reason.
    Tablebases(String),
    /// Not a NUMA policy.
    Numa(InvalidNumaPolicy),
    /// There is no such option, or it does not take the value.
    Invalid(InvalidOption),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Busy => Busy.fmt(f),
            OptionError::OutOfRange { min, max } => write!(f, "value out of range: expected {min}..={max}"),
            OptionError::NoMemory(mebibytes) => {
                write!(f, "not enough memory for a hash table of {mebibytes} MiB")
            }
            OptionError::NoThreads(count) => write!(f, "cannot start {count} threads"),
            OptionError::NoNetwork => f.write_str("no built-in network; load one with EvalFile"),
            OptionError::NetworkFile(reason) => write!(f, "EvalFile: {reason}; keeping the old network"),
            OptionError::Tablebases(reason) => write!(f, "SyzygyPath: {reason}"),
            OptionError::Numa(error) => write!(f, "invalid NumaPolicy: {error}"),
            OptionError::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OptionError {}

impl From<Busy> for OptionError {
    fn from(_: Busy) -> OptionError {
        OptionError::Busy
    }
}

impl From<InvalidOption> for OptionError {
    fn from(error: InvalidOption) -> OptionError {
        OptionError::Invalid(error)
    }
}

/// The result of setting an option: a note for the user, or an error.
type Note = Option<String>;

/// The options by their UCI names, in the order in which they are declared.
static TABLE: LazyLock<OptionTable<Engine, Result<Note, OptionError>>> = LazyLock::new(|| {
    let default = Options::default();
    let range = |range: RangeInclusive<usize>| *range.start() as i64..=*range.end() as i64;
    let mut table: OptionTable<Engine, Result<Note, OptionError>> = OptionTable::default();
    table.spin("Hash", default.hash_mb as i64, range(HASH_MB), |engine, mebibytes| {
        engine.set_hash(mebibytes as usize).map(|()| None)
    });
    table.spin("Threads", default.threads as i64, range(THREADS), |engine, threads| {
        engine.set_threads(threads as usize).map(|()| None)
    });
    table.string("NumaPolicy", "auto", |engine, policy| {
        engine.set_numa_policy(policy.parse().map_err(OptionError::Numa)?).map(|()| None)
    });
    table.spin("MultiPV", default.multi_pv as i64, range(MULTI_PV), |engine, lines| {
        engine.set_multi_pv(lines as usize).map(|()| None)
    });
    let overhead = default.move_overhead.as_millis() as i64;
    table.spin("Move Overhead", overhead, range(MOVE_OVERHEAD_MS), |engine, milliseconds| {
        engine.set_move_overhead(Duration::from_millis(milliseconds as u64)).map(|()| None)
    });
    table.spin("nodestime", default.nodes_per_ms.into(), range(NODES_PER_MS), |engine, nodes| {
        engine.set_nodes_per_ms(nodes as u32).map(|()| None)
    });
    table.button("Clear Hash", |engine| Ok(engine.clear_hash().map(|()| None)?));
    table.check("UCI_LimitStrength", default.limit_strength, |engine, limit| {
        engine.set_limit_strength(limit).map(|()| None)
    });
    table.spin("UCI_Elo", default.elo.into(), range(ELO), |engine, elo| {
        engine.set_elo(elo as u32).map(|()| None)
    });
    table.check("ShowPVSStats", default.collect_statistics, |engine, collect| {
        engine.collect_statistics(collect).map(|()| None)
    });
    let kinds = EvaluationKind::ALL.map(EvaluationKind::name);
    table.combo("Evaluation", default.evaluation.name(), &kinds, |engine, name| {
        let kind = EvaluationKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.map_or(Ok(()), |kind| engine.set_evaluation(kind)).map(|()| None)
    });
    table.string("EvalFile", "", Engine::set_network_file);
    table.string("SyzygyPath", "", Engine::set_syzygy_path);
    let depth = default.syzygy_probe_depth.into();
    table.spin("SyzygyProbeDepth", depth, range(SYZYGY_PROBE_DEPTH), |engine, depth| {
        engine.set_syzygy_probe_depth(depth as u32).map(|()| None)
    });
    table.check("Syzygy50MoveRule", default.syzygy_50_move_rule, |engine, applies| {
        engine.set_syzygy_50_move_rule(applies).map(|()| None)
    });
    let limit = default.syzygy_probe_limit.into();
    table.spin("SyzygyProbeLimit", limit, range(SYZYGY_PROBE_LIMIT), |engine, pieces| {
        engine.set_syzygy_probe_limit(pieces as u32).map(|()| None)
    });
    // The parameters of the search as spins, as OpenBench's SPSA sets them.
    #[cfg(feature = "tune")]
    for parameter in crate::params::ALL {
        let bounds = parameter.min.into()..=parameter.max.into();
        table.spin(parameter.name, parameter.default.into(), bounds, |engine, value| {
            let mut params = engine.params.clone();
            // The table has checked the range.
            let _ = params.set(parameter, value as i32);
            engine.set_params(params).map(|()| None)
        });
    }
    table
});

impl Engine {
    /// The options as UCI declares them.
    pub fn option_declarations() -> impl Iterator<Item = &'static OptionDeclaration> {
        TABLE.declarations()
    }

    /// Sets an option by its UCI name, case-insensitively. The result may contain a note for the user.
    ///
    /// # Errors
    /// If there is no such option, the value is invalid, or a search is running; the old value stays.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<Option<String>, OptionError> {
        TABLE.set(self, name, value)?
    }

    /// Resizes and clears the transposition table.
    ///
    /// # Errors
    /// If it cannot be allocated, the size is out of range, or a search is running; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(mebibytes, &HASH_MB)?;
        let _turn = lock(&STARTING);
        let table =
            Table::reserve(mebibytes, self.table.bytes()).map_err(|_| OptionError::NoMemory(mebibytes))?;
        // The old table is freed before the pages of the new one are touched: there may not be enough memory for both.
        self.pool.wait();
        self.release_search();
        self.table = Arc::new(table);
        self.table.touch();
        self.options.hash_mb = mebibytes;
        Ok(())
    }

    /// Sets the number of search threads.
    ///
    /// # Errors
    /// If they cannot be started, the number is out of range, or a search is running; the old threads stay.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(threads, &THREADS)?;
        let _turn = lock(&STARTING);
        let placement = self.options.numa.placement(threads);
        self.pool = Pool::new(threads, &placement).map_err(|_| OptionError::NoThreads(threads))?;
        self.options.threads = threads;
        Ok(())
    }

    /// Sets where search threads run, and starts them anew if that changes.
    ///
    /// # Errors
    /// If they cannot be started, or a search is running; the old threads stay.
    pub fn set_numa_policy(&mut self, policy: NumaPolicy) -> Result<(), OptionError> {
        self.idle()?;
        let threads = self.options.threads;
        let placement = policy.placement(threads);
        if placement != self.options.numa.placement(threads) {
            self.pool = Pool::new(threads, &placement).map_err(|_| OptionError::NoThreads(threads))?;
        }
        self.options.numa = policy;
        Ok(())
    }

    /// Sets how many principal variations are reported.
    ///
    /// # Errors
    /// If the number is out of range or a search is running.
    pub fn set_multi_pv(&mut self, lines: usize) -> Result<(), OptionError> {
        self.idle()?;
        check(lines, &MULTI_PV)?;
        self.options.multi_pv = lines;
        Ok(())
    }

    /// Sets the move overhead.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_move_overhead(&mut self, overhead: Duration) -> Result<(), OptionError> {
        self.idle()?;
        check(usize::try_from(overhead.as_millis()).unwrap_or(usize::MAX), &MOVE_OVERHEAD_MS)?;
        self.options.move_overhead = overhead;
        Ok(())
    }

    /// Makes clocks count nodes instead of time, so that games on the clock can be repeated: nodes per millisecond, or
    /// zero for real time. The clock of the first search of a game starts the engine's own clock; the remaining time of
    /// later searches is ignored.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_nodes_per_ms(&mut self, nodes: u32) -> Result<(), OptionError> {
        self.idle()?;
        check(nodes as usize, &NODES_PER_MS)?;
        self.options.nodes_per_ms = nodes;
        Ok(())
    }

    /// Sets whether searches report statistics.
    ///
    /// # Errors
    /// If a search is running.
    pub fn collect_statistics(&mut self, collect: bool) -> Result<(), OptionError> {
        self.idle()?;
        self.options.collect_statistics = collect;
        Ok(())
    }

    /// Sets whether the strength is limited, to [`set_elo`](Self::set_elo). Infinite analysis is not limited.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_limit_strength(&mut self, limit: bool) -> Result<(), OptionError> {
        self.idle()?;
        self.options.limit_strength = limit;
        Ok(())
    }

    /// Sets the rating of limited strength.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_elo(&mut self, elo: u32) -> Result<(), OptionError> {
        self.idle()?;
        check(elo as usize, &ELO)?;
        self.options.elo = elo;
        Ok(())
    }

    /// Sets the parameters of its searches.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_params(&mut self, params: Params) -> Result<(), OptionError> {
        self.idle()?;
        self.params = params;
        Ok(())
    }

    /// Seeds the choices at limited strength: the same seed gives the same moves. Every new game uses the
    /// next seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets which evaluation is used; a change clears table and histories.
    ///
    /// # Errors
    /// If there is no network, or a search is running.
    pub fn set_evaluation(&mut self, kind: EvaluationKind) -> Result<(), OptionError> {
        self.idle()?;
        if kind == EvaluationKind::Network && self.network.is_none() {
            return Err(OptionError::NoNetwork);
        }
        self.chosen_evaluation = Some(kind);
        if kind != self.options.evaluation {
            self.options.evaluation = kind;
            self.new_game()?;
        }
        Ok(())
    }

    /// Sets the network, and clears table and histories. `None` is the built-in network. It is used unless
    /// [`set_evaluation`](Self::set_evaluation) has chosen the classical evaluation.
    ///
    /// # Errors
    /// If there is no built-in network while one is needed, or a search is running.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), OptionError> {
        self.idle()?;
        let network = network.or_else(embedded);
        let default = if network.is_some() { EvaluationKind::Network } else { EvaluationKind::Classical };
        let kind = self.chosen_evaluation.unwrap_or(default);
        if network.is_none() && kind == EvaluationKind::Network {
            return Err(OptionError::NoNetwork);
        }
        (self.network, self.network_description) = (network, None);
        self.options.evaluation = kind;
        self.new_game()?;
        Ok(())
    }

    /// Opens the tablebases in these folders, separated as the system separates paths, or by semicolons. An empty list
    /// closes them. The result is a note about what was found.
    ///
    /// # Errors
    /// If there are none, or a search is running; the old ones stay.
    pub fn set_syzygy_path(&mut self, list: &str) -> Result<Option<String>, OptionError> {
        self.idle()?;
        let paths = tables::split_paths(list);
        let (tables, note) = if paths.is_empty() {
            (None, None)
        } else {
            let opened = Tablebases::open(&paths);
            let opened = opened.map_err(|error| OptionError::Tablebases(error.to_string()))?;
            let note = opened.summary();
            (Some(Arc::new(opened.tables)), Some(note))
        };
        self.set_tablebases(tables)?;
        list.clone_into(&mut self.options.syzygy_path);
        Ok(note)
    }

    /// Sets the tablebases. Scores in the transposition table that do not come from them are forgotten.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_tablebases(&mut self, tables: Option<Arc<Tablebases>>) -> Result<(), OptionError> {
        self.clear_hash()?;
        self.tables = tables;
        Ok(())
    }

    /// Sets the least depth at which positions with as many pieces as the largest tables are looked up.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_syzygy_probe_depth(&mut self, depth: u32) -> Result<(), OptionError> {
        self.idle()?;
        check(depth as usize, &SYZYGY_PROBE_DEPTH)?;
        self.options.syzygy_probe_depth = depth;
        Ok(())
    }

    /// Sets the most pieces of positions that are looked up; none with zero.
    ///
    /// # Errors
    /// If it is out of range or a search is running.
    pub fn set_syzygy_probe_limit(&mut self, pieces: u32) -> Result<(), OptionError> {
        self.idle()?;
        check(pieces as usize, &SYZYGY_PROBE_LIMIT)?;
        self.options.syzygy_probe_limit = pieces;
        Ok(())
    }

    /// Sets whether wins that the fifty-move rule prevents are draws.
    ///
    /// # Errors
    /// If a search is running.
    pub fn set_syzygy_50_move_rule(&mut self, applies: bool) -> Result<(), OptionError> {
        self.idle()?;
        if applies != self.options.syzygy_50_move_rule {
            self.options.syzygy_50_move_rule = applies;
            self.clear_hash()?;
        }
        Ok(())
    }

    /// Loads a network file, or the built-in network if `path` is empty.
    fn set_network_file(&mut self, path: &str) -> Result<Note, OptionError> {
        if path.is_empty() {
            return self.set_network(None).map(|()| None);
        }
        let loaded = load_network(Path::new(path));
        let (network, label) = loaded.map_err(|error| OptionError::NetworkFile(error.to_string()))?;
        let shape = network.shape();
        self.set_network(Some(Arc::new(network)))?;
        self.network_description = Some(label.description);
        let unused = match self.options.evaluation {
            EvaluationKind::Network => "",
            EvaluationKind::Classical => "; unused until Evaluation is network",
        };
        Ok(Some(format!("network {:016x}, {shape}{unused}", label.hash)))
    }
}

fn check(value: usize, range: &RangeInclusive<usize>) -> Result<(), OptionError> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(OptionError::OutOfRange { min: *range.start(), max: *range.end() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::OptionKind;

    #[test]
    fn defaults_are_in_range_and_names_are_unique() {
        let options: Vec<_> = Engine::option_declarations().collect();
        for (index, option) in options.iter().enumerate() {
            if let OptionKind::Spin { default, min, max } = option.kind {
                assert!((min..=max).contains(&default), "{option}");
            }
            let duplicate =
                options[..index].iter().find(|other| other.name.eq_ignore_ascii_case(&option.name));
            assert!(duplicate.is_none(), "{option}");
        }
    }

    #[test]
    fn options_accept_default_and_range() {
        let mut engine = Engine::new();
        for option in Engine::option_declarations() {
            let values: Vec<Option<String>> = match &option.kind {
                OptionKind::Check { default } => vec![Some(default.to_string())],
                // The largest tables and pools are too large for a test.
                OptionKind::Spin { default, min, .. } => {
                    vec![Some(min.to_string()), Some(default.to_string())]
                }
                OptionKind::Combo { default, .. } | OptionKind::String { default } => {
                    vec![Some(default.clone())]
                }
                OptionKind::Button => vec![None],
            };
            for value in values {
                assert_eq!(engine.set_option(&option.name, value.as_deref()), Ok(None), "{option}");
            }
        }
        assert_eq!(engine.options(), &Options::default());
    }

    #[test]
    fn options_are_set_by_name() {
        let mut engine = Engine::new();
        for (name, value) in [
            ("hash", "5"),
            ("THREADS", "2"),
            ("MultiPV", "3"),
            ("Move Overhead", "77"),
            ("nodestime", "600"),
            ("ShowPVSStats", "true"),
            ("UCI_LimitStrength", "TRUE"),
            ("UCI_Elo", "1234"),
            ("SyzygyProbeDepth", "9"),
            ("SyzygyProbeLimit", "5"),
            ("Syzygy50MoveRule", "false"),
            ("Evaluation", "classical"),
            ("NumaPolicy", "none"),
        ] {
            assert_eq!(engine.set_option(name, Some(value)), Ok(None), "{name}");
        }
        let expected = Options {
            hash_mb: 5,
            threads: 2,
            multi_pv: 3,
            move_overhead: Duration::from_millis(77),
            nodes_per_ms: 600,
            collect_statistics: true,
            limit_strength: true,
            elo: 1234,
            syzygy_path: String::new(),
            syzygy_probe_depth: 9,
            syzygy_probe_limit: 5,
            syzygy_50_move_rule: false,
            evaluation: EvaluationKind::Classical,
            numa: NumaPolicy::None,
        };
        assert_eq!(engine.options(), &expected);
        let error = engine.set_option("Evaluation", Some("guess")).unwrap_err().to_string();
        assert_eq!(error, "invalid value 'guess' for Evaluation: expected network or classical");
        let error = engine.set_option("NumaPolicy", Some("often")).unwrap_err().to_string();
        assert!(error.starts_with("invalid NumaPolicy: expected auto"), "{error}");
        assert!(matches!(engine.set_option("Hush", Some("1")), Err(OptionError::Invalid(_))));
        assert!(matches!(
            engine.set_option("EvalFile", Some("/no/such/net")),
            Err(OptionError::NetworkFile(_))
        ));
        let error = engine.set_option("SyzygyPath", Some("/no/such/folder")).unwrap_err().to_string();
        assert!(error.starts_with("SyzygyPath: no tablebases found in /no/such/folder"), "{error}");
        assert_eq!(engine.set_option("SyzygyPath", Some("")), Ok(None));
    }

    /// Threads that are bound to one CPU search as others do.
    #[test]
    #[cfg(target_os = "linux")]
    fn bound_threads_search() {
        let allowed = std::fs::read_to_string("/proc/self/status").unwrap();
        let list = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
        let first = list.split([',', '-']).next().unwrap();
        let mut engine = Engine::new();
        engine.set_option("NumaPolicy", Some(&format!("{first}:{first}"))).unwrap();
        engine.set_option("Threads", Some("2")).unwrap();
        let stop = std::sync::atomic::AtomicBool::new(false);
        let answer = engine.search(&chess::Game::default(), crate::Limits::depth(4), &stop, |_| {}).unwrap();
        assert!(answer.best.is_some());
    }

    #[test]
    fn old_table_is_freed_first() {
        let mut engine = Engine::new();
        let stop = std::sync::atomic::AtomicBool::new(false);
        engine.search(&chess::Game::default(), crate::Limits::depth(3), &stop, |_| {}).unwrap();
        let old = Arc::downgrade(&engine.table);
        engine.set_hash(2).unwrap();
        assert!(old.upgrade().is_none());
    }

    #[test]
    fn refused_hash_keeps_the_old_table() {
        let mut engine = Engine::new();
        engine.set_hash(3).unwrap();
        let table = Arc::clone(&engine.table);
        assert_eq!(engine.set_hash(1_048_576), Err(OptionError::NoMemory(1_048_576)));
        assert!(Arc::ptr_eq(&table, &engine.table));
        assert_eq!((engine.options().hash_mb, engine.options().threads), (3, 1));
    }

    #[test]
    fn parameters_are_no_options() {
        let names: Vec<String> = Engine::option_declarations().map(|option| option.name.clone()).collect();
        assert!(
            cfg!(feature = "tune")
                || crate::params::ALL.iter().all(|one| !names.contains(&one.name.to_owned()))
        );
    }
}
