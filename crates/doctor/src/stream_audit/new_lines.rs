//! PVs of new best moves. A move that replaces the best one has failed high in its zero-window search; only the search with
//! the full window that follows finds its line. Without it the PV ends after the first moves.

use uci::{Info, Score};

use super::search_audit::Faults;
use crate::search_output::SearchOutput;

/// Iterations whose best move is another than that of the iteration before.
#[derive(Clone, Debug, Default)]
pub struct NewLines {
    pub count: u64,
    /// Those whose PV has one or two moves.
    pub short: Faults,
}

/// Shallower lines end early in quiescence search.
const MIN_DEPTH: u32 = 5;

/// Zero-window searches leave the move and perhaps one reply.
const SHORT: usize = 2;

/// Below, draws end lines early; above, mates do.
const SCORES: std::ops::RangeInclusive<i32> = 6..=1500;

impl NewLines {
    /// Counts the iterations of a search that began with an empty hash: hash cutoffs shorten lines too.
    pub fn add(&mut self, result: &SearchOutput) {
        let is_fresh = result.asked.iter().filter(|line| line.starts_with("go")).count() == 1;
        if !is_fresh || result.asked.iter().any(|line| line.contains("searchmoves")) {
            return;
        }
        for depth in MIN_DEPTH..=result.depth() {
            let Some((before, now)) = result.at_depth(depth - 1).zip(result.at_depth(depth)) else {
                continue;
            };
            if !is_compared(before) || !is_compared(now) || before.pv.first() == now.pv.first() {
                continue;
            }
            self.count += 1;
            if now.pv.len() <= SHORT && !ends_game(result, now) {
                let line = now.pv.join(" ");
                self.short
                    .add(result, || format!("'{line}' at depth {depth}, in {}", result.position.to_fen()));
            }
        }
    }
}

fn is_compared(info: &Info) -> bool {
    let is_quiet = matches!(info.score, Some(Score::Centipawns(score)) if SCORES.contains(&score.abs()));
    is_quiet && !info.pv.is_empty()
}

fn ends_game(result: &SearchOutput, info: &Info) -> bool {
    let mut position = result.position;
    for word in &info.pv {
        let Ok(mv) = position.parse_uci(word) else { return false };
        position.play(mv);
    }
    !position.has_legal_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(go: &[&str], lines: &[(u32, &str)]) -> (u64, u64) {
        let mut result = SearchOutput::with_times(100, 100);
        result.asked = go.iter().map(|&line| line.to_owned()).collect();
        result.lines = lines
            .iter()
            .map(|&(depth, pv)| Info {
                depth: Some(depth),
                score: Some(Score::Centipawns(30)),
                pv: pv.split(' ').map(str::to_owned).collect(),
                ..Info::default()
            })
            .collect();
        let mut lines = NewLines::default();
        lines.add(&result);
        (lines.count, lines.short.count)
    }

    #[test]
    fn short_pvs_of_new_moves_are_counted() {
        const FRESH: &[&str] = &["ucinewgame", "position startpos", "go depth 7"];
        let long = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";
        assert_eq!(counts(FRESH, &[(5, long), (6, "d2d4 d7d5"), (7, "d2d4")]), (1, 1));
        assert_eq!(counts(FRESH, &[(5, "d2d4"), (6, long)]), (1, 0));
        assert_eq!(counts(FRESH, &[(3, long), (4, "d2d4 d7d5")]), (0, 0), "too shallow");
        let again = ["go depth 5", "position startpos", "go depth 7"];
        assert_eq!(counts(&again, &[(5, long), (6, "d2d4 d7d5")]), (0, 0), "hash kept");
    }
}
