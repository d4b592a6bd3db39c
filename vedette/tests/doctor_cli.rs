//! `vedette doctor`: short runs on Vedette itself, report files, and options that need no engine.

mod folder;

use std::process::{Command, Output};

use folder::Folder;

fn doctor(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vedette"))
        .arg("doctor")
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

#[test]
fn checks_are_listed_and_explained() {
    let list = stdout(&doctor(&["--list"]));
    let names: Vec<&str> = list.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 20 && names.contains(&"mirror") && names.contains(&"compliance"), "{list}");
    for name in names {
        assert!(stdout(&doctor(&["--explain", name])).starts_with("# "), "{name}");
    }
}

#[test]
fn unknown_check_has_a_hint() {
    let output = doctor(&["--only", "miror"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("'mirror'"));
}

#[test]
fn conflicting_options_are_rejected() {
    for arguments in [&["--report", "x.json", "--full"][..], &["--report", "x.json", "--engine", "e"]] {
        assert_eq!(doctor(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(doctor(&["--repro", "miror.evaluation"]).status.code(), Some(2));
}

#[test]
fn reports_are_written_read_and_compared() {
    let folder = Folder::new();
    let (json, html) = (folder.file("report.json"), folder.file("report.html"));
    let output = doctor(&["--only", "handshake,leaves", "--verbose", "--json", &json, "--html", &html]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("No faults found.") && text.contains("leaves.captures"), "{text}");
    let page = std::fs::read_to_string(&html).expect("the page was written");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("leaves.captures"));
    let same = stdout(&doctor(&["--compare", &json, &json]));
    assert!(same.contains("No changes."), "{same}");
    assert!(!same.contains("Note:"), "{same}");
    assert!(text.contains("Only 2 of "), "{text}");
    let lines = stdout(&doctor(&["--report", &json, "--repro", "handshake"]));
    assert!(lines.lines().any(|line| line == "uci"), "{lines}");
    let saved = std::fs::read_to_string(&json).expect("the report was written");
    let other = saved.replacen("\"thoroughness\": \"quick\"", "\"thoroughness\": \"full\"", 1);
    std::fs::write(&json, saved.replacen("\"schema\": 2", "\"schema\": 99", 1)).expect("written again");
    let refused = doctor(&["--report", &json]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("schema 99"), "{refused:?}");
    std::fs::write(&json, &saved).expect("written again");
    std::fs::write(&html, other).expect("written again");
    let unlike = stdout(&doctor(&["--compare", &json, &html]));
    assert!(unlike.contains("Note: quick and full runs"), "{unlike}");
}

#[test]
fn summary_is_short() {
    let folder = Folder::new();
    let json = folder.file("report.json");
    let text = stdout(&doctor(&["--only", "handshake", "--json", &json]));
    assert!(text.contains("No faults found.") && text.contains(". --verbose lists all."), "{text}");
    assert!(!text.contains("handshake.identity"), "passes are only counted: {text}");
    assert!(stdout(&doctor(&["--report", &json, "--verbose"])).contains("handshake.identity"));
}

#[test]
fn files_for_continuous_integration() {
    let folder = Folder::new();
    let [json, markdown, junit, sarif] = ["a.json", "a.md", "a.xml", "a.sarif"].map(|name| folder.file(name));
    let files =
        ["--markdown", &markdown, "--junit", &junit, "--sarif", &sarif, "--sarif-source", "src/lib.c"];
    let output = doctor(&[&["--only", "handshake", "--json", &json][..], &files].concat());
    assert!(output.status.success(), "{output:?}");
    let read = |path: &str| std::fs::read_to_string(path).expect("the file was written");
    assert!(read(&markdown).contains("**No faults found."), "{}", read(&markdown));
    assert!(read(&junit).contains("<testsuite name=\"handshake\""), "{}", read(&junit));
    let alerts = |path: &str| -> serde_json::Value { serde_json::from_str(&read(path)).expect("JSON") };
    assert_eq!(alerts(&sarif)["runs"][0]["results"], serde_json::json!([]));
    // The same report with a failure.
    std::fs::write(&json, read(&json).replacen("\"pass\"", "\"fail\"", 1)).expect("written");
    let output = doctor(&[&["--report", &json][..], &files].concat());
    assert_eq!(output.status.code(), Some(1));
    let alert = alerts(&sarif)["runs"][0]["results"][0].clone();
    assert_eq!(alert["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "src/lib.c");
    assert!(read(&junit).contains("<failure message="), "{}", read(&junit));
    assert!(read(&markdown).contains("| FAILED | `handshake."), "{}", read(&markdown));
}

#[test]
fn baseline_forgives_known_failures() {
    let folder = Folder::new();
    let (sound, broken) = (folder.file("sound.json"), folder.file("broken.json"));
    assert_eq!(doctor(&["--only", "handshake", "--json", &sound]).status.code(), Some(0));
    let saved = std::fs::read_to_string(&sound).expect("the report was written");
    std::fs::write(&broken, saved.replacen("\"pass\"", "\"fail\"", 1)).expect("written");
    for (code, report, baseline) in [(0, &sound, &broken), (0, &broken, &broken), (1, &broken, &sound)] {
        let output = doctor(&["--report", report, "--baseline", baseline]);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(stdout(&output).contains("Compared with the baseline"), "{output:?}");
    }
    assert_eq!(doctor(&["--report", &sound, "--baseline", "/no/such/file"]).status.code(), Some(2));
}

#[test]
fn short_budget_ends_early_with_a_report() {
    let folder = Folder::new();
    let json = folder.file("report.json");
    let output = doctor(&["--only", "handshake,mates", "--budget", "0.1s", "--json", &json]);
    assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
    let saved = std::fs::read_to_string(&json).expect("the report was written");
    let report: serde_json::Value = serde_json::from_str(&saved).expect("JSON");
    assert_eq!(report["checks"], serde_json::json!(["handshake", "mates"]));
    assert_eq!(doctor(&["--budget", "soon"]).status.code(), Some(2));
}

#[test]
fn run_options_need_a_run() {
    for arguments in [
        &["--list", "--json", "x"][..],
        &["--explain", "mirror", "--html", "x"],
        &["--compare", "a", "b", "--full"],
    ] {
        assert_eq!(doctor(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn unknown_engine_option_is_reported() {
    let text = stdout(&doctor(&["--only", "handshake", "--option", "Hsh=1", "--option", "Hash=8"]));
    assert!(
        text.contains("handshake.options") && text.contains("doesn't have option Hsh; did you mean Hash?"),
        "{text}"
    );
}

#[test]
fn unwritable_file_is_an_error_before_the_run() {
    let output = doctor(&["--engine", "/no/such/engine", "--json", "/no/such/folder/report.json"]);
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{}", stdout(&output));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("/no/such/folder/report.json"), "{error}");
}

#[test]
fn exit_codes() {
    let folder = Folder::new();
    let (json, broken, missing) = (folder.file("a.json"), folder.file("b.json"), folder.file("no.json"));
    std::fs::write(&broken, "{").expect("written");
    assert_eq!(doctor(&["--only", "handshake", "--json", &json]).status.code(), Some(0));
    let cases = [
        (0, vec!["--report", &json]),
        (0, vec!["--report", &json, "--repro", "handshake.identity"]),
        (0, vec!["--compare", &json, &json]),
        (2, vec!["--report", &missing]),
        (2, vec!["--report", &broken]),
        (2, vec!["--compare", &json, &broken]),
        (2, vec!["--report", &json, "--html", "/no/such/folder/page.html"]),
        (2, vec!["--report", &json, "--repro", "handshake.identty"]),
        // A known finding that is not in the report.
        (2, vec!["--report", &json, "--repro", "draws.fifty"]),
    ];
    for (code, arguments) in cases {
        let output = doctor(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
        assert_eq!(output.stderr.is_empty(), code == 0, "{arguments:?}: {output:?}");
    }
    let unsound = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .args(["doctor", "--report", &json])
        .env("VEDETTE_SIMD", "nonsense")
        .output()
        .expect("the program starts");
    assert_eq!(unsound.status.code(), Some(2), "an invalid environment is not a failure: {unsound:?}");
    let saved = std::fs::read_to_string(&json).expect("the report was written");
    std::fs::write(&broken, saved.replacen("\"pass\"", "\"fail\"", 1)).expect("written");
    assert_eq!(doctor(&["--report", &broken]).status.code(), Some(1));
    assert_eq!(doctor(&["--compare", &json, &broken]).status.code(), Some(1));
    assert_eq!(doctor(&["--compare", &broken, &json]).status.code(), Some(0));
    assert_eq!(doctor(&["--report", &broken, "--repro", "handshake.identity"]).status.code(), Some(0));
    let schema_1 = saved.replace("\"schema\": 2", "\"schema\": 1").replace("\"pass\"", "\"sound\"");
    assert_ne!(schema_1, saved);
    std::fs::write(&broken, schema_1).expect("written");
    assert_eq!(doctor(&["--compare", &json, &broken]).status.code(), Some(0));
}

#[test]
fn unknown_finding_has_a_hint() {
    let output = doctor(&["--repro", "draws.fity"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean 'draws.fifty'?"), "{output:?}");
}

#[test]
fn missing_program_and_non_engine() {
    let nothing = doctor(&["--engine", "/no/such/engine"]);
    assert_eq!(nothing.status.code(), Some(2));
    let refusal = String::from_utf8_lossy(&nothing.stderr);
    assert!(refusal.contains("cannot start /no/such/engine"), "{refusal}");
    let no_engine = doctor(&["--engine", "true"]);
    assert_eq!(no_engine.status.code(), Some(1));
    assert!(stdout(&no_engine).contains("failed to start"), "{}", stdout(&no_engine));
}
