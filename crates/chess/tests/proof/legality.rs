//! `is_legal` against membership in the list, for every 16-bit value there is.

use crate::amount;
use crate::walk::for_each_position;
use chess::Move;

#[test]
fn all_65536_moves_are_legal_exactly_when_they_are_generated() {
    for_each_position(7, amount(3_000, 100_000), |position, _| {
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
