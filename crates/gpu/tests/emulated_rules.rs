//! The device's move generation against crates/chess, on the CPU emulation.

use std::collections::BTreeSet;

use chess::{Move, MoveKind, MoveList, Position, Role, Square, attacks};
use gpu::abi::DevicePosition;
use gpu::emulation::CpuEmulation;

/// Perft positions with known counts.
const COUNTS: [(&str, u32, u64); 12] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3, 89_890),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4, 326_672),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667_366),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273_318),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", 4, 382_958),
    ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", 3, 31_058),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4, 182_838),
];

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn perft_counts_are_correct() {
    let device = CpuEmulation::new().unwrap();
    for (fen, depth, leaves) in COUNTS {
        assert_eq!(device.perft(&Position::from_fen(fen).unwrap(), depth), Some(leaves), "{fen}");
    }
}

/// The longest list that any position can need fits into the device's, and one after the other as far as they are searched.
#[test]
fn longest_move_list_fits() {
    let memory = include_str!("../device/memory.h");
    assert!(memory.contains(&format!("MAX_MOVES = {};", MoveList::CAPACITY)), "memory.h");
}

/// Positions with 218 legal moves.
const CROWDED: [&str; 2] = [
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
];

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn crowded_positions_are_correct() {
    let device = CpuEmulation::new().unwrap();
    for fen in CROWDED {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(device.legal_moves(&position, 0).len(), 218);
        assert_eq!(device.perft(&position, 2), Some(chess::perft(&position, 2)), "{fen}");
    }
}

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Random games of standard chess and double Chess960: the positions on the way.
fn walk(games: usize, mut visit: impl FnMut(&Position, &Position, &[Move])) {
    let mut state = 1;
    for game in 0..games {
        let (white, black) = (random(&mut state) % 960, random(&mut state) % 960);
        let start = match game % 3 {
            0 => Position::startpos(),
            _ => Position::double_chess960(white as u16, black as u16).unwrap(),
        };
        let (mut position, mut line) = (start, Vec::new());
        for _ in 0..120 {
            visit(&start, &position, &line);
            let moves = position.legal_moves();
            if moves.is_empty() || position.occupied().count() < 3 {
                break;
            }
            let mv = moves[random(&mut state) % moves.len()];
            line.push(mv);
            position.play(mv);
        }
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn legal_moves_and_checks_are_correct() {
    let device = CpuEmulation::new().unwrap();
    walk(60, |_, position, _| {
        let found = device.legal_moves(position, 0);
        let device: BTreeSet<u16> = found.iter().map(|found| found.mv.bits()).collect();
        let rules: BTreeSet<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
        assert_eq!(device, rules, "{}", position.to_fen());
        for found in found {
            assert_eq!(
                found.gives_check,
                position.gives_check(found.mv),
                "{:?} in {}",
                found.mv,
                position.to_fen()
            );
        }
    });
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn moves_update_position_and_hash() {
    let device = CpuEmulation::new().unwrap();
    walk(60, |start, position, line| {
        let (end, hash_is_correct) = device.after(start, line);
        // Rook files stay in the device's state when the rights are lost; they are not part of the position.
        assert_eq!(
            without_lost_rooks(end),
            without_lost_rooks(DevicePosition::from(position)),
            "{}",
            position.to_fen()
        );
        assert!(hash_is_correct, "{}", position.to_fen());
    });
}

fn without_lost_rooks(start: DevicePosition) -> String {
    let rights = start.state() >> 1 & 15;
    let files =
        (0..4).fold(0, |mask, right| mask | if rights >> right & 1 != 0 { 7 << (18 + 3 * right) } else { 0 });
    format!("{:?}", start.with_state(start.state() & (files | ((1 << 18) - 1))))
}

/// The value of the exchange that a move starts, ignoring pins as the device does.
fn exchange(position: &Position, mv: Move) -> i32 {
    if mv.is_castle() {
        return 0;
    }
    let to = mv.to();
    let mut occupied = position.occupied().without(mv.from()).with(to);
    let mut gain = position.captured(mv).map_or(0, Role::exchange_value);
    let mut standing = position.role_at(mv.from()).unwrap();
    match mv.kind() {
        MoveKind::Promotion(role) => {
            gain += role.exchange_value() - 100;
            standing = role;
        }
        MoveKind::EnPassant => occupied = occupied.without(Square::from_index(to.index() ^ 8)),
        _ => {}
    }
    gain - recapture(position, to, occupied, standing, !position.turn()).max(0)
}

/// What a side gains by recapturing on a square; 0 if it should not.
fn recapture(
    position: &Position,
    square: Square,
    occupied: chess::Bitboard,
    standing: Role,
    side: chess::Color,
) -> i32 {
    let attackers_of = |color: chess::Color| {
        (attacks::knight(square) & position.role(Role::Knight)
            | attacks::king(square) & position.role(Role::King)
            | attacks::pawn(!color, square) & position.role(Role::Pawn)
            | attacks::bishop(square, occupied) & position.diagonal_sliders()
            | attacks::rook(square, occupied) & position.straight_sliders())
            & position.colored(color)
            & occupied
    };
    let attackers = attackers_of(side);
    let Some((role, from)) = Role::ALL
        .into_iter()
        .find_map(|role| (attackers & position.role(role)).first().map(|from| (role, from)))
    else {
        return 0;
    };
    if role == Role::King && attackers_of(!side).any() {
        return 0;
    }
    let left = occupied.without(from);
    (standing.exchange_value() - recapture(position, square, left, role, !side)).max(0)
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn see_equals_exhaustive_exchange() {
    let device = CpuEmulation::new().unwrap();
    let mut checked = 0;
    walk(25, |_, position, _| {
        for threshold in [-300, -100, 0, 1, 100] {
            for found in device.legal_moves(position, threshold) {
                let value = exchange(position, found.mv);
                assert_eq!(
                    found.see_ge,
                    value >= threshold,
                    "{:?} {threshold} {value} in {}",
                    found.mv,
                    position.to_fen()
                );
                checked += 1;
            }
        }
    });
    assert!(checked > 100_000);
}
