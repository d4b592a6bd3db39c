//! All 40 steps of `fastchess --compliance`, also after a failure.

use std::time::Duration;

use chess::{Game, Position};

use crate::catalogue::{CheckId, FindingId};
use crate::check::{Check, Examination};
use crate::engine_under_test::EngineUnderTest;
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::search_output::SearchOutput;

pub const CHECK: Check = Check {
    id: CheckId::Compliance,
    method: "Runs the 40 steps of fastchess --compliance: uci, id, isready, positions with startpos, FEN and moves, go with \
             one clock, with both, with increments in either order; after each search a best move, a well-formed info line \
             and a score.",
    seconds: (12, 15),
    run,
};

const WHITE: &str = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const BLACK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/// For a search with 100 ms on the clock, on a busy system too.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Failed steps in the summary.
const MAX_SHOWN: usize = 5;

/// Each kind has a finding of its own, because each has other causes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `id name` and `id author`.
    Names,
    /// `bestmove` and `readyok` in time.
    Answers,
    /// Info lines before `bestmove`.
    Lines,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Names, Self::Answers, Self::Lines];

    const fn finding(self) -> FindingId {
        match self {
            Self::Names => FindingId::ComplianceNames,
            Self::Answers => FindingId::ComplianceAnswers,
            Self::Lines => FindingId::ComplianceLines,
        }
    }
}

struct Step {
    kind: Kind,
    /// Number and name, if it failed.
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

    /// The steps after a `go`: best move, info, its form, its score. `lines` reproduce a search without an answer.
    fn search(
        &mut self,
        go: &str,
        result: &Result<SearchOutput, EngineError>,
        steps: &[&str],
        lines: &[String],
    ) {
        let repro = result.as_ref().map_or_else(|_| lines.to_vec(), SearchOutput::repro);
        for step in steps {
            let kind = if *step == "bestmove" { Kind::Answers } else { Kind::Lines };
            // Without a best move its lines are not checked.
            let passed = match result {
                Ok(result) => match *step {
                    // Notation is another finding.
                    "bestmove" => (result.best.is_some() || result.malformed.is_some()) && !result.cut_short,
                    "info" => !result.lines.is_empty(),
                    "form" => result.lines.iter().any(|info| info.depth.is_some()),
                    _ => result.score().is_some(),
                },
                Err(_) => kind == Kind::Lines,
            };
            self.step(kind, &format!("{step} after '{go}'"), passed, &repro);
        }
    }

    fn finding(&self, kind: Kind) -> Finding {
        let steps = || self.0.iter().filter(|step| step.kind == kind);
        let failed: Vec<&str> = steps().filter_map(|step| step.failed.as_deref()).collect();
        let (count, of) = (failed.len(), steps().count());
        let summary = if failed.is_empty() {
            format!("{of} of the {} steps, all passed", self.0.len())
        } else {
            let shown = &failed[..count.min(MAX_SHOWN)];
            let more =
                if count > MAX_SHOWN { format!("; and {} more", count - MAX_SHOWN) } else { String::new() };
            format!("{count} of {of} steps failed: {}{more}", shown.join("; "))
        };
        let first = steps().find(|step| step.failed.is_some());
        Finding::new(kind.finding(), Verdict::fail_if(count > 0), summary)
            .effect(count as f64)
            .fixed_confidence(0.99, format!("{of} steps, once each"))
            .threshold("any failed step")
            .samples(of)
            .repro(first.map(|step| step.repro.clone()).unwrap_or_default())
    }
}

fn run(exam: &mut Examination) -> Result<Vec<Finding>, EngineError> {
    const ALL: [&str; 4] = ["bestmove", "info", "form", "score"];
    let mut steps = Steps::default();
    let engine = &mut exam.engine;
    let kinds_before: Vec<&str> = engine.audit().malformed().iter().map(|(kind, _)| *kind).collect();
    let opening = engine.opening_lines();
    steps.step(Kind::Answers, "start", true, &opening);
    let ready = |engine: &mut EngineUnderTest| engine.with_client(|client| client.ready(TIMEOUT)).is_ok();
    steps.step(Kind::Answers, "isready", ready(engine), &opening);
    let identity = engine.identity();
    steps.step(Kind::Names, "id name", !identity.name.is_empty(), &opening);
    steps.step(Kind::Names, "id author", !identity.author.is_empty(), &opening);
    steps.step(Kind::Answers, "ucinewgame", engine.only_new_game().is_ok(), &opening);
    for position in ["position startpos".to_owned(), format!("position fen {WHITE}")] {
        let lines = [&opening[..], &[position.clone(), "isready".to_owned()]].concat();
        let sent = engine.with_client(|client| client.send(&position)).is_ok();
        steps.step(Kind::Answers, "position", sent, &lines);
        steps.step(Kind::Answers, "isready", ready(engine), &lines);
    }
    let white = Position::from_fen(WHITE).unwrap_or_else(|_| Position::startpos());
    let black = Position::from_fen(BLACK).unwrap_or_else(|_| Position::startpos());
    let ask = |engine: &mut EngineUnderTest, position: &Position, go: &str, steps: &mut Steps| {
        let result = engine.search(position, go, TIMEOUT);
        let was_sent = !matches!(result, Err(EngineError::Start | EngineError::GivenUp));
        steps.step(Kind::Answers, go, was_sent, &engine.logged_commands());
        steps.search(go, &result, &ALL, &engine.logged_commands());
    };
    ask(engine, &white, "go wtime 100", &mut steps);
    steps.step(Kind::Answers, "position fen, Black to move", true, &[]);
    ask(engine, &black, "go btime 100", &mut steps);
    ask(engine, &black, "go wtime 100 winc 100 btime 100 binc 100", &mut steps);
    ask(engine, &black, "go btime 100 binc 100 wtime 100 winc 100", &mut steps);
    let kinds = engine.audit().malformed();
    let malformed = kinds.iter().find(|(kind, _)| !kinds_before.contains(kind));
    let lines = malformed.map_or_else(|| engine.logged_commands(), |(_, first)| first.repro.clone());
    steps.step(Kind::Lines, "form of all info lines", malformed.is_none(), &lines);
    steps.step(Kind::Answers, "ucinewgame", engine.only_new_game().is_ok(), &opening);
    steps.step(Kind::Answers, "position startpos", true, &[]);
    let go = "go wtime 100 btime 100";
    let result = engine.search(&Position::startpos(), go, TIMEOUT);
    steps.step(Kind::Answers, go, result.is_ok(), &engine.logged_commands());
    steps.search(go, &result, &["bestmove", "form"], &engine.logged_commands());
    let mut game = Game::default();
    for word in ["e2e4", "e7e5"] {
        if let Ok(mv) = game.position().parse_uci(word) {
            game.play(mv);
        }
    }
    steps.step(Kind::Answers, "position startpos moves e2e4 e7e5", true, &[]);
    let result = engine.search_game(&game, go, TIMEOUT);
    steps.step(Kind::Answers, go, result.is_ok(), &engine.logged_commands());
    steps.search(go, &result, &["bestmove", "form"], &engine.logged_commands());
    Ok(Kind::ALL.map(|kind| steps.finding(kind)).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Verdict;
    use uci::Score;

    fn verdicts(steps: &Steps) -> [Verdict; 3] {
        Kind::ALL.map(|kind| steps.finding(kind).verdict)
    }

    #[test]
    fn unanswered_search_is_not_malformed() {
        use Verdict::{Fail, Pass};
        let go = "go btime 100";
        let mut steps = Steps::default();
        steps.search(go, &Err(EngineError::Hang), &["bestmove", "info", "form", "score"], &[go.to_owned()]);
        assert_eq!(verdicts(&steps), [Pass, Fail, Pass]);
        assert_eq!(steps.finding(Kind::Answers).repro, [go]);
        let mut without_info = SearchOutput::with_times(100, 100);
        without_info.best = Some("e2e4".to_owned());
        let mut steps = Steps::default();
        steps.search(go, &Ok(without_info), &["bestmove", "info", "form", "score"], &[]);
        assert_eq!(verdicts(&steps), [Pass, Pass, Fail]);
    }

    #[test]
    fn steps_are_numbered() {
        let mut steps = Steps::default();
        steps.step(Kind::Answers, "start", true, &[]);
        steps.step(Kind::Names, "id name", false, &[]);
        let mut result = SearchOutput::with_line(3, Score::Centipawns(1), 5, true);
        result.best = Some("e2e4".to_owned());
        steps.search("go wtime 100", &Ok(result), &["bestmove"], &[]);
        assert!(steps.finding(Kind::Names).summary.ends_with("failed: 2 id name"));
        assert!(steps.finding(Kind::Answers).summary.contains("3 bestmove after 'go wtime 100'"));
    }
}
