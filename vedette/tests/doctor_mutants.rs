//! Every named bug of the engine is switched on in turn, and the doctor must rank its cause among the first three. Needs
//! a build with the `mutants` feature:
//!
//! `cargo test --package vedette --features mutants --test doctor_mutants`
//!
//! runs only the deciding checks, for a few bugs. `-- --ignored --nocapture quick_runs` makes a quick run for every bug
//! (`make proof`), `full_runs` a full one; both print the table of `docs/notes/2026-11-doctor-measurements.md`.
//! `VEDETTE_MUTANTS=a,b` selects some bugs, `VEDETTE_PARALLEL=8` tests eight in parallel.

#![cfg(all(feature = "mutants", unix))]

use std::sync::Mutex;

use doctor::Subject;
use doctor::catalogue::CheckId;
use doctor::check::Thoroughness;
use doctor::compare::compare;
use doctor::examine::ExaminationPlan;
use doctor::report::Report;
use engine::Mutant;

/// A bug, the causes that name it, the deciding checks, and whether it is part of every test run.
struct Case {
    mutant: Mutant,
    named_as: &'static [&'static str],
    decided_by: &'static [&'static str],
    always: bool,
}

const fn case(
    mutant: Mutant,
    named_as: &'static [&'static str],
    decided_by: &'static [&'static str],
    always: bool,
) -> Case {
    Case { mutant, named_as, decided_by, always }
}

const CASES: &[Case] = {
    use Mutant as M;
    &[
        case(M::ReSearchEverywhere, &["repeated-zero-windows"], &["statistics"], true),
        case(M::BoundIgnored, &["bounds-misused"], &["distances", "statistics"], true),
        case(M::ExactStoredAsUpper, &["exact-not-stored"], &["statistics"], false),
        case(
            M::UpperStoredAsLower,
            &["bounds-stored-wrong", "bounds-misused"],
            &["distances", "statistics"],
            true,
        ),
        case(M::MateScoreNotShifted, &["mate-not-shifted"], &["distances"], true),
        case(M::BlackTablesFlipped, &["black-tables"], &["orientation", "mirror", "odds"], false),
        case(M::TablesUpsideDown, &["tables-upside-down"], &["orientation", "mirror"], false),
        case(M::BlackSignFlipped, &["one-colour-sign"], &["odds", "mirror"], true),
        case(M::CutoffOnlyAboveBeta, &["strict-cutoff"], &["statistics"], false),
        case(M::StalemateIsMate, &["mate-stalemate"], &["mates"], true),
        case(M::StandPatInCheck, &["stand-pat-in-check"], &["mates", "leaves"], false),
        case(M::NullMoveInZugzwang, &["null-move"], &["zugzwang"], false),
        case(M::RepetitionIgnored, &["repetition"], &["draws"], false),
        case(M::FiftyMovesIgnored, &["fifty-moves"], &["draws"], true),
        case(M::RootFullWindow, &["root-full-window"], &["statistics", "root-window"], false),
        case(M::NodesAtRootOnly, &["node-counter"], &["nodes", "limits"], false),
        case(M::ClockTenth, &["clock-unused"], &["clock"], false),
        case(M::HashMoveUnchecked, &["hash-move"], &["tiny-hash"], false),
        case(M::StaleHash, &["stale-hash", "table-depth"], &["table", "growth", "statistics"], false),
        case(
            M::OverReduction,
            &["over-reduction"],
            &["tactics", "growth", "table", "nodes", "statistics"],
            false,
        ),
        case(M::ReverseFutilityEverywhere, &["unsound-pruning"], &["growth", "statistics"], true),
        case(M::WorstMoveFirst, &["move-order"], &["statistics", "growth"], false),
        case(M::FirstMoveAtDepthOne, &["depth-one"], &["leaves"], true),
        case(M::NoQuiescence, &["no-quiescence"], &["leaves"], true),
        case(M::DrawMissedAtHorizon, &["draw-at-leaf"], &["draws"], false),
        case(M::MovesFromA1Rejected, &["search-colour"], &["mirror"], false),
        case(M::ScoreFromWhite, &["score-view"], &["odds"], true),
        case(M::SearchMovesIgnored, &["search-moves"], &["limits"], false),
        case(M::NodeLimitIgnored, &["node-limit"], &["limits", "nodes"], false),
        case(M::IncrementIgnored, &["increment"], &["clock"], false),
        case(M::ClockOverrun, &["clock-overrun"], &["clock"], false),
    ]
};

fn examine(mutant: Mutant, thoroughness: Thoroughness, only: Vec<CheckId>) -> Report {
    examine_with(&format!("env {}={} ", Mutant::VARIABLE, mutant.name()), thoroughness, only)
}

fn examine_with(start: &str, thoroughness: Thoroughness, only: Vec<CheckId>) -> Report {
    let command = format!("{start}\"{}\"", env!("CARGO_BIN_EXE_vedette"));
    // The evaluation bugs are in the classical evaluation.
    let options = vec![("Evaluation".to_owned(), "classical".to_owned())];
    let plan = ExaminationPlan {
        subject: Subject { command, options },
        thoroughness,
        only,
        time_limit: None,
        doctor: "proof".to_owned(),
    };
    plan.run(&std::sync::Arc::default(), |_| {})
}

#[test]
fn every_bug_has_a_case() {
    for mutant in Mutant::ALL {
        assert_eq!(CASES.iter().filter(|case| case.mutant == *mutant).count(), 1, "{}", mutant.name());
    }
}

/// Two builds that differ only in zero-window searches that are made twice.
#[test]
fn comparison_finds_repeated_searches() {
    let sound = examine_with("", Thoroughness::Quick, vec![CheckId::Growth]);
    let twice = examine(Mutant::ReSearchEverywhere, Thoroughness::Quick, vec![CheckId::Growth]);
    let same = compare(&sound, &twice).same_tree.expect("the same tree");
    let text = same.text();
    assert!(same.nodes > 1.02 && text.contains("more nodes at every depth"), "{text}");
    assert!(compare(&sound, &sound).same_tree.is_some_and(|same| same.is_identical()));
    let other = examine(Mutant::NoQuiescence, Thoroughness::Quick, vec![CheckId::Growth]);
    assert_eq!(compare(&sound, &other).same_tree, None);
}

#[test]
fn deciding_checks_diagnose_bugs() {
    // None of these checks reads a clock.
    diagnose(2, |case| {
        let decided_by = case.decided_by.iter().filter_map(|name| CheckId::parse(name)).collect();
        case.always.then(|| examine(case.mutant, Thoroughness::Quick, decided_by))
    });
}

#[test]
#[ignore = "make proof"]
fn quick_runs_diagnose_all_bugs() {
    diagnose(1, |case| Some(examine(case.mutant, Thoroughness::Quick, Vec::new())));
}

#[test]
#[ignore = "make proof does not run it: hours"]
fn full_runs_diagnose_all_bugs() {
    diagnose(1, |case| Some(examine(case.mutant, Thoroughness::Full, Vec::new())));
}

/// Ranks the causes of every bug for which `report` returns a report, `workers` bugs in parallel by default.
fn diagnose(workers: usize, report: impl Fn(&Case) -> Option<Report> + Sync) {
    let chosen = std::env::var("VEDETTE_MUTANTS").ok();
    let wanted = |case: &&Case| {
        chosen.as_ref().is_none_or(|list| list.split(',').any(|name| name == case.mutant.name()))
    };
    let cases: Vec<&Case> = CASES.iter().filter(wanted).collect();
    let results = side_by_side(&cases, workers, |case| {
        let result = evaluate(case, &report(case)?);
        // Each row as it comes, since a run of all bugs takes long.
        println!("{}", result.row);
        Some(result)
    });
    let diagnosed: Vec<(&Case, &Diagnosed)> =
        cases.iter().zip(&results).filter_map(|(case, result)| Some((*case, result.as_ref()?))).collect();
    let rows: Vec<&str> = diagnosed.iter().map(|(_, result)| result.row.as_str()).collect();
    let table = format!("| bug | rank | cause | failed findings |\n|---|---|---|---|\n{}", rows.join("\n"));
    let missed: Vec<&str> = diagnosed
        .iter()
        .filter(|(_, result)| result.rank.is_none_or(|rank| rank > 3))
        .map(|(case, _)| case.mutant.name())
        .collect();
    println!("{table}");
    assert!(missed.is_empty(), "not among the first three causes: {missed:?}\n{table}");
}

#[derive(Clone)]
struct Diagnosed {
    /// Rank of the cause, from 1.
    rank: Option<usize>,
    /// Of the table.
    row: String,
}

fn evaluate(case: &Case, report: &Report) -> Diagnosed {
    let explanations = &report.diagnosis.explanations;
    let index = explanations.iter().position(|ranked| case.named_as.contains(&ranked.id.as_str()));
    let failed: Vec<&str> =
        report.findings.iter().filter(|finding| finding.is_failure()).map(|f| f.id.as_str()).collect();
    let rank = index.map_or_else(|| "-".to_owned(), |index| (index + 1).to_string());
    let cause = index.map_or("", |index| explanations[index].id.as_str());
    let row = format!("| `{}` | {rank} | {cause} | {} |", case.mutant.name(), failed.join(", "));
    Diagnosed { rank: index.map(|index| index + 1), row }
}

/// Results in the order of the cases.
fn side_by_side(
    cases: &[&Case],
    workers: usize,
    work: impl Fn(&Case) -> Option<Diagnosed> + Sync,
) -> Vec<Option<Diagnosed>> {
    let chosen = std::env::var("VEDETTE_PARALLEL").ok().and_then(|text| text.parse().ok());
    let workers: usize = chosen.unwrap_or(workers);
    let queue = Mutex::new(cases.iter().enumerate());
    let results = Mutex::new(vec![None; cases.len()]);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((index, case)) = queue.lock().expect("no worker panics").next() else { return };
                    let result = work(case);
                    results.lock().expect("no worker panics")[index] = result;
                }
            });
        }
    });
    results.into_inner().expect("no worker panics")
}
