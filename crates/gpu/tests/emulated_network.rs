//! The device's NNUE inference against crates/nnue, on the CPU emulation: bit-identical.

use chess::{Move, Position};
use gpu::emulation::CpuEmulation;
use nnue::shape::Shape;
use nnue::{FloatNetwork, Network};

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// A random game of standard chess or double Chess960.
fn game(seed: u64, plies: usize) -> (Position, Vec<Move>, Vec<Position>) {
    let mut state = seed;
    let start = match seed % 2 {
        0 => Position::startpos(),
        _ => Position::double_chess960((random(&mut state) % 960) as u16, (random(&mut state) % 960) as u16)
            .unwrap(),
    };
    let (mut moves, mut positions) = (Vec::new(), vec![start]);
    let mut position = start;
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[random(&mut state) % legal.len()];
        position.play(mv);
        moves.push(mv);
        positions.push(position);
    }
    (start, moves, positions)
}

fn network(hidden: usize, king_buckets: usize) -> Network {
    let shape = Shape::new(hidden).unwrap().with_king_buckets(king_buckets).unwrap();
    FloatNetwork::random(shape, 7).quantise()
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn evaluations_equal_those_of_the_engine() {
    let device = CpuEmulation::new().unwrap();
    for (hidden, king_buckets, games) in
        [(64, 1, 6), (64, 4, 20), (256, 1, 12), (512, 4, 8), (768, 1, 4), (1024, 1, 4), (1024, 4, 4)]
    {
        let network = network(hidden, king_buckets);
        let mut different = 0;
        for seed in 0..games {
            let (start, moves, positions) = game(seed, 200);
            let values = device.evaluate(&network, &start, &moves);
            let expected: Vec<i32> =
                positions.iter().map(|position| network.evaluate_slow(position)).collect();
            assert_eq!(values, expected, "{}, game {seed}", network.shape());
            different += values.windows(2).filter(|pair| pair[0] != pair[1]).count();
        }
        assert!(different > 100, "the network is constant");
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn incremental_updates_equal_refreshes() {
    let device = CpuEmulation::new().unwrap();
    for (seed, king_buckets) in (20..26).zip([1, 4].into_iter().cycle()) {
        let network = network(128, king_buckets);
        let (start, moves, positions) = game(seed, 150);
        let along = device.evaluate(&network, &start, &moves);
        for (position, value) in positions.iter().zip(along) {
            assert_eq!(device.evaluate(&network, position, &[]), [value], "{}", position.to_fen());
        }
    }
}
