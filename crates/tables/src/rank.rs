//! The ranking of root moves: which moves keep the result, with the fifty-move rule and repetitions in mind.

use std::cmp::Reverse;

use chess::{Game, Move};

use crate::{Dtz, TableWdl, Tablebases};

/// The rank of a move that certainly wins. A loss has its negative.
const CERTAIN: i32 = 100_000;

/// A move with what the tables say about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The higher, the better. Moves of equal rank are equally good as far as the tables know.
    pub rank: i32,
    /// The result after it, from the mover's point of view, with the halfmove clock of the game.
    pub wdl: TableWdl,
    /// The distance to zeroing from the mover's point of view, this move included, if it is known.
    pub dtz: Option<Dtz>,
}

/// All legal moves of a position, the best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// The moves.
    pub moves: Vec<RankedMove>,
    /// The ranks come from distances, so that playing the best move makes progress. Otherwise tables were missing, and
    /// only the result is kept.
    pub by_distance: bool,
}

/// What the ranks of all moves of a position depend on.
struct Root {
    fifty_move_rule: bool,
    halfmove_clock: u32,
    /// A position has occurred twice since the last capture or pawn move.
    has_repeated: bool,
}

impl Tablebases {
    /// Ranks the legal moves of the position that a game has reached. `None` if one of them is not in the tables.
    ///
    /// As long as a win is certain, all winning moves have the same rank. Once the fifty-move rule is near or a position
    /// was repeated, moves with a shorter distance have a higher one.
    pub fn rank_root_moves(&self, game: &Game, fifty_move_rule: bool) -> Option<Ranking> {
        if !self.covers(game.position()) {
            return None;
        }
        let halfmove_clock = game.position().halfmove_clock();
        let root = Root { fifty_move_rule, halfmove_clock, has_repeated: has_repeated(game) };
        let by_distance = rank_moves(game, |mv, after| self.rank_by_distance(&root, mv, after));
        let (mut moves, by_distance) = match by_distance {
            Some(moves) => (moves, true),
            None => (rank_moves(game, |mv, after| self.rank_by_result(&root, mv, after))?, false),
        };
        moves.sort_by_key(|ranked| Reverse(ranked.rank));
        Some(Ranking { moves, by_distance })
    }

    /// Ranks a move by its distance. `game` ends with it.
    fn rank_by_distance(&self, root: &Root, mv: Move, game: &Game) -> Option<RankedMove> {
        let dtz = self.dtz_of_last_move(root, game)?;
        // Where rounding hides the result, the less welcome one.
        let hidden = if dtz.plies > 0 { TableWdl::CursedWin } else { TableWdl::Loss };
        let wdl = root.result(dtz.wdl(root.halfmove_clock).unwrap_or(hidden));
        // The plies since the last capture or pawn move when the next one is played.
        let plies = dtz.plies.abs() + root.halfmove_clock as i32;
        let rank = match dtz.plies.signum() {
            // One ply of the hundred is kept for rounding.
            1 if plies <= 99 && !root.has_repeated => CERTAIN,
            1 => CERTAIN - plies.min(CERTAIN - 1),
            // Even twice the distance does not reach the fifty-move rule: the search may choose.
            -1 if !root.fifty_move_rule || plies + dtz.plies.abs() < 100 => -CERTAIN,
            -1 => plies.min(CERTAIN - 1) - CERTAIN,
            _ => 0,
        };
        Some(RankedMove { mv, rank, wdl, dtz: Some(dtz) })
    }

    /// The distance to zeroing of the last move of a game, for its mover.
    fn dtz_of_last_move(&self, root: &Root, game: &Game) -> Option<Dtz> {
        let position = game.position();
        if let Some(ended) = root.result_of_ended(game) {
            return Some(Dtz::before_zeroing(ended));
        }
        if position.halfmove_clock() == 0 {
            return Some(Dtz::before_zeroing(-self.probe_wdl(position)?));
        }
        let Dtz { plies, is_rounded } = self.probe_dtz(position)?;
        Some(Dtz { plies: -plies - plies.signum(), is_rounded })
    }

    /// Ranks a move by its result alone. `game` ends with it.
    fn rank_by_result(&self, root: &Root, mv: Move, game: &Game) -> Option<RankedMove> {
        let wdl = match root.result_of_ended(game) {
            Some(wdl) => wdl,
            None => root.result(-self.probe_wdl(game.position())?),
        };
        let rank = match wdl {
            TableWdl::Win => CERTAIN,
            TableWdl::CursedWin => 1,
            TableWdl::Draw => 0,
            TableWdl::BlessedLoss => -1,
            TableWdl::Loss => -CERTAIN,
        };
        Some(RankedMove { mv, rank, wdl, dtz: None })
    }
}

impl Root {
    /// A result by these rules: without the fifty-move rule nothing is cursed or blessed.
    fn result(&self, wdl: TableWdl) -> TableWdl {
        if self.fifty_move_rule { wdl } else { wdl.with_rule(false) }
    }

    /// The result for the last mover, if the move has ended the game.
    fn result_of_ended(&self, game: &Game) -> Option<TableWdl> {
        let position = game.position();
        if !position.has_legal_move() {
            return Some(if position.in_check() { TableWdl::Win } else { TableWdl::Draw });
        }
        let is_late = self.fifty_move_rule && position.halfmove_clock() >= 100;
        (is_late || game.repetitions() >= 3).then_some(TableWdl::Draw)
    }
}

/// The legal moves as `rank` ranks them, which gets each move and the game after it.
fn rank_moves(game: &Game, rank: impl Fn(Move, &Game) -> Option<RankedMove>) -> Option<Vec<RankedMove>> {
    let after = |&mv: &Move| {
        let mut game = game.clone();
        game.play(mv);
        rank(mv, &game)
    };
    game.position().legal_moves().iter().map(after).collect()
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(game: &Game) -> bool {
    let keys = game.keys();
    let recent = &keys[keys.len().saturating_sub(game.position().halfmove_clock() as usize + 1)..];
    recent.iter().enumerate().any(|(index, key)| recent[..index].contains(key))
}
