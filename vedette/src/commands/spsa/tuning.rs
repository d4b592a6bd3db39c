//! An SPSA run, on the CPU or a GPU: started or resumed, validated, saved and printed.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arena::spsa::{Gains, TunedParameter, Tuner, check_option, read_parameters};
use engine::params::Parameter;
use support::files;
use uci::client::Identity;

use crate::cli::output_file::{self, OutputFile, path_error};
use crate::cli::stderr::stderr;

/// Options of both SPSA commands.
#[derive(clap::Args)]
pub struct TuningArguments {
    /// Tune these parameters, in OpenBench's SPSA format [default: all search parameters]
    #[arg(value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// Set the exponent of the steps
    #[arg(long, default_value_t = Gains::default().alpha)]
    alpha: f64,
    /// Set the exponent of the perturbations
    #[arg(long, default_value_t = Gains::default().gamma)]
    gamma: f64,
    /// Print all search parameters in OpenBench's SPSA format, and exit
    #[arg(long)]
    pub export: bool,
    /// Set the random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Save the run to this file, and resume from it if it exists
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// Write the tuned parameters to this file [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl TuningArguments {
    /// Resumes the run in the state file, or starts a new one. Either way its parameters must be parameters of the search.
    pub fn start(&self, known: &[&Parameter], iterations: u64) -> Result<Tuner, Box<dyn Error>> {
        let all = || known.iter().map(|parameter| parameter.spsa_line().parse()).collect::<Result<_, _>>();
        self.start_checked(iterations, || Ok(all()?), |parameter| check(parameter, known))
    }

    /// As [`TuningArguments::start`] for another engine, whose options the parameters must be.
    pub fn start_engine(&self, engine: &Identity, iterations: u64) -> Result<Tuner, Box<dyn Error>> {
        let missing = || Err("missing parameters: give a FILE; --export prints the engine's options".into());
        self.start_checked(iterations, missing, |parameter| check_option(parameter, engine))
    }

    fn start_checked(
        &self,
        iterations: u64,
        all: impl Fn() -> Result<Vec<TunedParameter>, Box<dyn Error>>,
        check: impl Fn(&TunedParameter) -> Result<(), String>,
    ) -> Result<Tuner, Box<dyn Error>> {
        let tuner = match self.state.as_deref().filter(|path| path.exists()) {
            Some(path) => resume(path)?,
            None => self.begin(all, iterations)?,
        };
        tuner.parameters().iter().try_for_each(check)?;
        Ok(tuner)
    }

    /// Opens the output and saves the run, so that neither fails after hours of games.
    pub fn open_files(&self, tuner: &Tuner) -> Result<Option<OutputFile>, Box<dyn Error>> {
        let output = self.output.as_deref().map(OutputFile::open).transpose()?;
        if let Some(path) = &self.state {
            save(path, tuner)?;
        }
        Ok(output)
    }

    fn begin(
        &self,
        all: impl Fn() -> Result<Vec<TunedParameter>, Box<dyn Error>>,
        iterations: u64,
    ) -> Result<Tuner, Box<dyn Error>> {
        let parameters = if let Some(path) = &self.parameters {
            let text =
                files::read_text(path, files::SETTINGS_LIMIT).map_err(|error| path_error(path, &error))?;
            read_parameters(&text).map_err(|error| format!("{}: {error}", path.display()))?
        } else {
            all()?
        };
        if parameters.is_empty() {
            return Err("no parameters to tune".into());
        }
        let gains = Gains { alpha: self.alpha, gamma: self.gamma, ..Gains::default() };
        if !(0.0..=1.0).contains(&gains.alpha) || !(0.0..=1.0).contains(&gains.gamma) {
            let (alpha, gamma) = (gains.alpha, gains.gamma);
            return Err(format!("invalid --alpha {alpha} or --gamma {gamma}: expected 0..=1").into());
        }
        Ok(Tuner::new(parameters, iterations, gains, self.seed))
    }
}

/// Prints parameters in `OpenBench`'s SPSA format.
pub fn export(known: &[&Parameter]) -> Result<(), Box<dyn Error>> {
    let mut out = io::stdout().lock();
    Ok(known.iter().try_for_each(|parameter| writeln!(out, "{}", parameter.spsa_line()))?)
}

/// Writes the tuned parameters.
pub fn write(output: Option<OutputFile>, tuner: &Tuner) -> Result<(), Box<dyn Error>> {
    let text = lines(tuner);
    match output {
        Some(file) => file.finish(&text)?,
        None => write!(io::stdout(), "{text}")?,
    }
    Ok(())
}

fn resume(path: &Path) -> Result<Tuner, String> {
    let text = files::read_text(path, files::SETTINGS_LIMIT).map_err(|error| path_error(path, &error))?;
    let mut tuner: Tuner =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    tuner.resume();
    stderr!(
        "Resuming {} with its saved parameters, iterations and seed: {}",
        path.display(),
        progress(&tuner)
    );
    Ok(tuner)
}

/// A parameter must exist in the search, and its range must lie within the search's.
fn check(parameter: &TunedParameter, known: &[&Parameter]) -> Result<(), String> {
    let TunedParameter { name, min, max, .. } = parameter;
    let Some(own) = known.iter().find(|known| known.name == name) else {
        let near = support::suggest::nearest(name, known.iter().map(|known| known.name));
        let hint = near.map_or(String::new(), |near| format!(": did you mean '{near}'?"));
        return Err(format!("unknown search parameter '{name}'{hint}"));
    };
    if *min < f64::from(own.min) || *max > f64::from(own.max) {
        return Err(format!(
            "invalid range {min}..={max} of {name}: expected within {}..={}",
            own.min, own.max
        ));
    }
    Ok(())
}

/// Parameters listed in the progress line.
const SHOWN_PARAMETERS: usize = 3;

/// The progress of a run in one line.
pub fn progress(tuner: &Tuner) -> String {
    let (finished, wanted) = tuner.progress();
    let moved: Vec<String> = tuner
        .drift()
        .into_iter()
        .take(SHOWN_PARAMETERS)
        .map(|(parameter, start)| {
            let digits = if parameter.is_integer { 0 } else { 3 };
            format!("{} {start:.digits$} -> {:.digits$}", parameter.name, parameter.value)
        })
        .collect();
    format!("{finished} of {wanted} iterations; largest changes: {}", moved.join(", "))
}

/// Saves the run.
pub fn save(path: &Path, tuner: &Tuner) -> Result<(), String> {
    let text = serde_json::to_string(tuner).map_err(|error| error.to_string())?;
    output_file::write(path, &text)
}

/// The parameters in `OpenBench`'s SPSA format, one per line.
fn lines(tuner: &Tuner) -> String {
    let lines: Vec<String> = tuner.parameters().iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_and_ranges_are_rejected() {
        let known: Vec<&Parameter> = engine::params::ALL.iter().collect();
        let own = known[0];
        let line = |name: &str, min: i32, max: i32| {
            let line = format!("{name}, int, {}, {min}, {max}, 1, 0.002", own.min);
            check(&line.parse().expect("a line"), &known)
        };
        assert_eq!(line(own.name, own.min, own.max), Ok(()));
        for (min, max) in [(own.min - 1, own.max), (own.min, own.max + 1)] {
            let error = line(own.name, min, max).unwrap_err();
            assert!(error.starts_with("invalid range") && error.contains(own.name), "{error}");
        }
        assert!(
            line("nonsense", own.min, own.max).unwrap_err().contains("unknown search parameter 'nonsense'")
        );
    }
}
