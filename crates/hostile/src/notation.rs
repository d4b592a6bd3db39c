//! FEN, EPD, moves, PGN and opening books.

use chess::Position;
use record::book::{Book, BookFormat};
use record::pgn::PgnReader;

use crate::{round_trip, texts};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

pub fn fen(bytes: &[u8]) {
    round_trip::read_fen(&String::from_utf8_lossy(bytes));
}

pub fn fen_seeds() -> Vec<Vec<u8>> {
    texts(&[
        KIWIPETE,
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "nrbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQBKRN w GBgb - 0 1",
        "8/8/8/8/8/8/8/K1k5 b - - 99 5900",
    ])
}

pub fn epd(bytes: &[u8]) {
    round_trip::read_epd(&String::from_utf8_lossy(bytes));
}

pub fn epd_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "r1bq1rk1/pp3ppp/2n1p3/3n4/1b1P4/2N2N2/PP2BPPP/R1BQ1RK1 w - - bm Nxd5 Qb3; id \"a.1\"; c0 \"x; y\";",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; D1 20; D2 400; D3 8902",
        "4k3/8/8/8/8/8/4P3/4K3 w - - hmvc 4; fmvn 9; am e4; dm 12; ce -35;",
    ])
}

/// A line with a FEN, or nothing for the initial position, then a line with a move.
fn position_and_move(bytes: &[u8], read: fn(&Position, &str)) {
    let text = String::from_utf8_lossy(bytes);
    let (fen, mv) = text.split_once('\n').unwrap_or(("", &text));
    let position = Position::from_fen(fen).unwrap_or_else(|_| Position::startpos());
    read(&position, mv);
}

pub fn san(bytes: &[u8]) {
    position_and_move(bytes, round_trip::read_san);
}

pub fn san_seeds() -> Vec<Vec<u8>> {
    let moves = ["O-O-O", "0-0+", "Qxf6", "Nd3xf4", "dxe6 e.p.", "bxa1=Q#", "N1xc3!?", "e8Q"];
    moves.iter().map(|mv| format!("{KIWIPETE}\n{mv}").into_bytes()).collect()
}

pub fn uci_move(bytes: &[u8]) {
    position_and_move(bytes, round_trip::read_uci);
}

pub fn uci_move_seeds() -> Vec<Vec<u8>> {
    ["e1g1", "e1h1", "e2a6", "a7a8q", "0000"]
        .iter()
        .map(|mv| format!("{KIWIPETE}\n{mv}").into_bytes())
        .collect()
}

pub fn pgn(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let games: Vec<_> = PgnReader::new(&text).collect();
    for game in games {
        // The main line and its end are the same when the game is written and read again.
        let Ok((start, moves)) = game.replay(usize::MAX) else { continue };
        let written = game.to_string();
        let again = PgnReader::new(&written).next().expect("a game that was written");
        assert_eq!(again.replay(usize::MAX).ok(), Some((start, moves)), "{written}");
        assert_eq!(again.result, game.result, "{written}");
    }
}

pub fn pgn_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "[Event \"?\"]\n[White \"A \\\"B\\\" C\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 (2. e4 $1 {better [%eval 0.3]}) Qh4# 0-1\n",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kd7 2. e4 ; a comment\n% escaped\n2... Ke6 *\n\n1. e4 1-0\n",
        "1. d4 d5 2. c4 (2. Nf3 Nf6 (2... e6 3. e3) 3. c4) 2... dxc4 -- 3. e3 b5 1/2-1/2",
    ])
}

pub fn book(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for format in [BookFormat::Epd, BookFormat::Pgn] {
        let book = Book::from_text(&text, format, 16);
        let valid = book.check().is_ok();
        for index in 0..book.len().min(64) {
            let opening = book.opening(index);
            assert!(!valid || opening.is_ok(), "opening {index} of a book that was checked");
            if let Ok(opening) = opening {
                assert!(opening.end().is_consistent());
            }
        }
    }
}

pub fn book_seeds() -> Vec<Vec<u8>> {
    let mut seeds = epd_seeds();
    seeds.extend(pgn_seeds());
    seeds
}
