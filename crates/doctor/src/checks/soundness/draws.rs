//! Draws by the rules: repetition, fifty moves, too little material; at the leaves too.

use std::time::Duration;

use chess::{Game, Position};

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "draws",
    group: Group::Soundness,
    title: "repetition, fifty moves, insufficient material",
    method: "Gives the losing side a third repetition by searchmoves, a perpetual check to find, a won ending after 99 half \
             moves that were played, the same as a FEN with that halfmove clock, mate on the hundredth half move, and \
             endings that nobody can win, and endings that are won; repetition and fifty moves also at depth 1, where a draw must be seen at the leaf. \
             Draws that all have one number other than 0 are seen, and scored wrong.",
    seconds: (8, 20),
    run,
};

const CAP: Duration = Duration::from_secs(3);

/// Draw scores differ by a little from engine to engine (contempt, and noise against blindness).
const NEAR_ZERO: i32 = 60;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
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

/// The scores of all draws together. Where every wrong one is the same number, with either sign, the draws are seen, and it
/// is their value that is wrong.
#[derive(Default)]
struct Values {
    asked: usize,
    wrong: Vec<i32>,
    /// Names of the rules that made the draws with a wrong score, each once.
    kinds: Vec<&'static str>,
    repro: Vec<String>,
}

/// Draws with the same wrong score, and rules behind them, below which it may be an accident.
const LEAST_VALUES: usize = 6;
const LEAST_KINDS: usize = 3;

/// Centipawns by which the scores of seen draws may differ from each other: some engines add a little noise.
const SPREAD: i32 = 4;

impl Values {
    fn add(&mut self, kind: &'static str, thinking: &Thinking, score: i32) {
        if thinking.cut_short {
            return;
        }
        self.asked += 1;
        if score.abs() <= NEAR_ZERO {
            return;
        }
        if self.wrong.is_empty() {
            self.repro = thinking.repro();
        }
        self.wrong.push(score);
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    fn finding(self) -> Finding {
        let Self { asked, wrong, kinds, repro } = self;
        if asked < LEAST_VALUES {
            return Finding::unmeasured("draws", "value", "too few draws were searched in time");
        }
        let sizes = || wrong.iter().map(|score| score.abs());
        let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
        // An evaluation that knows nothing of draws gives as many numbers as there are positions.
        let alarm = wrong.len() >= LEAST_VALUES
            && kinds.len() >= LEAST_KINDS
            && 2 * wrong.len() > asked
            && most - least <= SPREAD;
        let summary = match wrong.len() {
            0 => format!("all {asked} draws are worth about nothing"),
            count if alarm => {
                format!(
                    "{count} of {asked} draws are scored as {least} cp for one side or the other: seen, and not worth 0"
                )
            }
            count => {
                format!("no other number stands for a draw ({count} of {asked} draws have a wrong score)")
            }
        };
        Finding::new("draws", "value", alarm_if(alarm), summary)
            .effect("value of a draw", if alarm { f64::from(least) } else { 0.0 }, "cp")
            .sure_by_hand(0.99, format!("{asked} draws by several rules"))
            .threshold("six draws by three rules, more than half of all, with one number other than 0")
            .samples(asked)
            .repro(if alarm { repro } else { Vec::new() })
    }
}

/// A sound engine misjudges a draw now and then (contempt, reductions); one that is blind for it most of them.
const RATES: Rates = Rates { sound: 0.05, faulty: 0.75 };

/// Judges scores that must be near zero.
struct Judge {
    what: &'static str,
    scores: Failures,
    /// The kinds of draws that were judged, each with its searches.
    kinds: Vec<(&'static str, usize)>,
}

impl Judge {
    fn new(what: &'static str) -> Self {
        Self { what, scores: Failures::default(), kinds: Vec::new() }
    }

    fn add(&mut self, thinking: &Thinking, right: bool, name: &'static str) {
        let told = || format!("{name}: {} in {}", thinking.score_text(), thinking.position.to_fen());
        // One that did not end in time has not looked as deep as the draw is.
        self.scores.add_finished(thinking, (!right).then(told));
        if !thinking.cut_short {
            match self.kinds.iter_mut().find(|(kind, _)| *kind == name) {
                Some((_, searches)) => *searches += 1,
                None => self.kinds.push((name, 1)),
            }
        }
    }

    /// What was judged, in words: a kind that was not asked, or not in time, is not told of.
    fn judged(&self) -> String {
        let told = |&(kind, searches): &(&str, usize)| match searches {
            1 => format!("{kind} (one search)"),
            _ => format!("{kind} ({searches} searches)"),
        };
        self.kinds.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn add_drawn(&mut self, values: &mut Values, thinking: &Thinking, name: &'static str) {
        let Some(score) = thinking.centipawns() else { return };
        values.add(self.what, thinking, score);
        self.add(thinking, score.abs() <= NEAR_ZERO, name);
    }

    fn finding(self, alarm_from: usize, good: &str, threshold: &str) -> Finding {
        let judged = self.judged();
        let scores = self.scores;
        let (wrong, asked) = (scores.count(), scores.asked);
        if asked == 0 {
            return Finding::unmeasured("draws", self.what, "no search was answered in time");
        }
        let summary = match (scores.wrong.first(), asked) {
            (None, _) => format!("{good}: {judged}"),
            (Some(only), 1) => only.clone(),
            (Some(first), _) => format!("{wrong} of {asked} searches are wrong: {first}"),
        };
        let alarm = wrong >= alarm_from;
        Finding::new("draws", self.what, alarm_if(alarm), summary)
            .effect("wrong scores", wrong as f64, "")
            .sure(scores.sureness(RATES, alarm))
            .threshold(threshold)
            .samples(asked)
            .repro(scores.repro)
    }
}

/// A game in which the side to move, hopelessly behind, can repeat for the third time with the move given.
fn third_repetition() -> Option<(Game, &'static str)> {
    let mut game = Game::new(Position::from_fen("7k/6pp/8/8/8/8/r5PP/Q6K b - - 0 1").ok()?);
    for text in ["a2b2", "a1d1", "b2a2", "d1a1"].repeat(2) {
        game.play(game.position().parse_uci(text).ok()?);
    }
    Some((game, "a2b2"))
}

/// Positions of the game that was played count as well as those of the search.
fn game_history(exam: &mut Examination, values: &mut Values) -> Finding {
    // Only searchmoves can ask for the repetition: there is a better move.
    if !exam.obeys_search_moves {
        return Finding::unmeasured("draws", "game-history", "the engine does not obey 'go searchmoves'");
    }
    let mut judge = Judge::new("game-history");
    if let Some((game, word)) = third_repetition() {
        for depth in [4, 7] {
            let _ = exam.patient.new_game();
            let go = format!("go depth {depth} searchmoves {word}");
            if let Ok(thinking) = exam.patient.search_game(&game, &go, CAP) {
                judge.add_drawn(values, &thinking, "the third repetition");
            }
        }
    }
    judge.finding(2, "repetitions of positions of the game are worth a draw", "two wrong scores")
}

fn repetition(exam: &mut Examination) -> Finding {
    let mut judge = Judge::new("repetition");
    for fen in ["5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1", "6k1/5p1p/5Q2/8/8/8/qr3PPP/6K1 w - - 0 1"] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if let Ok(thinking) = exam.patient.search_fresh(&position, "go depth 11", exam.cap(CAP)) {
            // A side that is behind and has a perpetual check must not be told to lose.
            let right = thinking.centipawns().is_none_or(|score| score >= -NEAR_ZERO);
            judge.add(&thinking, right, "perpetual check");
        }
    }
    judge.finding(2, "repetitions are worth a draw", "two wrong scores")
}

/// Won endings after 99 half moves without a pawn move or a capture: one king goes round three squares and the other round
/// seventeen, so that no position comes again.
fn ninety_nine_half_moves() -> Vec<Game> {
    const WHITE: [&str; 3] = ["a2", "b2", "a3"];
    const BLACK: [&str; 17] = [
        "e6", "e5", "f5", "g5", "g6", "g7", "g8", "f8", "e8", "d8", "c8", "b8", "c7", "d7", "e7", "f7", "f6",
    ];
    let step =
        |way: &[&str], number: usize| format!("{}{}", way[number % way.len()], way[(number + 1) % way.len()]);
    let walked = |fen: &str| {
        let mut game = Game::new(Position::from_fen(fen).ok()?);
        for half_move in 0..99 {
            let way = if half_move % 2 == 0 { &BLACK[..] } else { &WHITE[..] };
            game.play(game.position().parse_uci(&step(way, half_move / 2)).ok()?);
        }
        Some(game)
    };
    ["8/8/4k3/8/8/8/K7/7Q b - - 0 1", "8/8/4k3/8/8/8/K7/7R b - - 0 1"]
        .into_iter()
        .filter_map(walked)
        .collect()
}

fn fifty(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut judge = Judge::new("fifty");
    for game in ninety_nine_half_moves() {
        for depth in [4, 7] {
            let _ = exam.patient.new_game();
            if let Ok(thinking) = exam.patient.search_game(&game, &format!("go depth {depth}"), CAP) {
                judge.add_drawn(values, &thinking, "one half move left");
            }
        }
    }
    judge.finding(2, "the fifty-move rule is kept", "two wrong scores")
}

/// The same where nothing but the FEN tells how many half moves there were.
fn fen_clock(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut judge = Judge::new("fen-clock");
    for fen in ["8/8/8/8/8/4k3/8/KQ6 w - - 99 80", "8/8/8/3k4/8/8/8/KR6 w - - 99 80"] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for depth in [4, 7] {
            let Ok(thinking) = exam.patient.search_fresh(&position, &format!("go depth {depth}"), CAP) else {
                continue;
            };
            judge.add_drawn(values, &thinking, "one half move left by the FEN");
        }
    }
    judge.finding(2, "the halfmove clock of a FEN is read", "two wrong scores")
}

/// Mate on the hundredth half move comes before the draw. Many engines get it wrong, and hardly a game depends on it.
fn mate_first(exam: &mut Examination) -> Finding {
    let mut judge = Judge::new("mate-first");
    if let Ok(position) = Position::from_fen("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80")
        && let Ok(thinking) = exam.patient.search_fresh(&position, "go depth 7", CAP)
        && let Some(score) = thinking.centipawns()
    {
        judge.add(&thinking, score > 1000, "mate on the hundredth half move");
    }
    let finding = judge.finding(1, "mate comes before the draw", "a notice: a wrong score");
    if finding.is_alarm() { Finding { verdict: Verdict::Notice, ..finding } } else { finding }
}

/// The same at depth 1: the draw is at the leaf.
fn horizon(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut judge = Judge::new("horizon");
    for game in ninety_nine_half_moves() {
        let _ = exam.patient.new_game();
        if let Ok(thinking) = exam.patient.search_game(&game, "go depth 1", CAP) {
            judge.add_drawn(values, &thinking, "one half move left, depth 1");
        }
    }
    if let Some((game, word)) = third_repetition().filter(|_| exam.obeys_search_moves) {
        let _ = exam.patient.new_game();
        if let Ok(thinking) = exam.patient.search_game(&game, &format!("go depth 1 searchmoves {word}"), CAP)
        {
            judge.add_drawn(values, &thinking, "the third repetition, depth 1");
        }
    }
    judge.finding(2, "draws are seen at the leaves", "two of three draws missed at depth 1")
}

fn material(exam: &mut Examination, values: &mut Values) -> Finding {
    let mut judge = Judge::new("material");
    for fen in
        ["8/8/4k3/8/8/3NK3/8/8 w - - 0 1", "8/8/4k3/8/8/3BK3/8/8 b - - 0 1", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"]
    {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for depth in [2, 8] {
            if let Ok(thinking) = exam.patient.search_fresh(&position, &format!("go depth {depth}"), CAP) {
                judge.add_drawn(values, &thinking, "nobody can win");
            }
        }
    }
    judge.finding(3, "too little material is a draw", "three wrong scores")
}

/// Won endings that are drawn by rules nobody has: every piece that mates only with another's help, a fifty-move rule that counts half
/// moves as moves.
const WON: [&str; 5] = [
    "8/8/4k3/8/8/3NKB2/8/8 w - - 0 1",
    "8/8/4k1n1/8/8/3QK3/8/8 w - - 0 1",
    "8/8/4k3/8/4P3/3BK3/8/8 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 w - - 60 80",
    "8/8/4k3/8/8/3RK3/8/8 w - - 52 80",
];

fn too_early(exam: &mut Examination) -> Finding {
    let mut judge = Judge::new("too-early");
    for fen in WON {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if let Ok(thinking) = exam.patient.search_fresh(&position, "go depth 6", exam.cap(CAP))
            && let Some(score) = thinking.centipawns()
        {
            judge.add(&thinking, score > NEAR_ZERO, "a won ending");
        }
    }
    judge.finding(2, "what is won is not called a draw", "two wrong scores")
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::info::Score;

    #[test]
    fn a_search_that_was_cut_short_is_not_judged() {
        let mut judge = Judge::new("repetition");
        for _ in 0..4 {
            let cut_short = Thinking::of_line(5, Score::Centipawns(-400), 100, true);
            judge.add_drawn(&mut Values::default(), &cut_short, "perpetual check");
        }
        assert_eq!(judge.finding(2, "seen", "two wrong").verdict, Verdict::Unmeasured);
    }

    #[test]
    fn only_what_was_judged_is_told_to_be_seen() {
        let told = |kinds: &[(&'static str, bool)]| {
            let mut judge = Judge::new("repetition");
            for &(kind, cut_short) in kinds {
                let thinking = Thinking::of_line(5, Score::Centipawns(0), 100, cut_short);
                judge.add_drawn(&mut Values::default(), &thinking, kind);
            }
            judge.finding(2, "seen", "two wrong").summary
        };
        const THIRD: &str = "the third repetition";
        const PERPETUAL: &str = "perpetual check";
        assert_eq!(told(&[(THIRD, false), (PERPETUAL, true)]), "seen: the third repetition (one search)");
        let both = told(&[(THIRD, false), (THIRD, false), (PERPETUAL, false)]);
        assert_eq!(both, "seen: the third repetition (2 searches), perpetual check (one search)");
    }

    #[test]
    fn draws_that_all_have_one_number_are_seen_and_scored_wrong() {
        let told = |scores: &[i32], kinds: &[&'static str]| {
            let mut values = Values::default();
            for (number, &score) in scores.iter().enumerate() {
                let thinking = Thinking::of_line(5, Score::Centipawns(score), 100, false);
                values.add(kinds[number % kinds.len()], &thinking, score);
            }
            values.finding().verdict
        };
        let rules = ["repetition", "fifty", "material"];
        assert_eq!(told(&[500, -500, 500, 498, 500, -500], &rules), Verdict::Alarm);
        assert_eq!(told(&[500, -500, 500, 310, 500, -500], &rules), Verdict::Sound, "evaluations");
        assert_eq!(told(&[500; 6], &rules[..2]), Verdict::Sound, "one ending has one evaluation");
        assert_eq!(told(&[0, 0, 4, -12, 0, 0], &rules), Verdict::Sound);
        assert_eq!(told(&[500; 4], &rules), Verdict::Unmeasured);
    }

    #[test]
    fn ninety_nine_half_moves_without_a_repetition_leave_one() {
        let games = ninety_nine_half_moves();
        assert_eq!(games.len(), 2);
        for mut game in games {
            assert_eq!((game.moves().len(), game.position().halfmove_clock()), (99, 99));
            assert!(game.outcome().is_none());
            game.play(game.position().legal_moves()[0]);
            assert!(matches!(game.outcome(), Some(chess::Outcome::Draw(chess::DrawReason::FiftyMoves))));
        }
    }
}
