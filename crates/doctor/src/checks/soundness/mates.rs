//! Checkmate and stalemate: found, with the right distance, also with mate scores from the hash.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::{Game, Position};
use uci::Score;

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::confidence::{Confidence, TrialRates};
use crate::failures::Failures;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::{MAX_EVALUATION, SearchOutput};
use crate::stream_audit::plies_to_mate;

pub const CHECK: Check = Check {
    id: CheckId::Mates,
    method: "Mates of 1 to 9 plies with known distance, searched 4 and 14 plies deeper than needed; mates in one searched to \
             depth 1 and 3; stalemates one move away; won endings played out with the hash kept, where the distance must \
             shrink with every move.",
    seconds: (16, 45),
    run,
};

/// Positions and plies to mate: odd for the side to move, even against it.
const MATES: [(&str, usize); 10] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1),
    ("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", 2),
    ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 3),
    ("8/6k1/R7/8/8/8/8/1R5K b - - 0 1", 4),
    ("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 5),
    ("8/8/7k/8/R7/8/8/1R5K w - - 0 1", 5),
    ("1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1", 7),
    ("3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1", 9),
];

fn expected(plies: usize) -> i32 {
    let moves = plies.div_ceil(2) as i32;
    if plies % 2 == 1 { moves } else { -moves }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let searched = search_mates(exam);
    Ok(vec![
        found(&searched),
        notation(&searched),
        distance(&searched),
        ply(&searched),
        horizon(exam),
        stalemate(exam),
        table(exam),
    ])
}

struct Searched {
    plies: usize,
    extra: u32,
    result: SearchOutput,
}

impl Searched {
    /// Whether a mate is reported for the right side, as `mate` or as `cp`.
    fn is_found(&self) -> bool {
        let wins = self.plies % 2 == 1;
        match self.result.score() {
            Some(Score::Mate(moves)) => (moves > 0) == wins,
            Some(Score::Centipawns(score)) => (score > 0) == wins && self.result.is_mate_as_centipawns(),
            None => false,
        }
    }

    /// Only a finished search can miss a mate.
    fn counts(&self) -> bool {
        self.is_found() || !self.result.cut_short && self.result.score().is_some()
    }
}

fn search_mates(exam: &mut Examination) -> Vec<Searched> {
    let mut searched = Vec::new();
    for (fen, plies) in MATES {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for extra in [4, DEEP] {
            let go = format!("go depth {}", plies as u32 + extra);
            let cap = exam.cap(Duration::from_secs(3));
            if let Ok(result) = exam.engine.search_fresh(&position, &go, cap) {
                searched.push(Searched { plies, extra, result });
            }
        }
    }
    searched
}

/// Mates within this many plies must be found with `DEEP` extra plies.
const SHORT: usize = 5;
const DEEP: u32 = 14;

fn found(searched: &[Searched]) -> Finding {
    let is_counted = |one: &&Searched| one.extra == DEEP && one.plies <= SHORT && one.counts();
    let counted: Vec<&Searched> = searched.iter().filter(is_counted).collect();
    let missed: Vec<&&Searched> = counted.iter().filter(|one| !one.is_found()).collect();
    if counted.len() < 4 {
        return Finding::skipped(FindingId::MatesFound, "too few searches with a score in time");
    }
    let summary = match missed.first() {
        None => format!("found all {} mates within {SHORT} plies", counted.len()),
        Some(first) => format!(
            "missed {} of {} mates within {SHORT} plies: mate in {} plies at depth {} ({}) in {}",
            missed.len(),
            counted.len(),
            first.plies,
            first.plies + DEEP as usize,
            first.result.score_text(),
            first.result.position.to_fen()
        ),
    };
    let fails = missed.len() >= 2;
    Finding::new(FindingId::MatesFound, Verdict::fail_if(fails), summary)
        .effect(missed.len() as f64)
        .confidence(Confidence::of_failures(
            missed.len(),
            counted.len(),
            TrialRates { sound: 0.02, faulty: 0.25 },
            fails,
        ))
        .threshold(format!("2 mates within {SHORT} plies missed with {DEEP} extra plies"))
        .samples(counted.len())
        .repro(missed.first().map(|one| one.result.repro()).unwrap_or_default())
}

/// `score mate` or a huge `score cp`?
fn notation(searched: &[Searched]) -> Finding {
    let found: Vec<&Searched> = searched.iter().filter(|one| one.is_found()).collect();
    if found.len() < 4 {
        return Finding::skipped(FindingId::MatesNotation, "too few mates");
    }
    let wrong: Vec<&&Searched> = found.iter().filter(|one| one.result.is_mate_as_centipawns()).collect();
    let summary = match wrong.first() {
        None => format!("all {} mates are reported as score mate", found.len()),
        Some(first) => format!(
            "{} of {} mates are reported as centipawns: score cp {} for mate {}",
            wrong.len(),
            found.len(),
            first.result.centipawns().unwrap_or_default(),
            expected(first.plies)
        ),
    };
    let fails = wrong.len() >= 2;
    Finding::new(FindingId::MatesNotation, Verdict::fail_if(fails), summary)
        .effect(100.0 * wrong.len() as f64 / found.len() as f64)
        .confidence(Confidence::of_failures(
            wrong.len(),
            found.len(),
            TrialRates { sound: 0.01, faulty: 0.75 },
            fails,
        ))
        .threshold(format!("2 mates reported as more than {MAX_EVALUATION} cp"))
        .samples(found.len())
        .repro(wrong.first().map(|one| one.result.repro()).unwrap_or_default())
}

/// A mate shorter than the shortest is always a bug.
fn distance(searched: &[Searched]) -> Finding {
    let mut faults = Vec::new();
    let (mut repro, mut count) = (Vec::new(), 0);
    for one in searched {
        let right = expected(one.plies);
        for info in &one.result.lines {
            let Some(Score::Mate(moves)) = info.score.filter(|_| info.bound == uci::Bound::Exact) else {
                continue;
            };
            count += 1;
            let impossible = (moves > 0) != (right > 0) || plies_to_mate(moves) < one.plies;
            if impossible {
                if faults.is_empty() {
                    repro = one.result.repro();
                }
                faults.push(format!("mate {moves} instead of mate {right}"));
            }
        }
        // At a higher depth short mates must be exact.
        let last = one.result.score();
        if one.extra == DEEP
            && one.plies <= SHORT
            && !one.result.cut_short
            && let Some(Score::Mate(moves)) = last
            && plies_to_mate(moves) > one.plies + 2
        {
            if faults.is_empty() {
                repro = one.result.repro();
            }
            faults
                .push(format!("mate {moves} at depth {} instead of mate {right}", one.plies + DEEP as usize));
        }
    }
    if count == 0 {
        return Finding::skipped(FindingId::MatesDistance, "no mate scores");
    }
    let summary = match faults.first() {
        None => format!("all {count} mate distances are possible"),
        Some(first) => format!("{} of {count} mate distances are wrong: {first}", faults.len()),
    };
    Finding::new(FindingId::MatesDistance, Verdict::fail_if(!faults.is_empty()), summary)
        .effect(faults.len() as f64)
        .fixed_confidence(0.99, format!("{count} distances against exact ones"))
        .threshold(format!(
            "a mate shorter than the shortest, or more than 2 plies longer with {DEEP} extra plies"
        ))
        .samples(count)
        .repro(repro)
}

/// Without the ply in the mate score all distances are equal.
fn ply(searched: &[Searched]) -> Finding {
    let reported: Vec<(usize, i32)> = searched
        .iter()
        .filter_map(|one| match one.result.score() {
            Some(Score::Mate(moves)) => Some((one.plies, moves.abs())),
            _ => None,
        })
        .collect();
    let lengths: BTreeSet<usize> = reported.iter().map(|&(plies, _)| plies.div_ceil(2)).collect();
    let distances: BTreeSet<i32> = reported.iter().map(|&(_, moves)| moves).collect();
    if reported.len() < 4 || lengths.len() < 3 {
        return Finding::skipped(FindingId::MatesPly, "too few mates of different lengths");
    }
    let fails = distances.len() == 1;
    let (mates, lengths) = (reported.len(), lengths.len());
    let summary = if fails {
        format!("all {mates} mates of {lengths} lengths are reported as mate {}", reported[0].1)
    } else {
        format!(
            "{mates} mates of {lengths} different lengths are reported with {} different distances",
            distances.len()
        )
    };
    Finding::new(FindingId::MatesPly, Verdict::fail_if(fails), summary)
        .effect(distances.len() as f64)
        .fixed_confidence(0.99, format!("{mates} mates of {lengths} lengths"))
        .threshold("one distance for mates of 3 lengths or more")
        .samples(mates)
        .repro(searched.last().filter(|_| fails).map(|one| one.result.repro()).unwrap_or_default())
}

/// By quiet moves, captures and a promotion.
const MATES_IN_ONE: [&str; 6] = [
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
    "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
    "1r5k/P5pp/8/8/8/8/8/K7 w - - 0 1",
    "3r2k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1",
    "3k4/3P4/3K4/8/8/8/8/7R w - - 0 1",
];

fn finds_mate_in_one(result: &SearchOutput) -> bool {
    match result.score() {
        Some(Score::Centipawns(score)) => score > 0 && result.is_mate_as_centipawns(),
        score => score == Some(Score::Mate(1)),
    }
}

/// An engine that does not test for checkmate at depth 0 finds mate in one a ply later.
fn horizon(exam: &mut Examination) -> Finding {
    let shallow_depth = exam.depth_from(1);
    let [go, deeper_go] = [shallow_depth, shallow_depth + 2].map(|depth| format!("go depth {depth}"));
    let mut found = [0, 0];
    let (mut asked, mut repro, mut fen) = (0, Vec::new(), String::new());
    for text in MATES_IN_ONE {
        let Ok(position) = Position::from_fen(text) else { continue };
        let cap = exam.cap(Duration::from_secs(2));
        let (Ok(shallow), Ok(deeper)) = (
            exam.engine.search_fresh(&position, &go, cap),
            exam.engine.search_fresh(&position, &deeper_go, cap),
        ) else {
            continue;
        };
        if [&shallow, &deeper].iter().any(|result| result.cut_short && !finds_mate_in_one(result)) {
            continue;
        }
        asked += 1;
        for (count, result) in found.iter_mut().zip([&shallow, &deeper]) {
            let mated = finds_mate_in_one(result);
            *count += usize::from(mated);
            if !mated && repro.is_empty() {
                (repro, fen) = (result.repro(), text.to_owned());
            }
        }
    }
    if asked < 3 {
        return Finding::skipped(FindingId::MatesHorizon, "too few searches in time");
    }
    let [first, third] = found;
    let missed_deep = asked - third;
    let missed = asked - first;
    // Missed at both depths: late moves are pruned at low depth, as in some sound engines.
    let only_behind = third.saturating_sub(first);
    let fails = only_behind >= 2;
    let verdict = if fails {
        Verdict::Fail
    } else if missed + missed_deep > 0 {
        Verdict::Warning
    } else {
        Verdict::Pass
    };
    let summary = format!(
        "mate in one is found in {first} of {asked} positions at depth {shallow_depth}, in {third} at depth {}",
        shallow_depth + 2
    );
    let summary = if fen.is_empty() { summary } else { format!("{summary}; first miss: {fen}") };
    Finding::new(FindingId::MatesHorizon, verdict, summary)
        .effect(missed as f64)
        .confidence(Confidence::of_failures(
            only_behind,
            asked,
            TrialRates { sound: 0.05, faulty: 0.75 },
            fails,
        ))
        .threshold("2 that are missed at depth 1 and found at depth 3")
        .samples(asked)
        .repro(repro)
}

fn stalemate(exam: &mut Examination) -> Finding {
    let mut scores = Failures::default();
    // Least and greatest plausible score: stalemate can be avoided, or not.
    for (fen, least, most) in [
        ("7k/5K2/8/6P1/8/8/8/8 w - - 0 1", 100, 200_000),
        ("8/8/8/8/8/1k6/p7/K7 b - - 0 1", -200, 200),
        ("7k/8/6KP/8/8/8/8/5B2 w - - 0 1", -300, 3000),
        ("k7/P7/K7/8/8/8/8/8 w - - 0 1", -200, 200),
        ("5k2/5P2/4K3/8/8/8/8/8 w - - 0 1", -250, 250),
    ] {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for depth in [3, 8] {
            let go = format!("go depth {depth}");
            let Ok(result) = exam.engine.search_fresh(&position, &go, exam.cap(Duration::from_secs(2)))
            else {
                continue;
            };
            let Some(score) = result.centipawns() else { continue };
            let case = || format!("{} at depth {depth} in {fen}", result.score_text());
            scores.add_finished(&result, (!(least..=most).contains(&score)).then(case));
        }
    }
    let (asked, wrong) = (scores.asked, scores.count());
    if asked < 3 {
        return Finding::skipped(FindingId::MatesStalemate, "too few searches in time");
    }
    let mates = scores.wrong.iter().filter(|text| text.starts_with("mate")).count();
    let summary = match scores.wrong.first() {
        None => format!("all {asked} scores near stalemate are plausible"),
        Some(first) => format!("{wrong} of {asked} scores near stalemate are wrong: {first}"),
    };
    let fails = mates > 0 || wrong > 3;
    let by_count = scores.confidence(TrialRates { sound: 0.1, faulty: 0.5 }, fails);
    let by_mates = Confidence::of_failures(mates, asked, TrialRates { sound: 0.005, faulty: 0.5 }, true);
    Finding::new(FindingId::MatesStalemate, Verdict::fail_if(fails), summary)
        .effect(wrong as f64)
        .confidence(if fails { by_count.or(by_mates) } else { by_count })
        .threshold("a mate score, or more than 3 scores out of range")
        .samples(asked)
        .repro(scores.repro)
}

/// A mate that does not come closer was stored without its ply.
fn table(exam: &mut Examination) -> Finding {
    let (mut steps, mut stuck, mut repro, mut first) = (0, 0, Vec::new(), String::new());
    for fen in [
        "1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1",
        "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1",
        "8/8/7k/8/R7/8/8/1R5K w - - 0 1",
    ] {
        let Ok(start) = Position::from_fen(fen) else { continue };
        if exam.engine.new_game().is_err() {
            continue;
        }
        let mut game = Game::new(start);
        let mut before: Option<i32> = None;
        while game.outcome().is_none() && game.moves().len() < 24 && exam.has_time() {
            let Ok(result) = exam.engine.search_game(&game, "go depth 14", exam.cap(Duration::from_secs(2)))
            else {
                break;
            };
            let Some(mv) = result.best.as_deref().and_then(|word| game.position().parse_uci(word).ok())
            else {
                break;
            };
            let distance = match result.score() {
                Some(Score::Mate(moves)) if !result.cut_short => Some(plies_to_mate(moves) as i32),
                _ => None,
            };
            if let (Some(before), Some(now)) = (before, distance) {
                steps += 1;
                if now >= before {
                    stuck += 1;
                    if repro.is_empty() {
                        (repro, first) = (result.repro(), format!("mate in {before} plies, then in {now}"));
                    }
                }
            }
            before = distance;
            game.play(mv);
        }
    }
    if steps < 4 {
        return Finding::skipped(FindingId::MatesTable, "too few mate scores");
    }
    let fails = stuck * 5 > steps;
    let summary = if stuck == 0 {
        format!("the mate distance shrinks with each of {steps} moves")
    } else {
        format!("the mate distance does not shrink in {stuck} of {steps} moves: {first}")
    };
    Finding::new(FindingId::MatesTable, Verdict::fail_if(fails), summary)
        .effect(100.0 * stuck as f64 / steps as f64)
        .confidence(Confidence::of_failures(stuck, steps, TrialRates { sound: 0.05, faulty: 0.4 }, fails))
        .threshold("more than 20 % of the moves")
        .samples(steps)
        .repro(if fails { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched_as(score: Score) -> Vec<Searched> {
        let one =
            |extra| Searched { plies: 3, extra, result: SearchOutput::with_line(17, score, 100, false) };
        [14; 4].map(one).into()
    }

    #[test]
    fn mate_as_centipawns_is_found() {
        let huge = searched_as(Score::Centipawns(29_997));
        assert_eq!((found(&huge).verdict, notation(&huge).verdict), (Verdict::Pass, Verdict::Fail));
        let right = searched_as(Score::Mate(2));
        assert_eq!((found(&right).verdict, notation(&right).verdict), (Verdict::Pass, Verdict::Pass));
        // For the wrong side, or an evaluation.
        for missed in [Score::Centipawns(-29_997), Score::Centipawns(1_500), Score::Mate(-2)] {
            let missed = searched_as(missed);
            assert_eq!(
                (found(&missed).verdict, notation(&missed).verdict),
                (Verdict::Fail, Verdict::Skipped)
            );
        }
    }

    #[test]
    fn only_finished_search_misses_a_mate() {
        let cut_short = |score| {
            let result = SearchOutput::with_line(9, score, 100, true);
            Searched { plies: 3, extra: 14, result }
        };
        let found_mates = [0; 4].map(|_| cut_short(Score::Mate(2)));
        assert_eq!(found(&found_mates).verdict, Verdict::Pass);
        let not_yet = [0; 4].map(|_| cut_short(Score::Centipawns(500)));
        assert_eq!(found(&not_yet).verdict, Verdict::Skipped);
    }

    #[test]
    fn equal_distances_have_no_ply() {
        let verdict = |distance: fn(usize) -> i32| {
            let one = |plies| {
                let score = Score::Mate(distance(plies));
                Searched { plies, extra: 14, result: SearchOutput::with_line(17, score, 100, false) }
            };
            ply(&[1, 3, 4, 5, 7].map(one)).verdict
        };
        assert_eq!(verdict(|_| 0), Verdict::Fail);
        assert_eq!(verdict(expected), Verdict::Pass);
        let few = [1, 1, 3, 3].map(|plies| Searched {
            plies,
            extra: 4,
            result: SearchOutput::with_line(7, Score::Mate(2), 1, false),
        });
        assert_eq!(ply(&few).verdict, Verdict::Skipped);
    }

    #[test]
    fn mates_in_one_are_valid() {
        for fen in MATES_IN_ONE {
            let position = Position::from_fen(fen).expect("valid");
            let is_mate = |mv| {
                let after = position.after(mv);
                after.in_check() && !after.has_legal_move()
            };
            assert!(position.legal_moves().into_iter().any(is_mate), "{fen}");
        }
    }
}
