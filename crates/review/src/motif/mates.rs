//! Patterns of checkmate.

use chess::{Bitboard, Color, File, Outcome, Position, Rank, Role, Square, attacks};

use super::board::{attackers_of, attacks_from};
use super::{Line, Motif, Tactic};

/// The checkmate at the end of a line.
pub fn mate(line: &Line) -> Option<Tactic> {
    let position = line.end();
    let winner = line.positions[0].turn();
    if position.outcome() != Some(Outcome::Checkmate { winner }) {
        return None;
    }
    let king = position.king(!winner);
    let by = position.checkers().first()?;
    let role = position.role_at(by)?;
    let motif = pattern(position, winner, king, by, role);
    Some(Tactic { motif, ply: line.moves.len() - 1, by: (role, by), targets: vec![(Role::King, king)] })
}

fn pattern(position: &Position, winner: Color, king: Square, by: Square, role: Role) -> Motif {
    let loser = position.colored(!winner);
    let around = attacks::king(king);
    if role == Role::Knight && (around & !loser).is_empty() {
        return Motif::SmotheredMate;
    }
    let double = position.checkers().more_than_one();
    if matches!(role, Role::Rook | Role::Queen) && !double && is_back_rank(position, winner, king, by) {
        return Motif::BackRankMate;
    }
    match role {
        Role::Rook if is_arabian(position, winner, king, by) => Motif::ArabianMate,
        Role::Rook if is_hook(position, winner, king, by) => Motif::HookMate,
        Role::Rook | Role::Queen if is_anastasia(position, winner, king, by) => Motif::AnastasiaMate,
        Role::Bishop if is_two_bishops(position, winner, king) => Motif::DoubleBishopMate,
        Role::Queen if is_dovetail(position, winner, king, by) => Motif::DovetailMate,
        Role::Rook | Role::Queen if is_epaulette(position, winner, king, by) => Motif::EpauletteMate,
        _ => Motif::Mate,
    }
}

/// A rook or queen mates along the back rank a king that its own pieces keep there.
fn is_back_rank(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let back = Bitboard::relative_rank(Rank::First, !winner);
    let front = attacks::king(king) & !back;
    let guarded = |square| attackers_of(position, square, winner).any();
    let own = position.colored(!winner);
    let is_shut = |square: Square| own.has(square) && !guarded(square);
    back.has(king) && back.has(by) && front.into_iter().all(is_shut)
}

/// The king in the corner, the rook beside it, guarded by the knight that takes the last square.
fn is_arabian(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    corners.contains(&king)
        && king.distance(by) == 1
        && (attacks::knight(by) & position.pieces(winner, Role::Knight)).into_iter().any(|knight| {
            knight.distance(king) == 2 && knight.file() != king.file() && knight.rank() != king.rank()
        })
}

/// A rook beside the king, guarded by a knight, which a pawn guards.
fn is_hook(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let knights = attacks::knight(by) & position.pieces(winner, Role::Knight);
    let mut knights = knights.into_iter();
    king.distance(by) == 1
        && knights.any(|knight| {
            knight.distance(king) == 1
                && (attackers_of(position, knight, winner) & position.role(Role::Pawn)).any()
        })
}

/// A king at the edge, mated along it, behind a piece of its own, while a knight takes two squares.
fn is_anastasia(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let inward = |square: Square, along_file: bool| {
        let (file, rank) = (square.file().index() as i32, square.rank().index() as i32);
        let towards = |place: i32| if place == 0 { 1 } else { -1 };
        if along_file {
            (file + towards(file), rank, towards(file), 0)
        } else {
            (file, rank + towards(rank), 0, towards(rank))
        }
    };
    let at = |file: i32, rank: i32| {
        ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| Square::new(File::new(file as usize), Rank::new(rank as usize)))
    };
    let edge_file = matches!(king.file().index(), 0 | 7) && by.file() == king.file();
    let edge_rank = matches!(king.rank().index(), 0 | 7) && by.rank() == king.rank();
    [(edge_file, true), (edge_rank, false)].into_iter().any(|(is_edge, along_file)| {
        if !is_edge {
            return false;
        }
        let (file, rank, step_file, step_rank) = inward(king, along_file);
        let blocker = at(file, rank).filter(|&square| position.colored(!winner).has(square));
        let knight = at(file + 2 * step_file, rank + 2 * step_rank)
            .filter(|&square| position.pieces(winner, Role::Knight).has(square));
        blocker.is_some() && knight.is_some()
    })
}

/// Two bishops cover the king's squares.
fn is_two_bishops(position: &Position, winner: Color, king: Square) -> bool {
    let bishops = position.pieces(winner, Role::Bishop);
    let zone = attacks::king(king).with(king);
    let others = position.colored(winner) & !bishops;
    let helped = others.into_iter().any(|square| (attacks_from(position, square) & zone).any());
    bishops.count() >= 2
        && !helped
        && bishops.into_iter().all(|bishop| (attacks_from(position, bishop) & zone).any())
}

/// A queen diagonally beside a king whose own pieces take the two squares that she does not.
fn is_dovetail(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let is_edge =
        |square: Square| matches!(square.file().index(), 0 | 7) || matches!(square.rank().index(), 0 | 7);
    let free = attacks::king(king) & !attacks::queen(by, position.occupied().without(king)).with(by);
    !is_edge(king)
        && king.distance(by) == 1
        && king.file() != by.file()
        && king.rank() != by.rank()
        && free.any()
        && (free & !position.colored(!winner)).is_empty()
}

/// A king between two pieces of its own, checked by a queen or rook across them.
fn is_epaulette(position: &Position, winner: Color, king: Square, by: Square) -> bool {
    let own = position.colored(!winner);
    let beside = |line: Bitboard| (line & own & attacks::king(king)).count() == 2;
    king.file() == by.file() && beside(Bitboard::rank(king.rank()))
        || king.rank() == by.rank() && beside(Bitboard::file(king.file()))
}
