//! What `go` asks for is what the engine must keep to: depth, nodes, time, moves, and patience until `stop`.

use std::time::{Duration, Instant};

use chess::Position;
use uci::info::EngineLine;

use crate::doctor::check::{Check, Examination, positions};
use crate::doctor::finding::{Finding, Group, Verdict, alarm_if};
use crate::doctor::patient::{Thinking, Trouble};

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
        depth(exam, &places),
        nodes(exam, &places),
        move_time(exam, &places),
        search_moves(exam, &places),
        infinite(exam),
    ])
}

/// Keeps the first case of a fault.
#[derive(Default)]
struct Cases {
    asked: usize,
    bad: Vec<String>,
    repro: Vec<String>,
}

impl Cases {
    fn add(&mut self, thinking: &Thinking, complaint: Option<String>) {
        self.asked += 1;
        if let Some(complaint) = complaint {
            if self.bad.is_empty() {
                self.repro = thinking.repro();
            }
            self.bad.push(complaint);
        }
    }

    fn finding(self, what: &str, good: &str, threshold: &str, least: usize) -> Finding {
        if self.asked == 0 {
            return Finding::unmeasured("limits", what, "no search was answered");
        }
        let (bad, asked) = (self.bad.len(), self.asked);
        let summary = match self.bad.first() {
            None => format!("{good} in {asked} of {asked} searches"),
            Some(first) => format!("{bad} of {asked} searches: {first}"),
        };
        Finding::new("limits", what, alarm_if(bad >= least), summary)
            .effect("searches beyond the limit", 100.0 * bad as f64 / asked as f64, "%")
            .confidence(if bad >= least { 0.99 } else { 0.95 }, format!("{asked} searches"))
            .threshold(threshold)
            .samples(asked)
            .repro(self.repro)
    }
}

fn depth(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        for wanted in 1..=6 {
            let go = format!("go depth {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            if thinking.cut_short && thinking.was_starved() {
                continue;
            }
            let got = thinking.depth();
            let mate = matches!(thinking.score(), Some(uci::info::Score::Mate(_)));
            let wrong = if thinking.cut_short {
                Some(format!("'{go}' did not end"))
            } else if got > wanted || got < wanted && !mate {
                Some(format!("'{go}' ended at depth {got}"))
            } else {
                None
            };
            cases.add(&thinking, wrong);
        }
    }
    cases.finding("depth", "the last depth told is the one asked for", "two searches that end elsewhere", 2)
}

fn nodes(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    let (mut endless, mut speeds) = (0, Vec::new());
    for position in places {
        for wanted in [1000u64, 10_000, 100_000] {
            if endless >= 2 {
                break;
            }
            let go = format!("go nodes {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            let told = thinking.nodes();
            // Looking at the clock every few thousand nodes is common, and no fault.
            let most = wanted + wanted / 5 + 10_000;
            if thinking.cut_short && thinking.was_starved() && told <= most {
                continue;
            }
            endless += usize::from(thinking.cut_short);
            let wrong = if thinking.cut_short {
                Some(format!("'{go}' did not end within {} s", CAP.as_secs()))
            } else if (1..wanted / 4).contains(&told)
                && !matches!(thinking.score(), Some(uci::info::Score::Mate(_)))
            {
                Some(format!("'{go}' was answered after {told} nodes"))
            } else {
                (told > most).then(|| format!("'{go}' searched {told} nodes"))
            };
            if !thinking.cut_short && told > 20_000 {
                speeds.push(told as f64 / thinking.effort().as_secs_f64().max(0.01));
            }
            cases.add(&thinking, wrong);
        }
    }
    exam.obeys_nodes = cases.bad.len() < 2;
    exam.speed = exam.speed.or((!speeds.is_empty()).then(|| crate::doctor::samples::median(&speeds)));
    cases.finding(
        "nodes",
        "the node limit was kept",
        "two searches above the limit by 20 % and 10,000 nodes, or below a quarter of it",
        2,
    )
}

fn move_time(exam: &mut Examination, places: &[Position]) -> Finding {
    let (trust, basis) = exam.trust_in_time();
    let mut cases = Cases::default();
    for position in places {
        for wanted in [100u64, 400] {
            let go = format!("go movetime {wanted}");
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            let used = thinking.effort().as_millis() as u64;
            // The system counts in hundredths of a second, and engines look at the clock now and then.
            let late = thinking.cut_short || used > wanted + 60 + wanted / 5;
            let wrong = late.then(|| format!("'{go}' computed for {used} ms"));
            cases.add(&thinking, wrong);
        }
    }
    let finding = cases.finding("movetime", "the time was kept", "two searches later than 20 % + 60 ms", 2);
    let level = trust.min(finding.confidence.level);
    finding.confidence(level, basis)
}

fn search_moves(exam: &mut Examination, places: &[Position]) -> Finding {
    let mut cases = Cases::default();
    for position in places {
        let moves = position.legal_moves();
        // The last moves of the list: seldom the best ones.
        let words: Vec<String> = moves.iter().rev().take(2).map(|mv| mv.uci(false).to_string()).collect();
        for wanted in [&words[..1], &words[..]] {
            let go = format!("go depth 5 searchmoves {}", wanted.join(" "));
            let Ok(thinking) = exam.patient.search_fresh(position, &go, CAP) else { continue };
            let best = thinking.best.clone().unwrap_or_else(|| "without a move".to_owned());
            let wrong = (!wanted.contains(&best)).then(|| format!("'{go}' answered {best}"));
            cases.add(&thinking, wrong);
        }
    }
    exam.obeys_search_moves = cases.bad.is_empty() && cases.asked > 0;
    cases.finding(
        "searchmoves",
        "only the moves asked for were played",
        "two answers from outside the list",
        2,
    )
}

fn infinite(exam: &mut Examination) -> Finding {
    let asked = ["position startpos".to_owned(), "go infinite".to_owned(), "stop".to_owned()];
    let outcome = exam.patient.attempt(|client| {
        client.ready(Duration::from_secs(5))?;
        client.send(&asked[0])?;
        client.send(&asked[1])?;
        let early = client
            .wait_for("bestmove", Duration::from_millis(300), |line| matches!(line, EngineLine::BestMove(_)))
            .is_ok();
        let started = Instant::now();
        client.send("stop")?;
        if !early {
            client.wait_for("bestmove", Duration::from_secs(5), |line| {
                matches!(line, EngineLine::BestMove(_))
            })?;
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
    finding
        .confidence(0.98, "one search")
        .threshold("no answer before stop, exactly one after it")
        .samples(1)
        .repro(asked)
}
