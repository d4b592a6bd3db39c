//! The colour mirror: the same position with colours swapped must have the same score, and best the same nodes.

use std::time::Duration;

use chess::{Move, Position, Square};

use crate::check::{Check, Examination};
use crate::finding::{CLEARLY_UNEQUAL, Curve, Finding, Group, Plot, PlotKind, Verdict, alarm_if};
use crate::patient::{Thinking, Trouble};
use crate::retrace::one_after_the_other;
use crate::samples::{from_random_games, mean, median, of_all_phases, openings, with_man};
use crate::sureness::{Rates, Side, Sureness};
use support::random::Random;

/// The check.
pub const CHECK: Check = Check {
    name: "mirror",
    group: Group::Colour,
    title: "the same score with colours swapped",
    method: "Searches positions and their colour mirrors, each after ucinewgame, at depth 1 (which shows the evaluation, \
             in openings, middlegames and endings with passed pawns) and at depth 8 (which shows the search); compares scores, moves and nodes.",
    seconds: (18, 60),
    run,
};

/// The depth at which the search shows.
const DEEP: u32 = 8;

struct Pair {
    position: Position,
    here: Thinking,
    there: Thinking,
}

impl Pair {
    /// White's score minus the mirror's: what the same position is worth more with colours as they are.
    fn difference(&self) -> Option<f64> {
        let (here, there) = (self.here.centipawns()?, self.there.centipawns()?);
        // Beyond this a position is decided, and how much does not matter.
        let most = 600;
        let white_moves = self.position.turn() == chess::Color::White;
        let difference = f64::from(here.clamp(-most, most) - there.clamp(-most, most));
        Some(if white_moves { difference } else { -difference })
    }

    fn same_move(&self) -> bool {
        let flip = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let mirrored = self.position.color_mirrored();
        let read = |position: &Position, thinking: &Thinking| {
            thinking.best.as_deref().and_then(|word| position.parse_uci(word).ok())
        };
        let here = read(&self.position, &self.here).map(flip);
        here.is_some() && here == read(&mirrored, &self.there)
    }

    fn repro(&self) -> Vec<String> {
        one_after_the_other(&self.here.repro(), &self.there.repro())
    }
}

fn pairs(exam: &mut Examination, positions: &[Position], depth: u32) -> Vec<Pair> {
    let go = format!("go depth {depth}");
    let mut pairs = Vec::new();
    for position in positions {
        if !exam.goes_on() {
            break;
        }
        let cap = exam.cap(Duration::from_secs(4));
        let (Ok(here), Ok(there)) = (
            exam.patient.search_fresh(position, &go, cap),
            exam.patient.search_fresh(&position.color_mirrored(), &go, cap),
        ) else {
            continue;
        };
        if !here.cut_short && !there.cut_short {
            pairs.push(Pair { position: *position, here, there });
        }
    }
    pairs
}

/// Where the kings stand in endings: on their own side, in the middle, and beyond it.
const KINGS: [&str; 6] = [
    "6k1/8/8/8/8/8/8/1K6",
    "8/2k5/8/8/8/8/5K2/8",
    "8/8/5k2/8/2K5/8/8/8",
    "8/8/8/1K3k2/8/8/8/8",
    "8/8/2K5/8/8/5k2/8/8",
    "8/6K1/8/8/8/8/1k6/8",
];

/// Endings with as many men on both sides: one to four pawns each, most of them passed, and sometimes a piece each.
fn endings(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        found.extend(ending(&mut random));
    }
    found
}

/// One of them; none where a man stands in the way of another or of the king.
fn ending(random: &mut Random) -> Option<Position> {
    let (kings, turn) = (KINGS[random.below(KINGS.len())], ["w", "b"][random.below(2)]);
    let mut position = Position::from_fen(&format!("{kings} {turn} - - 0 1")).ok()?;
    let pieces = ["", "Nn", "Bb", "Rr"][random.below(4)];
    let men = format!("{pieces}{}", "Pp".repeat(1 + random.below(4)));
    for man in men.chars() {
        // The four ranks in the middle: a pawn that can promote at once makes noise.
        let square = Square::from_index(16 + random.below(32));
        if position.piece_at(square).is_some() {
            return None;
        }
        position = with_man(&position, square, man)?;
    }
    (!position.in_check() && position.has_legal_move()).then_some(position)
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let early = pairs(exam, &openings(exam.pick(30, 100), 5), 1);
    let mut further: Vec<Position> = of_all_phases().into_iter().step_by(exam.pick(2, 1)).collect();
    further.extend(endings(exam.pick(25, 70), 6));
    let later = pairs(exam, &further, 1);
    let mut mixed = of_all_phases();
    mixed.extend(openings(exam.pick(0, 40), 9));
    mixed.extend(from_random_games(exam.pick(0, 30), 10));
    let deep = pairs(exam, &mixed, DEEP);
    Ok(vec![evaluation(early, later), search(&deep), nodes(&deep)])
}

/// Whether something is a fault, and how sure that is.
struct Judgement {
    alarm: bool,
    sureness: Sureness,
}

impl Judgement {
    /// Either is enough for a fault.
    fn or(self, other: Self) -> Self {
        let sureness = match (self.alarm, other.alarm) {
            (true, true) => self.sureness.or(other.sureness),
            (true, false) => self.sureness,
            (false, true) => other.sureness,
            (false, false) => self.sureness.and(other.sureness),
        };
        Self { alarm: self.alarm || other.alarm, sureness }
    }
}

/// From which mean asymmetry on, in centipawns, with which share of unequal pairs, there is a fault.
#[derive(Clone, Copy)]
struct Bounds {
    average: f64,
    share: f64,
}

/// A wrong table or sign leaves hardly a pair equal (3 to 7 % in two bugs); the noise of a sound engine a third and more.
const SHALLOW_BOUNDS: Bounds = Bounds { average: 8.0, share: 0.8 };
const DEEP_BOUNDS: Bounds = Bounds { average: 150.0, share: 0.6 };

/// Pairs that differ by more than 5 cp in an engine whose ties are broken by square, and in one with a wrong table or sign.
const RATES: Rates = Rates { sound: 0.6, faulty: 0.9 };

/// Centipawns by which no colour may be preferred.
const MOST_BIAS: f64 = 20.0;

/// Fewer pairs are not judged.
const LEAST_PAIRS: usize = 8;

fn differences(pairs: &[Pair]) -> Vec<f64> {
    pairs.iter().filter_map(Pair::difference).collect()
}

fn unequal_by(differences: &[f64], more_than: f64) -> usize {
    differences.iter().filter(|difference| difference.abs() > more_than).count()
}

/// Mean and share of the asymmetry, and whether a side is preferred. What differs by a few centipawns in a few positions comes
/// from ties between moves that the engine orders by square; a wrong table or sign shows in most positions, and in tens of
/// centipawns.
fn judge_as_a_whole(differences: &[f64], bounds: Bounds) -> Judgement {
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let bias = mean(differences);
    let unequal = unequal_by(differences, 5.0);
    // Ties between moves are broken by square, and lead elsewhere in the mirror: noise, without a preferred sign, larger the
    // deeper the search. A fault of colour prefers a side, or is larger than noise can be.
    let deviation = (mean(&differences.iter().map(|d| (d - bias).powi(2)).collect::<Vec<_>>())).sqrt();
    let deviations = bias.abs() / (deviation / (differences.len() as f64).sqrt()).max(0.5);
    let is_large = mean(&sizes) > bounds.average;
    let is_common = unequal as f64 > bounds.share * sizes.len() as f64;
    let prefers = deviations > 5.0 && bias.abs() > MOST_BIAS;
    let towards: Vec<f64> = differences.iter().map(|difference| difference * bias.signum()).collect();
    let large = Sureness::of_mean(&sizes, bounds.average, Side::above_if(is_large));
    let common = Sureness::of_failures(unequal, sizes.len(), RATES, is_common);
    let without_preference = match (is_large, is_common) {
        (true, true) => large.and(common),
        (true, false) => common,
        (false, true) => large,
        (false, false) => large.or(common),
    };
    let preference = Sureness::of_mean(&towards, MOST_BIAS, Side::above_if(prefers));
    Judgement { alarm: is_large && is_common, sureness: without_preference }
        .or(Judgement { alarm: prefers, sureness: preference })
}

/// The share of openings that are equal, at the least, in an engine whose evaluation has hardly any noise at depth 1: five of
/// six sound engines, and 19 of 20 openings in them.
const LEAST_EQUAL: f64 = 0.9;

/// Centipawns from which on a single pair of such an engine is clearly unequal, and the share of such pairs that is a fault.
/// In those five it is at most one ending in twenty (of 200), in one that counts White's ranks for all passed pawns three in four.
const CLEAR: f64 = 20.0;
const MOST_CLEAR: f64 = 0.25;
const CLEAR_RATES: Rates = Rates { sound: 0.06, faulty: 0.35 };

/// What openings do not show: a term for passed pawns or endings touches few positions, has no mean to speak of and prefers no
/// side. Where openings are equal without noise, single pairs can be told from noise, and count.
fn judge_one_by_one(early: &[f64], later: &[f64]) -> Option<Judgement> {
    let equal = early.len() - unequal_by(early, 5.0);
    let is_noisy = early.len() < LEAST_PAIRS || (equal as f64) < LEAST_EQUAL * early.len() as f64;
    if is_noisy || later.len() < LEAST_PAIRS {
        return None;
    }
    let clear = unequal_by(later, CLEAR);
    let alarm = clear as f64 > MOST_CLEAR * later.len() as f64;
    Some(Judgement { alarm, sureness: Sureness::of_failures(clear, later.len(), CLEAR_RATES, alarm) })
}

/// The difference of all pairs, if it is the same for all to the rounding, and more than rounding can be.
fn constant(differences: &[f64]) -> Option<f64> {
    let middle = median(differences);
    let is_constant = differences.iter().all(|difference| (difference - middle).abs() <= 1.0);
    (is_constant && differences.len() >= LEAST_PAIRS && middle.abs() > 5.0).then_some(middle)
}

fn told_constant(same: f64, openings: usize) -> String {
    format!(
        "; all {openings} openings differ by the same {:.0} cp: a term that does not depend on the position, such as a \
         bonus for {} where one for the side to move was meant",
        same.abs(),
        if same > 0.0 { "White" } else { "Black" },
    )
}

fn told_later(later: &[f64]) -> String {
    format!(
        "; openings are equal, and {} of {} later positions differ by more than {CLEAR} cp: a term that openings do not \
         show, such as one for passed pawns or endings",
        unequal_by(later, CLEAR),
        later.len()
    )
}

/// The evaluation, as depth 1 shows it.
fn evaluation(early: Vec<Pair>, later: Vec<Pair>) -> Finding {
    let [first, others] = [&early, &later].map(|pairs| differences(pairs));
    if first.len() < LEAST_PAIRS {
        return Finding::unmeasured("mirror", "evaluation", "too few pairs were answered");
    }
    let whole = judge_as_a_whole(&first, SHALLOW_BOUNDS);
    let single = judge_one_by_one(&first, &others);
    let found_later = single.as_ref().is_some_and(|judged| judged.alarm);
    // Openings that all differ are not equal: one of the two at the most.
    let remark = constant(&first)
        .map(|same| told_constant(same, first.len()))
        .or_else(|| found_later.then(|| told_later(&others)))
        .unwrap_or_default();
    let judged = match single {
        Some(single) => whole.or(single),
        None => whole,
    };
    let threshold = format!(
        "{} in openings; where nine of ten openings are equal, more than {:.0} % of the other pairs unequal by {CLEAR} cp",
        told_bounds(SHALLOW_BOUNDS),
        100.0 * MOST_CLEAR
    );
    let pairs: Vec<Pair> = early.into_iter().chain(later).collect();
    scores("evaluation", 1, &pairs, judged, &remark)
        .threshold(threshold)
        .measure("mean asymmetry of openings", mean_size(&first))
        .measure("mean asymmetry of other positions", mean_size(&others))
}

/// Centipawns from which on a pair is clearly unequal also in a deep search.
const CLEAR_WHEN_DEEP: f64 = 50.0;

/// What the search makes of it.
fn search(pairs: &[Pair]) -> Finding {
    let differences = differences(pairs);
    if differences.len() < LEAST_PAIRS {
        return Finding::unmeasured("mirror", "search", "too few pairs were answered");
    }
    let clear = unequal_by(&differences, CLEAR_WHEN_DEEP) as f64 / differences.len() as f64;
    scores("search", DEEP, pairs, judge_as_a_whole(&differences, DEEP_BOUNDS), "")
        .threshold(told_bounds(DEEP_BOUNDS))
        .measure(CLEARLY_UNEQUAL, clear)
}

fn told_bounds(bounds: Bounds) -> String {
    format!(
        "mean above {} cp with more than {:.0} % of pairs unequal, or a side preferred by {MOST_BIAS} cp and 5 deviations",
        bounds.average,
        100.0 * bounds.share
    )
}

fn mean_size(differences: &[f64]) -> f64 {
    mean(&differences.iter().map(|difference| difference.abs()).collect::<Vec<_>>())
}

fn scores(what: &str, depth: u32, pairs: &[Pair], judged: Judgement, remark: &str) -> Finding {
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
         more than 5 cp; White is preferred by {bias:+.1} cp; {same} of {} moves are mirrored{remark}",
        pairs.len()
    );
    Finding::new("mirror", what, alarm_if(judged.alarm), summary)
        .effect("mean asymmetry", average, "cp")
        .sure(judged.sureness)
        .samples(count)
        .measure("largest asymmetry", largest)
        .measure("preference for White", bias)
        .measure("share of unequal pairs", unequal as f64 / count.max(1) as f64)
        .measure("share of mirrored moves", same as f64 / pairs.len().max(1) as f64)
        .plot(histogram(&differences, depth))
        .repro(worst.filter(|_| judged.alarm).map(Pair::repro).unwrap_or_default())
}

fn histogram(differences: &[f64], depth: u32) -> Plot {
    const WIDTH: f64 = 10.0;
    let mut bars = std::collections::BTreeMap::new();
    for difference in differences {
        *bars.entry((difference.clamp(-300.0, 300.0) / WIDTH).round() as i64).or_insert(0u32) += 1;
    }
    Plot {
        title: format!("Asymmetry at depth {depth}"),
        x: "score here minus score of the mirror, for White, cp".to_owned(),
        y: "positions".to_owned(),
        kind: PlotKind::Bars,
        curves: vec![Curve {
            name: "pairs".to_owned(),
            points: bars.into_iter().map(|(bar, count)| (bar as f64 * WIDTH, f64::from(count))).collect(),
        }],
    }
}

/// The share of pairs with unequal counts in an engine that was not built symmetric, at the least.
const LEAST_UNSYMMETRIC: f64 = 0.35;

/// Node counts. Most engines break ties between moves by square, so that unequal counts prove nothing; but an engine whose
/// counts are equal nearly everywhere was built symmetric, and then each exception is a fault of the search.
fn nodes(pairs: &[Pair]) -> Finding {
    let counted: Vec<&Pair> = pairs.iter().filter(|pair| pair.here.nodes() > 0).collect();
    if counted.len() < 8 {
        return Finding::unmeasured("mirror", "nodes", "too few pairs were answered");
    }
    let unequal: Vec<&&Pair> =
        counted.iter().filter(|pair| pair.here.nodes() != pair.there.nodes()).collect();
    let share = unequal.len() as f64 / counted.len() as f64;
    let alarm = !unequal.is_empty() && share < LEAST_UNSYMMETRIC;
    // How seldom an engine that was not built symmetric agrees so often; and, where all agree, a fault that one pair in ten shows.
    let sureness = if unequal.is_empty() {
        Sureness::of_failures(0, counted.len(), Rates { sound: 0.0, faulty: 0.1 }, false)
    } else if alarm {
        let rates = Rates { sound: 0.0, faulty: LEAST_UNSYMMETRIC };
        let words = "so few unequal counts in an engine that was not built symmetric";
        Sureness::of_failures(unequal.len(), counted.len(), rates, false).because(words)
    } else {
        let rates = Rates { sound: LEAST_UNSYMMETRIC, faulty: 1.0 };
        let words = "so many unequal counts in an engine that was built symmetric";
        Sureness::of_failures(unequal.len(), counted.len(), rates, true).because(words)
    };
    let summary = format!(
        "depth {DEEP}: {} of {} pairs have unequal node counts{}",
        unequal.len(),
        counted.len(),
        if alarm { ", though the others agree to the node" } else { "" }
    );
    let verdict = if alarm { Verdict::Alarm } else { Verdict::Sound };
    Finding::new("mirror", "nodes", verdict, summary)
        .effect("pairs with unequal node counts", 100.0 * share, "%")
        .sure(sureness)
        .threshold("some, but fewer than 35 %: an engine built symmetric that is not so everywhere")
        .samples(counted.len())
        .repro(unequal.first().filter(|_| alarm).map(|pair| pair.repro()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::info::Score;

    /// Pairs of the starting position in which White's side of it scores so much more.
    fn unequal(differences: &[i32]) -> Vec<Pair> {
        let thinking = |score| Thinking::of_line(1, Score::Centipawns(score), 100, false);
        let pair =
            |&more: &i32| Pair { position: Position::startpos(), here: thinking(more), there: thinking(0) };
        differences.iter().map(pair).collect()
    }

    fn judged(early: &[i32], later: &[i32]) -> Finding {
        evaluation(unequal(early), unequal(later))
    }

    /// Noise of ties, without a preferred side.
    const NOISY: [i32; 30] = [
        0, 0, 12, -12, 0, 0, -40, 40, 0, 0, 7, -7, 0, 0, 90, -90, 0, 0, 25, -25, 0, 0, 8, -8, 0, 0, 0, 0, 0,
        0,
    ];

    #[test]
    fn a_term_that_openings_do_not_show_is_found() {
        let mut passed = [0; 40];
        passed[..12].copy_from_slice(&[105, -105].repeat(6));
        let finding = judged(&[0; 30], &passed);
        assert!(finding.is_alarm() && finding.confidence.level > 0.99, "{}", finding.summary);
        assert!(finding.summary.contains("12 of 40 later positions"), "{}", finding.summary);
        assert!(!judged(&NOISY, &passed).is_alarm(), "an engine with noise has it here as well");
    }

    #[test]
    fn single_positions_of_a_sound_engine_are_no_fault() {
        let mut exceptions = [0; 40];
        exceptions[..3].copy_from_slice(&[109, -64, 27]);
        let finding = judged(&[0; 30], &exceptions);
        assert!(!finding.is_alarm() && finding.confidence.level > 0.99, "{}", finding.summary);
        assert!(!judged(&[-2; 30], &[-2; 40]).is_alarm(), "rounding");
        assert!(!judged(&NOISY, &NOISY).is_alarm());
        assert_eq!(judged(&[0; 4], &[0; 40]).verdict, Verdict::Unmeasured);
    }

    #[test]
    fn what_is_the_same_everywhere_is_told_as_such() {
        let bonus = judged(&[70; 30], &[70; 40]);
        assert!(bonus.is_alarm() && bonus.summary.contains("same 70 cp"), "{}", bonus.summary);
        assert!(bonus.summary.contains("a bonus for White"), "{}", bonus.summary);
        let wrong_table: Vec<i32> = (0..30).map(|place| 60 + 5 * place).collect();
        let finding = judged(&wrong_table, &[0; 40]);
        assert!(finding.is_alarm() && !finding.summary.contains("same"), "{}", finding.summary);
        assert!(!judged(&[0; 30], &[0; 40]).summary.contains("same"));
    }

    #[test]
    fn deep_pairs_tell_how_many_of_them_are_clearly_unequal() {
        let finding = search(&unequal(&[0, 0, 0, 60, 0, 0, 0, -10, 0, 0]));
        assert_eq!(finding.verdict, Verdict::Sound);
        assert!((finding.measures[CLEARLY_UNEQUAL] - 0.1).abs() < 1e-9);
    }

    #[test]
    fn endings_are_the_same_each_time_and_have_passed_pawns_on_both_sides() {
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
