//! The tactical motifs of a line: forks, pins, skewers and others, as pure functions of a position and the moves
//! played from it. A motif counts only if the line shows its profit.

mod board;
mod mates;
mod tactics;

use std::fmt;

use chess::{Move, Position, Role, Square};
use serde::{Deserialize, Serialize};

pub(crate) use self::board::{destination, value as piece_value};

/// A tactical motif. The names in files are those of lichess's puzzle themes where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Motif {
    BackRankMate,
    SmotheredMate,
    ArabianMate,
    HookMate,
    AnastasiaMate,
    DoubleBishopMate,
    DovetailMate,
    EpauletteMate,
    Mate,
    Promotion,
    DoubleCheck,
    DiscoveredCheck,
    DiscoveredAttack,
    Skewer,
    TrappedPiece,
    Fork,
    OverloadedDefender,
    Deflection,
    CapturingDefender,
    Pin,
    HangingPiece,
}

impl Motif {
    /// The themes of lichess's puzzles that mean this motif.
    pub const fn themes(self) -> &'static [&'static str] {
        match self {
            Motif::BackRankMate => &["backRankMate"],
            Motif::SmotheredMate => &["smotheredMate"],
            Motif::ArabianMate => &["arabianMate"],
            Motif::HookMate => &["hookMate"],
            Motif::AnastasiaMate => &["anastasiaMate"],
            Motif::DoubleBishopMate => &["doubleBishopMate", "bodenMate"],
            Motif::DovetailMate => &["dovetailMate"],
            Motif::EpauletteMate => &["epauletteMate"],
            // Not a motif by itself.
            Motif::Mate => &[],
            Motif::Promotion => &["promotion", "underPromotion"],
            Motif::DoubleCheck => &["doubleCheck"],
            Motif::DiscoveredCheck => &["discoveredCheck", "discoveredAttack"],
            Motif::DiscoveredAttack => &["discoveredAttack"],
            Motif::Skewer => &["skewer"],
            Motif::TrappedPiece => &["trappedPiece"],
            Motif::Fork => &["fork"],
            Motif::OverloadedDefender | Motif::Deflection => &["deflection"],
            Motif::CapturingDefender => &["capturingDefender"],
            Motif::Pin => &["pin"],
            Motif::HangingPiece => &["hangingPiece"],
        }
    }

    /// All motifs, the most telling one first.
    pub const ALL: [Motif; 21] = [
        Motif::BackRankMate,
        Motif::SmotheredMate,
        Motif::ArabianMate,
        Motif::HookMate,
        Motif::AnastasiaMate,
        Motif::DoubleBishopMate,
        Motif::DovetailMate,
        Motif::EpauletteMate,
        Motif::DoubleCheck,
        Motif::DiscoveredCheck,
        Motif::DiscoveredAttack,
        Motif::Promotion,
        Motif::Skewer,
        Motif::Fork,
        Motif::Deflection,
        Motif::OverloadedDefender,
        Motif::Pin,
        Motif::CapturingDefender,
        Motif::HangingPiece,
        Motif::TrappedPiece,
        Motif::Mate,
    ];
}

/// A motif in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tactic {
    pub motif: Motif,
    /// The index in the line of the move that carries it out.
    pub ply: usize,
    /// The piece that does it, after its move.
    pub by: (Role, Square),
    /// The pieces that it is done to.
    pub targets: Vec<(Role, Square)>,
}

/// Describes the tactic, to follow a move: `forking the king on e8 and the rook on a8`.
impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets = list(&self.targets);
        match self.motif {
            Motif::BackRankMate => f.write_str("a back-rank mate"),
            Motif::SmotheredMate => f.write_str("a smothered mate"),
            Motif::ArabianMate => f.write_str("an Arabian mate with rook and knight"),
            Motif::HookMate => f.write_str("a hook mate with rook, knight and pawn"),
            Motif::AnastasiaMate => f.write_str("Anastasia's mate"),
            Motif::DoubleBishopMate => f.write_str("a mate with two bishops"),
            Motif::DovetailMate => f.write_str("a dovetail mate"),
            Motif::EpauletteMate => f.write_str("an epaulette mate"),
            Motif::Mate => f.write_str("checkmate"),
            Motif::Promotion => write!(f, "the promotion of a pawn on {}", self.by.1),
            Motif::DoubleCheck => f.write_str("a double check"),
            Motif::DiscoveredCheck => write!(f, "a discovered check by the {}", named(self.by)),
            Motif::DiscoveredAttack => {
                write!(f, "a discovered attack by the {} on the {targets}", named(self.by))
            }
            Motif::Skewer => write!(f, "a skewer by the {} of the {targets}", named(self.by)),
            Motif::TrappedPiece => write!(f, "trapping the {targets}"),
            Motif::Fork => write!(f, "a fork by the {} of the {targets}", named(self.by)),
            Motif::OverloadedDefender => write!(f, "overloading the {targets}"),
            Motif::Deflection => write!(f, "drawing the {targets} away from what it defends"),
            Motif::CapturingDefender => write!(f, "capturing the defender of the {targets}"),
            Motif::Pin => write!(f, "a pin of the {targets}"),
            Motif::HangingPiece => write!(f, "capturing the undefended {targets}"),
        }
    }
}

/// `knight on f3`.
fn named((role, square): (Role, Square)) -> String {
    format!("{} on {square}", role_name(role))
}

/// `king on e8 and the rook on a8`.
fn list(pieces: &[(Role, Square)]) -> String {
    let pieces: Vec<String> = pieces.iter().map(|&piece| named(piece)).collect();
    match pieces.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and the {last}", rest.join(", the ")),
        _ => pieces.concat(),
    }
}

pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// The motifs of a line by which the side that moves first profits, the most telling one first. Moves after the first
/// illegal one are ignored.
pub fn motifs(start: &Position, line: &[Move]) -> Vec<Tactic> {
    let line = Line::new(start, line);
    let mut found: Vec<Tactic> = mates::mate(&line).into_iter().collect();
    tactics::find(&line, &mut found);
    let rank = |tactic: &Tactic| Motif::ALL.iter().position(|&motif| motif == tactic.motif);
    found.sort_by_key(|tactic| (rank(tactic), tactic.ply));
    found.dedup_by_key(|tactic| tactic.motif);
    found
}

/// A line with its positions: `positions[i]` is before `moves[i]`.
struct Line {
    positions: Vec<Position>,
    moves: Vec<Move>,
}

impl Line {
    fn new(start: &Position, moves: &[Move]) -> Line {
        let mut positions = vec![*start];
        let mut legal = Vec::with_capacity(moves.len());
        let mut position = *start;
        for &mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            position = position.after(mv);
            positions.push(position);
            legal.push(mv);
        }
        Line { positions, moves: legal }
    }

    /// The moves of the first side, with their indices.
    fn own(&self) -> impl Iterator<Item = (usize, Move)> {
        self.moves.iter().copied().enumerate().step_by(2)
    }

    fn end(&self) -> &Position {
        self.positions.last().unwrap_or(&self.positions[0])
    }
}

#[cfg(test)]
mod tests;
