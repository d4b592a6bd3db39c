//! Knights, bishops, rooks and queens: material, piece squares, mobility and terms of each piece. It also
//! collects the side's attacks for later terms.

use chess::{Bitboard, Rank, Role, Square, attacks};

use super::pawns::{SECOND_RANK, THIRD_RANK};
use super::terms::Term;
use super::trace::{EvaluationTrace, TermSum};
use super::view::{BoardView, SideAttacks, attacked_by_enemy_pawns};

/// Attacks around the enemy king.
#[derive(Clone, Copy)]
pub(super) struct KingAttack {
    /// The nine squares around the enemy king.
    pub ring: Bitboard,
    /// Attackers of the ring: knights, bishops, rooks, queens.
    pub attackers: [u32; 4],
    /// Attacked squares of the ring, counted once for each attacker.
    pub ring_attacks: u32,
}

impl KingAttack {
    #[inline(always)]
    fn add(&mut self, role: Role, squares: Bitboard) {
        let hits = (squares & self.ring).count();
        self.attackers[role.index() - 1] += u32::from(hits > 0);
        self.ring_attacks += hits;
    }
}

/// Ranks on which an outpost counts: the fourth to the sixth.
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_FFFF_FF00_0000);
/// The four squares in the middle.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const SEVENTH_RANK: Bitboard = Bitboard::rank(Rank::Seventh);
const EIGHTH_RANK: Bitboard = Bitboard::rank(Rank::Eighth);
/// A rook with fewer squares than this may be trapped.
const TRAPPED_BELOW: u32 = 4;

/// Adds the terms of all pieces of a side. `enemy_span` has the squares that enemy pawns attack or may attack
/// when they advance.
#[inline(always)]
pub(super) fn pieces<T: EvaluationTrace>(
    view: &BoardView,
    enemy_span: Bitboard,
    tally: &mut TermSum<T>,
) -> (SideAttacks, KingAttack) {
    let own = &view.own;
    let mut attacks = SideAttacks::new(own);
    let mut king_attack = KingAttack { ring: view.enemy_king_ring(), attackers: [0; 4], ring_attacks: 0 };

    // Mobility area: not attacked by enemy pawns, and without the own king and own pawns that are blocked or
    // have not moved.
    let idle_pawns = own.pawns & (view.occupied.south() | SECOND_RANK | THIRD_RANK);
    let area = !(attacked_by_enemy_pawns(view.enemy.pawns) | idle_pawns.with(own.king));
    let outposts = OUTPOST_RANKS & !enemy_span;
    let behind_pawn = (own.pawns | view.enemy.pawns).south();

    let all_pawns = (own.pawns | view.enemy.pawns).count();
    for (index, pieces) in [own.knights, own.bishops, own.rooks, own.queens].into_iter().enumerate() {
        tally.add_times(Term::Material.at(index + 1), pieces.count());
        tally.add_times(Term::PieceByPawns.at(index), pieces.count() * all_pawns);
    }
    tally.add_times(Term::Castling.at(0), view.castling);

    for square in own.knights {
        let squares = attacks::knight(square);
        attacks.knights |= squares;
        attacks.add(squares);
        king_attack.add(Role::Knight, squares);
        tally.add(Term::KnightSquare.at(view.table_index(square)));
        tally.add_times(Term::Tropism.at(0), view.enemy.king.distance(square));
        tally.add(Term::KnightMobility.at((squares & area).count() as usize));
        tally.add_times(Term::MinorKingDistance.at(0), own.king.distance(square));
        if outposts.has(square) {
            tally.add(Term::KnightOutpost.at(usize::from(attacks.pawns.has(square))));
        }
    }

    if own.bishops.more_than_one() {
        tally.add(Term::BishopPair.at(0));
    }
    // Sliders see through own sliders of the same kind (batteries).
    let diagonal_blockers = view.occupied & !own.queens;
    for square in own.bishops {
        let squares = attacks::bishop(square, diagonal_blockers);
        attacks.bishops |= squares;
        attacks.add(squares);
        king_attack.add(Role::Bishop, squares);
        tally.add(Term::BishopSquare.at(view.table_index(square)));
        tally.add_times(Term::Tropism.at(1), view.enemy.king.distance(square));
        tally.add(Term::BishopMobility.at((squares & area).count() as usize));
        tally.add_times(Term::MinorKingDistance.at(1), own.king.distance(square));
        tally.add_times(Term::BishopPawns.at(0), (own.pawns & same_color(square)).count());
        if (attacks::bishop(square, own.pawns | view.enemy.pawns) & CENTRE).more_than_one() {
            tally.add(Term::LongDiagonal.at(0));
        }
        if outposts.has(square) {
            tally.add(Term::BishopOutpost.at(usize::from(attacks.pawns.has(square))));
        }
    }
    tally.add_times(Term::MinorBehindPawn.at(0), (own.minors() & behind_pawn).count());

    let straight_blockers = view.occupied & !own.queens & !own.rooks;
    for square in own.rooks {
        let squares = attacks::rook(square, straight_blockers);
        attacks.rooks |= squares;
        attacks.add(squares);
        king_attack.add(Role::Rook, squares);
        let mobility = (squares & area).count();
        tally.add(Term::RookSquare.at(view.table_index(square)));
        tally.add_times(Term::Tropism.at(2), view.enemy.king.distance(square));
        tally.add(Term::RookMobility.at(mobility as usize));
        let file = Bitboard::file(square.file());
        if (file & own.pawns).is_empty() {
            tally.add(Term::RookFile.at(usize::from((file & view.enemy.pawns).any())));
        } else if mobility < TRAPPED_BELOW && is_shut_in(square, own.king) {
            tally.add(Term::TrappedRook.at(0));
        }
    }
    if (own.rooks & SEVENTH_RANK).any()
        && (EIGHTH_RANK.has(view.enemy.king) || (view.enemy.pawns & SEVENTH_RANK).any())
    {
        tally.add_times(Term::RookOnSeventh.at(0), (own.rooks & SEVENTH_RANK).count());
    }

    for square in own.queens {
        let squares = attacks::queen(square, view.occupied);
        attacks.queens |= squares;
        attacks.add(squares);
        king_attack.add(Role::Queen, squares);
        tally.add(Term::QueenSquare.at(view.table_index(square)));
        tally.add_times(Term::Tropism.at(3), view.enemy.king.distance(square));
        tally.add(Term::QueenMobility.at((squares & area).count() as usize));
        let snipers =
            attacks::rook_rays(square) & view.enemy.rooks | attacks::bishop_rays(square) & view.enemy.bishops;
        if snipers.into_iter().any(|sniper| view.is_one_man_between(square, sniper)) {
            tally.add(Term::QueenOnLine.at(0));
        }
    }
    for (index, pieces) in [own.pawns, own.knights, own.bishops, own.rooks].into_iter().enumerate() {
        tally.add_times(Term::Loose.at(index), (pieces & !attacks.all).count());
    }
    (attacks, king_attack)
}

/// The squares of a square's colour.
#[inline(always)]
pub(super) fn same_color(square: Square) -> Bitboard {
    if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { Bitboard::DARK }
}

/// Whether a king off the centre files is between this rook and the centre, on the first rank.
#[inline(always)]
fn is_shut_in(rook: Square, king: Square) -> bool {
    let (rook_file, king_file) = (rook.file().index(), king.file().index());
    king.rank() == Rank::First
        && (king_file < 3 && rook_file < king_file || king_file > 4 && rook_file > king_file)
}
