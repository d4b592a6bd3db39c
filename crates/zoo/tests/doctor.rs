//! The doctor on broken engines: it always ends with a report of what happened.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use doctor::catalogue::{CheckId, Measure, is_finding};
use doctor::check::Thoroughness;
use doctor::examine::ExaminationPlan;
use doctor::finding::Verdict;
use doctor::report::Report;
use doctor::{Subject, render};

fn examine(engine: &str, only: &[&str]) -> Report {
    examine_with(engine, only, &[])
}

fn examine_with(engine: &str, only: &[&str], options: &[(&str, &str)]) -> Report {
    examine_command(format!("\"{}\" {engine}", env!("CARGO_BIN_EXE_engine-zoo")), only, options)
}

fn examine_command(command: String, only: &[&str], options: &[(&str, &str)]) -> Report {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let plan = ExaminationPlan {
        subject: Subject { command, options },
        thoroughness: Thoroughness::Quick,
        only: only.iter().map(|name| CheckId::parse(name).expect("a check")).collect(),
        time_limit: None,
        doctor: "test".to_owned(),
    };
    let report = plan.run(&Arc::default(), |_| {});
    for finding in &report.findings {
        assert!(is_finding(&finding.id), "{} is not in the catalogue", finding.id);
    }
    report
}

fn failed(report: &Report) -> Vec<&str> {
    report.with_verdict(Verdict::Fail).map(|finding| finding.id.as_str()).collect()
}

#[test]
fn failed_start_has_a_report() {
    for engine in ["dies-at-start", "no-such-kind"] {
        let report = examine(engine, &["handshake"]);
        if engine == "dies-at-start" {
            assert_eq!(failed(&report), ["handshake.start"]);
            assert_eq!(report.diagnosis.explanations[0].id, "does-not-start");
        } else {
            assert!(failed(&report).is_empty(), "{:?}", failed(&report));
        }
        assert!(render::details(&report).contains(&report.engine));
    }
}

#[test]
fn crash_has_a_repro() {
    let report = examine("dies 5", &["leaves"]);
    assert!(failed(&report).contains(&"legality.stability"), "{:?}", failed(&report));
    // Used by the diagnosis.
    let measure = |id, name| report.finding(id).expect("measured").measures.get(&name).copied();
    assert_eq!(measure("legality.stability", Measure::Hangs), Some(0.0));
    let identity = examine("sound", &["handshake"]);
    let has_hash =
        identity.finding("handshake.identity").expect("measured").measures.get(&Measure::HasHash).copied();
    assert_eq!(has_hash, Some(1.0));
    let incident = report.incidents.first().expect("an incident");
    assert!(incident.repro.iter().any(|line| line.starts_with("go")), "{incident:?}");
    let html = render::html(&report);
    assert!(
        html.contains("Crashes and hangs") && html.ends_with("</html>") && !html.contains("http"),
        "self-contained"
    );
}

/// The first iteration prints -50000, whatever the position is: nothing can be read from depth 1.
#[test]
fn nonsense_at_depth_one_hides_nothing() {
    let command = format!("\"{}\" first-score-hides-tables", env!("CARGO_BIN_EXE_small-engine"));
    let report = examine_command(command, &["odds", "orientation"], &[]);
    let failed = failed(&report);
    for id in ["odds.first-depth", "orientation.white", "orientation.black"] {
        assert!(failed.contains(&id), "{failed:?}");
    }
    assert!(!failed.contains(&"odds.constant") && !failed.contains(&"odds.sign"), "{failed:?}");
    let summary = |id| report.finding(id).expect("measured").summary.as_str();
    assert!(
        summary("odds.first-depth")
            .contains("from depth 2; before that, the starting position has -50000 cp")
    );
    assert!(summary("orientation.white").ends_with("at depth 2, because earlier scores mean nothing"));
    let causes: Vec<&str> = report.diagnosis.explanations.iter().map(|ranked| ranked.id.as_str()).collect();
    for cause in ["tables-upside-down", "score-before-search"] {
        assert!(causes.iter().take(2).any(|id| *id == cause), "{causes:?}");
    }
}

#[test]
fn illegal_moves_and_pvs_fail() {
    let report = examine("illegal 4", &["leaves"]);
    assert!(failed(&report).contains(&"legality.answers"), "{:?}", failed(&report));
    let report = examine("illegal-line 4", &["leaves"]);
    assert!(failed(&report).contains(&"legality.lines"), "{:?}", failed(&report));
    let lines = render::repro(&report, "legality.lines").expect("lines to show");
    assert!(lines.lines().any(|line| line.starts_with("position fen")), "{lines}");
}

#[test]
fn ignored_move_list_is_not_an_illegal_move() {
    let report = examine("moves-unplayed", &["special-moves", "draws"]);
    let finding = report.finding("special-moves.lists").expect("measured");
    assert_eq!(finding.verdict, Verdict::Fail, "{}", finding.summary);
    assert!(finding.summary.starts_with("moves after 'position fen ...' are ignored"));
    assert_eq!(report.diagnosis.explanations[0].id, "moves-not-played");
    let board = report.finding("special-moves.board").expect("measured");
    assert_eq!(board.verdict, Verdict::Skipped, "{}", board.summary);
    let report = examine("illegal 0", &["special-moves"]);
    assert!(failed(&report).contains(&"special-moves.answers"), "{:?}", failed(&report));
    assert!(!failed(&report).contains(&"special-moves.lists"), "{:?}", failed(&report));
    let report = examine("sound", &["special-moves"]);
    assert!(!failed(&report).iter().any(|id| id.starts_with("special-moves")), "{:?}", failed(&report));
}

#[test]
fn repro_has_options_and_waits() {
    let report = examine_with("illegal 4", &["leaves"], &[("Hash", "32")]);
    let lines = &report.finding("legality.answers").expect("measured").repro;
    assert_eq!(lines[..2], ["uci", "setoption name Hash value 32"]);
    let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert!(of("go") > 0 && of("go") == of("position"), "{lines:?}");
    for (line, next) in lines.iter().zip(&lines[1..]).filter(|(line, _)| line.starts_with("go")) {
        assert_eq!(next, "# wait for bestmove", "behind {line}");
    }
}

#[test]
fn malformed_output_has_a_repro() {
    let report = examine("garbage 4", &["leaves"]);
    assert!(failed(&report).contains(&"info.form"), "{:?}", failed(&report));
    let lines = &report.finding("info.form").expect("measured").repro;
    // The fifth search is malformed, and the last of the repro.
    assert_eq!(lines.first().map(String::as_str), Some("uci"), "{lines:?}");
    let asked = lines.iter().rfind(|line| line.starts_with("go")).expect("a search");
    assert!(lines.ends_with(&[asked.clone(), "# wait for bestmove".to_owned()]), "{lines:?}");
}

#[test]
fn missing_readyok_is_reported() {
    let report = examine("dies-unready", &["handshake"]);
    assert_eq!(failed(&report), ["handshake.ready"]);
    let finding = report.finding("handshake.ready").expect("measured");
    assert!(finding.summary.contains("no readyok after uciok"), "{}", finding.summary);
    assert_eq!(finding.repro, ["uci", "isready"]);
    assert_eq!(report.diagnosis.explanations[0].id, "never-ready");
    assert!(!report.incidents[0].transcript.is_empty());
}

#[test]
fn malformed_move_is_not_an_illegal_move() {
    let report = examine("nonsense-move 0", &["special-moves", "leaves"]);
    assert_eq!(failed(&report), ["info.form", "info.bestmove"]);
    let finding = report.finding("info.bestmove").expect("measured");
    assert!(finding.summary.contains("'bestmove castle' in "), "{}", finding.summary);
    let causes: Vec<&str> = report.diagnosis.explanations.iter().map(|ranked| ranked.id.as_str()).collect();
    assert!(causes[0] == "bestmove-notation" && !causes.contains(&"move-generator"), "{causes:?}");
    for id in ["legality.answers", "legality.agreement", "special-moves.answers"] {
        let finding = report.finding(id).expect("measured");
        assert_eq!(finding.verdict, Verdict::Skipped, "{id}: {}", finding.summary);
    }
}

#[test]
fn long_output_is_cut() {
    for engine in ["endless-lines 1", "endless-words 1"] {
        let report = examine(engine, &["handshake", "leaves"]);
        assert!(!report.is_healthy(), "{engine}");
        let data = serde_json::to_value(&report).expect("a report is data");
        let longest = longest_text(&data);
        assert!(longest < 700, "{engine}: {longest}");
        let text = render::details(&report);
        assert!(text.contains('…') && text.len() < 20_000, "{engine}: {}", text.len());
    }
}

/// Characters of the longest string in a JSON value.
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
fn interrupted_run_has_a_report() {
    let plan = ExaminationPlan {
        subject: Subject {
            command: format!("\"{}\" sound", env!("CARGO_BIN_EXE_engine-zoo")),
            options: Vec::new(),
        },
        thoroughness: Thoroughness::Full,
        only: Vec::new(),
        time_limit: None,
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
fn interrupted_start_does_not_fail() {
    let plan = ExaminationPlan {
        subject: Subject {
            command: format!("\"{}\" silent-start", env!("CARGO_BIN_EXE_engine-zoo")),
            options: Vec::new(),
        },
        thoroughness: Thoroughness::Quick,
        only: Vec::new(),
        time_limit: None,
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
    assert!(report.interrupted && report.is_healthy(), "{:?}", failed(&report));
    assert_eq!(report.diagnosis.headline, "No checks were run.");
}
