//! The order of captures: in positions full of captures a quiescence search that begins with the most valuable victim is far
//! smaller than one that begins with the least valuable. Part of the check `leaves`.

use std::time::Duration;

use chess::{Move, MoveKind, Position, Role};

use crate::catalogue::FindingId;
use crate::check::{Examination, positions};
use crate::confidence::{BoundSide, Confidence};
use crate::finding::{Finding, Verdict};
use crate::samples::geometric_mean;

/// Many pieces of both sides are attacked.
const POSITIONS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r2q1rk1/pp2ppbp/2np1np1/2p3B1/2PPP1b1/2N2N2/PP2BPPP/R2Q1RK1 w - - 0 9",
    "r1bq1rk1/pp3ppp/2n1pn2/2bp4/2PP4/P1N1PN2/1P3PPP/R1BQKB1R w KQ - 0 8",
    "2rq1rk1/1b2bppp/p1n1pn2/1pp5/3PP3/PBN2N2/1P2QPPP/R1BR2K1 w - - 0 13",
    "r1b2rk1/ppq1bppp/2n1pn2/3pN3/2PP1B2/2N3P1/PP2PPBP/R2Q1RK1 b - - 0 10",
    "rnb1kb1r/pp3ppp/2p2n2/3qp3/2BP4/2N2N2/PPP2PPP/R1BQ1RK1 w kq - 0 8",
    "r1bqr1k1/pp1nbppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 b - - 0 10",
];

/// Times the nodes of the reference. A plain quiescence search with other values and evasions has up to 17; with the least
/// valuable victim first it has several hundred.
const MAX_NODES: f64 = 80.0;

const MIN_POSITIONS: usize = 4;

/// Centipawns of a pawn, knight, bishop, rook, queen and king.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

fn value(role: Role) -> i32 {
    VALUES[role as usize]
}

fn material(position: &Position) -> i32 {
    let side = position.turn();
    position
        .occupied()
        .into_iter()
        .filter_map(|square| position.piece_at(square))
        .map(|piece| if piece.color() == side { value(piece.role()) } else { -value(piece.role()) })
        .sum()
}

fn victim(position: &Position, mv: Move) -> i32 {
    // En passant finds an empty square.
    position.piece_at(mv.to()).map_or(VALUES[0], |piece| value(piece.role()))
}

/// Captures by the most valuable victim, then by the least valuable attacker.
fn captures(position: &Position) -> Vec<Move> {
    let takes = |mv: &Move| {
        let taken = position.piece_at(mv.to());
        mv.kind() == MoveKind::EnPassant || taken.is_some_and(|piece| piece.color() != position.turn())
    };
    let is_capture = |mv: &Move| takes(mv) || mv.promotion() == Some(Role::Queen);
    let mut moves: Vec<Move> = position.legal_moves().into_iter().filter(is_capture).collect();
    let attacker = |mv: Move| position.piece_at(mv.from()).map_or(0, |piece| value(piece.role()));
    moves.sort_by_key(|&mv| (std::cmp::Reverse(victim(position, mv)), attacker(mv)));
    moves
}

/// A plain quiescence search: material, all captures, no other pruning than alpha and beta.
struct Reference {
    nodes: u64,
    /// Nodes after which it gives up.
    most: u64,
}

impl Reference {
    fn quiesce(&mut self, position: &Position, mut alpha: i32, beta: i32) -> i32 {
        let mut best = material(position);
        alpha = alpha.max(best);
        if best >= beta {
            return best;
        }
        for mv in captures(position) {
            self.nodes += 1;
            if self.nodes > self.most {
                return best;
            }
            let score = -self.quiesce(&position.after(mv), -beta, -alpha);
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Nodes of the reference at depth 1.
fn reference_nodes(position: &Position) -> u64 {
    const MOST: u64 = 200_000;
    let mut reference = Reference { nodes: 0, most: MOST };
    let mut alpha = -30_000;
    let mut moves = captures(position);
    let quiet: Vec<Move> = position.legal_moves().into_iter().filter(|mv| !moves.contains(mv)).collect();
    moves.extend(quiet);
    for mv in moves {
        reference.nodes += 1;
        alpha = alpha.max(-reference.quiesce(&position.after(mv), -30_000, -alpha));
    }
    reference.nodes
}

/// Reported nodes per second of CPU time in the starting position; less than the true speed.
fn speed_at_start(exam: &mut Examination) -> f64 {
    let cap = exam.cap(Duration::from_secs(1));
    let searched = exam.engine.search_fresh(&Position::startpos(), "go movetime 300", cap);
    searched.map_or(0.0, |result| result.nodes() as f64 / result.cpu_or_wall().as_secs_f64().max(0.01))
}

/// Whether the engine's depth 1 is about as small as one with sorted captures.
pub fn capture_order(exam: &mut Examination) -> Finding {
    const ID: FindingId = FindingId::LeavesOrder;
    let go = "go depth 1";
    let speed = exam.speed.unwrap_or_else(|| speed_at_start(exam));
    let (mut ratios, mut worst, mut repro) = (Vec::new(), 0.0, Vec::new());
    for position in positions(&POSITIONS) {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(2));
        let Ok(result) = exam.engine.search_fresh(&position, go, cap) else { continue };
        // An unfinished search has often reported nothing; what it searched follows from the speed.
        let spent = speed * result.cpu_or_wall().as_secs_f64();
        let reported = result.nodes() as f64;
        let nodes = if result.cut_short { reported.max(spent) } else { reported };
        if nodes < 1.0 {
            continue;
        }
        let ratio = nodes / reference_nodes(&position).max(1) as f64;
        if ratio > worst {
            (worst, repro) = (ratio, result.repro());
        }
        ratios.push(ratio);
    }
    if ratios.len() < MIN_POSITIONS {
        return Finding::skipped(ID, "too few searches with nodes at depth 1");
    }
    let average = geometric_mean(&ratios);
    let fails = average > MAX_NODES;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1e-9).ln()).collect();
    Finding::new(
        ID,
        Verdict::fail_if(fails),
        format!(
            "depth 1 takes {average:.1} times the nodes of a quiescence search with the most valuable victim first, \
             {worst:.1} times at most"
        ),
    )
    .effect(average)
    .confidence(Confidence::of_mean(&logs, MAX_NODES.ln(), BoundSide::above_if(fails)))
    .threshold(format!("more than {MAX_NODES:.0} times"))
    .samples(ratios.len())
    .repro(if fails { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_is_small() {
        for position in positions(&POSITIONS) {
            let nodes = reference_nodes(&position);
            assert!((30..100_000).contains(&nodes), "{nodes} in {}", position.to_fen());
        }
    }
}
