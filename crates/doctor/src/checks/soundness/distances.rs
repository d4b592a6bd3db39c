//! Endings with exactly known distances to mate, searched one after the other with the table kept. Every half move counts
//! in them, so that an entry of the table that is believed beyond what it says shows: as a mate that is too near to be true.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::{Color, Position};
use uci::info::Score;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, Verdict};
use crate::line_audit::plies_to_mate;
use crate::patient::{Thinking, Trouble};

/// The check.
pub const CHECK: Check = Check {
    name: "distances",
    group: Group::Soundness,
    title: "mates with exactly known distances, the table kept",
    method: "Searches endings of rook or queen against the bare king, whose exact distances to mate are known, to depth 14 \
             and then to 16, series after series without ucinewgame. A mate that a finished iteration tells and that is \
             nearer than the exact distance is impossible: the table was believed beyond its bound, or its mates are not \
             counted from the stored position.",
    seconds: (10, 60),
    run,
};

/// Position and half moves to mate; the file says where they are from.
const ENDINGS: &str = include_str!("distances.epd");

/// Depths of the first time through the list and of the second, which finds the table full of the first.
const DEPTHS: [u32; 2] = [14, 16];

/// An ending with its distance to mate in half moves.
struct Ending {
    position: Position,
    plies: usize,
}

/// The endings, with White as the winner.
fn endings() -> impl Iterator<Item = Ending> {
    ENDINGS.lines().filter_map(|line| {
        let (fen, plies) = line.trim_end_matches(';').split_once(" dm ")?;
        Some(Ending { position: Position::from_fen(fen).ok()?, plies: plies.parse().ok()? })
    })
}

/// What was told of distances.
#[derive(Default)]
struct Told {
    searches: usize,
    distances: usize,
    exact: usize,
    impossible: Vec<String>,
    /// Everything that was asked until the first impossible one: the table is part of the case.
    repro: Vec<String>,
}

impl Told {
    fn hear(&mut self, ending: &Ending, depth: u32, thinking: &Thinking) {
        self.searches += 1;
        // The last iteration counts only when it was finished: until then the loser's best move may be yet to come.
        let finished = if thinking.cut_short { 0 } else { depth };
        let deepest = thinking.depth();
        // The depths that were told: an engine may tell one that no loop could count up to.
        let depths: BTreeSet<u32> = thinking.lines.iter().filter_map(|info| info.depth).collect();
        for at in depths.into_iter().filter(|&at| at < deepest || at == finished) {
            let Some(Score::Mate(moves)) = thinking.at_depth(at).and_then(|info| info.score) else {
                continue;
            };
            self.distances += 1;
            let wins = ending.position.turn() == Color::White;
            let plies = plies_to_mate(moves);
            self.exact += usize::from(plies == ending.plies);
            if (moves > 0) != wins || plies < ending.plies {
                self.impossible.push(format!(
                    "mate {moves} at depth {at}, where the nearest is {} half moves away, in {}",
                    ending.plies,
                    ending.position.to_fen()
                ));
            }
        }
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    exam.patient.new_game()?;
    let mut asked = exam.patient.last_lines();
    let mut told = Told::default();
    for depth in DEPTHS {
        let go = format!("go depth {depth}");
        for ending in endings() {
            if !exam.goes_on() {
                break;
            }
            // Short, so that a slow engine, or one whose trees a fault makes great, gets through some series too.
            let cap = exam.cap(Duration::from_millis(400));
            let Ok(thinking) = exam.patient.search(&ending.position, &go, cap) else {
                // Another process knows nothing of the searches so far.
                asked = exam.patient.opening_lines();
                continue;
            };
            asked.extend_from_slice(thinking.own_lines());
            told.hear(&ending, depth, &thinking);
            if told.repro.is_empty() && !told.impossible.is_empty() {
                told.repro.clone_from(&asked);
            }
        }
    }
    Ok(vec![judge(told)])
}

fn judge(told: Told) -> Finding {
    let Told { searches, distances, exact, impossible, repro } = told;
    if distances < 20 {
        let why = format!("only {distances} mates were told in {searches} searches");
        return Finding::unmeasured("distances", "possible", why);
    }
    let (verdict, summary) = match impossible.as_slice() {
        [] => (
            Verdict::Sound,
            format!("{distances} distances to mate told in {searches} searches, none too near"),
        ),
        [one] => (Verdict::Alarm, format!("one of {distances} distances to mate is impossible: {one}")),
        [first, ..] => (
            Verdict::Alarm,
            format!("{} of {distances} distances to mate are impossible: {first}", impossible.len()),
        ),
    };
    Finding::new("distances", "possible", verdict, summary)
        .effect("impossible distances", impossible.len() as f64, "")
        .sure_by_hand(
            0.99,
            format!("{distances} distances against exact ones; six sound engines tell none too near"),
        )
        .threshold("an impossible distance")
        .samples(searches)
        .measure("share of exact distances", exact as f64 / distances as f64)
        .repro(repro)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Score as Value;
    use engine::textbook::{Method, solve};
    use uci::info::Info;

    #[test]
    fn the_distances_are_those_of_a_search_that_leaves_nothing_out() {
        let mut near = 0;
        for ending in endings().filter(|ending| ending.plies <= 4) {
            near += 1;
            let answer = solve(&ending.position, ending.plies as u32, Method::MateDistancePruning, |_| 0);
            let wins = ending.position.turn() == Color::White;
            let right = if wins { Value::mate_in(ending.plies) } else { Value::mated_in(ending.plies) };
            assert_eq!(answer.score, right, "{}", ending.position.to_fen());
        }
        assert!(near >= 20, "{near}");
        assert_eq!(endings().count(), 240);
        // Whoever has the piece mates with his own move.
        assert!(endings().all(|ending| (ending.plies % 2 == 1) == (ending.position.turn() == Color::White)));
    }

    fn heard(fen: &str, plies: usize, lines: &[(u32, i32)], cut_short: bool) -> Told {
        let position = Position::from_fen(fen).expect("valid");
        let line = |&(depth, mate): &(u32, i32)| Info {
            depth: Some(depth),
            score: Some(Score::Mate(mate)),
            ..Info::default()
        };
        let thinking = Thinking {
            position,
            before: Vec::new(),
            asked: Vec::new(),
            best: None,
            unreadable: None,
            lines: lines.iter().map(line).collect(),
            elapsed: Duration::ZERO,
            cpu: None,
            cut_short,
        };
        let mut told = Told::default();
        told.hear(&Ending { position, plies }, 14, &thinking);
        told
    }

    const LOSER_MOVES: &str = "1k6/8/1K6/8/8/8/8/6R1 b - - 0 1";

    #[test]
    fn a_mate_too_near_is_impossible_once_its_iteration_is_finished() {
        // The first move of an iteration may be the worst: a better one comes at the same depth.
        let sound = heard(LOSER_MOVES, 4, &[(5, -1), (5, -2), (14, -2)], false);
        assert_eq!((sound.distances, sound.exact, sound.impossible.len()), (2, 2, 0));
        assert_eq!(heard(LOSER_MOVES, 4, &[(5, -1), (14, -2)], false).impossible.len(), 1);
        // Told to stop in the middle of depth 6.
        assert_eq!(heard(LOSER_MOVES, 4, &[(5, -2), (6, -1)], true).impossible.len(), 0);
        assert_eq!(heard(LOSER_MOVES, 4, &[(5, 2), (14, -2)], false).impossible.len(), 1);
        assert_eq!(heard(LOSER_MOVES, 4, &[(5, -9), (14, -2)], false).impossible.len(), 0);
    }
}
