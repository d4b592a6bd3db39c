//! The command line's commands, one thin file each: a struct of arguments that clap fills, and a `run` that
//! prints and returns. To add one: its file, a `mod` line, a variant, an arm.

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

/// What can be asked for by name.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Speak UCI on standard input and output (the default)
    Uci(uci::Arguments),
    /// Search fixed positions and count nodes: a signature of the search
    Bench(bench::Arguments),
    /// Count the leaves of the tree of legal moves
    Perft(perft::Arguments),
    /// Play, analyse and look inside the search, in the browser
    Studio(studio::Arguments),
    /// Examine a UCI engine and tell what is really wrong with it
    Doctor(doctor::Arguments),
    /// Play engines against engines, with the words of fastchess and cutechess-cli
    Match(match_::Arguments),
    /// Make an opening book from nothing
    Openings(openings::Arguments),
    /// From match results to Elo and likelihood ratio, and how long a test takes
    Sprt(sprt::Arguments),
    /// Tune the parameters of the search by games (build with --features tune)
    Spsa(spsa::Arguments),
    /// Review games: winning chances, accuracy, errors and better lines
    Analyse(analyse::Arguments),
    /// Show the search tree of a position as it was searched
    Trace(trace::Arguments),
    /// Give positions with known answers to engines
    Suite(suite::Arguments),
    /// Look into networks, compare them, write them as text
    Net(net::Arguments),
    /// Learn a network from packed games, as a recipe says
    Train(train::Arguments),
    /// Play games to train a network with
    Selfplay(selfplay::Arguments),
    /// Self-play, matches, tests and training on a GPU
    Gpu(gpu::Arguments),
    /// Audit, filter, shuffle, split and export training games
    Data(data::Arguments),
    /// Fit the weights of the classical evaluation to games, or play games for it
    Tune(tune::Arguments),
}

impl Default for Command {
    fn default() -> Self {
        Command::Uci(uci::Arguments {})
    }
}

impl Command {
    /// Runs the command. A closed output pipe may be passed up as it is: it counts as success.
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
