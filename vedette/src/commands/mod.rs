//! The commands of the command line. Each has a file or folder with a struct of arguments, filled by clap, and a `run`.
//! To add one: its file, a `mod` line, a variant and an arm. The feature `tools` has all that are not the engine's. What several commands share is in [`crate::cli`].

#[cfg(feature = "tools")]
pub mod analyse;
#[cfg(feature = "tools")]
pub mod autopsy;
pub mod bench;
#[cfg(feature = "tools")]
pub mod book;
#[cfg(feature = "tools")]
pub mod completions;
#[cfg(feature = "tools")]
pub mod data;
#[cfg(feature = "tools")]
pub mod doctor;
#[cfg(feature = "tools")]
pub mod engine;
#[cfg(feature = "tools")]
pub mod explain;
#[cfg(feature = "tools")]
pub mod explorer;
#[cfg(feature = "tools")]
pub mod gpu;
#[cfg(feature = "tools")]
pub mod man;
#[cfg(feature = "tools")]
pub mod match_;
#[cfg(feature = "tools")]
pub mod net;
#[cfg(feature = "tools")]
pub mod openings;
pub mod perft;
#[cfg(feature = "tools")]
pub mod play;
pub mod selfplay;
#[cfg(feature = "tools")]
pub mod sprt;
#[cfg(feature = "tools")]
pub mod spsa;
#[cfg(feature = "tools")]
pub mod studio;
#[cfg(feature = "tools")]
pub mod suite;
#[cfg(feature = "tools")]
pub mod trace;
#[cfg(feature = "tools")]
pub mod train;
#[cfg(feature = "tools")]
pub mod tune;
pub mod uci;

use std::error::Error;
use std::process::ExitCode;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Run as a UCI engine on stdin and stdout (default)
    Uci(uci::Arguments),
    /// Search fixed positions and print the node count (bench signature)
    Bench(bench::Arguments),
    /// Count the leaf nodes of the legal move tree
    Perft(perft::Arguments),
    /// Generate training games by self-play
    Selfplay(selfplay::Arguments),
    #[cfg(feature = "tools")]
    #[command(flatten)]
    Tool(Tool),
}

/// The commands that `make engine` leaves out.
#[cfg(feature = "tools")]
#[derive(clap::Subcommand)]
pub enum Tool {
    /// Play, analyse and inspect searches in the browser
    Studio(studio::Arguments),
    /// Add, list and remove UCI engines for the studio
    Engine(engine::Arguments),
    /// Play a game in the terminal
    Play(play::Arguments),
    /// Test a UCI engine and diagnose its bugs
    Doctor(doctor::Arguments),
    /// Play engine matches, with the options of fastchess and cutechess-cli
    Match(match_::Arguments),
    /// Generate a balanced opening book
    Openings(openings::Arguments),
    /// Look up, build and merge Polyglot opening books
    Book(book::Arguments),
    /// Index games, and show the moves that were played in a position
    Explorer(explorer::Arguments),
    /// Compute Elo, LLR and the expected length of a test from results
    Sprt(sprt::Arguments),
    /// Tune UCI options of an engine, or Vedette's search parameters, with SPSA
    Spsa(spsa::Arguments),
    /// Review games: winning chances, accuracy, mistakes and better lines
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Arguments),
    /// Find out where an engine lost its games, and why
    Autopsy(autopsy::Arguments),
    /// Explain a move, or the best move of a position, in sentences
    Explain(explain::Arguments),
    /// Show the search tree of a position
    Trace(trace::Arguments),
    /// Run EPD test suites
    Suite(suite::Arguments),
    /// Inspect, compare and convert networks
    Net(net::Arguments),
    /// Train a network on games or positions with scores
    Train(train::Arguments),
    /// Run self-play, matches and training on a GPU
    Gpu(gpu::Arguments),
    /// Inspect, filter, shuffle, split and convert training data
    Data(data::Arguments),
    /// Fit the weights of the classical evaluation
    Tune(tune::Arguments),
    /// Print a shell completion script
    Completions(completions::Arguments),
    /// Print manual pages
    Man(man::Arguments),
}

impl Default for Command {
    fn default() -> Self {
        Command::Uci(uci::Arguments {})
    }
}

impl Command {
    /// Runs the command. A closed stdout may be returned as an error: it counts as success.
    pub fn run(self) -> Result<(), Box<dyn Error>> {
        match self {
            Command::Uci(arguments) => uci::run(&arguments),
            Command::Bench(arguments) => bench::run(&arguments),
            Command::Perft(arguments) => perft::run(&arguments),
            Command::Selfplay(arguments) => selfplay::run(&arguments),
            #[cfg(feature = "tools")]
            Command::Tool(tool) => tool.run(),
        }
    }

    /// The exit code of a failure. That of the doctor differs from the one that means a positive result.
    pub fn exit_code_of_failure(&self) -> ExitCode {
        match self {
            #[cfg(feature = "tools")]
            Command::Tool(Tool::Doctor(_)) => doctor::NOT_DONE.into(),
            _ => ExitCode::FAILURE,
        }
    }

    /// Whether a panic ends only what caused it: a request to the studio. Everywhere else it ends the program.
    pub fn contains_panics(&self) -> bool {
        match self {
            #[cfg(feature = "tools")]
            Command::Tool(Tool::Studio(_)) => true,
            _ => false,
        }
    }
}

#[cfg(feature = "tools")]
impl Tool {
    fn run(self) -> Result<(), Box<dyn Error>> {
        match self {
            Tool::Studio(arguments) => studio::run(&arguments),
            Tool::Play(arguments) => play::run(&arguments),
            Tool::Doctor(arguments) => doctor::run(&arguments),
            Tool::Match(arguments) => match_::run(&arguments),
            Tool::Engine(arguments) => engine::run(&arguments),
            Tool::Openings(arguments) => openings::run(&arguments),
            Tool::Book(arguments) => book::run(&arguments),
            Tool::Explorer(arguments) => explorer::run(&arguments),
            Tool::Sprt(arguments) => sprt::run(&arguments),
            Tool::Spsa(arguments) => spsa::run(&arguments),
            Tool::Analyse(arguments) => analyse::run(&arguments),
            Tool::Autopsy(arguments) => autopsy::run(&arguments),
            Tool::Explain(arguments) => explain::run(&arguments),
            Tool::Trace(arguments) => trace::run(&arguments),
            Tool::Suite(arguments) => suite::run(&arguments),
            Tool::Net(arguments) => net::run(&arguments),
            Tool::Train(arguments) => train::run(&arguments),
            Tool::Gpu(arguments) => gpu::run(&arguments),
            Tool::Data(arguments) => data::run(&arguments),
            Tool::Tune(arguments) => tune::run(&arguments),
            Tool::Completions(arguments) => completions::run(&arguments),
            Tool::Man(arguments) => man::run(&arguments),
        }
    }
}
