//! The commands of the command line. Each has a file or folder with a struct of arguments, filled by clap, and a `run`.
//! To add one: its file, a `mod` line, a variant and an arm. What several commands share is in [`crate::cli`].

pub mod analyse;
pub mod bench;
pub mod data;
pub mod doctor;
pub mod gpu;
pub mod match_;
pub mod net;
pub mod openings;
pub mod perft;
pub mod selfplay;
pub mod sprt;
pub mod spsa;
pub mod studio;
pub mod suite;
pub mod trace;
pub mod train;
pub mod tune;
pub mod uci;

use std::error::Error;

#[derive(clap::Subcommand)]
pub enum Command {
    /// Run as a UCI engine on stdin and stdout (default)
    Uci(uci::Arguments),
    /// Search fixed positions and print the node count, the search's signature
    Bench(bench::Arguments),
    /// Count the leaf nodes of the legal move tree
    Perft(perft::Arguments),
    /// Play, analyse and inspect searches in the browser
    Studio(studio::Arguments),
    /// Test a UCI engine and diagnose its bugs
    Doctor(doctor::Arguments),
    /// Play engine matches, with the options of fastchess and cutechess-cli
    Match(match_::Arguments),
    /// Generate a balanced opening book
    Openings(openings::Arguments),
    /// Compute Elo, LLR and the expected length of a test from results
    Sprt(sprt::Arguments),
    /// Tune search parameters with SPSA (build with --features tune)
    Spsa(spsa::Arguments),
    /// Review games: winning chances, accuracy, mistakes and better lines
    Analyse(analyse::Arguments),
    /// Show the search tree of a position
    Trace(trace::Arguments),
    /// Run EPD test suites
    Suite(suite::Arguments),
    /// Inspect, compare and convert networks
    Net(net::Arguments),
    /// Train a network on packed games
    Train(train::Arguments),
    /// Generate training games by self-play
    Selfplay(selfplay::Arguments),
    /// Run self-play, matches and training on a GPU
    Gpu(gpu::Arguments),
    /// Audit, filter, shuffle, split and export training data
    Data(data::Arguments),
    /// Fit the weights of the classical evaluation
    Tune(tune::Arguments),
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
            Command::Studio(arguments) => studio::run(&arguments),
            Command::Doctor(arguments) => doctor::run(&arguments),
            Command::Match(arguments) => match_::run(&arguments),
            Command::Openings(arguments) => openings::run(&arguments),
            Command::Sprt(arguments) => sprt::run(&arguments),
            Command::Spsa(arguments) => spsa::run(&arguments),
            Command::Analyse(arguments) => analyse::run(&arguments),
            Command::Trace(arguments) => trace::run(&arguments),
            Command::Suite(arguments) => suite::run(&arguments),
            Command::Net(arguments) => net::run(&arguments),
            Command::Train(arguments) => train::run(&arguments),
            Command::Selfplay(arguments) => selfplay::run(&arguments),
            Command::Gpu(arguments) => gpu::run(&arguments),
            Command::Data(arguments) => data::run(&arguments),
            Command::Tune(arguments) => tune::run(&arguments),
        }
    }
}
