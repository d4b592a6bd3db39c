//! Singular extensions: is the hash move the only good one?

use super::node::NodeContext;
use super::{NodeType, NonPv, Search, Soundness};
use crate::observe::{Observer, Purpose};
use crate::{Bound, Depth, Score};
use chess::{Move, Position};

/// The result of a singular search.
pub(super) enum SingularResult {
    /// The extension; negative for a reduction.
    Extend(Depth),
    /// Multi-cut: other moves beat beta too.
    MultiCut(Score),
}

/// Maximum number of double extensions on one line.
const MOST_DOUBLE_EXTENSIONS: u32 = 8;

impl<O: Observer, S: Soundness> Search<'_, O, S> {
    /// Searches all moves but the hash move with a window below the hash score. If all fail low, the move is
    /// singular and is extended, by more the larger the margin. If another move beats beta as well, the node
    /// is cut (multi-cut). If the hash score is above beta but the move is not singular, it is reduced.
    pub(super) fn extension<N: NodeType>(
        &mut self,
        position: &Position,
        node: &NodeContext,
        mv: Move,
        quiet: bool,
    ) -> SingularResult {
        let (depth, ply) = (node.depth, node.ply);
        let Some(entry) = node.entry else { return SingularResult::Extend(Depth::ZERO) };
        let trusted = entry.depth + 3 >= depth.whole()
            && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && !entry.score.is_decisive();
        if depth < Depth::plies(6) || !trusted || ply >= 2 * self.root_depth as usize {
            return SingularResult::Extend(Depth::ZERO);
        }
        let margin = self.params().singular_margin() * depth.whole() / 64;
        let singular_beta = entry.score - margin;
        let singular_depth = Depth((depth.0 - Depth::ONE.0) / 2);
        self.frame(ply).excluded = mv;
        self.observer.approach(Purpose::Singular, mv);
        let score = self.search::<NonPv>(
            position,
            singular_beta - 1,
            singular_beta,
            singular_depth,
            ply,
            node.cut_node,
        );
        self.frame(ply).excluded = Move::NONE;
        if self.stopped {
            return SingularResult::Extend(Depth::ZERO);
        }
        if score < singular_beta {
            let clear = singular_beta - score;
            let params = self.params();
            let eased = params.extension_correction() * node.correction / 1024;
            let double = if N::PV { params.double_extension_pv() } else { params.double_extension_margin() };
            if clear <= double - eased || self.frame(ply).double_extensions >= MOST_DOUBLE_EXTENSIONS {
                return SingularResult::Extend(Depth::ONE);
            }
            let triple = !N::PV && quiet && clear > params.triple_extension_margin() - eased;
            return SingularResult::Extend(Depth::plies(if triple { 3 } else { 2 }));
        }
        if score >= node.beta && !score.is_decisive() {
            return SingularResult::MultiCut(score);
        }
        SingularResult::Extend(if entry.score >= node.beta {
            Depth::plies(-2)
        } else if node.cut_node {
            Depth::plies(-1)
        } else {
            Depth::ZERO
        })
    }
}
