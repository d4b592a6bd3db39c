//! Static evaluation for the side to move: a network, or the classical (hand-crafted) evaluation.
//!
//! The search uses an `Assessor`, which wraps either. In the classical evaluation the search calls
//! [`Evaluator::evaluate`]; `eval` prints [`explain`]; the tuner takes [`EvaluationRecord`]s. All three run the same
//! code, generic over an [`EvaluationTrace`]. `docs/evaluation.md` describes the terms and their tuning.

mod board;
mod danger;
mod endgame;
mod network;
mod network_file;
mod passed;
mod pawn_table;
mod pawns;
mod pieces;
mod record;
mod table;
mod tapered;
mod terms;
mod threats;
mod trace;
mod view;
mod weights;
mod weights_file;

pub use board::{Explanation, NetworkBoard};
pub use danger::{endgame_curve, middlegame_curve};
pub use endgame::FULL_SCALE;
pub(crate) use network::{Assessor, embedded, has_bare_king};
pub use network::{Evaluation, EvaluationKind};
pub use network_file::{NetworkFileError, load_network};
pub use record::{EvaluationRecord, FeatureCount};
pub use table::{EvaluationTable, explain};
pub use tapered::Tapered;
pub use terms::{FEATURES, Feature, Term};
pub use trace::{EvaluationTrace, NoTrace, RelativeSide};
pub use weights::WEIGHTS;
pub use weights_file::render_weights;

use chess::{Position, Role};
use pawn_table::PawnTable;
use pawns::PawnStructure;
use trace::TermSum;
use view::BoardView;

/// Phase of a position with all pieces; a position with only pawns and kings has phase 0.
pub const FULL_PHASE: i32 = 24;

/// The evaluation is always below this; scores beyond it are mates.
pub const LIMIT: i32 = 20_000;

/// Evaluates positions, with a pawn hash table. Every thread has its own.
pub struct Evaluator {
    pawns: PawnTable,
}

impl Evaluator {
    /// An evaluator with an empty pawn hash table.
    pub fn new() -> Evaluator {
        Evaluator { pawns: PawnTable::new() }
    }

    /// The evaluation for the side to move, in centipawns, below [`LIMIT`] in size.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let pawns = self.pawns.get(position);
        Balance::new(position, pawns, &mut NoTrace).value()
    }

    /// Clears the pawn hash table. This changes no value, only speed.
    pub fn clear(&mut self) {
        self.pawns.clear();
    }
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator::new()
    }
}

/// Our terms minus theirs, before tapering.
struct Balance {
    sum: Tapered,
    phase: i32,
    us: BoardView,
    them: BoardView,
}

impl Balance {
    #[inline(always)]
    fn new<T: EvaluationTrace>(position: &Position, pawns: &PawnStructure, trace: &mut T) -> Balance {
        let turn = position.turn();
        let (us, them) = (BoardView::new(position, turn), BoardView::new(position, !turn));
        let (our_pawns, their_pawns) = (pawns.of(turn), pawns.of(!turn));

        let mut tally = TermSum::new(trace, RelativeSide::Us);
        tally.add(Term::Tempo.at(0));
        let (our_attacks, our_king_attack) =
            pieces::pieces(&us, their_pawns.attack_span.flip_ranks(), &mut tally);
        let our_pieces = tally.sum();
        let mut tally = TermSum::new(trace, RelativeSide::Them);
        let (their_attacks, their_king_attack) =
            pieces::pieces(&them, our_pawns.attack_span.flip_ranks(), &mut tally);
        let their_pieces = tally.sum();

        let (our_attacks_flipped, their_attacks_flipped) = (our_attacks.flipped(), their_attacks.flipped());
        let mut tally = TermSum::new(trace, RelativeSide::Us);
        threats::threats(&us, &our_attacks, &their_attacks_flipped, &mut tally);
        threats::space(&us, &their_attacks_flipped, &mut tally);
        passed::passed(&us, our_pawns.passed, &our_attacks, &their_attacks_flipped, &mut tally);
        let our_play = tally.sum();
        let mut tally = TermSum::new(trace, RelativeSide::Them);
        threats::threats(&them, &their_attacks, &our_attacks_flipped, &mut tally);
        threats::space(&them, &our_attacks_flipped, &mut tally);
        passed::passed(&them, their_pawns.passed, &their_attacks, &our_attacks_flipped, &mut tally);
        let their_play = tally.sum();

        let our_attack = danger::attack(
            &us,
            &our_attacks,
            &their_attacks_flipped,
            &our_king_attack,
            &mut TermSum::new(trace, RelativeSide::Us),
        );
        let their_attack = danger::attack(
            &them,
            &their_attacks,
            &our_attacks_flipped,
            &their_king_attack,
            &mut TermSum::new(trace, RelativeSide::Them),
        );

        Balance {
            sum: our_pawns.value + our_pieces + our_play + our_attack
                - their_pawns.value
                - their_pieces
                - their_play
                - their_attack,
            phase: phase(position),
            us,
            them,
        }
    }

    #[inline(always)]
    fn value(&self) -> i32 {
        let stronger = if self.sum.endgame() >= 0 { &self.us } else { &self.them };
        blend(self.sum, self.phase, endgame::scale(stronger), self.drive())
    }

    /// The bonus for driving a bare king to the edge.
    #[inline(always)]
    fn drive(&self) -> i32 {
        endgame::mating_drive(&self.us) - endgame::mating_drive(&self.them)
    }
}

/// The game phase, from [`FULL_PHASE`] (all pieces) to 0.
#[inline(always)]
fn phase(position: &Position) -> i32 {
    let count = |role| position.role(role).count() as i32;
    let phase = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
    phase.min(FULL_PHASE)
}

/// The tapered evaluation from a sum, its phase, the endgame scale of the stronger side and the bonus for
/// driving a bare king.
#[inline(always)]
fn blend(sum: Tapered, phase: i32, scale: i32, drive: i32) -> i32 {
    let endgame = sum.endgame() * scale / FULL_SCALE;
    let value = (sum.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE + drive;
    value.clamp(1 - LIMIT, LIMIT - 1)
}

#[cfg(test)]
mod tests;
