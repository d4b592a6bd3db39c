//! A network as text: JSON, or one line per row of weights.

use std::fmt::Display;
use std::io::{self, Write};

use chess::{Role, Square};

use crate::file::{AnyNetwork, Label};
use crate::float::FloatNetwork;
use crate::network::Network;
use crate::shape::{OUTPUT_BUCKETS, OUTPUT_ONE, PIECE_SQUARES, SCALE, SUM_ONE, Shape, UNIT_ONE};

/// The weights of either kind of network, as lists.
struct Lists<T, B> {
    feature_weights: Vec<T>,
    feature_bias: Vec<T>,
    output_weights: Vec<T>,
    output_bias: Vec<B>,
}

impl AnyNetwork {
    /// Writes the network as one JSON object. Weights are lists of lists: one for each feature, one for each
    /// output bucket.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_json(&self, label: &Label, out: &mut impl Write) -> io::Result<()> {
        let shape = self.shape();
        writeln!(out, "{{")?;
        writeln!(out, "\"description\": {},", json_text(&label.description))?;
        writeln!(out, "\"hash\": \"{:016x}\",", label.hash)?;
        writeln!(out, "\"features\": {}, \"king_buckets\": {},", shape.features(), shape.king_buckets())?;
        writeln!(out, "\"hidden\": {},", shape.hidden())?;
        writeln!(out, "\"output_buckets\": {OUTPUT_BUCKETS}, \"scale\": {SCALE},")?;
        match self {
            AnyNetwork::Integer(network) => {
                writeln!(
                    out,
                    "\"unit_one\": {UNIT_ONE}, \"output_one\": {OUTPUT_ONE}, \"sum_one\": {SUM_ONE},"
                )?;
                Lists::from(network).write_json(shape, out)?;
            }
            AnyNetwork::Float(network) => Lists::from(network).write_json(shape, out)?,
        }
        writeln!(out, "}}")
    }

    /// Writes one line for each feature, for the units' bias, for each half of an output bucket and for each
    /// output bias: its name, then its numbers.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let shape = self.shape();
        match self {
            AnyNetwork::Integer(network) => Lists::from(network).write_text(shape, out),
            AnyNetwork::Float(network) => Lists::from(network).write_text(shape, out),
        }
    }
}

impl From<&Network> for Lists<i16, i32> {
    fn from(network: &Network) -> Self {
        let (feature_weights, feature_bias, output_weights, output_bias) = network.numbers();
        Lists { feature_weights, feature_bias, output_weights, output_bias: output_bias.to_vec() }
    }
}

impl From<&FloatNetwork> for Lists<f32, f32> {
    fn from(network: &FloatNetwork) -> Self {
        Lists {
            feature_weights: network.feature_weights.clone(),
            feature_bias: network.feature_bias.clone(),
            output_weights: network.output_weights.clone(),
            output_bias: network.output_bias.clone(),
        }
    }
}

impl<T: Display, B: Display> Lists<T, B> {
    fn write_json(&self, shape: Shape, out: &mut impl Write) -> io::Result<()> {
        write_rows(out, "feature_weights", &self.feature_weights, shape.hidden())?;
        writeln!(out, "\"feature_bias\": [{}],", separated(&self.feature_bias, ","))?;
        write_rows(out, "output_weights", &self.output_weights, 2 * shape.hidden())?;
        writeln!(out, "\"output_bias\": [{}]", separated(&self.output_bias, ","))
    }

    fn write_text(&self, shape: Shape, out: &mut impl Write) -> io::Result<()> {
        for (feature, weights) in self.feature_weights.chunks(shape.hidden()).enumerate() {
            writeln!(out, "{} {}", feature_name(shape, feature), separated(weights, " "))?;
        }
        writeln!(out, "bias {}", separated(&self.feature_bias, " "))?;
        for (index, weights) in self.output_weights.chunks(shape.hidden()).enumerate() {
            let side = if index % 2 == 0 { "to-move" } else { "waiting" };
            writeln!(out, "output {} {side} {}", index / 2, separated(weights, " "))?;
        }
        for (bucket, bias) in self.output_bias.iter().enumerate() {
            writeln!(out, "output-bias {bucket} {bias}")?;
        }
        Ok(())
    }
}

/// The name of a feature: `own knight b1`, or `king 2 own knight b1` with king buckets.
fn feature_name(shape: Shape, feature: usize) -> String {
    let king =
        if shape.king_buckets() > 1 { format!("king {} ", feature / PIECE_SQUARES) } else { String::new() };
    let side = if feature % PIECE_SQUARES < PIECE_SQUARES / 2 { "own" } else { "enemy" };
    let role =
        ["pawn", "knight", "bishop", "rook", "queen", "king"][feature / Square::COUNT % Role::ALL.len()];
    format!("{king}{side} {role} {}", Square::from_index(feature % Square::COUNT))
}

fn write_rows<T: Display>(out: &mut impl Write, name: &str, list: &[T], length: usize) -> io::Result<()> {
    writeln!(out, "\"{name}\": [")?;
    let mut rows = list.chunks(length).peekable();
    while let Some(row) = rows.next() {
        writeln!(out, "[{}]{}", separated(row, ","), if rows.peek().is_some() { "," } else { "" })?;
    }
    writeln!(out, "],")
}

fn separated<T: Display>(list: &[T], separator: &str) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

/// A JSON string.
fn json_text(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => json.extend(['\\', letter]),
            // JSON knows the same escapes for line ends and tabs as Rust, and none for the rest.
            '\n' | '\r' | '\t' => json.extend(letter.escape_default()),
            control if control < ' ' => json.push(' '),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> FloatNetwork {
        FloatNetwork::random(Shape::new(64).unwrap(), 1)
    }

    fn text(network: &AnyNetwork) -> String {
        let mut out = Vec::new();
        network.write_text(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn text_names_every_row() {
        let text = text(&AnyNetwork::Integer(network().quantise()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), PIECE_SQUARES + 1 + 2 * OUTPUT_BUCKETS + OUTPUT_BUCKETS);
        assert!(lines[0].starts_with("own pawn a1 "));
        assert!(lines[PIECE_SQUARES - 1].starts_with("enemy king h8 "));
        assert_eq!(lines[0].split(' ').count(), 3 + 64);
        assert!(lines[PIECE_SQUARES + 2].starts_with("output 0 waiting "));
    }

    #[test]
    fn rows_by_king_name_its_place() {
        let text = text(&AnyNetwork::Float(network().with_king_buckets(4).unwrap()));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("king 0 own pawn a1 "));
        assert!(lines[4 * PIECE_SQUARES - 1].starts_with("king 3 enemy king h8 "));
        assert!(lines[4 * PIECE_SQUARES].starts_with("bias "));
    }

    #[test]
    fn floats_round_trip() {
        let network = network();
        let text = text(&AnyNetwork::Float(network.clone()));
        let first: Vec<f32> =
            text.lines().next().unwrap().split(' ').skip(3).map(|word| word.parse().unwrap()).collect();
        assert_eq!(first, network.feature_weights[..64]);
    }

    #[test]
    fn quotes_and_line_ends_survive_in_json() {
        assert_eq!(json_text("a \"b\"\\\nc"), r#""a \"b\"\\\nc""#);
    }
}
