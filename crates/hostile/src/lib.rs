//! Hostile input: every parser as a function of bytes.
//!
//! A [`Target`] feeds bytes to one parser and asserts what must hold for any input: nothing panics, and what was
//! accepted stays the same when it is written and read again. Its seeds are valid inputs to start from.
//!
//! Two drivers run the targets: `tests/smoke.rs` with the seeds and a fixed number of [`mutations`](mutate), as part
//! of `make test`; and libFuzzer (`fuzz/`, `make fuzz`) for as long as you like.

#[path = "../../chess/tests/proof/round_trip.rs"]
mod round_trip;

mod files;
mod linear;
mod lines;
mod mutate;
mod notation;
mod packed;

pub use mutate::mutate;

/// A parser and where to start.
pub struct Target {
    pub name: &'static str,
    /// Asserts the properties of the parser for these bytes.
    pub run: fn(&[u8]),
    /// Valid inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "fen", run: notation::fen, seeds: notation::fen_seeds },
    Target { name: "epd", run: notation::epd, seeds: notation::epd_seeds },
    Target { name: "san", run: notation::san, seeds: notation::san_seeds },
    Target { name: "uci_move", run: notation::uci_move, seeds: notation::uci_move_seeds },
    Target { name: "uci_line", run: lines::uci_line, seeds: lines::uci_line_seeds },
    Target { name: "engine_line", run: lines::engine_line, seeds: lines::engine_line_seeds },
    Target { name: "match_arguments", run: lines::match_arguments, seeds: lines::match_argument_seeds },
    Target { name: "studio_message", run: lines::studio_message, seeds: lines::studio_message_seeds },
    Target { name: "pgn", run: notation::pgn, seeds: notation::pgn_seeds },
    Target { name: "pgn_linear", run: linear::pgn, seeds: notation::pgn_seeds },
    Target { name: "book", run: notation::book, seeds: notation::book_seeds },
    Target { name: "book_file", run: files::book_file, seeds: files::book_file_seeds },
    Target { name: "explorer", run: files::explorer, seeds: files::explorer_seeds },
    Target { name: "network", run: packed::network, seeds: packed::network_seeds },
    Target { name: "bullet_network", run: packed::bullet_network, seeds: packed::bullet_network_seeds },
    Target { name: "packed_games", run: packed::games, seeds: packed::games_seeds },
    Target { name: "dataset", run: packed::dataset, seeds: packed::dataset_seeds },
    Target { name: "checkpoint", run: files::checkpoint, seeds: files::checkpoint_seeds },
    Target { name: "saved_match", run: files::saved_match, seeds: files::saved_match_seeds },
    Target { name: "journal", run: files::journal, seeds: files::journal_seeds },
    Target { name: "studio_engines", run: files::studio_engines, seeds: files::studio_engines_seeds },
    Target { name: "training_recipe", run: files::training_recipe, seeds: files::training_recipe_seeds },
    Target { name: "pipeline_recipe", run: files::pipeline_recipe, seeds: files::pipeline_recipe_seeds },
    Target { name: "spsa_parameters", run: files::spsa_parameters, seeds: files::spsa_parameter_seeds },
    Target { name: "doctor_report", run: files::doctor_report, seeds: files::doctor_report_seeds },
    Target { name: "syzygy", run: files::syzygy, seeds: files::syzygy_seeds },
];

/// Runs a target by name.
///
/// # Panics
/// If there is no such target, or if the parser is wrong.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of this name");
    (target.run)(bytes);
}

/// Texts as seeds.
fn texts(list: &[&str]) -> Vec<Vec<u8>> {
    list.iter().map(|text| text.as_bytes().to_vec()).collect()
}
