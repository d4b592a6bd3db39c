//! A tiny hash table and positions that change without `ucinewgame`: where moves from the table belong to other
//! positions, and an engine that plays them unchecked breaks.

use std::time::Duration;

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, alarm_if};
use crate::line_audit::LineAudit;
use crate::patient::Trouble;
use crate::samples::from_random_games;

use super::super::statistics::own;

/// The check.
pub const CHECK: Check = Check {
    name: "tiny-hash",
    group: Group::Legality,
    title: "a tiny hash table, positions changed without ucinewgame",
    method: "Sets Hash to its least value and searches positions of random games one after the other, never saying \
             ucinewgame. Entries of other positions are then found by chance again and again: moves played without \
             being checked show as illegal moves, broken lines, crashes.",
    seconds: (14, 40),
    run,
};

/// Fewer nodes leave a table of a megabyte nearly empty, and moves of other positions are not found in it.
const FEWEST_NODES: u64 = 500_000;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let range = exam.patient.range("Hash").filter(|(min, max)| min <= max);
    let Some(least) = range.map(|(min, max)| min.max(1).min(max)) else {
        let why = "the engine offers no Hash that could be made small";
        return Ok(vec![Finding::unmeasured("tiny-hash", "moves", why)]);
    };
    exam.patient.set("Hash", &least.to_string())?;
    // An engine that counts its hash moves tells more than its play.
    own::switch_on(exam)?;
    let before = exam.patient.audit().clone();
    let broken_before = exam.patient.breakdowns();
    let (mut nodes, mut searches) = (0u64, 0);
    let mut positions = from_random_games(exam.pick(60, 400), 77).into_iter().cycle();
    while exam.goes_on() && exam.patient.breakdowns() < broken_before + 5 {
        let Some(position) = positions.next() else { break };
        let go = exam.go_nodes(exam.pick(60_000, 150_000));
        match exam.patient.search(&position, &go, exam.cap(Duration::from_secs(5))) {
            Ok(thinking) => {
                searches += 1;
                nodes = nodes.saturating_add(thinking.nodes());
            }
            Err(Trouble::Interrupted | Trouble::GivenUp) => break,
            Err(_) => {}
        }
    }
    let counted = own::hash_moves(&exam.patient.talk().take_strings());
    let after = exam.patient.audit();
    // No answer at all is another fault, and is told elsewhere.
    let moves = |audit: &LineAudit| audit.illegal_answers.count + audit.illegal_lines.count;
    let illegal = moves(after) - moves(&before);
    let broken = exam.patient.breakdowns() - broken_before;
    let repro = [&after.illegal_answers, &after.illegal_lines]
        .into_iter()
        .find(|faults| faults.count > 0)
        .map(|faults| faults.repro.clone())
        .or_else(|| exam.patient.incidents().last().map(|incident| incident.repro.clone()));
    let counted_illegal = counted.map_or(0.0, |counted| counted[1]);
    let alarm = illegal > 0 || broken > 0 || counted_illegal > 0.0;
    if !alarm && nodes < FEWEST_NODES {
        let why = format!("only {nodes} nodes were told in {searches} searches with {least} MB of hash");
        return Ok(vec![Finding::unmeasured("tiny-hash", "moves", why)]);
    }
    let own_count = counted.map_or(String::new(), |[played, illegal]| {
        format!("; by its own count {illegal:.0} of {played:.0} hash moves that it played are illegal")
    });
    let summary = if alarm {
        format!(
            "{illegal} illegal moves and {broken} breakdowns in {searches} searches with {least} MB of hash{own_count}"
        )
    } else {
        format!(
            "hash moves were sound in {nodes} nodes: {searches} searches with {least} MB of hash, nothing illegal{own_count}"
        )
    };
    let finding = Finding::new("tiny-hash", "moves", alarm_if(alarm), summary)
        .effect("illegal moves and breakdowns", (illegal as usize + broken) as f64, "")
        .sure_by_hand(if alarm { 0.99 } else { 0.95 }, format!("{nodes} nodes"))
        .threshold("any illegal move or breakdown")
        .samples(searches)
        .measure("nodes", nodes as f64)
        .repro(if alarm { repro.unwrap_or_default() } else { Vec::new() });
    Ok(vec![finding])
}
