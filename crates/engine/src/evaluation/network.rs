//! Which evaluation judges positions, and one thread's share of it: the search tells its moves to an
//! [`Assessor`] and asks it for values.

use std::sync::Arc;

use chess::{Move, Position};
use nnue::Network;

use super::{Evaluator, LIMIT};

/// The two ways to judge a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationKind {
    /// By a network.
    Network,
    /// By rules and weights.
    Classical,
}

impl EvaluationKind {
    /// Both.
    pub const ALL: [EvaluationKind; 2] = [EvaluationKind::Network, EvaluationKind::Classical];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluationKind::Network => "network",
            EvaluationKind::Classical => "classical",
        }
    }
}

impl Default for EvaluationKind {
    /// By network, if there is one inside the program.
    fn default() -> Self {
        Evaluation::default().kind()
    }
}

/// What judges positions.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// This network.
    Network(Arc<Network>),
    /// Rules and weights.
    Classical,
}

impl Default for Evaluation {
    /// The network inside the program, if there is one.
    fn default() -> Self {
        embedded().map_or(Evaluation::Classical, Evaluation::Network)
    }
}

impl Evaluation {
    /// Which of the two ways it is.
    pub fn kind(&self) -> EvaluationKind {
        match self {
            Evaluation::Network(_) => EvaluationKind::Network,
            Evaluation::Classical => EvaluationKind::Classical,
        }
    }
}

/// The network inside the program. One that cannot be used counts as none; a test of `nnue` refuses it.
pub(crate) fn embedded() -> Option<Arc<Network>> {
    nnue::embedded().ok().flatten().map(|(network, _)| network)
}

/// One thread's evaluation of the positions along its line of moves.
pub(crate) enum Assessor {
    Network(nnue::Evaluator),
    Classical(Evaluator),
}

impl Assessor {
    pub fn new(evaluation: &Evaluation) -> Assessor {
        match evaluation {
            Evaluation::Network(network) => Assessor::Network(nnue::Evaluator::new(Arc::clone(network))),
            Evaluation::Classical => Assessor::Classical(Evaluator::new()),
        }
    }

    /// Whether it judges by this evaluation.
    pub fn uses(&self, evaluation: &Evaluation) -> bool {
        match (self, evaluation) {
            (Assessor::Network(own), Evaluation::Network(network)) => Arc::ptr_eq(own.network(), network),
            (Assessor::Classical(_), Evaluation::Classical) => true,
            _ => false,
        }
    }

    /// Begins a line of moves.
    pub fn begin(&mut self, position: &Position) {
        if let Assessor::Network(evaluator) = self {
            evaluator.reset(position);
        }
    }

    /// A move is made in a position, the last of the line. Null moves are not told.
    #[inline(always)]
    pub fn push(&mut self, position: &Position, mv: Move) {
        if let Assessor::Network(evaluator) = self {
            evaluator.push(position, mv);
        }
    }

    /// The last move is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Assessor::Network(evaluator) = self {
            evaluator.pop();
        }
    }

    /// What the last position of the line is worth to the side to move, in centipawns, below [`LIMIT`] in
    /// size.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        match self {
            Assessor::Network(evaluator) => evaluator.evaluate(position).clamp(1 - LIMIT, LIMIT - 1),
            Assessor::Classical(evaluator) => evaluator.evaluate(position),
        }
    }

    /// Forgets what it has seen. It changes no value.
    pub fn clear(&mut self) {
        if let Assessor::Classical(evaluator) = self {
            evaluator.clear();
        }
    }
}
