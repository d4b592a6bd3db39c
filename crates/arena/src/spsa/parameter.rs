//! A tuned parameter, in the format of `OpenBench`: name, type, value, min, max, `C_end`, `R_end`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedParameter {
    /// Also the name of its UCI option.
    pub name: String,
    pub is_integer: bool,
    pub value: f64,
    pub min: f64,
    pub max: f64,
    /// The perturbation in the last iteration.
    #[serde(rename = "shake")]
    pub c_end: f64,
    /// The step in the last iteration, relative to the square of the perturbation.
    #[serde(rename = "rate")]
    pub r_end: f64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterError {
    line: String,
    reason: &'static str,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}': {}", self.line, self.reason)
    }
}

impl std::error::Error for ParameterError {}

impl FromStr for TunedParameter {
    type Err = ParameterError;

    fn from_str(line: &str) -> Result<Self, ParameterError> {
        let error = |reason| ParameterError { line: line.to_owned(), reason };
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, kind, value, min, max, c_end, r_end] = fields[..] else {
            return Err(error("expected seven fields: name, int or float, value, min, max, C_end, R_end"));
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let numbers: Option<Vec<f64>> = [value, min, max, c_end, r_end].into_iter().map(number).collect();
        let Some([value, min, max, c_end, r_end]) =
            numbers.as_deref().and_then(<[f64]>::first_chunk::<5>).copied()
        else {
            return Err(error("expected numbers in the last five fields"));
        };
        let is_integer = match kind {
            "int" => true,
            "float" => false,
            _ => return Err(error("expected type int or float")),
        };
        if name.is_empty() || min > max || !(min..=max).contains(&value) {
            return Err(error("value out of range"));
        }
        if c_end <= 0.0 || r_end <= 0.0 {
            return Err(error("C_end and R_end must be positive"));
        }
        Ok(Self { name: name.to_owned(), is_integer, value, min, max, c_end, r_end })
    }
}

impl TunedParameter {
    /// A value as it is sent to an engine.
    pub fn option_value(&self, value: f64) -> String {
        let value = if self.is_integer { value.round() } else { value };
        value.to_string()
    }
}

impl fmt::Display for TunedParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_integer { "int" } else { "float" };
        let value = if self.is_integer { self.value.round() } else { self.value };
        write!(
            f,
            "{}, {kind}, {value}, {}, {}, {}, {}",
            self.name, self.min, self.max, self.c_end, self.r_end
        )
    }
}

/// Reads the lines of a file; empty lines and comments (`#`) are skipped.
///
/// # Errors
/// The first invalid line.
pub fn read_parameters(text: &str) -> Result<Vec<TunedParameter>, ParameterError> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openbench_format() {
        let text =
            "lmr_base, int, 850, 0, 2048, 102.4, 0.002\n# comment\n\nscale, float, 0.75, 0, 1, 0.05, 0.002\n";
        let parameters = read_parameters(text).expect("valid");
        assert_eq!(parameters.len(), 2);
        assert_eq!(parameters[0].to_string(), "lmr_base, int, 850, 0, 2048, 102.4, 0.002");
        assert_eq!(parameters[1].to_string(), "scale, float, 0.75, 0, 1, 0.05, 0.002");
    }

    #[test]
    fn integers_are_rounded() {
        let mut parameter: TunedParameter = "x, int, 5, 0, 10, 1, 0.002".parse().expect("valid");
        parameter.value = 6.7;
        assert_eq!(parameter.to_string(), "x, int, 7, 0, 10, 1, 0.002");
    }

    #[test]
    fn invalid_lines_are_rejected() {
        for line in [
            "x, int, 5, 0, 10, 1",
            "x, int, 5, 0, 10, 1, 0.002, 7",
            "x, bool, 5, 0, 10, 1, 0.002",
            "x, int, 50, 0, 10, 1, 0.002",
            "x, int, 5, 0, 10, 0, 0.002",
            "x, int, five, 0, 10, 1, 0.002",
            "x, int, 5, 0, inf, 1, 0.002",
            ", int, 5, 0, 10, 1, 0.002",
        ] {
            assert!(line.parse::<TunedParameter>().is_err(), "{line}");
        }
    }
}
