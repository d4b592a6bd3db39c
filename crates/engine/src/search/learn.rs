//! History updates after a node, for move ordering and for the correction of the evaluation.

use super::node::{NodeContext, Tried};
use super::{Search, Soundness};
use crate::observe::Observer;
use crate::order::correction::is_correction;
use crate::order::history::{bonus, malus};
use crate::order::{Features, PieceTo};
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
            let confirmed = if best == node.table_move { params.history_confirmed() } else { 1024 };
            histories.learn_quiet(position, node.threats.all, before, best, reward * confirmed / 1024);
            for (index, &mv) in quiets.as_slice().iter().enumerate() {
                // The earlier a move was tried, the larger its penalty.
                let share =
                    params.history_malus_first() - params.history_malus_later() * index.min(16) as i32;
                histories.learn_quiet(position, node.threats.all, before, mv, charge * share / 1024);
            }
        }
        for &mv in noisies.as_slice() {
            histories.learn_noisy(position, mv, charge);
        }
    }

    /// After a fail-low: a bonus for the opponent's last move, the larger the more it surprised.
    pub(super) fn learn_from_fail_low(&mut self, node: &NodeContext, best: Score) {
        let parent = *self.earlier(node.ply, 1);
        if node.ply == 0 || parent.null {
            return;
        }
        let params = self.params();
        let mut share =
            params.history_fail_low() + params.history_fail_low_depth() * node.depth.whole().min(9);
        if parent.number > 8 {
            share += params.history_fail_low_late();
        }
        if node.evaluation != Score::NONE && best + 30 <= node.evaluation {
            share += params.history_fail_low_surprise();
        }
        if parent.evaluation != Score::NONE && best + 20 <= -parent.evaluation {
            share += params.history_fail_low_surprise();
        }
        let reward = bonus(params, node.depth) * share / 1024;
        let before = [self.earlier(node.ply, 2).moved, self.earlier(node.ply, 3).moved, PieceTo::NONE];
        self.data.histories.learn_continuation(before, parent.moved, reward);
        if let Some(place) = parent.quiet {
            self.data.histories.learn_place(place, reward / 2, reward);
        }
    }

    /// After a fail-high: a penalty for the opponent's last move, if it was quiet and one of its first `most` moves.
    pub(super) fn learn_from_refutation(&mut self, ply: usize, depth: Depth, most: usize) {
        let parent = *self.earlier(ply, 1);
        if parent.quiet.is_none() || parent.number > most {
            return;
        }
        let before = [self.earlier(ply, 2).moved, self.earlier(ply, 3).moved, self.earlier(ply, 5).moved];
        let charge = malus(self.params(), depth + Depth::ONE);
        self.data.histories.learn_continuation(before, parent.moved, charge);
    }

    /// A bonus or penalty for the opponent's last quiet move by the change of the static evaluation.
    #[inline]
    pub(super) fn learn_from_evaluation(&mut self, ply: usize, evaluation: Score) {
        let parent = self.earlier(ply, 1);
        let Some(place) = parent.quiet else { return };
        if evaluation == Score::NONE || parent.evaluation == Score::NONE {
            return;
        }
        let gain = (-(evaluation.0 + parent.evaluation.0)).clamp(-54, 42) + 16;
        let params = self.params();
        let (main, pawn) = (params.history_evaluation() * gain, params.history_evaluation_pawn() * gain);
        self.data.histories.learn_place(place, main, pawn);
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
            let params = self.params();
            self.data.corrections.learn(params, features, depth, score - evaluation);
        }
    }
}
