//! Writes `weights.rs`, byte for byte as it is in the repository: `vedette tune --output` calls it.

use std::fmt::Write;

use super::tapered::Tapered;
use super::terms::{FEATURES, Term};

const HEAD: &str = "\
//! The weights of the evaluation: one pair of centipawns (middlegame, endgame) for each feature, in the order
//! of [`Term`](super::terms::Term). The whole file is written by `vedette tune --output`.

use super::tapered::Tapered;
use super::terms::FEATURES;

const fn w(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The weight of every feature.
#[rustfmt::skip]
pub static WEIGHTS: [Tapered; FEATURES] = [
";

/// The text of `weights.rs` with these weights.
pub fn render_weights(weights: &[Tapered; FEATURES]) -> String {
    let mut text = HEAD.to_owned();
    for &term in Term::ALL {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    // {}", term.heading());
        for row in weights[term.range()].chunks(term.row()) {
            let pairs: Vec<String> =
                row.iter().map(|pair| format!("w({:4}, {:4}),", pair.middlegame(), pair.endgame())).collect();
            let _ = writeln!(text, "    {}", pairs.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WEIGHTS;

    #[test]
    fn weights_file_is_up_to_date() {
        assert_eq!(render_weights(&WEIGHTS), include_str!("weights.rs"));
    }
}
