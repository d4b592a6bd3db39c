//! Histories: how often quiet moves and captures caused cutoffs, by themselves, after the previous moves, and
//! by pawn structure.
//!
//! Entries are updated by the "gravity" rule: the nearer to the limit, the smaller the change, so that no
//! entry overflows and old results fade.

use crate::Depth;
use crate::params::Params;
use chess::{Bitboard, Color, Move, Piece, Position, Role, Square};

/// The limit of all history values.
const LIMIT: i32 = 16_384;

#[inline(always)]
fn learn(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}

/// A piece and its target square, the index of continuation histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    const COUNT: usize = Piece::COUNT * Square::COUNT;
    /// No move: the root, or a null move. It uses the index of a piece that cannot occur, a white pawn on a1.
    pub const NONE: PieceTo = PieceTo(0);

    /// The piece and target square of a legal move.
    #[inline(always)]
    pub fn of(position: &Position, mv: Move) -> PieceTo {
        let piece = position.piece_at(mv.from()).map_or(0, Piece::index);
        PieceTo((piece * Square::COUNT + mv.to().index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square it moved to.
    #[inline(always)]
    pub fn square(self) -> Option<Square> {
        (self != PieceTo::NONE).then(|| Square::from_index(self.index() % Square::COUNT))
    }

    /// A number below 1024 that is equal for mirrored moves.
    #[inline(always)]
    pub(super) fn relative_hash(self, side: Color) -> u32 {
        if self == PieceTo::NONE { 0 } else { u32::from(self.0) ^ (side.index() as u32 * (64 + 56)) }
    }
}

type ByPieceTo = [i16; PieceTo::COUNT];

/// Number of pawn structures.
const PAWN_STRUCTURES: usize = 512;

/// The histories of one thread.
pub struct Histories {
    /// By side, whether origin and target are attacked, origin, target.
    quiet: Box<[i16]>,
    /// By piece, target and captured role (king for none).
    noisy: Box<[[i16; 6]]>,
    /// By an earlier move and the move itself.
    continuation: Box<[ByPieceTo]>,
    /// By pawn structure, as the side to move sees it, and move.
    pawn: Box<[ByPieceTo]>,
}

/// The entries of a quiet move in the butterfly and pawn histories, to update them after it was made.
#[derive(Clone, Copy, Debug)]
pub struct QuietPlace {
    butterfly: u16,
    structure: u16,
    moved: PieceTo,
}

impl QuietPlace {
    #[inline(always)]
    pub fn of(position: &Position, threats: Bitboard, mv: Move) -> QuietPlace {
        QuietPlace {
            butterfly: butterfly(position.turn(), threats, mv) as u16,
            structure: pawn_structure(position) as u16,
            moved: PieceTo::of(position, mv),
        }
    }
}

/// The moves one, two and four plies before.
pub type Before = [PieceTo; 3];

impl Histories {
    /// All histories 0.
    pub fn new() -> Histories {
        Histories {
            quiet: vec![0; BUTTERFLIES].into_boxed_slice(),
            noisy: vec![[0; 6]; PieceTo::COUNT].into_boxed_slice(),
            continuation: vec![[0; PieceTo::COUNT]; PieceTo::COUNT].into_boxed_slice(),
            pawn: vec![[0; PieceTo::COUNT]; PAWN_STRUCTURES].into_boxed_slice(),
        }
    }

    /// Clears all histories.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.noisy.as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
        self.pawn.as_flattened_mut().fill(0);
    }

    /// The history of a move.
    #[inline(always)]
    pub fn of(
        &self,
        params: &Params,
        position: &Position,
        threats: Bitboard,
        before: Before,
        mv: Move,
    ) -> i32 {
        if position.is_noisy(mv) {
            self.noisy(position, mv)
        } else {
            self.quiet(params, position, threats, before, mv)
        }
    }

    /// The history of a quiet move, from all tables. `threats` are the squares that the enemy attacks.
    #[inline(always)]
    pub fn quiet(
        &self,
        params: &Params,
        position: &Position,
        threats: Bitboard,
        before: Before,
        mv: Move,
    ) -> i32 {
        self.quiets(params, position, threats, before).of(position, mv)
    }

    /// The histories of the quiet moves of a position: the tables' rows are looked up once.
    #[inline(always)]
    pub fn quiets(
        &self,
        params: &Params,
        position: &Position,
        threats: Bitboard,
        before: Before,
    ) -> QuietHistories<'_> {
        QuietHistories {
            butterflies: &self.quiet,
            threats,
            pawn: &self.pawn[pawn_structure(position)],
            continuation: before.map(|earlier| &self.continuation[earlier.index()]),
            weights: [params.history_one_ply(), params.history_two_plies(), params.history_four_plies()],
        }
    }

    /// The history of a capture or promotion.
    #[inline(always)]
    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[PieceTo::of(position, mv).index()][captured_index(position, mv)])
    }

    /// Updates a quiet move with a bonus or penalty.
    pub fn learn_quiet(
        &mut self,
        position: &Position,
        threats: Bitboard,
        before: Before,
        mv: Move,
        bonus: i32,
    ) {
        let place = QuietPlace::of(position, threats, mv);
        self.learn_place(place, bonus, bonus);
        self.learn_continuation(before, place.moved, bonus);
    }

    /// A quiet move did well or badly, by itself and in its pawn structure.
    #[inline]
    pub fn learn_place(&mut self, place: QuietPlace, bonus: i32, pawn_bonus: i32) {
        learn(&mut self.quiet[usize::from(place.butterfly)], bonus);
        learn(&mut self.pawn[usize::from(place.structure)][place.moved.index()], pawn_bonus);
    }

    /// Updates the continuation histories of a move.
    pub fn learn_continuation(&mut self, before: Before, moved: PieceTo, bonus: i32) {
        for earlier in before {
            if earlier != PieceTo::NONE {
                learn(&mut self.continuation[earlier.index()][moved.index()], bonus);
            }
        }
    }

    /// Updates a capture or promotion.
    pub fn learn_noisy(&mut self, position: &Position, mv: Move, bonus: i32) {
        let captured = captured_index(position, mv);
        learn(&mut self.noisy[PieceTo::of(position, mv).index()][captured], bonus);
    }
}

/// The rows of the histories that hold the quiet moves of one position.
pub struct QuietHistories<'a> {
    butterflies: &'a [i16],
    threats: Bitboard,
    pawn: &'a ByPieceTo,
    continuation: [&'a ByPieceTo; 3],
    weights: [i32; 3],
}

impl QuietHistories<'_> {
    /// The history of a quiet move, from all tables.
    #[inline(always)]
    pub fn of(&self, position: &Position, mv: Move) -> i32 {
        let moved = PieceTo::of(position, mv).index();
        let mut sum = i32::from(self.butterflies[butterfly(position.turn(), self.threats, mv)])
            + i32::from(self.pawn[moved]);
        for (row, weight) in self.continuation.iter().zip(self.weights) {
            sum += i32::from(row[moved]) * weight / 1024;
        }
        sum
    }
}

/// Entries of the table of quiet moves.
const BUTTERFLIES: usize = 2 * 2 * 2 * 64 * 64;

/// The index of a quiet move.
#[inline(always)]
fn butterfly(color: Color, threats: Bitboard, mv: Move) -> usize {
    let (from, to) = (threats.has(mv.from()), threats.has(mv.to()));
    let table = 4 * color.index() + 2 * usize::from(from) + usize::from(to);
    table << 12 | usize::from(mv.bits() & 0xFFF)
}

#[inline(always)]
fn pawn_structure(position: &Position) -> usize {
    position.relative_key(position.pawn_key()) as usize % PAWN_STRUCTURES
}

#[inline(always)]
fn captured_index(position: &Position, mv: Move) -> usize {
    position.captured(mv).unwrap_or(Role::King).index()
}

/// The bonus of a cutoff at this depth.
#[inline]
pub fn bonus(params: &Params, depth: Depth) -> i32 {
    let bonus = params.history_bonus_factor() * depth.0 / 1024 - params.history_bonus_offset();
    bonus.clamp(0, params.history_bonus_max())
}

/// The penalty of a move that was searched before a cutoff at this depth.
#[inline]
pub fn malus(params: &Params, depth: Depth) -> i32 {
    let malus = params.history_malus_factor() * depth.0 / 1024 - params.history_malus_offset();
    -malus.clamp(0, params.history_malus_max())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_in_range() {
        let mut entry = 0;
        (0..1000).for_each(|_| learn(&mut entry, 1900));
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10);
        learn(&mut entry, -1900);
        assert!(i32::from(entry) < LIMIT * 8 / 10, "at the limit a penalty counts double");
    }

    #[test]
    fn updates_affect_only_their_entries() {
        let (params, mut histories) = (Params::default(), Histories::new());
        let position = Position::startpos();
        let (e4, d4) = (position.parse_uci("e2e4").unwrap(), position.parse_uci("d2d4").unwrap());
        let before = [PieceTo::NONE; 3];
        histories.learn_quiet(&position, Bitboard::EMPTY, before, e4, 1000);
        assert!(histories.quiet(&params, &position, Bitboard::EMPTY, before, e4) > 0);
        assert_eq!(histories.quiet(&params, &position, Bitboard::EMPTY, before, d4), 0);
        histories.clear();
        assert_eq!(histories.quiet(&params, &position, Bitboard::EMPTY, before, e4), 0);
    }
}
