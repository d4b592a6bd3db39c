//! Zugzwang: where passing would be best. An engine whose null move is not kept out of pawn endings is blind there.

use std::time::Duration;

use chess::Position;
use uci::info::Score;

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Finding, Group, Verdict};
use crate::doctor::patient::{Thinking, Trouble};

/// The check.
pub const CHECK: Check = Check {
    name: "zugzwang",
    group: Group::Soundness,
    title: "zugzwang, and the null move",
    method: "Pawn endings that are won only because the other side must move, with known results, searched to a depth \
             at which a sound search sees them with ease.",
    seconds: (10, 30),
    run,
};

/// What must be true of a score.
#[derive(Clone, Copy)]
enum Wanted {
    /// Mate for the side to move, within so many moves.
    MateWithin(i32),
    /// Better than this.
    Above(i32),
    /// Worse than this.
    Below(i32),
}

const POSITIONS: [(&str, u32, Wanted); 11] = [
    ("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 18, Wanted::MateWithin(6)),
    ("8/8/1P6/8/p7/8/3K4/1k6 w - - 0 1", 18, Wanted::MateWithin(8)),
    ("8/8/8/3k4/3P4/3K4/8/8 b - - 0 1", 14, Wanted::Below(-1)),
    // The trebuchet: whoever moves loses the pawn and the game.
    ("8/8/8/2pK4/1kP5/8/8/8 b - - 0 1", 14, Wanted::Below(-100)),
    ("8/8/8/2pK4/1kP5/8/8/8 w - - 0 1", 14, Wanted::Below(-100)),
    // Found by comparing random pawn endings with and without an unsound null move; Stockfish, Ethereal and Toga II agree.
    ("8/3p4/8/8/6K1/8/1Pk5/8 b - - 0 1", 13, Wanted::Above(300)),
    ("4K3/6p1/8/4p3/8/4P3/4kP2/8 w - - 0 1", 13, Wanted::Below(-750)),
    ("8/8/1P1K4/5p2/5P1k/8/8/8 b - - 0 1", 13, Wanted::Below(-1550)),
    ("8/4K3/1P6/6p1/8/4k3/7p/8 b - - 0 1", 13, Wanted::Above(1550)),
    // The far opposition with the king on the sixth rank: whoever has to move gives way.
    ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 14, Wanted::Below(-200)),
    ("1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - - 0 1", 12, Wanted::Above(100)),
];

impl Wanted {
    fn holds(self, thinking: &Thinking) -> Option<bool> {
        let score = thinking.centipawns()?;
        Some(match self {
            Self::MateWithin(moves) => {
                let in_words =
                    matches!(thinking.score(), Some(Score::Mate(told)) if told > 0 && told <= moves);
                // That mates are told in the wrong words is another fault, and is told elsewhere.
                in_words || score > 0 && thinking.tells_mate_as_centipawns()
            }
            Self::Above(bound) => score > bound,
            Self::Below(bound) => score < bound,
        })
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let (mut asked, mut unfinished, mut wrong, mut repro) = (0, 0, Vec::new(), Vec::new());
    for (fen, depth, wanted) in POSITIONS {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let go = format!("go depth {depth}");
        let cap = exam.cap(Duration::from_secs(exam.pick(2, 6)));
        let Ok(thinking) = exam.patient.search_fresh(&position, &go, cap) else { continue };
        if !thinking.has_finished(depth) {
            unfinished += 1;
            continue;
        }
        let Some(right) = wanted.holds(&thinking) else { continue };
        asked += 1;
        if !right {
            if wrong.is_empty() {
                repro = thinking.repro();
            }
            wrong.push(format!("{} at depth {} in {fen}", thinking.score_text(), thinking.depth()));
        }
    }
    if asked < 4 {
        let why = format!("only {asked} searches were answered; {unfinished} did not end in time");
        return Ok(vec![Finding::unmeasured("zugzwang", "solved", why)]);
    }
    let summary = match wrong.first() {
        None => format!("all {asked} zugzwangs are seen"),
        Some(first) => format!("{} of {asked} zugzwangs are not seen: {first}", wrong.len()),
    };
    let verdict = match wrong.len() {
        0 => Verdict::Sound,
        1..5 => Verdict::Notice,
        _ => Verdict::Alarm,
    };
    let finding = Finding::new("zugzwang", "solved", verdict, summary)
        .effect("zugzwangs not seen", wrong.len() as f64, "")
        .confidence(0.93, format!("{asked} positions"))
        .threshold("five zugzwangs not seen; one is a notice")
        .samples(asked)
        .repro(repro);
    Ok(vec![finding])
}
