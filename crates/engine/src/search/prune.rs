//! Pruning of whole nodes and of single moves.

use super::node::{Candidate, NodeContext};
use super::{NonPv, Search, Soundness};
use crate::observe::{MoveCut, NodeCut, Observer, Purpose};
use crate::order::{Picker, PieceTo, Threats};
use crate::params::Params;
use crate::table::{Entry, table_key};
use crate::{Bound, Depth, Score};
use chess::{Move, Position, Role};

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// Whether the evaluation rose since two plies ago (four, if the side was in check then).
    #[inline]
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let now = self.earlier(ply, 0).evaluation;
        let (two, four) = (self.earlier(ply, 2).evaluation, self.earlier(ply, 4).evaluation);
        if now == Score::NONE {
            return false;
        }
        if two == Score::NONE { four != Score::NONE && now > four } else { now > two }
    }

    /// Whether the opponent's evaluation fell with its last move.
    #[inline]
    pub(super) fn is_opponent_worsening(&self, ply: usize) -> bool {
        let (now, before) = (self.earlier(ply, 0).evaluation, self.earlier(ply, 1).evaluation);
        now != Score::NONE && before != Score::NONE && now > -before
    }

    /// Hindsight: adjusts the depth if the move that led here was reduced. If the evaluation did not fall for
    /// its side, a large reduction was too much. If both sides' evaluations add up to a large gain, the move
    /// lost something, and less depth is enough to show it. A search of the same node for another purpose
    /// does not adjust again.
    #[inline]
    pub(super) fn adjust_depth_in_hindsight(&mut self, node: &mut NodeContext) {
        let Some(parent_ply) = node.ply.checked_sub(1) else { return };
        let parent = self.frame(parent_ply);
        let reduction = std::mem::take(&mut parent.reduction);
        if node.evaluation == Score::NONE || parent.evaluation == Score::NONE {
            return;
        }
        if reduction >= Depth::plies(3) && !node.worsening {
            node.depth += Depth::ONE;
        } else if reduction >= Depth::ONE
            && node.depth >= Depth::plies(2)
            && node.evaluation.0 + parent.evaluation.0 > self.params().hindsight_margin()
        {
            node.depth -= Depth::ONE;
        }
    }

    /// Whole-node pruning: a score without searching the moves, if one of the rules applies.
    pub(super) fn prune_node(&mut self, position: &Position, node: &NodeContext) -> Option<Score> {
        if let Some(score) = self.razoring(position, node) {
            self.observer.cut_node(NodeCut::Razoring, node.depth);
            return Some(score);
        }
        if self.stopped {
            return None;
        }
        if let Some(score) = reverse_futility::<S>(self.params(), node)
            && !only_piece_is_pinned(position)
        {
            self.observer.cut_node(NodeCut::ReverseFutility, node.depth);
            return Some(score);
        }
        if let Some(score) = self.null_move(position, node) {
            self.observer.cut_node(NodeCut::NullMove, node.depth);
            return Some(score);
        }
        if self.stopped {
            return None;
        }
        let score = self.probcut(position, node)?;
        self.observer.cut_node(NodeCut::ProbCut, node.depth);
        Some(score)
    }

    /// Razoring: so far below alpha that only a capture can help. If quiescence search finds none, a slightly
    /// deeper search will not either.
    fn razoring(&mut self, position: &Position, node: &NodeContext) -> Option<Score> {
        let depth = node.depth.whole();
        if depth > 4 || node.alpha.is_decisive() {
            return None;
        }
        let params = self.params();
        let margin = params.razoring_base() + params.razoring_margin() * depth * depth / 2;
        if node.estimate + margin > node.alpha {
            return None;
        }
        self.observer.approach(Purpose::Razoring, Move::NONE);
        let score = self.quiesce::<NonPv>(position, node.alpha, node.alpha + 1, node.ply);
        (score <= node.alpha && !self.stopped).then_some(score)
    }

    /// Null move: if we are still above beta after passing, a real move would keep us above it. This fails in
    /// zugzwang, so it is not tried without pieces, with a single pinned piece, or twice in a row, and at
    /// high depth a cutoff is verified by a search without null moves.
    fn null_move(&mut self, position: &Position, node: &NodeContext) -> Option<Score> {
        let params = self.params();
        let NodeContext { depth, beta, ply, estimate, evaluation, .. } = *node;
        let above = params.null_move_evaluation() - params.null_move_improving() * i32::from(node.improving);
        let safe = node.cut_node
            && !self.earlier(ply, 1).null
            && evaluation + params.null_move_evaluation_depth() * depth.whole() >= beta + above
            && ply >= self.null_move_floor
            && position.has_pieces(position.turn())
            && !only_piece_is_pinned(position);
        if depth < Depth::plies(3)
            || position.in_check()
            || estimate < beta
            || beta.is_loss()
            || !S::tries_null_move(safe)
        {
            return None;
        }
        let eager = ((estimate - beta) * Depth::ONE.0 / params.null_move_margin()).min(3 * Depth::ONE.0);
        let reduction = Depth(params.null_move_base() + params.null_move_depth() * depth.whole() + eager);
        let score = self.search_null(position, beta, depth - reduction, ply);
        let score = if score.is_win() { beta } else { score };
        if self.stopped || score < beta {
            self.observer.tried(NodeCut::NullMove, false);
            return None;
        }
        if !S::verifies_null_move(depth) || self.null_move_floor > 0 {
            self.observer.tried(NodeCut::NullMove, true);
            return Some(score);
        }
        // No null move on the next plies of either side, so that a zugzwang shows.
        self.null_move_floor = ply + (3 * (depth - reduction).whole().max(0) / 4) as usize + 1;
        self.observer.approach(Purpose::Verification, Move::NONE);
        let verified = self.search::<NonPv>(position, beta - 1, beta, depth - reduction, ply, false);
        self.null_move_floor = 0;
        let holds = verified >= beta && !self.stopped;
        self.observer.tried(NodeCut::NullMove, holds);
        holds.then_some(score)
    }

    /// The score after the null move.
    fn search_null(&mut self, position: &Position, beta: Score, depth: Depth, ply: usize) -> Score {
        let child = position.after_null();
        self.shared.table.prefetch(table_key(&child));
        let frame = self.frame(ply);
        frame.moved = PieceTo::NONE;
        frame.quiet = None;
        frame.null = true;
        self.keys.push(child.key());
        let null_at = std::mem::replace(&mut self.null_at, self.keys.len() - 1);
        self.observer.approach(Purpose::NullMove, Move::NONE);
        let score = -self.search::<NonPv>(&child, -beta, -beta + 1, depth, ply + 1, false);
        self.null_at = null_at;
        self.keys.pop();
        self.frame(ply).null = false;
        score
    }

    /// ProbCut: a capture that is well above beta in a much shallower search is almost certainly above beta
    /// in the full one.
    fn probcut(&mut self, position: &Position, node: &NodeContext) -> Option<Score> {
        let params = self.params();
        let NodeContext { depth, beta, ply, evaluation, .. } = *node;
        let improving = params.probcut_improving() * i32::from(node.improving);
        let goal = beta + params.probcut_margin() - improving;
        if depth < Depth::plies(5) || beta.is_decisive() || position.in_check() {
            return None;
        }
        let doubted = node.entry.is_some_and(|entry| entry.depth >= depth.whole() - 3 && entry.score < goal);
        if doubted {
            return None;
        }
        let first = node.table_move.some().filter(|&mv| position.is_noisy(mv)).unwrap_or(Move::NONE);
        let mut picker = Picker::noisy(first, (goal - evaluation).max(0));
        let before = self.before(ply);
        let reduced = depth - Depth::plies(4);
        let mut child = *position;
        loop {
            let list = &mut self.data.lists[ply];
            let next = picker.next(params, position, &self.data.histories, &Threats::NONE, before, list);
            let Some(mv) = next else { break };
            self.make(position, mv, ply, &mut child);
            self.observer.approach(Purpose::ProbCut, mv);
            let mut score = -self.quiesce::<NonPv>(&child, -goal, -goal + 1, ply + 1);
            if score >= goal && !self.stopped {
                self.observer.approach(Purpose::ProbCut, mv);
                score = -self.search::<NonPv>(&child, -goal, -goal + 1, reduced, ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.stopped {
                return None;
            }
            if score >= goal {
                self.observer.tried(NodeCut::ProbCut, true);
                let whole = reduced.whole() + 1;
                let entry = Entry {
                    mv,
                    score,
                    evaluation: node.raw,
                    depth: whole,
                    bound: Some(Bound::Lower),
                    was_pv: node.table_pv,
                };
                self.store(node.key, ply, entry);
                return Some(if score.is_decisive() { score } else { score - (goal - beta) });
            }
        }
        self.observer.tried(NodeCut::ProbCut, false);
        None
    }
}

/// A pruned move.
pub(super) struct Cut {
    pub reason: MoveCut,
    /// Fail-soft: the score that it might have reached, or `Score::NONE`.
    pub bound: Score,
}

impl Cut {
    fn by(reason: MoveCut) -> Cut {
        Cut { reason, bound: Score::NONE }
    }
}

/// Whether and why a move is pruned. `reduced` is the depth it would be searched to.
#[inline]
pub(super) fn prune_move(
    params: &Params,
    position: &Position,
    node: &NodeContext,
    candidate: &Candidate,
    reduced: Depth,
    alpha: Score,
) -> Option<Cut> {
    let Candidate { mv, quiet, number, history, .. } = *candidate;
    let depth = node.depth.whole();
    // A quiet move between squares that the opponent does not attack loses nothing.
    let safe = quiet && !node.threats.touch(mv);
    let loses =
        |allowed: i32| (!safe && !position.see_at_least(mv, -allowed)).then(|| Cut::by(MoveCut::Exchange));
    if quiet && late_move_pruning(params, node, number, depth) {
        return Some(Cut::by(MoveCut::LateMove));
    }
    let futile = futility(params, position, node, candidate, reduced, alpha);
    if !quiet {
        if futile.is_some() && !position.gives_check(mv) {
            return futile;
        }
        let allowed = params.exchange_noisy_margin() * depth + history / params.exchange_noisy_history();
        return loses(allowed.max(0));
    }
    if futile.is_some() {
        // Checks are pruned by SEE alone.
        let check = position.gives_check(mv);
        return if check { loses(params.exchange_noisy_margin() * depth) } else { futile };
    }
    loses(params.exchange_quiet_margin() * (reduced.0 / 32).pow(2) / 1024)
}

/// Whether the only piece of the side to move is pinned. Zugzwang is likely then, and the static evaluation
/// unreliable.
#[inline]
fn only_piece_is_pinned(position: &Position) -> bool {
    let side = position.turn();
    let others = position.pieces(side, Role::Pawn) | position.pieces(side, Role::King);
    let pieces = position.colored(side) & !others;
    pieces.any() && !pieces.more_than_one() && (pieces & !position.pinned()).is_empty()
}

/// Reverse futility: so far above beta that no quiet move of the opponent can matter at this depth. Never in
/// check or at PV nodes (the caller ensures it), and never near mate scores; nor with a quiet hash move, which
/// is worth searching. Returns a score between the evaluation and beta.
fn reverse_futility<S: Soundness>(params: &Params, node: &NodeContext) -> Option<Score> {
    let NodeContext { depth, beta, estimate, .. } = *node;
    if depth > Depth::plies(9) || beta.is_loss() || estimate.is_win() || estimate == Score::NONE {
        return None;
    }
    if node.table_move.some().is_some() && !node.table_noisy {
        return None;
    }
    let mut margin = params.reverse_futility_margin() * depth.0 / Depth::ONE.0;
    margin += params.reverse_futility_correction() * node.correction / 1024;
    if node.improving {
        margin -= params.reverse_futility_improving();
    }
    if node.worsening {
        margin -= params.reverse_futility_worsening();
    }
    (estimate - S::reverse_futility_margin(margin).max(15) >= beta)
        .then(|| Score((estimate.0 + 2 * beta.0) / 3))
}

/// Late-move pruning: at low depth, skip quiet moves late in the list.
#[inline(always)]
fn late_move_pruning(params: &Params, node: &NodeContext, number: usize, depth: i32) -> bool {
    let allowed = params.late_move_base() + depth * depth;
    let allowed = if node.improving { allowed } else { allowed / 2 + 1 };
    number as i32 > allowed
}

/// Futility: so far below alpha that the move cannot raise it. The bound is an optimistic guess of its score.
#[inline(always)]
fn futility(
    params: &Params,
    position: &Position,
    node: &NodeContext,
    candidate: &Candidate,
    reduced: Depth,
    alpha: Score,
) -> Option<Cut> {
    let Candidate { mv, quiet, history, .. } = *candidate;
    if node.in_check || alpha.is_decisive() || reduced >= Depth::plies(if quiet { 9 } else { 7 }) {
        return None;
    }
    let gain = if quiet {
        history / params.futility_history()
    } else {
        let promoted = Role::Queen.exchange_value() - Role::Pawn.exchange_value();
        position.captured(mv).map_or(0, Role::exchange_value)
            + promoted * i32::from(mv.is_promotion())
            + history / params.futility_noisy_history()
    };
    let margin = params.futility_base() + params.futility_margin() * reduced.0 / Depth::ONE.0;
    let bound = node.evaluation + margin + gain;
    (bound <= alpha).then_some(Cut { reason: MoveCut::Futility, bound })
}
