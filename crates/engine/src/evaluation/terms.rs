//! The terms of the evaluation: name, number of weights, and position in the list of all weights. The
//! evaluation, the tuner, the weights file and the `eval` table all use this list.

/// Declares the terms: documentation, name, heading, number of weights, weights per row of the file.
macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident($heading:literal, $length:expr, $row:expr)),* $(,)?) => {
        /// A term of the evaluation, with one weight or a table of weights.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Term {
            $($(#[$doc])* $name),*
        }

        impl Term {
            /// Every term, in the order of the weights.
            pub const ALL: &[Term] = &[$(Term::$name),*];

            /// Its heading.
            pub const fn heading(self) -> &'static str {
                match self {
                    $(Term::$name => $heading),*
                }
            }

            /// The number of its weights.
            pub const fn length(self) -> usize {
                match self {
                    $(Term::$name => $length),*
                }
            }

            /// Weights per line of the weights file.
            pub const fn row(self) -> usize {
                match self {
                    $(Term::$name => $row),*
                }
            }
        }
    };
}

terms! {
    /// Each piece, from pawn to queen.
    Material("Material: pawn, knight, bishop, rook, queen", 5, 5),
    /// Number of pawns on the board, for each piece: knights are better in closed positions, rooks in open
    /// ones.
    PieceByPawns("Pawns for each piece: knight, bishop, rook, queen", 4, 4),
    /// A pawn's square: second to seventh rank, a- to d-file, the other wing mirrored.
    PawnSquare("Pawn on square", 24, 4),
    /// A knight's square: first to eighth rank, a- to d-file, the other wing mirrored.
    KnightSquare("Knight on square", 32, 4),
    /// A bishop's square.
    BishopSquare("Bishop on square", 32, 4),
    /// A rook's square.
    RookSquare("Rook on square", 32, 4),
    /// A queen's square.
    QueenSquare("Queen on square", 32, 4),
    /// The king's square.
    KingSquare("King on square", 32, 4),
    /// By the number of safe squares a knight can go to.
    KnightMobility("Knight mobility", 9, 9),
    /// By the number of safe squares a bishop can go to.
    BishopMobility("Bishop mobility", 14, 7),
    /// By the number of safe squares a rook can go to.
    RookMobility("Rook mobility", 15, 8),
    /// By the number of safe squares a queen can go to.
    QueenMobility("Queen mobility", 28, 7),
    /// Two bishops or more.
    BishopPair("Bishop pair", 1, 1),
    /// For each own pawn on the colour of an own bishop.
    BishopPawns("Pawns on bishop's colour", 1, 1),
    /// A bishop that attacks both central squares of a long diagonal.
    LongDiagonal("Bishop on long diagonal", 1, 1),
    /// A knight that no pawn can drive away: undefended, defended by a pawn.
    KnightOutpost("Knight outpost: plain, defended", 2, 2),
    /// A bishop that no pawn can drive away: undefended, defended by a pawn.
    BishopOutpost("Bishop outpost: plain, defended", 2, 2),
    /// A knight or bishop right behind a pawn.
    MinorBehindPawn("Minor piece behind pawn", 1, 1),
    /// Steps between the own king and each knight or bishop.
    MinorKingDistance("Knight, bishop far from king", 2, 2),
    /// Steps between each piece and the enemy king.
    Tropism("Piece far from enemy king: knight, bishop, rook, queen", 4, 4),
    /// Own pieces that nothing defends: pawns, knights, bishops, rooks.
    Loose("Undefended: pawn, knight, bishop, rook", 4, 4),
    /// A rook on a file without pawns, without own pawns.
    RookFile("Rook on open, half-open file", 2, 2),
    /// A rook on the seventh rank with a king or pawns to attack.
    RookOnSeventh("Rook on seventh", 1, 1),
    /// A rook with little mobility, blocked by its own king.
    TrappedRook("Trapped rook", 1, 1),
    /// A queen on a slider's line with one piece between.
    QueenOnLine("Queen exposed on a line", 1, 1),
    /// A pawn without own pawns on neighbouring files: by file, a to d.
    Isolated("Isolated pawn", 4, 4),
    /// An isolated or backward pawn on a file without enemy pawn.
    WeakOnOpenFile("Weak pawn on half-open file", 1, 1),
    /// A pawn with an own pawn before it on its file.
    Doubled("Doubled pawn", 1, 1),
    /// A pawn behind its neighbours that cannot safely advance.
    Backward("Backward pawn", 1, 1),
    /// A pawn defended by a pawn: by rank, second to seventh.
    Supported("Supported pawn", 6, 6),
    /// A pawn with a pawn beside it: by rank.
    Phalanx("Phalanx", 6, 6),
    /// A pawn that could become passed with the help of its neighbours: by rank.
    Candidate("Candidate passed pawn", 6, 6),
    /// A passed pawn: by rank.
    Passed("Passed pawn", 6, 6),
    /// Steps of the own king to the square before a passed pawn: by rank.
    PassedOwnKing("Own king's distance to passed pawn", 6, 6),
    /// Steps of the enemy king to the square before a passed pawn: by rank.
    PassedEnemyKing("Enemy king's distance to passed pawn", 6, 6),
    /// A passed pawn with a piece before it: by rank.
    PassedBlocked("Blocked passed pawn", 6, 6),
    /// A passed pawn whose next square the enemy does not attack: by rank.
    PassedSafeStep("Passed pawn's next square safe", 6, 6),
    /// A passed pawn whose next square is defended: by rank.
    PassedDefendedStep("Passed pawn's next square defended", 6, 6),
    /// A passed pawn with nothing on its way and no enemy attack on it: by rank.
    PassedFreePath("Passed pawn's path free", 6, 6),
    /// A rook on the file of a passed pawn, behind it: own, enemy.
    RookBehindPassed("Rook behind passed pawn: own, enemy", 2, 2),
    /// A passed pawn that a bare king can no longer catch.
    Unstoppable("Unstoppable passed pawn", 1, 1),
    /// Pawns before the king: by file (edge to centre), then rank of the nearest own pawn (none, second to seventh).
    Shelter("King's shelter", 28, 7),
    /// Enemy pawns near the king: free or blocked by an own pawn, then rank of the nearest (none, second to seventh).
    Storm("Pawn storm", 14, 7),
    /// No own pawn, no pawn at all on the king's file.
    KingFile("King on half-open, open file", 2, 2),
    /// Steps between the king and the nearest pawn of any colour.
    KingPawnDistance("King's distance to pawns", 1, 1),
    /// Rooks the king may still castle with.
    Castling("Right to castle", 1, 1),
    /// Enemy pieces attacked by a pawn: knight, bishop, rook, queen.
    ThreatByPawn("Threat by pawn", 4, 4),
    /// Enemy pieces a safe pawn step would attack.
    PushThreat("Threat of pawn push", 1, 1),
    /// Enemy pieces attacked by a minor piece: weak pawns, knight, bishop, rook, queen.
    ThreatByMinor("Threat by minor piece", 5, 5),
    /// Enemy pieces attacked by a rook: weak pawns, knight, bishop, weak rook, queen.
    ThreatByRook("Threat by rook", 5, 5),
    /// Weak enemy pieces attacked by the king.
    ThreatByKing("Threat by king", 1, 1),
    /// Safe squares from which a knight, or a bishop or rook, would attack the enemy queen.
    ThreatOnQueen("Next move against queen: knight, slider", 2, 2),
    /// Attacked enemy pieces without defence: pawns, pieces.
    Hanging("Hanging pawn, piece", 2, 2),
    /// For the side to move: enemy pieces attacked by pawns, hanging.
    ThreatOnMove("Threat with the move: by pawn, hanging", 2, 2),
    /// Squares attacked by both sides that the enemy does not control.
    Restriction("Restricted squares", 1, 1),
    /// Safe squares behind the own pawns in the centre, weighted by the number of pieces.
    Space("Space", 1, 1),
    /// The right to move.
    Tempo("Tempo", 1, 1),
    /// King danger: start of the count.
    DangerBase("Danger: base", 1, 1),
    /// King danger: knights, bishops, rooks, queens that attack the king's ring.
    DangerAttackers("Danger: attackers", 4, 4),
    /// King danger: attacks on squares of the ring.
    DangerRingAttacks("Danger: attacks on ring", 1, 1),
    /// King danger: attacked squares of the ring that only king or queen defends.
    DangerWeakRing("Danger: weak squares of ring", 1, 1),
    /// King danger: squares for a safe check by knight, bishop, rook, queen.
    DangerSafeChecks("Danger: safe checks", 4, 4),
    /// King danger: squares for other checks.
    DangerUnsafeChecks("Danger: unsafe checks", 1, 1),
    /// King danger: files at the king without own pawn.
    DangerOpenFiles("Danger: open files", 1, 1),
    /// King danger: the attacker has no queen.
    DangerNoQueen("Danger: no queen", 1, 1),
    /// King danger: squares of the king's wing that are attacked, and that are defended.
    DangerFlank("Danger: wing attacked, defended", 2, 2),
    /// King danger: squares of the ring attacked by pawns.
    DangerPawns("Danger: pawns at ring", 1, 1),
    /// King danger: pieces that alone stand between the king and a slider.
    DangerLines("Danger: lines with one piece between", 1, 1),
    /// King danger: a knight stands by its king.
    DangerKnightDefender("Danger: knight defends", 1, 1),
}

/// The number of all weights.
pub const FEATURES: usize = {
    let last = Term::ALL[Term::ALL.len() - 1];
    START[last as usize] + last.length()
};

/// The index of each term's first weight.
const START: [usize; Term::ALL.len()] = {
    let mut starts = [0; Term::ALL.len()];
    let mut term = 1;
    while term < starts.len() {
        starts[term] = starts[term - 1] + Term::ALL[term - 1].length();
        term += 1;
    }
    starts
};

/// Index of a weight in the list of all weights.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Feature(u16);

impl Feature {
    /// Its index in the list of all weights.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it counts towards king danger, which is not linear (see `danger.rs`).
    pub const fn is_danger(self) -> bool {
        self.index() >= START[Term::DangerBase as usize]
    }
}

impl Term {
    /// The index of the term's weight number `index`.
    #[inline(always)]
    pub const fn at(self, index: usize) -> Feature {
        debug_assert!(index < self.length());
        Feature((START[self as usize] + index) as u16)
    }

    /// Its heading without the list of its weights.
    pub fn name(self) -> &'static str {
        self.heading().split_once(':').filter(|_| !self.is_danger()).map_or(self.heading(), |(name, _)| name)
    }

    /// The indices of all its weights.
    pub const fn range(self) -> std::ops::Range<usize> {
        START[self as usize]..START[self as usize] + self.length()
    }

    /// Whether it counts towards king danger.
    pub const fn is_danger(self) -> bool {
        self.at(0).is_danger()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_lie_side_by_side_and_fill_the_list() {
        let mut next = 0;
        for &term in Term::ALL {
            assert_eq!(term.range().start, next, "{term:?}");
            assert!(term.length() > 0 && term.row() > 0);
            next = term.range().end;
        }
        assert_eq!(next, FEATURES);
    }
}
