//! A run of SPSA as the CPU's command and the GPU's share it: begun or gone on with, checked, saved, written out.

use std::error::Error;
use std::fs;
use std::path::Path;

use arena::spsa::{Gains, TunedParameter, Tuner, read_parameters};
use engine::params::Parameter;

use crate::cli::output_file::{self, path_error};
use crate::cli::stderr::stderr;

/// A new run.
pub struct NewRun<'a> {
    /// File of the parameters to tune; all that are known without one.
    pub parameters: Option<&'a Path>,
    /// Iterations.
    pub iterations: u64,
    /// Seed of the perturbations.
    pub seed: u64,
}

/// The run that the state file holds, which is told, or a new one. Its parameters are those of the search, whether they
/// come from the user or from a saved run.
pub fn start(known: &[&Parameter], state: Option<&Path>, new: &NewRun) -> Result<Tuner, Box<dyn Error>> {
    let tuner = match state.filter(|path| path.exists()) {
        Some(path) => resume(path)?,
        None => begin(known, new)?,
    };
    tuner.parameters().iter().try_for_each(|parameter| check(parameter, known))?;
    Ok(tuner)
}

fn resume(path: &Path) -> Result<Tuner, String> {
    let text = fs::read_to_string(path).map_err(|error| path_error(path, &error))?;
    let mut tuner: Tuner =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    tuner.resume();
    let told = format!("{} goes on with its own parameters, iterations and seed", path.display());
    stderr!("{told}: {}", progress(&tuner));
    Ok(tuner)
}

fn begin(known: &[&Parameter], new: &NewRun) -> Result<Tuner, Box<dyn Error>> {
    let parameters = if let Some(path) = new.parameters {
        let text = fs::read_to_string(path).map_err(|error| path_error(path, &error))?;
        read_parameters(&text).map_err(|error| format!("{}: {error}", path.display()))?
    } else {
        let lines = known.iter().map(|parameter| parameter.spsa_line().parse());
        lines.collect::<Result<Vec<TunedParameter>, _>>()?
    };
    Ok(Tuner::new(parameters, new.iterations, Gains::default(), new.seed))
}

/// A parameter must be one of the search, and stay where the search can use it.
fn check(parameter: &TunedParameter, known: &[&Parameter]) -> Result<(), String> {
    let TunedParameter { name, min, max, .. } = parameter;
    let Some(own) = known.iter().find(|known| known.name == name) else {
        let near = support::suggest::nearest(name, known.iter().map(|known| known.name));
        let meant = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        return Err(format!("the search has no parameter {name}{meant}"));
    };
    if *min < f64::from(own.min) || *max > f64::from(own.max) {
        return Err(format!(
            "{name}: the range {min} to {max} goes beyond the search's, {} to {}",
            own.min, own.max
        ));
    }
    Ok(())
}

/// Parameters whose way is told while a run goes on.
const TOLD_PARAMETERS: usize = 3;

/// Where a run stands, in one line.
pub fn progress(tuner: &Tuner) -> String {
    let (finished, wanted) = tuner.progress();
    let moved: Vec<String> = tuner
        .drift()
        .into_iter()
        .take(TOLD_PARAMETERS)
        .map(|(parameter, start)| {
            let digits = if parameter.is_integer { 0 } else { 3 };
            format!("{} {start:.digits$} -> {:.digits$}", parameter.name, parameter.value)
        })
        .collect();
    format!("{finished} of {wanted} iterations; moved farthest: {}", moved.join(", "))
}

/// Writes the state file.
pub fn save(path: &Path, tuner: &Tuner) -> Result<(), String> {
    let text = serde_json::to_string(tuner).map_err(|error| error.to_string())?;
    output_file::write(path, &text)
}

/// The parameters as `OpenBench` writes them, one a line.
pub fn lines(tuner: &Tuner) -> String {
    let lines: Vec<String> = tuner.parameters().iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ranges_are_those_of_the_search() {
        let known: Vec<&Parameter> = engine::params::ALL.iter().collect();
        let own = known[0];
        let line = |name: &str, min: i32, max: i32| {
            let line = format!("{name}, int, {}, {min}, {max}, 1, 0.002", own.min);
            check(&line.parse().expect("a line"), &known)
        };
        assert_eq!(line(own.name, own.min, own.max), Ok(()));
        for (min, max) in [(own.min - 1, own.max), (own.min, own.max + 1)] {
            let said = line(own.name, min, max).unwrap_err();
            assert!(said.starts_with(own.name) && said.contains("goes beyond"), "{said}");
        }
        assert!(line("nonsense", own.min, own.max).unwrap_err().contains("no parameter nonsense"));
    }
}
