//! Minimum hash and changing positions without `ucinewgame`: hash moves then belong to other positions, and an engine that
//! does not validate them plays illegal moves or crashes.

use std::time::Duration;

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::failures::too_few;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::samples::from_random_games;
use crate::stream_audit::SearchAudit;

use super::super::statistics::self_reported;
use super::tiny_hash_scores::scores;

pub const CHECK: Check = Check {
    id: CheckId::TinyHash,
    method: "Sets Hash to its minimum and searches positions of random games without ucinewgame. Hash collisions are \
             frequent then: hash moves that are not validated show as illegal moves, illegal PVs and crashes, and entries of \
             other positions as wrong scores.",
    seconds: (20, 45),
    run,
};

/// Fewer nodes leave a table of 1 MB nearly empty.
const MIN_NODES: u64 = 500_000;

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let range = exam.engine.range("Hash").filter(|(min, max)| min <= max);
    let Some(least) = range.map(|(min, max)| min.max(1).min(max)) else {
        let why = "no option Hash";
        return Ok(vec![Finding::skipped(FindingId::TinyHashMoves, why)]);
    };
    let scores = exam.in_part(2, |exam| scores(exam, &least.to_string()))?;
    exam.engine.set("Hash", &least.to_string())?;
    // Engines that count illegal hash moves show more than their moves do.
    self_reported::enable(exam)?;
    let before = exam.engine.audit().searches().clone();
    let incidents_before = exam.engine.incident_count();
    let (mut nodes, mut searches) = (0u64, 0);
    let mut positions = from_random_games(exam.pick(60, 400), 77).into_iter().cycle();
    while exam.has_time() && exam.engine.incident_count() < incidents_before + 5 {
        let Some(position) = positions.next() else { break };
        let go = exam.go_nodes(exam.pick(60_000, 150_000));
        match exam.engine.search(&position, &go, exam.cap(Duration::from_secs(5))) {
            Ok(result) => {
                searches += 1;
                nodes = nodes.saturating_add(result.nodes());
            }
            Err(EngineError::Interrupted | EngineError::GivenUp) => break,
            Err(_) => {}
        }
    }
    let counted = self_reported::hash_moves(&exam.engine.audit().take_strings());
    let after = exam.engine.audit().searches();
    // A missing move is another finding.
    let moves = |audit: &SearchAudit| audit.illegal_answers.count + audit.illegal_pvs.count;
    let illegal = moves(after) - moves(&before);
    let incidents = exam.engine.incident_count() - incidents_before;
    let repro = [&after.illegal_answers, &after.illegal_pvs]
        .into_iter()
        .find(|faults| faults.count > 0)
        .map(|faults| faults.repro.clone())
        .or_else(|| exam.engine.process().incidents().last().map(|incident| incident.repro.clone()));
    let counted_illegal = counted.map_or(0.0, |counted| counted[1]);
    let fails = illegal > 0 || incidents > 0 || counted_illegal > 0.0;
    if !fails && nodes < MIN_NODES {
        let why = format!(
            "{} in {} with Hash {least}",
            too_few(nodes as usize, "node", "nodes"),
            support::text::counted(searches, "search", "searches")
        );
        return Ok(vec![Finding::skipped(FindingId::TinyHashMoves, why), scores]);
    }
    let reported = counted.map_or(String::new(), |[played, illegal]| {
        format!("; the engine reports {illegal:.0} illegal of {played:.0} hash moves")
    });
    let summary = if fails {
        format!(
            "{illegal} illegal moves and {incidents} crashes or hangs in {searches} searches with Hash {least}{reported}"
        )
    } else {
        format!("no illegal move in {searches} searches and {nodes} nodes with Hash {least}{reported}")
    };
    let finding = Finding::new(FindingId::TinyHashMoves, Verdict::fail_if(fails), summary)
        .effect((illegal as usize + incidents) as f64)
        .fixed_confidence(if fails { 0.99 } else { 0.95 }, format!("{nodes} nodes"))
        .threshold("any illegal move, crash or hang")
        .samples(searches)
        .measure(Measure::Nodes, nodes as f64)
        .repro(if fails { repro.unwrap_or_default() } else { Vec::new() });
    Ok(vec![finding, scores])
}
