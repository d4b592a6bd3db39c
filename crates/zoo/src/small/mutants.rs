//! Twenty bugs that authors of engines really make, one of which can be switched on. They were written without a look at
//! the doctor's checks, to find out what it says about bugs that it was not made for.

macro_rules! mutants {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mutant {
            /// No bug.
            Sound,
            $($(#[$doc])* $name,)*
        }

        impl Mutant {
            /// The bug of this name.
            pub fn named(name: &str) -> Option<Mutant> {
                match name {
                    "sound" => Some(Mutant::Sound),
                    $($text => Some(Mutant::$name),)*
                    _ => None,
                }
            }
        }
    };
}

mutants! {
    /// Castling through an attacked square is allowed.
    CastlesThroughCheck = "castles-through-check",
    /// The pawn captured en passant stays on the board.
    EnPassantPawnStays = "en-passant-pawn-stays",
    /// The right to castle with a rook survives its capture.
    RookCaptureKeepsCastling = "rook-capture-keeps-castling",
    /// Pawns promote only to queens, in the opponent's moves too.
    OnlyQueens = "only-queens",
    /// The Zobrist key does not depend on the side to move.
    KeyWithoutSide = "key-without-side",
    /// A hash entry is used whatever position it belongs to.
    KeyNotCompared = "key-not-compared",
    /// `score mate` counts plies instead of moves.
    MateInPlies = "mate-in-plies",
    /// All mates have the same score, however far away.
    MateWithoutPly = "mate-without-ply",
    /// A reduced move that fails high is not searched again at full depth.
    ReducedNotReSearched = "reduced-not-re-searched",
    /// A move that fails high in the zero window is not searched again with the full window.
    ZeroWindowNotReSearched = "zero-window-not-re-searched",
    /// A search that fails outside its aspiration window is taken for exact.
    AspirationFailAccepted = "aspiration-fail-accepted",
    /// When time is up, the aborted iteration replaces the result of the last complete one.
    AbortedIterationAccepted = "aborted-iteration-accepted",
    /// Quiescence search looks at one capture and never at the recapture.
    QuiescenceOnePly = "quiescence-one-ply",
    /// Captures are sorted by the least valuable victim.
    LeastValuableVictim = "least-valuable-victim",
    /// Null moves are tried in check too.
    NullMoveInCheck = "null-move-in-check",
    /// Only White gets a bonus for passed pawns.
    PassedPawnsOfWhite = "passed-pawns-of-white",
    /// A rook is worth 50 centipawns: a zero is missing.
    RookTypo = "rook-typo",
    /// The tables of middlegame and endgame are exchanged.
    PhasesExchanged = "phases-exchanged",
    /// The clock of White is used for both sides.
    ClockOfWhite = "clock-of-white",
    /// Commands are read only after the search: `stop` has no effect.
    StopIgnored = "stop-ignored",
    /// Not one of the twenty, but two bugs of which one hides the other: the first iteration prints -50000, and the
    /// tables are upside down.
    FirstScoreHidesTables = "first-score-hides-tables",
}
