//! What `go` asks for is what the engine must keep to: depth, nodes, time, moves, and patience until `stop`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use chess::Position;
use uci::info::{EngineLine, Score};

use crate::check::{Check, Examination, positions};
use crate::failures::Failures;
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::sureness::Rates;

/// The check.
pub const CHECK: Check = Check {
    name: "limits",
    group: Group::Protocol,
    title: "obeys depth, nodes, movetime, searchmoves, infinite",
    method: "Asks for depths 1-6, for 1,000-100,000 nodes, for 100 and 400 ms, for one or two moves of the list, and \
             for an infinite search that is stopped after 300 ms, on three positions each. Lateness is judged by \
             computing time, so that a busy machine does not make an engine late.",
    seconds: (14, 25),
    run,
};

const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

const CAP: Duration = Duration::from_secs(4);

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let places = positions(&POSITIONS);
    Ok(vec![
        exam.in_part(3, |exam| depth(exam, &places)),
        exam.in_part(2, |exam| nodes(exam, &places)),
        exam.in_part(2, |exam| move_time(exam, &places)),
        exam.in_part(2, |exam| search_moves(exam, &places)),
        infinite(exam),
        exam.in_part(1, stop),
    ])
}

/// Searches beyond a limit from which on it is a fault.
const LEAST: usize = 2;

/// A sound engine hardly ever goes beyond a limit; one that does not know a limit does so nearly always, and one that counts
/// it wrongly now and then.
const RATES: Rates = Rates { sound: 0.01, faulty: 0.3 };

/// Searches with a limit.
#[derive(Default)]
struct Cases {
    kept: Failures,
    /// What is worth knowing, and no fault.
    odd: Vec<String>,
    /// Whether the time was over before all were asked.
    cut: bool,
}

impl Cases {
    fn finding(self, what: &str, good: &str, threshold: &str) -> Finding {
        let (asked, unfinished) = (self.kept.asked, self.kept.unfinished);
        if asked == 0 {
            let why = match unfinished {
                0 if self.cut => "no search was answered before the time was over".to_owned(),
                0 => "no search was answered".to_owned(),
                count => format!("none of {count} searches ended within {} s", CAP.as_secs()),
            };
            return Finding::unmeasured("limits", what, why);
        }
        let (bad, odd) = (self.kept.count(), self.odd.len());
        let mut summary = match (self.kept.wrong.first(), self.odd.first()) {
            (None, None) => format!("{good} in {asked} of {asked} searches"),
            (Some(first), _) => format!("{bad} of {asked} searches: {first}"),
            (None, Some(first)) => format!("{odd} of {asked} searches: {first}"),
        };
        if unfinished > 0 {
            let _ = write!(summary, "; {unfinished} more did not end within {} s", CAP.as_secs());
        }
        if self.cut {
            summary += "; then the time was over";
        }
        let alarm = bad >= LEAST;
        let verdict = if !alarm && odd > 0 { Verdict::Notice } else { alarm_if(alarm) };
        Finding::new("limits", what, verdict, summary)
            .effect("searches beyond the limit", 100.0 * bad as f64 / asked as f64, "%")
            .sure(self.kept.sureness(RATES, alarm))
            .threshold(threshold)
            .samples(asked)
            .repro(self.kept.repro)
    }
}

impl Cases {
    /// Whether there is time for another search; remembers that there was none.
    fn go_on(&mut self, exam: &Examination) -> bool {
        self.cut |= !exam.goes_on();
        !self.cut
    }

    /// Judges `go depth`: one that did not end in time is judged only if it is beyond the depth.
    fn hear_depth(&mut self, thinking: &Thinking, wanted: u32) {
        let got = thinking.depth();
        // An engine that tells no depth is another case.
        if got == 0 {
            return;
        }
        if thinking.cut_short && got <= wanted {
            self.kept.unfinished += 1;
            return;
        }
        let mate = matches!(thinking.score(), Some(Score::Mate(_)));
        let wrong = if thinking.cut_short {
            Some(format!("'go depth {wanted}' did not end, and reached depth {got}"))
        } else {
            (got > wanted || got < wanted && !mate)
                .then(|| format!("'go depth {wanted}' ended at depth {got}"))
        };
        self.kept.add(thinking, wrong);
    }

    /// Judges `go nodes` in the same way.
    fn hear_nodes(&mut self, thinking: &Thinking, wanted: u64) {
        let told = thinking.nodes();
        let beyond = thinking.is_beyond(wanted);
        if thinking.cut_short && !beyond {
            self.kept.unfinished += 1;
            return;
        }
        // Many engines tell their nodes only when an iteration is finished: they have searched more than they told.
        let few = (1..wanted / 4).contains(&told) && !matches!(thinking.score(), Some(Score::Mate(_)));
        if few {
            self.odd.push(format!("'go nodes {wanted}' was answered, and {told} nodes were told"));
        }
        let wrong = beyond.then(|| {
            let ending = if thinking.cut_short { ", and did not end" } else { "" };
            format!("'go nodes {wanted}' searched {told} nodes{ending}")
        });
        self.kept.add(thinking, wrong);
    }
}

fn depth(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        for wanted in 1..=6 {
            if !cases.go_on(exam) {
                break;
            }
            let go = format!("go depth {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            cases.hear_depth(&thinking, wanted);
        }
    }
    cases.finding("depth", "the last depth told is the one asked for", "two searches that end elsewhere")
}

fn nodes(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    let (mut endless, mut ended, mut idle, mut speeds) = (0, 0, 0, Vec::new());
    for position in places {
        for wanted in [1000u64, 10_000, 100_000] {
            if endless >= 2 || !cases.go_on(exam) {
                break;
            }
            let go = format!("go nodes {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            cases.hear_nodes(&thinking, wanted);
            if thinking.cut_short {
                endless += 1;
                // More nodes take longer still.
                break;
            }
            let told = thinking.nodes();
            ended += 1;
            idle += usize::from(thinking.is_idle(wanted));
            if told > 20_000 {
                speeds.push(told as f64 / thinking.effort().as_secs_f64().max(0.01));
            }
        }
    }
    // One that ends at once, whatever the number, cannot be given a number of nodes either.
    exam.obeys_nodes = cases.kept.count() < LEAST && ended > 0 && idle * 2 <= ended;
    exam.speed = exam.speed.or((!speeds.is_empty()).then(|| crate::samples::median(&speeds)));
    cases.finding(
        "nodes",
        "the node limit was kept",
        "two searches above the limit by 20 % and 10,000 nodes; fewer than a quarter of it told is a notice",
    )
}

fn move_time(exam: &mut Examination, places: &[Position]) -> Finding {
    let trust = exam.trust_in_time();
    let (mut cases, mut unknown) = (Cases::default(), 0);
    for position in places {
        for wanted in [100u64, 400] {
            if !cases.go_on(exam) {
                break;
            }
            let go = format!("go movetime {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            let [took, computed] = [thinking.elapsed, thinking.effort()].map(|time| time.as_millis());
            let told =
                || format!("'{go}' was answered after {took} ms, of which {computed} ms were computing");
            match lateness(&thinking, wanted) {
                Some(late) => cases.kept.add(&thinking, late.then(told)),
                None => unknown += 1,
            }
        }
    }
    if cases.kept.count() < LEAST && unknown >= LEAST {
        let why =
            format!("{unknown} searches took longer than they were given, on a machine too busy to tell why");
        return Finding::unmeasured("limits", "movetime", why);
    }
    let sureness = cases.kept.sureness(RATES, cases.kept.count() >= LEAST).at_most(trust);
    let threshold = "two searches that compute for more than 20 % + 60 ms longer, or sleep for a second more";
    cases.finding("movetime", "the time was kept", threshold).sure(sureness)
}

/// Whether a search for so many milliseconds computed longer (the system counts in hundredths of a second, and engines look at the
/// clock now and then), or slept longer than any machine keeps an engine waiting. Where it took longer in another way, that may be the
/// machine's doing.
fn lateness(thinking: &Thinking, wanted: u64) -> Option<bool> {
    let allowed = Duration::from_millis(wanted + 60 + wanted / 5);
    let is_late = thinking.cut_short
        || thinking.effort() > allowed
        || thinking.elapsed > allowed * 2 + Duration::from_secs(1);
    (is_late || thinking.elapsed <= allowed).then_some(is_late)
}

fn search_moves(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        let moves = position.legal_moves();
        // The last moves of the list: seldom the best ones.
        let words: Vec<String> = moves.iter().rev().take(2).map(|mv| mv.uci(false).to_string()).collect();
        for wanted in [&words[..1], &words[..]] {
            if !cases.go_on(exam) {
                break;
            }
            let go = format!("go depth 5 searchmoves {}", wanted.join(" "));
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            // What is no move at all is another fault, and is told elsewhere.
            if thinking.unreadable.is_some() {
                continue;
            }
            let best = thinking.best.clone().unwrap_or_else(|| "without a move".to_owned());
            let wrong = (!wanted.contains(&best)).then(|| format!("'{go}' answered {best}"));
            cases.kept.add(&thinking, wrong);
        }
    }
    exam.obeys_search_moves = cases.kept.count() == 0 && cases.kept.asked > 0;
    cases.finding("searchmoves", "only the moves asked for were played", "two answers from outside the list")
}

/// Positions in which a queen can be taken, and the move that takes it.
const HANGING: [(&str, &str); 3] = [
    ("rnb1kbnr/pppp1ppp/8/4p3/4q3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d3e4"),
    ("rnbqkb1r/pppppppp/5n2/8/4Q3/4P3/PPPP1PPP/RNB1KBNR b KQkq - 0 3", "f6e4"),
    ("rnb1kbnr/pppp1ppp/8/4p3/3P3q/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 1", "f3h4"),
];

/// What a search that is told to stop answers: the best move that it knows.
fn stop(exam: &mut Examination) -> Finding {
    let (mut cases, mut starved) = (Cases::default(), 0);
    let (thought, least) = (Duration::from_millis(400), Duration::from_millis(100));
    for (fen, best) in HANGING {
        if !cases.go_on(exam) {
            break;
        }
        let Ok(position) = Position::from_fen(fen) else { continue };
        let Ok(thinking) = exam.patient.search_fresh(&position, "go infinite", thought) else { continue };
        // Time enough to look at every move once.
        if thinking.effort() < least {
            starved += 1;
            continue;
        }
        if thinking.unreadable.is_some() {
            continue;
        }
        let answer = thinking.best.clone().unwrap_or_else(|| "no move".to_owned());
        cases
            .kept
            .add(&thinking, (answer != best).then(|| format!("'stop' was answered with {answer} in {fen}")));
    }
    if cases.kept.asked == 0 && starved > 0 {
        let why = format!(
            "in {starved} searches the engine computed for less than {} ms, too little to judge",
            least.as_millis()
        );
        return Finding::unmeasured("limits", "stop", why);
    }
    cases.finding("stop", "the best move came after 'stop'", "two answers that leave a queen")
}

fn infinite(exam: &mut Examination) -> Finding {
    const POSITION: &str = "position startpos";
    const GO: &str = "go infinite";
    const PATIENCE: Duration = Duration::from_millis(300);
    let _ = exam.patient.new_game();
    for line in [POSITION, GO, &format!("# after {} ms", PATIENCE.as_millis()), "stop"] {
        exam.patient.note(line);
    }
    let asked = exam.patient.last_lines();
    let outcome = exam.patient.attempt(|client| {
        client.ready(Duration::from_secs(5))?;
        client.send(POSITION)?;
        client.send(GO)?;
        let is_answer = |line| matches!(line, EngineLine::BestMove(_));
        let early = client.wait_for("bestmove", PATIENCE, is_answer).is_ok();
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
        Ok((true, ..)) => {
            Finding::new("limits", "infinite", Verdict::Alarm, "'go infinite' was answered before 'stop'")
        }
        Ok((false, waited, 0)) => Finding::new(
            "limits",
            "infinite",
            Verdict::Sound,
            format!("'go infinite' waits for 'stop' and answers {} ms after it, once", waited.as_millis()),
        ),
        Ok((false, _, more)) => {
            Finding::new("limits", "infinite", Verdict::Alarm, format!("{} answers to one 'stop'", more + 1))
        }
        Err(trouble) => {
            Finding::new("limits", "infinite", Verdict::Alarm, format!("'go infinite' and 'stop': {trouble}"))
        }
    };
    let alarm = finding.is_alarm();
    finding
        .effect("'stop' not kept to", f64::from(u8::from(alarm)), "")
        .sure_by_hand(0.98, "one search")
        .threshold("no answer before stop, exactly one after it")
        .samples(1)
        .repro(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: Score = Score::Centipawns(10);

    fn verdict(what: &str, hear: impl Fn(&mut Cases)) -> Verdict {
        let mut cases = Cases::default();
        (0..4).for_each(|_| hear(&mut cases));
        cases.finding(what, "kept", "two").verdict
    }

    #[test]
    fn a_slow_engine_is_not_accused_of_disobedience() {
        let slow = |depth, nodes| Thinking::of_line(depth, LEVEL, nodes, true);
        assert_eq!(verdict("depth", |cases| cases.hear_depth(&slow(4, 9000), 6)), Verdict::Unmeasured);
        assert_eq!(verdict("depth", |cases| cases.hear_depth(&slow(7, 9000), 6)), Verdict::Alarm);
        assert_eq!(
            verdict("nodes", |cases| cases.hear_nodes(&slow(4, 80_000), 100_000)),
            Verdict::Unmeasured
        );
        assert_eq!(verdict("nodes", |cases| cases.hear_nodes(&slow(4, 200_000), 100_000)), Verdict::Alarm);
    }

    #[test]
    fn sleeping_beyond_the_time_is_late_and_waiting_for_a_busy_machine_is_not() {
        let late = |elapsed, computed| lateness(&Thinking::of_times(elapsed, computed), 100);
        assert_eq!(late(105, 100), Some(false));
        assert_eq!(late(900, 100), None, "nobody knows what it waited for");
        assert_eq!(late(300, 290), Some(true), "it computed on");
        assert_eq!(late(1500, 5), Some(true), "it slept");
    }

    #[test]
    fn nodes_told_before_an_unfinished_iteration_are_at_most_a_notice() {
        let ended = |nodes| Thinking::of_line(4, LEVEL, nodes, false);
        assert_eq!(verdict("nodes", |cases| cases.hear_nodes(&ended(234), 1000)), Verdict::Notice);
        assert_eq!(verdict("nodes", |cases| cases.hear_nodes(&ended(900), 1000)), Verdict::Sound);
        assert_eq!(verdict("nodes", |cases| cases.hear_nodes(&ended(90_000), 1000)), Verdict::Alarm);
        assert!(!ended(234).is_idle(1000) && ended(20).is_idle(10_000));
    }

    #[test]
    fn what_was_cut_says_so() {
        let told = |asked, cut| {
            let mut cases = Cases { cut, ..Cases::default() };
            (0..asked).for_each(|_| cases.kept.add(&Thinking::of_times(100, 100), None));
            cases.finding("depth", "kept", "two").summary
        };
        assert_eq!(told(3, false), "kept in 3 of 3 searches");
        assert_eq!(told(3, true), "kept in 3 of 3 searches; then the time was over");
        assert!(told(0, true).contains("time was over") && !told(0, false).contains("time was over"));
    }

    #[test]
    fn every_position_is_read() {
        assert_eq!(positions(&POSITIONS).len(), POSITIONS.len());
    }
}
