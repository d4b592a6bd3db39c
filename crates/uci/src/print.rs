//! What the engine has to say, as lines of UCI. The session writes them; nothing here prints by itself.

use std::fmt::{self, Display, Write};

use engine::{Bound, Event, Iteration, Reading};

use crate::options::OPTIONS;

/// How the GUI wants to be told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Castling as king takes rook.
    pub chess960: bool,
    /// Win, draw and loss beside the score.
    pub show_wdl: bool,
}

/// The answer to `uci`.
pub fn introduction(name: impl Display, author: impl Display) -> String {
    let mut text = format!("id name {name}\nid author {author}\n");
    for option in OPTIONS.iter() {
        let _ = writeln!(text, "{option}");
    }
    text.push_str("uciok");
    text
}

/// Words for people, as one `info string` for each line of them.
pub fn info_string(words: impl Display) -> String {
    let words = words.to_string();
    let lines = words.lines().map(|line| format!("info string {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// What happened in a search, in one or more lines.
pub fn event(event: &Event, style: Style) -> String {
    match event {
        Event::Iteration(iteration) => IterationLine { iteration, style }.to_string(),
        Event::CurrentMove { depth, mv, number } => {
            let mv = mv.uci(style.chess960);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Event::Statistics(statistics) => info_string(statistics),
        Event::BestMove { best: None, .. } => "bestmove (none)".to_owned(),
        Event::BestMove { best: Some(best), ponder } => {
            let mut text = format!("bestmove {}", best.uci(style.chess960));
            if let Some(ponder) = ponder {
                let _ = write!(text, " ponder {}", ponder.uci(style.chess960));
            }
            text
        }
    }
}

/// One `info` line with a principal variation.
struct IterationLine<'a> {
    iteration: &'a Iteration,
    style: Style,
}

impl Display for IterationLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = self.iteration;
        write!(f, "info depth {} seldepth {} multipv {}", it.depth, it.selective_depth, it.multi_pv)?;
        match it.score.reading() {
            Reading::Centipawns(centipawns) => write!(f, " score cp {centipawns}")?,
            Reading::Mate(moves) => write!(f, " score mate {moves}")?,
        }
        match it.bound {
            Bound::Exact => {}
            Bound::Lower => f.write_str(" lowerbound")?,
            Bound::Upper => f.write_str(" upperbound")?,
        }
        if self.style.show_wdl {
            let [win, draw, loss] = it.wdl;
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let nodes_per_second = u128::from(it.nodes) * 1_000_000 / it.time.as_micros().max(1);
        write!(f, " nodes {} nps {nodes_per_second} hashfull {}", it.nodes, it.hashfull)?;
        write!(f, " tbhits {} time {}", it.tb_hits, it.time.as_millis())?;
        if !it.pv.is_empty() {
            f.write_str(" pv")?;
        }
        for mv in &it.pv {
            write!(f, " {}", mv.uci(self.style.chess960))?;
        }
        Ok(())
    }
}
