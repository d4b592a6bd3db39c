//! Legal moves. One generator for every use: it passes sets of targets to a [`MoveSink`], which lists, counts
//! or plays them.

use super::Position;
use crate::{Bitboard, CastlingSide, Color, Move, MoveKind, MoveList, Rank, Role, Square, attacks};

/// Which moves to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveTypes {
    /// Every legal move; in check these are the evasions.
    All,
    /// Captures, en passant captures and all promotions.
    Noisy,
    /// Everything else, castling included.
    Quiet,
}

/// Receives the generated moves, in sets where possible. To receive them one by one, implement only
/// [`single`](Self::single).
pub trait MoveSink {
    /// One move: castling, an en passant capture, or a move of a set.
    fn single(&mut self, mv: Move);

    /// Plain moves of one piece to every square of the set.
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.single(Move::normal(from, to));
        }
    }

    /// Moves of many pawns that all go `offset` steps in index to reach the set.
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, offset: i32, kind: MoveKind) {
        for to in targets {
            self.single(Move::new(to.step(-offset), to, kind));
        }
    }

    /// Promotions to all four roles, of pawns that go `offset` steps in index to reach the set.
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, offset: i32) {
        for to in targets {
            for role in Role::PROMOTIONS.into_iter().rev() {
                self.single(Move::new(to.step(-offset), to, MoveKind::Promotion(role)));
            }
        }
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves without storing them.
#[derive(Default)]
struct MoveCount(u32);

impl MoveSink for MoveCount {
    #[inline(always)]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _offset: i32, _kind: MoveKind) {
        self.0 += targets.count();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _offset: i32) {
        self.0 += 4 * targets.count();
    }

    #[inline(always)]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

/// Stores only whether there was a move.
#[derive(Default)]
struct AnyMove(bool);

impl MoveSink for AnyMove {
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    fn pawns(&mut self, targets: Bitboard, _offset: i32, _kind: MoveKind) {
        self.0 |= targets.any();
    }

    fn promotions(&mut self, targets: Bitboard, _offset: i32) {
        self.0 |= targets.any();
    }

    fn single(&mut self, _mv: Move) {
        self.0 = true;
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(MoveTypes::All, &mut moves);
        moves
    }

    /// The number of legal moves.
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = MoveCount::default();
        self.generate(MoveTypes::All, &mut count);
        count.0
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = AnyMove::default();
        self.generate(MoveTypes::All, &mut any);
        any.0
    }

    /// Passes all legal moves of these types to the sink.
    #[inline]
    pub fn generate<S: MoveSink>(&self, types: MoveTypes, sink: &mut S) {
        match (self.turn(), types) {
            (Color::White, MoveTypes::All) => self.generate_for::<true, true, true, S>(sink),
            (Color::White, MoveTypes::Noisy) => self.generate_for::<true, true, false, S>(sink),
            (Color::White, MoveTypes::Quiet) => self.generate_for::<true, false, true, S>(sink),
            (Color::Black, MoveTypes::All) => self.generate_for::<false, true, true, S>(sink),
            (Color::Black, MoveTypes::Noisy) => self.generate_for::<false, true, false, S>(sink),
            (Color::Black, MoveTypes::Quiet) => self.generate_for::<false, false, true, S>(sink),
        }
    }

    fn generate_for<const WHITE: bool, const NOISY: bool, const QUIET: bool, S: MoveSink>(
        &self,
        sink: &mut S,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (own, enemy) = (self.colored(us), self.colored(!us));
        let occupied = own | enemy;
        let king = self.king(us);
        let wanted = match (NOISY, QUIET) {
            (true, true) => !own,
            (true, false) => enemy,
            _ => !occupied,
        };

        // The king may go to squares that are not attacked once it has left its own.
        let without_king = occupied ^ Bitboard::of(king);
        let mut king_targets = Bitboard::EMPTY;
        for to in attacks::king(king) & wanted {
            if !self.is_attacked(to, !us, without_king) {
                king_targets |= Bitboard::of(to);
            }
        }
        sink.piece(king, king_targets);

        // Two checkers: only the king can move. One: capture it or block.
        let checkers = self.checkers();
        if checkers.more_than_one() {
            return;
        }
        let mut evasion = Bitboard::ALL;
        if checkers.any() {
            evasion = attacks::between(king, checkers.first_of_some()) | checkers;
        } else if QUIET && self.castling().any(us) {
            self.generate_castling(us, king, sink);
        }
        let targets = wanted & evasion;

        let pinned = self.pinned();
        let free = own & !pinned;
        for from in self.role(Role::Knight) & free {
            sink.piece(from, attacks::knight(from) & targets);
        }
        for from in self.diagonal_sliders() & free {
            sink.piece(from, attacks::bishop(from, occupied) & targets);
        }
        for from in self.straight_sliders() & free {
            sink.piece(from, attacks::rook(from, occupied) & targets);
        }
        // A pinned slider may move along its pin. (In check no move along it can help: the targets are
        // on another line.)
        for from in self.diagonal_sliders() & pinned {
            sink.piece(from, attacks::bishop(from, occupied) & targets & attacks::line(king, from));
        }
        for from in self.straight_sliders() & pinned {
            sink.piece(from, attacks::rook(from, occupied) & targets & attacks::line(king, from));
        }

        self.generate_pawn_moves::<WHITE, NOISY, QUIET, S>(king, pinned, evasion, sink);
    }

    /// Pawn moves by set. A pinned pawn may go in the one direction that stays on its pin, so each
    /// direction has its own set of pawns.
    #[inline(always)]
    fn generate_pawn_moves<const WHITE: bool, const NOISY: bool, const QUIET: bool, S: MoveSink>(
        &self,
        king: Square,
        pinned: Bitboard,
        evasion: Bitboard,
        sink: &mut S,
    ) {
        let (us, sign) = if WHITE { (Color::White, 1) } else { (Color::Black, -1) };
        let enemy = self.colored(!us);
        let empty = !self.occupied();
        let pawns = self.pieces(us, Role::Pawn);
        let free = pawns & !pinned;
        let last_rank = Bitboard::relative_rank(Rank::Eighth, us);

        let pushers = free | pawns & Bitboard::file(king.file());
        let pushed = pushers.forward(us) & empty;
        if QUIET {
            let third_rank = Bitboard::relative_rank(Rank::Third, us);
            let twice = (pushed & third_rank).forward(us) & empty & evasion;
            sink.pawns(pushed & evasion & !last_rank, 8 * sign, MoveKind::Normal);
            sink.pawns(twice, 16 * sign, MoveKind::DoublePush);
        }
        if !NOISY {
            return;
        }

        let (rising, falling) = (attacks::rising_diagonal(king), attacks::falling_diagonal(king));
        let (along_east, along_west) = if WHITE { (rising, falling) } else { (falling, rising) };
        let east = (free | pawns & along_east).forward(us).east() & enemy & evasion;
        let west = (free | pawns & along_west).forward(us).west() & enemy & evasion;
        let (east_offset, west_offset) = (8 * sign + 1, 8 * sign - 1);
        sink.pawns(east & !last_rank, east_offset, MoveKind::Normal);
        sink.pawns(west & !last_rank, west_offset, MoveKind::Normal);
        if (pawns & Bitboard::relative_rank(Rank::Seventh, us)).any() {
            sink.promotions(pushed & evasion & last_rank, 8 * sign);
            sink.promotions(east & last_rank, east_offset);
            sink.promotions(west & last_rank, west_offset);
        }
        if let Some(target) = self.en_passant() {
            for from in attacks::pawn(!us, target) & pawns {
                if self.en_passant_is_legal(from, target) {
                    sink.single(Move::new(from, target, MoveKind::EnPassant));
                }
            }
        }
    }

    #[inline(always)]
    fn generate_castling<S: MoveSink>(&self, us: Color, king: Square, sink: &mut S) {
        for side in CastlingSide::ALL {
            if let Some(rook) = self.castling().rook(us, side)
                && self.castling_is_legal(us, side, king, rook)
            {
                sink.single(Move::new(king, rook, MoveKind::Castle));
            }
        }
    }

    /// Whether a king that is not in check may castle with this rook, given the right to.
    #[inline(always)]
    pub(super) fn castling_is_legal(
        &self,
        us: Color,
        side: CastlingSide,
        king: Square,
        rook: Square,
    ) -> bool {
        let (king_to, rook_to) = (side.king_target(us), side.rook_target(us));
        let king_path = attacks::between(king, king_to) | Bitboard::of(king_to);
        let rook_path = attacks::between(rook, rook_to) | Bitboard::of(rook_to);
        let others = self.occupied().without(king).without(rook);
        // A pinned rook (Chess960 only) needs no test: `others` lets the attack through it.
        ((king_path | rook_path) & others).is_empty()
            && king_path.into_iter().all(|square| !self.is_attacked(square, !us, others))
    }

    /// Whether an en passant capture leaves the king safe. Two pawns leave their squares at once, so pins are not enough; the
    /// slider attacks are computed on the resulting occupancy.
    pub(super) fn en_passant_is_legal(&self, from: Square, target: Square) -> bool {
        let us = self.turn();
        let king = self.king(us);
        let captured = Square::from_index(target.index() ^ 8);
        let occupied = self.occupied().without(from).without(captured).with(target);
        let enemy = self.colored(!us);
        let sliders = attacks::bishop(king, occupied) & self.diagonal_sliders()
            | attacks::rook(king, occupied) & self.straight_sliders();
        let steppers = self.checkers() & (self.role(Role::Knight) | self.role(Role::Pawn));
        (sliders & enemy).is_empty() && steppers.without(captured).is_empty()
    }
}
