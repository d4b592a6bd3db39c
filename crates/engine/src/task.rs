//! A position to search, and how a thread searches it. [`Searcher`](crate::Searcher) runs it on its caller's
//! thread, [`Engine`](crate::Engine) on every thread of its pool.

use crate::observe::Observer;
use crate::search::{RootMove, Search, Shared, ThreadData, ThreadResult};
use crate::tablebase::TableVerdict;
use crate::{Mutant, mutants};
use chess::{Game, Move, Position};
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;
use tables::Ranking;
use uci::Info;

/// A position to search.
pub(crate) struct Task {
    /// The game so far.
    game: Game,
    /// Keys of the positions that can still repeat, this one's last.
    keys: Vec<u64>,
    /// The moves to be searched; none if the game is over.
    pub root: Vec<RootMove>,
    /// Whether the search looks positions up in the tablebases.
    probes: bool,
}

impl Task {
    /// The current position of a game. If it is in the tablebases, the root moves are ranked by them, which may have to
    /// wait for a disk.
    pub fn new(game: &Game, shared: &Shared) -> Task {
        let wanted = &shared.limits.search_moves[..];
        let wanted = if mutants::active(Mutant::SearchMovesIgnored) { &[] } else { wanted };
        let root = RootMove::all(game.position(), wanted);
        let mut task = Task { game: game.clone(), keys: recent_keys(game), root, probes: true };
        if let Some(ranking) = shared.tables.as_ref().and_then(|tables| tables.rank(game)) {
            shared.add_table_hits(ranking.moves.len() as u64);
            task.apply(&ranking);
        }
        task
    }

    /// Sorts the root moves by what the tablebases say. With distances the best moves make progress, and in a draw any
    /// of them will do: then the search does not look positions up, and finds out more than the result.
    fn apply(&mut self, ranking: &Ranking) {
        for root_move in &mut self.root {
            let ranked = ranking.moves.iter().find(|ranked| ranked.mv == root_move.mv);
            root_move.verdict = ranked.map(TableVerdict::of);
        }
        self.root.sort_by_key(|root_move| Reverse(root_move.rank()));
        let wins = self.root.first().and_then(|best| best.verdict).is_some_and(TableVerdict::is_win);
        self.probes = wins && !ranking.by_distance;
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Where the search begins.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Cuts a line after the move that ends the game, whatever moves search and table have after it. The first move always
    /// stays.
    pub fn cut_at_end_of_game(&self, line: &mut Vec<Move>) {
        let mut game = self.game.clone();
        for (index, &mv) in line.iter().enumerate() {
            // A bug that was switched on may have put anything there.
            if !game.position().is_legal(mv) {
                return;
            }
            game.play(mv);
            if game.outcome().is_some() {
                line.truncate(index + 1);
                return;
            }
        }
    }

    /// Searches as thread `id`. There must be a legal move.
    pub fn run<'a, O: Observer>(
        &self,
        shared: &'a Shared,
        id: usize,
        data: &'a mut ThreadData,
        observer: O,
        on_info: Option<&'a mut dyn FnMut(Info<Move>)>,
        interrupt: Option<&'a AtomicBool>,
    ) -> (ThreadResult, O) {
        let mut search =
            Search::new(shared, id, data, observer, on_info, self.keys.clone(), self.root.clone());
        search.interrupt = interrupt;
        search.tables = shared.tables.as_ref().filter(|_| self.probes);
        let result = search.deepen(self.position());
        (result, search.observer)
    }
}

/// The keys since the last irreversible move; no earlier position can repeat.
fn recent_keys(game: &Game) -> Vec<u64> {
    let reach = game.position().halfmove_clock() as usize + 1;
    let keys = game.keys();
    keys[keys.len().saturating_sub(reach)..].to_vec()
}
