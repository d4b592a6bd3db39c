//! Packed games against the crate that defines the format: each reads what the other writes.

use chess::{CastlingSide, Color, MoveKind, Position};
use record::packed::{PackedGame, PackedResult};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::dataformat::{Filter, Game};

/// A generator that is good enough to pick moves with.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % limit
    }
}

/// A game of random moves that prefers special ones, so that all kinds occur.
fn random_game(start: Position, dice: &mut Dice) -> PackedGame {
    let mut position = start;
    let mut moves = Vec::new();
    for _ in 0..200 {
        let legal = position.legal_moves();
        // viriformat stops at the fifty-move rule.
        if legal.is_empty() || position.halfmove_clock() >= 100 {
            break;
        }
        let special: Vec<_> = legal.iter().copied().filter(|mv| mv.kind() != MoveKind::Normal).collect();
        let choice = if special.is_empty() || dice.below(4) == 0 { &legal[..] } else { &special[..] };
        let mv = choice[dice.below(choice.len())];
        moves.push((mv, dice.below(64_001) as i16));
        position.play(mv);
    }
    PackedGame { start, result: PackedResult::ALL[dice.below(3)], moves }
}

/// Standard, Chess960 and double Chess960 games, some from middlegames.
fn games() -> Vec<PackedGame> {
    let mut dice = Dice(5);
    let mut games = Vec::new();
    for _ in 0..40 {
        let (white, black) = (dice.below(960) as u16, dice.below(960) as u16);
        games.push(random_game(Position::startpos(), &mut dice));
        games.push(random_game(Position::chess960(white).unwrap(), &mut dice));
        games.push(random_game(Position::double_chess960(white, black).unwrap(), &mut dice));
    }
    for fen in [
        "r1bqkbnr/pppp1pp1/2n5/4p3/4P1Pp/2N2N2/PPPP1P1P/R1BQKBR1 b Qkq g3 0 5",
        "1r2k1rr/p6p/8/8/8/8/P6P/RR2K1R1 w BGbg - 3 20",
        "8/1P4k1/8/8/8/8/1p4K1/8 b - - 90 250",
    ] {
        games.push(random_game(Position::from_fen(fen).unwrap(), &mut dice));
    }
    games
}

/// Text without the en passant square, which the two write in different cases.
fn comparable(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    [fields[0], fields[1], fields[2], fields[4], fields[5]].join(" ")
}

#[test]
fn test_games_have_every_kind_of_move() {
    let games = games();
    let kinds = || games.iter().flat_map(|game| &game.moves).map(|(mv, _)| mv.kind());
    for wanted in [MoveKind::Castle, MoveKind::EnPassant, MoveKind::DoublePush] {
        assert!(kinds().filter(|&kind| kind == wanted).count() > 20, "{wanted:?}");
    }
    for role in chess::Role::PROMOTIONS {
        assert!(kinds().filter(|&kind| kind == MoveKind::Promotion(role)).count() > 20, "{role:?}");
    }
}

#[test]
fn viriformat_reads_what_we_write() {
    for ours in games() {
        let mut bytes = Vec::new();
        ours.pack_into(&mut bytes);
        // In debug builds this checks the position and the legality of every move by viriformat's rules.
        let theirs = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        assert_eq!(PackedResult::from_code(theirs.initial_position.as_bytes()[30]), Some(ours.result));
        let mut boards = Vec::new();
        theirs.visit_positions(|board, score| boards.push((comparable(&board.to_string()), score)));
        let positions: Vec<_> = ours
            .positions()
            .map(|sample| (comparable(&plain_fen(&sample.position)), i32::from(sample.score)))
            .collect();
        assert_eq!(boards, positions);
        let mut again = Vec::new();
        theirs.serialise_into(&mut again).unwrap();
        assert_eq!(again, bytes);
    }
}

/// The board as viriformat prints it: castling rights without the rook.
fn plain_fen(position: &Position) -> String {
    let rights: String = Color::ALL
        .into_iter()
        .flat_map(|color| CastlingSide::ALL.map(|side| (color, side)))
        .zip("KQkq".chars())
        .filter_map(|((color, side), letter)| position.castling().rook(color, side).map(|_| letter))
        .collect();
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[2] = if rights.is_empty() { "-" } else { &rights };
    fields.join(" ")
}

#[test]
fn we_read_what_viriformat_writes() {
    for game in games() {
        let mut board = Board::default();
        board.set_from_fen(&game.start.to_shredder_fen(), true).unwrap();
        let mut theirs = Game::new(&board);
        theirs.set_outcome(match game.result {
            PackedResult::WhiteWins => GameOutcome::WhiteWin(WinType::Mate),
            PackedResult::BlackWins => GameOutcome::BlackWin(WinType::Mate),
            PackedResult::Draw => GameOutcome::Draw(DrawType::Stalemate),
        });
        for sample in game.positions() {
            // Moves are compared as text, which shares no code with the packed form.
            let mv = board.parse_uci(&format!("{:?}", sample.mv.unwrap())).unwrap();
            theirs.add_move(mv, sample.score);
            assert!(board.make_move_simple(mv));
        }
        let mut bytes = Vec::new();
        theirs.serialise_into(&mut bytes).unwrap();
        assert_eq!(PackedGame::unpack(&bytes), Ok((game, bytes.len())));
    }
}

/// The unrestricted filters agree on how many positions there are.
#[test]
fn same_number_of_positions_as_viriformat() {
    for game in games().into_iter().take(30) {
        let mut bytes = Vec::new();
        game.pack_into(&mut bytes);
        let theirs = Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        assert_eq!(theirs.filter_pass_count(&Filter::UNRESTRICTED), game.positions().len() as u64);
    }
}
