//! The evaluation as a table: every term of both sides, from White's point of view. The `eval` command prints
//! it.

use std::fmt;

use chess::{Color, Position};

use super::FULL_PHASE;
use super::danger;
use super::endgame::FULL_SCALE;
use super::record::EvaluationRecord;
use super::tapered::Tapered;
use super::terms::Term;
use super::trace::RelativeSide;
use super::weights::WEIGHTS;

/// Every term of a position's evaluation; [`Display`](fmt::Display) formats it.
#[derive(Clone, Debug)]
pub struct EvaluationTable {
    rows: Vec<Row>,
    total: [Tapered; 2],
    phase: i32,
    scale: i32,
    drive: i32,
    turn: Color,
    value: i32,
}

#[derive(Clone, Debug)]
struct Row {
    heading: &'static str,
    /// White's and Black's share.
    sides: [Tapered; 2],
}

/// The terms of the evaluation of a position.
pub fn explain(position: &Position) -> EvaluationTable {
    EvaluationTable::new(position)
}

impl EvaluationTable {
    fn new(position: &Position) -> EvaluationTable {
        let record = EvaluationRecord::new(position);
        let turn = position.turn();
        let color_of = |side: RelativeSide| if side == RelativeSide::Us { turn } else { !turn };

        let mut terms = vec![[Tapered::ZERO; 2]; Term::ALL.len()];
        for entry in &record.entries {
            let term = Term::ALL.partition_point(|term| term.range().end <= entry.feature.index());
            terms[term][color_of(entry.side).index()] += WEIGHTS[entry.feature.index()] * entry.count;
        }

        let mut rows: Vec<Row> = Vec::new();
        let (mut total, mut units) = ([Tapered::ZERO; 2], [Tapered::ZERO; 2]);
        for (&term, &sides) in Term::ALL.iter().zip(&terms) {
            let sums = if term.is_danger() { &mut units } else { &mut total };
            for (sum, share) in sums.iter_mut().zip(sides) {
                *sum += share;
            }
            rows.push(Row { heading: term.name(), sides });
        }
        let attacks = units.map(danger::value);
        for (sum, attack) in total.iter_mut().zip(attacks) {
            *sum += attack;
        }
        rows.push(Row { heading: "Attack on the king (units to value)", sides: attacks });

        let balance = total[0] - total[1];
        let white_is_stronger = balance.endgame() >= 0;
        let side = usize::from(white_is_stronger != (turn == Color::White));
        EvaluationTable {
            rows,
            total,
            phase: record.phase,
            scale: record.scales[side],
            drive: from_whites_view(record.drive, turn),
            turn,
            value: record.value(&WEIGHTS),
        }
    }

    /// The value in centipawns for the side to move, as the search sees it.
    pub fn value(&self) -> i32 {
        self.value
    }

    /// The value in centipawns for White.
    pub fn white_value(&self) -> i32 {
        from_whites_view(self.value, self.turn)
    }
}

fn from_whites_view(value: i32, turn: Color) -> i32 {
    if turn == Color::White { value } else { -value }
}

impl fmt::Display for EvaluationTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, heading: &str, sides: [Tapered; 2]| {
            write!(f, "{heading:<36}")?;
            for pair in [sides[0], sides[1], sides[0] - sides[1]] {
                write!(f, " |{:6}{:6}", pair.middlegame(), pair.endgame())?;
            }
            writeln!(f)
        };
        writeln!(f, "{:<36} |    White    |    Black    |   Balance", "centipawns, White's view")?;
        writeln!(f, "{:<36} |{1:>6}{2:>6} |{1:>6}{2:>6} |{1:>6}{2:>6}", "", "mg", "eg")?;
        for row in &self.rows {
            line(f, row.heading, row.sides)?;
        }
        line(f, "Total", self.total)?;
        writeln!(f, "Phase {} of {FULL_PHASE}, endgame scale {} of {FULL_SCALE}", self.phase, self.scale)?;
        if self.drive != 0 {
            writeln!(f, "Driving the bare king: {:+}", self.drive)?;
        }
        let (white, mover) = (self.white_value(), self.value);
        write!(
            f,
            "Evaluation {:+.2} for White, {:+} centipawns for the side to move",
            f64::from(white) / 100.0,
            mover
        )
    }
}
