//! Static exchange evaluation: what a capture is worth when both sides go on capturing on that square
//! with their least valuable man first, and stop when it pays to stop.

use super::Position;
use crate::{Bitboard, Color, Move, MoveKind, Role, Square, attacks};

impl Role {
    /// What a man counts in exchanges, in hundredths of a pawn. The king is worth more than all the
    /// rest, so that exposing it is never counted as profit.
    pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

    /// What this man counts in exchanges.
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
    /// The side to capture takes with its least valuable man that no pin forbids, or `None` if it cannot.
    /// Among equals the first as its colour counts squares takes, so mirrored exchanges are alike. A king
    /// captures only where no enemy man could take it back.
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

    /// Adds the sliders that a man of this role may have hidden.
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
        let snipers = (attacks::rook_rays(king) & position.straight_sliders()
            | attacks::bishop_rays(king) & position.diagonal_sliders())
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
    /// The exchange that a move begins, what the move itself wins, and what then stands on the square.
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

    /// What the side to move wins (or loses) by a legal move when both sides then capture on its target
    /// as long as it pays, in hundredths of a pawn. Castling is worth 0.
    ///
    /// Recaptures are made by the least valuable man that is not pinned; a promotion by a recapturing
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

    /// Whether [`see`](Self::see) of a legal move is at least `threshold`, found without computing it.
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
        // The side to capture always takes; the first side for whom taking cannot reach the threshold
        // has lost the bet.
        while let Some(role) = exchange.next_capturer() {
            balance = -balance - 1 - role.exchange_value();
            if balance >= 0 {
                break;
            }
        }
        exchange.side != us
    }
}
