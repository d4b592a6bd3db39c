//! Named bugs. With the `mutants` feature, which only tests use, one of them can be switched on, to verify
//! that the tests and the doctor detect it. In a normal build [`active`] is `false` at compile time.

use crate::SearchEvent;
use chess::Color;
use std::borrow::Cow;
use uci::Info;

macro_rules! mutants {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A bug that can be switched on.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Mutant {
            $($(#[$doc])* $name,)*
        }

        impl Mutant {
            /// All of them.
            pub const ALL: &[Mutant] = &[$(Mutant::$name,)*];

            /// The name that switches it on.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Mutant::$name => $text,)*
                }
            }
        }
    };
}

mutants! {
    /// A zero-window search that fails high is repeated at non-PV nodes too.
    ReSearchEverywhere = "re-search-everywhere",
    /// Hash cutoffs ignore the bound.
    BoundIgnored = "bound-ignored",
    /// An exact score is stored as an upper bound.
    ExactStoredAsUpper = "exact-stored-as-upper",
    /// A score that failed low is stored as a lower bound.
    UpperStoredAsLower = "upper-stored-as-lower",
    /// Mate scores in the table are not adjusted by ply.
    MateScoreNotShifted = "mate-score-not-shifted",
    /// Black's piece-square tables are read as White's.
    BlackTablesFlipped = "black-tables-flipped",
    /// The piece-square tables of both sides are upside down.
    TablesUpsideDown = "tables-upside-down",
    /// Black's evaluation has the wrong sign.
    BlackSignFlipped = "black-sign-flipped",
    /// A score equal to beta does not cut off.
    CutoffOnlyAboveBeta = "cutoff-only-above-beta",
    /// Stalemate is scored as mate, and mate as a draw.
    StalemateIsMate = "stalemate-is-mate",
    /// Quiescence search may stand pat in check.
    StandPatInCheck = "stand-pat-in-check",
    /// Null moves are tried without pieces and twice in a row, and never verified.
    NullMoveInZugzwang = "null-move-in-zugzwang",
    /// Repetitions are not detected.
    RepetitionIgnored = "repetition-ignored",
    /// The fifty-move rule is not detected.
    FiftyMovesIgnored = "fifty-moves-ignored",
    /// Every root move is searched with a full window.
    RootFullWindow = "root-full-window",
    /// Only root moves are counted as nodes.
    NodesAtRootOnly = "nodes-at-root-only",
    /// Only a tenth of the time is used.
    ClockTenth = "clock-tenth",
    /// A hash move is played without a legality check.
    HashMoveUnchecked = "hash-move-unchecked",
    /// The table is not cleared for a new game, and hash cutoffs ignore the depth.
    StaleHash = "stale-hash",
    /// Late moves are reduced far too much.
    OverReduction = "over-reduction",
    /// Reverse futility pruning at PV nodes, in check, and without a margin.
    ReverseFutilityEverywhere = "reverse-futility-everywhere",
    /// The worst moves are searched first.
    WorstMoveFirst = "worst-move-first",
    /// The first iteration searches only the first move of the list.
    FirstMoveAtDepthOne = "first-move-at-depth-one",
    /// Quiescence search only searches evasions.
    NoQuiescence = "no-quiescence",
    /// Draws are not detected in quiescence search.
    DrawMissedAtHorizon = "draw-missed-at-horizon",
    /// Hash moves from a1, the square with index 0, are taken for no move.
    MovesFromA1Rejected = "moves-from-a1-rejected",
    /// Scores are reported from White's point of view.
    ScoreFromWhite = "score-from-white",
    /// `searchmoves` is ignored.
    SearchMovesIgnored = "search-moves-ignored",
    /// `nodes` is ignored.
    NodeLimitIgnored = "node-limit-ignored",
    /// The increment is ignored.
    IncrementIgnored = "increment-ignored",
    /// The search continues after the clock has run out.
    ClockOverrun = "clock-overrun",
}

impl Mutant {
    /// The environment variable that selects the bug, in a build with the `mutants` feature.
    pub const VARIABLE: &str = "VEDETTE_MUTANT";

    /// The bug of this name.
    pub fn named(name: &str) -> Option<Mutant> {
        Mutant::ALL.iter().copied().find(|mutant| mutant.name() == name)
    }
}

/// The event as reported with `turn` to move: unchanged, unless a bug is switched on.
#[inline]
pub(crate) fn reported(event: &SearchEvent, turn: Color) -> Cow<'_, SearchEvent> {
    match event {
        SearchEvent::Info(info) if active(Mutant::ScoreFromWhite) && turn == Color::Black => {
            Cow::Owned(SearchEvent::Info(Info { score: info.score.map(|score| -score), ..info.clone() }))
        }
        _ => Cow::Borrowed(event),
    }
}

#[cfg(feature = "mutants")]
mod switch {
    use super::Mutant;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Switches on the bug selected by the environment, if any.
    ///
    /// # Errors
    /// If there is no bug of that name.
    pub fn activate_from_environment() -> Result<(), String> {
        let Ok(name) = std::env::var(Mutant::VARIABLE) else { return Ok(()) };
        let unknown = || format!("{}: unknown bug '{name}'", Mutant::VARIABLE);
        activate(Some(Mutant::named(&name).ok_or_else(unknown)?));
        Ok(())
    }

    static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);

    /// Switches a bug on, or all bugs off.
    pub fn activate(mutant: Option<Mutant>) {
        ACTIVE.store(mutant.map_or(usize::MAX, |mutant| mutant as usize), Relaxed);
    }

    /// Whether this bug is switched on.
    #[inline(always)]
    pub fn active(mutant: Mutant) -> bool {
        ACTIVE.load(Relaxed) == mutant as usize
    }
}

#[cfg(feature = "mutants")]
pub use switch::{activate, activate_from_environment, active};

/// Whether this bug is switched on: never in a normal build.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub const fn active(_: Mutant) -> bool {
    false
}
