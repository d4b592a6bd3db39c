//! Walks through random games side by side with shakmaty and cozy-chess, which share no code with this
//! crate nor with each other.

use crate::Effort;
use crate::walk::{Random, random_move, random_start};
use chess::{Bitboard, DrawReason, Move, MoveKind, Outcome, Position};
use cozy_chess::GameStatus;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode, PositionError};
use shakmaty::{Chess, Position as _};

proof!(random_games_agree_with_oracles);

/// One game in three libraries.
struct Trio {
    ours: Position,
    shakmaty: Chess,
    /// cozy-chess refuses some set-ups that the others accept.
    cozy: Option<cozy_chess::Board>,
}

/// A move as text that all three libraries produce: origin, target, promotion; castling as king takes rook.
fn move_text(mv: Move) -> String {
    mv.uci(true).to_string()
}

impl Trio {
    fn new(ours: Position) -> Trio {
        let fen: Fen = ours.to_fen().parse().expect("shakmaty reads our FEN");
        let shakmaty = fen
            .into_position::<Chess>(CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .unwrap_or_else(|error| panic!("{error}: {ours:?}"));
        let cozy = cozy_chess::Board::from_fen(&ours.to_shredder_fen(), true).ok();
        Trio { ours, shakmaty, cozy }
    }

    fn play(&mut self, mv: Move) {
        let text = move_text(mv);
        let legal = self.shakmaty.legal_moves();
        let theirs = legal.iter().find(|theirs| theirs.to_uci(CastlingMode::Chess960).to_string() == text);
        self.shakmaty.play_unchecked(*theirs.expect("the lists were compared"));
        if let Some(cozy) = &mut self.cozy {
            cozy.play(text.parse().expect("cozy-chess reads our moves"));
        }
        self.ours.play(mv);
    }

    fn compare(&self) {
        let ours = &self.ours;
        let mut moves: Vec<String> = ours.legal_moves().into_iter().map(move_text).collect();
        moves.sort_unstable();
        self.compare_with_shakmaty(&moves);
        if let Some(cozy) = &self.cozy {
            compare_with_cozy(ours, cozy, &moves);
        }
    }

    fn compare_with_shakmaty(&self, moves: &[String]) {
        let (ours, theirs) = (&self.ours, &self.shakmaty);
        let mut expected: Vec<String> =
            theirs.legal_moves().iter().map(|mv| mv.to_uci(CastlingMode::Chess960).to_string()).collect();
        expected.sort_unstable();
        assert_eq!(moves, expected, "moves of {ours:?}");
        assert_eq!(ours.to_fen(), Fen::from_position(theirs, EnPassantMode::Legal).to_string());
        assert_eq!(ours.checkers(), Bitboard(theirs.checkers().0), "checkers of {ours:?}");
        let fifty = ours.halfmove_clock() >= 100;
        let expected = match theirs.outcome().known() {
            Some(known) => known
                .winner()
                .map_or(Some("1/2-1/2"), |winner| Some(if winner.is_white() { "1-0" } else { "0-1" })),
            None => fifty.then_some("1/2-1/2"),
        };
        assert_eq!(ours.outcome().map(Outcome::result), expected, "outcome of {ours:?}");
        assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{ours:?}");
    }

    fn compare_san(&self, mv: Move) {
        let ours = &self.ours;
        let legal = self.shakmaty.legal_moves();
        let theirs = legal
            .iter()
            .find(|theirs| theirs.to_uci(CastlingMode::Chess960).to_string() == move_text(mv))
            .expect("the lists were compared");
        let text = ours.san(mv).to_string();
        assert_eq!(text, SanPlus::from_move(self.shakmaty.clone(), *theirs).to_string(), "{ours:?}");
        assert_eq!(ours.parse_san(&text), Ok(mv), "{text} in {ours:?}");
    }
}

fn compare_with_cozy(ours: &Position, theirs: &cozy_chess::Board, moves: &[String]) {
    let mut expected = Vec::new();
    theirs.generate_moves(|list| {
        expected.extend(list.into_iter().map(|mv| mv.to_string()));
        false
    });
    expected.sort_unstable();
    assert_eq!(moves, expected, "moves of {ours:?}");
    // Its e.p. square is set after every double step, so that field is compared by the moves alone; its
    // halfmove clock stops at 100.
    let fields = |fen: String| {
        let fields: Vec<String> = fen.split(' ').map(String::from).collect();
        let clock = fields[4].parse::<u32>().unwrap().min(100);
        (fields[..3].to_vec(), clock, fields[5].clone())
    };
    assert_eq!(fields(ours.to_shredder_fen()), fields(format!("{theirs:#}")));
    assert_eq!(ours.checkers(), Bitboard(theirs.checkers().0), "checkers of {ours:?}");
    let material = Some(Outcome::Draw(DrawReason::InsufficientMaterial));
    if ours.outcome() != material {
        let status = match ours.outcome() {
            None => GameStatus::Ongoing,
            Some(Outcome::Checkmate { .. }) => GameStatus::Won,
            Some(Outcome::Draw(_)) => GameStatus::Drawn,
        };
        assert_eq!(status, theirs.status(), "outcome of {ours:?}");
    }
}

fn random_games_agree_with_oracles(effort: Effort) {
    let plies = effort.pick(20_000, 2_000_000);
    let mut random = Random::new(1);
    let (mut walked, mut castled, mut passed, mut promoted, mut with_cozy) = (0, 0, 0, 0, 0);
    for game in 0.. {
        let mut trio = Trio::new(random_start(game, &mut random));
        for ply in 0..200 {
            trio.compare();
            walked += 1;
            with_cozy += usize::from(trio.cozy.is_some());
            let Some(mv) = random_move(&trio.ours, &mut random) else { break };
            if ply % 8 == 0 {
                trio.ours.legal_moves().into_iter().for_each(|mv| trio.compare_san(mv));
            } else {
                trio.compare_san(mv);
            }
            match mv.kind() {
                MoveKind::Castle => castled += 1,
                MoveKind::EnPassant => passed += 1,
                MoveKind::Promotion(_) => promoted += 1,
                MoveKind::Normal | MoveKind::DoublePush => {}
            }
            trio.play(mv);
        }
        if walked >= plies {
            break;
        }
    }
    // A walk without the rare moves would prove little.
    for rare in [castled, passed, promoted] {
        assert!(rare * 2000 > plies, "too few rare moves: {castled} {passed} {promoted}");
    }
    assert!(with_cozy * 10 > walked * 9, "cozy-chess walked only {with_cozy} of {walked}");
}
