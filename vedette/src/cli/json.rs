//! `--json [FILE]`: the result of a command for scripts. `docs/json.md` has the schemas.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::output_file::OutputFile;

/// The path that means stdout.
const STDOUT: &str = "-";

#[derive(clap::Args)]
pub struct JsonArguments {
    /// Write the result as JSON to this file, or to stdout instead of text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = STDOUT)]
    json: Option<PathBuf>,
}

impl JsonArguments {
    /// Opens the output before the work begins, so that a path that cannot be written fails at once.
    pub fn open(&self) -> Result<JsonOutput, String> {
        match self.json.as_deref() {
            None => Ok(JsonOutput::None),
            Some(path) if path == Path::new(STDOUT) => Ok(JsonOutput::Stdout),
            Some(path) => OutputFile::open(path).map(JsonOutput::File),
        }
    }

    /// Where the text for people goes: nowhere if stdout has the JSON.
    pub fn text(&self) -> Box<dyn Write> {
        if self.is_stdout() { Box::new(io::sink()) } else { Box::new(io::stdout()) }
    }

    /// Whether stdout has nothing but the JSON.
    pub fn is_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new(STDOUT))
    }

    /// The file; `None` if there is none, or for stdout.
    pub fn file(&self) -> Option<&Path> {
        self.json.as_deref().filter(|path| *path != Path::new(STDOUT))
    }
}

/// Where the result goes.
pub enum JsonOutput {
    /// It is not asked for.
    None,
    Stdout,
    File(OutputFile),
}

impl JsonOutput {
    /// Writes the result, which is computed only where it is asked for.
    pub fn finish(self, value: impl FnOnce() -> Value) -> Result<(), Box<dyn Error>> {
        self.finish_text(|| format!("{:#}", value()))
    }

    /// Writes a result that is JSON already.
    pub fn finish_text(self, text: impl FnOnce() -> String) -> Result<(), Box<dyn Error>> {
        match self {
            JsonOutput::None => Ok(()),
            JsonOutput::Stdout => Ok(writeln!(io::stdout(), "{}", text())?),
            JsonOutput::File(file) => Ok(file.finish(&(text() + "\n"))?),
        }
    }
}
