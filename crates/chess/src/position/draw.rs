//! Draws: insufficient material and upcoming repetition.

use super::Position;
use crate::zobrist::ZOBRIST;
use crate::{Bitboard, Color, Move, Piece, Role, Square, attacks};
use std::sync::LazyLock;

impl Position {
    /// Whether the material is insufficient for mate by any sequence of legal moves: bare kings, one minor piece, or bishops
    /// all on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.role(Role::Pawn) | self.straight_sliders();
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.role(Role::Knight), self.role(Role::Bishop));
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        (bishops & Bitboard::LIGHT).is_empty() || (bishops & Bitboard::DARK).is_empty()
    }
}

/// Whether the side to move has a move that leads to a position which occurred before, within the moves
/// since the last capture or pawn move. `keys` are the keys of the game so far, the current position's
/// last. With `since` only positions that occurred in the last `since` plies count, which restricts
/// a search to cycles inside its own tree.
///
/// ```
/// use chess::{Game, Position, has_upcoming_repetition};
/// let mut game = Game::new(Position::startpos());
/// for text in ["g1f3", "g8f6", "f3g1"] {
///     game.play(game.position().parse_uci(text)?);
/// }
/// // Black can play Ng8, which leads back to the start.
/// assert!(has_upcoming_repetition(game.position(), game.keys(), usize::MAX));
/// assert!(!has_upcoming_repetition(game.position(), game.keys(), 2));
/// # Ok::<(), chess::MoveError>(())
/// ```
///
/// Looks for two positions that differ by one reversible move of one piece (M. N. J. van Kervinck, "The
/// design and implementation of the Rookie 2.0 chess playing program", 2002).
pub fn has_upcoming_repetition(position: &Position, keys: &[u64], since: usize) -> bool {
    let reach = (position.halfmove_clock() as usize).min(keys.len().saturating_sub(1)).min(since);
    if reach < 3 {
        return false;
    }
    let cuckoo: &Cuckoo = &CUCKOO;
    let current = keys.len() - 1;
    let mut distance = 3;
    while distance <= reach {
        let difference = position.key() ^ keys[current - distance];
        if let Some(mv) = cuckoo.find(difference)
            && (attacks::between(mv.from(), mv.to()) & position.occupied()).is_empty()
        {
            // The piece is on one of the two squares; it must belong to the side to move.
            let square = if position.piece_at(mv.from()).is_some() { mv.from() } else { mv.to() };
            if position.piece_at(square).map(Piece::color) == Some(position.turn()) {
                return true;
            }
        }
        distance += 2;
    }
    false
}

/// A cuckoo hash table of all reversible moves of one piece on an empty board, by the difference that they
/// make to the key. Each has two possible slots, so a lookup takes at most two steps.
struct Cuckoo {
    keys: Vec<u64>,
    moves: Vec<Move>,
}

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

impl Cuckoo {
    const SIZE: usize = 8192;

    fn places(key: u64) -> [usize; 2] {
        [key as usize % Cuckoo::SIZE, (key >> 16) as usize % Cuckoo::SIZE]
    }

    fn find(&self, key: u64) -> Option<Move> {
        Cuckoo::places(key).into_iter().find(|&place| self.keys[place] == key).map(|place| self.moves[place])
    }

    fn new() -> Cuckoo {
        let mut table = Cuckoo { keys: vec![0; Cuckoo::SIZE], moves: vec![Move::NONE; Cuckoo::SIZE] };
        for color in Color::ALL {
            for role in Role::ALL.into_iter().filter(|&role| role != Role::Pawn) {
                let piece = Piece::new(color, role);
                for from in Square::all() {
                    let targets = match role {
                        Role::Knight => attacks::knight(from),
                        Role::King => attacks::king(from),
                        Role::Bishop => attacks::bishop_rays(from),
                        Role::Rook => attacks::rook_rays(from),
                        _ => attacks::bishop_rays(from) | attacks::rook_rays(from),
                    };
                    for to in targets.into_iter().filter(|&to| to > from) {
                        let key =
                            ZOBRIST.piece(piece, from) ^ ZOBRIST.piece(piece, to) ^ ZOBRIST.black_to_move;
                        table.insert(key, Move::normal(from, to));
                    }
                }
            }
        }
        table
    }

    /// Inserts an entry, and moves the one that was there to its other slot.
    fn insert(&mut self, mut key: u64, mut mv: Move) {
        let mut place = Cuckoo::places(key)[0];
        loop {
            std::mem::swap(&mut self.keys[place], &mut key);
            std::mem::swap(&mut self.moves[place], &mut mv);
            if mv.is_none() {
                return;
            }
            let [first, second] = Cuckoo::places(key);
            place = if place == first { second } else { first };
        }
    }
}
