//! Principal variation search: the first move of a PV node is searched with the full window, every other move
//! with a zero window. If that fails high, and only at PV nodes, the move is re-searched with the full
//! window.

use super::prune::prune_move;
use super::{NodeType, NonPv, Search, Soundness};
use crate::observe::{MoveCut, NodeCut, Observer, Purpose, Visit};
use crate::order::{Features, Killers, Picker, QuietPlace, ScoredMoves, Threats};
use crate::score::MAX_PLY;
use crate::table::{Entry, table_key};
use crate::{Bound, Depth, Score};
use chess::{Move, Position};

/// How much deeper than the node a score of the tablebases is stored.
const TABLEBASE_DEPTH: i32 = 6;

/// The moves of a node that were searched without success, for the histories.
pub(super) struct Tried {
    moves: [Move; 32],
    len: usize,
}

impl Tried {
    const NONE: Tried = Tried { moves: [Move::NONE; 32], len: 0 };

    #[inline(always)]
    fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = mv;
            self.len += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

/// The state of the move loop.
struct Findings {
    best: Score,
    best_move: Move,
    best_number: usize,
    /// Moves so far, skipped ones included.
    number: usize,
    quiets: Tried,
    noisies: Tried,
}

/// The result of the move loop.
enum Outcome {
    /// Its moves were searched.
    Searched(Findings),
    /// Multi-cut: several moves beat beta in a shallower search.
    MultiCut(Score),
    /// There was no legal move.
    NoMove,
}

/// What is known about a node: window, depth, evaluation and table entry.
#[allow(clippy::struct_excessive_bools)] // Independent flags.
pub(super) struct NodeContext {
    /// The depth of the node, after adjustments.
    pub depth: Depth,
    /// The window of the node. The move loop has its own alpha.
    pub alpha: Score,
    pub beta: Score,
    pub ply: usize,
    /// Expected to fail high.
    pub cut_node: bool,
    pub in_check: bool,
    /// The excluded move, or none.
    pub excluded: Move,
    /// The key of the position in the transposition table.
    pub key: u64,
    pub entry: Option<Entry>,
    pub table_move: Move,
    /// A PV node, or one that was a PV node before (TT PV).
    pub table_pv: bool,
    /// The correction history entries of the position.
    pub features: Features,
    /// The size of the correction: how uncertain the evaluation is.
    pub correction: i32,
    /// The static evaluation before correction.
    pub raw: Score,
    /// The corrected static evaluation, or `Score::NONE` in check.
    pub evaluation: Score,
    /// The evaluation, or a better estimate from the table.
    pub estimate: Score,
    /// The evaluation rose since the side's previous move.
    pub improving: bool,
    /// The opponent's evaluation fell with its last move.
    pub worsening: bool,
    /// The table move is a capture or promotion.
    pub table_noisy: bool,
    /// The squares that the opponent attacks; computed when the moves are searched.
    pub threats: Threats,
}

impl NodeContext {
    /// Step 6, internal iterative reduction: a PV or cut node without a table move, or with one from a much
    /// shallower search, is searched one ply less. The next visit will have a better hash move.
    #[inline(always)]
    fn reduce_without_table_move<N: NodeType>(&mut self) {
        if (N::PV || self.cut_node) && self.depth >= Depth::plies(4) && self.excluded.is_none() {
            let shallow = self.entry.is_some_and(|entry| entry.depth + 4 < self.depth.whole());
            if self.table_move.is_none() || shallow {
                self.depth -= Depth::ONE;
            }
        }
    }
}

/// A move of the move loop.
pub(super) struct Candidate {
    pub mv: Move,
    pub quiet: bool,
    /// Its number, from 1.
    pub number: usize,
    /// Its history.
    pub history: i32,
    /// The score of the best move before it.
    pub best: Score,
}

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// The score of a position within a window, fail-soft. `cut_node` says that the node is expected to
    /// fail high.
    pub(super) fn search<N: NodeType>(
        &mut self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth < Depth::ONE {
            return self.quiesce::<N>(position, alpha, beta, ply);
        }
        self.observer.enter(ply, depth, alpha, beta, N::PV, false);
        let score = self.search_node::<N>(position, alpha, beta, depth, ply, cut_node);
        self.observer.exit(score, !self.stopped);
        score
    }

    /// The steps of a node of the main search.
    #[inline(always)]
    fn search_node<N: NodeType>(
        &mut self,
        position: &Position,
        mut alpha: Score,
        mut beta: Score,
        depth: Depth,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        // Step 1: count the node and check the limits.
        self.enter_node::<N>(ply);
        if self.stopped {
            return Score::ZERO;
        }

        // Step 2: draws and mate-distance pruning.
        if !N::ROOT
            && let Some(score) = self.settled(position, &mut alpha, &mut beta, depth, ply)
        {
            return score;
        }

        // Step 3: probe the transposition table.
        let excluded = self.frame(ply).excluded;
        let key = table_key(position);
        let entry = if excluded.is_none() { self.probe(key, ply) } else { None };
        self.observer.probe(entry.is_some());
        let table_move = self.table_move::<N>(position, entry.as_ref());
        if !N::PV
            && let Some(entry) = &entry
            && let Some(score) = self.table_cutoff(position, entry, table_move, beta, depth, ply)
        {
            return score;
        }
        let table_pv = N::PV || entry.is_some_and(|entry| entry.was_pv);

        // Tablebases: a result, or a limit of the score.
        let mut limits = (-Score::INFINITE, Score::INFINITE);
        if let Some((score, bound)) = self.probe_tables::<N>(position, excluded, depth, ply) {
            if bound.decides(score, beta) && (bound != Bound::Upper || score <= alpha) {
                return self.tablebase_cutoff(key, score, bound, depth, ply, table_pv);
            }
            if N::PV {
                limits = if bound == Bound::Lower { (score, limits.1) } else { (limits.0, score) };
                alpha = alpha.max(limits.0);
            }
        }

        // Step 4: the static evaluation.
        let in_check = position.in_check();
        let features = self.features(position, ply);
        let (raw, evaluation, correction) = self.evaluate_node(position, entry.as_ref(), &features, ply);
        self.prepare_frames(ply, evaluation, table_pv);
        if excluded.is_none() {
            self.learn_from_evaluation(ply, evaluation);
        }
        if !in_check && entry.is_none() && excluded.is_none() {
            self.store(key, ply, Entry::only_evaluation(raw, table_pv));
        }
        let mut node = NodeContext {
            depth,
            alpha,
            beta,
            ply,
            cut_node,
            in_check,
            excluded,
            key,
            entry,
            table_move,
            table_pv,
            features,
            correction: correction.abs(),
            raw,
            evaluation,
            estimate: estimate(evaluation, entry.as_ref()),
            improving: self.is_improving(ply),
            worsening: self.is_opponent_worsening(ply),
            table_noisy: table_move.some().is_some_and(|mv| position.is_noisy(mv)),
            threats: Threats::NONE,
        };
        self.adjust_depth_in_hindsight(&mut node);

        // Step 5: whole-node pruning.
        if S::may_prune_node(N::PV, in_check)
            && excluded.is_none()
            && let Some(score) = self.prune_node(position, &node)
        {
            return score;
        }
        if self.stopped {
            return Score::ZERO;
        }

        // Step 6: internal iterative reduction.
        node.reduce_without_table_move::<N>();
        node.improving |= node.evaluation >= beta;

        // Step 7: the move loop.
        node.threats = Threats::of(position);
        let outcome = self.search_moves::<N>(position, &node);
        if self.stopped {
            return Score::ZERO;
        }
        let mut findings = match outcome {
            Outcome::Searched(findings) => findings,
            // Not stored: the other moves were searched only to half the depth.
            Outcome::MultiCut(score) => return score,
            // Step 8: no move: checkmate, stalemate, or only the excluded move.
            Outcome::NoMove if excluded.some().is_some() => return alpha,
            Outcome::NoMove => return S::score_without_moves(in_check, ply),
        };

        if N::PV {
            findings.best = findings.best.clamp(limits.0, limits.1);
        }

        // Step 9: update the histories and store the result.
        self.conclude::<N>(position, &node, &findings)
    }

    /// Draws and mate-distance pruning. The latter shrinks the window to possible scores.
    #[inline]
    fn settled(
        &mut self,
        position: &Position,
        alpha: &mut Score,
        beta: &mut Score,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        if let Some(score) = self.drawn(position, ply) {
            self.observer.cut_node(NodeCut::Draw, depth);
            return Some(score);
        }
        if ply >= MAX_PLY - 1 {
            return Some(self.leaf(position, ply));
        }
        if *alpha < Score::ZERO && self.can_repeat(position, ply) {
            *alpha = self.draw_score();
            if *alpha >= *beta {
                self.observer.cut_node(NodeCut::Draw, depth);
                return Some(*alpha);
            }
        }
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        (*alpha >= *beta).then(|| {
            self.observer.cut_node(NodeCut::MateDistance, depth);
            *alpha
        })
    }

    /// The score of a hash cutoff, if there is one. A score above beta needs one more ply of depth.
    #[inline]
    fn table_cutoff(
        &mut self,
        position: &Position,
        entry: &Entry,
        table_move: Move,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let margin = if entry.score <= beta { Depth::ZERO } else { Depth::ONE };
        if !S::may_cut_off(entry, depth + margin, beta, position.halfmove_clock()) {
            return None;
        }
        self.observer.cut_node(NodeCut::Table, depth);
        let decided = entry.bound.is_some_and(|bound| bound.decides(entry.score, beta));
        // A mate is never closer to the root than the node it was found in.
        let possible = entry.score.mate_distance().is_none_or(|plies| plies >= ply);
        self.observer.believed(decided, entry.depth >= depth.whole(), possible);
        if entry.score >= beta && table_move.some().is_some_and(|mv| !position.is_noisy(mv)) {
            self.learn_from_table_cutoff(position, table_move, depth, ply);
            self.learn_from_refutation(ply, depth, 3);
        }
        Some(entry.score)
    }

    /// Probes the tablebases, if there are any: not at the root, whose moves they have ranked already, and not
    /// in a singular search.
    #[inline(always)]
    fn probe_tables<N: NodeType>(
        &self,
        position: &Position,
        excluded: Move,
        depth: Depth,
        ply: usize,
    ) -> Option<(Score, Bound)> {
        if N::ROOT || excluded.some().is_some() {
            return None;
        }
        let found = self.tables?.score(position, depth, ply)?;
        self.shared.add_table_hits(1);
        Some(found)
    }

    /// Stores and returns a score of the tablebases. It counts as a deeper search than this one.
    #[cold]
    fn tablebase_cutoff(
        &mut self,
        key: u64,
        score: Score,
        bound: Bound,
        depth: Depth,
        ply: usize,
        was_pv: bool,
    ) -> Score {
        self.observer.cut_node(NodeCut::Tablebase, depth);
        let depth = depth.whole() + TABLEBASE_DEPTH;
        let entry = Entry { score, bound: Some(bound), depth, ..Entry::only_evaluation(Score::NONE, was_pv) };
        self.store(key, ply, entry);
        score
    }

    /// The raw and the adjusted static evaluation, `Score::NONE` in check, and its correction. In a singular
    /// search the node has already been evaluated.
    #[inline]
    fn evaluate_node(
        &mut self,
        position: &Position,
        entry: Option<&Entry>,
        features: &Features,
        ply: usize,
    ) -> (Score, Score, i32) {
        let correction = self.correction(features);
        if position.in_check() {
            return (Score::NONE, Score::NONE, correction);
        }
        if self.frame(ply).excluded.some().is_some() {
            return (Score::NONE, self.frame(ply).evaluation, correction);
        }
        let raw = match entry {
            Some(entry) if entry.evaluation != Score::NONE => entry.evaluation,
            _ => self.raw_evaluation(position),
        };
        (raw, self.adjusted(raw, position, correction), correction)
    }

    /// Initialises the stack entries of this ply and the next ones.
    #[inline]
    fn prepare_frames(&mut self, ply: usize, evaluation: Score, table_pv: bool) {
        let double_extensions = self.earlier(ply, 1).double_extensions;
        self.observer.evaluated(evaluation);
        let frame = self.frame(ply);
        frame.evaluation = evaluation;
        frame.table_pv = table_pv;
        frame.double_extensions = double_extensions;
        let next = self.frame(ply + 1);
        next.cutoffs = 0;
        next.excluded = Move::NONE;
        // Killers are shared by the grandchildren of one node only.
        self.frame(ply + 2).killers = Killers::NONE;
    }

    /// Updates histories and correction history, stores the result, and returns the node's score.
    #[inline]
    fn conclude<N: NodeType>(
        &mut self,
        position: &Position,
        node: &NodeContext,
        findings: &Findings,
    ) -> Score {
        let NodeContext { depth, beta, ply, .. } = *node;
        let best = findings.best;
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.observer.leave(ply, depth, best, bound, findings.best_number, findings.number);
        if bound == Bound::Upper {
            self.learn_from_fail_low(node, best);
        } else {
            self.learn_from_best_move(
                position,
                node,
                findings.best_move,
                &findings.quiets,
                &findings.noisies,
            );
        }
        if bound == Bound::Lower {
            self.learn_from_refutation(ply, depth, 2);
        }
        let mut score = best;
        if bound == Bound::Lower && !best.is_decisive() && !beta.is_decisive() && !N::PV {
            // The shallower the search, the less certain a score far above beta.
            score = Score((best.0 * depth.whole() + beta.0) / (depth.whole() + 1));
        }
        if node.excluded.some().is_some() || N::ROOT && self.line > 0 {
            return score;
        }
        let mv = findings.best_move;
        let bound_to_store = S::stored_bound(bound);
        self.observer.stored(bound_to_store);
        let entry = Entry {
            mv,
            score,
            evaluation: node.raw,
            depth: depth.whole(),
            bound: Some(bound_to_store),
            was_pv: node.table_pv || bound == Bound::Upper && self.is_below_pv(ply),
        };
        self.store(node.key, ply, entry);
        if !node.in_check && (mv.is_none() || !position.is_noisy(mv)) {
            self.learn_correction(&node.features, depth, best, node.evaluation, bound);
        }
        score
    }

    /// Whether the parent is or was a PV node. If this node fails low, its move refutes the line, so it belongs
    /// to what was on the PV.
    #[inline(always)]
    fn is_below_pv(&self, ply: usize) -> bool {
        ply > 0 && self.earlier(ply, 1).table_pv
    }

    /// The hash move, if it is legal here.
    #[inline(always)]
    fn table_move<N: NodeType>(&mut self, position: &Position, entry: Option<&Entry>) -> Move {
        if N::ROOT && self.root_depth > 1 {
            return self.root[self.line].mv;
        }
        match entry {
            Some(entry) if entry.mv.some().is_some() => {
                let legal = position.is_legal(entry.mv);
                if S::plays_table_move(entry.mv, legal) {
                    self.observer.hash_move(legal);
                    entry.mv
                } else {
                    Move::NONE
                }
            }
            _ => Move::NONE,
        }
    }

    /// The score at the maximum ply.
    pub(super) fn leaf(&mut self, position: &Position, ply: usize) -> Score {
        if position.in_check() {
            return Score::ZERO;
        }
        let correction = self.correction(&self.features(position, ply));
        let raw = self.raw_evaluation(position);
        self.adjusted(raw, position, correction)
    }

    /// Searches the moves of a node.
    fn search_moves<N: NodeType>(&mut self, position: &Position, node: &NodeContext) -> Outcome {
        let NodeContext { mut depth, mut alpha, beta, ply, excluded, .. } = *node;
        let before = self.before(ply);
        let can_prune = !N::ROOT && position.has_pieces(position.turn());
        let params = self.params();
        let mut found = Findings {
            best: Score::NONE,
            best_move: Move::NONE,
            best_number: 0,
            number: 0,
            quiets: Tried::NONE,
            noisies: Tried::NONE,
        };
        let mut picker = if node.in_check {
            Picker::evasions(node.table_move)
        } else {
            Picker::all(node.table_move, self.frame(ply).killers)
        };

        let mut child = *position;
        loop {
            let list: &mut ScoredMoves = &mut self.data.lists[ply];
            let next = picker.next(params, position, &self.data.histories, &node.threats, before, list);
            let Some(mv) = next else { break };
            if mv == excluded || N::ROOT && !self.is_root_candidate(mv) {
                continue;
            }
            found.number += 1;
            let number = found.number;
            let quiet = !position.is_noisy(mv);
            let history = self.data.histories.of(params, position, node.threats.all, before, mv);
            let candidate = Candidate { mv, quiet, number, history, best: found.best };
            let mut reduction = self.reduction::<N>(node, depth, &candidate);

            // Prune moves once there is one that does not lose. If a mate is known, only a shorter one
            // matters, and these heuristics would miss it.
            if can_prune && !found.best.is_loss() && found.best != Score::NONE && !alpha.is_win() {
                let reduced = (depth - Depth::ONE - reduction).max(Depth::ZERO);
                if let Some(cut) = prune_move(params, position, node, &candidate, reduced, alpha) {
                    self.observer.cut_move(cut.reason, depth, mv);
                    found.best = found.best.max(cut.bound);
                    if cut.reason == MoveCut::LateMove {
                        picker.skip_quiets();
                    }
                    continue;
                }
            }

            let mut new_depth = depth - Depth::ONE;
            let mut double_extensions = 0;
            if !N::ROOT && mv == node.table_move && excluded.is_none() {
                match self.extension::<N>(position, node, mv, quiet) {
                    super::extend::SingularResult::Extend(extension) => {
                        self.observer.extended(mv, extension);
                        new_depth += extension;
                        double_extensions = u32::from(extension > Depth::ONE);
                    }
                    super::extend::SingularResult::MultiCut(score) => {
                        self.observer.cut_node(NodeCut::MultiCut, depth);
                        return Outcome::MultiCut(score);
                    }
                }
                if self.stopped {
                    return Outcome::Searched(found);
                }
            }

            if N::ROOT {
                self.report_current_move(mv, number);
            }
            let nodes_before = self.nodes;
            self.make(position, mv, ply, &mut child);
            let frame = self.frame(ply);
            frame.double_extensions += double_extensions;
            frame.number = number;
            frame.quiet = quiet.then(|| QuietPlace::of(position, node.threats.all, mv));
            if child.in_check() {
                reduction -= Depth(params.reduction_check());
            }
            let score = self.search_child::<N>(&child, alpha, node, new_depth, reduction, &candidate);
            self.unmake();
            // Other moves are not on the PV.
            self.frame(ply).double_extensions -= double_extensions;
            if self.stopped {
                return Outcome::Searched(found);
            }
            if N::ROOT {
                self.note_root_move(mv, number, score, (alpha, beta), nodes_before);
            }

            if score > found.best {
                found.best = score;
                if score > alpha {
                    found.best_move = mv;
                    found.best_number = number;
                    self.observer.improved(mv);
                    if N::PV {
                        self.update_line(ply, mv);
                    }
                    if S::is_cutoff(score, beta) {
                        self.frame(ply).cutoffs += 1;
                        if quiet && !node.in_check {
                            self.frame(ply).killers.learn(mv);
                        }
                        break;
                    }
                    alpha = score;
                    // The remaining moves have to beat a good move: reduce them.
                    if !score.is_decisive() && depth >= Depth::plies(3) && depth < Depth::plies(12) {
                        depth -= Depth::ONE;
                    }
                }
            }
            if mv != found.best_move {
                if quiet { &mut found.quiets } else { &mut found.noisies }.push(mv);
            }
        }
        if found.number == 0 { Outcome::NoMove } else { Outcome::Searched(found) }
    }

    /// Searches a move that has been made: with a zero window, reduced where possible, and again if it fails
    /// high.
    #[inline]
    fn search_child<N: NodeType>(
        &mut self,
        child: &Position,
        alpha: Score,
        node: &NodeContext,
        mut new_depth: Depth,
        reduction: Depth,
        candidate: &Candidate,
    ) -> Score {
        let Candidate { mv, number, best, .. } = *candidate;
        let (ply, beta, cut_node) = (node.ply, node.beta, node.cut_node);
        let full_window = N::PV && S::starts_with_full_window(N::ROOT, number);
        let mut score = Score::NONE;
        if !full_window && node.depth >= Depth::plies(2) && number > 1 + usize::from(N::ROOT) {
            let reduced = (new_depth - reduction).clamp(Depth::ONE, new_depth + Depth::ONE);
            self.frame(ply).reduction = new_depth - reduced;
            let visit = Visit::ZeroWindow { reduced: reduced < new_depth };
            self.observer.approach(Purpose::Move(visit), mv);
            score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, reduced, ply + 1, true);
            self.frame(ply).reduction = Depth::ZERO;
            self.observer.visited(visit, N::PV, mv, score, alpha);
            if score > alpha && reduced < new_depth && !self.stopped {
                // The margin decides the depth of the repeated search.
                new_depth += self.deeper_or_shallower(score, best, node, reduced, new_depth);
                if reduced < new_depth {
                    self.observer.approach(Purpose::Move(Visit::FullDepth), mv);
                    score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
                    self.observer.visited(Visit::FullDepth, N::PV, mv, score, alpha);
                }
                self.learn_from_reduced_search(ply, node.depth, score, alpha, beta);
            }
        } else if !full_window {
            new_depth -= self.full_depth_reduction(node, reduction, new_depth);
            let visit =
                if number == 1 { Visit::FirstZeroWindow } else { Visit::ZeroWindow { reduced: false } };
            self.observer.approach(Purpose::Move(visit), mv);
            score = -self.search::<NonPv>(child, -(alpha + 1), -alpha, new_depth, ply + 1, !cut_node);
            self.observer.visited(visit, N::PV, mv, score, alpha);
        }
        if self.stopped {
            return score;
        }
        if full_window || S::needs_re_search(N::PV, score > alpha) {
            let visit = if full_window { Visit::First } else { Visit::ReSearch };
            self.observer.approach(Purpose::Move(visit), mv);
            score = -self.search::<N::Child>(child, -beta, -alpha, new_depth, ply + 1, false);
            self.observer.visited(visit, N::PV, mv, score, alpha);
        }
        score
    }

    /// Whether a root move is searched for the current MultiPV line: it is in `searchmoves`, not the first
    /// move of a better line, and as good as any other by the tablebases.
    #[inline]
    fn is_root_candidate(&self, mv: Move) -> bool {
        let candidates = S::root_candidates(&self.root[self.line..], self.root_depth);
        let rank = self.root[self.line].rank();
        candidates.iter().any(|root_move| root_move.mv == mv && root_move.rank() == rank)
    }

    /// Stores the result of a root move.
    fn note_root_move(
        &mut self,
        mv: Move,
        number: usize,
        score: Score,
        (alpha, beta): (Score, Score),
        nodes_before: u64,
    ) {
        let nodes = self.nodes - nodes_before;
        let (depth, selective_depth) = (self.root_depth, self.selective_depth as u32);
        let Some(root_move) = self.root.iter_mut().find(|root_move| root_move.mv == mv) else { return };
        root_move.nodes += nodes;
        if number > 1 && score <= alpha {
            root_move.score = Score::NONE;
            return;
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.learn(score, bound, depth, selective_depth, self.data.lines[1].as_slice());
    }
}

/// The best estimate of a node's score before its search: the hash score if its bound improves on the
/// evaluation, else the evaluation.
#[inline(always)]
pub(super) fn estimate(evaluation: Score, entry: Option<&Entry>) -> Score {
    match entry {
        Some(Entry { score, bound: Some(bound), .. })
            if evaluation != Score::NONE && bound.decides(*score, evaluation) && !score.is_decisive() =>
        {
            *score
        }
        _ => evaluation,
    }
}
