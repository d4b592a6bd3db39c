//! Start positions of Chess960 by their number, and of double Chess960 by two of them.

use chess::Position;

/// Number of Chess960 start positions.
pub const POSITIONS: usize = 960;

/// The back rank of a start position by Scharnagl's numbering, as letters from the a-file on.
fn back_rank(number: usize) -> [char; 8] {
    /// Files of the two knights among the five free ones.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let mut rank = [' '; 8];
    let place = |rank: &mut [char; 8], nth_free: usize, piece: char| {
        let free = (0..8).filter(|&file| rank[file] == ' ').nth(nth_free);
        if let Some(file) = free {
            rank[file] = piece;
        }
    };
    rank[2 * (number % 4) + 1] = 'b';
    rank[2 * (number / 4 % 4)] = 'b';
    place(&mut rank, number / 16 % 6, 'q');
    let (first, second) = KNIGHTS[number / 96 % 10];
    // The right one first, so that the left one's place is still counted among five.
    place(&mut rank, second, 'n');
    place(&mut rank, first, 'n');
    for piece in ['r', 'k', 'r'] {
        place(&mut rank, 0, piece);
    }
    rank
}

/// The start position with these back ranks; 518 twice is standard chess.
pub fn start_position(white: usize, black: usize) -> Position {
    let (white, black) = (back_rank(white % POSITIONS), back_rank(black % POSITIONS));
    let rooks = |rank: &[char; 8], upper: bool| -> String {
        let files = (0..8u8).rev().filter(|&file| rank[usize::from(file)] == 'r');
        files.map(|file| char::from(if upper { b'A' + file } else { b'a' + file })).collect()
    };
    let upper: String = white.iter().map(char::to_ascii_uppercase).collect();
    let lower: String = black.iter().collect();
    let fen = format!(
        "{lower}/pppppppp/8/8/8/8/PPPPPPPP/{upper} w {}{} - 0 1",
        rooks(&white, true),
        rooks(&black, false)
    );
    Position::from_fen(&fen).unwrap_or_else(|error| unreachable!("{fen}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Numbers 0, 518 and 959 as published by R. Scharnagl.
    #[test]
    fn numbers_are_scharnagls() {
        let rank = |number| back_rank(number).iter().collect::<String>();
        assert_eq!([rank(0), rank(518), rank(959)], ["bbqnnrkr", "rnbqkbnr", "rkrnnqbb"]);
        assert_eq!(start_position(518, 518), Position::startpos());
    }

    #[test]
    fn all_positions_differ_and_obey_the_rules() {
        let all: HashSet<[char; 8]> = (0..POSITIONS).map(back_rank).collect();
        assert_eq!(all.len(), POSITIONS);
        for rank in all {
            let files = |piece| (0..8).filter(|&file| rank[file] == piece).collect::<Vec<_>>();
            assert!(files('r')[0] < files('k')[0] && files('k')[0] < files('r')[1]);
            assert_ne!(files('b')[0] % 2, files('b')[1] % 2);
        }
    }

    #[test]
    fn double_chess960_has_its_own_rank_for_each_side() {
        let fen = start_position(0, 959).to_shredder_fen();
        assert!(fen.starts_with("rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w "), "{fen}");
    }
}
