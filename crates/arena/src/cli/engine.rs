//! The arguments of `-engine` and `-each`.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use super::CliError;
use super::section::Section;
use crate::config::{EngineConfig, EngineIdentity, EngineKind};
use crate::game::{EngineLimits, TimeControl, seconds};
use support::shell::split_arguments;

/// What the command line sets for one engine.
#[derive(Clone, Debug, Default)]
pub struct EngineArguments {
    kind: Option<EngineKind>,
    command: Option<String>,
    name: Option<String>,
    arguments: Option<Vec<String>>,
    directory: Option<PathBuf>,
    options: Vec<(String, String)>,
    clock: Option<ClockArgument>,
    move_time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
    margin: Option<Duration>,
    restart: Option<bool>,
    ponder: Option<bool>,
    white_pov: Option<bool>,
    init_commands: Option<Vec<String>>,
    warnings: Vec<String>,
}

/// The value of `tc=`.
#[derive(Clone, Copy, Debug)]
enum ClockArgument {
    Infinite,
    Control(TimeControl),
}

impl EngineArguments {
    pub fn read(section: &Section) -> Result<Self, CliError> {
        let mut engine = Self::default();
        engine.add(section)?;
        Ok(engine)
    }

    pub fn add(&mut self, section: &Section) -> Result<(), CliError> {
        for (key, value) in section.pairs()? {
            match key {
                "cmd" => self.command = Some(value.to_owned()),
                "name" => self.name = Some(value.to_owned()),
                "args" => self.arguments = Some(split_arguments(value)),
                "arg" => self.arguments.get_or_insert_default().push(value.to_owned()),
                "dir" => self.directory = Some(PathBuf::from(value)),
                "proto" => {
                    self.kind = Some(match value {
                        "uci" => EngineKind::Process,
                        "inprocess" => EngineKind::InProcess,
                        _ => {
                            return Err(section.invalid(value, "uci or inprocess"));
                        }
                    });
                }
                "tc" if matches!(value, "inf" | "infinite") => self.clock = Some(ClockArgument::Infinite),
                "tc" => {
                    let control = value.parse().map_err(|_| section.invalid(value, TimeControl::FORMAT))?;
                    self.clock = Some(ClockArgument::Control(control));
                }
                "st" => {
                    let time = seconds(value).filter(|time| !time.is_zero());
                    self.move_time = Some(
                        time.ok_or_else(|| section.invalid(value, "a time in seconds, at most 365 days"))?,
                    );
                }
                "timemargin" => self.margin = Some(section.millis(value)?),
                "nodes" => {
                    let nodes: NonZeroU64 = section.parse(value, "a positive number")?;
                    self.nodes = Some(nodes.get());
                }
                "depth" | "plies" => {
                    let depth: NonZeroU32 = section.parse(value, "a positive number")?;
                    self.depth = Some(depth.get());
                }
                "restart" => self.restart = Some(value != "auto" && section.boolean(value)?),
                "whitepov" => self.white_pov = Some(section.boolean(value)?),
                // cutechess-cli separates lines by a backslash and an n.
                "initstr" => self.init_commands = Some(value.split("\\n").map(str::to_owned).collect()),
                "ponder" => self.ponder = Some(section.boolean(value)?),
                "trust" => self.ignore("trust", "results are always verified"),
                "stderr" => self.ignore("stderr=", "stderr goes to fault reports and -log"),
                "tscale" => {
                    self.ignore("tscale=", "use -startup-ms, -ping-ms and -search-ms");
                }
                "conf" => return Err(section.unsupported("conf=", "use cmd=")),
                "book" | "bookdepth" => {
                    return Err(section.unsupported(&format!("{key}="), "use -openings"));
                }
                _ => {
                    let name = key.strip_prefix("option.").unwrap_or(key).to_owned();
                    if name.trim().is_empty() {
                        return Err(section.invalid(&format!("{key}={value}"), "option.NAME=VALUE"));
                    }
                    self.options.retain(|option| !option.0.eq_ignore_ascii_case(&name));
                    self.options.push((name, value.to_owned()));
                }
            }
        }
        Ok(())
    }

    fn ignore(&mut self, argument: &str, reason: &str) {
        self.warnings.push(format!("{argument} is ignored: {reason}"));
    }

    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The engine; `each` sets what its own arguments do not.
    pub fn finish(self, each: &Self) -> Result<EngineConfig, CliError> {
        let each = each.clone();
        let kind = self.kind.or(each.kind).unwrap_or_default();
        let command = match (self.command.or(each.command), kind) {
            (Some(command), _) => command,
            (None, EngineKind::InProcess) => String::new(),
            (None, EngineKind::Process) => {
                return Err(CliError::Missing("-engine: missing cmd=".to_owned()));
            }
        };
        let mut options = self.options;
        for (name, value) in each.options {
            if !options.iter().any(|own| own.0.eq_ignore_ascii_case(&name)) {
                options.push((name, value));
            }
        }
        let clock = match self.clock.or(each.clock) {
            Some(ClockArgument::Control(control)) => Some(control),
            Some(ClockArgument::Infinite) | None => None,
        };
        let limits = EngineLimits {
            clock,
            move_time: self.move_time.or(each.move_time),
            nodes: self.nodes.or(each.nodes),
            depth: self.depth.or(each.depth),
            margin: self.margin.or(each.margin).unwrap_or(EngineLimits::default().margin),
        };
        Ok(EngineConfig {
            kind,
            name: self.name.unwrap_or_default(),
            command,
            arguments: self.arguments.or(each.arguments).unwrap_or_default(),
            directory: self.directory.or(each.directory),
            options,
            limits,
            restart: self.restart.or(each.restart).unwrap_or(false),
            ponder: self.ponder.or(each.ponder).unwrap_or(false),
            white_pov: self.white_pov.or(each.white_pov).unwrap_or(false),
            init_commands: self.init_commands.or(each.init_commands).unwrap_or_default(),
            identity: EngineIdentity::default(),
        })
    }
}
