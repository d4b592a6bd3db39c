//! What a line wins, in pieces.

use std::fmt;

use chess::{Color, Move, Position, Role};
use serde::{Deserialize, Serialize};

use crate::motif::{piece_value, role_name};

/// The balance of a line for one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// Pieces won, the most valuable first; equal pieces that were exchanged are left out.
    #[serde(with = "names")]
    pub won: Vec<Role>,
    /// Pieces given up for them.
    #[serde(with = "names")]
    pub lost: Vec<Role>,
    /// What its pawns have become.
    #[serde(with = "names")]
    pub promoted: Vec<Role>,
}

impl Gain {
    /// The change from one position to another.
    fn between(from: &Position, to: &Position, side: Color) -> Gain {
        let count = |position: &Position, side, role| position.count(side, role) as i32;
        let mut balance = ROLES.map(|role| {
            let theirs = count(from, !side, role) - count(to, !side, role);
            theirs - (count(from, side, role) - count(to, side, role))
        });
        let mut gain = Gain::default();
        for (index, &role) in ROLES.iter().enumerate().take(PAWN) {
            for _ in 0..(count(to, side, role) - count(from, side, role)).max(0) {
                gain.promoted.push(role);
                balance[index] -= 1;
                balance[PAWN] += 1;
            }
        }
        // A bishop for a knight is an exchange of equals.
        let minors = balance[BISHOP].signum() * balance[KNIGHT].signum();
        if minors < 0 {
            let equal = balance[BISHOP].abs().min(balance[KNIGHT].abs());
            let bishops = balance[BISHOP].signum() * equal;
            balance[BISHOP] -= bishops;
            balance[KNIGHT] += bishops;
        }
        for (&role, number) in ROLES.iter().zip(balance) {
            let list = if number > 0 { &mut gain.won } else { &mut gain.lost };
            list.extend(std::iter::repeat_n(role, number.unsigned_abs() as usize));
        }
        gain
    }

    /// The balance in pawns.
    pub fn pawns(&self) -> i32 {
        let sum = |roles: &[Role]| roles.iter().map(|&role| piece_value(role)).sum::<i32>();
        let promoted = sum(&self.promoted) - self.promoted.len() as i32;
        sum(&self.won) + promoted - sum(&self.lost)
    }

    pub fn is_won(&self) -> bool {
        self.pawns() > 0
    }
}

/// `wins a rook and a pawn for a knight`.
impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_minor = |role: &Role| matches!(role, Role::Knight | Role::Bishop);
        let is_exchange = self.won == [Role::Rook] && self.lost.len() == 1 && self.lost.iter().all(is_minor);
        let mut parts = Vec::new();
        if !self.promoted.is_empty() {
            parts.push("promotes a pawn".to_owned());
        }
        if is_exchange {
            parts.push("wins the exchange".to_owned());
        } else if !self.won.is_empty() {
            let price =
                if self.lost.is_empty() { String::new() } else { format!(" for {}", list(&self.lost)) };
            parts.push(format!("wins {}{price}", list(&self.won)));
        } else if !self.lost.is_empty() {
            parts.push(format!("gives up {}", list(&self.lost)));
        }
        f.write_str(&parts.join(" and "))
    }
}

/// The material of a side, less that of the other one, in pawns.
pub fn material(position: &Position, side: Color) -> i32 {
    let count = |role| position.count(side, role) as i32 - position.count(!side, role) as i32;
    ROLES.into_iter().map(|role| count(role) * piece_value(role)).sum()
}

/// What the first side of a line has won since `board`, and after how many plies: at the last position in which neither
/// side has a profitable capture, or else at the last one in which the other side can take back no more than a pawn.
pub fn settled(board: &Position, start: &Position, moves: &[Move]) -> Option<(usize, Gain)> {
    let mut position = *start;
    let (mut quiet, mut calm) = (None, None);
    for (ply, &mv) in moves.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        position = position.after(mv);
        if position.in_check() {
            continue;
        }
        let (ours, theirs) = (best_capture(&position), best_capture(&position.after_null()));
        if ours <= 0 && theirs <= 0 {
            quiet = Some((ply + 1, position));
        } else if position.turn() != start.turn() && ours <= PAWN_VALUE {
            calm = Some((ply + 1, position));
        }
    }
    let gain = |(plies, end): (usize, Position)| (plies, Gain::between(board, &end, start.turn()));
    quiet.map(gain).or_else(|| calm.map(gain).filter(|(_, gain)| gain.pawns() > 1))
}

/// What the side to move wins at most with one exchange, in centipawns.
fn best_capture(position: &Position) -> i32 {
    let moves = position.legal_moves();
    let exchanges = moves.iter().filter(|&&mv| position.captured(mv).is_some() || mv.promotion().is_some());
    exchanges.map(|&mv| position.see(mv)).max().unwrap_or(0)
}

const PAWN_VALUE: i32 = 100;

const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
const BISHOP: usize = 2;
const KNIGHT: usize = 3;
const PAWN: usize = 4;

/// `a rook and two pawns`.
fn list(roles: &[Role]) -> String {
    const NUMBERS: [&str; 4] = ["no", "a", "two", "three"];
    let mut parts = Vec::new();
    for &role in &ROLES {
        let number = roles.iter().filter(|&&other| other == role).count();
        let name = role_name(role);
        match number {
            0 => {}
            1 => parts.push(format!("a {name}")),
            2 | 3 => parts.push(format!("{} {name}s", NUMBERS[number])),
            _ => parts.push(format!("{number} {name}s")),
        }
    }
    match parts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => parts.concat(),
    }
}

/// Roles by name in files.
mod names {
    use chess::Role;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{ROLES, role_name};

    pub fn serialize<S: Serializer>(roles: &[Role], serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<&str> = roles.iter().map(|&role| role_name(role)).collect();
        names.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Role>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let role = |name: &String| ROLES.into_iter().find(|&role| role_name(role) == name);
        names
            .iter()
            .map(|name| role(name).ok_or_else(|| D::Error::custom(format!("unknown piece '{name}'"))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(fen: &str, line: &str) -> Option<(usize, String)> {
        let start = Position::from_fen(fen).expect("a position");
        let moves = crate::trace::read_line(&start, line).expect("legal moves");
        settled(&start, &start, &moves).map(|(plies, gain)| (plies, gain.to_string()))
    }

    #[test]
    fn gains_in_words() {
        for (fen, line, plies, text) in [
            ("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7 Kd7 Nxa8", 3, "wins a rook"),
            ("4k3/8/2p5/3r4/8/8/8/K2R4 w - - 0 1", "Rxd5 cxd5", 2, ""),
            ("4k3/8/2p5/3r4/4B3/8/8/K7 w - - 0 1", "Bxd5 cxd5", 2, "wins the exchange"),
            ("4k3/8/2p5/3n4/4B3/8/8/K7 w - - 0 1", "Bxd5 cxd5", 2, ""),
            ("4k3/8/8/3n4/8/8/8/K2R4 w - - 0 1", "Rxd5", 1, "wins a knight"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", 1, "promotes a pawn"),
            ("1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "axb8=Q Kg7", 2, "promotes a pawn and wins a rook"),
            ("r6k/P7/8/8/8/8/8/1R5K w - - 0 1", "Rb8 Kg7 Rxa8", 3, "wins a rook"),
        ] {
            assert_eq!(won(fen, line), Some((plies, text.to_owned())), "{fen} {line}");
        }
        // The queen hangs at the end.
        assert_eq!(won("4k3/8/2p5/3r4/8/8/8/K2Q4 w - - 0 1", "Qxd5"), None);
        // A pawn hangs, and more was won.
        assert_eq!(won("4k3/8/8/3n4/6p1/7P/8/K2R4 w - - 0 1", "Rxd5"), Some((1, "wins a knight".to_owned())));
    }
}
