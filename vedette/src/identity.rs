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

/// Version, target and build of this binary.
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
