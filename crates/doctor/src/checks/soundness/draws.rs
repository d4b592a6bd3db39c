//! Repetition, fifty-move rule and insufficient material, at depth 1 too.

use std::time::Duration;

use chess::{Game, Position};

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::Draws,
    method: "Searches a threefold repetition with searchmoves, perpetual checks, won endings after 99 reversible plies, the \
             same as a FEN with halfmove clock 99, checkmate on ply 100, drawn and won endings; repetition and fifty-move rule \
             at depth 1 too. If all draws have the same score other than 0, they are detected and scored wrongly.",
    seconds: (8, 20),
    run,
};

const CAP: Duration = Duration::from_secs(3);

/// Centipawns: contempt and random draw scores.
const NEAR_ZERO: i32 = 60;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let mut values = Values::default();
    let mut findings = vec![
        repetition(exam),
        game_history(exam, &mut values),
        fifty(exam, &mut values),
        fen_clock(exam, &mut values),
        mate_first(exam),
        horizon(exam, &mut values),
        material(exam, &mut values),
        too_early(exam),
    ];
    findings.push(values.finding());
    Ok(findings)
}

/// Scores of all draws. If all wrong ones are the same number, with either sign, draws are detected and scored wrongly.
#[derive(Default)]
struct Values {
    asked: usize,
    wrong: Vec<i32>,
    /// Rules with a wrong score.
    kinds: Vec<FindingId>,
    repro: Vec<String>,
}

/// Draws with the same wrong score, and different rules, that fail.
const MIN_VALUES: usize = 6;
const MIN_KINDS: usize = 3;

/// Centipawns: some engines add noise to draw scores.
const SPREAD: i32 = 4;

impl Values {
    fn add(&mut self, kind: FindingId, result: &SearchOutput, score: i32) {
        if result.cut_short {
            return;
        }
        self.asked += 1;
        if score.abs() <= NEAR_ZERO {
            return;
        }
        if self.wrong.is_empty() {
            self.repro = result.repro();
        }
        self.wrong.push(score);
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    fn finding(self) -> Finding {
        let Self { asked, wrong, kinds, repro } = self;
        if asked < MIN_VALUES {
            return Finding::skipped(FindingId::DrawsValue, "too few draws in time");
        }
        let sizes = || wrong.iter().map(|score| score.abs());
        let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        // Evaluations differ from position to position.
        let fails = wrong.len() >= MIN_VALUES
            && kinds.len() >= MIN_KINDS
            && 2 * wrong.len() > asked
            && most - least <= SPREAD;
        let summary = match wrong.len() {
            0 => format!("all {asked} draws score about 0"),
            count if fails => {
                format!("{count} of {asked} draws score ±{least} cp: detected, but not 0")
            }
            count => {
                format!("no common draw score other than 0 ({count} of {asked} draws have a wrong score)")
            }
        };
        Finding::new(FindingId::DrawsValue, Verdict::fail_if(fails), summary)
            .effect(if fails { f64::from(least) } else { 0.0 })
            .fixed_confidence(0.99, format!("{asked} draws by several rules"))
            .threshold(format!(
                "{MIN_VALUES} draws by {MIN_KINDS} rules, and more than half, with the same score other than 0"
            ))
            .samples(asked)
            .repro(if fails { repro } else { Vec::new() })
    }
}

/// Sound engines miss a few draws (contempt, reductions).
const RATES: TrialRates = TrialRates { sound: 0.05, faulty: 0.75 };

/// Scores that must be near zero.
struct DrawScores {
    id: FindingId,
    scores: Failures,
    /// Kinds of draws and the number of searches of each.
    kinds: Vec<(&'static str, usize)>,
}

impl DrawScores {
    fn new(id: FindingId) -> Self {
        Self { id, scores: Failures::default(), kinds: Vec::new() }
    }

    fn add(&mut self, result: &SearchOutput, right: bool, name: &'static str) {
        let case = || format!("{name}: {} in {}", result.score_text(), result.position.to_fen());
        self.scores.add_finished(result, (!right).then(case));
        if !result.cut_short {
            match self.kinds.iter_mut().find(|(kind, _)| *kind == name) {
                Some((_, searches)) => *searches += 1,
                None => self.kinds.push((name, 1)),
            }
        }
    }

    fn description(&self) -> String {
        let describe = |&(kind, searches): &(&str, usize)| match searches {
            1 => format!("{kind} (1 search)"),
            _ => format!("{kind} ({searches} searches)"),
        };
        self.kinds.iter().map(describe).collect::<Vec<_>>().join(", ")
    }

    fn add_drawn(&mut self, values: &mut Values, result: &SearchOutput, name: &'static str) {
        let Some(score) = result.centipawns() else { return };
        values.add(self.id, result, score);
        self.add(result, score.abs() <= NEAR_ZERO, name);
    }

    fn finding(self, fail_from: usize, good: &str, threshold: &str) -> Finding {
        let description = self.description();
        let scores = self.scores;
        let (wrong, asked) = (scores.count(), scores.asked);
        if asked == 0 {
            return Finding::skipped(self.id, "no search in time");
        }
        let summary = match (scores.wrong.first(), asked) {
            (None, _) => format!("{good}: {description}"),
            (Some(only), 1) => only.clone(),
            (Some(first), _) => format!("{wrong} of {asked} scores are wrong: {first}"),
        };
        let fails = wrong >= fail_from;
        Finding::new(self.id, Verdict::fail_if(fails), summary)
            .effect(wrong as f64)
            .confidence(scores.confidence(RATES, fails))
            .threshold(threshold)
            .samples(asked)
            .repro(scores.repro)
    }
}

/// A lost game in which the given move repeats the position for the third time.
fn third_repetition() -> Option<(Game, &'static str)> {
    let mut game = Game::new(Position::from_fen("7k/6pp/8/8/8/8/r5PP/Q6K b - - 0 1").ok()?);
    for text in ["a2b2", "a1d1", "b2a2", "d1a1"].repeat(2) {
        game.play(game.position().parse_uci(text).ok()?);
    }
    Some((game, "a2b2"))
}

fn game_history(exam: &mut Examination, values: &mut Values) -> Finding {
    // There is a better move than the repetition.
    if !exam.respects_searchmoves {
        return Finding::skipped(FindingId::DrawsGameHistory, "go searchmoves is not respected");
    }
    let mut draws = DrawScores::new(FindingId::DrawsGameHistory);
    if let Some((game, word)) = third_repetition() {
        for depth in [4, 7] {
            let _ = exam.engine.new_game();
            let go = format!("go depth {depth} searchmoves {word}");
            if let Ok(result) = exam.engine.search_game(&game, &go, CAP) {
                draws.add_drawn(values, &result, "threefold repetition");
            }
        }
    }
    draws.finding(2, "repetitions of game positions are draws", "2 wrong scores")
}

fn repetition(exam: &mut Examination) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsRepetition);
    for fen in ["5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1", "6k1/5p1p/5Q2/8/8/8/qr3PPP/6K1 w - - 0 1"] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if let Ok(result) = exam.engine.search_fresh(&position, "go depth 11", exam.cap(CAP)) {
            let right = result.centipawns().is_none_or(|score| score >= -NEAR_ZERO);
            draws.add(&result, right, "perpetual check");
        }
    }
    draws.finding(2, "repetitions are draws", "2 wrong scores")
}

/// Won endings after 99 reversible plies: one king walks around three squares and the other around seventeen, so that no
/// position repeats.
fn ninety_nine_plies() -> Vec<Game> {
    const WHITE: [&str; 3] = ["a2", "b2", "a3"];
    const BLACK: [&str; 17] = [
        "e6", "e5", "f5", "g5", "g6", "g7", "g8", "f8", "e8", "d8", "c8", "b8", "c7", "d7", "e7", "f7", "f6",
    ];
    let step = |path: &[&str], number: usize| {
        format!("{}{}", path[number % path.len()], path[(number + 1) % path.len()])
    };
    let walked = |fen: &str| {
        let mut game = Game::new(Position::from_fen(fen).ok()?);
        for ply in 0..99 {
            let path = if ply % 2 == 0 { &BLACK[..] } else { &WHITE[..] };
            game.play(game.position().parse_uci(&step(path, ply / 2)).ok()?);
        }
        Some(game)
    };
    ["8/8/4k3/8/8/8/K7/7Q b - - 0 1", "8/8/4k3/8/8/8/K7/7R b - - 0 1"]
        .into_iter()
        .filter_map(walked)
        .collect()
}

fn fifty(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsFifty);
    for game in ninety_nine_plies() {
        for depth in [4, 7] {
            let _ = exam.engine.new_game();
            if let Ok(result) = exam.engine.search_game(&game, &format!("go depth {depth}"), CAP) {
                draws.add_drawn(values, &result, "halfmove clock 99");
            }
        }
    }
    draws.finding(2, "the fifty-move rule is detected", "2 wrong scores")
}

fn fen_clock(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsFenClock);
    for fen in ["8/8/8/8/8/4k3/8/KQ6 w - - 99 80", "8/8/8/3k4/8/8/8/KR6 w - - 99 80"] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for depth in [4, 7] {
            let Ok(result) = exam.engine.search_fresh(&position, &format!("go depth {depth}"), CAP) else {
                continue;
            };
            draws.add_drawn(values, &result, "halfmove clock 99 in the FEN");
        }
    }
    draws.finding(2, "the halfmove clock of the FEN is used", "2 wrong scores")
}

/// Many engines get this wrong, and it hardly matters in games.
fn mate_first(exam: &mut Examination) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsMateFirst);
    if let Ok(position) = Position::from_fen("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80")
        && let Ok(result) = exam.engine.search_fresh(&position, "go depth 7", CAP)
        && let Some(score) = result.centipawns()
    {
        draws.add(&result, score > 1000, "checkmate on ply 100");
    }
    let finding = draws.finding(1, "checkmate takes precedence over the draw", "a wrong score is a warning");
    if finding.is_failure() { Finding { verdict: Verdict::Warning, ..finding } } else { finding }
}

fn horizon(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsHorizon);
    for game in ninety_nine_plies() {
        let _ = exam.engine.new_game();
        if let Ok(result) = exam.engine.search_game(&game, &exam.go_depth_from(1), CAP) {
            draws.add_drawn(values, &result, "halfmove clock 99, depth 1");
        }
    }
    if let Some((game, word)) = third_repetition().filter(|_| exam.respects_searchmoves) {
        let _ = exam.engine.new_game();
        if let Ok(result) =
            exam.engine.search_game(&game, &format!("{} searchmoves {word}", exam.go_depth_from(1)), CAP)
        {
            draws.add_drawn(values, &result, "threefold repetition, depth 1");
        }
    }
    draws.finding(2, "draws are detected at depth 1", "2 of 3 draws missed at depth 1")
}

fn material(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsMaterial);
    for fen in
        ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "8/8/4k3/8/8/3BK3/8/8 b - - 0 1", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"]
    {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for depth in [2, 8] {
            if let Ok(result) = exam.engine.search_fresh(&position, &format!("go depth {depth}"), CAP) {
                draws.add_drawn(values, &result, "KNK, KBK, KK");
            }
        }
    }
    draws.finding(3, "insufficient material is a draw", "3 wrong scores")
}

/// Won endings that wrong rules score as draws: KBNK, KQKN, or a fifty-move rule of 50 plies.
const WON: [&str; 5] = [
    "8/8/4k3/8/8/3NKB2/8/8 w - - 0 1",
    "8/8/4k1n1/8/8/3QK3/8/8 w - - 0 1",
    "8/8/4k3/8/4P3/3BK3/8/8 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 60 80",
    "8/8/4k3/8/8/3RK3/8/8 w - - 52 80",
];

fn too_early(exam: &mut Examination) -> Finding {
    let mut draws = DrawScores::new(FindingId::DrawsTooEarly);
    for fen in WON {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if let Ok(result) = exam.engine.search_fresh(&position, "go depth 6", exam.cap(CAP))
            && let Some(score) = result.centipawns()
        {
            draws.add(&result, score > NEAR_ZERO, "won ending");
        }
    }
    draws.finding(2, "won endings are not draws", "2 wrong scores")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn stopped_search_does_not_count() {
        let mut draws = DrawScores::new(FindingId::DrawsRepetition);
        for _ in 0..4 {
            let cut_short = SearchOutput::with_line(5, Score::Centipawns(-400), 100, true);
            draws.add_drawn(&mut Values::default(), &cut_short, "perpetual check");
        }
        assert_eq!(draws.finding(2, "detected", "2 wrong").verdict, Verdict::Skipped);
    }

    #[test]
    fn summary_lists_what_was_searched() {
        let summary = |kinds: &[(&'static str, bool)]| {
            let mut draws = DrawScores::new(FindingId::DrawsRepetition);
            for &(kind, cut_short) in kinds {
                let result = SearchOutput::with_line(5, Score::Centipawns(0), 100, cut_short);
                draws.add_drawn(&mut Values::default(), &result, kind);
            }
            draws.finding(2, "detected", "2 wrong").summary
        };
        const THIRD: &str = "threefold repetition";
        const PERPETUAL: &str = "perpetual check";
        assert_eq!(
            summary(&[(THIRD, false), (PERPETUAL, true)]),
            "detected: threefold repetition (1 search)"
        );
        let both = summary(&[(THIRD, false), (THIRD, false), (PERPETUAL, false)]);
        assert_eq!(both, "detected: threefold repetition (2 searches), perpetual check (1 search)");
    }

    #[test]
    fn common_draw_score_fails() {
        let verdict = |scores: &[i32], kinds: &[FindingId]| {
            let mut values = Values::default();
            for (number, &score) in scores.iter().enumerate() {
                let result = SearchOutput::with_line(5, Score::Centipawns(score), 100, false);
                values.add(kinds[number % kinds.len()], &result, score);
            }
            values.finding().verdict
        };
        let rules = [FindingId::DrawsRepetition, FindingId::DrawsFifty, FindingId::DrawsMaterial];
        assert_eq!(verdict(&[500, -500, 500, 498, 500, -500], &rules), Verdict::Fail);
        assert_eq!(verdict(&[500, -500, 500, 310, 500, -500], &rules), Verdict::Pass, "evaluations");
        assert_eq!(verdict(&[500; 6], &rules[..2]), Verdict::Pass, "two rules only");
        assert_eq!(verdict(&[0, 0, 4, -12, 0, 0], &rules), Verdict::Pass);
        assert_eq!(verdict(&[500; 4], &rules), Verdict::Skipped);
    }

    #[test]
    fn ninety_nine_plies_without_repetition() {
        let games = ninety_nine_plies();
        assert_eq!(games.len(), 2);
        for mut game in games {
            assert_eq!((game.moves().len(), game.position().halfmove_clock()), (99, 99));
            assert!(game.outcome().is_none());
            game.play(game.position().legal_moves()[0]);
            assert!(matches!(game.outcome(), Some(chess::Outcome::Draw(chess::DrawReason::FiftyMoves))));
        }
    }
}
