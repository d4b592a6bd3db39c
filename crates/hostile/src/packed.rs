//! Binary files: networks and training games.

use chess::Position;
use nnue::shape::{Head, LAYERED_STEP, Shape};
use nnue::{AnyNetwork, BulletFormat, FloatNetwork};
use record::dataset::{DataEntry, DataFormat, DatasetReader, DatasetWriter, recognise};
use record::packed::{GameReader, GameWriter, PackedGame};

use crate::files::with_file;

pub fn network(bytes: &[u8]) {
    read_network(bytes);
    // With a correct hash, so that the content is parsed.
    let mut sealed = bytes.to_vec();
    nnue::reseal(&mut sealed);
    read_network(&sealed);
}

fn read_network(bytes: &[u8]) {
    let Ok((network, label)) = AnyNetwork::read(bytes) else { return };
    assert!(network.evaluate(&Position::startpos()).is_finite());
    let AnyNetwork::Integer(network) = network else { return };
    let (again, _) =
        nnue::Network::read(&network.write(&label.description)).expect("a network that was written");
    assert!(again == network, "a network changed when it was written");
}

pub fn network_seeds() -> Vec<Vec<u8>> {
    let shapes = [Shape::new(64), Shape::new(LAYERED_STEP).and_then(|shape| shape.with_head(Head::Layered))];
    let networks = shapes.into_iter().flatten().map(|shape| FloatNetwork::random(shape, 1));
    networks.flat_map(|network| [network.quantise().write("seed 1"), network.write("seed 1")]).collect()
}

pub fn bullet_network(bytes: &[u8]) {
    let Ok(network) = FloatNetwork::read_bullet(bytes, BulletFormat::default()) else { return };
    assert!(network.is_complete() && network.evaluate(&Position::startpos()).is_finite());
}

pub fn bullet_network_seeds() -> Vec<Vec<u8>> {
    // The sizes of 64 units with one output, and with eight, before and after the padding.
    let file = |(numbers, length): (usize, usize)| {
        let padding = b"bullet".iter().copied().cycle().take(length - numbers);
        vec![1; numbers].into_iter().chain(padding).collect()
    };
    [(98_690, 98_752), (100_496, 100_544)].map(file).to_vec()
}

pub fn games(bytes: &[u8]) {
    let mut reader = GameReader::new(bytes);
    while let Ok(Some(game)) = reader.next_game() {
        for sample in game.positions() {
            assert!(sample.position.is_consistent());
        }
        let mut packed = Vec::new();
        game.pack_into(&mut packed);
        let (again, length) = PackedGame::unpack(&packed).expect("a game that was packed");
        assert_eq!((again, length), (game, packed.len()));
    }
}

pub fn games_seeds() -> Vec<Vec<u8>> {
    let mut writer = GameWriter::new(Vec::new());
    let starts = [
        Position::startpos(),
        Position::from_fen("r3k2r/pP6/8/8/8/8/6p1/R3K2R w KQkq - 0 1").expect("a position"),
    ];
    for start in starts {
        let mut position = start;
        let mut moves = Vec::new();
        for ply in 0..12 {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(ply * 7 % legal.len().max(1)) else { break };
            moves.push((mv, 30 - 7 * ply as i16));
            position = position.after(mv);
        }
        let game = PackedGame { start, result: record::packed::PackedResult::Draw, moves };
        writer.write(&game).expect("memory can be written");
    }
    vec![writer.into_inner()]
}

/// Every reader of training data; what was read stays the same when it is written and read again.
pub fn dataset(bytes: &[u8]) {
    with_file("data", bytes, |path| {
        let _ = recognise(path);
    });
    for format in DataFormat::ALL {
        let entries = entries(bytes.to_vec(), format);
        let written = written(&entries, format);
        assert_eq!(self::entries(written, format), entries, "{format:?}");
    }
}

fn entries(bytes: Vec<u8>, format: DataFormat) -> Vec<DataEntry> {
    let Ok(mut reader) = DatasetReader::new(std::io::Cursor::new(bytes), format) else { return Vec::new() };
    let mut entries = Vec::new();
    while let Some(entry) = reader.next_entry().expect("memory can be read") {
        let check = |sample: &record::packed::Sample| {
            assert!(sample.position.is_consistent());
            Ok::<(), std::convert::Infallible>(())
        };
        let Ok(()) = entry.for_each(check);
        entries.push(entry);
    }
    entries
}

fn written(entries: &[DataEntry], format: DataFormat) -> Vec<u8> {
    let mut writer = DatasetWriter::new(Vec::new(), format).expect("memory can be written");
    for entry in entries {
        writer.write(entry).expect("memory can be written");
    }
    writer.finish().expect("memory can be written")
}

pub fn dataset_seeds() -> Vec<Vec<u8>> {
    let games = entries(games_seeds().concat(), DataFormat::Games);
    DataFormat::ALL.into_iter().map(|format| written(&games, format)).collect()
}
