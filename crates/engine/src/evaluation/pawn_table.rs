//! The pawn hash table: a small cache of [`PawnStructure`]s. Each thread has its own, so it needs no locks.

use chess::{Color, Position};

use super::pawns::PawnStructure;
use super::trace::NoTrace;

/// Entries of the table. At 56 bytes each they fit into a core's L2 cache.
const ENTRIES: usize = 1 << 13;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    structure: PawnStructure,
}

/// Caches the pawn structures of recent positions.
pub(super) struct PawnTable(Box<[Entry; ENTRIES]>);

impl PawnTable {
    pub fn new() -> PawnTable {
        // Key 0 would match an empty entry; `key` never returns it.
        let entries = vec![Entry::default(); ENTRIES].into_boxed_slice();
        PawnTable(entries.try_into().unwrap_or_else(|_| unreachable!("the length of the array")))
    }

    pub fn clear(&mut self) {
        self.0.fill(Entry::default());
    }

    /// The pawn structure of the position, from the cache if possible.
    #[inline(always)]
    pub fn get(&mut self, position: &Position) -> &PawnStructure {
        let key = key(position);
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.key != key {
            *entry = Entry { key, structure: PawnStructure::new(position, &mut NoTrace) };
        }
        &entry.structure
    }
}

/// Hash of pawns and kings; never 0.
#[inline(always)]
fn key(position: &Position) -> u64 {
    let kings = position.king(Color::White).index() << 6 | position.king(Color::Black).index();
    // An odd multiplier from the golden ratio spreads the 12 bits over the whole key.
    (position.pawn_key() ^ (kings as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1 << 63
}
