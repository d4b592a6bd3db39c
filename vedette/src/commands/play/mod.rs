//! `vedette play`: a game in the terminal.

mod board;
mod events;
mod input;
mod saved;
mod table;

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::EngineConfig;
use arena::config::{EngineKind, Timeouts};
use arena::game::{EngineLimits, GameClock, TimeControl};
use arena::players::{InProcessPlayer, Player, PlayerError, ProcessPlayer, option_warnings};
use chess::{Color, Game};
use engine::ELO;
use record::polyglot::PolyglotBook;

use self::board::BoardStyle;
use self::saved::SavedGame;
use self::table::{Opponent, PlaySession};
use crate::cli::output_file;
use crate::cli::position::PositionArguments;
use crate::cli::values::{parse_option, parse_positive};

#[derive(clap::Args)]
#[command(
    after_help = "Type moves in SAN or UCI notation (Nf3, e8=Q, g1f3), or help for the commands: undo, hint, moves, resign \
    and others. docs/play.md has an example."
)]
pub struct Arguments {
    /// Play this side
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Limit the opponent to this Elo; 800 to 2610 for Vedette [default: full strength]
    #[arg(long, value_name = "ELO")]
    level: Option<u32>,
    /// Play against this UCI engine, with its arguments [default: Vedette]
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// Set a UCI option of the opponent; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_option)]
    option: Vec<(String, String)>,
    /// Let the opponent play from this Polyglot book
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Play on the clock: moves/minutes:seconds+increment, such as 5:00+3
    #[arg(long, value_name = "TC")]
    tc: Option<TimeControl>,
    /// Search each move of the opponent for this many milliseconds [default: 1000 without other limits]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Search each move of the opponent with N nodes
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    nodes: Option<u64>,
    /// Search each move of the opponent to depth N
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    #[command(flatten)]
    position: PositionArguments,
    /// Draw the board with letters
    #[arg(long)]
    ascii: bool,
    /// Describe the position in words instead of drawing it, for screen readers
    #[arg(long, conflicts_with = "ascii")]
    words: bool,
    /// Write the game to this PGN file after every move
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the unfinished game in the output file
    #[arg(long, requires = "output", conflicts_with_all = ["fen", "moves", "side"])]
    resume: bool,
    /// Set your name in the PGN file
    #[arg(long, default_value = "Player")]
    name: String,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Side {
    White,
    Black,
    /// Either, at random
    Random,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (game, human, clocks) = arguments.start()?;
    let chess960 = !game.start().has_standard_castling();
    let stop = Arc::new(AtomicBool::new(false));
    let events = events::listen(&stop)?;
    let opponent = Opponent {
        player: arguments.player(chess960, &stop)?,
        name: arguments.opponent_name(),
        book: arguments.book.as_deref().map(PolyglotBook::load).transpose()?,
        score: None,
    };
    let style = if arguments.words { BoardStyle::Words } else { BoardStyle::drawn(arguments.ascii) };
    let mut table = PlaySession::new(game, human, clocks, opponent, style, chess960, (events, stop));
    table.name.clone_from(&arguments.name);
    table.output.clone_from(&arguments.output);
    table.play()
}

impl Arguments {
    /// The game so far, the side of the human, and the clocks before each ply and now.
    fn start(&self) -> Result<(Game, Color, saved::Clocks), Box<dyn Error>> {
        if self.resume
            && let Some(path) = &self.output
        {
            let saved = SavedGame::read(path)?;
            let human = saved.side_of(&self.name).ok_or_else(|| {
                format!("{}: neither player is called '{}': use --name", path.display(), self.name)
            })?;
            let clocks = saved.clocks(self.limits(self.tc.or(saved.control), human));
            return Ok((saved.game, human, clocks));
        }
        if let Some(path) = &self.output {
            if path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0) {
                return Err(format!(
                    "{}: exists; continue its game with --resume, or choose another file",
                    path.display()
                )
                .into());
            }
            output_file::check(path)?;
        }
        let human = match self.side {
            Side::White => Color::White,
            Side::Random if RandomState::new().build_hasher().finish().is_multiple_of(2) => Color::White,
            Side::Black | Side::Random => Color::Black,
        };
        let game = Game::new(self.position.position()?);
        let clocks = self.limits(self.tc, human).map(GameClock::new);
        Ok((game, human, vec![clocks]))
    }

    /// The limits of White and Black. The clock is for both, the others are for the opponent's searches.
    fn limits(&self, clock: Option<TimeControl>, human: Color) -> [EngineLimits; 2] {
        const DEFAULT_TIME: u64 = 1000;
        let unlimited = clock.is_none() && self.nodes.is_none() && self.depth.is_none();
        // Nobody loses a game in the terminal by the latency of a pipe.
        let both = EngineLimits { clock, margin: Duration::from_millis(100), ..EngineLimits::default() };
        let mut limits = [both; 2];
        limits[(!human).index()] = EngineLimits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.or(unlimited.then_some(DEFAULT_TIME)).map(Duration::from_millis),
            ..both
        };
        limits
    }

    fn opponent_name(&self) -> String {
        let name = self.engine.as_deref().unwrap_or("Vedette");
        self.level.map_or(name.to_owned(), |level| format!("{name} (level {level})"))
    }

    fn player(&self, chess960: bool, stop: &Arc<AtomicBool>) -> Result<Box<dyn Player>, Box<dyn Error>> {
        let mut engine =
            self.engine.as_deref().map_or_else(EngineConfig::in_process, EngineConfig::of_command);
        if let Some(level) = self.level {
            let is_own = engine.kind == EngineKind::InProcess;
            if is_own && !ELO.contains(&(level as usize)) {
                return Err(
                    format!("invalid --level {level}: expected {}..={}", ELO.start(), ELO.end()).into()
                );
            }
            engine.options.push(("UCI_LimitStrength".to_owned(), "true".to_owned()));
            engine.options.push(("UCI_Elo".to_owned(), level.to_string()));
        }
        engine.options.extend(self.option.iter().cloned());
        if engine.kind == EngineKind::InProcess {
            return Ok(Box::new(own_player(&engine, chess960, stop)?));
        }
        let player = ProcessPlayer::start(&engine, chess960, Timeouts::default(), Arc::clone(stop), None)?;
        match option_warnings(&engine, player.identity()).into_iter().next() {
            Some(warning) => Err(warning.into()),
            None => Ok(Box::new(player)),
        }
    }
}

/// Vedette as a player that `stop` interrupts.
fn own_player(
    engine: &EngineConfig,
    chess960: bool,
    stop: &Arc<AtomicBool>,
) -> Result<InProcessPlayer, PlayerError> {
    let mut player = InProcessPlayer::new(engine, chess960)?;
    player.interrupt_by(Arc::clone(stop));
    Ok(player)
}
