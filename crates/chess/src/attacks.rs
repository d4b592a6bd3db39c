//! Attacks of every piece from every square, and the lines between squares. Everything is a table lookup. The
//! table of rooks and bishops is indexed with PEXT where the target has it, and with magic multiplication
//! elsewhere.
//!
//! This is the only file of the crate with `unsafe` code.
#![allow(unsafe_code)]

use crate::{Bitboard, Color, Square};

#[allow(dead_code)]
mod geometry {
    include!("sliders.rs");
}
use geometry::{BISHOP_DIRECTIONS, ROOK_DIRECTIONS, Slider, TABLE_SIZE, walk};

static ROOKS: [Slider; 64] = geometry::ROOKS;
static BISHOPS: [Slider; 64] = geometry::BISHOPS;

static SLIDER_ATTACKS: [u64; TABLE_SIZE] = {
    let bytes: [u8; TABLE_SIZE * 8] = *include_bytes!(concat!(env!("OUT_DIR"), "/slider_attacks.bin"));
    // SAFETY: both types have the same size and every bit pattern is a valid `u64`; the build script
    // wrote the file in the target's byte order.
    unsafe { std::mem::transmute::<[u8; TABLE_SIZE * 8], [u64; TABLE_SIZE]>(bytes) }
};

#[inline(always)]
fn slider_attacks(slider: &Slider, occupied: Bitboard) -> Bitboard {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    let index = {
        // SAFETY: the configuration says that the target has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(occupied.0, slider.mask) as usize }
    };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    let index =
        ((occupied.0 & slider.mask).wrapping_mul(slider.magic) >> (64 - slider.mask.count_ones())) as usize;
    // SAFETY: `index` is smaller than two to the number of bits in the mask, which is the length of the
    // square's slice; the slices of all squares together make up the table.
    Bitboard(unsafe { *SLIDER_ATTACKS.get_unchecked(slider.offset + index) })
}

/// The squares a rook on `square` attacks.
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(&ROOKS[square.index()], occupied)
}

/// The squares a bishop on `square` attacks.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    slider_attacks(&BISHOPS[square.index()], occupied)
}

/// The squares a queen on `square` attacks.
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// The squares a knight on `square` attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of this colour on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that all pawns of the set attack, if they have this colour.
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

/// The squares a rook on `square` attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The squares a bishop on `square` attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares strictly between two squares on a common line, or none.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line, edge to edge, through two different squares, or none if no line joins them.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The diagonal through `square` parallel to a1-h8.
#[inline(always)]
pub(crate) fn rising_diagonal(square: Square) -> Bitboard {
    RISING_DIAGONAL[square.index()]
}

/// The diagonal through `square` parallel to h1-a8.
#[inline(always)]
pub(crate) fn falling_diagonal(square: Square) -> Bitboard {
    FALLING_DIAGONAL[square.index()]
}

const KNIGHT_STEPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const KING_STEPS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

static KNIGHT: [Bitboard; 64] = steps(&KNIGHT_STEPS);
static KING: [Bitboard; 64] = steps(&KING_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [steps(&[(1, 1), (-1, 1)]), steps(&[(1, -1), (-1, -1)])];
static ROOK_RAYS: [Bitboard; 64] = rays(&ROOK_DIRECTIONS);
static BISHOP_RAYS: [Bitboard; 64] = rays(&BISHOP_DIRECTIONS);
static RISING_DIAGONAL: [Bitboard; 64] = diagonals(1);
static FALLING_DIAGONAL: [Bitboard; 64] = diagonals(-1);
static BETWEEN: [[Bitboard; 64]; 64] = lines().0;
static LINE: [[Bitboard; 64]; 64] = lines().1;

/// One step in each of the given directions, where it stays on the board.
const fn steps(steps: &[(i32, i32)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut s = 0;
        while s < steps.len() {
            let file = (square % 8) as i32 + steps[s].0;
            let rank = (square / 8) as i32 + steps[s].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] = table[square].with(Square::from_index((rank * 8 + file) as usize));
            }
            s += 1;
        }
        square += 1;
    }
    table
}

const fn rays(directions: &[(i32, i32); 4]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(walk(square, directions, 0, false));
        square += 1;
    }
    table
}

/// The diagonals through each square, itself included, in the direction `(1, slope)`.
const fn diagonals(slope: i32) -> [Bitboard; 64] {
    let directions = [(1, slope), (-1, -slope), (1, slope), (-1, -slope)];
    let mut table = rays(&directions);
    let mut square = 0;
    while square < 64 {
        table[square] = table[square].with(Square::from_index(square));
        square += 1;
    }
    table
}

/// The tables of [`between`] and [`line`].
#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler only")]
const fn lines() -> ([[Bitboard; 64]; 64], [[Bitboard; 64]; 64]) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut kind = 0;
        while kind < 2 {
            let directions = if kind == 0 { &ROOK_DIRECTIONS } else { &BISHOP_DIRECTIONS };
            let all = walk(a, directions, 0, false);
            let mut b = 0;
            while b < 64 {
                if all >> b & 1 != 0 {
                    let ends = 1 << a | 1 << b;
                    between[a][b] =
                        Bitboard(walk(a, directions, 1 << b, false) & walk(b, directions, 1 << a, false));
                    line[a][b] = Bitboard(all & walk(b, directions, 0, false) | ends);
                }
                b += 1;
            }
            kind += 1;
        }
        a += 1;
    }
    (between, line)
}
