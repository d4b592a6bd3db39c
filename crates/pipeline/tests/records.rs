//! Records that the device writes are what the trainer makes of the same games.

use gpu::NetworkPlayer;
use gpu::abi::{Filter, NodeLimits, OpeningSettings, PlaySettings, Rules};
use gpu::emulation::CpuEmulation;
use nnue::FloatNetwork;
use nnue::shape::Shape;
use record::packed::PackedGame;
use train::Example;

const RULES: Rules = Rules {
    draw_move_number: 40,
    draw_move_count: 6,
    draw_score: 8,
    resign_move_count: 2,
    resign_score: 1500,
    resign_two_sided: 1,
    max_moves: 250,
    unused: 0,
};

#[test]
fn records_equal_training_examples() {
    let device = CpuEmulation::new().unwrap();
    let shape = Shape::new(64).unwrap().with_king_buckets(4).unwrap();
    let player = NetworkPlayer::new(FloatNetwork::random(shape, 4).quantise());
    let limits = NodeLimits { soft: 60, hard: 120 };
    let settings = PlaySettings {
        seed: 5,
        game_step: 1,
        game_count: 10,
        limits: [limits; 2],
        opening: OpeningSettings {
            shuffled: OpeningSettings::fraction(0.4),
            min_plies: 8,
            max_plies: 9,
            limits,
            max_score: 2000,
            unused: 0,
        },
        rules: RULES,
        filter: Filter { min_ply: 16, min_pieces: 4, max_score: 10_000, checks: 0, noisy: 0, unused: 0 },
        ..PlaySettings::default()
    };
    let filter = record::packed::Filter::default();
    let mut records = 0;
    for game in device.play(&settings, [&player; 2], &[]).games {
        let (unpacked, _) = PackedGame::unpack(&game.packed).unwrap();
        let kept = unpacked.positions().filter(|sample| filter.keeps(sample));
        let examples: Vec<Example> = kept.map(|sample| Example::new(&sample)).collect();
        let written: Vec<Example> = game.records.iter().map(Example::from_bytes).collect();
        assert_eq!(written, examples);
        records += examples.len();
    }
    assert!(records > 100);
}
