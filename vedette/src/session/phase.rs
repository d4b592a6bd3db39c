//! The states of a session.

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Idle,
    /// A search on the engine's own time.
    Searching {
        /// Whether it ends without `stop`.
        ends_by_itself: bool,
    },
    /// A search on the opponent's time.
    Pondering {
        /// Whether it ends without `stop` once `ponderhit` has come.
        ends_by_itself: bool,
    },
    /// A search after `stop`; `bestmove` is on its way.
    Stopping,
    /// `bench`, `speedtest`, `genfens` or `go perft`.
    Job,
}

impl Phase {
    /// Whether a search is running, even if it is about to stop.
    pub fn is_search(self) -> bool {
        !matches!(self, Phase::Idle | Phase::Job)
    }

    /// Whether it would never end without a further command.
    pub fn is_endless(self) -> bool {
        matches!(self, Phase::Searching { ends_by_itself: false } | Phase::Pondering { .. })
    }
}
