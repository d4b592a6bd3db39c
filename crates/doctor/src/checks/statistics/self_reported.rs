//! The engine's own search statistics. The PV re-search rate is relative to the zero-window searches at PV nodes; relative to all
//! nodes it shrinks as trees grow, and says nothing.

use std::time::Duration;

use uci::OptionKind;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination, positions};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::samples::of_all_phases;

pub const CHECK: Check = Check {
    id: CheckId::Statistics,
    method: "Enables check options named like statistics, searches positions of all game phases to depth 12, and adds up the \
             numbers of the info string lines: zero-window searches and re-searches at PV and other nodes, first-move cutoffs, \
             missed cutoffs, PV nodes without a searched move, and stored bound types.",
    seconds: (12, 40),
    run,
};

/// Sums over all searches.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    zero_window: f64,
    pv_zero_window: f64,
    re_searches: f64,
    non_pv_re_searches: Option<f64>,
    cutoffs: f64,
    first_cutoffs: f64,
    late_cutoffs: Option<f64>,
    pv_nodes: f64,
    first_moves: f64,
    stored: Option<[f64; 3]>,
    /// Hash cutoffs that contradict the bound, exceed the depth, or have an impossible mate.
    wrong_cutoffs: Option<[f64; 3]>,
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    enable(exam)?;
    let mut repro = Vec::new();
    // Hash cutoffs with mate scores need mating positions.
    let mating = positions(&[
        "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1",
        "8/8/8/3k4/8/4K3/8/7R w - - 0 1",
        "8/8/8/3k4/8/8/8/KR5R w - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ]);
    let mating_count = mating.len();
    let mut lines = Vec::new();
    let phases = of_all_phases().into_iter().step_by(exam.pick(3, 1));
    for (number, position) in mating.into_iter().chain(phases).enumerate() {
        lines.append(&mut exam.engine.audit().take_strings());
        let counts_nothing = number >= mating_count && read(&lines) == Counts::default();
        if counts_nothing || !exam.has_time() {
            break;
        }
        if let Ok(result) =
            exam.engine.search_fresh(&position, "go depth 12", exam.cap(Duration::from_secs(3)))
        {
            repro = result.repro();
        }
    }
    lines.append(&mut exam.engine.audit().take_strings());
    let counts = read(&lines);
    if counts.zero_window == 0.0 && counts.cutoffs == 0.0 && counts.stored.is_none() {
        let why = "no search statistics (docs/doctor/statistics.md has the format)";
        return Ok(vec![Finding::skipped(FindingId::StatisticsReSearches, why)]);
    }
    let mut findings = evaluate(&counts);
    for finding in &mut findings {
        finding.repro.clone_from(&repro);
    }
    Ok(findings)
}

/// Enables every check option named like statistics.
///
/// # Errors
/// The engine crashed or hung.
pub fn enable(exam: &mut Examination) -> Result<(), EngineError> {
    let options: Vec<String> = exam
        .engine
        .identity()
        .options
        .iter()
        .filter(|option| matches!(option.kind, OptionKind::Check { .. }))
        .filter(|option| option.name.to_lowercase().contains("stat"))
        .map(|option| option.name.clone())
        .collect();
    for option in &options {
        exam.engine.set(option, "true")?;
    }
    exam.engine.audit().take_strings();
    Ok(())
}

/// Hash moves and illegal hash moves.
pub fn hash_moves(lines: &[String]) -> Option<[f64; 2]> {
    let counts = lines
        .iter()
        .filter(|line| line.starts_with("hash moves:"))
        .filter_map(|line| Some([number_after(line, "hash moves:")?, number_after(line, "illegal")?]));
    counts.reduce(|a, b| [a[0] + b[0], a[1] + b[1]])
}

fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { 100.0 * part / whole } else { 0.0 }
}

fn evaluate(counts: &Counts) -> Vec<Finding> {
    let mut findings = Vec::new();
    let none = |id, wrong: f64, summary: String, samples: f64| {
        counted(id, Verdict::fail_if(wrong > 0.0), summary)
            .effect(wrong)
            .threshold("any")
            .samples(samples as usize)
    };
    if let Some(wrong) = counts.non_pv_re_searches {
        let summary = format!("{wrong:.0} of {:.0} re-searches are at non-PV nodes", counts.re_searches);
        findings.push(none(FindingId::StatisticsReSearches, wrong, summary, counts.zero_window));
    }
    findings.extend(re_search_rate(counts));
    findings.extend(ordering(counts));
    if let Some(late) = counts.late_cutoffs {
        let summary = format!("{late:.0} nodes continued after a fail-high");
        findings.push(none(FindingId::StatisticsCutoffs, late, summary, counts.cutoffs));
    }
    if counts.first_moves > 0.0 && counts.pv_nodes >= MIN_PV_NODES {
        findings.push(full_windows(counts));
        findings.push(pv_cuts(counts.pv_nodes, counts.first_moves));
    }
    if let Some([against, beyond, impossible]) = counts.wrong_cutoffs {
        for (id, wrong, why) in [
            (FindingId::StatisticsHashBounds, against, "that contradict the bound"),
            (FindingId::StatisticsHashDepths, beyond, "of insufficient depth"),
            (FindingId::StatisticsHashMates, impossible, "with a mate closer to the root than the node"),
        ] {
            findings.push(none(id, wrong, format!("{wrong:.0} hash cutoffs {why}"), counts.zero_window));
        }
    }
    if let Some(stored) = counts.stored.filter(|stored| stored.iter().sum::<f64>() >= MIN_STORED) {
        findings.extend(stored_kinds(stored));
    }
    findings
}

fn counted(id: FindingId, verdict: Verdict, summary: String) -> Finding {
    Finding::new(id, verdict, summary).fixed_confidence(0.98, "counted by the engine")
}

fn re_search_rate(counts: &Counts) -> Option<Finding> {
    const ID: FindingId = FindingId::StatisticsPvReSearchRate;
    let over_all = percent(counts.re_searches, counts.zero_window);
    // Re-searches at other nodes are another finding.
    let at_pv_nodes = (counts.re_searches - counts.non_pv_re_searches.unwrap_or(0.0)).max(0.0);
    let rate = percent(at_pv_nodes, counts.pv_zero_window);
    if counts.pv_zero_window > MIN_ZERO_WINDOW {
        if rate > 100.0 {
            return Some(Finding::skipped(ID, format!("impossible PV re-search rate: {rate:.0} %")));
        }
        let summary = format!("PV re-search rate {rate:.2} % ({over_all:.3} % of all zero-window searches)");
        let finding = counted(ID, Verdict::fail_if(rate == 0.0 || rate > MAX_RE_SEARCHES), summary)
            .effect(rate)
            .threshold(format!("0 % or more than {MAX_RE_SEARCHES:.0} %"))
            .samples(counts.pv_zero_window as usize)
            .measure(Measure::ReSearchRate, over_all);
        return Some(finding);
    }
    let summary = format!(
        "re-searches are {over_all:.3} % of all zero-window searches, which says nothing (Stockfish 11 has 0.24 %): count \
         zero-window searches at PV nodes"
    );
    (counts.zero_window > 0.0)
        .then(|| counted(ID, Verdict::Skipped, summary).measure(Measure::ReSearchRate, over_all))
}

fn ordering(counts: &Counts) -> Option<Finding> {
    const ID: FindingId = FindingId::StatisticsOrdering;
    if counts.cutoffs <= MIN_CUTOFFS {
        return None;
    }
    let share = percent(counts.first_cutoffs, counts.cutoffs);
    if share > 100.0 {
        return Some(Finding::skipped(ID, format!("impossible first-move cutoff rate: {share:.0} %")));
    }
    let summary = format!("{share:.1} % of the cutoffs are by the first move");
    let finding = counted(ID, Verdict::fail_if(share < MIN_FIRST_CUTOFFS), summary)
        .effect(share)
        .threshold(format!("less than {MIN_FIRST_CUTOFFS:.0} %"))
        .samples(counts.cutoffs as usize);
    Some(finding)
}

fn full_windows(counts: &Counts) -> Finding {
    let ratio = counts.first_moves / counts.pv_nodes;
    let summary = format!("{ratio:.2} full-window searches per PV node without a zero-window search");
    counted(FindingId::StatisticsFullWindows, Verdict::fail_if(ratio > 1.0), summary)
        .effect(ratio)
        .threshold("more than one")
        .samples(counts.pv_nodes as usize)
}

/// Minimum counts.
const MIN_ZERO_WINDOW: f64 = 500.0;
const MIN_CUTOFFS: f64 = 1000.0;
const MIN_STORED: f64 = 1000.0;

/// Percent; poor move ordering.
const MIN_FIRST_CUTOFFS: f64 = 75.0;

/// PV re-search rate in percent: strong engines have 1 to 10.
const MAX_RE_SEARCHES: f64 = 20.0;

const MIN_PV_NODES: f64 = 500.0;

/// Percent of PV nodes without a searched move: draws, mates and mate distance pruning make 0.2 to 1.7.
const MAX_PV_CUTS: f64 = 4.0;

fn pv_cuts(pv_nodes: f64, first_moves: f64) -> Finding {
    let share = percent((pv_nodes - first_moves).max(0.0), pv_nodes);
    counted(
        FindingId::StatisticsPvCuts,
        Verdict::fail_if(share > MAX_PV_CUTS),
        format!("{share:.1} % of {pv_nodes:.0} PV nodes have no searched move"),
    )
    .effect(share)
    .threshold(format!("more than {MAX_PV_CUTS:.0} %"))
    .samples(pv_nodes as usize)
}

/// Every search stores exact scores, lower bounds and upper bounds.
fn stored_kinds([exact, lower, upper]: [f64; 3]) -> [Finding; 2] {
    let all = exact + lower + upper;
    let missing: Vec<&str> = [("exact", exact), ("lower", lower), ("upper", upper)]
        .iter()
        .filter(|kind| kind.1 == 0.0)
        .map(|kind| kind.0)
        .collect();
    let summary = if missing.is_empty() {
        format!("stored {exact:.0} exact scores, {lower:.0} lower and {upper:.0} upper bounds")
    } else {
        format!("no {} scores among {all:.0} stored", missing.join(" or "))
    };
    let without_exact = missing.contains(&"exact");
    let without_bound = !missing.is_empty() && !without_exact;
    [(FindingId::StatisticsStoredExact, without_exact), (FindingId::StatisticsStoredBounds, without_bound)]
        .map(|(id, fails)| {
            counted(id, Verdict::fail_if(fails), summary.clone())
                .effect(missing.len() as f64)
                .threshold("a bound type that is never stored")
                .samples(all as usize)
        })
}

/// What a line with keys and numbers begins with.
const PREFIX: &str = "statistics ";

impl Counts {
    /// Adds `KEY NUMBER` pairs; unknown keys are for other readers.
    fn add_pairs(&mut self, pairs: &str) {
        let mut words = pairs.split_whitespace();
        while let Some((key, number)) = words.next().zip(words.next()) {
            let Ok(number) = number.parse::<u64>() else { continue };
            if let Some(field) = self.field(key) {
                *field += number as f64;
            }
        }
    }

    fn field(&mut self, key: &str) -> Option<&mut f64> {
        Some(match key {
            "pv-nodes" => &mut self.pv_nodes,
            "pv-first-moves" => &mut self.first_moves,
            "zero-window" => &mut self.zero_window,
            "pv-zero-window" => &mut self.pv_zero_window,
            "re-searches" => &mut self.re_searches,
            "non-pv-re-searches" => self.non_pv_re_searches.get_or_insert(0.0),
            "cutoffs" => &mut self.cutoffs,
            "first-cutoffs" => &mut self.first_cutoffs,
            "late-cutoffs" => self.late_cutoffs.get_or_insert(0.0),
            "hash-wrong-bound" => &mut self.wrong_cutoffs.get_or_insert([0.0; 3])[0],
            "hash-wrong-depth" => &mut self.wrong_cutoffs.get_or_insert([0.0; 3])[1],
            "hash-wrong-mate" => &mut self.wrong_cutoffs.get_or_insert([0.0; 3])[2],
            "stored-exact" => &mut self.stored.get_or_insert([0.0; 3])[0],
            "stored-lower" => &mut self.stored.get_or_insert([0.0; 3])[1],
            "stored-upper" => &mut self.stored.get_or_insert([0.0; 3])[2],
            _ => return None,
        })
    }
}

fn read(lines: &[String]) -> Counts {
    let mut counts = Counts::default();
    for line in lines {
        if let Some(pairs) = line.strip_prefix(PREFIX) {
            counts.add_pairs(pairs);
            continue;
        }
        let line = line.to_lowercase().replace("searches:", "searches :");
        let add = |field: &mut f64, key: &str| {
            if let Some(value) = number_after(&line, key) {
                *field += value;
            }
        };
        // "scouts" is the former key.
        let key = ["zero-window searches :", "scouts:"].into_iter().find(|key| line.starts_with(key));
        if let Some(key) = key {
            add(&mut counts.zero_window, key);
            add(&mut counts.pv_zero_window, "at pv nodes");
            add(&mut counts.re_searches, "re-searches :");
            if let Some(value) = number_after(&line, "at non-pv nodes") {
                *counts.non_pv_re_searches.get_or_insert(0.0) += value;
            }
        } else if line.contains("scout searches :") || line.contains("re-searches :") {
            add(&mut counts.zero_window, "scout searches :");
            add(&mut counts.re_searches, "re-searches :");
        }
        if line.starts_with("first-move cutoffs:")
            && let (Some(share), Some(all)) = (number_after(&line, "cutoffs:"), number_after(&line, "% of"))
        {
            counts.cutoffs += all;
            counts.first_cutoffs += all * share / 100.0;
            if let Some(late) = number_after(&line, "missed at the first chance") {
                *counts.late_cutoffs.get_or_insert(0.0) += late;
            }
        }
        if line.starts_with("nodes:") {
            add(&mut counts.pv_nodes, "(pv");
            add(&mut counts.first_moves, "first moves of pv nodes");
        }
        if line.starts_with("hash:") && line.contains("against the bound") {
            let wrong = counts.wrong_cutoffs.get_or_insert([0.0; 3]);
            for (field, key) in
                wrong.iter_mut().zip(["against the bound", "beyond the depth", "impossible mates"])
            {
                *field += number_after(&line, key).unwrap_or(0.0);
            }
        }
        if line.starts_with("stored:") {
            let stored = counts.stored.get_or_insert([0.0; 3]);
            for (field, key) in stored.iter_mut().zip(["exact", "lower", "upper"]) {
                *field += number_after(&line, key).unwrap_or(0.0);
            }
        }
    }
    counts
}

/// The number after a key.
fn number_after(line: &str, key: &str) -> Option<f64> {
    let rest = line[line.find(key)? + key.len()..].trim_start_matches([' ', ':', '=', '(']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(statistics: &engine::Statistics) -> Vec<String> {
        statistics.to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn vedette_lines_are_parsed() {
        let mut statistics = engine::Statistics::default();
        (statistics.pv_nodes, statistics.first_moves) = (50, 40);
        (statistics.zero_window_searches, statistics.pv_zero_window_searches) = (12_000, 1000);
        (statistics.re_searches, statistics.non_pv_re_searches) = (30, 2);
        (statistics.cutoffs, statistics.first_move_cutoffs, statistics.late_cutoffs) = (4000, 3600, 1);
        (statistics.stored, statistics.wrong_bounds) = ([5, 600, 700], 3);
        (statistics.hash_moves, statistics.illegal_hash_moves) = (900, 4);
        assert_eq!(hash_moves(&lines(&statistics)), Some([900.0, 4.0]));
        let read = read(&lines(&statistics));
        assert_eq!((read.zero_window, read.pv_zero_window, read.re_searches), (12_000.0, 1000.0, 30.0));
        assert_eq!((read.non_pv_re_searches, read.late_cutoffs), (Some(2.0), Some(1.0)));
        assert_eq!((read.pv_nodes, read.first_moves, read.stored), (50.0, 40.0, Some([5.0, 600.0, 700.0])));
        let failed: Vec<String> =
            evaluate(&read).into_iter().filter(Finding::is_failure).map(|finding| finding.id).collect();
        assert_eq!(failed, ["statistics.re-searches", "statistics.cutoffs", "statistics.hash-bounds"]);
    }

    /// The example of the page, and the keys of its programs.
    #[test]
    fn documented_form_is_read() {
        let page = CheckId::Statistics.page();
        let example = page.lines().find_map(|line| line.strip_prefix("info string ")).expect("an example");
        let found = evaluate(&read(&[example.to_owned()]));
        let failed: Vec<&str> =
            found.iter().filter(|finding| finding.is_failure()).map(|finding| finding.id.as_str()).collect();
        assert!(failed.is_empty(), "{failed:?}");
        for id in [
            "re-searches",
            "pv-re-search-rate",
            "ordering",
            "cutoffs",
            "full-windows",
            "pv-cuts",
            "stored-bounds",
        ] {
            let id = format!("statistics.{id}");
            assert!(found.iter().any(|finding| finding.id == id), "{id}");
        }
        let programs: Vec<&str> =
            page.lines().filter(|line| line.contains("\"info string statistics")).collect();
        assert_eq!(programs.len(), 3, "C, C++ and Rust");
        for block in page.split("```").filter(|block| block.contains("\"info string statistics")) {
            let quoted: String = block.split('"').skip(1).step_by(2).collect::<Vec<_>>().join(" ");
            let is_key = |word: &&str| word.contains('-') || *word == "cutoffs";
            let clean = quoted.replace("\\n", " ");
            let keys: Vec<&str> = clean.split_whitespace().filter(is_key).collect();
            assert!(keys.len() >= 8, "{keys:?}");
            for key in keys {
                assert!(Counts::default().field(key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn pairs_are_added_up() {
        let line = |text: &str| format!("statistics {text}");
        let counts = read(&[line("cutoffs 10 first-cutoffs 8 own-key 3"), line("cutoffs 5 first-cutoffs x")]);
        assert_eq!((counts.cutoffs, counts.first_cutoffs, counts.late_cutoffs), (15.0, 8.0, None));
    }

    #[test]
    fn pv_cuts_threshold() {
        for (first_moves, failed) in [(9920, &[][..]), (9180, &["statistics.pv-cuts"])] {
            let mut statistics = engine::Statistics::default();
            (statistics.pv_nodes, statistics.first_moves) = (10_000, first_moves);
            statistics.stored = [1; 3];
            let found: Vec<String> = evaluate(&read(&lines(&statistics)))
                .into_iter()
                .filter(Finding::is_failure)
                .map(|finding| finding.id)
                .collect();
            assert_eq!(found, failed);
        }
    }

    #[test]
    fn few_and_impossible_counts_do_not_fail() {
        let verdicts = |lines: &[&str]| -> Vec<(String, Verdict)> {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            evaluate(&read(&lines)).into_iter().map(|finding| (finding.id, finding.verdict)).collect()
        };
        assert_eq!(verdicts(&["stored: exact 0 lower 0 upper 0"]), []);
        assert_eq!(verdicts(&["nodes: main 90 (PV 6) quiescence 4 first moves of PV nodes 55"]), []);
        let skipped = |id: &str| vec![(id.to_owned(), Verdict::Skipped)];
        assert_eq!(verdicts(&["first-move cutoffs: 200% of 5000"]), skipped("statistics.ordering"));
        let twice = "scouts: 9000 (at PV nodes 900) failed high: 600 re-searches: 1800";
        assert_eq!(verdicts(&[twice]), skipped("statistics.pv-re-search-rate"));
    }

    #[test]
    fn pv_rate_ignores_other_nodes() {
        let lines = ["scouts: 9000 (at PV nodes 900) failed high: 60 re-searches: 850 (at non-PV nodes 800)"];
        let found = evaluate(&read(&lines.map(str::to_owned)));
        let rate =
            found.iter().find(|finding| finding.id == "statistics.pv-re-search-rate").expect("measured");
        assert!(!rate.is_failure() && rate.summary.contains("5.56 %"), "{rate:?}");
    }

    #[test]
    fn rate_over_all_nodes_is_skipped() {
        let lines = ["PVS scout searches: 176304", "PVS re-searches: 43"].map(str::to_owned);
        let found = evaluate(&read(&lines));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].verdict == Verdict::Skipped && found[0].summary.contains("says nothing"),
            "{found:?}"
        );
    }
}
