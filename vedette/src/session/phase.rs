//! What a session's engine is doing: the states of the session, and what they mean for it.

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing.
    Idle,
    /// A search on the engine's own time.
    Thinking {
        /// Whether it ends without `stop`.
        ends_by_itself: bool,
    },
    /// A search on the opponent's time.
    Pondering {
        /// Whether it ends without `stop` once `ponderhit` has come.
        ends_by_itself: bool,
    },
    /// A search that was told to stop; `bestmove` is on its way.
    Stopping,
    /// `bench` or `go perft`.
    Counting,
}

impl Phase {
    /// Whether a search runs, be it about to stop.
    pub fn is_search(self) -> bool {
        !matches!(self, Phase::Idle | Phase::Counting)
    }

    /// Whether it would go on for ever without a further command.
    pub fn is_endless(self) -> bool {
        matches!(self, Phase::Thinking { ends_by_itself: false } | Phase::Pondering { .. })
    }
}
