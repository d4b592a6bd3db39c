//! Why a game was lost, and how that follows from what the engine did when it was asked again.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a game was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LossCause {
    /// More time, nodes or depth finds the better move, or it knows at the end of the refutation that it is lost.
    Horizon,
    /// It does not know even there, or nothing finds the better move.
    Evaluation,
    /// It is better at the same depth when it is searched alone.
    Pruned,
    /// It is found with time that the engine had and did not use.
    Clock,
    /// A fresh process finds it; after the moves of the game the engine does not.
    State,
    /// The same, with few pieces on the board.
    Endgame,
    /// The same, in the first moves; or the opening was lost already.
    Opening,
    /// Lost on time, by an illegal move or a crash, in a position that was not lost.
    Fault,
    /// No move lost the game alone.
    Gradual,
    /// The engine finds the better move now, under the conditions of the game.
    NotReproduced,
}

impl LossCause {
    pub const ALL: [LossCause; 10] = [
        LossCause::Horizon,
        LossCause::Evaluation,
        LossCause::Pruned,
        LossCause::Clock,
        LossCause::State,
        LossCause::Endgame,
        LossCause::Opening,
        LossCause::Fault,
        LossCause::Gradual,
        LossCause::NotReproduced,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            LossCause::Horizon => "horizon",
            LossCause::Evaluation => "evaluation",
            LossCause::Pruned => "pruned",
            LossCause::Clock => "clock",
            LossCause::State => "hash or state",
            LossCause::Endgame => "endgame",
            LossCause::Opening => "opening",
            LossCause::Fault => "fault",
            LossCause::Gradual => "gradual",
            LossCause::NotReproduced => "not reproduced",
        }
    }

    /// What it means, in one line.
    pub const fn meaning(self) -> &'static str {
        match self {
            LossCause::Horizon => "more time finds the better move, or the line is too long",
            LossCause::Evaluation => "a lost position is taken for a better one",
            LossCause::Pruned => "the better move scores more at the same depth when searched alone",
            LossCause::Clock => "time was left on the clock that would have helped",
            LossCause::State => "a fresh process finds it: hash table, histories or other state",
            LossCause::Endgame => "a lost position is taken for a better one, with few pieces",
            LossCause::Opening => "lost in the opening",
            LossCause::Fault => "lost on time, by an illegal move, a crash or a hang",
            LossCause::Gradual => "no single move lost the game",
            LossCause::NotReproduced => "the engine finds the better move when asked again",
        }
    }

    /// Whether the position belongs in a test suite: the engine failed, and fails again.
    pub const fn is_reproduced(self) -> bool {
        !matches!(self, LossCause::Fault | LossCause::Gradual | LossCause::NotReproduced)
    }
}

impl fmt::Display for LossCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// By how much the better move has to score more than the chosen one, searched alone to the same depth. Smaller
/// differences are found between good moves too, because reductions depend on the order of moves.
pub const PRUNED_CENTIPAWNS: i32 = 50;

/// By how many percent the engine has to overrate its winning chances at the end of the line that refutes the move of the
/// game. Evaluations of sound engines differ by less in most positions.
pub const MISJUDGED_PERCENT: f64 = 25.0;

/// With at most so many pieces, kings included, a loss is one of endgame knowledge: there are tablebases for them.
pub const ENDGAME_PIECES: u32 = 7;

/// Up to this move, a loss in a game that began in the starting position and without a book is one of opening knowledge.
pub const OPENING_MOVES: u32 = 10;

/// What the engine did when it was asked again. A move is found if it does not lose what the move of the game lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossEvidence {
    /// Whether it found a good move after the searches of the game, in one process; `None` if that was not tried.
    pub replayed: Option<bool>,
    /// The factor of time with which it finds one after the searches of the game, if only a fresh process found it.
    pub replayed_with: Option<u32>,
    /// Whether it found one after the searches of the game and those of the games before, in one process.
    pub after_previous_games: Option<bool>,
    /// Whether it repeats all moves of the game only after those of the games before.
    pub needs_previous_games: bool,
    /// The factor of time or nodes from which on a fresh process finds a good move; at least two factors do.
    pub found_with: Option<u32>,
    /// Whether the engine had that time: a normal share of its clock, and unused at the end of the game.
    pub had_time: bool,
    /// By how many centipawns the better move, alone at the same depth, scores more than the chosen one alone, and than
    /// the whole search.
    pub alone: Option<i32>,
    /// By how many percent it overrates its winning chances at the end of the line that refutes the move of the game,
    /// with the most time.
    pub overrated: Option<f64>,
    /// On the board, kings included.
    pub pieces: u32,
    /// Whether it is one of the first moves, and they are the engine's own.
    pub opening: bool,
}

/// The cause that the evidence shows. The order of the rules is the definition of the causes.
pub fn classify(evidence: &LossEvidence) -> LossCause {
    let LossEvidence { replayed, found_with, .. } = *evidence;
    let is_spoilt = replayed == Some(true) && evidence.after_previous_games == Some(false);
    if is_spoilt || evidence.needs_previous_games {
        return LossCause::State;
    }
    if matches!((replayed, found_with), (Some(true), _) | (None, Some(1))) {
        return LossCause::NotReproduced;
    }
    if found_with.is_some() && evidence.had_time {
        return LossCause::Clock;
    }
    let misjudged = evidence.overrated.is_some_and(|percent| percent >= MISJUDGED_PERCENT);
    if misjudged {
        return judgement(evidence);
    }
    if (replayed, found_with) == (Some(false), Some(1)) && evidence.replayed_with.is_none() {
        return LossCause::State;
    }
    // Nothing is pruned where a fresh process finds the move at once.
    if evidence.replayed_with.is_none() && evidence.alone.is_some_and(|more| more >= PRUNED_CENTIPAWNS) {
        return LossCause::Pruned;
    }
    // An engine that knows how the line ends has not seen so far.
    if found_with.is_some() || evidence.overrated.is_some() {
        return LossCause::Horizon;
    }
    judgement(evidence)
}

/// The cause where the engine takes a lost position for a better one.
fn judgement(evidence: &LossEvidence) -> LossCause {
    if evidence.pieces <= ENDGAME_PIECES {
        return LossCause::Endgame;
    }
    if evidence.opening { LossCause::Opening } else { LossCause::Evaluation }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing finds the better move, in a middlegame.
    const NOTHING: LossEvidence = LossEvidence {
        replayed: Some(false),
        replayed_with: None,
        after_previous_games: None,
        needs_previous_games: false,
        found_with: None,
        had_time: false,
        alone: Some(-30),
        overrated: None,
        pieces: 24,
        opening: false,
    };

    #[test]
    fn every_cause_has_its_evidence() {
        let found = |factor| LossEvidence { found_with: Some(factor), ..NOTHING };
        let cases = [
            (NOTHING, LossCause::Evaluation),
            (LossEvidence { alone: None, ..NOTHING }, LossCause::Evaluation),
            (LossEvidence { pieces: 7, ..NOTHING }, LossCause::Endgame),
            (LossEvidence { pieces: 8, ..NOTHING }, LossCause::Evaluation),
            (LossEvidence { opening: true, ..NOTHING }, LossCause::Opening),
            (found(8), LossCause::Horizon),
            (LossEvidence { pieces: 4, opening: true, ..found(2) }, LossCause::Horizon),
            (LossEvidence { had_time: true, ..found(2) }, LossCause::Clock),
            (LossEvidence { alone: Some(50), ..NOTHING }, LossCause::Pruned),
            (LossEvidence { alone: Some(49), ..NOTHING }, LossCause::Evaluation),
            (LossEvidence { alone: Some(300), ..found(2) }, LossCause::Pruned),
            (LossEvidence { alone: Some(300), had_time: true, ..found(2) }, LossCause::Clock),
            (found(1), LossCause::State),
            (LossEvidence { replayed_with: Some(2), alone: Some(300), ..found(1) }, LossCause::Horizon),
            (LossEvidence { replayed_with: Some(2), had_time: true, ..found(1) }, LossCause::Clock),
            (LossEvidence { replayed: Some(true), ..found(1) }, LossCause::NotReproduced),
            (LossEvidence { replayed: None, ..found(1) }, LossCause::NotReproduced),
            (LossEvidence { replayed: Some(true), ..NOTHING }, LossCause::NotReproduced),
            (LossEvidence { replayed: None, ..NOTHING }, LossCause::Evaluation),
            (LossEvidence { overrated: Some(24.0), ..NOTHING }, LossCause::Horizon),
            (LossEvidence { overrated: Some(24.0), alone: Some(50), ..NOTHING }, LossCause::Pruned),
            (LossEvidence { overrated: Some(25.0), alone: Some(50), ..NOTHING }, LossCause::Evaluation),
            (LossEvidence { overrated: Some(25.0), ..found(1) }, LossCause::Evaluation),
            (LossEvidence { overrated: Some(25.0), had_time: true, ..found(2) }, LossCause::Clock),
            (LossEvidence { overrated: Some(25.0), pieces: 7, ..found(2) }, LossCause::Endgame),
        ];
        for (evidence, cause) in cases {
            assert_eq!(classify(&evidence), cause, "{evidence:?}");
        }
    }

    #[test]
    fn state_may_survive_a_new_game() {
        let found = LossEvidence { replayed: Some(true), ..NOTHING };
        let after = |good| LossEvidence { after_previous_games: Some(good), ..found };
        assert_eq!(
            [true, false].map(|good| classify(&after(good))),
            [LossCause::NotReproduced, LossCause::State]
        );
        let bad = LossEvidence { replayed: Some(false), ..after(false) };
        assert_eq!(classify(&bad), LossCause::Evaluation, "the games before change nothing");
        assert_eq!(classify(&LossEvidence { needs_previous_games: true, ..bad }), LossCause::State);
    }

    #[test]
    fn names_are_distinct() {
        let mut names = LossCause::ALL.map(LossCause::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), LossCause::ALL.len());
    }
}
