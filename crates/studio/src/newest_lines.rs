//! The newest lines of a search, as pages see them: of Vedette's own moves, or of those that another engine has written.

use chess::Color;
use uci::{Bound, Info, Wdl};

use crate::analysis::MAX_LINES;
use crate::protocol::{Analysis, PvLine};

/// The newest iteration of every line.
pub struct NewestLines<M> {
    turn: Color,
    run: u64,
    lines: Vec<Option<Info<M>>>,
    best: Option<String>,
    changed: bool,
    finished: bool,
}

impl<M> NewestLines<M> {
    pub fn new(turn: Color, run: u64) -> NewestLines<M> {
        NewestLines { turn, run, lines: Vec::new(), best: None, changed: false, finished: false }
    }

    pub fn run(&self) -> u64 {
        self.run
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Adds the line with this rank, from 1.
    pub fn add(&mut self, rank: u32, line: Info<M>) {
        let index = rank.saturating_sub(1) as usize;
        if index >= MAX_LINES || line.score.is_none() {
            return;
        }
        while self.lines.len() <= index {
            self.lines.push(None);
        }
        // A bound only means that the line is being searched again.
        if line.bound == Bound::Exact || self.lines[index].is_none() {
            self.lines[index] = Some(line);
            self.changed = true;
        }
    }

    /// The search has ended with a move, or without one.
    pub fn finish(&mut self, best: Option<String>) {
        self.best = best;
        self.finished = true;
        self.changed = true;
    }

    /// What has changed since the last update. `moves` gives the moves of a line, castling as king takes rook.
    pub fn update(&mut self, moves: impl Fn(&[M]) -> Vec<String>) -> Option<Analysis> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let newest = self.lines.iter().flatten().max_by_key(|line| line.nodes);
        Some(Analysis {
            run: self.run,
            lines: self.lines.iter().flatten().filter_map(|line| pv_line(line, self.turn, &moves)).collect(),
            nodes: newest.and_then(|line| line.nodes).unwrap_or_default(),
            millis: newest.and_then(|line| line.time).unwrap_or_default().as_millis() as u64,
            best: self.best.clone(),
            finished: self.finished,
        })
    }
}

/// A line from White's point of view; `None` if it has no score.
fn pv_line<M>(line: &Info<M>, turn: Color, moves: impl Fn(&[M]) -> Vec<String>) -> Option<PvLine> {
    let score = line.score?;
    let expected = (10.0 * review::chance(score)).round() as u16;
    let wdl = line.wdl.unwrap_or(Wdl { win: expected, draw: 0, loss: 1000 - expected });
    let (score, wdl) = if turn == Color::White { (score, wdl) } else { (-score, -wdl) };
    Some(PvLine {
        depth: line.depth.unwrap_or_default(),
        selective_depth: line.seldepth.unwrap_or_default(),
        score: score.into(),
        wdl: [wdl.win, wdl.draw, wdl.loss],
        pv: moves(&line.pv),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::protocol::Score;
    use uci::Score as UciScore;

    fn line(score: UciScore) -> Info<char> {
        Info {
            depth: Some(9),
            score: Some(score),
            wdl: Some(Wdl { win: 500, draw: 400, loss: 100 }),
            nodes: Some(1000),
            time: Some(Duration::from_millis(20)),
            pv: vec!['a'],
            ..Info::default()
        }
    }

    fn names(moves: &[char]) -> Vec<String> {
        moves.iter().map(char::to_string).collect()
    }

    fn seen(turn: Color, lines: Vec<(u32, Info<char>)>) -> Option<Analysis> {
        let mut newest = NewestLines::new(turn, 5);
        for (rank, line) in lines {
            newest.add(rank, line);
        }
        newest.update(names)
    }

    #[test]
    fn scores_are_from_whites_point_of_view() {
        let seen = |score, turn| seen(turn, vec![(1, line(score))]).expect("a line").lines.remove(0);
        let black = seen(UciScore::Centipawns(80), Color::Black);
        assert_eq!((black.score, black.pv), (Score::Cp(-80), vec!["a".to_owned()]));
        assert!(black.wdl[2] > black.wdl[0]);
        assert_eq!(seen(UciScore::Mate(-2), Color::Black).score, Score::Mate(2));
        assert_eq!(seen(UciScore::Centipawns(80), Color::White).score, Score::Cp(80));
    }

    #[test]
    fn missing_wdl_follows_from_the_score() {
        let without = Info { wdl: None, ..line(UciScore::Centipawns(200)) };
        let wdl = seen(Color::Black, vec![(1, without)]).expect("a line").lines[0].wdl;
        assert!(wdl[2] > 500 && wdl.iter().sum::<u16>() == 1000, "{wdl:?}");
    }

    #[test]
    fn updates_come_once_and_bounds_hide_no_line() {
        let mut newest = NewestLines::new(Color::White, 5);
        assert_eq!(newest.update(names), None);
        newest.add(2, line(UciScore::Centipawns(10)));
        newest.add(1, line(UciScore::Centipawns(30)));
        newest.add(1, Info { bound: Bound::Lower, ..line(UciScore::Centipawns(99)) });
        let update = newest.update(names).expect("an update");
        let scores: Vec<Score> = update.lines.iter().map(|line| line.score).collect();
        assert_eq!((update.run, scores), (5, vec![Score::Cp(30), Score::Cp(10)]));
        assert_eq!(newest.update(names), None);
        newest.finish(Some("a".to_owned()));
        assert!(newest.update(names).expect("the end").finished);
    }

    #[test]
    fn hostile_lines_take_no_memory() {
        assert_eq!(seen(Color::White, vec![(4_000_000_000, line(UciScore::Centipawns(1)))]), None);
        assert_eq!(seen(Color::White, vec![(1, Info { score: None, ..line(UciScore::Mate(1)) })]), None);
    }
}
