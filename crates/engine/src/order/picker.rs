//! The staged move picker. It returns moves one by one, best first, and generates and scores each stage only
//! when the previous one is exhausted: most nodes end at their first or second move.

use super::{Before, Histories, Killers, Threats};
use crate::params::Params;
use crate::search::{Built, Soundness};
use chess::{Bitboard, Color, Move, MoveList, MoveSink, MoveTypes, Position, Role, attacks};

/// A move with its rank.
#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    rank: i32,
}

/// The move list of one ply, reused between nodes.
pub struct ScoredMoves {
    moves: [Scored; MoveList::CAPACITY],
    len: usize,
}

impl ScoredMoves {
    /// An empty list.
    pub fn new() -> ScoredMoves {
        ScoredMoves { moves: [Scored { mv: Move::NONE, rank: 0 }; MoveList::CAPACITY], len: 0 }
    }
}

impl MoveSink for ScoredMoves {
    /// Adds a move. As in [`MoveList`], the capacity is never exceeded.
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = Scored { mv, rank: 0 };
            self.len += 1;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    TableMove,
    GenerateNoisy,
    GoodNoisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    GenerateEvasions,
    Evasions,
    Done,
}

/// The moves of one node.
pub struct Picker {
    stage: Stage,
    table_move: Move,
    /// Those that are not quiet moves of this node are removed.
    killers: Killers,
    /// Captures with a lower SEE, in centipawns, come last or are skipped.
    exchange_threshold: i32,
    with_quiets: bool,
    next: usize,
    /// Bad captures are moved to the front of the list.
    bad: usize,
    noisy_end: usize,
}

impl Picker {
    /// All moves: hash move, good captures, killers, other quiet moves, bad captures.
    pub fn all(table_move: Move, killers: Killers) -> Picker {
        Picker { killers: Built::killers(killers), ..Picker::new(table_move, 0, true) }
    }

    /// Only captures and promotions with a SEE of at least `threshold`, the hash move first.
    pub fn noisy(table_move: Move, threshold: i32) -> Picker {
        Picker::new(table_move, threshold, false)
    }

    /// All evasions, in a single stage.
    pub fn evasions(table_move: Move) -> Picker {
        let mut picker = Picker::new(table_move, 0, true);
        if table_move.is_none() {
            picker.stage = Stage::GenerateEvasions;
        }
        picker
    }

    fn new(table_move: Move, exchange_threshold: i32, with_quiets: bool) -> Picker {
        let stage = if table_move.is_none() { Stage::GenerateNoisy } else { Stage::TableMove };
        Picker {
            stage,
            table_move,
            killers: Killers::NONE,
            exchange_threshold,
            with_quiets,
            next: 0,
            bad: 0,
            noisy_end: 0,
        }
    }

    /// Skips the remaining quiet moves.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.with_quiets = false;
        if self.stage == Stage::Quiet {
            self.start_bad_noisy();
        }
    }

    /// The next move, or `None` at the end.
    #[inline]
    pub fn next(
        &mut self,
        params: &Params,
        position: &Position,
        histories: &Histories,
        threats: &Threats,
        before: Before,
        list: &mut ScoredMoves,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage =
                        if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    return Some(self.table_move);
                }
                Stage::GenerateNoisy => {
                    list.len = 0;
                    position.generate(MoveTypes::Noisy, list);
                    self.noisy_end = list.len;
                    rank_noisy(params, position, histories, &mut list.moves[..self.noisy_end]);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    let Some(mv) = self.take_best(list, self.noisy_end) else {
                        self.stage = if self.with_quiets { Stage::Killers } else { Stage::Done };
                        self.next = 0;
                        continue;
                    };
                    if !position.see_at_least(mv, self.exchange_threshold) {
                        // Moved to the front, where the moves have already been returned.
                        list.moves[self.bad].mv = mv;
                        self.bad += 1;
                        continue;
                    }
                    return Some(mv);
                }
                Stage::Killers => match self.next_killer(position) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if !self.with_quiets {
                        self.start_bad_noisy();
                        continue;
                    }
                    list.len = self.noisy_end;
                    position.generate(MoveTypes::Quiet, list);
                    let quiets = &mut list.moves[self.noisy_end..list.len];
                    rank_quiet(params, position, histories, threats, before, quiets);
                    self.next = self.noisy_end;
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.take_best(list, list.len) {
                    // It has already been returned.
                    Some(mv) if self.killers.0.contains(&mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.start_bad_noisy(),
                },
                Stage::BadNoisy => {
                    if self.next < self.bad {
                        let mv = list.moves[self.next].mv;
                        self.next += 1;
                        return Some(mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    list.len = 0;
                    position.generate(MoveTypes::All, list);
                    rank_evasions(params, position, histories, threats, before, &mut list.moves[..list.len]);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => loop {
                    let Some(mv) = self.take_best(list, list.len) else {
                        self.stage = Stage::Done;
                        break;
                    };
                    if self.with_quiets || position.is_noisy(mv) {
                        return Some(mv);
                    }
                },
                Stage::Done => return None,
            }
        }
    }

    /// The next killer that is a quiet move here.
    #[inline]
    fn next_killer(&mut self, position: &Position) -> Option<Move> {
        while let Some(killer) = self.killers.0.get_mut(self.next) {
            self.next += 1;
            let mv = *killer;
            let usable = self.with_quiets && mv != self.table_move && position.is_legal(mv);
            if usable && !position.is_noisy(mv) {
                return Some(mv);
            }
            *killer = Move::NONE;
        }
        None
    }

    fn start_bad_noisy(&mut self) {
        self.stage = Stage::BadNoisy;
        self.next = 0;
    }

    /// Selects and returns the best remaining move, unless it is the hash move.
    #[inline(always)]
    fn take_best(&mut self, list: &mut ScoredMoves, end: usize) -> Option<Move> {
        while self.next < end {
            let rest = &mut list.moves[self.next..end];
            let (mut best, mut rank) = (0, i32::MIN);
            for (index, scored) in rest.iter().enumerate() {
                if scored.rank > rank {
                    (best, rank) = (index, scored.rank);
                }
            }
            rest.swap(0, best);
            self.next += 1;
            if rest[0].mv != self.table_move {
                return Some(rest[0].mv);
            }
        }
        None
    }
}

/// The rank of a score. Ties are broken by the squares as the mover sees them, so that the order does not
/// depend on colour.
#[inline(always)]
fn rank(score: i32, mv: Move, side: Color) -> i32 {
    Built::move_order(score) << 12 | i32::from(mv.squares_for(side))
}

/// Most valuable victim first; history decides between captures of similar value.
fn rank_noisy(params: &Params, position: &Position, histories: &Histories, moves: &mut [Scored]) {
    let side = position.turn();
    for scored in moves {
        let mv = scored.mv;
        let captured = position.captured(mv).map_or(0, Role::exchange_value);
        let value = params.order_captured() * (captured + promotion_value(mv)) / 64;
        let score = value + histories.noisy(position, mv);
        scored.rank = rank(score, mv, side);
    }
}

/// The bonus of a promotion. Among underpromotions the knight comes first. All are different, because their
/// squares cannot break ties.
#[inline(always)]
fn promotion_value(mv: Move) -> i32 {
    match mv.promotion() {
        None => 0,
        Some(Role::Queen) => Role::Queen.exchange_value(),
        Some(Role::Knight) => -2000,
        Some(Role::Rook) => -2001,
        Some(_) => -2002,
    }
}

fn rank_quiet(
    params: &Params,
    position: &Position,
    histories: &Histories,
    threats: &Threats,
    before: Before,
    moves: &mut [Scored],
) {
    let side = position.turn();
    let quiets = histories.quiets(params, position, threats.all, before);
    let checks = CheckSquares::of(position);
    for scored in moves {
        let mv = scored.mv;
        let role = position.role_at(mv.from()).unwrap_or(Role::Pawn);
        let mut score = quiets.of(position, mv);
        score += danger(params, threats, role, mv);
        if checks.by(role).has(mv.to()) && !mv.is_castle() {
            score += params.order_check();
        }
        scored.rank = rank(score, mv, side);
    }
}

fn rank_evasions(
    params: &Params,
    position: &Position,
    histories: &Histories,
    threats: &Threats,
    before: Before,
    moves: &mut [Scored],
) {
    let side = position.turn();
    let quiets = histories.quiets(params, position, threats.all, before);
    for scored in moves {
        let mv = scored.mv;
        let score = match position.captured(mv) {
            Some(captured) => {
                let taker = position.role_at(mv.from()).unwrap_or(Role::Pawn);
                100_000 + 8 * (captured.exchange_value() + promotion_value(mv)) - taker.index() as i32
            }
            None if mv.is_promotion() => 100_000 + 8 * promotion_value(mv),
            None => quiets.of(position, mv),
        };
        scored.rank = rank(score, mv, side);
    }
}

/// Bonus for leaving a square that a less valuable piece attacks, penalty for moving to one.
#[inline(always)]
fn danger(params: &Params, threats: &Threats, role: Role, mv: Move) -> i32 {
    let (danger, weight) = match role {
        Role::Knight | Role::Bishop => (threats.by_pawn, params.order_minor_danger()),
        Role::Rook => (threats.by_minor, params.order_rook_danger()),
        Role::Queen => (threats.by_rook, params.order_queen_danger()),
        Role::Pawn | Role::King => return 0,
    };
    weight * (i32::from(danger.has(mv.from())) - i32::from(danger.has(mv.to())))
}

/// The squares from which each role would give check.
struct CheckSquares {
    pawn: Bitboard,
    knight: Bitboard,
    bishop: Bitboard,
    rook: Bitboard,
}

impl CheckSquares {
    fn of(position: &Position) -> CheckSquares {
        let us = position.turn();
        let king = position.king(!us);
        let occupied = position.occupied();
        CheckSquares {
            pawn: attacks::pawn(!us, king),
            knight: attacks::knight(king),
            bishop: attacks::bishop(king, occupied),
            rook: attacks::rook(king, occupied),
        }
    }

    #[inline(always)]
    fn by(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.bishop | self.rook,
            Role::King => Bitboard::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PieceTo;
    use super::*;

    fn all_moves(position: &Position, mut picker: Picker) -> Vec<Move> {
        let histories = Histories::new();
        let mut list = ScoredMoves::new();
        let before = [PieceTo::NONE; 3];
        std::iter::from_fn(|| {
            picker.next(&Params::default(), position, &histories, &Threats::NONE, before, &mut list)
        })
        .collect()
    }

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut expected: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
            expected.sort_unstable();
            for (index, table_move) in position.legal_moves().into_iter().chain([Move::NONE]).enumerate() {
                // Killers come from other positions: they may be legal, noisy, the hash move or illegal.
                for other in [0, 1, 7, 20_000, 65_535] {
                    let mut killers = Killers::NONE;
                    killers.learn(Move::from_bits(other));
                    killers.learn(Move::from_bits(expected[(index + usize::from(other)) % expected.len()]));
                    let moves = all_moves(&position, Picker::all(table_move, killers));
                    assert!(table_move.is_none() || moves[0] == table_move);
                    let mut found: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
                    found.sort_unstable();
                    assert_eq!(found, expected, "{fen} {table_move:?} {killers:?}");
                }
            }
        }
    }

    #[test]
    fn losing_captures_come_last() {
        let position = Position::from_fen("4k3/8/2p5/1q1p4/2N1P3/8/8/3QK3 w - - 0 1").unwrap();
        let moves = all_moves(&position, Picker::all(Move::NONE, Killers::NONE));
        let text = |mv: Option<&Move>| format!("{:?}", mv.unwrap());
        assert_eq!(text(moves.first()), "e4d5");
        assert_eq!(text(moves.last()), "d1d5");
    }

    #[test]
    fn killers_come_after_good_captures() {
        let position = Position::from_fen("4k3/8/2p5/1q1p4/2N1P3/8/8/3QK3 w - - 0 1").unwrap();
        let (earlier, later) = (position.parse_uci("e1f2").unwrap(), position.parse_uci("d1a1").unwrap());
        let mut killers = Killers::NONE;
        for mv in [earlier, later, later] {
            killers.learn(mv);
        }
        let moves = all_moves(&position, Picker::all(Move::NONE, killers));
        let first_quiet = moves.iter().position(|&mv| !position.is_noisy(mv)).unwrap();
        assert!(first_quiet > 0);
        assert_eq!(moves[first_quiet..][..2], [later, earlier]);
    }

    /// With equal ranks the order would be that of the list, which depends on colour.
    #[test]
    fn no_two_captures_or_promotions_share_a_rank() {
        for fen in ["n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", "4r2K/3P1P2/8/8/8/k7/8/8 w - - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            let (params, histories, mut list) = (Params::default(), Histories::new(), ScoredMoves::new());
            position.generate(MoveTypes::Noisy, &mut list);
            for in_check in [false, true] {
                let moves = &mut list.moves[..list.len];
                if in_check {
                    rank_evasions(&params, &position, &histories, &Threats::NONE, [PieceTo::NONE; 3], moves);
                } else {
                    rank_noisy(&params, &position, &histories, moves);
                }
                let mut ranks: Vec<i32> = moves.iter().map(|scored| scored.rank).collect();
                ranks.sort_unstable();
                assert!(
                    ranks.len() > 3 && ranks.windows(2).all(|pair| pair[0] != pair[1]),
                    "{fen}: {ranks:?}"
                );
            }
        }
    }

    #[test]
    fn order_does_not_depend_on_colour() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            // Promotions of all kinds, with and without captures.
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "1r1q4/P1P1P1P1/8/3k4/8/3K4/8/8 w - - 0 1",
            // Promotions as evasions.
            "4r2K/3P1P2/8/8/8/k7/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let moves = |position: &Position| {
                let in_check = position.in_check();
                let all = Picker::all(Move::NONE, Killers::NONE);
                all_moves(position, if in_check { Picker::evasions(Move::NONE) } else { all })
            };
            let flip = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
            let flipped: Vec<Move> = moves(&position).into_iter().map(flip).collect();
            assert_eq!(flipped, moves(&position.color_mirrored()), "{fen}");
        }
    }
}
