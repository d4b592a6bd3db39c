//! A line of play, each move of which is the engine's choice in a search of its own.

use chess::{Color, Game, Move, Outcome, Position};
use serde::{Deserialize, Serialize};
use uci::Score;

use super::MARGIN;
use super::gain::{self, Gain};
use crate::chance_of;
use crate::motif::{Motif, Tactic, motifs};

/// Plies of a line that wins nothing.
const QUIET_PLIES: usize = 4;
/// Plies of a line that wins something.
const SHARP_PLIES: usize = 10;

/// Moves of the longest mate that a line shows.
const LONGEST_MATE: u32 = SHARP_PLIES as u32 / 2;
/// A move of the side that wins something must not cost this much of its winning chances, in percent, nor may they fall
/// this far below those at the start.
const OWN_MARGIN: f64 = 0.75 * MARGIN;
/// How often a line goes back to a move of the defender.
const MOST_RECONSIDERED: u32 = 4;

/// A line goes on after a gain while the score is more than this above the material, in centipawns.
const MOST_UNEXPLAINED: i32 = 150;

/// What follows the search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The move that was found.
    Move,
    /// Another search of the position that the line now leads to: the defender's move there was worse than it seemed.
    Reconsider,
    End,
}

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
    /// How many times the limits each search has.
    pub factor: u32,
    /// The position that material is counted from.
    board: Position,
    pub moves: Vec<Move>,
    /// White's score at the start and after each move. A mate that only the search after the first move sees counts at
    /// the start.
    pub scores: Vec<Score>,
    depth: u32,
    reconsidered: u32,
    /// The plies after which most was won, and how much in pawns.
    won_after: Option<(usize, i32)>,
    /// The first search's line may win something.
    is_sharp: bool,
    pub agreed: bool,
    pub mate: Option<u32>,
    pub gain: Option<Gain>,
    pub tactics: Vec<Tactic>,
}

impl Walk {
    pub fn new(start: Position, board: Position, factor: u32) -> Walk {
        Walk {
            start,
            factor,
            board,
            moves: Vec::new(),
            scores: Vec::new(),
            depth: 0,
            reconsidered: 0,
            won_after: None,
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

    /// Adds the search of the position after the moves so far.
    pub fn add(&mut self, score: Score, depth: u32, pv: &[String]) -> Next {
        let (Some(&first), Some(&before)) = (self.scores.first(), self.scores.last()) else {
            self.depth = depth;
            self.is_sharp = self.may_win(score, pv);
            self.scores.push(score);
            return Next::Move;
        };
        self.scores.push(score);
        let side = self.side();
        let chance = |score| chance_of(side, score);
        let lost_mate = mate_for(side, first).is_some() && any_mate_for(side, score).is_none();
        let is_own = self.moves.len() % 2 == 1;
        let has_erred = is_own && chance(before) - chance(score) >= OWN_MARGIN;
        if chance(first) - chance(score) >= OWN_MARGIN || lost_mate || has_erred {
            // The line does not keep its promise. What it had won before stands.
            match self.won_after {
                Some((plies, _)) => self.cut(plies),
                None => self.agreed = false,
            }
            return Next::End;
        }
        if let ([first, after], Score::Mate(moves)) = (&mut self.scores[..], score)
            && mate_for(side, *first).is_none()
            && mate_for(side, *after).is_some()
        {
            // Only the search after the first move sees the mate.
            *first = Score::Mate(moves + moves.signum());
        }
        // What the first move leads to is no mistake of the other side. A line that is stated has to be exact.
        let seen = self.scores.iter().take(2).map(|&score| chance(score)).fold(0.0, f64::max);
        let allowed = if self.factor == 1 { MARGIN } else { MARGIN / 2.0 };
        if chance(score) - seen >= allowed {
            // The other side's last move was worse than it seemed.
            if self.factor > 1 && self.reconsidered < MOST_RECONSIDERED {
                self.reconsidered += 1;
                let reply = if is_own { self.moves.len() - 2 } else { self.moves.len() - 1 };
                self.cut(reply);
                self.scores.truncate(reply);
                return Next::Reconsider;
            }
            self.cut((self.moves.len() - 1) / 2 * 2 + 1);
            return Next::End;
        }
        if let Some(won) = self.won() {
            if self.won_after.is_none_or(|(_, before)| won > before) {
                self.won_after = Some((self.moves.len(), won));
            }
            if self.unexplained(score) <= MOST_UNEXPLAINED {
                return Next::End;
            }
        }
        let longest = if self.is_sharp { SHARP_PLIES } else { QUIET_PLIES };
        if self.moves.len() < longest { Next::Move } else { Next::End }
    }

    /// The game is over at the end of the line.
    pub fn finish(&mut self, game: &Game) {
        if let (Some(&first), Some(score)) = (self.scores.first(), final_score(game)) {
            self.agreed &= chance_of(self.side(), first) - chance_of(self.side(), score) < OWN_MARGIN;
            self.scores.push(score);
        }
    }

    /// Whether longer searches may show that it wins something.
    pub fn is_promising(&self) -> bool {
        self.is_proof() || !self.agreed && self.is_sharp
    }

    /// Whether another search of the position after `ply` moves fits: it keeps the promise of the line, and the last move
    /// is no mistake by the search before.
    pub fn agrees_with(&self, ply: usize, before: Option<Score>, score: Score) -> bool {
        let keeps =
            |side: Color, promised: Score| chance_of(side, promised) - chance_of(side, score) < OWN_MARGIN;
        let Some(before) = before else {
            let mates = self.mate.is_none() || any_mate_for(self.side(), score).is_some();
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
        any_mate_for(self.side(), score).is_some() || won || !motifs(&self.start, &moves).is_empty()
    }

    /// What the line has won, in pawns, if neither side can capture at a profit at its end, and it does not mate.
    fn won(&self) -> Option<i32> {
        let mates = self.scores.first().is_some_and(|&score| mate_for(self.side(), score).is_some());
        let settled = gain::settled(&self.board, &self.start, &self.moves)?;
        (!mates && settled.0 == self.moves.len() && settled.1.is_won()).then_some(settled.1.pawns())
    }

    /// How much better the score is than the material at the end of the line, in centipawns: it wins more.
    fn unexplained(&self, score: Score) -> i32 {
        let end = self.moves.iter().fold(self.start, |position, &mv| position.after(mv));
        let score = if self.side() == Color::White { score } else { -score };
        score.centipawns() - 100 * gain::material(&end, self.side())
    }

    /// Decides what the line shows.
    pub fn settle(&mut self) {
        let Some(&first) = self.scores.first() else { return };
        if !self.agreed {
            return;
        }
        self.mate = mate_for(self.side(), first);
        if self.mate.is_none() {
            let settled = |walk: &Walk| gain::settled(&walk.board, &walk.start, &walk.moves);
            let at_end = settled(self).map_or(0, |(_, gain)| gain.pawns());
            if let Some((plies, _)) = self.won_after.filter(|&(_, won)| won == at_end) {
                // Nothing more was won.
                self.cut(plies);
            }
            self.gain = settled(self).map(|(_, gain)| gain).filter(Gain::is_won);
        }
        if self.is_proof() {
            self.tactics = motifs(&self.start, &self.moves);
        }
    }

    /// In how many moves the side that moves first is mated.
    pub fn mate_against(&self) -> Option<u32> {
        self.scores.first().and_then(|&score| any_mate_for(!self.side(), score))
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
fn any_mate_for(side: Color, score: Score) -> Option<u32> {
    match if side == Color::White { score } else { -score } {
        Score::Mate(moves) if moves > 0 => Some(moves.unsigned_abs()),
        _ => None,
    }
}

/// The same, if a line can show the mate.
fn mate_for(side: Color, score: Score) -> Option<u32> {
    any_mate_for(side, score).filter(|&moves| moves <= LONGEST_MATE)
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

#[cfg(test)]
mod tests {
    use super::*;

    const FORK: &str = "r2nk3/3ppp2/8/1N6/8/8/5PPP/4K3 w - - 0 1";

    /// A line with moves in SAN and White's scores in centipawns: at the start and after each move. Returns what follows
    /// the last search.
    fn walk(fen: &str, factor: u32, moves: &str, scores: &[i32]) -> (Walk, Next) {
        let start = Position::from_fen(fen).expect("a position");
        let line = crate::trace::read_line(&start, moves).expect("legal moves");
        let pv: Vec<String> = line.iter().map(|mv| mv.uci(false).to_string()).collect();
        let mut walk = Walk::new(start, start, factor);
        let mut next = Next::Move;
        for (ply, &score) in scores.iter().enumerate() {
            if let Some(mv) = ply.checked_sub(1).map(|index| line[index]) {
                walk.moves.push(mv);
            }
            next = walk.add(Score::Centipawns(score), 9, &pv);
        }
        (walk, next)
    }

    #[test]
    fn line_ends_with_its_gain() {
        let (mut line, next) = walk(FORK, 4, "Nc7+ Kf8 Nxa8", &[100, 100, 100, 100]);
        assert_eq!(next, Next::End, "the material is even, and so is the score, almost");
        line.settle();
        assert_eq!(line.gain.map(|gain| gain.to_string()).as_deref(), Some("wins a rook"));
    }

    #[test]
    fn line_goes_on_while_the_score_promises_more() {
        let (mut line, next) = walk(FORK, 4, "Nc7+ Kf8 Nxa8 e6", &[700, 700, 700, 700, 700]);
        assert_eq!(next, Next::Move);
        line.settle();
        assert_eq!(line.moves.len(), 3, "it won nothing more");
        let (line, next) = walk(FORK, 4, "Nc7+ Kf8 Nxa8 e6", &[700, 700, 700, 700, 100]);
        assert_eq!((next, line.agreed, line.moves.len()), (Next::End, true, 3), "what it had won stands");
    }

    #[test]
    fn broken_promise_refutes_a_line() {
        let (mut line, next) = walk(FORK, 4, "Nc7+ Kf8 Nxa8", &[300, 300, 180]);
        assert_eq!((next, line.agreed), (Next::End, false));
        line.settle();
        assert!(!line.is_proof() && line.is_promising());
        // Better than at the start, and still a mistake.
        let (line, _) = walk(FORK, 4, "Nc7+ Kf8 Nxa8", &[300, 500, 500, 320]);
        assert!(!line.agreed);
    }

    #[test]
    fn defender_reconsiders_a_mistake() {
        let (line, next) = walk(FORK, 4, "Nc7+ Kf8", &[300, 300, 500]);
        assert_eq!((next, line.moves.len(), line.scores.len()), (Next::Reconsider, 1, 1));
        let (line, next) = walk(FORK, 4, "Nc7+ Kf8 Nxa8", &[300, 300, 300, 500]);
        assert_eq!((next, line.moves.len(), line.scores.len()), (Next::Reconsider, 1, 1));
        // A short search only ends the line, and needs a larger difference.
        let (line, next) = walk(FORK, 1, "Nc7+ Kf8", &[300, 300, 500]);
        assert_eq!((next, line.moves.len(), line.agreed), (Next::End, 1, true));
        assert_eq!(walk(FORK, 1, "Nc7+ Kf8", &[300, 300, 370]).1, Next::Move);
    }

    #[test]
    fn first_move_may_be_better_than_it_seemed() {
        let (line, next) = walk(FORK, 4, "Nc7+ Kf8", &[300, 500, 500]);
        assert_eq!((next, line.agreed), (Next::Move, true));
        let mut line = walk(FORK, 4, "Nc7+", &[300]).0;
        line.moves.push(line.start.parse_san("Nc7+").expect("legal"));
        assert_eq!(line.add(Score::Mate(3), 9, &[]), Next::Move);
        line.settle();
        assert_eq!(line.mate, Some(4), "with the first move");
        assert_eq!(mate_for(Color::White, Score::Mate(6)), None, "no line shows it");
    }
}
