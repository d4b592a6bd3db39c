//! Invariants of every position.

use crate::Effort;
use crate::walk::for_each_position;
use chess::{Move, MoveList, MoveTypes, Position};

proof!(
    cached_fields_match_fresh_ones,
    gives_check_matches_making_the_move,
    noisy_and_quiet_partition_all_moves,
    mirror_has_mirrored_moves,
    attacked_squares_match_attackers,
);

fn cached_fields_match_fresh_ones(effort: Effort) {
    for_each_position(2, effort.pick(10_000, 500_000), |position, _| {
        assert!(position.is_consistent(), "{position:?}");
        for mv in position.legal_moves() {
            let next = position.after(mv);
            assert!(next.is_consistent(), "{mv:?} in {position:?}");
            // Keys do not depend on the moves that led to a position.
            let read = Position::from_fen(&next.to_fen()).unwrap();
            assert_eq!(next, read, "{mv:?} in {position:?}");
        }
        if !position.in_check() {
            let next = position.after_null();
            assert!(next.is_consistent(), "null move in {position:?}");
            assert_eq!(next.turn(), !position.turn());
            assert_eq!(next.en_passant(), None);
        }
    });
}

#[test]
fn en_passant_square_needs_legal_capture() {
    for (fen, push, square) in [
        ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "e3"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "-"),
        // Both pawns would leave the rank of king and rook.
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", "-"),
        // The capturing pawn is pinned on its file, and on another diagonal.
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", "-"),
        ("7k/8/8/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", "-"),
        // The capturing pawn is pinned on the diagonal of its capture.
        ("8/8/1k6/8/3p4/8/4PB2/4K3 w - - 0 1", "e2e4", "e3"),
        // The pawn gives check and can be captured; another piece gives check, and capturing does not help.
        ("8/8/8/5k2/3p4/8/4P3/4K3 w - - 0 1", "e2e4", "e3"),
        ("8/8/8/8/3p4/8/k3P2R/4K3 w - - 0 1", "e2e4", "-"),
        // Two capturing pawns, one of them pinned.
        ("3k4/8/8/8/3p1p2/8/4P3/3RK3 w - - 0 1", "e2e4", "e3"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let Ok(mv) = position.parse_uci(push) else { panic!("{push} in {fen}") };
        let next = position.after(mv);
        assert!(next.is_consistent(), "{push} in {fen}");
        assert_eq!(next.to_fen().split(' ').nth(3), Some(square), "{push} in {fen}");
    }
}

fn gives_check_matches_making_the_move(effort: Effort) {
    for_each_position(3, effort.pick(20_000, 1_000_000), |position, _| {
        for mv in position.legal_moves() {
            assert_eq!(position.gives_check(mv), position.after(mv).in_check(), "{mv:?} in {position:?}");
        }
    });
}

fn noisy_and_quiet_partition_all_moves(effort: Effort) {
    for_each_position(4, effort.pick(20_000, 1_000_000), |position, _| {
        let listed = |types| {
            let mut moves = MoveList::new();
            position.generate(types, &mut moves);
            moves
        };
        let (noisy, quiet) = (listed(MoveTypes::Noisy), listed(MoveTypes::Quiet));
        for &mv in noisy.iter() {
            assert!(mv.is_promotion() || position.captured(mv).is_some(), "{mv:?} in {position:?}");
            assert!(position.is_noisy(mv));
        }
        for &mv in quiet.iter() {
            assert!(!mv.is_promotion() && position.captured(mv).is_none(), "{mv:?} in {position:?}");
            assert!(!position.is_noisy(mv));
        }
        let sorted = |lists: &[&MoveList]| {
            let mut bits: Vec<u16> = lists.iter().flat_map(|list| list.iter().map(|mv| mv.bits())).collect();
            bits.sort_unstable();
            bits
        };
        let all = listed(MoveTypes::All);
        assert_eq!(sorted(&[&noisy, &quiet]), sorted(&[&all]), "{position:?}");
        assert_eq!(position.count_legal_moves() as usize, all.len(), "{position:?}");
        assert_eq!(position.has_legal_move(), !all.is_empty(), "{position:?}");
    });
}

fn mirror_has_mirrored_moves(effort: Effort) {
    for_each_position(5, effort.pick(10_000, 500_000), |position, _| {
        let mirrored = position.color_mirrored();
        assert!(mirrored.is_consistent(), "{position:?}");
        assert_eq!(mirrored.color_mirrored(), *position);
        let mut moves: Vec<u16> = position.legal_moves().into_iter().map(|mv| flipped(mv).bits()).collect();
        let mut expected: Vec<u16> = mirrored.legal_moves().into_iter().map(Move::bits).collect();
        moves.sort_unstable();
        expected.sort_unstable();
        assert_eq!(moves, expected, "{position:?}");
    });
}

fn flipped(mv: Move) -> Move {
    Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind())
}

fn attacked_squares_match_attackers(effort: Effort) {
    for_each_position(6, effort.pick(5_000, 200_000), |position, _| {
        for color in chess::Color::ALL {
            let attacked = position.attacked_by(color);
            let occupied = position.occupied();
            for square in chess::Square::all() {
                let attackers = position.attackers(square, occupied) & position.colored(color);
                assert_eq!(attacked.has(square), attackers.any(), "{square} {color} in {position:?}");
                assert_eq!(position.is_attacked(square, color, occupied), attackers.any());
                let value = |square| position.role_at(square).map_or(0, threat_class);
                let lesser = attackers.into_iter().any(|from| value(from) < value(square));
                let own = position.colored(!color).has(square)
                    && position.role_at(square) != Some(chess::Role::King);
                let threatened = position.threatened_by_lesser(!color).has(square);
                assert_eq!(threatened, own && lesser, "{square} {color} in {position:?}");
            }
        }
    });
}

/// Knight and bishop have the same value here; the king attacks like the most valuable piece.
fn threat_class(role: chess::Role) -> u32 {
    use chess::Role;
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen | Role::King => 4,
    }
}
