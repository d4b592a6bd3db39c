//! A game: start position, moves and outcome.

use crate::{Color, Move, Position};
use std::fmt;

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawReason {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// No sequence of moves can lead to mate.
    InsufficientMaterial,
    /// The position has occurred for the third time.
    Threefold,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Checkmate.
    Checkmate {
        /// The winner.
        winner: Color,
    },
    /// A draw.
    Draw(DrawReason),
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            Outcome::Draw(_) => None,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self {
            Outcome::Checkmate { .. } => "checkmate",
            Outcome::Draw(DrawReason::Stalemate) => "stalemate",
            Outcome::Draw(DrawReason::InsufficientMaterial) => "insufficient material",
            Outcome::Draw(DrawReason::Threefold) => "threefold repetition",
            Outcome::Draw(DrawReason::FiftyMoves) => "fifty-move rule",
        };
        write!(f, "{} ({reason})", self.result())
    }
}

impl Position {
    /// The outcome by the board alone: checkmate, stalemate, insufficient material, fifty-move rule.
    /// Checkmate on the 100th ply counts as checkmate.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome::Checkmate { winner: !self.turn() }
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        if self.is_insufficient_material() {
            return Some(Outcome::Draw(DrawReason::InsufficientMaterial));
        }
        (self.halfmove_clock() >= 100).then_some(Outcome::Draw(DrawReason::FiftyMoves))
    }
}

/// A game from its first position on. It stores the key of every position, to detect repetitions.
///
/// ```
/// use chess::{DrawReason, Game, Outcome, Position};
/// let mut game = Game::new(Position::startpos());
/// for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
///     assert_eq!(game.outcome(), None);
///     let mv = game.position().parse_uci(text)?;
///     game.play(mv);
/// }
/// assert_eq!(game.repetitions(), 3);
/// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Threefold)));
/// # Ok::<(), chess::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl Game {
    /// A game from this position.
    pub fn new(start: Position) -> Game {
        Game { start, position: start, moves: Vec::new(), keys: vec![start.key()] }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The keys of all positions, the current one's last.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.position.play(mv);
        self.moves.push(mv);
        self.keys.push(self.position.key());
    }

    /// Undoes the last move and returns it, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.keys.pop();
        self.position = self.moves.iter().fold(self.start, |position, &mv| position.after(mv));
        Some(last)
    }

    /// How often the current position has occurred, including now.
    pub fn repetitions(&self) -> usize {
        let reach = self.position.halfmove_clock() as usize;
        let key = self.position.key();
        1 + self
            .keys
            .iter()
            .rev()
            .take(reach + 1)
            .skip(4)
            .step_by(2)
            .filter(|&&earlier| earlier == key)
            .count()
    }

    /// Whether and how the game is over. Threefold repetition and fifty moves end it without a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position
            .outcome()
            .or_else(|| (self.repetitions() >= 3).then_some(Outcome::Draw(DrawReason::Threefold)))
    }
}

impl Default for Game {
    /// A game of standard chess before the first move.
    fn default() -> Game {
        Game::new(Position::startpos())
    }
}
