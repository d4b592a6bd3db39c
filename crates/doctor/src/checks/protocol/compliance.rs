//! The forty steps of `fastchess --compliance`, all of them, also after a failure.

use std::time::Duration;

use chess::{Game, Position};

use crate::check::{Check, Examination};
use crate::finding::{Finding, Group, alarm_if};
use crate::patient::{Patient, Thinking, Trouble};

/// The check.
pub const CHECK: Check = Check {
    name: "compliance",
    group: Group::Protocol,
    title: "the forty steps of fastchess",
    method: "Does the forty steps of fastchess --compliance: start, names, ready, positions by startpos, by FEN and \
             with moves, go with one clock, with both, with increments in either order; after each search a move, a \
             well-formed info line and a score. Names, answers and lines are told apart.",
    seconds: (12, 15),
    run,
};

/// A middlegame, and the position after 1.e4.
const WHITE: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const BLACK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// The longest that a search with 100 ms on the clock may take, on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(5);

/// Failed steps that are named.
const SHOWN: usize = 5;

/// What a step is about: each kind has a finding of its own, because each has other causes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Who the engine is.
    Names,
    /// That it answers, and does so in time.
    Answers,
    /// What it tells before its answer.
    Lines,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Names, Self::Answers, Self::Lines];

    const fn name(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Answers => "answers",
            Self::Lines => "lines",
        }
    }
}

/// A step that was done.
struct Step {
    kind: Kind,
    /// Its words, if it failed.
    failed: Option<String>,
    repro: Vec<String>,
}

#[derive(Default)]
struct Steps(Vec<Step>);

impl Steps {
    fn step(&mut self, kind: Kind, what: &str, passed: bool, repro: &[String]) {
        let failed = (!passed).then(|| format!("{} {what}", self.0.len() + 1));
        self.0.push(Step { kind, failed, repro: repro.to_vec() });
    }

    /// The steps after a `go`: move, info, its form, its score. `lines` led to a search that was not answered.
    fn search(&mut self, go: &str, thinking: &Result<Thinking, Trouble>, steps: &[&str], lines: &[String]) {
        let repro = thinking.as_ref().map_or_else(|_| lines.to_vec(), Thinking::repro);
        for step in steps {
            let kind = if *step == "bestmove" { Kind::Answers } else { Kind::Lines };
            // Without an answer nothing is known of the lines before it; the missing answer is told.
            let passed = match thinking {
                Ok(thinking) => match *step {
                    // That its words are no move is told elsewhere.
                    "bestmove" => {
                        (thinking.best.is_some() || thinking.unreadable.is_some()) && !thinking.cut_short
                    }
                    "info" => !thinking.lines.is_empty(),
                    "form" => thinking.lines.iter().any(|info| info.depth.is_some()),
                    _ => thinking.score().is_some(),
                },
                Err(_) => kind == Kind::Lines,
            };
            self.step(kind, &format!("{step} after '{go}'"), passed, &repro);
        }
    }

    /// What the steps of one kind showed.
    fn finding(&self, kind: Kind) -> Finding {
        let steps = || self.0.iter().filter(|step| step.kind == kind);
        let failed: Vec<&str> = steps().filter_map(|step| step.failed.as_deref()).collect();
        let (count, of) = (failed.len(), steps().count());
        let summary = if failed.is_empty() {
            format!("all {of} steps of this kind, of {} together, passed", self.0.len())
        } else {
            let shown = &failed[..count.min(SHOWN)];
            let more = if count > SHOWN { format!("; and {} more", count - SHOWN) } else { String::new() };
            format!("{count} of {of} steps of this kind failed: {}{more}", shown.join("; "))
        };
        let first = steps().find(|step| step.failed.is_some());
        Finding::new("compliance", kind.name(), alarm_if(count > 0), summary)
            .effect("failed steps", count as f64, "")
            .sure_by_hand(0.99, format!("{of} steps, each seen once"))
            .threshold("any failed step: match runners refuse such an engine")
            .samples(of)
            .repro(first.map(|step| step.repro.clone()).unwrap_or_default())
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, Trouble> {
    const ALL: [&str; 4] = ["bestmove", "info", "form", "score"];
    let mut steps = Steps::default();
    let patient = &mut exam.patient;
    let odd_before: Vec<&str> = patient.talk().oddities().iter().map(|(kind, _)| *kind).collect();
    let opening = patient.opening_lines();
    steps.step(Kind::Answers, "start", true, &opening);
    let ready = |patient: &mut Patient| patient.attempt(|client| client.ready(PATIENCE)).is_ok();
    steps.step(Kind::Answers, "isready", ready(patient), &opening);
    let identity = patient.identity();
    steps.step(Kind::Names, "id name", !identity.name.is_empty(), &opening);
    steps.step(Kind::Names, "id author", !identity.author.is_empty(), &opening);
    steps.step(Kind::Answers, "ucinewgame", patient.only_new_game().is_ok(), &opening);
    for position in ["position startpos".to_owned(), format!("position fen {WHITE}")] {
        let lines = [&opening[..], &[position.clone(), "isready".to_owned()]].concat();
        let sent = patient.attempt(|client| client.send(&position)).is_ok();
        steps.step(Kind::Answers, "position", sent, &lines);
        steps.step(Kind::Answers, "isready", ready(patient), &lines);
    }
    let white = Position::from_fen(WHITE).unwrap_or_else(|_| Position::startpos());
    let black = Position::from_fen(BLACK).unwrap_or_else(|_| Position::startpos());
    let ask = |patient: &mut Patient, position: &Position, go: &str, steps: &mut Steps| {
        let thinking = patient.search(position, go, PATIENCE);
        let was_sent = !matches!(thinking, Err(Trouble::Start | Trouble::GivenUp));
        steps.step(Kind::Answers, go, was_sent, &patient.last_lines());
        steps.search(go, &thinking, &ALL, &patient.last_lines());
    };
    ask(patient, &white, "go wtime 100", &mut steps);
    steps.step(Kind::Answers, "position fen, Black to move", true, &[]);
    ask(patient, &black, "go btime 100", &mut steps);
    ask(patient, &black, "go wtime 100 winc 100 btime 100 binc 100", &mut steps);
    ask(patient, &black, "go btime 100 binc 100 wtime 100 winc 100", &mut steps);
    let oddities = patient.talk().oddities();
    let malformed = oddities.iter().find(|(kind, _)| !odd_before.contains(kind));
    let lines = malformed.map_or_else(|| patient.last_lines(), |(_, oddity)| oddity.repro.clone());
    steps.step(Kind::Lines, "form of all info lines", malformed.is_none(), &lines);
    steps.step(Kind::Answers, "ucinewgame", patient.only_new_game().is_ok(), &opening);
    steps.step(Kind::Answers, "position startpos", true, &[]);
    let go = "go wtime 100 btime 100";
    let thinking = patient.search(&Position::startpos(), go, PATIENCE);
    steps.step(Kind::Answers, go, thinking.is_ok(), &patient.last_lines());
    steps.search(go, &thinking, &["bestmove", "form"], &patient.last_lines());
    let mut game = Game::default();
    for word in ["e2e4", "e7e5"] {
        if let Ok(mv) = game.position().parse_uci(word) {
            game.play(mv);
        }
    }
    steps.step(Kind::Answers, "position startpos moves e2e4 e7e5", true, &[]);
    let thinking = patient.search_game(&game, go, PATIENCE);
    steps.step(Kind::Answers, go, thinking.is_ok(), &patient.last_lines());
    steps.search(go, &thinking, &["bestmove", "form"], &patient.last_lines());
    Ok(Kind::ALL.map(|kind| steps.finding(kind)).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;
    use uci::info::Score;

    fn verdicts(steps: &Steps) -> [Verdict; 3] {
        Kind::ALL.map(|kind| steps.finding(kind).verdict)
    }

    #[test]
    fn a_search_that_is_not_answered_is_no_malformed_line() {
        use Verdict::{Alarm, Sound};
        let go = "go btime 100";
        let mut steps = Steps::default();
        steps.search(go, &Err(Trouble::Hang), &["bestmove", "info", "form", "score"], &[go.to_owned()]);
        assert_eq!(verdicts(&steps), [Sound, Alarm, Sound]);
        assert_eq!(steps.finding(Kind::Answers).repro, [go]);
        let mut silent = Thinking::of_times(100, 100);
        silent.best = Some("e2e4".to_owned());
        let mut steps = Steps::default();
        steps.search(go, &Ok(silent), &["bestmove", "info", "form", "score"], &[]);
        assert_eq!(verdicts(&steps), [Sound, Sound, Alarm]);
    }

    #[test]
    fn steps_keep_their_number_whatever_their_kind() {
        let mut steps = Steps::default();
        steps.step(Kind::Answers, "start", true, &[]);
        steps.step(Kind::Names, "id name", false, &[]);
        let mut thinking = Thinking::of_line(3, Score::Centipawns(1), 5, true);
        thinking.best = Some("e2e4".to_owned());
        steps.search("go wtime 100", &Ok(thinking), &["bestmove"], &[]);
        assert!(steps.finding(Kind::Names).summary.ends_with("failed: 2 id name"));
        assert!(steps.finding(Kind::Answers).summary.contains("3 bestmove after 'go wtime 100'"));
    }
}
