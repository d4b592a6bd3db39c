//! Each hash key changes exactly when its content changes.

use crate::Effort;
use crate::walk::for_each_position;
use chess::{Bitboard, Color, Piece, Position, Role};

proof!(partial_keys_follow_their_pieces, material_key_is_piece_counts, mirror_has_same_relative_keys);

fn of_both(position: &Position, roles: [Role; 2]) -> [Bitboard; 4] {
    let [first, second] = roles;
    [
        position.pieces(Color::White, first),
        position.pieces(Color::Black, first),
        position.pieces(Color::White, second),
        position.pieces(Color::Black, second),
    ]
}

fn non_pawns(position: &Position, color: Color) -> [Bitboard; 5] {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King].map(|role| position.pieces(color, role))
}

fn partial_keys_follow_their_pieces(effort: Effort) {
    for_each_position(21, effort.pick(10_000, 300_000), |position, _| {
        for mv in position.legal_moves() {
            let next = position.after(mv);
            let about = |roles: [Role; 2]| of_both(position, roles) != of_both(&next, roles);
            let differs = |key: fn(&Position) -> u64| key(position) != key(&next);
            assert_eq!(
                differs(Position::pawn_key),
                about([Role::Pawn, Role::Pawn]),
                "{mv:?} in {position:?}"
            );
            assert_eq!(
                differs(Position::minor_key),
                about([Role::Knight, Role::Bishop]),
                "{mv:?} in {position:?}"
            );
            assert_eq!(
                differs(Position::major_key),
                about([Role::Rook, Role::Queen]),
                "{mv:?} in {position:?}"
            );
            for color in Color::ALL {
                let changed = non_pawns(position, color) != non_pawns(&next, color);
                let differs = position.non_pawn_key(color) != next.non_pawn_key(color);
                assert_eq!(differs, changed, "{mv:?} in {position:?}");
            }
            assert_ne!(position.key(), next.key(), "{mv:?} in {position:?}");
        }
    });
}

fn material_key_is_piece_counts(effort: Effort) {
    for_each_position(22, effort.pick(10_000, 300_000), |position, _| {
        let mut packed = 0;
        for color in Color::ALL {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::King) {
                let count = u64::from(position.count(color, role));
                packed |= count << (4 * Piece::new(color, role).index());
            }
        }
        assert_eq!(position.material_key(), packed, "{position:?}");
    });
}

fn mirror_has_same_relative_keys(effort: Effort) {
    for_each_position(23, effort.pick(10_000, 300_000), |position, _| {
        let mirror = position.color_mirrored();
        assert_eq!(position.mover_key(), mirror.mover_key(), "{position:?}");
        let keys: [fn(&Position) -> u64; 3] = [Position::pawn_key, Position::minor_key, Position::major_key];
        for key in keys {
            assert_eq!(
                position.relative_key(key(position)),
                mirror.relative_key(key(&mirror)),
                "{position:?}"
            );
        }
    });
}

#[test]
fn key_includes_turn_castling_and_en_passant() {
    let keys: Vec<u64> = [
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b KQkq e3 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b KQkq - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b Qkq - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b Kkq - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b KQq - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b KQk - 0 1",
        "r3k2r/8/8/8/3pPp2/8/8/R3K2R b - - 0 1",
    ]
    .map(|fen| Position::from_fen(fen).unwrap().key())
    .to_vec();
    for (index, key) in keys.iter().enumerate() {
        assert!(!keys[..index].contains(key), "two of the positions share a key");
    }
}
