//! The clearest positions as a test suite.

use chess::{Epd, Operation, Position};

use crate::case::{Autopsy, Case, Moment};

/// One EPD line for each of the clearest positions, with the good moves as `bm` and the lost game's move as `am`.
pub fn suite(autopsy: &Autopsy) -> String {
    autopsy.clearest_cases().filter_map(|(case, moment)| line(case, moment)).collect()
}

fn line(case: &Case, moment: &Moment) -> Option<String> {
    let position = Position::from_fen(&moment.fen).ok()?;
    let operation = |opcode: &str, operands: Vec<String>| Operation { opcode: opcode.to_owned(), operands };
    let side = if moment.fen.contains(" w ") { "." } else { "..." };
    let id = format!("game {}, {}{side} {}: {}", case.game, moment.number, moment.played, case.cause.name());
    let operations = vec![
        operation("bm", moment.good.clone()),
        operation("am", vec![moment.played.clone()]),
        operation("id", vec![id]),
        operation("c0", vec![case.evidence.replace('=', ":")]),
    ];
    Some(format!("{}\n", Epd { position, operations }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::{autopsy, case};
    use crate::cause::LossCause;
    use arena::suite::SuitePosition;

    #[test]
    fn suite_can_be_run() {
        let autopsy =
            autopsy(vec![case(7, LossCause::Horizon, 30.0), case(8, LossCause::NotReproduced, 50.0)]);
        let text = suite(&autopsy);
        assert_eq!(text.lines().count(), 1, "{text}");
        let task = SuitePosition::parse(text.trim(), 1).expect("valid");
        assert_eq!(task.id, "game 7, 1. f3: horizon");
        let solved = |uci: &str| task.is_solved_by(task.position.parse_uci(uci).expect("legal"), None);
        assert!(solved("e2e4") && solved("d2d4") && !solved("f2f3") && !solved("a2a3"));
        assert_eq!(task.most_points(), 0, "the comment has no points: {text}");
    }
}
