//! The tools crash at every step of their files: an output is complete or not there, and running a tool again is all it takes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chess::Position;
use record::dataset::DataFormat;
use record::packed::{Filter, GameWriter, PackedGame, PackedResult};
use support::files::faults::{Interruption, Survival, every_crash, every_fault};
use support::random::Random;

use super::DataError;
use super::convert::convert;
use super::export::Export;
use super::sample::sample;
use super::select::{Choice, select};
use super::shuffle::shuffle;
use super::split::{SplitPart, split};

const INPUTS: [&str; 2] = ["a.vd", "b.vd"];

type Tool = fn(&Path) -> Result<(), DataError>;

/// Each with its outputs.
const TOOLS: [(Tool, &[&str]); 9] = [
    (run_select, &["selected.vd"]),
    (run_shuffle, &["shuffled.vd"]),
    (|folder| run_convert(folder, DataFormat::Pgn), &["converted"]),
    (|folder| run_convert(folder, DataFormat::Binpack), &["converted"]),
    (|folder| run_convert(folder, DataFormat::Csv), &["converted"]),
    (run_sample, &["sampled.vd"]),
    (run_split, &["training.vd", "validation.vd"]),
    (|folder| run_export(folder, DataFormat::Bullet, None), &["positions"]),
    (|folder| run_export(folder, DataFormat::Text, Some(1)), &["positions"]),
];

fn inputs(folder: &Path) -> Vec<PathBuf> {
    INPUTS.iter().map(|name| folder.join(name)).collect()
}

fn run_select(folder: &Path) -> Result<(), DataError> {
    let choice = Choice { unique: true, ..Choice::default() };
    select(&inputs(folder), &folder.join("selected.vd"), &choice, |_| ()).map(drop)
}

fn run_shuffle(folder: &Path) -> Result<(), DataError> {
    // So little memory that there are several piles.
    shuffle(&inputs(folder), &folder.join("shuffled.vd"), 3, 2000, |_| ()).map(drop)
}

fn run_convert(folder: &Path, format: DataFormat) -> Result<(), DataError> {
    convert(&inputs(folder), None, &folder.join("converted"), format, |_| ()).map(drop)
}

fn run_sample(folder: &Path) -> Result<(), DataError> {
    sample(&inputs(folder), None, &folder.join("sampled.vd"), DataFormat::Games, (7, 1), |_| ()).map(drop)
}

fn run_split(folder: &Path) -> Result<(), DataError> {
    let part = |name: &str, weight| SplitPart { path: folder.join(name), weight };
    let parts = [part("training.vd", 0.6), part("validation.vd", 0.4)];
    split(&inputs(folder), &parts, 1, |_| ()).map(drop)
}

fn run_export(folder: &Path, format: DataFormat, shuffle: Option<u64>) -> Result<(), DataError> {
    let export = Export { from: None, format, filter: Filter::EVERYTHING, shuffle, memory: 20_000 };
    export.run(&inputs(folder), &folder.join("positions"), |_| ()).map(drop)
}

/// Writes the inputs.
fn prepare(folder: &Path) {
    let mut random = Random::new(4);
    for path in inputs(folder) {
        let mut writer = GameWriter::new(fs::File::create(path).unwrap());
        for _ in 0..8 {
            let start = Position::chess960(random.below(960) as u16).unwrap();
            let mut position = start;
            let moves = (0..20).map(|_| {
                let legal = position.legal_moves();
                let mv = legal[random.below(legal.len())];
                position.play(mv);
                (mv, 10)
            });
            let moves = moves.collect();
            writer.write(&PackedGame { start, result: PackedResult::Draw, moves }).unwrap();
        }
    }
}

fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect()
}

/// What a tool writes if nothing goes wrong, with its inputs.
fn expected(tool: Tool) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    tool(folder.path()).unwrap();
    content(folder.path())
}

fn check(
    folder: &Path,
    point: &Interruption,
    (tool, outputs): (Tool, &[&str]),
    expected: &BTreeMap<String, Vec<u8>>,
) {
    let found = content(folder);
    for name in INPUTS.iter().chain(outputs) {
        let is_input = INPUTS.contains(name);
        assert!(found.get(*name).map_or(!is_input, |bytes| *bytes == expected[*name]), "{point}: {name}");
    }
    // Outputs are never overwritten; of several some may be complete.
    for name in outputs {
        let _ = fs::remove_file(folder.join(name));
    }
    tool(folder).unwrap_or_else(|error| panic!("{point}: {error}"));
    let found = content(folder);
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>(),
        "{point}: what is left"
    );
    assert!(found == *expected, "{point}");
}

#[test]
fn crash_leaves_no_half_of_a_file() {
    let mut count = 0;
    for tool in TOOLS {
        let (root, expected) = (tempfile::tempdir().unwrap(), expected(tool.0));
        let check = |folder: &Path, point: &Interruption| check(folder, point, tool, &expected);
        count += every_crash(root.path(), &Survival::ALL, prepare, tool.0, check);
    }
    println!("dataset tools: {count} crashes");
    assert!(count > 700, "{count}");
}

#[test]
fn fault_leaves_no_half_of_a_file() {
    let mut count = 0;
    for tool in TOOLS {
        let (root, expected) = (tempfile::tempdir().unwrap(), expected(tool.0));
        count += every_fault(root.path(), prepare, tool.0, |folder, point, result| {
            let is_complete = tool.1.iter().all(|name| folder.join(name).exists());
            assert!(result.is_err() || is_complete, "{point}: lost without an error");
            check(folder, point, tool, &expected);
        });
    }
    println!("dataset tools: {count} faults");
    assert!(count > 220, "{count}");
}
