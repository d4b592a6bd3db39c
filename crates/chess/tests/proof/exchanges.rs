//! Static exchange evaluation against a slow swap-off on a plain array of pieces, which walks rays square by
//! square and plays the captures out by recursion.

use crate::Effort;
use crate::walk::for_each_position;
use chess::{Color, Move, MoveKind, Piece, Position, Role, Square};

proof!(see_matches_slow_swap_off);

const KNIGHT_LEAPS: [(i32, i32); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

#[derive(Clone)]
struct Pieces([Option<Piece>; 64]);

fn at(file: i32, rank: i32) -> Option<usize> {
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

impl Pieces {
    fn of(position: &Position) -> Pieces {
        Pieces(std::array::from_fn(|index| position.piece_at(Square::from_index(index))))
    }

    /// The squares of the pieces of one colour that attack a square.
    fn attackers(&self, target: usize, color: Color) -> Vec<usize> {
        let (file, rank) = ((target % 8) as i32, (target / 8) as i32);
        let mut found = Vec::new();
        let mut note = |square: Option<usize>, roles: &[Role]| {
            let Some(square) = square else { return };
            if self.0[square].is_some_and(|piece| piece.color() == color && roles.contains(&piece.role())) {
                found.push(square);
            }
        };
        for (right, up) in KNIGHT_LEAPS {
            note(at(file + right, rank + up), &[Role::Knight]);
        }
        let behind = if color == Color::White { -1 } else { 1 };
        for side in [-1, 1] {
            note(at(file + side, rank + behind), &[Role::Pawn]);
        }
        for (right, up) in DIRECTIONS {
            note(at(file + right, rank + up), &[Role::King]);
            let straight = right == 0 || up == 0;
            let slider = if straight { Role::Rook } else { Role::Bishop };
            let first = (1..8)
                .map_while(|step| at(file + step * right, rank + step * up))
                .find(|&square| self.0[square].is_some());
            note(first, &[slider, Role::Queen]);
        }
        found.sort_unstable();
        found
    }

    fn king(&self, color: Color) -> usize {
        self.0.iter().position(|&piece| piece == Some(Piece::new(color, Role::King))).unwrap()
    }

    /// Whether a piece is pinned with respect to a capture on `target`: its king would be attacked by a
    /// slider that did not attack it before.
    fn is_pinned(&self, square: usize, target: usize, color: Color) -> bool {
        let king = self.king(color);
        if square == king {
            return false;
        }
        let before = self.attackers(king, !color);
        let mut after = self.clone();
        after.0[target] = after.0[square].take();
        after.attackers(king, !color).iter().any(|attacker| !before.contains(attacker))
    }

    /// What `side` gains by capturing on `target` when it is best, or 0 when it is better to stop.
    fn best(&self, target: usize, side: Color) -> i32 {
        let standing = self.0[target].unwrap().role();
        let capturer = self
            .attackers(target, side)
            .into_iter()
            .filter(|&square| !self.is_pinned(square, target, side))
            .min_by_key(|&square| {
                (self.0[square].unwrap().role(), Square::from_index(square).relative_to(side))
            });
        let Some(capturer) = capturer else { return 0 };
        let mut next = self.clone();
        next.0[target] = next.0[capturer].take();
        let role = next.0[target].unwrap().role();
        if role == Role::King && !next.attackers(target, !side).is_empty() {
            return 0;
        }
        (standing.exchange_value() - next.best(target, !side)).max(0)
    }
}

fn slow_see(position: &Position, mv: Move) -> i32 {
    if mv.is_castle() {
        return 0;
    }
    let mut pieces = Pieces::of(position);
    let (from, to) = (mv.from().index(), mv.to().index());
    let mut gain = position.captured(mv).map_or(0, Role::exchange_value);
    pieces.0[to] = pieces.0[from].take();
    match mv.kind() {
        MoveKind::EnPassant => pieces.0[to ^ 8] = None,
        MoveKind::Promotion(role) => {
            gain += role.exchange_value() - Role::Pawn.exchange_value();
            pieces.0[to] = Some(Piece::new(position.turn(), role));
        }
        _ => {}
    }
    gain - pieces.best(to, !position.turn())
}

fn see_matches_slow_swap_off(effort: Effort) {
    for_each_position(12, effort.pick(6_000, 200_000), |position, random| {
        for mv in position.legal_moves() {
            let exact = slow_see(position, mv);
            assert_eq!(position.see(mv), exact, "{mv:?} in {position:?}");
            let thresholds = [exact - 1, exact, exact + 1, 0, random.below(2_400) as i32 - 1_200];
            for threshold in thresholds {
                assert_eq!(
                    position.see_at_least(mv, threshold),
                    exact >= threshold,
                    "{mv:?} at least {threshold} (it is {exact}) in {position:?}"
                );
            }
        }
    });
}
