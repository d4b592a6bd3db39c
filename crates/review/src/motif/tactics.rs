//! Motifs that win material.

use chess::{Bitboard, Color, Move, Position, Role, Square, attacks};

use super::board::{attackers_of, attacks_from, destination, is_hanging, is_in_danger, is_trapped, value};
use super::{Line, Motif, Tactic};

/// Adds the motifs of a line.
pub fn find(line: &Line, found: &mut Vec<Tactic>) {
    for (ply, mv) in line.own() {
        let step = Step::new(line, ply, mv);
        found.extend(promotion(&step));
        found.extend(checks(&step));
        found.extend(fork(line, &step));
        found.extend(pin(line, &step));
        found.extend(hanging(&step));
        for (before, mv) in line.own().take_while(|&(before, _)| before < ply) {
            found.extend(discovered(&Step::new(line, before, mv), &step));
        }
        if let Some(before) = ply.checked_sub(2) {
            let earlier = Step::new(line, before, line.moves[before]);
            let reply = line.moves[ply - 1];
            found.extend(skewer(&earlier, reply, &step));
            found.extend(trapped(&earlier, reply, &step));
            found.extend(deflection(line, &earlier, reply, &step));
            found.extend(capturing_defender(&earlier, reply, &step));
        }
    }
}

/// A move of the side that profits.
struct Step<'a> {
    ply: usize,
    mv: Move,
    before: &'a Position,
    after: &'a Position,
    us: Color,
    /// The mover and its square after the move.
    role: Role,
    to: Square,
    captured: Option<Role>,
}

impl<'a> Step<'a> {
    fn new(line: &'a Line, ply: usize, mv: Move) -> Step<'a> {
        let (before, after) = (&line.positions[ply], &line.positions[ply + 1]);
        let to = destination(before, mv);
        let role = after.role_at(to).unwrap_or(Role::King);
        Step { ply, mv, before, after, us: before.turn(), role, to, captured: before.captured(mv) }
    }

    fn tactic(&self, motif: Motif, by: (Role, Square), targets: Vec<(Role, Square)>) -> Tactic {
        Tactic { motif, ply: self.ply, by, targets }
    }

    fn is_slider(&self) -> bool {
        matches!(self.role, Role::Bishop | Role::Rook | Role::Queen)
    }
}

fn promotion(step: &Step) -> Option<Tactic> {
    step.mv.promotion().map(|role| step.tactic(Motif::Promotion, (role, step.to), Vec::new()))
}

fn checks(step: &Step) -> Option<Tactic> {
    let checkers = step.after.checkers();
    let king = vec![(Role::King, step.after.king(!step.us))];
    let other = checkers.without(step.to).first()?;
    let by = (step.after.role_at(other)?, other);
    // The rook of a castled king gives check by itself.
    if step.mv.is_castle() {
        return None;
    }
    let motif = if checkers.more_than_one() { Motif::DoubleCheck } else { Motif::DiscoveredCheck };
    Some(step.tactic(motif, by, king))
}

/// The mover attacks two pieces, one of which it captures in the line.
fn fork(line: &Line, step: &Step) -> Option<Tactic> {
    if step.role == Role::King || is_in_danger(step.after, step.to) && !step.after.in_check() {
        return None;
    }
    let attacked = attacks_from(step.after, step.to) & step.after.colored(!step.us);
    let back = attackers_of(step.after, step.to, !step.us);
    let is_target = |square: &Square| {
        let role = step.after.role_at(*square).unwrap_or(Role::Pawn);
        role != Role::Pawn
            && (value(role) > value(step.role)
                || is_hanging(step.after, *square, !step.us) && !back.has(*square))
    };
    let targets: Vec<Square> = attacked.into_iter().filter(is_target).collect();
    if targets.len() < 2 {
        return None;
    }
    // The profit: this piece captures next, something worth it.
    let next = line.moves.get(step.ply + 2)?;
    let prize = line.positions[step.ply + 2].captured(*next)?;
    let is_prize = next.from() == step.to && prize != Role::Pawn;
    let mut targets: Vec<(Role, Square)> =
        targets.into_iter().filter_map(|square| Some((step.after.role_at(square)?, square))).collect();
    targets.sort_by_key(|&(role, _)| std::cmp::Reverse(value(role)));
    is_prize.then(|| step.tactic(Motif::Fork, (step.role, step.to), targets))
}

/// A piece of the opponent that cannot leave its line, and therefore cannot defend or save itself.
fn pin(line: &Line, step: &Step) -> Option<Tactic> {
    let position = step.after;
    let them = !step.us;
    let king = position.king(them);
    let mut pinned = position.pinned().into_iter();
    let next = line.moves.get(step.ply + 2).copied();
    pinned.find_map(|square| {
        let role = position.role_at(square)?;
        let ray = attacks::line(king, square);
        let sliders = position.colored(step.us) & ray;
        let pinner = sliders.into_iter().find(|&from| {
            attacks_from(position, from).has(square) && attacks::between(from, king).has(square)
        })?;
        // It could otherwise take something.
        let attacks = attacks_from(position, square) & !ray & position.colored(step.us);
        let cannot_take = attacks.into_iter().any(|target| {
            let prize = position.role_at(target).unwrap_or(Role::Pawn);
            (target == step.to || line.positions[step.ply].piece_at(target).is_some())
                && prize != Role::Pawn
                && (value(prize) > value(role) || is_hanging(position, target, step.us))
        });
        // It cannot save itself.
        let captured = next.is_some_and(|mv| mv.to() == square);
        let cannot_flee = role != Role::Pawn
            && is_in_danger(position, square)
            && (captured
                || value(role) > 1 && {
                    let attackers = attackers_of(position, square, step.us);
                    attackers
                        .into_iter()
                        .any(|from| position.role_at(from).is_some_and(|by| value(by) < value(role)))
                });
        let by = (position.role_at(pinner)?, pinner);
        (cannot_take || cannot_flee).then(|| step.tactic(Motif::Pin, by, vec![(role, square)]))
    })
}

/// The first move takes an undefended piece.
fn hanging(step: &Step) -> Option<Tactic> {
    let role = step.captured?;
    let is_free = step.ply == 0 && role != Role::Pawn && is_hanging(step.before, step.mv.to(), !step.us);
    is_free.then(|| step.tactic(Motif::HangingPiece, (step.role, step.to), vec![(role, step.mv.to())]))
}

/// A slider captures through the square that the earlier move left, at once or after checks and captures.
fn discovered(earlier: &Step, step: &Step) -> Option<Tactic> {
    let role = step.captured.filter(|&role| role != Role::Pawn)?;
    let is_next = earlier.ply + 2 == step.ply;
    let attacked = || attacks_from(earlier.after, step.mv.from()).has(step.mv.to());
    let stood = || {
        let piece = |position: &Position, square| position.piece_at(square);
        piece(earlier.after, step.mv.to()) == piece(step.before, step.mv.to())
            && piece(earlier.after, step.mv.from()) == piece(step.before, step.mv.from())
    };
    if !(is_next || attacked() && stood()) {
        return None;
    }
    let path = attacks::between(step.mv.from(), step.mv.to());
    let opened = path.has(earlier.mv.from())
        && !path.has(earlier.to)
        && earlier.to != step.mv.from()
        && step.mv.to() != earlier.to
        && !earlier.mv.is_castle()
        && step.is_slider();
    opened.then(|| {
        earlier.tactic(Motif::DiscoveredAttack, (step.role, step.mv.from()), vec![(role, step.mv.to())])
    })
}

/// A slider attacked a piece, which moved and left a lesser one behind it.
fn skewer(earlier: &Step, reply: Move, step: &Step) -> Option<Tactic> {
    let role = step.captured?;
    let (from, to) = (step.mv.from(), step.mv.to());
    if !step.is_slider() || step.mv.promotion().is_some() || reply.is_castle() {
        return None;
    }
    let front = earlier.after.role_at(reply.from())?;
    let is_skewer = attacks::between(from, to).has(reply.from())
        && reply.to() != to
        && attacks_from(earlier.after, from).has(reply.from())
        && value(front) > value(role)
        && (is_in_danger(step.before, to) || role != Role::Pawn && value(role) >= value(step.role));
    is_skewer
        .then(|| earlier.tactic(Motif::Skewer, (step.role, from), vec![(front, reply.from()), (role, to)]))
}

fn trapped(earlier: &Step, reply: Move, step: &Step) -> Option<Tactic> {
    let role = step.captured.filter(|&role| role != Role::Pawn)?;
    let to = step.mv.to();
    let square = if reply.to() == to { reply.from() } else { to };
    let is_same = earlier.after.role_at(square) == Some(role);
    (is_same && is_trapped(earlier.after, square))
        .then(|| earlier.tactic(Motif::TrappedPiece, (earlier.role, earlier.to), vec![(role, square)]))
}

/// The reply took a defender away from a square, where the next move wins something or mates.
fn deflection(line: &Line, earlier: &Step, reply: Move, step: &Step) -> Option<Tactic> {
    let to = step.mv.to();
    let is_mate = step.ply + 1 == line.moves.len() && step.after.in_check() && !step.after.has_legal_move();
    let wins = step.captured.is_some() || step.mv.promotion().is_some() || is_mate;
    if !wins || reply.is_castle() || step.mv.is_castle() || to == reply.to() {
        return None;
    }
    let guard = reply.from();
    let role = earlier.after.role_at(guard)?;
    let guarded = attacks_through(earlier.after, guard, step.mv.from()).has(to);
    let guards_still = attacks_from(step.before, reply.to()).has(to);
    let was_forced = reply.to() == earlier.to || earlier.after.in_check();
    let cheap = earlier.captured.is_none_or(|prize| value(prize) <= value(earlier.role));
    if !guarded || guards_still || !was_forced || !cheap || earlier.mv.promotion().is_some() {
        return None;
    }
    let overloaded = earlier.captured.is_some() && reply.to() == earlier.to;
    let motif = if overloaded { Motif::OverloadedDefender } else { Motif::Deflection };
    Some(earlier.tactic(motif, (earlier.role, earlier.to), vec![(role, guard)]))
}

/// The attacks of a piece, also through the attacker, which will have moved.
fn attacks_through(position: &Position, square: Square, attacker: Square) -> Bitboard {
    let occupied = position.occupied().without(attacker);
    match position.role_at(square) {
        Some(Role::Bishop) => attacks::bishop(square, occupied),
        Some(Role::Rook) => attacks::rook(square, occupied),
        Some(Role::Queen) => attacks::queen(square, occupied),
        _ => attacks_from(position, square),
    }
}

/// The earlier move captured the defender of what this one captures.
fn capturing_defender(earlier: &Step, reply: Move, step: &Step) -> Option<Tactic> {
    let role = step.captured.filter(|&role| role != Role::Pawn)?;
    earlier.captured?;
    let (defender, to) = (earlier.mv.to(), step.mv.to());
    let is_still = reply.to() != to && earlier.before.role_at(to) == Some(role);
    let defended = attacks_from(earlier.before, defender).has(to);
    let alone = is_hanging(step.before, to, !step.us);
    (is_still && defended && alone && !earlier.before.in_check() && defender != to)
        .then(|| earlier.tactic(Motif::CapturingDefender, (earlier.role, earlier.to), vec![(role, to)]))
}
