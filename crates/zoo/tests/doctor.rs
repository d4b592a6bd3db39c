//! The doctor on engines that hang, crash or lie: it always ends, and its report says what happened.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use doctor::check::Thoroughness;
use doctor::examine::Plan;
use doctor::finding::{HANGS, OFFERS_HASH, Verdict};
use doctor::names::is_finding;
use doctor::report::Report;
use doctor::{Subject, render};

fn examine(engine: &str, only: &[&str]) -> Report {
    examine_with(engine, only, &[])
}

fn examine_with(engine: &str, only: &[&str], options: &[(&str, &str)]) -> Report {
    let command = format!("\"{}\" {engine}", env!("CARGO_BIN_EXE_engine-zoo"));
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let plan = Plan {
        subject: Subject { command, options },
        thoroughness: Thoroughness::Quick,
        only: only.iter().map(|&name| name.to_owned()).collect(),
        doctor: "test".to_owned(),
    };
    let report = plan.run(&Arc::default(), |_| {});
    for finding in &report.findings {
        assert!(is_finding(&finding.id), "{} is not in the list of names", finding.id);
    }
    report
}

fn alarms(report: &Report) -> Vec<&str> {
    report.with_verdict(Verdict::Alarm).map(|finding| finding.id.as_str()).collect()
}

#[test]
fn an_engine_that_does_not_start_gets_a_report() {
    for engine in ["dies-at-start", "no-such-kind"] {
        let report = examine(engine, &["handshake"]);
        if engine == "dies-at-start" {
            assert_eq!(alarms(&report), ["handshake.start"]);
            assert_eq!(report.diagnosis.explanations[0].id, "does-not-start");
        } else {
            assert!(alarms(&report).is_empty(), "{:?}", alarms(&report));
        }
        assert!(render::terminal(&report).contains(&report.engine));
    }
}

#[test]
fn a_crash_is_reported_with_its_lines() {
    let report = examine("dies 5", &["leaves"]);
    assert!(alarms(&report).contains(&"legality.stability"), "{:?}", alarms(&report));
    // The diagnosis goes by these numbers.
    let measure = |id, name| report.finding(id).expect("told").measures.get(name).copied();
    assert_eq!(measure("legality.stability", HANGS), Some(0.0));
    let identity = examine("sound", &["handshake"]);
    let offered = identity.finding("handshake.identity").expect("told").measures.get(OFFERS_HASH).copied();
    assert_eq!(offered, Some(1.0));
    let incident = report.incidents.first().expect("an incident");
    assert!(incident.repro.iter().any(|line| line.starts_with("go")), "{incident:?}");
    let html = render::html(&report);
    assert!(
        html.contains("Crashes and hangs") && html.ends_with("</html>") && !html.contains("http"),
        "self-contained"
    );
}

#[test]
fn illegal_moves_and_lines_are_seen() {
    let report = examine("illegal 4", &["leaves"]);
    assert!(alarms(&report).contains(&"legality.answers"), "{:?}", alarms(&report));
    let report = examine("illegal-line 4", &["leaves"]);
    assert!(alarms(&report).contains(&"legality.lines"), "{:?}", alarms(&report));
    let lines = render::repro(&report, "legality.lines").expect("lines to show");
    assert!(lines.lines().any(|line| line.starts_with("position fen")), "{lines}");
}

#[test]
fn moves_that_are_not_played_after_a_fen_are_told_apart_from_illegal_ones() {
    let report = examine("moves-unplayed", &["special-moves", "draws"]);
    let finding = report.finding("special-moves.lists").expect("told");
    assert_eq!(finding.verdict, Verdict::Alarm, "{}", finding.summary);
    assert!(finding.summary.starts_with("the moves after 'position fen ...' are not played"));
    assert_eq!(report.diagnosis.explanations[0].id, "moves-not-played");
    let board = report.finding("special-moves.board").expect("told");
    assert_eq!(board.verdict, Verdict::Unmeasured, "{}", board.summary);
    let report = examine("illegal 0", &["special-moves"]);
    assert!(alarms(&report).contains(&"special-moves.followed"), "{:?}", alarms(&report));
    assert!(!alarms(&report).contains(&"special-moves.lists"), "{:?}", alarms(&report));
    let report = examine("sound", &["special-moves"]);
    assert!(!alarms(&report).iter().any(|id| id.starts_with("special-moves")), "{:?}", alarms(&report));
}

#[test]
fn lines_that_show_a_finding_have_the_users_options_and_say_where_to_wait() {
    let report = examine_with("illegal 4", &["leaves"], &[("Hash", "32")]);
    let lines = &report.finding("legality.answers").expect("judged").repro;
    assert_eq!(lines[..2], ["uci", "setoption name Hash value 32"]);
    let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert!(of("go") > 0 && of("go") == of("position"), "{lines:?}");
    for (line, next) in lines.iter().zip(&lines[1..]).filter(|(line, _)| line.starts_with("go")) {
        assert_eq!(next, "# wait for bestmove", "behind {line}");
    }
}

#[test]
fn garbage_in_the_output_is_seen_with_the_lines_that_lead_to_it() {
    let report = examine("garbage 4", &["leaves"]);
    assert!(alarms(&report).contains(&"info.form"), "{:?}", alarms(&report));
    let lines = &report.finding("info.form").expect("an alarm").repro;
    // Four searches are well-formed; the fifth is the one to be seen, and the last of the lines.
    assert_eq!(lines.first().map(String::as_str), Some("uci"), "{lines:?}");
    let asked = lines.iter().rfind(|line| line.starts_with("go")).expect("a search");
    assert!(lines.ends_with(&[asked.clone(), "# wait for bestmove".to_owned()]), "{lines:?}");
}

#[test]
fn an_engine_that_is_never_ready_is_told_which_answer_is_missing() {
    let report = examine("dies-unready", &["handshake"]);
    assert_eq!(alarms(&report), ["handshake.ready"]);
    let finding = report.finding("handshake.ready").expect("an alarm");
    assert!(finding.summary.contains("says 'uciok' and is not ready"), "{}", finding.summary);
    assert_eq!(finding.repro, ["uci", "isready"]);
    assert_eq!(report.diagnosis.explanations[0].id, "never-ready");
    assert!(!report.incidents[0].transcript.is_empty());
}

#[test]
fn an_answer_that_is_no_move_is_a_fault_of_words_and_not_of_the_rules() {
    let report = examine("nonsense-move 0", &["special-moves", "leaves"]);
    assert_eq!(alarms(&report), ["info.form", "info.bestmove"]);
    let finding = report.finding("info.bestmove").expect("an alarm");
    assert!(finding.summary.contains("'bestmove castle' in "), "{}", finding.summary);
    let causes: Vec<&str> = report.diagnosis.explanations.iter().map(|ranked| ranked.id.as_str()).collect();
    assert!(causes[0] == "answer-words" && !causes.contains(&"move-generator"), "{causes:?}");
    for id in ["legality.answers", "legality.agreement", "special-moves.followed"] {
        let finding = report.finding(id).expect("told");
        assert_eq!(finding.verdict, Verdict::Unmeasured, "{id}: {}", finding.summary);
    }
}

#[test]
fn an_engines_words_do_not_fill_the_report() {
    for engine in ["endless-lines 1", "endless-words 1"] {
        let report = examine(engine, &["handshake", "leaves"]);
        assert!(!report.is_healthy(), "{engine}");
        let data = serde_json::to_value(&report).expect("a report is data");
        let longest = longest_text(&data);
        assert!(longest < 700, "{engine}: {longest}");
        let text = render::terminal(&report);
        assert!(text.contains('…') && text.len() < 20_000, "{engine}: {}", text.len());
    }
}

/// Signs of the longest text in a piece of JSON.
fn longest_text(data: &serde_json::Value) -> usize {
    use serde_json::Value;
    match data {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn an_interrupted_examination_still_reports() {
    let plan = Plan {
        subject: Subject {
            command: format!("\"{}\" sound", env!("CARGO_BIN_EXE_engine-zoo")),
            options: Vec::new(),
        },
        thoroughness: Thoroughness::Full,
        only: Vec::new(),
        doctor: "test".to_owned(),
    };
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    let report = plan.run(&interrupt, move |progress| {
        if progress.number == 2 {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(report.interrupted && report.checks.len() <= 2, "{:?}", report.checks);
    assert!(report.finding("handshake.identity").is_some());
}

#[test]
fn an_examination_that_ends_before_the_engine_is_ready_accuses_nobody() {
    let plan = Plan {
        subject: Subject {
            command: format!("\"{}\" silent-start", env!("CARGO_BIN_EXE_engine-zoo")),
            options: Vec::new(),
        },
        thoroughness: Thoroughness::Quick,
        only: Vec::new(),
        doctor: "test".to_owned(),
    };
    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupt);
    let user = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let report = plan.run(&interrupt, |_| {});
    user.join().expect("no panic");
    assert!(report.interrupted && report.is_healthy(), "{:?}", alarms(&report));
    assert_eq!(report.diagnosis.headline, "No check was made.");
}
