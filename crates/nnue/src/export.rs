//! A network as text: JSON, or one line per row of weights.

use std::fmt::Display;
use std::io::{self, Write};

use chess::{Role, Square};

use crate::file::{AnyNetwork, Label};
use crate::shape::{
    FIRST_LAYER, Head, LISTS, OUTPUT_BUCKETS, OUTPUT_ONE, PIECE_SQUARES, SCALE, SECOND_INPUTS, SECOND_LAYER,
    SUM_ONE, Shape, UNIT_ONE, layered,
};

/// The numbers of either kind of network, in the order of [`Shape::lists`].
struct Lists<T>([Vec<T>; LISTS]);

/// The names of the lists.
const NAMES: [&str; LISTS] = [
    "feature_weights",
    "feature_bias",
    "first_weights",
    "first_bias",
    "second_weights",
    "second_bias",
    "output_weights",
    "output_bias",
];

/// Numbers of a row of each list: the weights of a feature or a unit, the biases of a bucket.
fn row_lengths(shape: Shape) -> [usize; LISTS] {
    let hidden = shape.hidden();
    match shape.head() {
        Head::Single => [hidden, hidden, 1, 1, 1, 1, 2 * hidden, OUTPUT_BUCKETS],
        Head::Layered => {
            let (first, second) = (FIRST_LAYER, SECOND_LAYER);
            [hidden, hidden, hidden, first, SECOND_INPUTS, second, second, OUTPUT_BUCKETS]
        }
    }
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
        writeln!(out, "\"hidden\": {}, \"head\": \"{}\",", shape.hidden(), shape.head())?;
        writeln!(out, "\"output_buckets\": {OUTPUT_BUCKETS}, \"scale\": {SCALE},")?;
        match self {
            AnyNetwork::Integer(network) => {
                for (name, one) in ones(shape.head()) {
                    writeln!(out, "\"{name}\": {one},")?;
                }
                Lists(network.lists()).write_json(shape, out)?;
            }
            AnyNetwork::Float(network) => Lists(network.lists().map(Clone::clone)).write_json(shape, out)?,
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
            AnyNetwork::Integer(network) => Lists(network.lists()).write_text(shape, out),
            AnyNetwork::Float(network) => Lists(network.lists().map(Clone::clone)).write_text(shape, out),
        }
    }
}

/// What stands for 1.0, by name.
fn ones(head: Head) -> Vec<(&'static str, i32)> {
    match head {
        Head::Single => vec![("unit_one", UNIT_ONE), ("output_one", OUTPUT_ONE), ("sum_one", SUM_ONE)],
        Head::Layered => vec![
            ("unit_one", UNIT_ONE),
            ("product_one", layered::PRODUCT_ONE),
            ("first_one", layered::FIRST_ONE),
            ("first_sum_one", layered::FIRST_SUM_ONE),
            ("second_one", layered::SECOND_ONE),
            ("second_sum_one", layered::SECOND_SUM_ONE),
            ("output_one", layered::OUTPUT_ONE),
            ("sum_one", layered::SUM_ONE),
        ],
    }
}

impl<T: Display> Lists<T> {
    fn write_json(&self, shape: Shape, out: &mut impl Write) -> io::Result<()> {
        let lists = self.0.iter().zip(NAMES).zip(row_lengths(shape));
        let mut lists = lists.filter(|((list, _), _)| !list.is_empty()).peekable();
        while let Some(((list, name), row)) = lists.next() {
            let end = if lists.peek().is_some() { "," } else { "" };
            // The biases of the features and of the output are one list.
            if list.len() == row {
                writeln!(out, "\"{name}\": [{}]{end}", separated(list, ","))?;
            } else {
                write_rows(out, name, list, row, end)?;
            }
        }
        Ok(())
    }

    fn write_text(&self, shape: Shape, out: &mut impl Write) -> io::Result<()> {
        let hidden = shape.hidden();
        let [feature_weights, feature_bias, first, first_bias, second, second_bias, output, output_bias] =
            &self.0;
        for (feature, weights) in feature_weights.chunks(hidden).enumerate() {
            writeln!(out, "{} {}", feature_name(shape, feature), separated(weights, " "))?;
        }
        writeln!(out, "bias {}", separated(feature_bias, " "))?;
        write_layer(out, "first", first, first_bias, hidden, FIRST_LAYER)?;
        write_layer(out, "second", second, second_bias, SECOND_INPUTS, SECOND_LAYER)?;
        match shape.head() {
            Head::Single => {
                for (index, weights) in output.chunks(hidden).enumerate() {
                    let side = if index % 2 == 0 { "to-move" } else { "waiting" };
                    writeln!(out, "output {} {side} {}", index / 2, separated(weights, " "))?;
                }
            }
            Head::Layered => {
                for (bucket, weights) in output.chunks(SECOND_LAYER).enumerate() {
                    writeln!(out, "output {bucket} {}", separated(weights, " "))?;
                }
            }
        }
        for (bucket, bias) in output_bias.iter().enumerate() {
            writeln!(out, "output-bias {bucket} {bias}")?;
        }
        Ok(())
    }
}

/// A line for each unit of a layer, and one for the biases of each bucket.
fn write_layer<T: Display>(
    out: &mut impl Write,
    name: &str,
    weights: &[T],
    bias: &[T],
    inputs: usize,
    units: usize,
) -> io::Result<()> {
    for (index, weights) in weights.chunks(inputs).enumerate() {
        writeln!(out, "{name} {} {} {}", index / units, index % units, separated(weights, " "))?;
    }
    for (bucket, bias) in bias.chunks(units).enumerate() {
        writeln!(out, "{name}-bias {bucket} {}", separated(bias, " "))?;
    }
    Ok(())
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

fn write_rows<T: Display>(
    out: &mut impl Write,
    name: &str,
    list: &[T],
    length: usize,
    end: &str,
) -> io::Result<()> {
    writeln!(out, "\"{name}\": [")?;
    let mut rows = list.chunks(length).peekable();
    while let Some(row) = rows.next() {
        writeln!(out, "[{}]{}", separated(row, ","), if rows.peek().is_some() { "," } else { "" })?;
    }
    writeln!(out, "]{end}")
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
    use crate::FloatNetwork;

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
    fn layers_have_a_line_for_each_unit() {
        let shape = Shape::new(128).unwrap().with_head(Head::Layered).unwrap();
        let text = text(&AnyNetwork::Integer(FloatNetwork::random(shape, 1).quantise()));
        let lines: Vec<&str> = text.lines().collect();
        let layers = OUTPUT_BUCKETS * (FIRST_LAYER + 1 + SECOND_LAYER + 1 + 1 + 1);
        assert_eq!(lines.len(), PIECE_SQUARES + 1 + layers);
        let words = |start: &str| {
            let line = lines.iter().find(|line| line.starts_with(start)).unwrap();
            line.split(' ').count()
        };
        assert_eq!(
            [words("first 7 15 "), words("first-bias 7 "), words("second 7 31 ")],
            [3 + 128, 2 + 16, 3 + 32]
        );
        assert_eq!(
            [words("second-bias 7 "), words("output 7 "), words("output-bias 7 ")],
            [2 + 32, 2 + 32, 3]
        );
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
