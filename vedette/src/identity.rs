//! Who this program is, in the words that UCI, `--version` and the greeting share.

/// Name and version.
pub const NAME: &str = concat!("Vedette ", env!("CARGO_PKG_VERSION"));

/// Whom to thank.
pub const AUTHOR: &str = "the Vedette authors";

/// One line for people who start the program in a terminal.
pub const GREETING: &str = concat!(
    "Vedette ",
    env!("CARGO_PKG_VERSION"),
    ", a UCI chess engine. 'help' lists what it understands here, 'vedette --help' the command line."
);

/// The licence in short.
pub const LICENSE: &str = "Vedette is free software under the GNU General Public License, version 3 or later.\n\
     It comes without any warranty. The whole text: LICENSE in the source, or https://www.gnu.org/licenses/.";

/// What built this program, and for what.
pub fn compiler() -> String {
    format!(
        "{NAME} for {} on {}, {} build, CPU features at compile time: {}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        if cfg!(debug_assertions) { "debug" } else { "release" },
        compiled_features()
    )
}

fn compiled_features() -> String {
    let features = [
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
    ];
    let present: Vec<&str> = features.iter().filter(|(_, present)| *present).map(|(name, _)| *name).collect();
    if present.is_empty() { "baseline".to_owned() } else { present.join(" ") }
}
