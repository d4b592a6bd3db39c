//! Real files: every result and distance agrees with those of the positions after each move, and files that are missing,
//! damaged or mixed up do no harm.

use std::fs;
use std::path::{Path, PathBuf};

use chess::{Color, Game, Move, Position};
use tables::{Dtz, TableWdl, Tablebases, testing};

fn open(folder: &Path) -> Tablebases {
    let opened = Tablebases::open(&[folder.to_owned()]).unwrap_or_else(|error| panic!("{error}"));
    assert!(opened.skipped.is_empty(), "{:?}", opened.skipped);
    opened.tables
}

/// The names of the tables in a folder, such as `KQvK`.
fn materials(folder: &Path) -> Vec<String> {
    let name = |path: PathBuf| {
        let is_wdl = path.extension().is_some_and(|extension| extension == "rtbw");
        is_wdl.then(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned())).flatten()
    };
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().filter_map(|entry| name(entry.unwrap().path())).collect();
    names.sort();
    names
}

/// Position number `index` of a material, if it is legal. The pieces are on the squares that its digits to base 64 name;
/// the last digit is the side to move.
fn position(material: &str, mut index: u64) -> Option<Position> {
    let turn = if index.is_multiple_of(2) { 'w' } else { 'b' };
    index /= 2;
    let (white, black) = material.split_once('v')?;
    let mut board = [None; 64];
    for piece in white.chars().chain(black.to_ascii_lowercase().chars()) {
        let square = (index % 64) as usize;
        index /= 64;
        let on_back_rank = !(8..56).contains(&square);
        if board[square].is_some() || piece.eq_ignore_ascii_case(&'p') && on_back_rank {
            return None;
        }
        board[square] = Some(piece);
    }
    let rank = |rank: usize| -> String {
        board[8 * rank..8 * rank + 8].iter().map(|piece| piece.map_or('1', |piece| piece)).collect()
    };
    let ranks: Vec<String> = (0..8).rev().map(rank).collect();
    // Ones are valid: eight empty squares as eight digits.
    Position::from_fen(&format!("{} {turn} - - 0 1", ranks.join("/"))).ok()
}

/// The result and the distance of a position from those after each move.
fn expected(tables: &Tablebases, position: &Position) -> (TableWdl, Dtz) {
    let moves = position.legal_moves();
    if moves.is_empty() {
        let wdl = if position.in_check() { TableWdl::Loss } else { TableWdl::Draw };
        return (wdl, Dtz { plies: wdl.sign(), is_rounded: false });
    }
    let after = |&mv: &Move| {
        let child = position.after(mv);
        let wdl = -tables.probe_wdl(&child).expect("in the tables");
        let is_mate = child.in_check() && !child.has_legal_move();
        let dtz = if child.halfmove_clock() == 0 || is_mate || wdl == TableWdl::Draw {
            Dtz { plies: wdl.sign(), is_rounded: false }
        } else {
            let Dtz { plies, is_rounded } = tables.probe_dtz(&child).expect("in the tables");
            Dtz { plies: -plies - plies.signum(), is_rounded }
        };
        (wdl, dtz)
    };
    let results: Vec<(TableWdl, Dtz)> = moves.iter().map(after).collect();
    let best = results.iter().map(|result| result.0).max().expect("a move");
    let best_moves = results.into_iter().filter(|result| result.0 == best);
    // The shortest win and the longest loss are both the smallest number.
    best_moves.min_by_key(|result| result.1.plies).expect("a move")
}

/// Whether two distances may be the same one.
fn agree(a: Dtz, b: Dtz) -> bool {
    let range = |dtz: Dtz| {
        let least = dtz.plies.unsigned_abs();
        least..=least + u32::from(dtz.is_rounded)
    };
    a.plies.signum() == b.plies.signum()
        && range(a).start() <= range(b).end()
        && range(b).start() <= range(a).end()
}

/// Checks every position whose number is a multiple of `step`, and returns how many were legal.
fn check(tables: &Tablebases, material: &str, step: u64) -> u64 {
    let pieces = material.len() as u32 - 1;
    let mut checked = 0;
    for index in (0..2 * 64_u64.pow(pieces)).step_by(step as usize) {
        let Some(position) = position(material, index) else { continue };
        checked += 1;
        let (wdl, dtz) = (tables.probe_wdl(&position), tables.probe_dtz(&position).expect("in the tables"));
        let (expected_wdl, expected_dtz) = expected(tables, &position);
        let fen = position.to_fen();
        assert_eq!(wdl, Some(expected_wdl), "{fen}");
        assert!(agree(dtz, expected_dtz), "{dtz:?}, expected {expected_dtz:?} in {fen}");
        let mirrored = position.color_mirrored();
        assert_eq!(tables.probe_wdl(&mirrored), wdl, "{fen}");
        assert!(tables.probe_dtz(&mirrored).is_some_and(|other| agree(other, dtz)), "{fen}");
        check_fifty_move_rule(tables, &position, dtz);
    }
    checked
}

/// With a halfmove clock a win is a win as long as its distance fits.
fn check_fifty_move_rule(tables: &Tablebases, position: &Position, dtz: Dtz) {
    let fen = position.to_fen();
    let board = fen.trim_end_matches(" 0 1");
    for clock in [1, 40, 60, 80, 98] {
        let late = Position::from_fen(&format!("{board} {clock} 90")).expect("the same position");
        let reached = dtz.plies.unsigned_abs() + clock;
        let expected = match (dtz.plies.signum(), reached) {
            (0, _) => Some(TableWdl::Draw),
            (_, 100) if dtz.is_rounded => None,
            (1, ..=100) => Some(TableWdl::Win),
            (1, _) => Some(TableWdl::CursedWin),
            (_, ..=100) => Some(TableWdl::Loss),
            _ => Some(TableWdl::BlessedLoss),
        };
        assert_eq!(tables.probe_with_clock(&late), expected, "{board} {clock}");
    }
}

#[test]
fn results_and_distances_agree_with_all_moves_in_tables() {
    let Some(folder) = testing::folder() else { return };
    let (tables, materials) = (open(&folder), materials(&folder));
    assert_eq!(materials.len(), 35);
    for material in &materials {
        // Prime, so that all squares occur.
        let step = if material.len() == 4 { 2_003 } else { 300_007 };
        assert!(check(&tables, material, step) > 20, "{material}");
    }
    assert_eq!(tables.failure(), None);
}

/// Lines of the tables end with mate, whatever they begin with.
#[test]
fn lines_end_with_mate_in_tables() {
    let Some(folder) = testing::folder() else { return };
    let tables = open(&folder);
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "8/8/8/K7/8/8/2P4k/8 w - - 0 1",
        "1K6/8/3k4/8/8/8/1q6/R7 w - - 0 1",
        "8/8/8/8/3k4/8/8/KBN5 b - - 0 1",
        "8/2k5/8/8/4K3/8/1q5P/8 b - - 0 1",
    ] {
        let game = Game::new(Position::from_fen(fen).unwrap());
        assert_ne!(tables.probe_wdl(game.position()), Some(TableWdl::Draw), "{fen}");
        for begin in game.position().legal_moves().iter() {
            let line = tables.complete_line(&game, &[*begin], true, || false);
            let mut played = game.clone();
            for &mv in &line {
                played.play(mv);
            }
            let outcome = played.outcome().unwrap_or_else(|| panic!("no end of {fen} after {line:?}"));
            let expected = match (tables.probe_wdl(game.position()).unwrap(), game.position().turn()) {
                (TableWdl::Win, mover) => Some(mover),
                (TableWdl::Loss, mover) => Some(!mover),
                _ => None,
            };
            assert_eq!(outcome.winner(), expected, "{fen}");
        }
    }
}

#[test]
fn bishop_and_knight_mate_against_the_longest_resistance_of_tables() {
    let Some(folder) = testing::folder() else { return };
    let tables = open(&folder);
    let start = Position::from_fen("7k/8/8/8/8/8/8/KBN5 w - - 0 1").unwrap();
    assert_eq!(tables.probe_with_clock(&start), Some(TableWdl::Win));
    let game = Game::new(start);
    let line = tables.complete_line(&game, &[], true, || false);
    let distance = tables.probe_dtz(game.position()).unwrap();
    assert!(
        line.len().abs_diff(distance.plies.unsigned_abs() as usize) <= 2,
        "{} plies, {distance:?}",
        line.len()
    );
    let mut late = 0;
    let cut = tables.complete_line(&game, &[], true, || {
        late += 1;
        late > 3
    });
    assert_eq!(cut.len(), 3);
}

/// A folder with copies of some tables.
fn copies(of: &Path, names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(of.join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn kqvk() -> Position {
    Position::from_fen("8/8/8/3k4/8/8/8/KQ6 w - - 0 1").unwrap()
}

#[test]
fn missing_folders_are_named() {
    let missing = [PathBuf::from("/no/such/folder"), PathBuf::from("/nor/this")];
    let error = Tablebases::open(&missing).err().expect("no tables").to_string();
    let expected = "no tablebases found in /no/such/folder, /nor/this (/no/such/folder: ";
    assert!(error.starts_with(expected), "{error}");
    let empty = tempfile::tempdir().unwrap();
    assert!(Tablebases::open(&[empty.path().to_owned()]).is_err());
}

#[test]
fn missing_folder_beside_one_with_tables() {
    let Some(folder) = testing::folder() else { return };
    let folder = copies(&folder, &["KQvK.rtbw", "KQvK.rtbz"]);
    let opened = Tablebases::open(&["/no/such/folder".into(), folder.path().to_owned()]).unwrap();
    let summary = opened.summary();
    assert!(summary.starts_with("1 WDL and 1 DTZ tablebases, up to 3 pieces; skipped /no/such"), "{summary}");
    assert_eq!(opened.tables.probe_wdl(&kqvk()), Some(TableWdl::Win));
    // There is no table of king and rook.
    let other = Position::from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    assert_eq!((opened.tables.probe_wdl(&other), opened.tables.failure()), (None, None));
}

#[test]
fn first_folder_with_a_table_counts() {
    let Some(folder) = testing::folder() else { return };
    let names = ["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw"];
    let (first, second) = (copies(&folder, &names), copies(&folder, &names));
    // One is unusable in the first folder, and one would be in the second.
    fs::write(first.path().join("KRvK.rtbw"), b"short").unwrap();
    fs::copy(folder.join("KRvK.rtbw"), second.path().join("KQvK.rtbw")).unwrap();
    let folders = [first.path().to_owned(), second.path().to_owned()];
    let opened = Tablebases::open(&folders).unwrap();
    assert_eq!((opened.wdl_files, opened.dtz_files, opened.skipped.len()), (2, 1, 1), "{:?}", opened.skipped);
    assert_eq!(opened.tables.probe_wdl(&kqvk()), Some(TableWdl::Win));
    let rook = Position::from_fen("8/8/8/3k4/8/8/8/KR6 w - - 0 1").unwrap();
    assert_eq!(opened.tables.probe_wdl(&rook), Some(TableWdl::Win));
    assert_eq!(opened.tables.failure(), None);
}

#[test]
fn wdl_without_dtz_tables() {
    let Some(folder) = testing::folder() else { return };
    let folder = copies(&folder, &["KQvK.rtbw"]);
    let tables = open(folder.path());
    assert_eq!((tables.probe_wdl(&kqvk()), tables.probe_dtz(&kqvk())), (Some(TableWdl::Win), None));
    let ranking = tables.rank_root_moves(&Game::new(kqvk()), true).unwrap();
    assert!(!ranking.by_distance);
    assert_eq!(
        (ranking.moves[0].wdl, ranking.moves[0].mv.from()),
        (TableWdl::Win, kqvk().king(Color::White))
    );
    // Giving the queen away draws.
    assert_eq!(ranking.moves.last().unwrap().wdl, TableWdl::Draw);
}

#[test]
fn truncated_swapped_and_foreign_tables() {
    let Some(folder) = testing::folder() else { return };
    // Of an impossible length: skipped at once.
    let truncated = copies(&folder, &["KQvK.rtbw", "KRvK.rtbw"]);
    let path = truncated.path().join("KQvK.rtbw");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let opened = Tablebases::open(&[truncated.path().to_owned()]).unwrap();
    assert!(opened.summary().contains("KQvK.rtbw: unexpected file size"), "{}", opened.summary());
    assert_eq!(opened.tables.probe_wdl(&kqvk()), None);
    // Of a possible length, or with the content of another: noticed by the first probe.
    type Damage = fn(&Path);
    let damages: [Damage; 3] = [
        |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..80]).unwrap();
        },
        |path| {
            fs::copy(path.with_file_name("KRvK.rtbw"), path).unwrap();
        },
        |path| fs::write(path, [0; 80]).unwrap(),
    ];
    for damage in damages {
        let folder = copies(&folder, &["KQvK.rtbw", "KRvK.rtbw"]);
        damage(&folder.path().join("KQvK.rtbw"));
        let tables = open(folder.path());
        // A shorter table may still answer for some positions.
        for square in 0..64 {
            let _ = position("KQvK", 2 * (square * 64 * 64 + 9)).map(|position| tables.probe_wdl(&position));
        }
        let failure = tables.failure().expect("a message");
        assert!(
            ["wdl table KQvK: corrupted table", "wdl table KQvK: invalid magic header bytes: [0, 0, 0, 0]"]
                .contains(&failure),
            "{failure}"
        );
        assert_eq!(tables.probe_wdl(&kqvk()), None);
    }
}

/// Any byte of a table may be wrong.
#[test]
fn damaged_bytes_in_tables() {
    let Some(folder) = testing::folder() else { return };
    let mut failed = 0;
    for name in ["KQvK", "KPvK", "KPvKP", "KBNvK"] {
        let names = [format!("{name}.rtbw"), format!("{name}.rtbz")];
        let names = [names[0].as_str(), names[1].as_str()];
        for seed in 0..60_u64 {
            let folder = copies(&folder, &names);
            for (file, name) in names.iter().enumerate() {
                let path = folder.path().join(name);
                let mut bytes = fs::read(&path).unwrap();
                // Mostly the header, which all else depends on.
                let range = if seed % 2 == 0 { 120 } else { bytes.len() } as u64;
                for number in 0..3 {
                    let random = (seed * 7 + number + file as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
                    bytes[(random % range) as usize] ^= (random >> 16) as u8 | 1;
                }
                fs::write(&path, bytes).unwrap();
            }
            let tables = open(folder.path());
            for index in (0..2 * 64_u64.pow(3)).step_by(40_009) {
                let Some(position) = position(name, index * 17) else { continue };
                let _ = (tables.probe_wdl(&position), tables.probe_dtz(&position));
                let _ = tables.rank_root_moves(&Game::new(position), true);
            }
            failed += usize::from(tables.failure().is_some());
        }
    }
    assert!(failed > 10, "{failed} damaged tables were noticed");
}
