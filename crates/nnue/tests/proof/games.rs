//! Random games that the proofs walk through.

use chess::{Move, Position};

/// `SplitMix64`: the same numbers on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// Where rare moves are common: castling on both sides, pawns about to promote, kings near the middle files.
const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/3QK3 b - - 0 1",
    "rnbqkbnr/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/RNBQKBNR w KQkq - 0 1",
];

/// Where a game begins: standard chess, Chess960, double Chess960 or one of the odd starts, in turn.
pub fn start(game: usize, random: &mut Random) -> Position {
    let number = |random: &mut Random| random.below(960) as u16;
    match game % 4 {
        0 => Position::startpos(),
        1 => Position::chess960(number(random)).unwrap(),
        2 => Position::double_chess960(number(random), number(random)).unwrap(),
        _ => Position::from_fen(STARTS[random.below(STARTS.len())]).unwrap(),
    }
}

/// A legal move, if there is one: castling and promotion wherever they are possible half of the time.
pub fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    if random.below(2) == 0 {
        let rare = |mv: &Move| mv.is_castle() || mv.is_promotion() || mv.is_en_passant();
        let rare: Vec<Move> = moves.iter().copied().filter(rare).collect();
        if !rare.is_empty() {
            return Some(rare[random.below(rare.len())]);
        }
    }
    Some(moves[random.below(moves.len())])
}

/// Positions of random games of every kind.
pub fn positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut list = Vec::with_capacity(count);
    for game in 0.. {
        let mut position = start(game, &mut random);
        for _ in 0..150 {
            if list.len() == count {
                return list;
            }
            list.push(position);
            match random_move(&position, &mut random) {
                Some(mv) => position = position.after(mv),
                None => break,
            }
        }
    }
    list
}
