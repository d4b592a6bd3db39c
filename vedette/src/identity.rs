//! Name, version and licence, for UCI, `--version` and the greeting.

pub const NAME: &str = concat!("Vedette ", env!("CARGO_PKG_VERSION"));

pub const AUTHOR: &str = "the Vedette authors";

/// Printed when the program starts in a terminal.
pub const GREETING: &str = concat!(
    "Vedette ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. 'help' lists the UCI commands, 'vedette --help' the command line."
);

pub const LICENSE: &str = "Vedette is free software under the GNU General Public License, version 3 or later.\n\
     It comes with no warranty. Full text: LICENSE in the source, or https://www.gnu.org/licenses/.";

/// For `UCI_EngineAbout`.
pub const ABOUT: &str = concat!(
    "Vedette ",
    env!("CARGO_PKG_VERSION"),
    " by the Vedette authors, free software under the GPL 3 or later"
);

/// Compiler, target and settings of this binary, in the format of Stockfish's `compiler`.
pub fn compiler() -> String {
    let network = match nnue::embedded() {
        Ok(Some((_, label))) => format!("{:016x}", label.hash),
        _ => "none".to_owned(),
    };
    [
        ("Compiled by", env!("VEDETTE_COMPILER").to_owned()),
        ("Compilation architecture", env!("VEDETTE_TARGET").to_owned()),
        ("Compilation settings", settings()),
        (
            "SIMD path",
            nnue::SimdPath::from_environment()
                .map_or_else(|error| error.to_string(), |path| path.to_string()),
        ),
        ("Built-in network", network),
    ]
    .iter()
    .fold(NAME.to_owned(), |lines, (name, value)| format!("{lines}\n{name:<26}: {value}"))
}

/// Profile, features and the CPU features that the compiler may assume.
fn settings() -> String {
    let mut settings = vec![
        if cfg!(target_pointer_width = "64") { "64bit" } else { "32bit" },
        if cfg!(debug_assertions) { "debug" } else { "release" },
    ];
    let features = [
        ("tune", cfg!(feature = "tune")),
        ("mutants", cfg!(feature = "mutants")),
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("avx512vnni", cfg!(target_feature = "avx512vnni")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    settings.extend(features.iter().filter(|(_, present)| *present).map(|(name, _)| *name));
    settings.join(" ")
}
