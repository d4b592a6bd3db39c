//! Terms that depend only on pawns and kings: pawn structure, passed pawns, king shelter. They rarely change
//! in a search, so [`PawnTable`](super::pawn_table::PawnTable) caches them.

use chess::{Bitboard, Color, Position, Rank, Square};

use super::tapered::Tapered;
use super::terms::Term;
use super::trace::{EvaluationTrace, RelativeSide, TermSum};
use super::view::{BoardView, ahead, attacked_by_enemy_pawns, attacked_by_own_pawns, behind};

/// The pawn terms of one side, and what other terms need of its pawns.
#[derive(Clone, Copy, Default)]
pub(super) struct SidePawns {
    /// Sum of the terms that depend only on pawns and kings.
    pub value: Tapered,
    /// Passed pawns, as their own side sees the board.
    pub passed: Bitboard,
    /// Every square that the pawns attack or may attack when they advance.
    pub attack_span: Bitboard,
}

/// The pawns of both sides, by colour.
#[derive(Clone, Copy, Default)]
pub(super) struct PawnStructure([SidePawns; 2]);

impl PawnStructure {
    /// Evaluates the pawns of both sides.
    pub fn new<T: EvaluationTrace>(position: &Position, trace: &mut T) -> PawnStructure {
        let mut camps = [SidePawns::default(); 2];
        for color in Color::ALL {
            let side = if color == position.turn() { RelativeSide::Us } else { RelativeSide::Them };
            camps[color.index()] =
                SidePawns::new(&BoardView::new(position, color), &mut TermSum::new(trace, side));
        }
        PawnStructure(camps)
    }

    /// One side's pawns.
    #[inline(always)]
    pub fn of(&self, color: Color) -> &SidePawns {
        &self.0[color.index()]
    }
}

impl SidePawns {
    fn new<T: EvaluationTrace>(view: &BoardView, tally: &mut TermSum<T>) -> SidePawns {
        let pawns = view.own.pawns;
        let mut passed = Bitboard::EMPTY;
        tally.add_times(Term::Material.at(0), pawns.count());
        for square in pawns {
            if pawn(view, square, tally) {
                passed = passed.with(square);
            }
        }
        king(view, tally);
        let attacked = attacked_by_own_pawns(pawns);
        SidePawns { value: tally.sum(), passed, attack_span: attacked | ahead(attacked) }
    }
}

/// A pawn's index in tables by rank: 0 on the second rank to 5 on the seventh.
#[inline(always)]
pub(super) fn rank_index(pawn: Square) -> usize {
    pawn.rank().index().clamp(1, 6) - 1
}

/// Adds one pawn's terms; returns whether it is passed.
fn pawn<T: EvaluationTrace>(view: &BoardView, square: Square, tally: &mut TermSum<T>) -> bool {
    let (own, enemy) = (view.own.pawns, view.enemy.pawns);
    let rank = rank_index(square);
    let here = Bitboard::of(square);
    let front = ahead(here);
    let neighbour_files = (here.east() | here.west()).whole_files();
    let neighbours = own & neighbour_files;
    let beside = own & (here.east() | here.west());
    let supporters = own & attacked_by_enemy_pawns(here);
    // Enemy pawns before it, on its own and the neighbouring files.
    let stoppers = enemy & (front | front.east() | front.west());

    tally.add(Term::PawnSquare.at(view.table_index(square) - 4));

    let doubled = (front & own).any();
    let isolated = neighbours.is_empty();
    let step = here.north();
    let left_behind = (neighbours & !(front.east() | front.west())).is_empty();
    let backward = !isolated && left_behind && ((attacked_by_enemy_pawns(enemy) | enemy) & step).any();
    let opposed = (front & enemy).any();

    if doubled {
        tally.add(Term::Doubled.at(0));
    }
    if isolated {
        let file = square.file().index();
        tally.add(Term::Isolated.at(file.min(7 - file)));
    } else if backward {
        tally.add(Term::Backward.at(0));
    }
    if (isolated || backward) && !opposed {
        tally.add(Term::WeakOnOpenFile.at(0));
    }
    if supporters.any() {
        tally.add(Term::Supported.at(rank));
    }
    if beside.any() {
        tally.add(Term::Phalanx.at(rank));
    }

    let passed = stoppers.is_empty() && !doubled;
    if passed {
        tally.add(Term::Passed.at(rank));
        let stop = Square::from_index(square.index() + 8);
        tally.add_times(Term::PassedOwnKing.at(rank), view.own.king.distance(stop));
        tally.add_times(Term::PassedEnemyKing.at(rank), view.enemy.king.distance(stop));
    } else if !opposed && !doubled && (neighbours & !front.east() & !front.west()).count() >= stoppers.count()
    {
        tally.add(Term::Candidate.at(rank));
    }
    passed
}

/// Adds the terms of the own king among the pawns.
fn king<T: EvaluationTrace>(view: &BoardView, tally: &mut TermSum<T>) {
    let king = view.own.king;
    tally.add(Term::KingSquare.at(view.table_index(king)));

    let here = Bitboard::of(king);
    let own_before = view.own.pawns & !behind(Bitboard::rank(king.rank()));
    let enemy_before = view.enemy.pawns & !behind(Bitboard::rank(king.rank()));
    let centre = king.file().index().clamp(1, 6);
    for file in centre - 1..=centre + 1 {
        let line = Bitboard::file(chess::File::new(file));
        // Rank of the nearest pawn; 0 if there is none.
        let nearest = |pawns: Bitboard| (pawns & line).first().map_or(0, |pawn| pawn.rank().index());
        let (shield, storm) = (nearest(own_before), nearest(enemy_before));
        tally.add(Term::Shelter.at(7 * file.min(7 - file) + shield));
        let blocked = shield != 0 && storm == shield + 1;
        tally.add(Term::Storm.at(7 * usize::from(blocked) + storm));
    }

    let king_file = here.whole_files();
    if (king_file & view.own.pawns).is_empty() {
        tally.add(Term::KingFile.at(usize::from((king_file & view.enemy.pawns).is_empty())));
    }
    let pawns = view.own.pawns | view.enemy.pawns;
    if let Some(distance) = pawns.into_iter().map(|pawn| king.distance(pawn)).min() {
        tally.add_times(Term::KingPawnDistance.at(0), distance);
    }
}

/// The second rank, as a side sees it.
pub(super) const SECOND_RANK: Bitboard = Bitboard::rank(Rank::Second);
/// The third rank, as a side sees it.
pub(super) const THIRD_RANK: Bitboard = Bitboard::rank(Rank::Third);
