//! Mates: seen at once, with the right distance, told from stalemate, and counted right when they come out of the table.

use std::collections::BTreeSet;
use std::time::Duration;

use chess::{Game, Position};
use uci::info::Score;

use crate::check::{Check, Examination};
use crate::failures::Failures;
use crate::finding::{Finding, Group, Verdict, alarm_if};
use crate::line_audit::plies_to_mate;
use crate::patient::{Thinking, Trouble};
use crate::sureness::{Rates, Sureness};

/// The check.
pub const CHECK: Check = Check {
    name: "mates",
    group: Group::Soundness,
    title: "mate and stalemate, distances, horizon, mates from the table",
    method: "Mates of 1 to 9 half moves with known distance, searched a little deeper than they are long and again far \
             deeper; mates in one searched to depths 1 and 2; stalemates one move away; won endings played out with the \
             table kept, where the distance must shrink with every move; and every mating line of the whole examination \
             must be as long as announced.",
    seconds: (16, 45),
    run,
};

/// Positions with the half moves to mate: odd for the side to move, even against it.
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

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    let searched = search_mates(exam);
    Ok(vec![
        found(&searched),
        words(&searched),
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
    thinking: Thinking,
}

impl Searched {
    /// Whether the mate is told, for the right side; in whatever words.
    fn is_seen(&self) -> bool {
        let wins = self.plies % 2 == 1;
        match self.thinking.score() {
            Some(Score::Mate(moves)) => (moves > 0) == wins,
            Some(Score::Centipawns(score)) => (score > 0) == wins && self.thinking.tells_mate_as_centipawns(),
            None => false,
        }
    }

    /// Whether it says something about the engine's eyes: a mate that is told is seen, however the search ended, but only one that
    /// had its time can have missed it.
    fn is_judged(&self) -> bool {
        self.is_seen() || !self.thinking.cut_short && self.thinking.score().is_some()
    }
}

fn search_mates(exam: &mut Examination) -> Vec<Searched> {
    let mut searched = Vec::new();
    for (fen, plies) in MATES {
        let Ok(position) = Position::from_fen(fen) else { continue };
        for extra in [4, 14] {
            let go = format!("go depth {}", plies as u32 + extra);
            let cap = exam.cap(Duration::from_secs(3));
            if let Ok(thinking) = exam.patient.search_fresh(&position, &go, cap) {
                searched.push(Searched { plies, extra, thinking });
            }
        }
    }
    searched
}

/// Are short mates seen at all? Mates of up to five half moves are given fourteen plies more than they need.
fn found(searched: &[Searched]) -> Finding {
    let counts = |one: &&Searched| one.extra == 14 && one.plies <= 5 && one.is_judged();
    let judged: Vec<&Searched> = searched.iter().filter(counts).collect();
    let missed: Vec<&&Searched> = judged.iter().filter(|one| !one.is_seen()).collect();
    if judged.len() < 4 {
        return Finding::unmeasured(
            "mates",
            "found",
            "too few searches told a mate, or ended in time and with a score",
        );
    }
    let summary = match missed.first() {
        None => format!("all {} mates of up to five half moves are seen", judged.len()),
        Some(first) => format!(
            "{} of {} short mates are missed, such as one of {} half moves at depth {} ({}) in {}",
            missed.len(),
            judged.len(),
            first.plies,
            first.plies + 14,
            first.thinking.score_text(),
            first.thinking.position.to_fen()
        ),
    };
    let alarm = missed.len() >= 2;
    Finding::new("mates", "found", alarm_if(alarm), summary)
        .effect("short mates missed", missed.len() as f64, "")
        .sure(Sureness::of_failures(missed.len(), judged.len(), Rates { sound: 0.02, faulty: 0.25 }, alarm))
        .threshold("two mates of up to five half moves missed with fourteen plies to spare")
        .samples(judged.len())
        .repro(missed.first().map(|one| one.thinking.repro()).unwrap_or_default())
}

/// Are mates told as mates? A number of centipawns that no evaluation reaches is one too, but no GUI can count its moves.
fn words(searched: &[Searched]) -> Finding {
    let seen: Vec<&Searched> = searched.iter().filter(|one| one.is_seen()).collect();
    if seen.len() < 4 {
        return Finding::unmeasured("mates", "words", "too few mates were seen");
    }
    let wrong: Vec<&&Searched> = seen.iter().filter(|one| one.thinking.tells_mate_as_centipawns()).collect();
    let summary = match wrong.first() {
        None => format!("all {} mates that were seen are told as 'score mate'", seen.len()),
        Some(first) => format!(
            "{} of {} mates that were seen are told as centipawns, such as 'score cp {}' for mate {}",
            wrong.len(),
            seen.len(),
            first.thinking.centipawns().unwrap_or_default(),
            expected(first.plies)
        ),
    };
    let alarm = wrong.len() >= 2;
    Finding::new("mates", "words", alarm_if(alarm), summary)
        .effect("mates told as centipawns", 100.0 * wrong.len() as f64 / seen.len() as f64, "%")
        .sure(Sureness::of_failures(wrong.len(), seen.len(), Rates { sound: 0.01, faulty: 0.75 }, alarm))
        .threshold("two mates told as more than 20,000 centipawns")
        .samples(seen.len())
        .repro(wrong.first().map(|one| one.thinking.repro()).unwrap_or_default())
}

/// Is the distance possible, and right in the end? A mate shorter than the shortest is always a bug.
fn distance(searched: &[Searched]) -> Finding {
    let mut complaints = Vec::new();
    let (mut repro, mut told) = (Vec::new(), 0);
    for one in searched {
        let right = expected(one.plies);
        for info in &one.thinking.lines {
            let Some(Score::Mate(moves)) = info.score.filter(|_| info.bound == uci::info::Bound::Exact)
            else {
                continue;
            };
            told += 1;
            let impossible = (moves > 0) != (right > 0) || plies_to_mate(moves) < one.plies;
            if impossible {
                if complaints.is_empty() {
                    repro = one.thinking.repro();
                }
                complaints.push(format!("mate {moves} where mate {right} is the shortest"));
            }
        }
        // Given time to settle, short mates must be told exactly.
        let last = one.thinking.score();
        if one.extra == 14
            && one.plies <= 5
            && !one.thinking.cut_short
            && let Some(Score::Mate(moves)) = last
            && plies_to_mate(moves) > one.plies + 2
        {
            if complaints.is_empty() {
                repro = one.thinking.repro();
            }
            complaints.push(format!("mate {moves} at depth {} where mate {right} exists", one.plies + 14));
        }
    }
    if told == 0 {
        return Finding::unmeasured("mates", "distance", "no mate was announced");
    }
    let summary = match complaints.first() {
        None => format!("{told} announced distances, all possible"),
        Some(first) => format!("{} of {told} announced distances are wrong: {first}", complaints.len()),
    };
    Finding::new("mates", "distance", alarm_if(!complaints.is_empty()), summary)
        .effect("wrong distances", complaints.len() as f64, "")
        .sure_by_hand(0.99, format!("{told} announcements against exact distances"))
        .threshold("a mate shorter than the shortest, or far longer after fourteen extra plies")
        .samples(told)
        .repro(repro)
}

/// Do mates of different lengths have different distances? Where every mate is told alike, its score does not count the way to it.
fn ply(searched: &[Searched]) -> Finding {
    let told: Vec<(usize, i32)> = searched
        .iter()
        .filter_map(|one| match one.thinking.score() {
            Some(Score::Mate(moves)) => Some((one.plies, moves.abs())),
            _ => None,
        })
        .collect();
    let lengths: BTreeSet<usize> = told.iter().map(|&(plies, _)| plies.div_ceil(2)).collect();
    let distances: BTreeSet<i32> = told.iter().map(|&(_, moves)| moves).collect();
    if told.len() < 4 || lengths.len() < 3 {
        return Finding::unmeasured("mates", "ply", "too few mates of different lengths were told");
    }
    let alarm = distances.len() == 1;
    let (mates, lengths) = (told.len(), lengths.len());
    let summary = if alarm {
        format!("all {mates} mates, of {lengths} different lengths, are told as mate in {}", told[0].1)
    } else {
        format!("{mates} mates of {lengths} different lengths are told with {} distances", distances.len())
    };
    Finding::new("mates", "ply", alarm_if(alarm), summary)
        .effect("different distances told", distances.len() as f64, "")
        .sure_by_hand(0.99, format!("{mates} mates of {lengths} lengths"))
        .threshold("one distance for mates of three lengths or more")
        .samples(mates)
        .repro(searched.last().filter(|_| alarm).map(|one| one.thinking.repro()).unwrap_or_default())
}

/// Mates in one: by quiet moves, captures, and a promotion.
const MATES_IN_ONE: [&str; 6] = [
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
    "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1",
    "1r5k/P5pp/8/8/8/8/8/K7 w - - 0 1",
    "3r2k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1",
    "3k4/3P4/3K4/8/8/8/8/7R w - - 0 1",
];

/// Whether a mate in one is told, in whatever words.
fn tells_mate_in_one(thinking: &Thinking) -> bool {
    match thinking.score() {
        Some(Score::Centipawns(score)) => score > 0 && thinking.tells_mate_as_centipawns(),
        score => score == Some(Score::Mate(1)),
    }
}

/// Mates in one at depth 1: by a quiet move and by a capture. An engine whose leaves do not look at checks sees them one
/// ply later.
fn horizon(exam: &mut Examination) -> Finding {
    let mut seen = [0, 0];
    let (mut asked, mut repro, mut fen) = (0, Vec::new(), String::new());
    for text in MATES_IN_ONE {
        let Ok(position) = Position::from_fen(text) else { continue };
        let cap = exam.cap(Duration::from_secs(2));
        let (Ok(shallow), Ok(deeper)) = (
            exam.patient.search_fresh(&position, "go depth 1", cap),
            exam.patient.search_fresh(&position, "go depth 3", cap),
        ) else {
            continue;
        };
        if [&shallow, &deeper].iter().any(|thinking| thinking.cut_short && !tells_mate_in_one(thinking)) {
            continue;
        }
        asked += 1;
        for (count, thinking) in seen.iter_mut().zip([&shallow, &deeper]) {
            let mated = tells_mate_in_one(thinking);
            *count += usize::from(mated);
            if !mated && repro.is_empty() {
                (repro, fen) = (thinking.repro(), text.to_owned());
            }
        }
    }
    if asked < 3 {
        return Finding::unmeasured("mates", "horizon", "too few searches were answered in time");
    }
    let [first, third] = seen;
    let missed_deep = asked - third;
    let missed = asked - first;
    // Missed at the leaf and seen behind it: the leaf does not look at checks. Missed at both depths: late moves are left
    // out at low depth, as in some sound engines; whether mates are found at all is asked above.
    let only_behind = third.saturating_sub(first);
    let alarm = only_behind >= 2;
    let verdict = if alarm {
        Verdict::Alarm
    } else if missed + missed_deep > 0 {
        Verdict::Notice
    } else {
        Verdict::Sound
    };
    let summary =
        format!("mate in one is told at depth 1 in {first} of {asked} positions, at depth 3 in {third}");
    let summary = if fen.is_empty() { summary } else { format!("{summary}; first miss: {fen}") };
    Finding::new("mates", "horizon", verdict, summary)
        .effect("mates in one not told at depth 1", missed as f64, "")
        .sure(Sureness::of_failures(only_behind, asked, Rates { sound: 0.05, faulty: 0.75 }, alarm))
        .threshold("two that are missed at depth 1 and seen at depth 3")
        .samples(asked)
        .repro(repro)
}

/// Stalemate is a draw: the winner must avoid it, the loser may hope for it.
fn stalemate(exam: &mut Examination) -> Finding {
    let mut scores = Failures::default();
    // White can stalemate at once by a move that a search must not think good; or there is nothing but stalemate.
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
            let Ok(thinking) = exam.patient.search_fresh(&position, &go, exam.cap(Duration::from_secs(2)))
            else {
                continue;
            };
            let Some(score) = thinking.centipawns() else { continue };
            let told = || format!("{} at depth {depth} in {fen}", thinking.score_text());
            scores.add_finished(&thinking, (!(least..=most).contains(&score)).then(told));
        }
    }
    let (asked, wrong) = (scores.asked, scores.count());
    if asked < 3 {
        return Finding::unmeasured("mates", "stalemate", "too few searches were answered in time");
    }
    let mates = scores.wrong.iter().filter(|text| text.starts_with("mate")).count();
    let summary = match scores.wrong.first() {
        None => format!("{asked} searches next to stalemate, all right"),
        Some(first) => format!("{wrong} of {asked} searches next to stalemate are wrong: {first}"),
    };
    let alarm = mates > 0 || wrong > 3;
    let by_count = scores.sureness(Rates { sound: 0.1, faulty: 0.5 }, alarm);
    // No sound engine announces a mate that does not exist.
    let by_mates = Sureness::of_failures(mates, asked, Rates { sound: 0.005, faulty: 0.5 }, true);
    Finding::new("mates", "stalemate", alarm_if(alarm), summary)
        .effect("wrong scores next to stalemate", wrong as f64, "")
        .sure(if alarm { by_count.or(by_mates) } else { by_count })
        .threshold("a mate announced where there is stalemate, or more than three scores out of range")
        .samples(asked)
        .repro(scores.repro)
}

/// Won endings played out with the table kept: a mate that does not come nearer was stored without its ply.
fn table(exam: &mut Examination) -> Finding {
    let (mut steps, mut stuck, mut repro, mut first) = (0, 0, Vec::new(), String::new());
    for fen in [
        "1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1",
        "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1",
        "8/8/7k/8/R7/8/8/1R5K w - - 0 1",
    ] {
        let Ok(start) = Position::from_fen(fen) else { continue };
        if exam.patient.new_game().is_err() {
            continue;
        }
        let mut game = Game::new(start);
        let mut before: Option<i32> = None;
        while game.outcome().is_none() && game.moves().len() < 24 && exam.goes_on() {
            let Ok(thinking) =
                exam.patient.search_game(&game, "go depth 14", exam.cap(Duration::from_secs(2)))
            else {
                break;
            };
            let Some(mv) = thinking.best.as_deref().and_then(|word| game.position().parse_uci(word).ok())
            else {
                break;
            };
            let distance = match thinking.score() {
                Some(Score::Mate(moves)) if !thinking.cut_short => Some(plies_to_mate(moves) as i32),
                _ => None,
            };
            if let (Some(before), Some(now)) = (before, distance) {
                steps += 1;
                if now >= before {
                    stuck += 1;
                    if repro.is_empty() {
                        (repro, first) = (thinking.repro(), format!("{before} half moves, then {now}"));
                    }
                }
            }
            before = distance;
            game.play(mv);
        }
    }
    if steps < 4 {
        return Finding::unmeasured("mates", "table", "too few mates were announced along the way");
    }
    let alarm = stuck * 5 > steps;
    let summary = if stuck == 0 {
        format!("mates come nearer with every one of {steps} moves played, with the table kept")
    } else {
        format!("the distance did not shrink in {stuck} of {steps} moves: {first}")
    };
    Finding::new("mates", "table", alarm_if(alarm), summary)
        .effect("moves after which the mate came no nearer", 100.0 * stuck as f64 / steps as f64, "%")
        .sure(Sureness::of_failures(stuck, steps, Rates { sound: 0.05, faulty: 0.4 }, alarm))
        .threshold("more than a fifth of the moves")
        .samples(steps)
        .repro(if alarm { repro } else { Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen_as(score: Score) -> Vec<Searched> {
        let one = |extra| Searched { plies: 3, extra, thinking: Thinking::of_line(17, score, 100, false) };
        [14; 4].map(one).into()
    }

    #[test]
    fn a_mate_told_as_centipawns_is_seen_and_told_in_the_wrong_words() {
        let huge = seen_as(Score::Centipawns(29_997));
        assert_eq!((found(&huge).verdict, words(&huge).verdict), (Verdict::Sound, Verdict::Alarm));
        let right = seen_as(Score::Mate(2));
        assert_eq!((found(&right).verdict, words(&right).verdict), (Verdict::Sound, Verdict::Sound));
        // For the wrong side, or a mere evaluation: missed.
        for missed in [Score::Centipawns(-29_997), Score::Centipawns(1_500), Score::Mate(-2)] {
            let missed = seen_as(missed);
            assert_eq!(
                (found(&missed).verdict, words(&missed).verdict),
                (Verdict::Alarm, Verdict::Unmeasured)
            );
        }
    }

    #[test]
    fn a_mate_that_is_told_is_seen_and_only_a_finished_search_misses_one() {
        let cut_short = |score| {
            let thinking = Thinking::of_line(9, score, 100, true);
            Searched { plies: 3, extra: 14, thinking }
        };
        let told = [0; 4].map(|_| cut_short(Score::Mate(2)));
        assert_eq!(found(&told).verdict, Verdict::Sound);
        let not_yet = [0; 4].map(|_| cut_short(Score::Centipawns(500)));
        assert_eq!(found(&not_yet).verdict, Verdict::Unmeasured);
    }

    #[test]
    fn mates_of_all_lengths_told_alike_carry_no_distance() {
        let told = |tell: fn(usize) -> i32| {
            let one = |plies| {
                let score = Score::Mate(tell(plies));
                Searched { plies, extra: 14, thinking: Thinking::of_line(17, score, 100, false) }
            };
            ply(&[1, 3, 4, 5, 7].map(one)).verdict
        };
        assert_eq!(told(|_| 0), Verdict::Alarm);
        assert_eq!(told(expected), Verdict::Sound);
        let few = [1, 1, 3, 3].map(|plies| Searched {
            plies,
            extra: 4,
            thinking: Thinking::of_line(7, Score::Mate(2), 1, false),
        });
        assert_eq!(ply(&few).verdict, Verdict::Unmeasured);
    }

    #[test]
    fn every_mate_in_one_is_one() {
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
