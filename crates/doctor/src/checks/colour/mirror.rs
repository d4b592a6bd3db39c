//! Colour symmetry: a position with colours swapped must have the same score, and ideally the same node count.

use std::time::Duration;

use chess::{Move, Position, Square};

use crate::catalogue::{CheckId, FindingId, Measure};
use crate::check::{Check, Examination};
use crate::confidence::{BoundSide, Confidence, TrialRates};
use crate::finding::{Curve, Finding, Plot, PlotKind, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{from_random_games, mean, median, of_all_phases, openings, with_piece};
use crate::search_output::SearchOutput;
use support::random::Random;

pub const CHECK: Check = Check {
    id: CheckId::Mirror,
    method: "Searches positions and their colour mirrors, each after ucinewgame, at depth 1 (the evaluation, in openings, \
             middlegames and endings with passed pawns) and at depth 8 (the search); compares scores, moves and nodes.",
    seconds: (18, 60),
    run,
};

const DEEP: u32 = 8;

struct Pair {
    position: Position,
    here: SearchOutput,
    there: SearchOutput,
}

impl Pair {
    /// White's score minus the mirror's.
    fn difference(&self) -> Option<f64> {
        let (here, there) = (self.here.centipawns()?, self.there.centipawns()?);
        // Above this a position is decided.
        let most = 600;
        let white_moves = self.position.turn() == chess::Color::White;
        let difference = f64::from(here.clamp(-most, most) - there.clamp(-most, most));
        Some(if white_moves { difference } else { -difference })
    }

    fn same_move(&self) -> bool {
        let flip = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let mirrored = self.position.color_mirrored();
        let read = |position: &Position, result: &SearchOutput| {
            result.best.as_deref().and_then(|word| position.parse_uci(word).ok())
        };
        let here = read(&self.position, &self.here).map(flip);
        here.is_some() && here == read(&mirrored, &self.there)
    }

    /// At the end of this iteration, or of the search.
    fn same_nodes(&self, depth: u32) -> bool {
        let nodes = |result: &SearchOutput| {
            result.at_depth(depth).and_then(|info| info.nodes).unwrap_or_else(|| result.nodes())
        };
        nodes(&self.here) == nodes(&self.there)
    }

    fn repro(&self) -> Vec<String> {
        concat_repro(&self.here.repro(), &self.there.repro())
    }
}

fn pairs(exam: &mut Examination, positions: &[Position], depth: u32) -> Vec<Pair> {
    let go = format!("go depth {depth}");
    let mut pairs = Vec::new();
    for position in positions {
        if !exam.has_time() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(4));
        let (Ok(here), Ok(there)) = (
            exam.engine.search_fresh(position, &go, cap),
            exam.engine.search_fresh(&position.color_mirrored(), &go, cap),
        ) else {
            continue;
        };
        if !here.cut_short && !there.cut_short {
            pairs.push(Pair { position: *position, here, there });
        }
    }
    pairs
}

/// Kings on their own side, in the centre, and beyond it.
const KINGS: [&str; 6] = [
    "6k1/8/8/8/8/8/8/1K6",
    "8/2k5/8/8/8/8/5K2/8",
    "8/8/5k2/8/2K5/8/8/8",
    "8/8/8/1K3k2/8/8/8/8",
    "8/8/2K5/8/8/5k2/8/8",
    "8/6K1/8/8/8/8/1k6/8",
];

/// Random endings with equal material: one to four pawns each, and sometimes a piece.
fn endings(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        found.extend(ending(&mut random));
    }
    found
}

fn ending(random: &mut Random) -> Option<Position> {
    let (kings, turn) = (KINGS[random.below(KINGS.len())], ["w", "b"][random.below(2)]);
    let mut position = Position::from_fen(&format!("{kings} {turn} - - 0 1")).ok()?;
    let officers = ["", "Nn", "Bb", "Rr"][random.below(4)];
    let pieces = format!("{officers}{}", "Pp".repeat(1 + random.below(4)));
    for piece in pieces.chars() {
        // Ranks 3 to 6: immediate promotions would be noise.
        let square = Square::from_index(16 + random.below(32));
        if position.piece_at(square).is_some() {
            return None;
        }
        position = with_piece(&position, square, piece)?;
    }
    (!position.in_check() && position.has_legal_move()).then_some(position)
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    let shallow = exam.depth_from(1);
    let early = pairs(exam, &openings(exam.pick(30, 100), 5), shallow);
    let mut further: Vec<Position> = of_all_phases().into_iter().step_by(exam.pick(2, 1)).collect();
    further.extend(endings(exam.pick(25, 70), 6));
    let later = pairs(exam, &further, shallow);
    let mut mixed = of_all_phases();
    mixed.extend(openings(exam.pick(0, 40), 9));
    mixed.extend(from_random_games(exam.pick(0, 30), 10));
    let deep = pairs(exam, &mixed, DEEP);
    Ok(vec![evaluation(early, later, shallow), search(&deep), nodes(&deep)])
}

struct Assessment {
    fails: bool,
    confidence: Confidence,
}

impl Assessment {
    /// Either is enough to fail.
    fn or(self, other: Self) -> Self {
        let confidence = match (self.fails, other.fails) {
            (true, true) => self.confidence.or(other.confidence),
            (true, false) => self.confidence,
            (false, true) => other.confidence,
            (false, false) => self.confidence.and(other.confidence),
        };
        Self { fails: self.fails || other.fails, confidence }
    }
}

/// Mean asymmetry in centipawns, and share of unequal pairs, that fail together.
#[derive(Clone, Copy)]
struct Bounds {
    average: f64,
    share: f64,
}

/// A wrong table or sign leaves 3 to 7 % of the pairs equal; the noise of a sound engine a third and more.
const SHALLOW_BOUNDS: Bounds = Bounds { average: 8.0, share: 0.8 };
const DEEP_BOUNDS: Bounds = Bounds { average: 150.0, share: 0.6 };

/// Pairs that differ by more than 5 cp.
const RATES: TrialRates = TrialRates { sound: 0.6, faulty: 0.9 };

/// Centipawns.
const MAX_BIAS: f64 = 20.0;

const MIN_PAIRS: usize = 8;

fn differences(pairs: &[Pair]) -> Vec<f64> {
    pairs.iter().filter_map(Pair::difference).collect()
}

fn unequal_by(differences: &[f64], more_than: f64) -> usize {
    differences.iter().filter(|difference| difference.abs() > more_than).count()
}

/// Mean and share of the asymmetry, and the bias. A few centipawns in a few positions come from moves of equal score that are
/// ordered by square; a wrong table or sign shows in most positions, by tens of centipawns.
fn assess_mean(differences: &[f64], bounds: Bounds) -> Assessment {
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let bias = mean(differences);
    let unequal = unequal_by(differences, 5.0);
    // Ties are broken by square: noise without a preferred sign, growing with depth. A fault prefers a side, or is larger.
    let deviation = (mean(&differences.iter().map(|d| (d - bias).powi(2)).collect::<Vec<_>>())).sqrt();
    let deviations = bias.abs() / (deviation / (differences.len() as f64).sqrt()).max(0.5);
    let is_large = mean(&sizes) > bounds.average;
    let is_common = unequal as f64 > bounds.share * sizes.len() as f64;
    let prefers = deviations > 5.0 && bias.abs() > MAX_BIAS;
    let towards: Vec<f64> = differences.iter().map(|difference| difference * bias.signum()).collect();
    let large = Confidence::of_mean(&sizes, bounds.average, BoundSide::above_if(is_large));
    let common = Confidence::of_failures(unequal, sizes.len(), RATES, is_common);
    let without_preference = match (is_large, is_common) {
        (true, true) => large.and(common),
        (true, false) => common,
        (false, true) => large,
        (false, false) => large.or(common),
    };
    let preference = Confidence::of_mean(&towards, MAX_BIAS, BoundSide::above_if(prefers));
    Assessment { fails: is_large && is_common, confidence: without_preference }
        .or(Assessment { fails: prefers, confidence: preference })
}

/// The share of equal openings in an engine without noise at depth 1. Five of six sound engines have 95 %.
const MIN_EQUAL: f64 = 0.9;

/// Centipawns by which a pair of such an engine is clearly unequal, and the share of such pairs that fails. Those five have at
/// most 5 % (of 200 endings); an engine that counts White's ranks for all passed pawns 75 %.
const CLEAR: f64 = 20.0;
const MAX_CLEAR: f64 = 0.25;
const CLEAR_RATES: TrialRates = TrialRates { sound: 0.06, faulty: 0.35 };

/// A term for passed pawns or endings shows in few positions and has no bias. Where openings are equal, single pairs count.
fn assess_pairs(early: &[f64], later: &[f64]) -> Option<Assessment> {
    let equal = early.len() - unequal_by(early, 5.0);
    let is_noisy = early.len() < MIN_PAIRS || (equal as f64) < MIN_EQUAL * early.len() as f64;
    if is_noisy || later.len() < MIN_PAIRS {
        return None;
    }
    let clear = unequal_by(later, CLEAR);
    let fails = clear as f64 > MAX_CLEAR * later.len() as f64;
    Some(Assessment { fails, confidence: Confidence::of_failures(clear, later.len(), CLEAR_RATES, fails) })
}

/// The difference of all pairs, if it is the same for all up to rounding.
fn constant(differences: &[f64]) -> Option<f64> {
    let middle = median(differences);
    let is_constant = differences.iter().all(|difference| (difference - middle).abs() <= 1.0);
    (is_constant && differences.len() >= MIN_PAIRS && middle.abs() > 5.0).then_some(middle)
}

fn constant_note(same: f64, openings: usize) -> String {
    format!(
        "; all {openings} openings differ by the same {:.0} cp: a constant term, such as a tempo bonus for {} instead of the \
         side to move",
        same.abs(),
        if same > 0.0 { "White" } else { "Black" },
    )
}

fn later_note(later: &[f64]) -> String {
    format!(
        "; openings are equal, but {} of {} later positions differ by more than {CLEAR} cp: a term such as passed pawns or \
         an endgame bonus",
        unequal_by(later, CLEAR),
        later.len()
    )
}

fn evaluation(early: Vec<Pair>, later: Vec<Pair>, depth: u32) -> Finding {
    let [first, others] = [&early, &later].map(|pairs| differences(pairs));
    if first.len() < MIN_PAIRS {
        return Finding::skipped(FindingId::MirrorEvaluation, "too few pairs");
    }
    let whole = assess_mean(&first, SHALLOW_BOUNDS);
    let single = assess_pairs(&first, &others);
    let found_later = single.as_ref().is_some_and(|assessed| assessed.fails);
    let note = constant(&first)
        .map(|same| constant_note(same, first.len()))
        .or_else(|| found_later.then(|| later_note(&others)))
        .unwrap_or_default();
    let assessed = match single {
        Some(single) => whole.or(single),
        None => whole,
    };
    let threshold = format!(
        "{} in openings; where {:.0} % of the openings are equal, more than {:.0} % of the other pairs unequal by {CLEAR} cp",
        bounds_text(SHALLOW_BOUNDS),
        100.0 * MIN_EQUAL,
        100.0 * MAX_CLEAR
    );
    let pairs: Vec<Pair> = early.into_iter().chain(later).collect();
    scores(FindingId::MirrorEvaluation, depth, &pairs, assessed, &note)
        .threshold(threshold)
        .measure(Measure::AsymmetryOpenings, mean_size(&first))
        .measure(Measure::AsymmetryOther, mean_size(&others))
}

/// Centipawns by which a pair is clearly unequal at depth 8.
const CLEAR_WHEN_DEEP: f64 = 50.0;

fn search(pairs: &[Pair]) -> Finding {
    let differences = differences(pairs);
    if differences.len() < MIN_PAIRS {
        return Finding::skipped(FindingId::MirrorSearch, "too few pairs");
    }
    let clear = unequal_by(&differences, CLEAR_WHEN_DEEP) as f64 / differences.len() as f64;
    scores(FindingId::MirrorSearch, DEEP, pairs, assess_mean(&differences, DEEP_BOUNDS), "")
        .threshold(bounds_text(DEEP_BOUNDS))
        .measure(Measure::ClearlyUnequal, clear)
}

fn bounds_text(bounds: Bounds) -> String {
    format!(
        "mean above {} cp and more than {:.0} % unequal pairs, or a bias of {MAX_BIAS} cp and 5 standard errors",
        bounds.average,
        100.0 * bounds.share
    )
}

fn mean_size(differences: &[f64]) -> f64 {
    mean(&differences.iter().map(|difference| difference.abs()).collect::<Vec<_>>())
}

fn scores(id: FindingId, depth: u32, pairs: &[Pair], assessed: Assessment, note: &str) -> Finding {
    let differences = differences(pairs);
    let average = mean_size(&differences);
    let largest = differences.iter().map(|difference| difference.abs()).fold(0.0, f64::max);
    let bias = mean(&differences);
    let (unequal, count) = (unequal_by(&differences, 5.0), differences.len());
    let same = pairs.iter().filter(|pair| pair.same_move()).count();
    let size = |pair: &Pair| pair.difference().unwrap_or(0.0).abs();
    let worst = pairs.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
    let summary = format!(
        "depth {depth}: scores differ by {average:.1} cp on average, {largest:.0} at most; {unequal} of {count} pairs by \
         more than 5 cp; bias towards White {bias:+.1} cp; {same} of {} moves are mirrored{note}",
        pairs.len()
    );
    Finding::new(id, Verdict::fail_if(assessed.fails), summary)
        .effect(average)
        .confidence(assessed.confidence)
        .samples(count)
        .measure(Measure::LargestAsymmetry, largest)
        .measure(Measure::WhiteBias, bias)
        .measure(Measure::UnequalPairs, unequal as f64 / count.max(1) as f64)
        .measure(Measure::MirroredMoves, same as f64 / pairs.len().max(1) as f64)
        .plot(histogram(&differences, depth))
        .repro(worst.filter(|_| assessed.fails).map(Pair::repro).unwrap_or_default())
}

fn histogram(differences: &[f64], depth: u32) -> Plot {
    const WIDTH: f64 = 10.0;
    let mut bars = std::collections::BTreeMap::new();
    for difference in differences {
        *bars.entry((difference.clamp(-300.0, 300.0) / WIDTH).round() as i64).or_insert(0u32) += 1;
    }
    Plot {
        title: format!("Asymmetry at depth {depth}"),
        x: "score minus score of the mirror, from White's point of view, cp".to_owned(),
        y: "positions".to_owned(),
        kind: PlotKind::Bars,
        curves: vec![Curve {
            name: "pairs".to_owned(),
            points: bars.into_iter().map(|(bar, count)| (bar as f64 * WIDTH, f64::from(count))).collect(),
        }],
    }
}

/// The share of pairs with different counts in an engine that is not symmetric by design (at least).
const MIN_ASYMMETRIC: f64 = 0.35;

/// Of the iterations that are compared. There Stockfish and Ethereal differ in 27 to 30 of 30 pairs, an engine that takes moves
/// from a1 for none in 4; at depth 8 in 11.
const NODES_DEPTH: u32 = 5;

/// Most engines break ties by square, so different counts prove nothing. But an engine with equal counts nearly everywhere is
/// symmetric by design, and each exception is a fault.
fn nodes(pairs: &[Pair]) -> Finding {
    let counted: Vec<&Pair> = pairs.iter().filter(|pair| pair.here.nodes() > 0).collect();
    if counted.len() < 8 {
        return Finding::skipped(FindingId::MirrorNodes, "too few pairs");
    }
    let unequal_at =
        |depth| -> Vec<&&Pair> { counted.iter().filter(|pair| !pair.same_nodes(depth)).collect() };
    // Each difference spreads with the depth.
    let early = unequal_at(NODES_DEPTH);
    let (depth, unequal) = if early.is_empty() { (DEEP, unequal_at(DEEP)) } else { (NODES_DEPTH, early) };
    let share = unequal.len() as f64 / counted.len() as f64;
    let fails = !unequal.is_empty() && share < MIN_ASYMMETRIC;
    let confidence = if unequal.is_empty() {
        Confidence::of_failures(0, counted.len(), TrialRates { sound: 0.0, faulty: 0.1 }, false)
    } else if fails {
        let rates = TrialRates { sound: 0.0, faulty: MIN_ASYMMETRIC };
        let text = "so few different counts in an engine that is not symmetric by design";
        Confidence::of_failures(unequal.len(), counted.len(), rates, false).because(text)
    } else {
        let rates = TrialRates { sound: MIN_ASYMMETRIC, faulty: 1.0 };
        let text = "so many different counts in an engine that is symmetric by design";
        Confidence::of_failures(unequal.len(), counted.len(), rates, true).because(text)
    };
    let summary = format!(
        "depth {depth}: {} of {} pairs have different node counts{}",
        unequal.len(),
        counted.len(),
        if fails { "; all others are identical" } else { "" }
    );
    let verdict = if fails { Verdict::Fail } else { Verdict::Pass };
    Finding::new(FindingId::MirrorNodes, verdict, summary)
        .effect(100.0 * share)
        .confidence(confidence)
        .threshold(format!("some, but fewer than {:.0} % of the pairs", 100.0 * MIN_ASYMMETRIC))
        .samples(counted.len())
        .repro(unequal.first().filter(|_| fails).map(|pair| pair.repro()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    fn unequal(differences: &[i32]) -> Vec<Pair> {
        let result = |score| SearchOutput::with_line(1, Score::Centipawns(score), 100, false);
        let pair =
            |&more: &i32| Pair { position: Position::startpos(), here: result(more), there: result(0) };
        differences.iter().map(pair).collect()
    }

    fn assessed(early: &[i32], later: &[i32]) -> Finding {
        evaluation(unequal(early), unequal(later), 1)
    }

    /// Without bias.
    const NOISY: [i32; 30] = [
        0, 0, 12, -12, 0, 0, -40, 40, 0, 0, 7, -7, 0, 0, 90, -90, 0, 0, 25, -25, 0, 0, 8, -8, 0, 0, 0, 0, 0,
        0,
    ];

    #[test]
    fn endgame_term_is_found() {
        let mut passed = [0; 40];
        passed[..12].copy_from_slice(&[105, -105].repeat(6));
        let finding = assessed(&[0; 30], &passed);
        assert!(finding.is_failure() && finding.confidence.level > 0.99, "{}", finding.summary);
        assert!(finding.summary.contains("12 of 40 later positions"), "{}", finding.summary);
        assert!(!assessed(&NOISY, &passed).is_failure(), "noisy engine");
    }

    #[test]
    fn few_exceptions_pass() {
        let mut exceptions = [0; 40];
        exceptions[..3].copy_from_slice(&[109, -64, 27]);
        let finding = assessed(&[0; 30], &exceptions);
        assert!(!finding.is_failure() && finding.confidence.level > 0.99, "{}", finding.summary);
        assert!(!assessed(&[-2; 30], &[-2; 40]).is_failure(), "rounding");
        assert!(!assessed(&NOISY, &NOISY).is_failure());
        assert_eq!(assessed(&[0; 4], &[0; 40]).verdict, Verdict::Skipped);
    }

    #[test]
    fn constant_term_is_reported() {
        let bonus = assessed(&[70; 30], &[70; 40]);
        assert!(bonus.is_failure() && bonus.summary.contains("same 70 cp"), "{}", bonus.summary);
        assert!(bonus.summary.contains("tempo bonus for White"), "{}", bonus.summary);
        let wrong_table: Vec<i32> = (0..30).map(|place| 60 + 5 * place).collect();
        let finding = assessed(&wrong_table, &[0; 40]);
        assert!(finding.is_failure() && !finding.summary.contains("same"), "{}", finding.summary);
        assert!(!assessed(&[0; 30], &[0; 40]).summary.contains("same"));
    }

    #[test]
    fn clearly_unequal_share() {
        let finding = search(&unequal(&[0, 0, 0, 60, 0, 0, 0, -10, 0, 0]));
        assert_eq!(finding.verdict, Verdict::Pass);
        assert!((finding.measures[&Measure::ClearlyUnequal] - 0.1).abs() < 1e-9);
    }

    #[test]
    fn endings_are_reproducible_with_pawns() {
        let places = endings(40, 6);
        assert_eq!(places, endings(40, 6));
        assert!(places.iter().any(|place| place.turn() == chess::Color::Black));
        for place in places {
            for color in [chess::Color::White, chess::Color::Black] {
                assert!(!place.pieces(color, chess::Role::Pawn).is_empty(), "{}", place.to_fen());
            }
        }
    }
}
