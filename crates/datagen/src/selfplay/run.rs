//! Many games in parallel, returned in the order of their numbers, so that the file does not depend on the
//! number of threads or on interruptions.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use engine::Searcher;

use super::plan::{Goal, SelfPlayPlan};
use super::play::{Played, play};
use super::progress::SelfPlayProgress;

/// Games of one plan.
pub struct Run<'a> {
    pub plan: &'a SelfPlayPlan,
    /// The goal of this shard, existing games included.
    pub goal: Goal,
    pub games_before: u64,
    pub positions_before: u64,
    /// Ends the run when set; games in progress are finished.
    pub interrupt: &'a AtomicBool,
}

impl Run<'_> {
    /// Plays until the goal is reached, one game at a time with each engine. `take` gets the games in the
    /// order of their numbers; if it fails, the run ends with that failure.
    ///
    /// # Errors
    /// The error of `take`.
    pub fn play(
        &self,
        engines: Vec<Searcher>,
        mut take: impl FnMut(&Played, &SelfPlayProgress) -> io::Result<()>,
    ) -> io::Result<SelfPlayProgress> {
        let clock = Instant::now();
        let mut progress = SelfPlayProgress::new(self);
        if progress.is_complete() {
            return Ok(progress);
        }
        let enough = AtomicBool::new(false);
        let next = AtomicU64::new(self.games_before);
        let (send, receive) = mpsc::channel::<(u64, Played)>();
        thread::scope(|scope| {
            for mut searcher in engines {
                let (send, next, enough) = (send.clone(), &next, &enough);
                scope.spawn(move || {
                    while let Some(index) = self.claim(next, enough) {
                        let played = play(self.plan, self.plan.shard.game_number(index), &mut searcher);
                        if send.send((index, played)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(send);
            // Games that finished before an earlier one.
            let mut early = BTreeMap::new();
            for (index, played) in receive {
                early.insert(index, played);
                while let Some(played) = early.remove(&progress.games) {
                    progress.add_game(played.game.moves.len());
                    progress.nodes += played.nodes;
                    progress.elapsed = clock.elapsed();
                    let taken = take(&played, &progress);
                    if progress.is_complete() || taken.is_err() {
                        enough.store(true, Relaxed);
                        return taken;
                    }
                }
            }
            Ok(())
        })?;
        Ok(progress)
    }

    /// The next game to play, if there is one.
    fn claim(&self, next: &AtomicU64, enough: &AtomicBool) -> Option<u64> {
        if self.interrupt.load(Relaxed) || enough.load(Relaxed) {
            return None;
        }
        let index = next.fetch_add(1, Relaxed);
        match self.goal {
            Goal::Games(games) if index >= games => None,
            _ => Some(index),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::plan::{OpeningPlan, Shard};
    use record::packed::PackedGame;

    /// An engine whose games do not depend on the built-in network.
    fn classical() -> Searcher {
        Searcher::with_evaluation(1, engine::evaluation::Evaluation::Classical).unwrap()
    }

    fn plan(shard: Shard) -> SelfPlayPlan {
        SelfPlayPlan {
            player: "test".to_owned(),
            seed: 1,
            shard,
            soft_nodes: 20,
            hard_nodes: 60,
            hash_mb: 1,
            opening: OpeningPlan { random_plies: (8, 9), dfrc_share: 0.1, nodes: 20, max_score: 1000 },
            rules: SelfPlayPlan::RULES,
        }
    }

    fn games(plan: &SelfPlayPlan, goal: Goal, threads: usize, before: &[PackedGame]) -> Vec<PackedGame> {
        let run = Run {
            plan,
            goal,
            games_before: before.len() as u64,
            positions_before: before.iter().map(|game| game.moves.len() as u64).sum(),
            interrupt: &AtomicBool::new(false),
        };
        let engines = (0..threads).map(|_| classical()).collect();
        let mut games = before.to_vec();
        run.play(engines, |played, progress| {
            games.push(played.game.clone());
            assert_eq!(progress.games, games.len() as u64);
            Ok(())
        })
        .unwrap();
        games
    }

    #[test]
    fn threads_do_not_change_the_games() {
        let plan = plan(Shard::WHOLE);
        assert_eq!(games(&plan, Goal::Games(8), 1, &[]), games(&plan, Goal::Games(8), 3, &[]));
        let by_positions = games(&plan, Goal::Positions(300), 1, &[]);
        assert_eq!(by_positions, games(&plan, Goal::Positions(300), 3, &[]));
        let count = |games: &[PackedGame]| games.iter().map(|game| game.moves.len()).sum::<usize>();
        assert!(count(&by_positions) >= 300);
        assert!(count(&by_positions[..by_positions.len() - 1]) < 300);
    }

    #[test]
    fn run_resumes_where_it_ended() {
        let plan = plan(Shard::WHOLE);
        let whole = games(&plan, Goal::Games(6), 2, &[]);
        assert_eq!(games(&plan, Goal::Games(6), 2, &whole[..2]), whole);
        assert_eq!(games(&plan, Goal::Games(6), 2, &whole), whole);
    }

    #[test]
    fn shards_together_are_the_whole() {
        let whole = games(&plan(Shard::WHOLE), Goal::Games(7), 2, &[]);
        let mut parts: Vec<Vec<PackedGame>> = Vec::new();
        for number in 1..=3 {
            let shard = Shard { number, of: 3 };
            parts.push(games(&plan(shard), shard.share(Goal::Games(7)), 1, &[]));
        }
        for (number, game) in whole.iter().enumerate() {
            assert_eq!(&parts[number % 3][number / 3], game);
        }
    }

    #[test]
    fn interrupted_run_has_no_gap() {
        let plan = plan(Shard::WHOLE);
        let interrupt = AtomicBool::new(false);
        let run = Run {
            plan: &plan,
            goal: Goal::Games(1000),
            games_before: 0,
            positions_before: 0,
            interrupt: &interrupt,
        };
        let mut kept = Vec::new();
        let engines = (0..3).map(|_| classical()).collect();
        let progress = run.play(engines, |played, _| {
            kept.push(played.game.clone());
            interrupt.store(kept.len() >= 4, Relaxed);
            Ok(())
        });
        assert_eq!(progress.unwrap().games, kept.len() as u64);
        assert!((4..100).contains(&kept.len()));
        assert_eq!(games(&plan, Goal::Games(kept.len() as u64), 1, &[]), kept);
    }

    #[test]
    fn full_disk_ends_the_run() {
        let plan = plan(Shard::WHOLE);
        let run = Run {
            plan: &plan,
            goal: Goal::Games(1000),
            games_before: 0,
            positions_before: 0,
            interrupt: &AtomicBool::new(false),
        };
        let failure = run.play(vec![classical()], |_, _| Err(io::Error::other("no room")));
        assert_eq!(failure.unwrap_err().to_string(), "no room");
    }
}
