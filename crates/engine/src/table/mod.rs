//! The transposition table, shared by all threads.
//!
//! It is lock-free on relaxed atomics. A thread may see a partial write of another; a checksum in the key
//! makes such an entry look like one of another position. Moves are checked before they are played.

mod memory;

use crate::room::has_room_for;
use crate::{Bound, Depth, Score};
use chess::{Move, Position};
use memory::Memory;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

/// The smallest pages of memory that systems have.
const PAGE: usize = 4096;

/// Less than this is not worth a thread.
const BYTES_PER_TOUCHING_THREAD: usize = 32 << 20;

/// Entries that share a cluster.
const ENTRIES: usize = 3;

/// Three entries in half a cache line: three words of data, and one word with a 16-bit key for each.
#[repr(align(32))]
pub(crate) struct Cluster {
    data: [AtomicU64; ENTRIES],
    keys: AtomicU64,
}

/// A table entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move; it may be illegal here.
    pub mv: Move,
    /// The score, with mates relative to the current root.
    pub score: Score,
    /// The raw static evaluation, or `Score::NONE`.
    pub evaluation: Score,
    /// The depth of the search in plies; 0 for quiescence.
    pub depth: i32,
    /// Whether the score is exact or a bound.
    pub bound: Option<Bound>,
    /// Whether the position was a PV node (TT PV).
    pub was_pv: bool,
}

impl Entry {
    /// An entry with a static evaluation only.
    pub fn only_evaluation(evaluation: Score, was_pv: bool) -> Entry {
        Entry { mv: Move::NONE, score: Score::NONE, evaluation, depth: 0, bound: None, was_pv }
    }
}

/// A word of data: move 16, score 16, evaluation 16, depth 8, bound 2, was-PV 1, age 5 bits.
#[derive(Clone, Copy)]
struct Packed(u64);

const AGES: u8 = 32;

impl Packed {
    fn new(entry: &Entry, ply: usize, age: u8) -> Packed {
        let bound = entry.bound.map_or(0, |bound| bound as u64);
        Packed(
            u64::from(entry.mv.bits())
                | u64::from(entry.score.to_table(ply) as u16) << 16
                | u64::from(entry.evaluation.0 as u16) << 32
                | (entry.depth.clamp(0, 255) as u64) << 48
                | bound << 56
                | u64::from(entry.was_pv) << 58
                | u64::from(age) << 59,
        )
    }

    fn unpack(self, ply: usize) -> Entry {
        Entry {
            mv: self.mv(),
            score: Score::from_table((self.0 >> 16) as i16, ply),
            evaluation: Score(i32::from((self.0 >> 32) as i16)),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            was_pv: self.0 >> 58 & 1 != 0,
        }
    }

    fn mv(self) -> Move {
        Move::from_bits(self.0 as u16)
    }

    fn depth(self) -> i32 {
        (self.0 >> 48 & 255) as i32
    }

    fn age(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// A 16-bit checksum of the word.
    fn checksum(self) -> u16 {
        (self.0 ^ self.0 >> 16 ^ self.0 >> 32 ^ self.0 >> 48) as u16
    }
}

/// The table.
pub struct Table {
    clusters: Memory,
    age: AtomicU8,
}

/// Not enough memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory;

impl Table {
    /// An empty table of this many mebibytes.
    ///
    /// # Errors
    /// [`NoMemory`] if the system does not have that much.
    pub fn new(mebibytes: usize) -> Result<Table, NoMemory> {
        let table = Table::reserve(mebibytes, 0)?;
        table.touch();
        Ok(table)
    }

    /// An empty table that is not [touched](Self::touch) yet, to replace one of `freed` bytes.
    ///
    /// # Errors
    /// [`NoMemory`] if the system does not have that much even without the other one.
    pub(crate) fn reserve(mebibytes: usize, freed: usize) -> Result<Table, NoMemory> {
        let count = mebibytes.checked_mul(1 << 20).ok_or(NoMemory)? / size_of::<Cluster>();
        Ok(Table { clusters: Memory::zeroed(count, freed).ok_or(NoMemory)?, age: AtomicU8::new(0) })
    }

    /// A tiny table, for tests.
    #[cfg(test)]
    pub(crate) fn of_one_cluster() -> Table {
        Table { clusters: Memory::zeroed(1, 0).expect("there is memory"), age: AtomicU8::new(0) }
    }

    /// Its size.
    pub(crate) fn bytes(&self) -> usize {
        self.clusters.len() * size_of::<Cluster>()
    }

    /// Touches all pages with all CPUs, so that no search waits for memory.
    pub(crate) fn touch(&self) {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = (self.bytes() / BYTES_PER_TOUCHING_THREAD).clamp(1, processors);
        self.in_parts(threads, |part| {
            part.iter()
                .step_by(PAGE / size_of::<Cluster>())
                .for_each(|cluster| cluster.keys.store(0, Relaxed));
        });
    }

    /// Clears the table with this many threads.
    pub fn clear(&self, threads: usize) {
        self.age.store(0, Relaxed);
        self.in_parts(threads, |part| {
            for cluster in part {
                cluster.keys.store(0, Relaxed);
                cluster.data.iter().for_each(|word| word.store(0, Relaxed));
            }
        });
    }

    /// Runs on all clusters with this many threads, the caller's included, or fewer if the system refuses some.
    fn in_parts(&self, threads: usize, work: fn(&[Cluster])) {
        let clusters: &[Cluster] = &self.clusters;
        let share = clusters.len().div_ceil(threads.max(1)).max(1);
        let (own, others) = clusters.split_at(share.min(clusters.len()));
        thread::scope(|scope| {
            let has_room = others.is_empty() || has_room_for(threads - 1);
            let start =
                |part| has_room && thread::Builder::new().spawn_scoped(scope, move || work(part)).is_ok();
            let refused: Vec<&[Cluster]> = others.chunks(share).filter(|part| !start(part)).collect();
            work(own);
            refused.into_iter().for_each(work);
        });
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    /// Occupancy by entries of this search, in permille.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|word| Packed(word.load(Relaxed)))
            .filter(|packed| packed.0 != 0 && packed.age() == age)
            .count();
        (used * 1000 / (sample.len() * ENTRIES).max(1)) as u32
    }

    /// Prefetches a position's cluster.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.clusters.prefetch(self.index(key));
    }

    /// The entry of the position with this key, `ply` plies from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let cluster = &self.clusters[self.index(key)];
        let keys = cluster.keys.load(Relaxed);
        for (slot, word) in cluster.data.iter().enumerate() {
            let packed = Packed(word.load(Relaxed));
            if key_of(keys, slot) ^ packed.checksum() == key as u16 && packed.0 != 0 {
                return Some(packed.unpack(ply));
            }
        }
        None
    }

    /// Stores a result. Replaces the position's own entry, or else the least valuable of the cluster: shallow
    /// and old.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let age = self.age.load(Relaxed);
        let cluster = &self.clusters[self.index(key)];
        let keys = cluster.keys.load(Relaxed);
        let (mut slot, mut least) = (0, i32::MAX);
        for candidate in 0..ENTRIES {
            let packed = Packed(cluster.data[candidate].load(Relaxed));
            if key_of(keys, candidate) ^ packed.checksum() == key as u16 && packed.0 != 0 {
                if !worth_replacing(packed, &entry, age) {
                    return;
                }
                // Without a best move, keep the old one.
                if entry.mv.is_none() {
                    entry.mv = packed.mv();
                }
                slot = candidate;
                break;
            }
            let value = if packed.0 == 0 { i32::MIN } else { packed.depth() - 8 * relative_age(packed, age) };
            if value < least {
                (slot, least) = (candidate, value);
            }
        }
        let packed = Packed::new(&entry, ply, age);
        cluster.data[slot].store(packed.0, Relaxed);
        let shift = 16 * slot;
        let key16 = u64::from(key as u16 ^ packed.checksum());
        cluster.keys.store(keys & !(0xFFFF << shift) | key16 << shift, Relaxed);
    }

    /// The high bits select the cluster; the low ones are compared.
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

fn key_of(keys: u64, slot: usize) -> u16 {
    (keys >> (16 * slot)) as u16
}

fn relative_age(packed: Packed, age: u8) -> i32 {
    i32::from((age + AGES - packed.age()) % AGES)
}

/// Whether a new result for the same position replaces the old one: not if that is much deeper, of this
/// search, and the new one only a bound.
fn worth_replacing(old: Packed, new: &Entry, age: u8) -> bool {
    new.bound == Some(Bound::Exact)
        || old.age() != age
        || new.depth + 4 + 2 * i32::from(new.was_pv) > old.depth()
}

/// The table key of a position. With a high halfmove clock, the clock becomes part of it in steps, since the
/// evaluation changes.
///
/// A position and its colour mirror share a cluster, in which the side to move distinguishes them. So a
/// mirrored search finds, misses and replaces entries exactly where the original does.
#[inline(always)]
pub fn table_key(position: &Position) -> u64 {
    let key = position.mover_key() ^ position.turn() as u64;
    let clock = position.halfmove_clock();
    if clock < 14 {
        return key;
    }
    let step = u64::from((clock - 14) / 8 + 1);
    key ^ step.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Whether an entry allows a cutoff for this depth and window.
#[inline(always)]
pub fn may_cut_off(entry: &Entry, depth: Depth, beta: Score, halfmove_clock: u32) -> bool {
    entry.depth >= depth.whole()
        && halfmove_clock < 90
        && entry.bound.is_some_and(|bound| bound.decides(entry.score, beta))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{MoveKind, Square};

    fn entry(depth: i32, bound: Bound) -> Entry {
        let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
        Entry { mv, score: Score(-77), evaluation: Score(31), depth, bound: Some(bound), was_pv: true }
    }

    #[test]
    fn stored_entries_are_found() {
        let table = Table::new(1).unwrap();
        let stored = entry(9, Bound::Lower);
        table.store(0x1234_5678_9ABC_DEF0, 3, stored);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3), Some(stored));
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF1, 3), None);
        table.clear(2);
        assert_eq!(table.probe(0x1234_5678_9ABC_DEF0, 3), None);
    }

    #[test]
    fn cutoffs_need_depth_and_bound() {
        for (bound, score) in [Bound::Upper, Bound::Lower, Bound::Exact]
            .into_iter()
            .flat_map(|bound| [-40, 0, 40].map(|score| (bound, score)))
        {
            let entry = Entry { score: Score(score), ..entry(6, bound) };
            let decides = match bound {
                Bound::Exact => true,
                Bound::Lower => score >= 0,
                Bound::Upper => score < 0,
            };
            for depth in [5, 6, 7] {
                let allowed = may_cut_off(&entry, Depth::plies(depth), Score(0), 0);
                assert_eq!(allowed, decides && depth <= 6, "{bound:?} {score} at depth {depth}");
            }
        }
        assert!(!may_cut_off(&entry(6, Bound::Exact), Depth::plies(3), Score(0), 96));
    }

    #[test]
    fn shallow_old_entry_is_replaced() {
        let table = Table::new(1).unwrap();
        // The same cluster: equal high bits; different low bits.
        for (key, depth) in [(1, 12), (2, 3), (3, 10)] {
            table.store(key, 0, entry(depth, Bound::Exact));
        }
        table.store(4, 0, entry(5, Bound::Exact));
        assert!(table.probe(2, 0).is_none() && table.probe(1, 0).is_some() && table.probe(3, 0).is_some());
        (0..3).for_each(|_| table.new_search());
        table.store(5, 0, entry(1, Bound::Exact));
        assert!(table.probe(5, 0).is_some() && table.probe(4, 0).is_none());
    }

    #[test]
    fn result_without_move_keeps_old_move() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, entry(4, Bound::Lower));
        table.store(7, 0, Entry { mv: Move::NONE, ..entry(6, Bound::Upper) });
        let found = table.probe(7, 0).unwrap();
        assert_eq!((found.mv, found.depth, found.bound), (entry(4, Bound::Lower).mv, 6, Some(Bound::Upper)));
    }

    #[test]
    fn shallow_bound_keeps_deep_result() {
        let table = Table::new(1).unwrap();
        table.store(7, 0, entry(20, Bound::Exact));
        table.store(7, 0, entry(5, Bound::Upper));
        assert_eq!(table.probe(7, 0).unwrap().depth, 20);
    }

    #[test]
    fn cutoffs_respect_all_conditions() {
        let stored = Entry { score: Score(40), ..entry(6, Bound::Lower) };
        let allowed =
            |entry: &Entry, depth, beta, clock| may_cut_off(entry, Depth::plies(depth), Score(beta), clock);
        assert!(allowed(&stored, 6, 40, 0));
        assert!(!allowed(&stored, 7, 40, 0), "too shallow");
        assert!(!allowed(&stored, 6, 41, 0), "a lower bound below the window");
        assert!(!allowed(&stored, 6, 40, 95), "the fifty-move rule is near");
        let upper = Entry { bound: Some(Bound::Upper), ..stored };
        assert!(allowed(&upper, 6, 41, 0) && !allowed(&upper, 6, 40, 0));
        let evaluated = Entry { bound: None, ..stored };
        assert!(!allowed(&evaluated, 0, 40, 0));
    }

    #[test]
    fn too_large_table_is_rejected() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(1 << 30).is_err());
    }

    #[test]
    fn what_is_not_available_is_refused() {
        let Some(available) = crate::room::available_memory() else { return };
        // Others use memory, too: far above, and far below.
        let mebibytes = (available >> 20) as usize;
        assert!(Table::reserve(3 * mebibytes, 0).is_err());
        assert!(Table::reserve(mebibytes / 3, 0).is_ok());
    }

    /// Pages of this process that are in memory.
    #[cfg(target_os = "linux")]
    fn resident_bytes(range: &[Cluster]) -> usize {
        let start = range.as_ptr() as usize;
        let end = start + size_of_val(range);
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux has it");
        let (mut inside, mut bytes) = (false, 0);
        for line in maps.lines() {
            if let Some((from, to)) = line.split_whitespace().next().and_then(|range| range.split_once('-')) {
                let address = |text| usize::from_str_radix(text, 16);
                if let (Ok(from), Ok(to)) = (address(from), address(to)) {
                    inside = from < end && to > start;
                }
            } else if let Some(size) = line.strip_prefix("Rss:").filter(|_| inside) {
                let kib: usize = size.trim().trim_end_matches(" kB").parse().expect("a number");
                bytes += kib * 1024;
            }
        }
        bytes
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn new_table_is_in_memory_at_once() {
        let untouched = Table::reserve(64, 0).unwrap();
        assert!(resident_bytes(&untouched.clusters) < 4 << 20);
        let table = Table::new(64).unwrap();
        assert!(resident_bytes(&table.clusters) >= 64 << 20);
    }

    #[test]
    fn all_clusters_are_visited() {
        let table = Table::new(1).unwrap();
        for threads in [1, 2, 3, 7, 100_000] {
            for cluster in table.clusters.iter() {
                cluster.keys.store(1, Relaxed);
            }
            table.clear(threads.min(300));
            assert!(table.clusters.iter().all(|cluster| cluster.keys.load(Relaxed) == 0));
        }
    }
}
