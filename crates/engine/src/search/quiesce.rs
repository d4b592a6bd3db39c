//! Quiescence search: captures, promotions and check evasions, until the position is quiet enough for a
//! static evaluation.

use super::node::estimate;
use super::{NodeType, Search, Soundness};
use crate::observe::{MoveCut, NodeCut, Observer, Purpose};
use crate::order::{Picker, Threats};
use crate::params::Params;
use crate::score::MAX_PLY;
use crate::table::{Entry, table_key};
use crate::{Bound, Depth, Score};
use chess::{Move, Position, Role};

/// What is known about a quiescence node before its moves are searched.
struct Standing {
    raw: Score,
    /// The stand-pat score; `Score::NONE` in check.
    best: Score,
}

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// The score of a position by captures, promotions and evasions.
    pub(super) fn quiesce<N: NodeType>(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.observer.enter(ply, Depth::ZERO, alpha, beta, N::PV, true);
        let score = self.quiesce_node::<N>(position, alpha, beta, ply);
        self.observer.exit(score, !self.stopped);
        score
    }

    /// The steps of a node of the quiescence search.
    #[inline(always)]
    fn quiesce_node<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
    ) -> Score {
        self.enter_node::<N>(ply);
        if self.stopped {
            return Score::ZERO;
        }
        if ply > 0
            && S::sees_draws_in_quiescence()
            && let Some(score) = self.drawn(position, ply)
        {
            self.observer.cut_node(NodeCut::Draw, Depth::ZERO);
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.leaf(position, ply);
        }
        if alpha < Score::ZERO && self.can_repeat(position, ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                self.observer.cut_node(NodeCut::Draw, Depth::ZERO);
                return alpha;
            }
        }

        let key = table_key(position);
        let entry = self.probe(key, ply);
        self.observer.probe(entry.is_some());
        if !N::PV
            && let Some(entry) = &entry
            && S::may_cut_off(entry, Depth::ZERO, beta, position.halfmove_clock())
        {
            self.observer.cut_node(NodeCut::Table, Depth::ZERO);
            return entry.score;
        }
        let was_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);

        let standing = self.stand_pat(position, entry.as_ref(), ply);
        if standing.best >= beta {
            self.observer.cut_node(NodeCut::StandPat, Depth::ZERO);
            if entry.is_none() {
                let bound = Some(Bound::Lower);
                let bare =
                    Entry { score: standing.best, bound, ..Entry::only_evaluation(standing.raw, was_pv) };
                self.store(key, ply, bare);
            }
            return between(standing.best, beta);
        }
        if !S::searches_captures() && standing.best != Score::NONE {
            return standing.best;
        }

        let table_move = entry.map_or(Move::NONE, |entry| entry.mv);
        let (mut best, best_move) = self.search_captures::<N>(
            position,
            alpha.max(standing.best),
            beta,
            ply,
            standing.best,
            table_move,
        );
        if self.stopped {
            return Score::ZERO;
        }
        if best >= beta {
            best = between(best, beta);
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry {
            mv: best_move,
            score: best,
            bound: Some(bound),
            ..Entry::only_evaluation(standing.raw, was_pv)
        };
        self.store(key, ply, entry);
        best
    }

    /// Stand pat: the side to move need not capture, so its score is at least the evaluation, or a better
    /// estimate from the table. Not in check.
    #[inline]
    fn stand_pat(&mut self, position: &Position, entry: Option<&Entry>, ply: usize) -> Standing {
        if !S::may_stand_pat(position.in_check()) {
            return Standing { raw: Score::NONE, best: Score::NONE };
        }
        let raw = match entry {
            Some(entry) if entry.evaluation != Score::NONE => entry.evaluation,
            _ => self.raw_evaluation(position),
        };
        let correction = self.correction(&self.features(position, ply));
        let evaluation = self.adjusted(raw, position, correction);
        self.observer.evaluated(evaluation);
        Standing { raw, best: estimate(evaluation, entry) }
    }

    /// Searches captures and promotions, or all evasions, and returns the best score and move.
    #[inline]
    fn search_captures<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: usize,
        stand_pat: Score,
        table_move: Move,
    ) -> (Score, Move) {
        let params = self.params();
        let in_check = position.in_check();
        let usable =
            table_move.some().is_some_and(|mv| position.is_legal(mv) && (in_check || position.is_noisy(mv)));
        let table_move = if usable { table_move } else { Move::NONE };
        let mut picker = if in_check {
            Picker::evasions(table_move)
        } else {
            Picker::noisy(table_move, params.quiescence_exchange())
        };
        let before = self.before(ply);
        let threats = if in_check { Threats::of(position) } else { Threats::NONE };
        let recapture = self.earlier(ply, 1).moved.square();
        let (mut best, mut best_move, mut number) = (stand_pat, Move::NONE, 0);
        let mut child = *position;
        loop {
            let list = &mut self.data.lists[ply];
            let Some(mv) = picker.next(params, position, &self.data.histories, &threats, before, list) else {
                break;
            };
            number += 1;
            if !best.is_loss() && best != Score::NONE {
                if in_check {
                    // One evasion is known: skip further quiet ones.
                    if !position.is_noisy(mv) {
                        self.observer.cut_move(MoveCut::LateMove, Depth::ZERO, mv);
                        picker.skip_quiets();
                        continue;
                    }
                } else if Some(mv.to()) == recapture {
                    // Recaptures are always searched.
                } else if number > 2 && !position.gives_check(mv) {
                    self.observer.cut_move(MoveCut::LateMove, Depth::ZERO, mv);
                    continue;
                } else if let Some(bound) = futile(params, position, mv, stand_pat, alpha) {
                    self.observer.cut_move(MoveCut::Futility, Depth::ZERO, mv);
                    best = best.max(bound);
                    continue;
                }
            }
            self.make(position, mv, ply, &mut child);
            self.observer.approach(Purpose::Capture, mv);
            let score = -self.quiesce::<N>(&child, -beta, -alpha, ply + 1);
            self.unmake();
            if self.stopped {
                return (best, best_move);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = mv;
                    self.observer.improved(mv);
                    alpha = score;
                    if N::PV {
                        self.update_line(ply, mv);
                    }
                    if score >= beta {
                        if position.is_noisy(mv) {
                            self.data.histories.learn_noisy(position, mv, params.history_quiescence());
                        }
                        break;
                    }
                }
            }
        }
        if number == 0
            && let Some(score) = without_moves::<S>(position, best, ply)
        {
            best = score;
        }
        (best, best_move)
    }
}

/// The score of a fail-high in quiescence: halfway to beta, since it is uncertain.
#[inline(always)]
fn between(score: Score, beta: Score) -> Score {
    if score.is_decisive() || beta.is_decisive() { score } else { Score(i32::midpoint(score.0, beta.0)) }
}

/// The score of a node without searched moves, if the game is over. Stalemate is only detected for a side
/// with king and pawns; elsewhere the test costs more than it gains.
#[inline]
fn without_moves<S: Soundness>(position: &Position, best: Score, ply: usize) -> Option<Score> {
    let in_check = position.in_check();
    let over = if in_check {
        best == Score::NONE
    } else {
        !position.has_pieces(position.turn()) && !position.has_legal_move()
    };
    over.then(|| S::score_without_moves(in_check, ply))
}

/// Futility: skips a capture that cannot reach alpha even if the captured piece is free. Its best possible
/// score is an upper bound for the node.
#[inline]
fn futile(params: &Params, position: &Position, mv: Move, stand_pat: Score, alpha: Score) -> Option<Score> {
    let gain = position.captured(mv).map_or(0, Role::exchange_value);
    let most = stand_pat + params.quiescence_futility() + gain;
    let futile = most <= alpha && !mv.is_promotion() && !alpha.is_loss() && !position.gives_check(mv);
    futile.then_some(most)
}
