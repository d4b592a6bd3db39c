//! `vedette studio`: serves the web app and opens it in the browser.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::thread;

use studio::{ExternalEngine, ServeError, ServerConfig, Shutdown, StudioConfig};
use tables::Tablebases;

use crate::cli::browser;
use crate::cli::evaluation::EvaluationArguments;

/// The port when none is given.
const PORT: u16 = 8111;

#[derive(clap::Args)]
#[command(
    after_help = "Games, reviews, matches and reports are stored as plain files in the data folder. The page is reachable from \
    this machine only, unless --host is given. The printed URL contains a token, which is required to use the studio. If a \
    studio is already running, a second one opens its page. Press Ctrl-C to stop; games resume at the next start."
)]
pub struct Arguments {
    /// Listen on this port [default: 8111, or any free port]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Store games, reviews and reports in this folder [default: the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Offer this UCI engine too (see `vedette engine`): its name, and its command with arguments; repeatable
    #[arg(long = "engine", value_name = "NAME=COMMAND", value_parser = parse_engine)]
    engines: Vec<ExternalEngine>,
    /// Use the Syzygy tablebases in these folders for analysis, reviews and matches
    #[arg(long, value_name = "PATHS")]
    syzygy: Option<String>,
    #[command(flatten)]
    evaluation: EvaluationArguments,
}

/// Serves until Ctrl-C.
pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (evaluation, evaluation_name) = arguments.evaluation.evaluation()?;
    let folder = arguments.data.clone().or_else(data_folder);
    let server = ServerConfig {
        host: arguments.host,
        port: arguments.port.unwrap_or(PORT),
        any_port: arguments.port.is_none(),
        folder: folder.ok_or("no home directory found: set the data folder with --data")?,
    };
    let config = StudioConfig {
        evaluation,
        evaluation_name,
        options: arguments.options()?,
        program: env::current_exe()?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        engines: arguments.engines.clone(),
        installed: studio::engines::installed(),
    };
    let shutdown = Shutdown::new();
    let trigger = shutdown.clone();
    ctrlc::set_handler(move || trigger.trigger())?;
    let mut announced = Ok(());
    let served = studio::run(config, &server, &shutdown, |url| {
        announced = announce(url, &server);
        if !arguments.no_open {
            open(url.to_owned(), server.folder.clone());
        }
    });
    match served {
        Ok(()) => Ok(announced?),
        Err(ServeError::InUse { by: Some(running), .. }) if arguments.has_defaults() => {
            if !arguments.no_open {
                // Where there is no browser, the URL is printed anyway.
                let _ = browser::open(&running.url, &server.folder);
            }
            Ok(writeln!(io::stdout(), "Vedette studio is already running {running}")?)
        }
        Err(error @ ServeError::InUse { .. }) => {
            Err(format!("{error}: stop it first, or use another folder with --data").into())
        }
        Err(error) => Err(error.into()),
    }
}

impl Arguments {
    /// The options of Vedette's engine.
    fn options(&self) -> Result<Vec<(String, String)>, Box<dyn Error>> {
        let mut options = self.evaluation.options();
        if let Some(paths) = &self.syzygy {
            Tablebases::open(&tables::split_paths(paths)).map_err(|error| format!("--syzygy: {error}"))?;
            options.push(("SyzygyPath".to_owned(), paths.clone()));
        }
        Ok(options)
    }

    /// Whether a running studio serves as well as a new one.
    fn has_defaults(&self) -> bool {
        let default_address = self.port.is_none() && self.host.is_loopback();
        default_address
            && self.engines.is_empty()
            && self.syzygy.is_none()
            && self.evaluation.options().is_empty()
    }
}

fn announce(url: &str, server: &ServerConfig) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "Vedette studio running at {url}")?;
    if !server.host.is_loopback() {
        writeln!(out, "Anyone with this URL can use the studio.")?;
    }
    if !studio::has_page() {
        writeln!(out, "This build does not include the web page: run make with nodejs and npm installed.")?;
    }
    writeln!(out, "Data folder: {}. Press Ctrl-C to stop.", server.folder.display())?;
    out.flush()
}

/// Opens the page in the user's browser, on its own thread, which waits for the process so that it does not become a zombie.
fn open(url: String, folder: PathBuf) {
    // Where there is no browser, the URL has been printed.
    thread::spawn(move || browser::open(&url, &folder).and_then(|mut child| child.wait()));
}

/// The folder where programs of this system keep a user's data.
pub fn data_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("vedette"))
}

fn parse_engine(text: &str) -> Result<ExternalEngine, String> {
    let (name, command) = text.split_once('=').ok_or("expected NAME=COMMAND")?;
    ExternalEngine::new(name, command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_needs_name_and_command() {
        let engine = parse_engine("Old one=/opt/old --uci x=1").expect("an engine");
        assert_eq!((engine.name.as_str(), engine.command.as_str()), ("Old one", "/opt/old --uci x=1"));
        for bad in ["", "name", "=command", "name="] {
            assert!(parse_engine(bad).is_err(), "{bad}");
        }
    }
}
