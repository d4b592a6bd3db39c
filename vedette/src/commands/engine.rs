//! `vedette engine`: the UCI engines that the studio offers.

use std::error::Error;
use std::io::{self, Write};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::time::Duration;

use studio::engines::{self, ExternalEngine};
use support::shell::{quoted, split_arguments};
use support::text::printable;
use uci::client::{Client, Launch};

use super::studio::data_folder;

/// How long an engine may take for `uciok`.
const HANDSHAKE: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
#[command(
    after_help = "Added engines are stored in engines.toml in the data folder. A running studio lists them when its page is \
    loaded again."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Use the studio's data in this folder [default: the user's data folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Add a UCI engine; it is started once to check it
    Add(Add),
    /// List added and installed engines
    List,
    /// Remove an engine that was added
    Remove {
        /// Name of the engine
        name: String,
    },
}

#[derive(clap::Args)]
struct Add {
    /// Name of the engine in the studio
    name: String,
    /// Add it even if it does not answer
    #[arg(long)]
    force: bool,
    /// Command of the engine, with its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let folder = arguments.data.clone().or_else(data_folder);
    let folder = folder.ok_or("no home directory found: set the data folder with --data")?;
    match &arguments.command {
        Command::Add(add) => run_add(&folder, add),
        Command::List => list(&folder),
        Command::Remove { name } => {
            engines::remove(&folder, name)?;
            Ok(writeln!(io::stdout(), "Removed {}", printable(name))?)
        }
    }
}

fn run_add(folder: &Path, add: &Add) -> Result<(), Box<dyn Error>> {
    let mut words = add.command.clone();
    // The studio may be started in another folder.
    if words[0].contains(MAIN_SEPARATOR) || words[0].contains('/') {
        words[0] = std::path::absolute(&words[0])?.display().to_string();
    }
    let command: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    let engine = ExternalEngine::new(&add.name, &command.join(" "))?;
    let known = engines::added(folder)?.iter().any(|known| known.name == engine.name);
    let identity = match (known, test_start(&engine)) {
        (false, Err(error)) if !add.force => {
            return Err(format!("{}: {error}; --force adds it anyway", printable(&engine.command)).into());
        }
        (_, tested) => tested.ok().filter(|name| !name.is_empty()),
    };
    let name = engine.name.clone();
    engines::add(folder, engine)?;
    let identity = identity.map_or(String::new(), |identity| format!(" ({})", printable(&identity)));
    Ok(writeln!(io::stdout(), "Added {}{identity}", printable(&name))?)
}

/// Starts the engine once; returns its `id name`.
fn test_start(engine: &ExternalEngine) -> Result<String, Box<dyn Error>> {
    let mut words = split_arguments(&engine.command).into_iter();
    let program = PathBuf::from(words.next().unwrap_or_default());
    let mut client = Client::start(&Launch { program, arguments: words.collect(), directory: None })?;
    let name = client.handshake(HANDSHAKE)?.name.clone();
    client.quit(Duration::from_secs(2));
    Ok(name)
}

fn list(folder: &Path) -> Result<(), Box<dyn Error>> {
    let added = engines::added(folder)?;
    let installed = engines::installed();
    let mut out = io::stdout().lock();
    if added.is_empty() && installed.is_empty() {
        writeln!(out, "No engines: add one with vedette engine add NAME COMMAND")?;
    }
    let rows = added
        .iter()
        .map(|engine| (engine, "added"))
        .chain(installed.iter().map(|engine| (engine, "installed")));
    for (engine, source) in rows {
        // An added engine hides an installed one of the same name.
        if source == "installed" && added.iter().any(|known| known.name == engine.name) {
            continue;
        }
        writeln!(out, "{:<20} {source:<10} {}", printable(&engine.name), printable(&engine.command))?;
    }
    Ok(())
}
