//! Tablebases in a search: which positions are looked up, and what the result means as a score.

use crate::{Bound, Depth, Score};
use chess::{Game, Position};
use std::sync::Arc;
use tables::{RankedMove, Ranking, TableWdl, Tablebases};
use uci::Wdl;

/// The tablebases of a search.
#[derive(Clone, Debug)]
pub(crate) struct TableAccess {
    tables: Arc<Tablebases>,
    /// The most pieces of a position that is looked up.
    pieces: u32,
    /// With that many pieces a position is looked up from this depth on, with fewer always.
    depth: Depth,
    /// Cursed wins are draws.
    fifty_move_rule: bool,
}

impl TableAccess {
    /// `limit` is the most pieces of a position that is looked up, `depth` the least depth in plies. `None` if that
    /// leaves nothing.
    pub fn new(
        tables: &Arc<Tablebases>,
        limit: u32,
        depth: u32,
        fifty_move_rule: bool,
    ) -> Option<TableAccess> {
        let tables = Arc::clone(tables);
        // As in other engines, the depth is ignored if more pieces are allowed than there are tables for.
        let (pieces, depth) = if limit > tables.pieces() { (tables.pieces(), 0) } else { (limit, depth) };
        let depth = Depth::plies(depth as i32);
        (pieces > 0).then_some(TableAccess { tables, pieces, depth, fifty_move_rule })
    }

    /// The score of a position at a node of the main search, and which bound of it is known. Only right after a capture
    /// or pawn move, where results do not depend on the halfmove clock.
    #[cold]
    #[inline(never)]
    pub fn score(&self, position: &Position, depth: Depth, ply: usize) -> Option<(Score, Bound)> {
        let pieces = position.occupied().count();
        let is_wanted = pieces < self.pieces || pieces == self.pieces && depth >= self.depth;
        if !is_wanted || position.halfmove_clock() > 0 {
            return None;
        }
        let wdl = self.tables.probe_wdl(position)?.with_rule(self.fifty_move_rule);
        Some(match wdl.sign() {
            // WDL tables have no distance to mate; the search may find it.
            1 => (Score::table_win_in(ply), Bound::Lower),
            -1 => (-Score::table_win_in(ply), Bound::Upper),
            _ => (Score::ZERO, Bound::Exact),
        })
    }

    /// The ranks of the root moves, if the tables have them all.
    pub fn rank(&self, game: &Game) -> Option<Ranking> {
        if game.position().occupied().count() > self.pieces {
            return None;
        }
        self.tables.rank_root_moves(game, self.fifty_move_rule)
    }

    /// A line with the tables' moves at its end, up to mate.
    pub fn complete(
        &self,
        game: &Game,
        line: &[chess::Move],
        is_late: impl FnMut() -> bool,
    ) -> Vec<chess::Move> {
        self.tables.complete_line(game, line, self.fifty_move_rule, is_late)
    }

    /// Why the tables are no longer used.
    pub fn failure(&self) -> Option<&str> {
        self.tables.failure()
    }
}

/// What the tables say about a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableVerdict {
    /// Only moves of the highest rank are searched.
    pub rank: i32,
    wdl: TableWdl,
}

impl TableVerdict {
    pub fn of(ranked: &RankedMove) -> TableVerdict {
        TableVerdict { rank: ranked.rank, wdl: ranked.wdl.with_rule(true) }
    }

    /// Whether the move wins.
    pub fn is_win(self) -> bool {
        self.wdl == TableWdl::Win
    }

    /// The score to report: that of the search if it has found a mate.
    pub fn score(self, found: Score) -> Score {
        match self.wdl.sign() {
            _ if found.is_mate() => found,
            1 => Score::table_win_in(0),
            -1 => -Score::table_win_in(0),
            _ => Score::ZERO,
        }
    }

    /// The winning chances, which are certain.
    pub fn chances(self) -> Wdl {
        match self.wdl.sign() {
            1 => Wdl { win: 1000, draw: 0, loss: 0 },
            -1 => Wdl { win: 0, draw: 0, loss: 1000 },
            _ => Wdl { win: 0, draw: 1000, loss: 0 },
        }
    }
}
