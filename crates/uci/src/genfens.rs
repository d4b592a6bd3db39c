//! `genfens`, with which `OpenBench` asks an engine for openings.

use std::fmt;

use crate::Warning;
use crate::tokens::{Tokens, saturating_number};

/// `genfens N seed S book None|FILE [plies N|MIN-MAX] [nodes N] [score CP] [dfrc]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GenFens {
    /// Openings to generate.
    pub count: u64,
    /// Seed of all random choices.
    pub seed: u64,
    /// Start from the positions of this file instead of the start position.
    pub book: Option<String>,
    /// Minimum and maximum number of random plies.
    pub plies: Option<(u32, u32)>,
    /// Nodes of the search that scores an opening.
    pub nodes: Option<u64>,
    /// Openings with a larger score for either side are rejected, in centipawns.
    pub score: Option<u64>,
    /// Start from double Chess960 positions.
    pub dfrc: bool,
}

/// More random plies lead to no opening.
const MAX_PLIES: u32 = 200;

impl GenFens {
    /// Parses what follows `genfens`. `None`, and a warning, if an argument is invalid.
    pub(crate) fn parse(mut tokens: Tokens, warnings: &mut Vec<Warning>) -> Option<GenFens> {
        let mut genfens = GenFens::default();
        let mut number = |argument, token: Option<&str>, minimum| {
            let token = token.unwrap_or_default();
            let number =
                saturating_number(token).filter(|&number| number >= minimum && !token.starts_with('-'));
            if number.is_none() {
                let command = "genfens";
                warnings.push(Warning::BadArgument { command, argument, token: token.into() });
            }
            number
        };
        genfens.count = number("count", tokens.next(), 1)?;
        let mut ignored = Vec::new();
        while let Some(keyword) = tokens.next() {
            match keyword {
                "seed" => genfens.seed = number("seed", tokens.next(), 0)?,
                "book" => {
                    genfens.book =
                        tokens.next().filter(|book| !book.eq_ignore_ascii_case("none")).map(str::to_owned);
                }
                "plies" => {
                    let text = tokens.next().unwrap_or_default();
                    let (least, most) = text.split_once('-').unwrap_or((text, text));
                    let plies = (number("plies", Some(least), 0)?, number("plies", Some(most), 0)?);
                    let limited = |plies: u64| u32::try_from(plies).unwrap_or(u32::MAX).min(MAX_PLIES);
                    genfens.plies = Some((limited(plies.0), limited(plies.1).max(limited(plies.0))));
                }
                "nodes" => genfens.nodes = Some(number("nodes", tokens.next(), 1)?),
                "score" => genfens.score = Some(number("score", tokens.next(), 0)?),
                "dfrc" => genfens.dfrc = true,
                other => ignored.push(other),
            }
        }
        if !ignored.is_empty() {
            let tokens = ignored.join(" ").as_str().into();
            warnings.push(Warning::IgnoredTokens { command: "genfens", tokens });
        }
        Some(genfens)
    }
}

impl fmt::Display for GenFens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GenFens { count, seed, book, plies, nodes, score, dfrc } = self;
        write!(f, "genfens {count} seed {seed} book {}", book.as_deref().unwrap_or("None"))?;
        if let Some((least, most)) = plies {
            write!(f, " plies {least}-{most}")?;
        }
        if let Some(nodes) = nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(score) = score {
            write!(f, " score {score}")?;
        }
        if *dfrc { f.write_str(" dfrc") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, parse};

    #[test]
    fn genfens_takes_the_arguments_of_openbench() {
        let plain = GenFens { count: 3, seed: 11, ..GenFens::default() };
        assert_eq!(parse("genfens 3 seed 11 book None ").command, Some(Command::GenFens(plain.clone())));
        let with_book = GenFens { book: Some("Books/x.epd".to_owned()), ..plain };
        let line = "genfens 3 seed 11 book Books/x.epd";
        assert_eq!(parse(line).command, Some(Command::GenFens(with_book.clone())));
        let all =
            GenFens { plies: Some((4, 6)), nodes: Some(900), score: Some(150), dfrc: true, ..with_book };
        let parsed = parse(&format!("{line} plies 4-6 nodes 900 score 150 dfrc"));
        assert_eq!((parsed.command, parsed.warnings), (Some(Command::GenFens(all.clone())), vec![]));
        assert_eq!(parse(&all.to_string()).command, Some(Command::GenFens(all)));
    }

    #[test]
    fn bad_argument_is_named() {
        for (line, warning) in [
            ("genfens", "genfens: invalid count ''"),
            ("genfens 0 seed 1 book None", "genfens: invalid count '0'"),
            ("genfens 3 seed x book None", "genfens: invalid seed 'x'"),
            ("genfens 3 seed 1 book None plies 3-x", "genfens: invalid plies 'x'"),
            ("genfens 3 seed 1 book None nodes 0", "genfens: invalid nodes '0'"),
        ] {
            let parsed = parse(line);
            assert_eq!(parsed.command, None, "{line}");
            assert!(parsed.warnings[0].to_string().starts_with(warning), "{:?}", parsed.warnings);
        }
        let parsed = parse("genfens 1 seed 1 book None what ever");
        assert!(parsed.command.is_some());
        assert_eq!(parsed.warnings[0].to_string(), "genfens: ignored 'what ever'");
    }
}
