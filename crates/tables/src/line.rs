//! Lines that the tables prove: from a position to mate.

use chess::{Game, Move};

use crate::{RankedMove, TableWdl, Tablebases};

/// The longest line, in plies.
const MAX_LINE: usize = 500;

impl Tablebases {
    /// A line from the position that a game has reached: as much of `line` as keeps the result, and then the tables'
    /// moves up to mate, where one side wins. It ends early when `is_late` says so.
    pub fn complete_line(
        &self,
        game: &Game,
        line: &[Move],
        fifty_move_rule: bool,
        mut is_late: impl FnMut() -> bool,
    ) -> Vec<Move> {
        let mut game = game.clone();
        let start = game.moves().len();
        for &mv in line {
            if !game.position().is_legal(mv) || is_late() {
                break;
            }
            if self.covers(game.position()) && !self.keeps_result(&game, mv, fifty_move_rule) {
                break;
            }
            game.play(mv);
        }
        while game.moves().len() - start < MAX_LINE && game.outcome().is_none() && !is_late() {
            let Some(mv) = self.shortest(&game, fifty_move_rule) else { break };
            game.play(mv);
        }
        game.moves()[start..].to_vec()
    }

    /// Whether a move is as good as the best one. If the tables do not have the position, it is.
    fn keeps_result(&self, game: &Game, mv: Move, fifty_move_rule: bool) -> bool {
        let Some(ranking) = self.rank_root_moves(game, fifty_move_rule) else { return true };
        let best = ranking.moves.first().map(|ranked| ranked.wdl);
        ranking.moves.iter().any(|ranked| ranked.mv == mv && Some(ranked.wdl) == best)
    }

    /// The move that wins soonest or loses latest. `None` in a draw, and if the distances are unknown.
    fn shortest(&self, game: &Game, fifty_move_rule: bool) -> Option<Move> {
        let ranking = self.rank_root_moves(game, fifty_move_rule).filter(|ranking| ranking.by_distance)?;
        let best = ranking.moves.first()?.wdl;
        if !matches!(best, TableWdl::Win | TableWdl::Loss) {
            return None;
        }
        let is_mate = |ranked: &RankedMove| {
            let after = game.position().after(ranked.mv);
            after.in_check() && !after.has_legal_move()
        };
        let good = ranking.moves.iter().filter(|ranked| ranked.wdl == best);
        // A win: mate first, then the shortest distance. A loss: the longest distance. Both are the smallest number.
        let plies = |ranked: &RankedMove| ranked.dtz.map_or(0, |dtz| dtz.plies);
        good.min_by_key(|ranked| (!is_mate(ranked), plies(ranked))).map(|ranked| ranked.mv)
    }
}
