//! The options of the command line, for parsing and for suggestions. A test keeps the help text and the manual complete.

/// An option and the keys that it knows.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Its name, without the minus.
    pub name: &'static str,
    /// The keys of its `key=value` arguments.
    pub keys: &'static [&'static str],
    /// Whether it may be given when a match is resumed: it does not affect games already played.
    pub free: bool,
}

const fn fixed(name: &'static str, keys: &'static [&'static str]) -> OptionSpec {
    OptionSpec { name, keys, free: false }
}

const fn free(name: &'static str, keys: &'static [&'static str]) -> OptionSpec {
    OptionSpec { name, keys, free: true }
}

const ENGINE: &[&str] = &[
    "cmd",
    "name",
    "args",
    "arg",
    "dir",
    "proto",
    "initstr",
    "tc",
    "st",
    "timemargin",
    "nodes",
    "depth",
    "plies",
    "restart",
    "whitepov",
    "ponder",
    "trust",
    "stderr",
    "tscale",
    "conf",
    "book",
    "bookdepth",
    "option.",
];

/// Keys that may be given without a value.
pub const BARE_KEYS: &[&str] = &["ponder", "trust", "whitepov"];

pub const OPTIONS: &[OptionSpec] = &[
    fixed("engine", ENGINE),
    fixed("each", ENGINE),
    fixed("quick", &["cmd", "book"]),
    free("rounds", &[]),
    fixed("games", &[]),
    fixed("repeat", &[]),
    fixed("noswap", &[]),
    fixed("reverse", &[]),
    fixed("tournament", &[]),
    fixed("seeds", &[]),
    fixed("variant", &[]),
    fixed("srand", &[]),
    fixed("sprt", &["elo0", "elo1", "alpha", "beta", "model"]),
    fixed("openings", &["file", "format", "order", "plies", "start", "policy"]),
    fixed("draw", &["movenumber", "movecount", "score"]),
    fixed("resign", &["movecount", "score", "twosided"]),
    fixed("maxmoves", &[]),
    fixed("tb", &[]),
    fixed("tbpieces", &[]),
    fixed("tbignore50", &[]),
    fixed("tbadjudicate", &[]),
    fixed("report", &["penta"]),
    free("concurrency", &[]),
    free("force-concurrency", &[]),
    free("wait", &[]),
    free(
        "pgnout",
        &[
            "file",
            "notation",
            "append",
            "min",
            "nodes",
            "seldepth",
            "nps",
            "hashfull",
            "tbhits",
            "pv",
            "timeleft",
            "latency",
            "match_line",
        ],
    ),
    free("epdout", &["file", "append"]),
    free("event", &[]),
    free("site", &[]),
    free("output", &["format", "file"]),
    free("ratinginterval", &[]),
    free("plain", &[]),
    free("recover", &[]),
    free("strict", &[]),
    free("check-mate-pvs", &[]),
    free("faults", &[]),
    free("log", &["file", "level", "append", "engine", "compress", "realtime"]),
    free("debug", &[]),
    free("startup-ms", &[]),
    free("ucinewgame-ms", &[]),
    free("ping-ms", &[]),
    free("search-ms", &[]),
    free("config", &["file", "outname", "discard", "stats"]),
    free("show-latency", &[]),
    free("autosaveinterval", &[]),
    free("scoreinterval", &[]),
    free("outcomeinterval", &[]),
    free("resultformat", &[]),
    free("bookmode", &[]),
    free("crc32", &["pgn"]),
    free("testEnv", &[]),
    free("use-affinity", &[]),
    free("help", &[]),
    free("version", &[]),
    free("v", &[]),
];

pub fn find(name: &str) -> Option<&'static OptionSpec> {
    OPTIONS.iter().find(|option| option.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether `text` contains the option, and not only a longer one.
    fn contains(text: &str, option: &str) -> bool {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '-');
        text.match_indices(option).any(|(at, _)| {
            !is_part(text[..at].chars().next_back()) && !is_part(text[at + option.len()..].chars().next())
        })
    }

    #[test]
    fn help_and_manual_list_every_option() {
        let manual = include_str!("../../../../docs/arena.md");
        for (place, text) in [("help.txt", super::super::HELP), ("docs/arena.md", manual)] {
            for option in OPTIONS {
                assert!(contains(text, &format!("-{}", option.name)), "{place} has no -{}", option.name);
                for key in option.keys {
                    let written = if BARE_KEYS.contains(key) || key.ends_with('.') {
                        text.contains(key)
                    } else {
                        text.contains(&format!("{key}="))
                    };
                    assert!(written, "{place} has no {key} for -{}", option.name);
                }
            }
        }
    }

    #[test]
    fn no_duplicate_options() {
        for (i, option) in OPTIONS.iter().enumerate() {
            assert!(OPTIONS[..i].iter().all(|other| other.name != option.name), "{}", option.name);
        }
    }
}
