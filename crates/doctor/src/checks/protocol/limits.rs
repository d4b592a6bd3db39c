//! The limits of `go`: depth, nodes, movetime, searchmoves, infinite.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chess::Position;
use uci::{EngineLine, Score};

use super::aborted::aborted;
use support::text::counted;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination, positions};
use crate::confidence::TrialRates;
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::Limits,
    method: "Searches three positions with depth 1-6, 1,000-100,000 nodes, movetime 100 and 400, searchmoves with one or two \
             moves, and infinite with stop after 300 ms; ends searches in the middle of iterations. Overruns are measured in CPU time, so that a busy system does not \
             make an engine late.",
    seconds: (18, 32),
    run,
};

const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

const CAP: Duration = Duration::from_secs(4);

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let places = positions(&POSITIONS);
    Ok(vec![
        exam.in_part(3, |exam| depth(exam, &places)),
        exam.in_part(2, |exam| nodes(exam, &places)),
        exam.in_part(2, |exam| move_time(exam, &places)),
        exam.in_part(2, |exam| search_moves(exam, &places)),
        infinite(exam),
        exam.in_part(2, stop),
        aborted(exam),
    ])
}

/// Searches above a limit that fail.
const MIN_BROKEN: usize = 2;

/// A sound engine hardly ever breaks a limit; one that ignores it nearly always does, one that counts wrongly sometimes.
const RATES: TrialRates = TrialRates { sound: 0.01, faulty: 0.3 };

#[derive(Default)]
struct Cases {
    kept: Failures,
    warnings: Vec<String>,
    /// Whether the time budget ended before the last search.
    out_of_time: bool,
}

impl Cases {
    fn finding(self, id: FindingId, good: &str, threshold: &str) -> Finding {
        let (asked, unfinished) = (self.kept.asked, self.kept.unfinished);
        if asked == 0 {
            let why = match unfinished {
                0 if self.out_of_time => "no search ended within the time budget".to_owned(),
                0 => "no search was answered".to_owned(),
                count => format!("none of {count} searches ended within {} s", CAP.as_secs()),
            };
            return Finding::skipped(id, why);
        }
        let (bad, warnings) = (self.kept.count(), self.warnings.len());
        let mut summary = match (self.kept.wrong.first(), self.warnings.first()) {
            (None, None) => format!("{good} in {asked} of {asked} searches"),
            (Some(first), _) => format!("{bad} of {asked} searches: {first}"),
            (None, Some(first)) => format!("{warnings} of {asked} searches: {first}"),
        };
        if unfinished > 0 {
            let _ = write!(summary, "; {unfinished} more did not end within {} s", CAP.as_secs());
        }
        if self.out_of_time {
            summary += "; stopped by the time budget";
        }
        let fails = bad >= MIN_BROKEN;
        let verdict = if !fails && warnings > 0 { Verdict::Warning } else { Verdict::fail_if(fails) };
        Finding::new(id, verdict, summary)
            .effect(100.0 * bad as f64 / asked as f64)
            .confidence(self.kept.confidence(RATES, fails))
            .threshold(threshold)
            .samples(asked)
            .repro(self.kept.repro)
    }
}

impl Cases {
    fn has_time(&mut self, exam: &Examination) -> bool {
        self.out_of_time |= !exam.has_time();
        !self.out_of_time
    }

    /// A search that did not end in time counts only if it is beyond the limit.
    fn add_depth(&mut self, result: &SearchOutput, wanted: u32) {
        let got = result.depth();
        if got == 0 {
            return;
        }
        if result.cut_short && got <= wanted {
            self.kept.unfinished += 1;
            return;
        }
        let mate = matches!(result.score(), Some(Score::Mate(_)));
        let wrong = if result.cut_short {
            Some(format!("go depth {wanted} did not end and reached depth {got}"))
        } else {
            (got > wanted || got < wanted && !mate).then(|| format!("go depth {wanted} ended at depth {got}"))
        };
        self.kept.add(result, wrong);
    }

    fn add_nodes(&mut self, result: &SearchOutput, wanted: u64) {
        let nodes = result.nodes();
        let beyond = result.exceeds_nodes(wanted);
        if result.cut_short && !beyond {
            self.kept.unfinished += 1;
            return;
        }
        // Many engines report nodes only after an iteration.
        let few = (1..wanted / 4).contains(&nodes) && !matches!(result.score(), Some(Score::Mate(_)));
        if few {
            self.warnings.push(format!("go nodes {wanted} reported only {nodes} nodes"));
        }
        let wrong = beyond.then(|| {
            let ending = if result.cut_short { " and did not end" } else { "" };
            format!("go nodes {wanted} searched {nodes} nodes{ending}")
        });
        self.kept.add(result, wrong);
    }
}

fn depth(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        for wanted in 1..=6 {
            if !cases.has_time(exam) {
                break;
            }
            let go = format!("go depth {wanted}");
            let Ok(result) = exam.engine.search_fresh(position, &go, CAP) else { continue };
            cases.add_depth(&result, wanted);
        }
    }
    cases.finding(
        FindingId::LimitsDepth,
        "go depth ended at the requested depth",
        "2 searches that end at another depth",
    )
}

fn nodes(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    let (mut endless, mut ended, mut idle, mut speeds) = (0, 0, 0, Vec::new());
    for position in places {
        for wanted in [1000u64, 10_000, 100_000] {
            if endless >= 2 || !cases.has_time(exam) {
                break;
            }
            let go = format!("go nodes {wanted}");
            let Ok(result) = exam.engine.search_fresh(position, &go, CAP) else { continue };
            cases.add_nodes(&result, wanted);
            if result.cut_short {
                endless += 1;
                break;
            }
            let nodes = result.nodes();
            ended += 1;
            idle += usize::from(result.is_idle(wanted));
            if nodes > 20_000 {
                speeds.push(nodes as f64 / result.cpu_or_wall().as_secs_f64().max(0.01));
            }
        }
    }
    // An engine that ends at once does not respect the limit either.
    exam.respects_nodes = cases.kept.count() < MIN_BROKEN && ended > 0 && idle * 2 <= ended;
    exam.speed = exam.speed.or((!speeds.is_empty()).then(|| crate::samples::median(&speeds)));
    cases.finding(
        FindingId::LimitsNodes,
        "go nodes was respected",
        "2 searches more than 20 % + 10,000 nodes above the limit; less than a quarter reported is a warning",
    )
}

fn move_time(exam: &mut Examination, places: &[Position]) -> Finding {
    let trust = exam.timing_confidence();
    let (mut cases, mut unknown) = (Cases::default(), 0);
    for position in places {
        for wanted in [100u64, 400] {
            if !cases.has_time(exam) {
                break;
            }
            let go = format!("go movetime {wanted}");
            let Ok(result) = exam.engine.search_fresh(position, &go, CAP) else { continue };
            let [took, cpu] = [result.elapsed, result.cpu_or_wall()].map(|time| time.as_millis());
            let late_by = || format!("{go} took {took} ms ({cpu} ms CPU time)");
            match overran(&result, wanted) {
                Some(late) => cases.kept.add(&result, late.then(late_by)),
                None => unknown += 1,
            }
        }
    }
    if cases.kept.count() < MIN_BROKEN && unknown >= MIN_BROKEN {
        let why = format!("{unknown} searches overran on a busy system");
        return Finding::skipped(FindingId::LimitsMovetime, why);
    }
    let threshold = "2 searches with 20 % + 60 ms more CPU time, or twice the time and one second";
    cases.finding(FindingId::LimitsMovetime, "go movetime was respected", threshold).at_most(trust)
}

/// Whether a search overran by its CPU time (which has a resolution of 10 ms), or by more wall time than a busy system
/// explains; `None` if the system may be the reason.
fn overran(result: &SearchOutput, wanted: u64) -> Option<bool> {
    let allowed = Duration::from_millis(wanted + 60 + wanted / 5);
    let is_late = result.cut_short
        || result.cpu_or_wall() > allowed
        || result.elapsed > allowed * 2 + Duration::from_secs(1);
    (is_late || result.elapsed <= allowed).then_some(is_late)
}

fn search_moves(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        let moves = position.legal_moves();
        // The last moves are seldom the best ones.
        let moves_to_search: Vec<String> =
            moves.iter().rev().take(2).map(|mv| mv.uci(false).to_string()).collect();
        for wanted in [&moves_to_search[..1], &moves_to_search[..]] {
            if !cases.has_time(exam) {
                break;
            }
            let go = format!("go depth 5 searchmoves {}", wanted.join(" "));
            let Ok(result) = exam.engine.search_fresh(position, &go, CAP) else { continue };
            // `info.bestmove` reports malformed moves.
            if result.malformed.is_some() {
                continue;
            }
            let best = result.best.clone().unwrap_or_else(|| "no move".to_owned());
            let wrong = (!wanted.contains(&best)).then(|| format!("{best} after {go}"));
            cases.kept.add(&result, wrong);
        }
    }
    exam.respects_searchmoves = cases.kept.count() == 0 && cases.kept.asked > 0;
    cases.finding(
        FindingId::LimitsSearchmoves,
        "go searchmoves was respected",
        "2 best moves outside the list",
    )
}

/// Positions with a hanging queen, and the capture.
const HANGING: [(&str, &str); 3] = [
    ("rnb1kbnr/pppp1ppp/8/4p3/4q3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d3e4"),
    ("rnbqkb1r/pppppppp/5n2/8/4Q3/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 3", "f6e4"),
    ("rnb1kbnr/pppp1ppp/8/4p3/3P3q/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1", "f3h4"),
];

fn stop(exam: &mut Examination) -> Finding {
    let (mut cases, mut starved) = (Cases::default(), 0);
    let (time, min_cpu) = (Duration::from_millis(400), Duration::from_millis(100));
    for (fen, best) in HANGING {
        if !cases.has_time(exam) {
            break;
        }
        let Ok(position) = Position::from_fen(fen) else { continue };
        let Ok(result) = exam.engine.search_fresh(&position, "go infinite", time) else { continue };
        // Not enough to search every move once.
        if result.cpu_or_wall() < min_cpu {
            starved += 1;
            continue;
        }
        if result.malformed.is_some() {
            continue;
        }
        let answer = result.best.clone().unwrap_or_else(|| "no move".to_owned());
        cases.kept.add(&result, (answer != best).then(|| format!("{answer} after stop in {fen}")));
    }
    if cases.kept.asked == 0 && starved > 0 {
        let why = format!(
            "less than {} ms of CPU time in {}",
            min_cpu.as_millis(),
            counted(starved, "search", "searches")
        );
        return Finding::skipped(FindingId::LimitsStop, why);
    }
    cases.finding(
        FindingId::LimitsStop,
        "the best move was played after stop",
        "2 best moves that miss a hanging queen",
    )
}

fn infinite(exam: &mut Examination) -> Finding {
    const POSITION: &str = "position startpos";
    const GO: &str = "go infinite";
    const TIME: Duration = Duration::from_millis(300);
    let _ = exam.engine.new_game();
    for line in [POSITION, GO, &format!("# after {} ms", TIME.as_millis()), "stop"] {
        exam.engine.log_command(line);
    }
    let asked = exam.engine.logged_commands();
    let outcome = exam.engine.with_client(|client| {
        client.ready(Duration::from_secs(5))?;
        client.send(POSITION)?;
        client.send(GO)?;
        let is_answer = |line| matches!(line, EngineLine::BestMove(_));
        let early = client.wait_for("bestmove", TIME, is_answer).is_ok();
        let started = Instant::now();
        client.send("stop")?;
        if !early {
            client.wait_for("bestmove", Duration::from_secs(5), is_answer)?;
        }
        let waited = started.elapsed();
        let more = client.ready(Duration::from_secs(5))?;
        Ok((early, waited, more))
    });
    let finding = match outcome {
        Ok((true, ..)) => Finding::new(FindingId::LimitsInfinite, Verdict::Fail, "bestmove before stop"),
        Ok((false, waited, 0)) => Finding::new(
            FindingId::LimitsInfinite,
            Verdict::Pass,
            format!("one bestmove, {} ms after stop", waited.as_millis()),
        ),
        Ok((false, _, more)) => Finding::new(
            FindingId::LimitsInfinite,
            Verdict::Fail,
            format!("{} bestmove lines after one stop", more + 1),
        ),
        Err(error) => {
            Finding::new(FindingId::LimitsInfinite, Verdict::Fail, format!("go infinite and stop: {error}"))
        }
    };
    let fails = finding.is_failure();
    finding
        .effect(f64::from(u8::from(fails)))
        .fixed_confidence(0.98, "one search")
        .threshold("bestmove before stop, or not exactly one after it")
        .samples(1)
        .repro(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Score = Score::Centipawns(10);

    fn verdict(id: FindingId, add: impl Fn(&mut Cases)) -> Verdict {
        let mut cases = Cases::default();
        (0..4).for_each(|_| add(&mut cases));
        cases.finding(id, "kept", "two").verdict
    }

    #[test]
    fn slow_engine_is_skipped() {
        let slow = |depth, nodes| SearchOutput::with_line(depth, LEVEL, nodes, true);
        assert_eq!(
            verdict(FindingId::LimitsDepth, |cases| cases.add_depth(&slow(4, 9000), 6)),
            Verdict::Skipped
        );
        assert_eq!(
            verdict(FindingId::LimitsDepth, |cases| cases.add_depth(&slow(7, 9000), 6)),
            Verdict::Fail
        );
        assert_eq!(
            verdict(FindingId::LimitsNodes, |cases| cases.add_nodes(&slow(4, 80_000), 100_000)),
            Verdict::Skipped
        );
        assert_eq!(
            verdict(FindingId::LimitsNodes, |cases| cases.add_nodes(&slow(4, 200_000), 100_000)),
            Verdict::Fail
        );
    }

    #[test]
    fn overrun_by_sleep_or_cpu() {
        let late = |elapsed, computed| overran(&SearchOutput::with_times(elapsed, computed), 100);
        assert_eq!(late(105, 100), Some(false));
        assert_eq!(late(900, 100), None, "may be the system");
        assert_eq!(late(300, 290), Some(true), "CPU time");
        assert_eq!(late(1500, 5), Some(true), "sleep");
    }

    #[test]
    fn few_reported_nodes_are_a_warning() {
        let ended = |nodes| SearchOutput::with_line(4, LEVEL, nodes, false);
        assert_eq!(
            verdict(FindingId::LimitsNodes, |cases| cases.add_nodes(&ended(234), 1000)),
            Verdict::Warning
        );
        assert_eq!(
            verdict(FindingId::LimitsNodes, |cases| cases.add_nodes(&ended(900), 1000)),
            Verdict::Pass
        );
        assert_eq!(
            verdict(FindingId::LimitsNodes, |cases| cases.add_nodes(&ended(90_000), 1000)),
            Verdict::Fail
        );
        assert!(!ended(234).is_idle(1000) && ended(20).is_idle(10_000));
    }

    #[test]
    fn time_budget_is_mentioned() {
        let summary = |asked, out_of_time| {
            let mut cases = Cases { out_of_time, ..Cases::default() };
            (0..asked).for_each(|_| cases.kept.add(&SearchOutput::with_times(100, 100), None));
            cases.finding(FindingId::LimitsDepth, "kept", "two").summary
        };
        assert_eq!(summary(3, false), "kept in 3 of 3 searches");
        assert_eq!(summary(3, true), "kept in 3 of 3 searches; stopped by the time budget");
        assert!(summary(0, true).contains("time budget") && !summary(0, false).contains("time budget"));
    }

    #[test]
    fn positions_are_valid() {
        assert_eq!(positions(&POSITIONS).len(), POSITIONS.len());
    }
}
