//! Perft: the number of leaf nodes at a depth, the standard test of a move generator.

use crate::{Bitboard, Move, MoveKind, MoveSink, MoveTypes, Position, Square};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Counts leaf nodes at `depth`. The last ply is counted in bulk, without making the moves.
///
/// ```
/// use chess::{Position, perft};
/// assert_eq!(perft(&Position::startpos(), 4), 197_281);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    Perft::default().count(position, depth)
}

/// The same, split by the first move.
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    Perft::default().divide(position, depth)
}

/// Perft with options: threads, a hash table, and bulk counting.
///
/// ```
/// use chess::{Perft, Position};
/// let perft = Perft::default().threads(2).hash(1).expect("1 MiB is available");
/// assert_eq!(perft.count(&Position::startpos(), 4), 197_281);
/// ```
pub struct Perft {
    threads: usize,
    table: Option<Table>,
    make_leaves: bool,
}

impl Default for Perft {
    fn default() -> Perft {
        Perft { threads: 1, table: None, make_leaves: false }
    }
}

impl Perft {
    /// Uses this many threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Perft {
        Perft { threads: threads.max(1), ..self }
    }

    /// Caches counts in a hash table of this many mebibytes, so that transpositions are counted once for each
    /// depth. `None` if the system does not have that much free memory.
    #[must_use]
    pub fn hash(self, mebibytes: usize) -> Option<Perft> {
        let table = if mebibytes == 0 { None } else { Some(Table::new(mebibytes)?) };
        Some(Perft { table, ..self })
    }

    /// Turns bulk counting off: the moves of the last ply are made too.
    #[must_use]
    pub fn make_leaves(self) -> Perft {
        Perft { make_leaves: true, ..self }
    }

    /// Counts leaf nodes at `depth`.
    pub fn count(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 | 2 => self.walk(position, depth),
            _ if self.threads == 1 => self.walk(position, depth),
            _ => self.divide(position, depth).into_iter().map(|(_, nodes)| nodes).sum(),
        }
    }

    /// The same, split by the first move.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
        let moves = position.legal_moves();
        if self.threads == 1 || rest < 2 {
            return moves.into_iter().map(|mv| (mv, self.walk(&position.after(mv), rest))).collect();
        }
        // Work is split by the first two moves, so that no thread waits long at the end.
        let jobs: Vec<(usize, Position)> = moves
            .iter()
            .enumerate()
            .flat_map(|(index, &mv)| {
                let child = position.after(mv);
                child.legal_moves().into_iter().map(move |reply| (index, child.after(reply)))
            })
            .collect();
        let totals: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some((index, start)) = jobs.get(next.fetch_add(1, Relaxed)) {
                totals[*index].fetch_add(self.walk(start, rest - 1), Relaxed);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.min(jobs.len()) {
                // If no more threads can be created, the existing ones do the work.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        moves.into_iter().zip(totals.into_iter().map(AtomicU64::into_inner)).collect()
    }

    fn walk(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 && !self.make_leaves {
            return u64::from(position.count_legal_moves());
        }
        if depth > 1
            && let Some(nodes) = self.table.as_ref().and_then(|table| table.get(position.key(), depth))
        {
            return nodes;
        }
        let mut children = Children { perft: self, position, depth: depth - 1, nodes: 0 };
        position.generate(MoveTypes::All, &mut children);
        if depth > 1
            && let Some(table) = &self.table
        {
            table.set(position.key(), depth, children.nodes);
        }
        children.nodes
    }
}

/// Makes every generated move without storing it, and counts the leaf nodes after it.
struct Children<'a> {
    perft: &'a Perft,
    position: &'a Position,
    depth: u32,
    nodes: u64,
}

impl MoveSink for Children<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        self.nodes += follow_piece(self.perft, self.position, self.depth, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32, kind: MoveKind) {
        let follow_them = if kind == MoveKind::DoublePush { follow_double_pushes } else { follow_pawns };
        self.nodes += follow_them(self.perft, self.position, self.depth, targets, offset);
    }

    #[inline(never)]
    fn single(&mut self, mv: Move) {
        let position = self.position;
        self.nodes += follow(self.perft, position, self.depth, |child| child.play_from(position, mv));
    }
}

/// Counts the leaf nodes after a move, which was made on a copy of the position.
#[inline(always)]
fn follow(perft: &Perft, position: &Position, depth: u32, make: impl FnOnce(&mut Position)) -> u64 {
    let mut child = *position;
    make(&mut child);
    if depth == 0 {
        std::hint::black_box(&child);
        1
    } else {
        perft.walk(&child, depth)
    }
}

// One loop for each, with the position as an immutable argument, so that the compiler hoists what is the same
// for all targets.

#[inline(never)]
fn follow_piece(perft: &Perft, position: &Position, depth: u32, from: Square, targets: Bitboard) -> u64 {
    let make = |to| move |child: &mut Position| child.play_from(position, Move::normal(from, to));
    targets.into_iter().map(|to| follow(perft, position, depth, make(to))).sum()
}

#[inline(never)]
fn follow_pawns(perft: &Perft, position: &Position, depth: u32, targets: Bitboard, offset: i32) -> u64 {
    let make = |to: Square| move |child: &mut Position| child.move_pawn(position, to.step(-offset), to);
    targets.into_iter().map(|to| follow(perft, position, depth, make(to))).sum()
}

#[inline(never)]
fn follow_double_pushes(
    perft: &Perft,
    position: &Position,
    depth: u32,
    targets: Bitboard,
    offset: i32,
) -> u64 {
    let make = |to: Square| move |child: &mut Position| child.push_twice(position, to.step(-offset), to);
    targets.into_iter().map(|to| follow(perft, position, depth, make(to))).sum()
}

/// Counts by position and depth, shared by threads without locks. A slot whose two halves do not match was
/// overwritten by another thread and counts as empty.
struct Table {
    slots: Box<[[AtomicU64; 2]]>,
}

impl Table {
    fn new(mebibytes: usize) -> Option<Table> {
        let bytes = mebibytes.checked_mul(1 << 20)?;
        if free_memory().is_some_and(|free| bytes > free) {
            return None;
        }
        let count = bytes / size_of::<[AtomicU64; 2]>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count).ok()?;
        slots.resize_with(count, Default::default);
        Some(Table { slots: slots.into_boxed_slice() })
    }

    fn slot(&self, key: u64, depth: u32) -> (&[AtomicU64; 2], u64) {
        let key = key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = (u128::from(key) * self.slots.len() as u128) >> 64;
        (&self.slots[index as usize], key)
    }

    fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let (slot, key) = self.slot(key, depth);
        let nodes = slot[1].load(Relaxed);
        (nodes != 0 && slot[0].load(Relaxed) ^ nodes == key).then_some(nodes)
    }

    fn set(&self, key: u64, depth: u32, nodes: u64) {
        let (slot, key) = self.slot(key, depth);
        slot[0].store(key ^ nodes, Relaxed);
        slot[1].store(nodes, Relaxed);
    }
}

/// Available memory in bytes, if the system reports it. Linux overcommits memory, and kills a process that
/// touches too much of it.
fn free_memory() -> Option<usize> {
    let report = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes = report.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kibibytes.split_ascii_whitespace().next()?.parse::<usize>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn options_do_not_change_counts() {
        let position = Position::from_fen(KIWIPETE).unwrap();
        let plain = perft(&position, 4);
        assert_eq!(plain, 4_085_603);
        let variants = [
            Perft::default().threads(3),
            Perft::default().make_leaves(),
            Perft::default().hash(1).unwrap(),
            Perft::default().threads(2).hash(8).unwrap(),
        ];
        for variant in variants {
            assert_eq!(variant.count(&position, 4), plain);
            assert_eq!(variant.divide(&position, 4), perft_divide(&position, 4));
        }
    }

    #[test]
    fn short_games_are_counted_too() {
        let position = Position::startpos();
        assert_eq!([0, 1, 2].map(|depth| perft(&position, depth)), [1, 20, 400]);
        assert!(perft_divide(&position, 0).is_empty());
    }

    #[test]
    fn too_large_table_is_rejected() {
        assert!(Perft::default().hash(usize::MAX).is_none());
        assert!(Perft::default().hash(1 << 40).is_none());
        if let Some(free) = free_memory() {
            assert!(Perft::default().hash(2 * (free >> 20)).is_none(), "twice what is free");
        }
    }
}
