//! `is_legal` against the move list, for all 16-bit values.

use crate::Effort;
use crate::walk::for_each_position;
use chess::Move;

proof!(is_legal_matches_generation_for_all_65536_moves);

fn is_legal_matches_generation_for_all_65536_moves(effort: Effort) {
    for_each_position(7, effort.pick(3_000, 100_000), |position, _| {
        let mut generated = vec![false; 1 << 16];
        for mv in position.legal_moves() {
            generated[usize::from(mv.bits())] = true;
        }
        for bits in 0..=u16::MAX {
            let mv = Move::from_bits(bits);
            assert_eq!(
                position.is_legal(mv),
                generated[usize::from(bits)],
                "{mv:?} ({bits:#06x}) in {position:?}"
            );
        }
    });
}
