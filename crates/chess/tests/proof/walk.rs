//! Random games and random positions for the other tests.

use chess::{Color, File, Move, MoveKind, Piece, Position, Role, Square};

/// `SplitMix64`: the same numbers on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.below(from.len())]) }
    }
}

/// Start positions: standard chess, Chess960, double Chess960 and random pieces, in turn.
pub fn random_start(game: usize, random: &mut Random) -> Position {
    let number = |random: &mut Random| random.below(960) as u16;
    match game % 4 {
        0 => Position::startpos(),
        1 => Position::chess960(number(random)).unwrap(),
        2 => Position::double_chess960(number(random), number(random)).unwrap(),
        _ => scattered(random),
    }
}

/// Random pieces, with many pins, checks and unusual material. Every other king is on its back rank between
/// two castling rooks, outer or inner ones, so that castling with check and pinned rooks are common.
pub fn scattered(random: &mut Random) -> Position {
    const ROLES: [Role; 6] = [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    loop {
        let mut board = [None; 64];
        let mut rights = String::new();
        for color in Color::ALL {
            let king = Piece::new(color, Role::King);
            if random.below(2) == 0 {
                board[random.below(64)] = Some(king);
                continue;
            }
            let file = 1 + random.below(6);
            let left = random.below(file);
            let right = file + 1 + random.below(7 - file);
            let home = |file| Square::from_index(file).relative_to(color).index();
            board[home(file)] = Some(king);
            for rook in [left, right] {
                let rook_letter = File::new(rook).letter();
                board[home(rook)] = Some(Piece::new(color, Role::Rook));
                rights.push(if color == Color::White {
                    rook_letter.to_ascii_uppercase()
                } else {
                    rook_letter
                });
            }
        }
        for _ in 0..2 + random.below(14) {
            let piece = Piece::new(Color::ALL[random.below(2)], ROLES[random.below(6)]);
            let square = random.below(64);
            let fits = piece.role() != Role::Pawn || (8..56).contains(&square);
            if fits && board[square].is_none() {
                board[square] = Some(piece);
            }
        }
        let turn = Color::ALL[random.below(2)].letter();
        let passing = Square::from_index(random.below(64));
        let rights = if rights.is_empty() { "-" } else { &rights };
        let fen = format!("{} {turn} {rights} {passing} 0 1", board_field(&board));
        if let Ok(position) = Position::from_fen(&fen) {
            return position;
        }
    }
}

fn board_field(board: &[Option<Piece>; 64]) -> String {
    let rank = |rank: &[Option<Piece>]| -> String {
        rank.iter().map(|piece| piece.map_or('1', Piece::letter)).collect()
    };
    board.chunks(8).rev().map(rank).collect::<Vec<_>>().join("/")
}

/// A random legal move. Castling, promotions, double steps and en passant captures are rare, so they are
/// preferred half of the time.
pub fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    let rare: Vec<Move> = moves.iter().copied().filter(|mv| mv.kind() != MoveKind::Normal).collect();
    if random.below(2) == 0 && !rare.is_empty() { random.pick(&rare) } else { random.pick(&moves) }
}

/// Calls `visit` with `count` positions of random games.
pub fn for_each_position(seed: u64, count: usize, mut visit: impl FnMut(&Position, &mut Random)) {
    let mut random = Random::new(seed);
    let mut seen = 0;
    for game in 0.. {
        let mut position = random_start(game, &mut random);
        for _ in 0..150 {
            if seen == count {
                return;
            }
            seen += 1;
            visit(&position, &mut random);
            match random_move(&position, &mut random) {
                Some(mv) => position.play(mv),
                None => break,
            }
        }
    }
}
