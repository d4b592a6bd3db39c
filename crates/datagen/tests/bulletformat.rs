//! The crate bulletformat reads our text, and makes the same bytes of it as our records.

use bulletformat::ChessBoard;
use chess::Position;
use record::dataset::{DataFormat, DatasetWriter};
use record::packed::{PackedGame, PackedResult, Sample};

fn samples() -> Vec<Sample> {
    let mut random = support::random::Random::new(8);
    let mut samples = Vec::new();
    for number in 0..40 {
        let start = Position::double_chess960(random.below(960) as u16, random.below(960) as u16).unwrap();
        let mut position = start;
        let mut moves = Vec::new();
        for _ in 0..60 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[random.below(legal.len())];
            moves.push((mv, random.below(4000) as i16 - 2000));
            position.play(mv);
        }
        samples.extend(PackedGame { start, result: PackedResult::ALL[number % 3], moves }.positions());
    }
    samples
}

fn written(sample: &Sample, format: DataFormat) -> Vec<u8> {
    let mut writer = DatasetWriter::new(Vec::new(), format).unwrap();
    writer.write_position(sample).unwrap();
    writer.finish().unwrap()
}

#[test]
fn records_and_lines_are_those_of_bulletformat() {
    for sample in samples() {
        let line = String::from_utf8(written(&sample, DataFormat::Text)).unwrap();
        let board: ChessBoard = line.trim_end().parse().unwrap();
        let mut expected = Vec::new();
        expected.extend_from_slice(&board.occ.to_le_bytes());
        expected.extend_from_slice(&board.pcs);
        expected.extend_from_slice(&board.score.to_le_bytes());
        expected.extend_from_slice(&[board.result, board.ksq, board.opp_ksq]);
        expected.extend_from_slice(&board.extra);
        assert_eq!(written(&sample, DataFormat::Bullet), expected, "{line}");
    }
}
