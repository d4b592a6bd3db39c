//! History updates after a node, for move ordering and for the correction of the evaluation.

use super::node::{NodeContext, Tried};
use super::{Search, Soundness};
use crate::observe::Observer;
use crate::order::Features;
use crate::order::correction::is_correction;
use crate::order::history::{bonus, malus};
use crate::{Bound, Depth, Score};
use chess::{Move, Position};

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// A bonus for the best move, penalties for those searched before it.
    pub(super) fn learn_from_best_move(
        &mut self,
        position: &Position,
        node: &NodeContext,
        best: Move,
        quiets: &Tried,
        noisies: &Tried,
    ) {
        if best.is_none() {
            return;
        }
        let params = self.params();
        let before = self.before(node.ply);
        let (reward, charge) = (bonus(params, node.depth), malus(params, node.depth));
        let histories = &mut self.data.histories;
        if position.is_noisy(best) {
            histories.learn_noisy(position, best, reward);
        } else {
            histories.learn_quiet(position, node.threats, before, best, reward);
            for &mv in quiets.as_slice() {
                histories.learn_quiet(position, node.threats, before, mv, charge);
            }
        }
        for &mv in noisies.as_slice() {
            histories.learn_noisy(position, mv, charge);
        }
    }

    /// After a fail-low: a bonus for the opponent's last move.
    pub(super) fn learn_from_fail_low(&mut self, node: &NodeContext) {
        let parent = *self.earlier(node.ply, 1);
        if node.ply == 0 || parent.null {
            return;
        }
        let before =
            [self.earlier(node.ply, 2).moved, self.earlier(node.ply, 3).moved, crate::order::PieceTo::NONE];
        let bonus_for_reply = bonus(self.params(), node.depth) * self.params().history_fail_low() / 1024;
        self.data.histories.learn_continuation(before, parent.moved, bonus_for_reply);
    }

    /// After a hash cutoff by a quiet move: its bonus without a search.
    pub(super) fn learn_from_table_cutoff(
        &mut self,
        position: &Position,
        mv: Move,
        depth: Depth,
        ply: usize,
    ) {
        let before = self.before(ply);
        let threats = position.attacked_by(!position.turn());
        self.data.histories.learn_quiet(position, threats, before, mv, bonus(self.params(), depth));
    }

    /// After a full-depth re-search of a reduced move: an immediate bonus or penalty.
    pub(super) fn learn_from_reduced_search(
        &mut self,
        ply: usize,
        depth: Depth,
        score: Score,
        alpha: Score,
        beta: Score,
    ) {
        let moved = self.earlier(ply, 0).moved;
        let before = self.before(ply);
        if score <= alpha {
            self.data.histories.learn_continuation(before, moved, malus(self.params(), depth));
        } else if score >= beta {
            self.data.histories.learn_continuation(before, moved, bonus(self.params(), depth));
        }
    }

    /// Updates the correction history with the search score.
    pub(super) fn learn_correction(
        &mut self,
        features: &Features,
        depth: Depth,
        score: Score,
        evaluation: Score,
        bound: Bound,
    ) {
        if is_correction(score, evaluation, bound) {
            self.data.corrections.learn(features, depth, score - evaluation);
        }
    }
}
