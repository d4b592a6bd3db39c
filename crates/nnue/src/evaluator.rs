//! Incremental evaluation along a line of moves. A search pushes and pops every move; an accumulator is computed only when an
//! evaluation is needed, from the nearest earlier position whose accumulator is known.

use std::sync::Arc;

use chess::{Color, Move, Position, Square};

use crate::cache::RefreshCache;
use crate::change::{BoardChange, PieceAt};
use crate::layers::{Layers, Scratch};
use crate::network::{Network, ROW, Row};
use crate::shape::{KingView, output_bucket};
use crate::simd::SimdPath;

/// Nodes allocated at the start; more are added when needed.
const USUAL_DEPTH: usize = 160;

/// A position of the line.
#[derive(Clone, Copy)]
struct LineNode {
    /// What the move that led here changed.
    change: BoardChange,
    /// By colour: the perspective's view.
    views: [KingView; 2],
    /// By colour: whether the accumulator has been computed.
    ready: [bool; 2],
}

/// Evaluates positions along a line of moves with incrementally updated accumulators.
///
/// ```
/// use std::sync::Arc;
/// use chess::Position;
/// use nnue::{NetworkEvaluator, FloatNetwork, shape::Shape};
/// let network = Arc::new(FloatNetwork::random(Shape::new(64)?, 1).quantise());
/// let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
/// let position = Position::startpos();
/// evaluator.reset(&position);
/// let mv = position.parse_uci("e2e4")?;
/// evaluator.push(&position, mv);
/// let next = position.after(mv);
/// assert_eq!(evaluator.evaluate(&next), network.evaluate_slow(&next));
/// evaluator.pop();
/// assert_eq!(evaluator.evaluate(&position), network.evaluate_slow(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NetworkEvaluator {
    network: Arc<Network>,
    path: SimdPath,
    cache: RefreshCache,
    /// The line from its first position on; `depth` is the index of the current one. Nodes beyond it
    /// are unused.
    nodes: Vec<LineNode>,
    depth: usize,
    /// The accumulators of each node, White's and then Black's.
    units: Vec<Row>,
    scratch: Box<Scratch>,
}

impl NetworkEvaluator {
    /// An evaluator on the fastest SIMD path of this CPU, or the one that the environment selects.
    pub fn new(network: Arc<Network>) -> NetworkEvaluator {
        NetworkEvaluator::with_path(network, SimdPath::chosen())
    }

    /// An evaluator on this SIMD path.
    pub fn with_path(network: Arc<Network>, path: SimdPath) -> NetworkEvaluator {
        let views = Color::ALL.map(|color| network.shape().view(color, Square::E1));
        let node = LineNode { change: BoardChange::Nothing, views, ready: [false; 2] };
        let rows = 2 * network.shape().hidden() / ROW;
        NetworkEvaluator {
            path,
            cache: RefreshCache::new(&network),
            nodes: vec![node; USUAL_DEPTH],
            depth: 0,
            units: vec![Row::ZERO; USUAL_DEPTH * rows],
            scratch: Scratch::new(),
            network,
        }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a line at a position.
    pub fn reset(&mut self, position: &Position) {
        self.depth = 0;
        self.nodes[0] = LineNode {
            change: BoardChange::Nothing,
            views: Color::ALL.map(|color| self.network.shape().view(color, position.king(color))),
            ready: [false; 2],
        };
    }

    /// Makes a move from the current position of the line. A null move need not be pushed: it changes
    /// nothing but the side to move.
    #[inline]
    pub fn push(&mut self, position: &Position, mv: Move) {
        let change = BoardChange::of(position, mv);
        let mut views = self.nodes[self.depth].views;
        if let Some((king, square)) = change.king() {
            views[king.color().index()] = self.network.shape().view(king.color(), square);
        }
        self.depth += 1;
        let node = LineNode { change, views, ready: [false; 2] };
        match self.nodes.get_mut(self.depth) {
            Some(place) => *place = node,
            None => self.grow(node),
        }
    }

    #[cold]
    fn grow(&mut self, node: LineNode) {
        self.nodes.push(node);
        self.units.resize(self.units.len() + 2 * self.rows(), Row::ZERO);
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.depth > 0, "as many moves are taken back as were made");
        self.depth = self.depth.saturating_sub(1);
    }

    /// The evaluation of the current position of the line, in centipawns for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for perspective in Color::ALL {
            if !self.nodes[self.depth].ready[perspective.index()] {
                self.compute(position, perspective);
            }
        }
        let rows = self.rows();
        let (white, black) = self.units[2 * self.depth * rows..][..2 * rows].split_at(rows);
        let units = match position.turn() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        let bucket = output_bucket(position.occupied().count());
        let sum = match &self.network.layers {
            Layers::Single(single) => self.path.weigh(units, single.rows(bucket)),
            Layers::Layered(stacks) => self.path.layered(units, &stacks[bucket], &mut self.scratch),
        };
        self.network.value(bucket, sum)
    }

    /// Rows of one perspective's units.
    #[inline(always)]
    fn rows(&self) -> usize {
        self.network.shape().hidden() / ROW
    }

    /// Computes the accumulator of one perspective at the current position.
    fn compute(&mut self, position: &Position, perspective: Color) {
        if let Some(start) = self.nearest_ready(perspective) {
            for node in start + 1..=self.depth {
                self.advance(node, perspective);
            }
            return;
        }
        let view = self.nodes[self.depth].views[perspective.index()];
        let rows = self.rows();
        let target = &mut self.units[(2 * self.depth + perspective.index()) * rows..][..rows];
        self.cache.refresh(&self.network, self.path, position, perspective, view, target);
        self.nodes[self.depth].ready[perspective.index()] = true;
    }

    /// The nearest earlier node whose accumulator is known, if the perspective's view has not changed since.
    fn nearest_ready(&self, perspective: Color) -> Option<usize> {
        let perspective = perspective.index();
        let view = self.nodes[self.depth].views[perspective];
        let line = self.nodes[..self.depth].iter().rev();
        let mut seen_alike = line.take_while(|node| node.views[perspective] == view);
        let steps = seen_alike.position(|node| node.ready[perspective])?;
        Some(self.depth - 1 - steps)
    }

    /// Computes the accumulator of one perspective at a node from that of the previous node.
    #[inline]
    fn advance(&mut self, node: usize, perspective: Color) {
        let LineNode { change, views, .. } = self.nodes[node];
        let view = views[perspective.index()];
        let rows = self.rows();
        let network = &*self.network;
        let weights =
            |(piece, square): PieceAt| network.feature_rows(view.feature(perspective, piece, square));
        let (before, after) = self.units.split_at_mut(2 * node * rows);
        let source = &before[(2 * (node - 1) + perspective.index()) * rows..][..rows];
        let target = &mut after[perspective.index() * rows..][..rows];
        match change {
            BoardChange::Nothing => target.copy_from_slice(source),
            BoardChange::Move { arrives, leaves } => {
                self.path.update(target, source, [weights(arrives)], [weights(leaves)]);
            }
            BoardChange::Capture { arrives, leaves, taken } => {
                self.path.update(target, source, [weights(arrives)], [weights(leaves), weights(taken)]);
            }
            BoardChange::Castle { arrive, leave } => {
                self.path.update(target, source, arrive.map(weights), leave.map(weights));
            }
        }
        self.nodes[node].ready[perspective.index()] = true;
    }
}
