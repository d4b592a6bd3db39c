//! Endgame knowledge beyond the general terms: which advantages do not win, and how to drive a bare king to
//! where it can be mated.

use chess::{Bitboard, Square};

use super::pieces::same_color;
use super::view::{BoardView, SidePieces};

/// The full scale.
pub const FULL_SCALE: i32 = 64;

/// Opposite bishops and pawns: the defender often holds two pawns down.
const OPPOSITE_BISHOPS_ALONE: i32 = 30;
/// Opposite bishops among other pieces.
const OPPOSITE_BISHOPS: i32 = 50;
/// No pawns and at most a minor piece ahead: usually a draw.
const PAWNLESS: i32 = 8;
/// The same with winning chances, such as rook and bishop against rook.
const PAWNLESS_WITH_CHANCES: i32 = 16;
/// Subtracted for each pawn fewer than three of the stronger side while the other has pieces.
const PER_MISSING_PAWN: i32 = 5;

/// Centipawns for each step of a bare king towards the edge. These three outweigh the positional terms, so
/// that even a short search makes progress.
const EDGE: i32 = 80;
/// Centipawns for each step of a bare king towards a corner that the bishop attacks.
const CORNER: i32 = 300;
/// Centipawns for each step of the own king towards the bare one.
const NEAR: i32 = 40;

const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);

/// A piece's value in pawns, enough to distinguish won from drawn material.
fn points(side: &SidePieces) -> u32 {
    3 * side.minors().count() + 5 * side.rooks.count() + 9 * side.queens.count()
}

/// How much of an endgame advantage of the viewer counts, in 64ths.
pub(super) fn scale(view: &BoardView) -> i32 {
    let (own, enemy) = (&view.own, &view.enemy);
    let (points, enemy_points) = (points(own), points(enemy));
    if own.pawns.is_empty() && points <= enemy_points + 3 {
        return match points {
            0..5 => 0,
            _ if enemy_points <= 3 => PAWNLESS,
            _ => PAWNLESS_WITH_CHANCES,
        };
    }
    if is_two_knights_alone(view) || is_wrong_bishop(view) {
        return 0;
    }
    let mut scale = FULL_SCALE;
    if has_opposite_bishops(view) {
        let alone = points == 3 && enemy_points == 3;
        scale = if alone { OPPOSITE_BISHOPS_ALONE } else { OPPOSITE_BISHOPS };
    }
    if enemy_points > 0 {
        scale -= PER_MISSING_PAWN * (3 - own.pawns.count().min(3) as i32);
    }
    scale
}

fn has_opposite_bishops(view: &BoardView) -> bool {
    match (only(view.own.bishops), only(view.enemy.bishops)) {
        (Some(own), Some(enemy)) => same_color(own) != same_color(enemy),
        _ => false,
    }
}

/// Two knights cannot force mate on a bare king.
fn is_two_knights_alone(view: &BoardView) -> bool {
    let own = &view.own;
    own.pawns.is_empty()
        && own.pieces() == own.knights
        && own.knights.count() <= 2
        && (view.enemy.pieces() | view.enemy.pawns).is_empty()
}

/// Rook pawns with the wrong bishop, or none, against a king in their corner.
fn is_wrong_bishop(view: &BoardView) -> bool {
    let own = &view.own;
    if own.pawns.is_empty() || own.pieces() != own.bishops || view.enemy.pieces().any() {
        return false;
    }
    let corner = if (own.pawns & !A_FILE).is_empty() {
        Square::A8
    } else if (own.pawns & !H_FILE).is_empty() {
        Square::H8
    } else {
        return false;
    };
    (own.bishops & same_color(corner)).is_empty() && view.enemy.king.distance(corner) <= 1
}

/// The only square of a set.
fn only(squares: Bitboard) -> Option<Square> {
    squares.first().filter(|_| !squares.more_than_one())
}

/// Centipawns for driving a bare king to the edge, or to a corner of the bishop's colour, and coming near.
pub(super) fn mating_drive(view: &BoardView) -> i32 {
    let own = &view.own;
    if (view.enemy.pieces() | view.enemy.pawns).any() {
        return 0;
    }
    let bishops_of_both_colors =
        (own.bishops & Bitboard::LIGHT).any() && (own.bishops & Bitboard::DARK).any();
    let knight_and_bishop = own.knights.any() && own.bishops.any();
    let corners = if (own.queens | own.rooks).any() || bishops_of_both_colors {
        None
    } else if knight_and_bishop {
        Some(own.bishops)
    } else {
        return 0;
    };
    let king = view.enemy.king;
    let goal = match corners {
        None => EDGE * (6 - steps_to_edges(king)),
        Some(bishops) => CORNER * steps_towards_corners(king, bishops),
    };
    goal + NEAR * (7 - own.king.distance(king) as i32)
}

/// Steps to the nearest edge by file plus steps to the nearest edge by rank: 0 in a corner, 6 in the centre.
fn steps_to_edges(king: Square) -> i32 {
    let (file, rank) = (king.file().index() as i32, king.rank().index() as i32);
    file.min(7 - file) + rank.min(7 - rank)
}

/// The king's distance from the other long diagonal: 0 on it, 7 in a corner of the bishop's colour. It grows
/// along the edge towards the right corner.
fn steps_towards_corners(king: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = (king.file().index() as i32, king.rank().index() as i32);
    let dark = (bishops & Bitboard::DARK).any();
    if dark { (file + rank - 7).abs() } else { (file - rank).abs() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Color, Position};

    fn white_view(fen: &str) -> BoardView {
        BoardView::new(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn insufficient_material_scales_to_zero() {
        for fen in [
            "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/2NNK3 w - - 0 1",
            // The bishop on d2 is dark, the corner a8 is light.
            "k7/8/8/P7/8/8/3B4/4K3 w - - 0 1",
            "k7/8/8/P7/8/8/8/4K3 w - - 0 1",
            "7k/8/8/7P/8/8/4B3/4K3 w - - 0 1",
        ] {
            assert_eq!(scale(&white_view(fen)), 0, "{fen}");
        }
    }

    #[test]
    fn material_that_wins_counts_in_full() {
        for fen in [
            "4k3/8/8/8/8/8/8/3QK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/3RK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/2NBK3 w - - 0 1",
            "k7/8/8/P7/8/8/4B3/4K3 w - - 0 1",
            "4k3/8/8/P7/8/8/3B4/4K3 w - - 0 1",
            "7k/8/8/7P/8/8/3B4/4K3 w - - 0 1",
        ] {
            assert_eq!(scale(&white_view(fen)), FULL_SCALE, "{fen}");
        }
    }

    #[test]
    fn rook_against_minor_is_drawish() {
        assert!(scale(&white_view("4k3/4b3/8/8/8/8/8/3RK3 w - - 0 1")) < FULL_SCALE / 4);
    }

    #[test]
    fn opposite_bishops_are_drawish() {
        let alone = scale(&white_view("4kb2/8/8/2PP4/P7/8/8/4KB2 w - - 0 1"));
        let with_rooks = scale(&white_view("r3kb2/8/8/2PP4/P7/8/8/R3KB2 w - - 0 1"));
        let same_color = scale(&white_view("2b1k3/8/8/2PP4/P7/8/8/4KB2 w - - 0 1"));
        assert!(alone < with_rooks && with_rooks < same_color && same_color == FULL_SCALE);
    }

    #[test]
    fn bare_king_is_driven_to_edge_or_corner() {
        let drive = |fen| mating_drive(&white_view(fen));
        assert!(drive("k7/8/2K5/8/8/8/8/7R w - - 0 1") > drive("8/8/2K5/4k3/8/8/8/7R w - - 0 1"));
        // The bishop on b1 is light: a8 and h1 are its corners.
        let right = drive("k7/8/2K5/8/8/8/8/1B4N1 w - - 0 1");
        let wrong = drive("7k/8/5K2/8/8/8/8/1B4N1 w - - 0 1");
        assert!(right > wrong + 100);
        assert_eq!(drive("4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1"), 0);
    }
}
