//! Static exchange evaluation (SEE): the material balance of a capture when both sides keep capturing on that square with
//! their least valuable piece, and stop when it pays to stop.

use super::Position;
use crate::{Bitboard, Color, Move, MoveKind, Role, Square, attacks};

impl Role {
    /// Piece values in centipawns. The king's is larger than all others together, so that losing it never pays.
    pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

    /// The value of this piece in exchanges, in centipawns.
    #[inline(always)]
    pub const fn exchange_value(self) -> i32 {
        Role::EXCHANGE_VALUES[self as usize]
    }
}

/// An exchange on one square after its first move.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    side: Color,
}

impl Exchange<'_> {
    /// Captures with the least valuable attacker that is not pinned; `None` without one. Ties go to the first square in the
    /// mover's orientation, so that mirrored exchanges agree. A king captures only undefended pieces.
    #[inline]
    fn next_capturer(&mut self) -> Option<Role> {
        let position = self.position;
        let us = self.side;
        self.attackers &= self.occupied;
        let mut candidates = self.attackers & position.colored(us);
        if candidates.is_empty() {
            return None;
        }
        candidates &= !self.pinned_away(us, candidates);
        let (role, square) = Role::ALL
            .into_iter()
            .find_map(|role| (candidates & position.role(role)).first_for(us).map(|square| (role, square)))?;
        if role == Role::King && (self.attackers & position.colored(!us)).any() {
            return None;
        }
        self.occupied = self.occupied.without(square);
        self.uncover(role);
        self.side = !us;
        Some(role)
    }

    /// Adds the x-ray attackers behind a piece of this role.
    #[inline]
    fn uncover(&mut self, role: Role) {
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            self.attackers |= attacks::bishop(self.square, self.occupied) & self.position.diagonal_sliders();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            self.attackers |= attacks::rook(self.square, self.occupied) & self.position.straight_sliders();
        }
    }

    /// The candidates that may not capture because a slider that is still on the board pins them to
    /// their king on a line that does not lead to the square.
    #[inline]
    fn pinned_away(&self, us: Color, candidates: Bitboard) -> Bitboard {
        let position = self.position;
        let king = position.king(us);
        let (straight, diagonal) = (attacks::rook_rays(king), attacks::bishop_rays(king));
        if (candidates & (straight | diagonal)).is_empty() {
            return Bitboard::EMPTY;
        }
        let snipers = (straight & position.straight_sliders() | diagonal & position.diagonal_sliders())
            & position.colored(!us)
            & self.occupied;
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & self.occupied;
            if !blockers.more_than_one() && !attacks::line(king, sniper).has(self.square) {
                pinned |= blockers;
            }
        }
        pinned & candidates
    }
}

impl Position {
    /// The exchange that a move starts, the move's own gain, and the piece that is then on the square.
    fn begin_exchange(&self, mv: Move) -> (Exchange<'_>, i32, Role) {
        let us = self.turn();
        let (from, to) = (mv.from(), mv.to());
        let mover = self.role_at(from).unwrap_or(Role::Pawn);
        let mut occupied = self.occupied().without(from).with(to);
        let mut gain = self.captured(mv).map_or(0, Role::exchange_value);
        let mut standing = mover;
        match mv.kind() {
            MoveKind::Promotion(role) => {
                gain += role.exchange_value() - Role::Pawn.exchange_value();
                standing = role;
            }
            MoveKind::EnPassant => occupied = occupied.without(Square::from_index(to.index() ^ 8)),
            _ => {}
        }
        let attackers = self.attackers(to, occupied);
        (Exchange { position: self, square: to, occupied, attackers, side: !us }, gain, standing)
    }

    /// The static exchange evaluation of a legal move, in centipawns for the side to move. Castling is 0.
    ///
    /// Recaptures are made by the least valuable piece that is not pinned; a promotion by a recapturing
    /// pawn is not counted.
    ///
    /// ```
    /// use chess::Position;
    /// let position = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1").unwrap();
    /// let mv = position.parse_san("Qxd5").unwrap();
    /// assert_eq!(position.see(mv), 100 - 950);
    /// assert!(!position.see_at_least(mv, 0));
    /// ```
    pub fn see(&self, mv: Move) -> i32 {
        if mv.is_castle() {
            return 0;
        }
        let (mut exchange, gain, mut standing) = self.begin_exchange(mv);
        // Balance after each capture from the view of the side that made it, as if the other stopped.
        let mut gains = [gain; 32];
        let mut depth = 0;
        while let Some(role) = exchange.next_capturer() {
            depth += 1;
            gains[depth] = standing.exchange_value() - gains[depth - 1];
            standing = role;
            if depth == 31 {
                break;
            }
        }
        while depth > 0 {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
            depth -= 1;
        }
        gains[0]
    }

    /// Whether [`see`](Self::see) of a legal move is at least `threshold`, without computing it.
    #[inline]
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let us = self.turn();
        let mut gain = self.captured(mv).map_or(0, Role::exchange_value);
        let mut standing = self.role_at(mv.from()).unwrap_or(Role::Pawn);
        if let Some(role) = mv.promotion() {
            gain += role.exchange_value() - Role::Pawn.exchange_value();
            standing = role;
        }
        // `balance` is what the first side has above the threshold when the exchange stops here.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= standing.exchange_value();
        if balance >= 0 {
            return true;
        }
        let (mut exchange, _, _) = self.begin_exchange(mv);
        // Each side captures in turn; the first whose capture cannot reach the threshold loses.
        while let Some(role) = exchange.next_capturer() {
            balance = -balance - 1 - role.exchange_value();
            if balance >= 0 {
                break;
            }
        }
        exchange.side != us
    }
}
