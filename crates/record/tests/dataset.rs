//! Random games through every format of training data.

use std::io::Cursor;

use chess::{Color, Position};
use record::dataset::{DataEntry, DataFormat, DatasetReader, DatasetWriter, recognise};
use record::packed::{PackedGame, PackedResult, Sample};
use support::random::Random;

fn games(count: usize, chess960: bool, seed: u64) -> Vec<PackedGame> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|number| {
            let start = if chess960 {
                Position::double_chess960(random.below(960) as u16, random.below(960) as u16).unwrap()
            } else {
                Position::startpos()
            };
            let (mut position, mut moves) = (start, Vec::new());
            for _ in 0..20 + random.below(200) {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mv = legal[random.below(legal.len())];
                moves.push((mv, random.below(65535) as i16));
                if moves.last().is_some_and(|entry| entry.1 == i16::MIN) {
                    moves.pop();
                    break;
                }
                position.play(mv);
            }
            PackedGame { start, result: PackedResult::ALL[number % 3], moves }
        })
        .filter(|game| !game.moves.is_empty())
        .collect()
}

/// The formats that are read from beginning to end; `parquet.rs` tests the other one.
fn formats() -> impl Iterator<Item = DataFormat> {
    DataFormat::ALL.into_iter().filter(|format| format.name() != "parquet")
}

fn write(games: &[PackedGame], format: DataFormat) -> (Vec<u8>, u64) {
    let mut writer = DatasetWriter::new(Vec::new(), format).unwrap();
    for game in games {
        writer.write_game(game).unwrap();
    }
    let skipped = writer.skipped();
    (writer.finish().unwrap(), skipped)
}

fn read(bytes: &[u8], format: DataFormat) -> Vec<DataEntry> {
    let mut reader = DatasetReader::new(Cursor::new(bytes.to_vec()), format).unwrap();
    let mut entries = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        entries.push(entry);
    }
    assert!(reader.damage().is_empty(), "{format:?}: {:?}", reader.damage());
    entries
}

#[test]
fn games_survive_every_format_with_moves() {
    for chess960 in [false, true] {
        let games = games(60, chess960, 3);
        let expected: Vec<DataEntry> = games.iter().cloned().map(DataEntry::Game).collect();
        for format in formats().filter(|format| format.has_moves()) {
            let (bytes, skipped) = write(&games, format);
            if matches!(format, DataFormat::Bin | DataFormat::Binpack) && chess960 {
                assert!(skipped > 0);
                continue;
            }
            assert_eq!(skipped, 0);
            assert_eq!(read(&bytes, format), expected, "{format:?}");
        }
    }
}

#[test]
fn positions_survive_formats_without_moves() {
    let games = games(40, true, 5);
    let samples: Vec<Sample> = games.iter().flat_map(PackedGame::positions).collect();
    for format in [DataFormat::Text, DataFormat::Bullet] {
        let entries = read(&write(&games, format).0, format);
        assert_eq!(entries.len(), samples.len());
        for (entry, sample) in entries.iter().zip(&samples) {
            let DataEntry::Position(found) = entry else { panic!("{entry:?}") };
            assert_eq!(found.mv, None);
            assert_eq!(found.mover_score(), sample.mover_score());
            assert!((found.mover_points() - sample.mover_points()).abs() < 1e-6);
            if format == DataFormat::Text {
                assert_eq!(found.position, sample.position);
            } else {
                let seen = match sample.position.turn() {
                    Color::White => sample.position,
                    Color::Black => sample.position.color_mirrored(),
                };
                let board = |position: &Position| position.to_fen().split(' ').next().unwrap().to_owned();
                assert_eq!(board(&found.position), board(&seen));
            }
        }
    }
}

#[test]
fn formats_are_recognised_whatever_the_name() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..10 {
        for format in formats() {
            for name in ["games.vd", "games.bin", "games.data", "games.txt", "games"] {
                let path = folder.path().join(name);
                std::fs::write(&path, write(&games(3, false, seed), format).0).unwrap();
                assert_eq!(recognise(&path).unwrap(), format, "{name}");
            }
        }
    }
}

/// The start position as Stockfish's tools write it, with 1. e4, a score of 34 and a win.
#[test]
fn bin_has_the_layout_of_stockfish() {
    let start = Position::startpos();
    let game = PackedGame {
        start,
        result: PackedResult::WhiteWins,
        moves: vec![(start.parse_uci("e2e4").unwrap(), 34)],
    };
    let (bytes, _) = write(&[game], DataFormat::Bin);
    assert_eq!(bytes.len(), 40);
    // White to move, kings on e1 (4) and e8 (60).
    assert_eq!(u16::from_le_bytes([bytes[0], bytes[1]]) & 0x1fff, 4 << 1 | 60 << 7);
    // The move has its target in the low six bits, e4 (28), and its origin above, e2 (12).
    assert_eq!(bytes[32..40], [34, 0, 28, 3, 0, 0, 1, 0]);
}

/// 1. e4 e5 as nnue-pytorch writes them, in bytes that were computed by hand.
#[test]
fn binpack_has_the_layout_of_stockfish() {
    let start = Position::startpos();
    let moves = vec![(start.parse_uci("e2e4").unwrap(), 34)];
    let (mut position, mut moves) = (start.after(moves[0].0), moves);
    moves.push((position.parse_uci("e7e5").unwrap(), 30));
    position.play(moves[1].0);
    let (bytes, _) =
        write(&[PackedGame { start, result: PackedResult::WhiteWins, moves }], DataFormat::Binpack);
    // A chunk of a first position with the number of those that follow, and two bytes of bits.
    assert_eq!(bytes[..8], [b'B', b'I', b'N', b'P', 36, 0, 0, 0]);
    assert_eq!(bytes[8..16], [0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
    // a1 and b1: a rook with castling rights (13) below a knight (2); h8 and g8.
    assert_eq!((bytes[16], bytes[31]), (0x2d, 0xe3));
    // e2 (12) to e4 (28), 34 folded, ply 0 and a win (1, folded) in the highest bits, no clock, one more position.
    assert_eq!(bytes[32..42], [12, 28 << 2, 0, 68, 0x80, 0, 0, 0, 0, 1]);
    // Black's piece 4 of 16 (0100), its target 0 of 2, which is e5 (0); the score goes from -34 to -30, which is 4, and 8
    // folded (01000).
    assert_eq!(bytes[42..], [0b0100_0010, 0]);
}

#[test]
fn move_numbers_do_not_separate_games() {
    let plain = "fen 4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\nmove e8e7\nscore 1\nply 33\nresult 0\ne\n\
                 fen 8/4k3/8/8/8/8/4P3/4K3 w - - 4 17\nmove e2e4\nscore 2\nply 34\nresult 0\ne\n";
    let entries = read(plain.as_bytes(), DataFormat::Plain);
    let [DataEntry::Game(game)] = &entries[..] else { panic!("{entries:?}") };
    assert_eq!(game.moves.len(), 2);
}

#[test]
fn damaged_chunk_loses_only_its_rest() {
    let games = games(3000, false, 9);
    let (mut bytes, _) = write(&games, DataFormat::Binpack);
    let chunks: Vec<usize> = (0..bytes.len() - 4).filter(|&at| bytes[at..].starts_with(b"BINP")).collect();
    assert!(chunks.len() > 1, "{} bytes", bytes.len());
    // The number of pieces of the second chunk's first position, and the end of the file.
    bytes[chunks[1] + 8] ^= 0xff;
    bytes.truncate(bytes.len() - 1);
    let length = bytes.len() as u64;
    let mut reader = DatasetReader::new(Cursor::new(bytes), DataFormat::Binpack).unwrap();
    let mut found = Vec::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        found.push(entry);
    }
    assert_eq!(reader.offset(), length);
    assert!(
        found.len() > 100
            && found.iter().take(100).eq(games
                .iter()
                .take(100)
                .cloned()
                .map(DataEntry::Game)
                .collect::<Vec<_>>()
                .iter())
    );
    assert_eq!(reader.damage()[0].offset, chunks[1] as u64);
}

#[test]
fn lichess_evaluations_belong_to_the_position_after_the_move() {
    let text = "1. e4 { [%eval 0.25] } e5 { [%eval #-3] } 2. Nf3 Nc6 {+0.10/12 0.5s} 1-0\n";
    let entries = read(text.as_bytes(), DataFormat::Pgn);
    let scores: Vec<i16> = entries
        .iter()
        .flat_map(|entry| match entry {
            DataEntry::Game(game) => game.moves.iter().map(|entry| entry.1).collect::<Vec<_>>(),
            DataEntry::Position(_) => Vec::new(),
        })
        .collect();
    assert_eq!(scores, [25, -31_997, -10]);
}

#[test]
fn invalid_lines_are_damage() {
    let text = "score,fen,result\n1,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,0.5\nx,y\n\nz\n-7,\"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\",1-0\n";
    let mut reader = DatasetReader::new(Cursor::new(text.as_bytes().to_vec()), DataFormat::Csv).unwrap();
    let mut scores = Vec::new();
    while let Some(DataEntry::Position(sample)) = reader.next_entry().unwrap() {
        scores.push(sample.score);
    }
    assert_eq!(scores, [1, -7]);
    let [damage] = reader.damage() else { panic!("{:?}", reader.damage()) };
    assert!(damage.fault.to_string().starts_with("line 3: "), "{}", damage.fault);
    let missing = DatasetReader::new(Cursor::new(b"fen,score\n".to_vec()), DataFormat::Csv).unwrap_err();
    assert!(missing.to_string().contains("no column 'result'"), "{missing}");
}
