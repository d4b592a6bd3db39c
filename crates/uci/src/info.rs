//! What an engine prints, as typed values. The client and everything that listens to foreign engines use it.
//!
//! Engines print all kinds of things; a word that makes no sense is skipped, never an error.

use std::time::Duration;

/// One line of an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineLine {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option name …`
    Option(OptionDeclaration),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Box<Info>),
    /// `bestmove …`
    BestMove(BestMove),
    /// Anything else.
    Other,
}

/// The answer to a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BestMove {
    /// The move as written; `None` when the engine wrote nothing or says that there is none.
    pub best: Option<String>,
    /// The reply that it expects.
    pub ponder: Option<String>,
}

/// An option that the engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDeclaration {
    /// Its name, as declared.
    pub name: String,
    /// Its type and range.
    pub kind: OptionKind,
}

/// Type, default and range of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// Value at start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// Value at start.
        default: i64,
        /// Lowest value accepted.
        min: i64,
        /// Highest value accepted.
        max: i64,
    },
    /// One word of a list.
    Combo {
        /// Value at start.
        default: String,
        /// The list.
        choices: Vec<String>,
    },
    /// An action.
    Button,
    /// Free text.
    String {
        /// Value at start.
        default: String,
    },
}

impl OptionDeclaration {
    /// Says why the option would not take `value`; `None` when it would.
    pub fn refusal(&self, value: &str) -> Option<String> {
        match &self.kind {
            OptionKind::Check { .. } => {
                (!matches!(value, "true" | "false")).then(|| "takes true or false".to_owned())
            }
            OptionKind::Spin { min, max, .. } => match value.parse::<i64>() {
                Ok(number) if (*min..=*max).contains(&number) => None,
                _ => Some(format!("takes a whole number from {min} to {max}")),
            },
            OptionKind::Combo { choices, .. } => (!choices.iter().any(|c| c.eq_ignore_ascii_case(value)))
                .then(|| format!("takes one of: {}", choices.join(", "))),
            OptionKind::Button | OptionKind::String { .. } => None,
        }
    }
}

/// A score, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves; negative when being mated.
    Mate(i32),
}

impl Score {
    /// One number that orders all scores: a mate is worth more than any evaluation, a nearer one more.
    pub fn centipawns(self) -> i32 {
        const MATE: i32 = 100_000;
        match self {
            Self::Centipawns(value) => value.clamp(1 - MATE + 1000, MATE - 1001),
            Self::Mate(moves) if moves > 0 => MATE - moves.min(1000),
            Self::Mate(moves) => -MATE - moves.max(-1000),
        }
    }
}

/// Whether a score is the value or only a limit of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    #[default]
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// Win, draw and loss in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Wins.
    pub win: u16,
    /// Draws.
    pub draw: u16,
    /// Losses.
    pub loss: u16,
}

/// Everything that an `info` line told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Deepest line in plies.
    pub seldepth: Option<u32>,
    /// Time that the engine believes to have used.
    pub time: Option<Duration>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Hash table use in thousandths.
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// Rank of the line among several, from 1.
    pub multipv: Option<u32>,
    /// Its score.
    pub score: Option<Score>,
    /// What kind of score.
    pub bound: Bound,
    /// Win, draw, loss.
    pub wdl: Option<Wdl>,
    /// The move being searched.
    pub current_move: Option<String>,
    /// The line, as written.
    pub pv: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

/// Reads one line of an engine, without its line break.
pub fn parse_engine_line(line: &str) -> EngineLine {
    let line = line.trim_start_matches('\u{feff}').trim();
    let (word, rest) = split_word(line);
    match word {
        "id" => match split_word(rest) {
            ("name", name) => EngineLine::Name(name.to_owned()),
            ("author", author) => EngineLine::Author(author.to_owned()),
            _ => EngineLine::Other,
        },
        "option" => parse_option(rest).map_or(EngineLine::Other, EngineLine::Option),
        "uciok" => EngineLine::UciOk,
        "readyok" => EngineLine::ReadyOk,
        "info" => EngineLine::Info(Box::new(parse_info(rest))),
        "bestmove" => EngineLine::BestMove(parse_best_move(rest)),
        _ => EngineLine::Other,
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.find(char::is_whitespace) {
        Some(end) => (&text[..end], text[end..].trim_start()),
        None => (text, ""),
    }
}

fn parse_best_move(rest: &str) -> BestMove {
    let mut words = rest.split_whitespace();
    let is_move = |word: &&str| !matches!(*word, "(none)" | "none" | "0000" | "NULL" | "null");
    let best = words.next().filter(is_move).map(str::to_owned);
    let ponder = match words.next() {
        Some("ponder") => words.next().filter(is_move).map(str::to_owned),
        _ => None,
    };
    BestMove { best, ponder }
}

fn parse_info(rest: &str) -> Info {
    let mut info = Info::default();
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(&mut words).or(info.depth),
            "seldepth" => info.seldepth = number(&mut words).or(info.seldepth),
            "time" => info.time = number(&mut words).map(Duration::from_millis).or(info.time),
            "nodes" => info.nodes = number(&mut words).or(info.nodes),
            "nps" => info.nps = number(&mut words).or(info.nps),
            "hashfull" => info.hashfull = number(&mut words).or(info.hashfull),
            "tbhits" => info.tbhits = number(&mut words).or(info.tbhits),
            "multipv" => info.multipv = number(&mut words).or(info.multipv),
            "currmove" => info.current_move = words.next().map(str::to_owned),
            "cp" => info.score = number(&mut words).map(Score::Centipawns).or(info.score),
            "mate" => info.score = number(&mut words).map(Score::Mate).or(info.score),
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "wdl" => {
                if let (Some(win), Some(draw), Some(loss)) =
                    (number(&mut words), number(&mut words), number(&mut words))
                {
                    info.wdl = Some(Wdl { win, draw, loss });
                }
            }
            "pv" => {
                while let Some(word) = words.next_if(|word| looks_like_move(word)) {
                    info.pv.push(word.to_owned());
                }
            }
            "string" => {
                info.text = Some(words.collect::<Vec<_>>().join(" "));
                return info;
            }
            _ => {}
        }
    }
    info
}

/// The next word as a number; a word that is none stays, since it may be the next keyword.
fn number<'a, T: std::str::FromStr>(
    words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Whether a word has the shape of a move in coordinates.
pub fn looks_like_move(word: &str) -> bool {
    let square = |file: u8, rank: u8| (b'a'..=b'h').contains(&file) && (b'1'..=b'8').contains(&rank);
    match *word.as_bytes() {
        [f1, r1, f2, r2] => square(f1, r1) && square(f2, r2),
        [f1, r1, f2, r2, promotion] => square(f1, r1) && square(f2, r2) && b"nbrqNBRQ".contains(&promotion),
        _ => false,
    }
}

/// Keywords of an option line; a name or value runs until the next of them.
const OPTION_KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

fn parse_option(rest: &str) -> Option<OptionDeclaration> {
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in rest.split_whitespace() {
        match OPTION_KEYWORDS.iter().find(|&&keyword| keyword == word) {
            // A name may contain such a word ("name" only opens once; others wait for "type").
            Some(&keyword) if keyword == "name" && !fields.is_empty() => fields.last_mut()?.1.push(word),
            Some(&keyword)
                if keyword == "name" || keyword == "type" || fields.iter().any(|field| field.0 == "type") =>
            {
                fields.push((keyword, Vec::new()));
            }
            _ => fields.last_mut()?.1.push(word),
        }
    }
    let text = |key: &str| fields.iter().find(|field| field.0 == key).map(|field| field.1.join(" "));
    let integer = |key: &str| text(key).and_then(|value| value.parse::<i64>().ok());
    let name = text("name").filter(|name| !name.is_empty())?;
    let default = || text("default").filter(|value| value != "<empty>").unwrap_or_default();
    let kind = match text("type")?.as_str() {
        "check" => OptionKind::Check { default: default() == "true" },
        "spin" => OptionKind::Spin {
            default: integer("default").unwrap_or(0),
            min: integer("min").unwrap_or(i64::MIN),
            max: integer("max").unwrap_or(i64::MAX),
        },
        "combo" => OptionKind::Combo {
            default: default(),
            choices: fields.iter().filter(|field| field.0 == "var").map(|field| field.1.join(" ")).collect(),
        },
        "button" => OptionKind::Button,
        "string" => OptionKind::String { default: default() },
        _ => return None,
    };
    Some(OptionDeclaration { name, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        match parse_engine_line(line) {
            EngineLine::Info(info) => *info,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_full_info_line_is_understood() {
        let info = info(
            "info depth 20 seldepth 31 multipv 1 score cp -13 upperbound wdl 30 900 70 nodes 123456 nps 1000000 \
             hashfull 7 tbhits 2 time 123 pv e2e4 e7e5 g1f3",
        );
        assert_eq!((info.depth, info.seldepth, info.multipv), (Some(20), Some(31), Some(1)));
        assert_eq!((info.score, info.bound), (Some(Score::Centipawns(-13)), Bound::Upper));
        assert_eq!(info.wdl, Some(Wdl { win: 30, draw: 900, loss: 70 }));
        assert_eq!((info.nodes, info.nps), (Some(123456), Some(1000000)));
        assert_eq!(info.time, Some(Duration::from_millis(123)));
        assert_eq!(info.pv, ["e2e4", "e7e5", "g1f3"]);
    }

    #[test]
    fn broken_numbers_do_not_swallow_the_next_word() {
        let info = info("info depth nodes 12 score mate -3 nps 1e6 time -5 pv e1g1 hashfull 3");
        assert_eq!((info.depth, info.nodes, info.nps, info.time), (None, Some(12), None, None));
        assert_eq!((info.score, info.hashfull), (Some(Score::Mate(-3)), Some(3)));
        assert_eq!(info.pv, ["e1g1"]);
    }

    #[test]
    fn free_text_keeps_words_that_look_like_fields() {
        assert_eq!(info("info string depth 5 pv e2e4").text.as_deref(), Some("depth 5 pv e2e4"));
    }

    #[test]
    fn no_move_is_told_from_a_move() {
        let best = |line: &str| match parse_engine_line(line) {
            EngineLine::BestMove(answer) => (answer.best, answer.ponder),
            other => panic!("{other:?}"),
        };
        assert_eq!(best("bestmove e2e4 ponder e7e5"), (Some("e2e4".into()), Some("e7e5".into())));
        assert_eq!(best("  bestmove   e7e8q  "), (Some("e7e8q".into()), None));
        for line in ["bestmove (none)", "bestmove 0000", "bestmove", "bestmove NULL"] {
            assert_eq!(best(line), (None, None), "{line}");
        }
    }

    #[test]
    fn every_type_of_option_is_understood() {
        let option = |line: &str| match parse_engine_line(line) {
            EngineLine::Option(option) => option,
            other => panic!("{other:?}"),
        };
        let hash = option("option name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(hash.kind, OptionKind::Spin { default: 16, min: 1, max: 33554432 });
        assert!(hash.refusal("64").is_none() && hash.refusal("0").is_some() && hash.refusal("x").is_some());
        assert_eq!(option("option name Clear Hash type button").name, "Clear Hash");
        assert_eq!(
            option("option name Move Overhead type spin default 10 min 0 max 5000").name,
            "Move Overhead"
        );
        let path = option("option name SyzygyPath type string default <empty>");
        assert_eq!(path.kind, OptionKind::String { default: String::new() });
        let style = option("option name Style type combo default Normal var Solid var Normal var Very Risky");
        assert!(style.refusal("very risky").is_none() && style.refusal("wild").is_some());
        let check = option("option name min split depth type check default true");
        assert_eq!(
            (check.name.as_str(), &check.kind),
            ("min split depth", &OptionKind::Check { default: true })
        );
    }

    #[test]
    fn garbage_is_nothing() {
        for line in
            ["", "   ", "id", "option", "option name", "option name X type what", "\u{0}\u{ff}", "Infos e2e4"]
        {
            assert_eq!(parse_engine_line(line), EngineLine::Other, "{line:?}");
        }
        assert_eq!(parse_engine_line("\u{feff}uciok\r"), EngineLine::UciOk);
    }

    #[test]
    fn mates_order_above_evaluations() {
        let ranks = [
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Centipawns(-5),
            Score::Centipawns(99_999_999),
            Score::Mate(9),
            Score::Mate(1),
        ];
        assert!(ranks.windows(2).all(|pair| pair[0].centipawns() < pair[1].centipawns()));
        assert!(Score::Mate(0).centipawns() < Score::Mate(-1).centipawns());
    }
}
