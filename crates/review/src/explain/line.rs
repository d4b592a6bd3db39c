//! A line of play, each move of which is the engine's choice in a search of its own.

use chess::{Color, Game, Move, Outcome, Position};
use serde::{Deserialize, Serialize};
use uci::Score;

use super::gain::{self, Gain};
use super::{MARGIN, chance_of};
use crate::motif::{Motif, Tactic, motifs};

/// Plies of a line that wins nothing.
const QUIET_PLIES: usize = 4;
/// Plies of a line that wins something.
const SHARP_PLIES: usize = 10;

/// A motif and its description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedMotif {
    pub motif: Motif,
    pub text: String,
}

/// A searched line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatedLine {
    /// Where it begins. In a threat the other side has passed before it.
    pub fen: String,
    /// In SAN.
    pub moves: Vec<String>,
    /// In UCI notation.
    pub uci: Vec<String>,
    /// White's score where it begins.
    pub score: Score,
    /// The depth of that search.
    pub depth: u32,
    /// Whether the searches of its positions agree.
    pub agreed: bool,
    /// Whether it ends in checkmate or the score is a mate, for the side that moves first.
    pub mate: Option<u32>,
    /// What the side that moves first wins.
    pub gain: Option<Gain>,
    /// How it wins, the most telling motif first.
    pub motifs: Vec<NamedMotif>,
}

/// A line with what the searches of its positions found.
pub(super) struct Walk {
    pub start: Position,
    /// The position that material is counted from.
    board: Position,
    pub moves: Vec<Move>,
    /// White's score at the start and after each move.
    pub scores: Vec<Score>,
    depth: u32,
    /// The first search's line may win something.
    is_sharp: bool,
    pub agreed: bool,
    pub mate: Option<u32>,
    pub gain: Option<Gain>,
    pub tactics: Vec<Tactic>,
}

impl Walk {
    pub fn new(start: Position, board: Position) -> Walk {
        Walk {
            start,
            board,
            moves: Vec::new(),
            scores: Vec::new(),
            depth: 0,
            is_sharp: false,
            agreed: true,
            mate: None,
            gain: None,
            tactics: Vec::new(),
        }
    }

    pub fn side(&self) -> Color {
        self.start.turn()
    }

    /// Adds the search of the position after the moves so far. Returns whether the line goes on.
    pub fn add(&mut self, score: Score, depth: u32, pv: &[String]) -> bool {
        let Some(&first) = self.scores.first() else {
            self.depth = depth;
            self.is_sharp = self.may_win(score, pv);
            self.scores.push(score);
            return true;
        };
        self.scores.push(score);
        let change = chance_of(self.side(), score) - chance_of(self.side(), first);
        let lost_mate = mate_for(self.side(), first).is_some() && mate_for(self.side(), score).is_none();
        if change <= -MARGIN / 2.0 || lost_mate {
            // The line does not keep its promise.
            self.agreed = false;
            return false;
        }
        if change >= MARGIN {
            // The other side's last move was worse than it seemed.
            let kept = (self.moves.len() - 1) / 2 * 2;
            self.cut(kept + 1);
            return false;
        }
        let longest = if self.is_sharp { SHARP_PLIES } else { QUIET_PLIES };
        self.moves.len() < longest && !self.is_complete()
    }

    /// The game is over at the end of the line.
    pub fn finish(&mut self, game: &Game) {
        if let (Some(&first), Some(score)) = (self.scores.first(), final_score(game)) {
            self.agreed &= chance_of(self.side(), score) - chance_of(self.side(), first) > -MARGIN / 2.0;
            self.scores.push(score);
        }
    }

    /// Whether a longer search of the position after `ply` moves fits: it keeps the promise of the line, and the last
    /// move is no mistake by the one before.
    pub fn agrees_with(&self, ply: usize, before: Option<Score>, score: Score) -> bool {
        let keeps =
            |side: Color, promised: Score| chance_of(side, promised) - chance_of(side, score) < MARGIN / 2.0;
        let Some(before) = before else {
            let mates = self.mate.is_none() || mate_for(self.side(), score).is_some();
            return mates && self.scores.first().is_some_and(|&first| keeps(self.side(), first));
        };
        keeps(if ply % 2 == 1 { self.side() } else { !self.side() }, before)
    }

    /// Nothing is claimed about the line.
    pub fn refute(&mut self) {
        self.agreed = false;
        self.mate = None;
        self.gain = None;
        self.tactics.clear();
    }

    fn cut(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.scores.truncate(plies + 1);
    }

    fn may_win(&self, score: Score, pv: &[String]) -> bool {
        let (mut position, mut moves) = (self.start, Vec::new());
        for text in pv.iter().take(SHARP_PLIES) {
            let Ok(mv) = position.parse_uci(text) else { break };
            moves.push(mv);
            position = position.after(mv);
        }
        let won = gain::settled(&self.board, &self.start, &moves).is_some_and(|(_, gain)| gain.is_won());
        mate_for(self.side(), score).is_some() || won || !motifs(&self.start, &moves).is_empty()
    }

    /// Whether the line has won what it wins.
    fn is_complete(&self) -> bool {
        let mates = self.scores.first().is_some_and(|&score| mate_for(self.side(), score).is_some());
        !mates
            && gain::settled(&self.board, &self.start, &self.moves)
                .is_some_and(|(plies, gain)| plies == self.moves.len() && gain.is_won())
    }

    /// Decides what the line shows.
    pub fn settle(&mut self) {
        let Some(&first) = self.scores.first() else { return };
        if !self.agreed {
            return;
        }
        self.mate = mate_for(self.side(), first);
        if self.mate.is_none() {
            let settled = gain::settled(&self.board, &self.start, &self.moves);
            self.gain = settled.map(|(_, gain)| gain).filter(Gain::is_won);
        }
        if self.is_proof() {
            self.tactics = motifs(&self.start, &self.moves);
        }
    }

    /// In how many moves the side that moves first is mated.
    pub fn mate_against(&self) -> Option<u32> {
        self.scores.first().and_then(|&score| mate_for(!self.side(), score))
    }

    /// Whether it wins by force, as far as the searches agree.
    pub fn is_proof(&self) -> bool {
        self.agreed && (self.mate.is_some() || self.gain.is_some())
    }

    /// Winning chances of a side where the line begins.
    pub fn chance(&self, side: Color) -> f64 {
        self.scores.first().map_or(50.0, |&score| chance_of(side, score))
    }

    /// Winning chances of a side after the first move, by the search of that position: what the search of another move
    /// can be compared with.
    pub fn chance_after_first(&self, side: Color) -> f64 {
        self.scores.get(1).map_or_else(|| self.chance(side), |&score| chance_of(side, score))
    }

    pub fn line(&self, chess960: bool) -> StatedLine {
        let mut position = self.start;
        let mut sans = Vec::new();
        for &mv in &self.moves {
            sans.push(position.san(mv).to_string());
            position = position.after(mv);
        }
        let named = |tactic: &Tactic| NamedMotif { motif: tactic.motif, text: tactic.to_string() };
        StatedLine {
            fen: self.start.to_fen(),
            moves: sans,
            uci: self.moves.iter().map(|mv| mv.uci(chess960).to_string()).collect(),
            score: self.scores.first().copied().unwrap_or(Score::Centipawns(0)),
            depth: self.depth,
            agreed: self.agreed,
            mate: self.mate,
            gain: self.gain.clone(),
            motifs: self.tactics.iter().map(named).collect(),
        }
    }

    /// The moves with their numbers: `12. Nc7+ Kd7 13. Nxa8`.
    pub fn text(&self) -> String {
        numbered(&self.start, &self.moves)
    }

    /// The first move with its number.
    pub fn first(&self) -> String {
        numbered(&self.start, &self.moves[..self.moves.len().min(1)])
    }
}

/// White's score of a game that is over.
pub(super) fn final_score(game: &Game) -> Option<Score> {
    Some(match game.outcome()? {
        Outcome::Checkmate { winner: Color::White } => Score::Mate(1),
        Outcome::Checkmate { winner: Color::Black } => Score::Mate(-1),
        Outcome::Draw(_) => Score::Centipawns(0),
    })
}

/// In how many moves a side mates, by White's score.
fn mate_for(side: Color, score: Score) -> Option<u32> {
    match if side == Color::White { score } else { -score } {
        Score::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
        _ => None,
    }
}

/// Moves in SAN with their numbers.
pub(super) fn numbered(start: &Position, moves: &[Move]) -> String {
    let mut position = *start;
    let mut text = Vec::new();
    for (index, &mv) in moves.iter().enumerate() {
        let san = position.san(mv);
        let number = position.fullmove_number();
        text.push(match position.turn() {
            Color::White => format!("{number}. {san}"),
            Color::Black if index == 0 => format!("{number}... {san}"),
            Color::Black => san.to_string(),
        });
        position = position.after(mv);
    }
    text.join(" ")
}
