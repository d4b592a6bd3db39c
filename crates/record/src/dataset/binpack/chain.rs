//! Moves and scores of the positions that follow the first of a chain.

use chess::{Bitboard, CastlingSide, Move, MoveKind, Position, Rank, Role, Square, attacks};

use super::{fold, unfold};

/// Bits of a block of a score.
const BLOCK: u32 = 4;

/// Numbers of a few bits, from the highest bit of each byte on.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitReader {
    /// The next bit.
    next: usize,
}

impl BitReader {
    /// At most eight bits; `None` behind the end.
    fn take(&mut self, bytes: &[u8], count: u32) -> Option<u32> {
        let (byte, shift) = (self.next / 8, self.next as u32 % 8);
        if count == 0 {
            return Some(0);
        }
        let high = u32::from(*bytes.get(byte)?) << 8;
        let low = match bytes.get(byte + 1) {
            Some(&low) => u32::from(low),
            None if shift + count <= 8 => 0,
            None => return None,
        };
        self.next += count as usize;
        Some((high | low) >> (16 - shift - count) & ((1 << count) - 1))
    }

    /// Bytes of which a bit was taken.
    pub fn bytes(self) -> usize {
        self.next.div_ceil(8)
    }
}

/// The opposite of [`BitReader`].
#[derive(Clone, Debug, Default)]
pub struct BitWriter {
    /// Unused bits of the last byte.
    unused: u32,
}

impl BitWriter {
    /// Appends at most eight bits.
    fn put(&mut self, bytes: &mut Vec<u8>, value: u32, count: u32) {
        for bit in (0..count).rev() {
            if self.unused == 0 {
                bytes.push(0);
                self.unused = 8;
            }
            self.unused -= 1;
            if let Some(last) = bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << self.unused;
            }
        }
    }
}

/// Bits for a choice among so many.
fn bits_for(choices: u32) -> u32 {
    u32::BITS - choices.saturating_sub(1).leading_zeros()
}

/// The squares before this one.
fn before(squares: Bitboard, square: Square) -> u32 {
    (squares & Bitboard(Bitboard::of(square).0 - 1)).count()
}

fn nth(squares: Bitboard, index: u32) -> Option<Square> {
    squares.into_iter().nth(index as usize)
}

/// The pseudo-legal moves of a piece.
struct Choices {
    targets: Bitboard,
    is_promotion: bool,
    /// Castling rights, queenside first.
    castling: [bool; 2],
}

const SIDES: [CastlingSide; 2] = [CastlingSide::Long, CastlingSide::Short];

impl Choices {
    fn of(position: &Position, from: Square) -> Choices {
        let us = position.turn();
        let role = position.role_at(from);
        let targets = match role {
            Some(Role::Pawn) => pawn_targets(position, from),
            Some(role) => position.piece_attacks(role, from) & !position.colored(us),
            None => Bitboard::EMPTY,
        };
        Choices {
            targets,
            is_promotion: role == Some(Role::Pawn) && targets & Bitboard::BACK_RANKS != Bitboard::EMPTY,
            castling: SIDES
                .map(|side| role == Some(Role::King) && position.castling().rook(us, side).is_some()),
        }
    }

    fn count(&self) -> u32 {
        let targets = self.targets.count() * if self.is_promotion { 4 } else { 1 };
        targets + self.castling.iter().map(|&right| u32::from(right)).sum::<u32>()
    }

    fn index(&self, mv: Move) -> u32 {
        let target = before(self.targets, mv.to());
        match mv.kind() {
            MoveKind::Promotion(role) => 4 * target + role.index() as u32 - 1,
            MoveKind::Castle => {
                let is_short = CastlingSide::of(mv.from(), mv.to()) == CastlingSide::Short;
                self.targets.count() + u32::from(is_short && self.castling[0])
            }
            _ => target,
        }
    }

    /// The legal move with this index.
    fn get(&self, position: &Position, from: Square, index: u32) -> Option<Move> {
        let us = position.turn();
        let mv = if self.is_promotion {
            let role = Role::PROMOTIONS[index as usize % 4];
            Move::new(from, nth(self.targets, index / 4)?, MoveKind::Promotion(role))
        } else if let Some(number) = index.checked_sub(self.targets.count()) {
            let mut rights = SIDES.into_iter().filter_map(|side| position.castling().rook(us, side));
            if !self.castling.contains(&true) {
                return None;
            }
            Move::new(from, rights.nth(number as usize)?, MoveKind::Castle)
        } else {
            let to = nth(self.targets, index)?;
            let is_pawn = position.role_at(from) == Some(Role::Pawn);
            let kind = match from.index().abs_diff(to.index()) {
                16 if is_pawn => MoveKind::DoublePush,
                _ if is_pawn && position.en_passant() == Some(to) && from.file() != to.file() => {
                    MoveKind::EnPassant
                }
                _ => MoveKind::Normal,
            };
            Move::new(from, to, kind)
        };
        position.is_legal(mv).then_some(mv)
    }
}

fn pawn_targets(position: &Position, from: Square) -> Bitboard {
    let us = position.turn();
    let free = !position.occupied();
    let push = Bitboard::of(from).forward(us) & free;
    let double = (push & Bitboard::relative_rank(Rank::Third, us)).forward(us) & free;
    let en_passant = position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
    let captures = attacks::pawn(us, from) & (position.colored(!us) | en_passant);
    push | double | captures
}

pub fn write(bits: &mut BitWriter, bytes: &mut Vec<u8>, position: &Position, mv: Move, change: i16) {
    let own = position.colored(position.turn());
    bits.put(bytes, before(own, mv.from()), bits_for(own.count()));
    let choices = Choices::of(position, mv.from());
    bits.put(bytes, choices.index(mv), bits_for(choices.count()));
    let mut rest = u32::from(fold(change));
    loop {
        let (block, above) = (rest & ((1 << BLOCK) - 1), rest >> BLOCK);
        bits.put(bytes, block | u32::from(above > 0) << BLOCK, BLOCK + 1);
        rest = above;
        if rest == 0 {
            return;
        }
    }
}

/// The move, and the change of the score.
pub fn read(bits: &mut BitReader, bytes: &[u8], position: &Position) -> Result<(Move, i16), &'static str> {
    const TRUNCATED: &str = "truncated chain";
    let own = position.colored(position.turn());
    let piece = bits.take(bytes, bits_for(own.count())).ok_or(TRUNCATED)?;
    let from = nth(own, piece).ok_or("no such piece")?;
    let choices = Choices::of(position, from);
    let index = bits.take(bytes, bits_for(choices.count())).ok_or(TRUNCATED)?;
    let mv = choices.get(position, from, index).ok_or("illegal move")?;
    let mut change = 0_u16;
    for shift in (0..u16::BITS).step_by(BLOCK as usize) {
        let block = bits.take(bytes, BLOCK + 1).ok_or(TRUNCATED)?;
        change |= ((block & ((1 << BLOCK) - 1)) << shift) as u16;
        if block >> BLOCK == 0 {
            return Ok((mv, unfold(change)));
        }
    }
    Err("score of more than 16 bits")
}
