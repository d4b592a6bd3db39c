//! `bench`, `speedtest`, `perft` and `genfens`, which print line by line: both the command line and a UCI session run them.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use chess::{Game, Position};
use datagen::selfplay::{OpeningGenerator, OpeningPlan};
use engine::evaluation::Evaluation;
use engine::{Engine, Limits, MAX_DEPTH, Searcher};
use record::book::{Book, BookFormat};
use support::files::{self, AtomicFile};
use uci::{BenchCommand, BenchLimit, Command, GenFens, SpeedTest, info_string};

use crate::cli::stderr::stderr;

/// Prints one line. An error ends the job.
pub type Print<'a> = &'a mut dyn FnMut(String) -> io::Result<()>;

/// No perft this deep will ever end, but the recursion needs a limit.
pub const MAX_PERFT_DEPTH: u32 = 64;

/// What was counted.
pub struct PerftReport {
    /// Root moves with their counts, if they were asked for.
    pub moves: Vec<(String, u64)>,
    pub nodes: u64,
    pub time: Duration,
}

pub struct PerftJob {
    /// Plies.
    pub depth: u32,
    /// Print the count of each root move.
    pub divide: bool,
    /// Write castling as king takes rook.
    pub chess960: bool,
    pub threads: usize,
    /// Hash table in MiB; 0 for none.
    pub hash: usize,
}

impl PerftJob {
    /// Counts leaf nodes; the last line is `nodes N time MS nps N`.
    pub fn run(&self, position: &Position, print: Print) -> Result<PerftReport, Box<dyn Error>> {
        if self.depth > MAX_PERFT_DEPTH {
            return Err(format!("invalid depth '{}': expected 0..={MAX_PERFT_DEPTH}", self.depth).into());
        }
        let perft = chess::Perft::default().threads(self.threads).hash(self.hash);
        let perft = perft.ok_or_else(|| format!("out of memory: hash table of {} MiB", self.hash))?;
        let (started, mut moves) = (Instant::now(), Vec::new());
        let nodes = if self.divide && self.depth > 0 {
            let counts = perft.divide(position, self.depth);
            // In Chess960 a king move and castling can look alike in standard notation.
            let chess960 = self.chess960 || !position.has_standard_castling();
            for &(mv, count) in &counts {
                let mv = mv.uci(chess960).to_string();
                print(format!("{mv}: {count}"))?;
                moves.push((mv, count));
            }
            counts.iter().map(|(_, count)| count).sum()
        } else {
            perft.count(position, self.depth)
        };
        let time = started.elapsed();
        let nps = nodes_per_second(nodes, time);
        print(format!("nodes {nodes} time {} nps {nps}", time.as_millis()))?;
        Ok(PerftReport { moves, nodes, time })
    }
}

/// What a bench counted.
pub struct BenchReport {
    /// FEN and nodes of each position; nothing where positions were only evaluated.
    pub positions: Vec<(String, u64)>,
    pub nodes: u64,
    pub time: Duration,
}

/// Searches positions as `bench` asks. The totals go to stderr as Stockfish prints them; the last line on stdout is
/// `N nodes N nps`.
pub fn bench(
    bench: &BenchCommand,
    evaluation: Evaluation,
    current: &Game,
    print: Print,
) -> Result<BenchReport, Box<dyn Error>> {
    let games = bench_games(&bench.file, current)?;
    let mut positions = Vec::new();
    let mut print_position = |number: usize, position: &Position, nodes: u64| {
        let fen = position.to_fen();
        let line = format!("{number:>2} {nodes:>10} nodes  {fen}");
        positions.push((fen, nodes));
        print(line)
    };
    let (nodes, time) = match bench.kind {
        BenchLimit::Perft => {
            let (depth, mut total, started) =
                (bench.limit.min(MAX_PERFT_DEPTH.into()) as u32, 0, Instant::now());
            for (index, game) in games.iter().enumerate() {
                let nodes = chess::Perft::default().threads(bench.threads).count(game.position(), depth);
                total += nodes;
                print_position(index + 1, game.position(), nodes)?;
            }
            (total, started.elapsed())
        }
        BenchLimit::Eval => {
            let (engine, started) = (Engine::try_with_evaluation(evaluation)?, Instant::now());
            for game in &games {
                print(game.position().to_fen())?;
                print(engine.evaluate(game.position()).to_string().trim_end().to_owned())?;
            }
            (games.len() as u64, started.elapsed())
        }
        BenchLimit::Depth | BenchLimit::Nodes | BenchLimit::MoveTime | BenchLimit::Mate => {
            let limits = limits(bench.kind, bench.limit);
            let search = engine::Bench { hash_mb: bench.hash_mb, threads: bench.threads, limits, evaluation };
            let mut printed = Ok(());
            let result = search.run(&games, |number, position, nodes| {
                if printed.is_ok() {
                    printed = print_position(number, position, nodes);
                }
            })?;
            printed?;
            (result.nodes, result.time)
        }
    };
    let nps = nodes_per_second(nodes, time);
    print_totals(nodes, time);
    print(format!("{nodes} nodes {nps} nps"))?;
    Ok(BenchReport { positions, nodes, time })
}

/// The totals in Stockfish's format, which test servers parse.
fn print_totals(nodes: u64, time: Duration) {
    stderr!("===========================");
    stderr!("Total time (ms) : {}", time.as_millis());
    stderr!("Nodes searched  : {nodes}");
    stderr!("Nodes/second    : {}", nodes_per_second(nodes, time));
}

fn limits(kind: BenchLimit, limit: u64) -> Limits {
    match kind {
        BenchLimit::Nodes => Limits::nodes(limit),
        BenchLimit::MoveTime => Limits::move_time(Duration::from_millis(limit)),
        BenchLimit::Mate => {
            Limits { mate: Some(u32::try_from(limit).unwrap_or(u32::MAX)), ..Limits::depth(MAX_DEPTH) }
        }
        _ => Limits::depth(u32::try_from(limit).unwrap_or(u32::MAX).clamp(1, MAX_DEPTH)),
    }
}

/// The games of a bench: the fixed ones, the current one, or those of a file.
fn bench_games(file: &str, current: &Game) -> Result<Vec<Game>, String> {
    match file {
        BenchCommand::DEFAULT_FILE => Ok(engine::bench_games()),
        BenchCommand::CURRENT_FILE => Ok(vec![current.clone()]),
        path => {
            let text = files::read_text(path.as_ref(), files::SETTINGS_LIMIT)
                .map_err(|error| format!("{path}: {error}"))?;
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            lines
                .map(|(index, line)| {
                    read_game(line).map_err(|error| format!("{path}:{}: {error}", index + 1))
                })
                .collect()
        }
    }
}

/// A line of a file: FEN with moves, as `position fen` takes them, or EPD.
fn read_game(line: &str) -> Result<Game, String> {
    if let Ok(epd) = line.parse::<chess::Epd>() {
        return Ok(Game::new(epd.position));
    }
    let mut warnings = Vec::new();
    if let Some(Command::Position(position)) = uci::parse(&format!("position fen {line}")).command
        && let Some(game) = position.set_up(&mut warnings)
        && warnings.is_empty()
    {
        return Ok(game);
    }
    Err(warnings.first().map_or_else(|| "not a FEN".to_owned(), ToString::to_string))
}

/// Hash table in MiB for each thread of a speed test.
const SPEED_TEST_HASH_MB: usize = 128;
/// Seconds of a speed test.
const SPEED_TEST_SECONDS: u64 = 150;
/// Moves that are searched in each game of a speed test.
const SPEED_TEST_MOVES: u32 = 5;

/// Measures the speed of many threads: from each position of the bench some moves of a game are searched and played,
/// each for the same time, so that the hash table is as full as in a game.
pub fn speed_test(test: &SpeedTest, evaluation: Evaluation, print: Print) -> Result<(), Box<dyn Error>> {
    let threads = test.threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let hash_mb = test.hash_mb.unwrap_or_else(|| SPEED_TEST_HASH_MB.saturating_mul(threads));
    let seconds = test.seconds.unwrap_or(SPEED_TEST_SECONDS).min(86_400);
    let mut engine = Engine::try_with_evaluation(evaluation)?;
    engine.set_threads(threads)?;
    engine.set_hash(hash_mb)?;
    let mut games = engine::bench_games();
    let time = Duration::from_secs(seconds) / (games.len() as u32 * SPEED_TEST_MOVES);
    let (stop, mut nodes, mut used, mut fullest, count) =
        (AtomicBool::new(false), 0, Duration::ZERO, 0, games.len());
    for (index, game) in games.iter_mut().enumerate() {
        engine.new_game()?;
        for _ in 0..SPEED_TEST_MOVES {
            let started = Instant::now();
            let limits = Limits { received: started, ..Limits::move_time(time) };
            let on_info = |info: &uci::Info<_>| fullest = info.hashfull.unwrap_or(0).max(fullest);
            let answer = engine.search(game, limits, &stop, on_info)?;
            used += started.elapsed();
            nodes += engine.nodes();
            let Some(best) = answer.best else { break };
            game.play(best);
        }
        print(format!("{:>2}/{count} {:>12} nodes/s", index + 1, nodes_per_second(nodes, used)))?;
    }
    print_totals(nodes, used);
    print(format!("threads {threads} hash {hash_mb} MiB hashfull {fullest}"))?;
    print(format!("{nodes} nodes {} nps", nodes_per_second(nodes, used)))?;
    Ok(())
}

/// Random plies of an opening from the start position, and from a book, whose positions are openings already.
const RANDOM_PLIES: (u32, u32) = (8, 9);
const RANDOM_PLIES_AFTER_BOOK: (u32, u32) = (4, 5);
/// Nodes of the search that scores an opening.
const OPENING_NODES: u64 = 5000;
/// Openings with a larger score are rejected, in centipawns.
const OPENING_SCORE: u64 = 400;

/// Prints openings as `OpenBench` reads them: `info string genfens FEN`.
pub fn generate_openings(
    genfens: &GenFens,
    evaluation: Evaluation,
    print: Print,
) -> Result<(), Box<dyn Error>> {
    let book = match &genfens.book {
        Some(path) if genfens.dfrc => return Err(format!("genfens: dfrc with book {path}").into()),
        Some(path) => {
            let path = Path::new(path);
            Some(Book::load(path, BookFormat::of_path(path).unwrap_or(BookFormat::Epd), usize::MAX)?)
        }
        None => None,
    };
    let plies = if book.is_some() { RANDOM_PLIES_AFTER_BOOK } else { RANDOM_PLIES };
    let score = genfens.score.unwrap_or(OPENING_SCORE);
    let plan = OpeningPlan {
        random_plies: genfens.plies.unwrap_or(plies),
        dfrc_share: if genfens.dfrc { 1.0 } else { 0.0 },
        nodes: genfens.nodes.unwrap_or(OPENING_NODES),
        max_score: i32::try_from(score).unwrap_or(i32::MAX),
    };
    let generator = OpeningGenerator { plan: &plan, book: book.as_ref(), seed: genfens.seed };
    let mut searcher = Searcher::with_evaluation(1, evaluation)?;
    for number in 0..genfens.count {
        let position = generator.opening(number, &mut searcher)?;
        let fen = if genfens.dfrc { position.to_shredder_fen() } else { position.to_fen() };
        print(info_string(format_args!("genfens {fen}")))?;
    }
    Ok(())
}

/// Writes the engine's network to a file, `HASH.nnue` in the current folder if no path is given. Returns what was written.
pub fn export_network(engine: &Engine, path: Option<&Path>) -> Result<String, Box<dyn Error>> {
    let Some((network, description)) = engine.network() else {
        return Err("this build has no network".into());
    };
    let bytes = network.write(&description);
    let (_, label) = nnue::Network::read(&bytes)?;
    let path = path.map_or_else(|| PathBuf::from(format!("{:016x}.nnue", label.hash)), Path::to_owned);
    let named = |error: io::Error| format!("{}: {error}", path.display());
    AtomicFile::open(&path).and_then(|file| file.finish(&bytes)).map_err(named)?;
    Ok(format!("network {:016x} written to {}", label.hash, path.display()))
}

pub fn nodes_per_second(nodes: u64, time: Duration) -> u128 {
    u128::from(nodes) * 1_000_000 / time.as_micros().max(1)
}
