//! What all exercises use: scores, a simple evaluation, an order of moves. Nothing to do here.

use chess::{Color, Move, Position, Role};

/// Centipawns from the point of view of the side to move: what is good for the one is bad for the other.
pub type Score = i32;

/// Larger than every score. Its negation is smaller than every score.
pub const INFINITY: Score = 32_000;

/// The score of a drawn position.
pub const DRAW: Score = 0;

/// Being mated at the root. Scores near it count plies: see [`mated_in`].
const MATE: Score = 30_000;

/// The side to move is mated, `ply` plies below the root. Later is better: the number grows with `ply`.
pub fn mated_in(ply: u32) -> Score {
    ply as Score - MATE
}

/// The side to move mates, and the mated position is `ply` plies below the root. Earlier is better.
pub fn mate_in(ply: u32) -> Score {
    -mated_in(ply)
}

/// Whether the rules call the position a draw although there are legal moves: too little material, or fifty moves without
/// a capture or a pawn move. (Repetitions need the history of the game; the exercises leave them out.)
pub fn is_drawn(position: &Position) -> bool {
    position.is_insufficient_material() || position.halfmove_clock() >= 100
}

/// What a piece is worth, by role from pawn to king.
pub const VALUES: [Score; 6] = [100, 300, 320, 500, 900, 0];

/// A static evaluation: material, and a little for pieces near the centre.
pub fn evaluate(position: &Position) -> Score {
    let side = |color: Color| -> Score {
        let pieces = Role::ALL.iter().flat_map(|&role| {
            position.pieces(color, role).into_iter().map(move |square| {
                let (file, rank) = (square.file().index() as Score, square.rank().index() as Score);
                let centre = file.min(7 - file) + rank.min(7 - rank);
                VALUES[role.index()] + if role == Role::King { -centre } else { 3 * centre }
            })
        });
        pieces.sum()
    };
    side(position.turn()) - side(!position.turn())
}

/// How promising a move looks: the higher, the better. Captures of valuable pieces by cheap ones come first (MVV-LVA), then
/// promotions, then the rest.
pub fn candidacy(position: &Position, mv: Move) -> Score {
    let promotion = mv.promotion().map_or(0, |role| VALUES[role.index()]);
    match (position.captured(mv), position.role_at(mv.from())) {
        (Some(victim), Some(attacker)) => 10 * VALUES[victim.index()] - VALUES[attacker.index()] + promotion,
        _ => promotion,
    }
}

/// Random numbers that are the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % end as u64) as usize
    }
}

/// Positions of games with random moves, the same in every run.
pub fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::startpos();
        for _ in 0..4 + random.below(60) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            positions.push(position);
        }
    }
    positions
}
