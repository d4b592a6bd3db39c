//! What the engine counts itself, judged by the right definitions: re-searches for each scout at PV nodes (B), never for
//! each scout of all nodes (A), which shrinks as trees grow and says nothing.

use std::time::Duration;

use uci::info::OptionKind;

use crate::check::{Check, Examination, positions};
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::patient::Trouble;
use crate::samples::of_all_phases;

/// The check.
pub const CHECK: Check = Check {
    name: "statistics",
    group: Group::Statistics,
    title: "the engine's own counts, by the right definitions",
    method: "Switches on options named like statistics, searches positions of all phases to depth 12, and adds up the \
             numbers of 'info string' lines: scouts and re-searches (at PV nodes and elsewhere), first-move cutoffs, \
             cutoffs missed, PV nodes without a move searched, and the kinds of scores that went into the table.",
    seconds: (12, 40),
    run,
};

/// Counts that were read, added up over all searches.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    scouts: f64,
    pv_scouts: f64,
    re_searches: f64,
    non_pv_re_searches: Option<f64>,
    cutoffs: f64,
    first_cutoffs: f64,
    late_cutoffs: Option<f64>,
    pv_nodes: f64,
    first_moves: f64,
    stored: Option<[f64; 3]>,
    /// Hash cutoffs against the bound, beyond the depth, and by mates that lie before the node.
    wrong_cutoffs: Option<[f64; 3]>,
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    switch_on(exam)?;
    let mut repro = Vec::new();
    // Endings with mates, too: what the table says of mates shows only there.
    let mating = positions(&[
        "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1",
        "8/8/8/3k4/8/4K3/8/7R w - - 0 1",
        "8/8/8/3k4/8/8/8/KR5R w - - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ]);
    let silent_after = mating.len();
    let mut told = Vec::new();
    let phases = of_all_phases().into_iter().step_by(exam.pick(3, 1));
    for (number, position) in mating.into_iter().chain(phases).enumerate() {
        told.append(&mut exam.patient.talk().take_strings());
        let counts_nothing = number >= silent_after && read(&told) == Counts::default();
        if counts_nothing || !exam.goes_on() {
            break;
        }
        if let Ok(thinking) =
            exam.patient.search_fresh(&position, "go depth 12", exam.cap(Duration::from_secs(3)))
        {
            repro = thinking.repro();
        }
    }
    told.append(&mut exam.patient.talk().take_strings());
    let counts = read(&told);
    if counts.scouts == 0.0 && counts.cutoffs == 0.0 && counts.stored.is_none() {
        let why = "the engine prints no counts of its own (docs/doctor/statistics.md has the lines to print)";
        return Ok(vec![Finding::unmeasured("statistics", "re-searches", why)]);
    }
    let mut findings = judge(&counts);
    for finding in &mut findings {
        finding.repro.clone_from(&repro);
    }
    Ok(findings)
}

/// Switches on every option that is named like statistics, and forgets what was said before.
///
/// # Errors
/// The engine broke down.
pub fn switch_on(exam: &mut Examination) -> Result<(), Trouble> {
    let switches: Vec<String> = exam
        .patient
        .identity()
        .options
        .iter()
        .filter(|option| matches!(option.kind, OptionKind::Check { .. }))
        .filter(|option| option.name.to_lowercase().contains("stat"))
        .map(|option| option.name.clone())
        .collect();
    for switch in &switches {
        exam.patient.set(switch, "true")?;
    }
    exam.patient.talk().take_strings();
    Ok(())
}

/// Hash moves that the engine counts itself: played, and illegal ones among them.
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

fn judge(counts: &Counts) -> Vec<Finding> {
    let new = |what: &str, verdict: Verdict, summary: String| {
        Finding::new("statistics", what, verdict, summary).sure_by_hand(0.98, "the engine's own counters")
    };
    let a = percent(counts.re_searches, counts.scouts);
    // Only re-searches at PV nodes belong to the scouts at PV nodes; the others are a fault of their own.
    let at_pv_nodes = (counts.re_searches - counts.non_pv_re_searches.unwrap_or(0.0)).max(0.0);
    let b = percent(at_pv_nodes, counts.pv_scouts);
    let impossible = |what: &str, words: String| Finding::unmeasured("statistics", what, words);
    let mut findings = Vec::new();
    if let Some(wrong) = counts.non_pv_re_searches {
        findings.push(
            new(
                "re-searches",
                alarm_if(wrong > 0.0),
                format!(
                    "{wrong:.0} of {:.0} re-searches are at nodes that are not of the principal variation",
                    counts.re_searches
                ),
            )
            .effect("re-searches at zero-window nodes", wrong, "")
            .threshold("any: such a search repeats what the scout has just said")
            .samples(counts.scouts as usize),
        );
    }
    if counts.pv_scouts > ENOUGH_SCOUTS && b > 100.0 {
        let words =
            format!("{b:.0} % of scouts at PV nodes searched again is impossible: the counts are wrong");
        findings.push(impossible("rate-b", words));
    } else if counts.pv_scouts > ENOUGH_SCOUTS {
        findings.push(
            new(
                "rate-b",
                alarm_if(b == 0.0 || b > MOST_RE_SEARCHES),
                format!("B: {b:.2} % of scouts at PV nodes are searched again (A, over all scouts, is {a:.3} % and says nothing)"),
            )
            .effect("re-searches for each scout at PV nodes", b, "%")
            .threshold("none at all, or above 20 %")
            .samples(counts.pv_scouts as usize)
            .measure("rate A", a),
        );
    } else if counts.scouts > 0.0 {
        let summary = format!(
            "re-searches are {a:.3} % of all scouts (A). That says nothing: count scouts at PV nodes; Stockfish 11 shows \
             0.24 % by this definition"
        );
        findings.push(new("rate-b", Verdict::Unmeasured, summary).measure("rate A", a));
    }
    let share = percent(counts.first_cutoffs, counts.cutoffs);
    if counts.cutoffs > ENOUGH_CUTOFFS && share > 100.0 {
        let words =
            format!("{share:.0} % of cutoffs from the first move is impossible: the counts are wrong");
        findings.push(impossible("ordering", words));
    } else if counts.cutoffs > ENOUGH_CUTOFFS {
        findings.push(
            new(
                "ordering",
                alarm_if(share < 75.0),
                format!("{share:.1} % of cutoffs come from the first move"),
            )
            .effect("first-move cutoffs", share, "%")
            .threshold("below 75 % in an engine with a hash table")
            .samples(counts.cutoffs as usize),
        );
    }
    if let Some(late) = counts.late_cutoffs {
        findings.push(
            new(
                "cutoffs",
                alarm_if(late > 0.0),
                format!("{late:.0} nodes failed high and went on all the same"),
            )
            .effect("cutoffs missed", late, "")
            .threshold("any")
            .samples(counts.cutoffs as usize),
        );
    }
    if counts.first_moves > 0.0 && counts.pv_nodes >= ENOUGH_PV_NODES {
        let ratio = counts.first_moves / counts.pv_nodes;
        findings.push(
            new(
                "open-windows",
                alarm_if(ratio > 1.0),
                format!("{ratio:.2} moves for each PV node are searched with an open window without a scout"),
            )
            .effect("open windows for each PV node", ratio, "")
            .threshold("more than one: moves after the first are not scouted")
            .samples(counts.pv_nodes as usize),
        );
        findings.push(judge_pv_cuts(counts.pv_nodes, counts.first_moves, new));
    }
    if let Some([against, beyond, impossible]) = counts.wrong_cutoffs {
        for (what, wrong, why) in [
            ("hash-bounds", against, "whose bound does not decide the comparison"),
            ("hash-depths", beyond, "that were not searched as deep as the node would be"),
            ("hash-mates", impossible, "whose mate lies nearer to the root than the node"),
        ] {
            findings.push(
                new(what, alarm_if(wrong > 0.0), format!("{wrong:.0} cutoffs by hash entries {why}"))
                    .effect("hash cutoffs that are not allowed", wrong, "")
                    .threshold("any")
                    .samples(counts.scouts as usize),
            );
        }
    }
    if let Some(stored) = counts.stored.filter(|stored| stored.iter().sum::<f64>() >= ENOUGH_STORED) {
        findings.extend(judge_stored(stored, new));
    }
    findings
}

/// Scouts at PV nodes, cutoffs and stored scores below which nothing is said of their shares.
const ENOUGH_SCOUTS: f64 = 500.0;
const ENOUGH_CUTOFFS: f64 = 1000.0;
const ENOUGH_STORED: f64 = 1000.0;

/// Re-searches for a hundred scouts at PV nodes: strong engines show 1 to 10.
const MOST_RE_SEARCHES: f64 = 20.0;

/// PV nodes for which a share of them can be told.
const ENOUGH_PV_NODES: f64 = 500.0;

/// PV nodes in percent that may end before a move of theirs was searched: in sound searches 0.2 to 1.7 are drawn, mated or
/// beyond a mate that is known.
const MOST_PV_CUTS: f64 = 4.0;

/// PV nodes that end without having searched a move: what is pruned there is missing in the very line that is played.
fn judge_pv_cuts(pv_nodes: f64, first_moves: f64, new: impl Fn(&str, Verdict, String) -> Finding) -> Finding {
    let share = percent((pv_nodes - first_moves).max(0.0), pv_nodes);
    new(
        "pv-cuts",
        alarm_if(share > MOST_PV_CUTS),
        format!("{share:.1} % of {pv_nodes:.0} PV nodes end before a move is searched"),
    )
    .effect("PV nodes without a move searched", share, "%")
    .threshold(format!("more than {MOST_PV_CUTS:.0} %: draws and mates alone make 0.2 to 1.7 %"))
    .samples(pv_nodes as usize)
}

/// Scores by their kind, as the table was told them: exact, lower and upper bounds. In any search there are some of each.
fn judge_stored(
    [exact, lower, upper]: [f64; 3],
    new: impl Fn(&str, Verdict, String) -> Finding,
) -> [Finding; 2] {
    let all = exact + lower + upper;
    let missing: Vec<&str> = [("exact", exact), ("lower", lower), ("upper", upper)]
        .iter()
        .filter(|kind| kind.1 == 0.0)
        .map(|kind| kind.0)
        .collect();
    let summary = if missing.is_empty() {
        format!("the table was told {exact:.0} exact scores, {lower:.0} lower and {upper:.0} upper bounds")
    } else {
        format!("not one {} score among {all:.0} that went into the table", missing.join(" and no "))
    };
    // A bug that loses exact scores tells another story than one that loses bounds.
    let without_exact = missing.contains(&"exact");
    let without_bound = !missing.is_empty() && !without_exact;
    [("stored-exact", without_exact), ("stored-bounds", without_bound)].map(|(what, alarm)| {
        new(what, alarm_if(alarm), summary.clone())
            .effect("kinds of scores never stored", missing.len() as f64, "")
            .threshold("a kind that is never stored")
            .samples(all as usize)
    })
}

/// Adds up the numbers of all lines.
fn read(lines: &[String]) -> Counts {
    let mut counts = Counts::default();
    for line in lines {
        let line = line.to_lowercase().replace("searches:", "searches :");
        let add = |field: &mut f64, key: &str| {
            if let Some(value) = number_after(&line, key) {
                *field += value;
            }
        };
        let ours = ["zero-window searches :", "scouts:"].into_iter().find(|key| line.starts_with(key));
        if let Some(key) = ours {
            add(&mut counts.scouts, key);
            add(&mut counts.pv_scouts, "at pv nodes");
            add(&mut counts.re_searches, "re-searches :");
            if let Some(value) = number_after(&line, "at non-pv nodes") {
                *counts.non_pv_re_searches.get_or_insert(0.0) += value;
            }
        } else if line.contains("scout searches :") || line.contains("re-searches :") {
            add(&mut counts.scouts, "scout searches :");
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

/// The number behind a word.
fn number_after(line: &str, key: &str) -> Option<f64> {
    let rest = line[line.find(key)? + key.len()..].trim_start_matches([' ', ':', '=', '(']);
    let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
    rest[..end].trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(statistics: &engine::Statistics) -> Vec<String> {
        statistics.to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn our_own_lines_are_read() {
        let mut statistics = engine::Statistics::default();
        (statistics.pv_nodes, statistics.first_moves) = (50, 40);
        (statistics.zero_window_searches, statistics.pv_zero_window_searches) = (12_000, 1000);
        (statistics.re_searches, statistics.non_pv_re_searches) = (30, 2);
        (statistics.cutoffs, statistics.first_move_cutoffs, statistics.late_cutoffs) = (4000, 3600, 1);
        (statistics.stored, statistics.wrong_bounds) = ([5, 600, 700], 3);
        (statistics.hash_moves, statistics.illegal_hash_moves) = (900, 4);
        assert_eq!(hash_moves(&lines(&statistics)), Some([900.0, 4.0]));
        let read = read(&lines(&statistics));
        assert_eq!((read.scouts, read.pv_scouts, read.re_searches), (12_000.0, 1000.0, 30.0));
        assert_eq!((read.non_pv_re_searches, read.late_cutoffs), (Some(2.0), Some(1.0)));
        assert_eq!((read.pv_nodes, read.first_moves, read.stored), (50.0, 40.0, Some([5.0, 600.0, 700.0])));
        let alarms: Vec<String> =
            judge(&read).into_iter().filter(Finding::is_alarm).map(|finding| finding.id).collect();
        assert_eq!(alarms, ["statistics.re-searches", "statistics.cutoffs", "statistics.hash-bounds"]);
    }

    #[test]
    fn pv_nodes_may_end_without_a_move_only_where_the_game_does() {
        for (first_moves, alarms) in [(9920, &[][..]), (9180, &["statistics.pv-cuts"])] {
            let mut statistics = engine::Statistics::default();
            (statistics.pv_nodes, statistics.first_moves) = (10_000, first_moves);
            statistics.stored = [1; 3];
            let found: Vec<String> = judge(&read(&lines(&statistics)))
                .into_iter()
                .filter(Finding::is_alarm)
                .map(|finding| finding.id)
                .collect();
            assert_eq!(found, alarms);
        }
    }

    #[test]
    fn too_few_counts_and_impossible_ones_accuse_nobody() {
        let judged = |lines: &[&str]| -> Vec<(String, Verdict)> {
            let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            judge(&read(&lines)).into_iter().map(|finding| (finding.id, finding.verdict)).collect()
        };
        assert_eq!(judged(&["stored: exact 0 lower 0 upper 0"]), []);
        assert_eq!(judged(&["nodes: main 90 (PV 6) quiescence 4 first moves of PV nodes 55"]), []);
        let unmeasured = |id: &str| vec![(id.to_owned(), Verdict::Unmeasured)];
        assert_eq!(judged(&["first-move cutoffs: 200% of 5000"]), unmeasured("statistics.ordering"));
        let twice = "scouts: 9000 (at PV nodes 900) failed high: 600 re-searches: 1800";
        assert_eq!(judged(&[twice]), unmeasured("statistics.rate-b"));
    }

    #[test]
    fn the_rate_b_counts_only_re_searches_at_pv_nodes() {
        let lines = ["scouts: 9000 (at PV nodes 900) failed high: 60 re-searches: 850 (at non-PV nodes 800)"];
        let found = judge(&read(&lines.map(str::to_owned)));
        let rate = found.iter().find(|finding| finding.id == "statistics.rate-b").expect("told");
        assert!(!rate.is_alarm() && rate.summary.contains("5.56 %"), "{rate:?}");
    }

    #[test]
    fn a_rate_over_all_scouts_is_no_alarm() {
        let lines = ["PVS scout searches: 176304", "PVS re-searches: 43"].map(str::to_owned);
        let found = judge(&read(&lines));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].verdict == Verdict::Unmeasured && found[0].summary.contains("says nothing"),
            "{found:?}"
        );
    }
}
