//! Named bugs. Under the `mutants` feature, which only tests use, one of them can be switched on, so that
//! the tests and the doctor prove that they would see it. In a normal build every question is answered
//! `false` at compile time.

use crate::Event;
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
    /// A zero-window search that fails high is repeated at zero-window nodes too.
    ReSearchEverywhere = "re-search-everywhere",
    /// The table's bound is not looked at.
    BoundIgnored = "bound-ignored",
    /// An exact score is stored as an upper bound.
    ExactStoredAsUpper = "exact-stored-as-upper",
    /// A score that failed low is stored as a lower bound.
    UpperStoredAsLower = "upper-stored-as-lower",
    /// Mate scores in the table are not counted from the stored position.
    MateScoreNotShifted = "mate-score-not-shifted",
    /// Black's piece-square tables are read as White's.
    BlackTablesFlipped = "black-tables-flipped",
    /// The piece-square tables of both sides are upside down.
    TablesUpsideDown = "tables-upside-down",
    /// Black's evaluation has the wrong sign.
    BlackSignFlipped = "black-sign-flipped",
    /// A move that equals beta does not cut off.
    CutoffOnlyAboveBeta = "cutoff-only-above-beta",
    /// Stalemate is scored as mate, and mate as a draw.
    StalemateIsMate = "stalemate-is-mate",
    /// Quiescence search may stand pat in check.
    StandPatInCheck = "stand-pat-in-check",
    /// The null move is tried without pieces, twice in a row too, and never verified.
    NullMoveInZugzwang = "null-move-in-zugzwang",
    /// Repetitions are not seen.
    RepetitionIgnored = "repetition-ignored",
    /// The fifty-move rule is not seen.
    FiftyMovesIgnored = "fifty-moves-ignored",
    /// Every root move is searched with a full window.
    RootFullWindow = "root-full-window",
    /// Only root moves are counted as nodes.
    NodesAtRootOnly = "nodes-at-root-only",
    /// A tenth of the time is used.
    ClockTenth = "clock-tenth",
    /// A hash move is played without asking whether it is legal.
    HashMoveUnchecked = "hash-move-unchecked",
    /// The table survives into the next game and its scores are believed at any depth.
    StaleHash = "stale-hash",
    /// Late moves are reduced far too much.
    OverReduction = "over-reduction",
    /// Reverse futility pruning works at principal variation nodes, in check, and without a margin.
    ReverseFutilityEverywhere = "reverse-futility-everywhere",
    /// Moves are searched in the order of worst first.
    WorstMoveFirst = "worst-move-first",
    /// A single iteration answers nothing but the first move of the list.
    FirstMoveAtDepthOne = "first-move-at-depth-one",
    /// Quiescence looks at no move unless the side to move is in check.
    NoQuiescence = "no-quiescence",
    /// Draws by the rules are not looked for at the leaves.
    DrawMissedAtHorizon = "draw-missed-at-horizon",
    /// Hash moves that start at a1, the square with the number zero, are thought to be no moves.
    MovesFromA1Rejected = "moves-from-a1-rejected",
    /// Scores are reported from White's view instead of the side to move's.
    ScoreFromWhite = "score-from-white",
    /// `searchmoves` is not obeyed.
    SearchMovesIgnored = "search-moves-ignored",
    /// A limit of nodes is not obeyed.
    NodeLimitIgnored = "node-limit-ignored",
    /// What a move adds to the clock is not counted on.
    IncrementIgnored = "increment-ignored",
    /// The search goes on when the flag has fallen.
    ClockOverrun = "clock-overrun",
}

impl Mutant {
    /// The environment variable that names the bug of a program built with the `mutants` feature.
    pub const VARIABLE: &str = "VEDETTE_MUTANT";

    /// The bug of this name.
    pub fn named(name: &str) -> Option<Mutant> {
        Mutant::ALL.iter().copied().find(|mutant| mutant.name() == name)
    }
}

/// What the listener gets of an event when `turn` is to move: the event itself, unless a bug is switched on.
#[inline]
pub(crate) fn told(event: &Event, turn: Color) -> Cow<'_, Event> {
    match event {
        Event::Info(info) if active(Mutant::ScoreFromWhite) && turn == Color::Black => {
            Cow::Owned(Event::Info(Info { score: info.score.map(|score| -score), ..info.clone() }))
        }
        _ => Cow::Borrowed(event),
    }
}

#[cfg(feature = "mutants")]
mod switch {
    use super::Mutant;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Switches on the bug that the environment names, if it names one.
    ///
    /// # Errors
    /// There is no bug of that name.
    pub fn activate_from_environment() -> Result<(), String> {
        let Ok(name) = std::env::var(Mutant::VARIABLE) else { return Ok(()) };
        let unknown = || format!("{}: there is no bug '{name}'", Mutant::VARIABLE);
        activate(Some(Mutant::named(&name).ok_or_else(unknown)?));
        Ok(())
    }

    static ACTIVE: AtomicUsize = AtomicUsize::new(usize::MAX);

    /// Switches one bug on, or all off.
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

/// Whether this bug is switched on: never, in a normal build.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub const fn active(_: Mutant) -> bool {
    false
}
