//! The choice between the evaluations, and one thread's evaluator: the search reports its moves to an
//! [`Assessor`] and gets values from it.

use std::sync::Arc;

use chess::{Color, Move, Position};
use nnue::Network;

use super::{Evaluator, LIMIT};

/// The two evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationKind {
    /// A neural network (NNUE).
    Network,
    /// The classical, hand-crafted evaluation (HCE).
    Classical,
}

impl EvaluationKind {
    /// Both.
    pub const ALL: [EvaluationKind; 2] = [EvaluationKind::Network, EvaluationKind::Classical];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluationKind::Network => "network",
            EvaluationKind::Classical => "classical",
        }
    }
}

impl Default for EvaluationKind {
    /// The network, if there is a built-in one.
    fn default() -> Self {
        Evaluation::default().kind()
    }
}

/// An evaluation.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// This network.
    Network(Arc<Network>),
    /// The classical evaluation.
    Classical,
}

impl Default for Evaluation {
    /// The built-in network, if there is one.
    fn default() -> Self {
        embedded().map_or(Evaluation::Classical, Evaluation::Network)
    }
}

impl Evaluation {
    /// Which of the two it is.
    pub fn kind(&self) -> EvaluationKind {
        match self {
            Evaluation::Network(_) => EvaluationKind::Network,
            Evaluation::Classical => EvaluationKind::Classical,
        }
    }

    /// Whether it is the same evaluation; networks are compared by identity.
    pub(crate) fn is(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::Network(own), Evaluation::Network(network)) => Arc::ptr_eq(own, network),
            (Evaluation::Classical, Evaluation::Classical) => true,
            _ => false,
        }
    }
}

/// The built-in network. An unusable one counts as none; a test of `nnue` rejects it.
pub(crate) fn embedded() -> Option<Arc<Network>> {
    nnue::embedded().ok().flatten().map(|(network, _)| network)
}

/// Whether one side has only its king left. Such positions always get the classical evaluation, which drives
/// the king to where it can be mated. Self-play games are adjudicated earlier, so networks were not trained
/// to mate.
#[inline(always)]
pub(crate) fn has_bare_king(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| !position.colored(color).more_than_one())
}

/// One thread's evaluation of the positions along its line of moves.
pub(crate) struct Assessor {
    evaluation: Evaluation,
    network: Option<nnue::NetworkEvaluator>,
    classical: Evaluator,
}

impl Assessor {
    pub fn new(evaluation: &Evaluation) -> Assessor {
        let network = match evaluation {
            Evaluation::Network(network) => Some(nnue::NetworkEvaluator::new(Arc::clone(network))),
            Evaluation::Classical => None,
        };
        Assessor { evaluation: evaluation.clone(), network, classical: Evaluator::new() }
    }

    /// Whether it uses this evaluation.
    pub fn uses(&self, evaluation: &Evaluation) -> bool {
        self.evaluation.is(evaluation)
    }

    /// Starts a line of moves.
    pub fn begin(&mut self, position: &Position) {
        if let Some(network) = &mut self.network {
            network.reset(position);
        }
    }

    /// A move is made in the last position of the line. Null moves are not reported.
    #[inline(always)]
    pub fn push(&mut self, position: &Position, mv: Move) {
        if let Some(network) = &mut self.network {
            network.push(position, mv);
        }
    }

    /// The last move is taken back.
    #[inline(always)]
    pub fn pop(&mut self) {
        if let Some(network) = &mut self.network {
            network.pop();
        }
    }

    /// The evaluation of the last position of the line for the side to move, in centipawns, below [`LIMIT`] in
    /// size.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        match &mut self.network {
            Some(network) if !has_bare_king(position) => {
                let value = network.evaluate(position);
                #[cfg(test)]
                tests::check(network, position, value);
                value.clamp(1 - LIMIT, LIMIT - 1)
            }
            _ => self.classical.evaluate(position),
        }
    }

    /// Clears its caches. This changes no value.
    pub fn clear(&mut self) {
        self.classical.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Limits, OptionError, Searcher};
    use chess::Game;
    use nnue::FloatNetwork;
    use nnue::shape::Shape;

    /// The width of the networks in these tests.
    const HIDDEN: usize = 64;

    /// Compares every value of the tests' small networks with the slow evaluation, which detects a search
    /// that does not report a move or does not undo it.
    pub fn check(evaluator: &nnue::NetworkEvaluator, position: &Position, value: i32) {
        let network = evaluator.network();
        if network.shape().hidden() == HIDDEN {
            assert_eq!(value, network.evaluate_slow(position), "{position:?}");
        }
    }

    fn random(seed: u64) -> Arc<Network> {
        Arc::new(FloatNetwork::random(Shape::new(HIDDEN).unwrap(), seed).quantise())
    }

    #[test]
    fn search_keeps_accumulators_in_sync() {
        let mut searcher = Searcher::with_evaluation(1, Evaluation::Network(random(1))).unwrap();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let found = searcher.search_silent(&game, Limits::nodes(20_000));
            assert!(found.nodes >= 20_000 && game.position().is_legal(found.best.unwrap()), "{fen}");
        }
    }

    #[test]
    fn network_search_is_symmetric() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let [found, mirrored] = [position, position.color_mirrored()].map(|position| {
                let mut searcher = Searcher::with_evaluation(1, Evaluation::Network(random(4))).unwrap();
                searcher.search_silent(&Game::new(position), Limits::depth(7))
            });
            assert_eq!((found.score, found.nodes), (mirrored.score, mirrored.nodes), "{fen}");
        }
    }

    #[test]
    fn bare_king_is_evaluated_classically() {
        let mut by_network = Assessor::new(&Evaluation::Network(random(1)));
        let mut by_rules = Assessor::new(&Evaluation::Classical);
        let mut both = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            by_network.begin(&position);
            (by_network.evaluate(&position), by_rules.evaluate(&position))
        };
        for fen in ["4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k2r/8/8/8/8/8/8/4K3 w - - 0 1"] {
            let (network, classical) = both(fen);
            assert_eq!(network, classical, "{fen}");
        }
        let (network, classical) = both("4k3/p7/8/8/8/8/8/3QK3 w - - 0 1");
        assert_ne!(network, classical);
    }

    #[test]
    fn network_and_classical_trees_differ() {
        let nodes = |evaluation| {
            let mut searcher = Searcher::with_evaluation(1, evaluation).unwrap();
            searcher.search_silent(&Game::default(), Limits::depth(6)).nodes
        };
        let (first, second) = (random(1), random(2));
        assert_eq!(nodes(Evaluation::Network(Arc::clone(&first))), nodes(Evaluation::Network(random(1))));
        assert_ne!(nodes(Evaluation::Network(first)), nodes(Evaluation::Network(second)));
        assert_ne!(nodes(Evaluation::Network(random(1))), nodes(Evaluation::Classical));
    }

    #[test]
    fn failed_change_keeps_old_evaluation() {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        assert_eq!(engine.evaluation().kind(), EvaluationKind::Classical);
        if embedded().is_none() {
            assert_eq!(engine.set_evaluation(EvaluationKind::Network), Err(OptionError::NoNetwork));
            assert_eq!(engine.evaluation().kind(), EvaluationKind::Classical);
        }
        engine.set_network(Some(random(3))).unwrap();
        assert_eq!(engine.evaluation().kind(), EvaluationKind::Classical);
        engine.set_evaluation(EvaluationKind::Network).unwrap();
        let Evaluation::Network(network) = engine.evaluation() else { panic!("no network") };
        assert_eq!(network, random(3));
        if embedded().is_none() {
            assert_eq!(engine.set_network(None), Err(OptionError::NoNetwork));
            assert_eq!(engine.evaluation().kind(), EvaluationKind::Network);
        }
        engine.set_evaluation(EvaluationKind::Classical).unwrap();
        assert_eq!(engine.options().evaluation, EvaluationKind::Classical);
    }

    #[test]
    fn loaded_network_is_used_unless_classical() {
        let mut engine = Engine::new();
        engine.set_network(Some(random(3))).unwrap();
        assert_eq!(engine.options().evaluation, EvaluationKind::Network);
        engine.set_network(None).unwrap();
        assert_eq!(engine.options().evaluation, EvaluationKind::default());
        engine.set_evaluation(EvaluationKind::Classical).unwrap();
        engine.set_network(Some(random(3))).unwrap();
        assert_eq!(engine.options().evaluation, EvaluationKind::Classical);
    }
}
