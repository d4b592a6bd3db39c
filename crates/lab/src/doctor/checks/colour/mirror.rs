//! The colour mirror: the same position with colours swapped must have the same score, and best the same nodes.

use std::time::Duration;

use chess::{Move, Position};

use crate::doctor::check::{Check, Examination};
use crate::doctor::finding::{Curve, Finding, Group, Plot, PlotKind, Verdict, alarm_if};
use crate::doctor::patient::{Thinking, Trouble};
use crate::doctor::retrace::one_after_the_other;
use crate::doctor::samples::{from_random_games, mean, of_all_phases, openings};
use crate::doctor::sureness::{Rates, Side, Sureness};

/// The check.
pub const CHECK: Check = Check {
    name: "mirror",
    group: Group::Colour,
    title: "the same score with colours swapped",
    method: "Searches positions and their colour mirrors, each after ucinewgame, at depth 1 (which shows the evaluation) \
             and at depth 8 (which shows the search); compares scores, moves and nodes.",
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

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let shallow = pairs(exam, &openings(exam.pick(60, 200), 5), 1);
    let mut mixed = of_all_phases();
    mixed.extend(openings(exam.pick(0, 40), 9));
    mixed.extend(from_random_games(exam.pick(0, 30), 10));
    let deep = pairs(exam, &mixed, DEEP);
    Ok(vec![scores("evaluation", 1, &shallow), scores("search", DEEP, &deep), nodes(&deep)])
}

/// Pairs that differ by more than 5 cp in an engine whose ties are broken by square, and in one with a wrong table or sign.
const RATES: Rates = Rates { sound: 0.6, faulty: 0.9 };

/// Centipawns by which no colour may be preferred.
const MOST_BIAS: f64 = 20.0;

/// Mean and largest asymmetry of the scores. What differs by a few centipawns in a few positions comes from ties between
/// moves that the engine orders by square; a wrong table or sign shows in most positions, and in tens of centipawns.
fn scores(what: &str, depth: u32, pairs: &[Pair]) -> Finding {
    let differences: Vec<f64> = pairs.iter().filter_map(Pair::difference).collect();
    if differences.len() < 8 {
        return Finding::unmeasured("mirror", what, "too few pairs were answered");
    }
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let (average, largest) = (mean(&sizes), sizes.iter().copied().fold(0.0, f64::max));
    let bias = mean(&differences);
    let unequal = sizes.iter().filter(|&&size| size > 5.0).count();
    let share = unequal as f64 / sizes.len() as f64;
    // Ties between moves are broken by square, and lead elsewhere in the mirror: noise, without a preferred sign, larger the
    // deeper the search. A fault of colour prefers a side, or is larger than noise can be.
    let deviation = (mean(&differences.iter().map(|d| (d - bias).powi(2)).collect::<Vec<_>>())).sqrt();
    let deviations = bias.abs() / (deviation / (differences.len() as f64).sqrt()).max(0.5);
    // A wrong table or sign leaves hardly a pair equal (3 to 7 % in two bugs); the noise of a sound engine a third and more.
    let (most_average, most_share) = if depth == 1 { (8.0, 0.8) } else { (150.0, 0.6) };
    let (is_large, is_common) = (average > most_average, share > most_share);
    let prefers = deviations > 5.0 && bias.abs() > MOST_BIAS;
    let alarm = is_large && is_common || prefers;
    let towards: Vec<f64> = differences.iter().map(|difference| difference * bias.signum()).collect();
    let sure = Sureness::of_mean(&sizes, most_average, Side::above_if(is_large));
    let common = Sureness::of_failures(unequal, sizes.len(), RATES, is_common);
    let preference = Sureness::of_mean(&towards, MOST_BIAS, Side::above_if(prefers));
    let without_preference = match (is_large, is_common) {
        (true, true) => sure.and(common),
        (true, false) => common,
        (false, true) => sure,
        (false, false) => sure.or(common),
    };
    let sureness = match (is_large && is_common, prefers) {
        (true, true) => without_preference.or(preference),
        (true, false) => without_preference,
        (false, true) => preference,
        (false, false) => without_preference.and(preference),
    };
    let same = pairs.iter().filter(|pair| pair.same_move()).count();
    let worst = pairs
        .iter()
        .max_by(|a, b| a.difference().unwrap_or(0.0).abs().total_cmp(&b.difference().unwrap_or(0.0).abs()));
    let summary = format!(
        "depth {depth}: scores differ by {average:.1} cp on average, {largest:.0} at most; {unequal} of {} pairs by more \
         than 5 cp; White is preferred by {bias:+.1} cp; {same} of {} moves are mirrored",
        sizes.len(),
        pairs.len()
    );
    Finding::new("mirror", what, alarm_if(alarm), summary)
        .effect("mean asymmetry", average, "cp")
        .sure(sureness)
        .threshold(format!(
            "mean above {most_average} cp with more than {:.0} % of pairs unequal, or a side preferred by 20 cp and 5 \
             deviations",
            100.0 * most_share
        ))
        .samples(sizes.len())
        .measure("largest asymmetry", largest)
        .measure("preference for White", bias)
        .measure("share of unequal pairs", share)
        .measure("share of mirrored moves", same as f64 / pairs.len().max(1) as f64)
        .plot(histogram(&differences, depth))
        .repro(worst.filter(|_| alarm).map(Pair::repro).unwrap_or_default())
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
