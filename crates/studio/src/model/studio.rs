//! Pages that come, ask for everything the studio does, and go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Game, Position};
use engine::evaluation::Evaluation;
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::cases;
use crate::clients::{ClientId, MessageQueue};
use crate::store::Store;
use crate::studio::{Studio, StudioConfig};

/// Timeout: long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_mins(2);

#[derive(Clone, Debug)]
enum Step {
    Connect,
    Disconnect(usize),
    /// A request by one of the pages.
    Ask(usize, Ask),
    /// The connection ends while the request is on its way: the studio handles it later.
    AnalyseTooLate,
    /// Waits until the engine has moved.
    AwaitMove,
}

#[derive(Clone, Debug)]
enum Ask {
    Hello,
    /// Without limit, or to depth 1.
    Analyse(bool),
    StopAnalysis,
    NewGame {
        white: bool,
    },
    /// A legal move by its index, or one for an earlier position.
    Move(usize),
    StaleMove,
    TakeBack,
    Resign,
    Start(JobKind),
    Stop(JobKind),
    /// Something that is no request, or one with values at the end of their range.
    Nonsense(usize),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum JobKind {
    Trace,
    Review,
    Match,
}

const JOBS: [JobKind; 3] = [JobKind::Trace, JobKind::Review, JobKind::Match];

fn step() -> impl Strategy<Value = Step> {
    let job = prop::sample::select(&JOBS[..]);
    let ask = prop_oneof![
        1 => Just(Ask::Hello),
        3 => any::<bool>().prop_map(Ask::Analyse),
        2 => Just(Ask::StopAnalysis),
        2 => any::<bool>().prop_map(|white| Ask::NewGame { white }),
        5 => any::<usize>().prop_map(Ask::Move),
        1 => Just(Ask::StaleMove),
        2 => Just(Ask::TakeBack),
        1 => Just(Ask::Resign),
        3 => job.clone().prop_map(Ask::Start),
        3 => job.prop_map(Ask::Stop),
        4 => any::<usize>().prop_map(Ask::Nonsense),
    ];
    prop_oneof![
        3 => Just(Step::Connect),
        2 => any::<usize>().prop_map(Step::Disconnect),
        20 => (any::<usize>(), ask).prop_map(|(page, ask)| Step::Ask(page, ask)),
        1 => Just(Step::AnalyseTooLate),
        1 => Just(Step::AwaitMove),
    ]
}

/// Requests that must be refused, or do no harm: never an internal error.
fn nonsense(number: usize) -> Value {
    let start = Position::startpos().to_fen();
    let vedette = json!({"engine": {"vedette": {"elo": null, "classical": true}}, "options": []});
    let game = |clock: Value, chess960: Value, fen: Value| {
        json!({"game": {"new": {
            "side": "white", "elo": u32::MAX, "clock": clock, "chess960": chess960, "fen": fen, "date": "\u{0}",
        }}})
    };
    let fight = |clock: Value, nodes: Value, pairs: u64, sprt: Value| {
        json!({"match": {"start": {
            "engines": [vedette, vedette], "gauntlet": false, "openings": "built-in", "pairs": pairs, "clock": clock, "nodes": nodes,
            "concurrency": u64::MAX, "sprt": sprt,
        }}})
    };
    let all = [
        json!("shell"),
        json!({"explain": {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}}),
        json!({"explain": {"fen": "k7/8/8/8/8/8/8/K7 w - - 4294967295 4294967295"}}),
        json!({"library": {"pgn": {"source": "match", "id": "none", "index": u64::MAX}}}),
        json!({"library": {"remove": {"source": "played", "id": "none"}}}),
        json!({"library": {"import": {"pgn": "{"}}}),
        json!({"library": {"search": {"text": "\u{0}", "source": null, "skip": u64::MAX}}}),
        json!({"library": {"explore": {"position": {"start": start, "moves": ["e2e5"]}}}}),
        json!({"game": {"continue": {"id": "none"}}}),
        json!({"match": {"game": {"id": "none", "index": u64::MAX}}}),
        json!({"match": {"resume": {"id": "none"}}}),
        json!({"review": {"resume": {"id": "none"}}}),
        json!({"review": {"game": {"id": "none", "index": u64::MAX}}}),
        json!({"review": {"start": {"pgn": "", "depth": u32::MAX}}}),
        json!({"review": {"start": {"pgn": "{", "millis": u64::MAX}}}),
        json!({"trace": {"children": {"node": u32::MAX, "skip": u64::MAX}}}),
        json!({"trace": {"find": {"reason": "\u{0}"}}}),
        json!({"trace": {"path": {"node": u32::MAX}}}),
        json!({"trace": {"why-not": {"line": "e4 e5 Ke3"}}}),
        json!({"trace": {"open": {"id": "none"}}}),
        json!({"doctor": {"start": {"engine": "none", "thoroughness": "full", "only": []}}}),
        json!({"doctor": {"start": {"engine": null, "thoroughness": "full", "only": ["none"]}}}),
        json!({"doctor": "list"}),
        json!({"game": {"move": {"mv": "e2e4\u{0}", "ply": u64::MAX}}}),
        game(json!({"seconds": u32::MAX, "increment": u32::MAX}), Value::Null, Value::Null),
        game(Value::Null, json!(960), Value::Null),
        game(Value::Null, Value::Null, json!("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")),
        fight(json!("1e19+1e19"), Value::Null, 1, Value::Null),
        fight(Value::Null, json!(0), 1, Value::Null),
        fight(Value::Null, json!(1), u64::MAX, Value::Null),
        fight(Value::Null, json!(1), 1, json!([1e300, -1e300])),
        json!({"analysis": {"start": {
            "setup": {
                "position": {"start": start, "moves": ["e2e5"]}, "lines": u64::MAX, "threads": u64::MAX,
                "hash": u64::MAX, "run": u64::MAX, "depth": u32::MAX,
            },
            "take": true,
        }}}),
    ];
    all[number % all.len()].clone()
}

struct Page {
    id: ClientId,
    queue: MessageQueue,
}

/// The studio, and what the model knows of it.
struct World {
    studio: Arc<Studio>,
    _folder: TempDir,
    pages: Vec<Page>,
    /// A page that stays and sees all events.
    observer: Page,
    seen: Vec<Value>,
    /// Whose analysis runs, with its number.
    owner: Option<(ClientId, u64)>,
    runs: u64,
    /// Jobs that were started and have not reported their end.
    jobs: Vec<JobKind>,
    version: u64,
}

type Checked<T = ()> = Result<T, TestCaseError>;

fn new_world() -> World {
    let folder = tempfile::tempdir().expect("a folder");
    let config = StudioConfig {
        evaluation: Evaluation::Classical,
        evaluation_name: "classical evaluation".to_owned(),
        options: vec![("Evaluation".to_owned(), "classical".to_owned())],
        program: PathBuf::from("vedette"),
        version: "test".to_owned(),
        engines: Vec::new(),
        installed: Vec::new(),
    };
    let studio = Studio::open(config, Store::open(folder.path().to_owned()).expect("a folder"));
    let studio = studio.expect("a thread");
    let (id, queue) = studio.clients().connect().expect("room");
    World {
        studio,
        _folder: folder,
        pages: Vec::new(),
        observer: Page { id, queue },
        seen: Vec::new(),
        owner: None,
        runs: 0,
        jobs: Vec::new(),
        version: 0,
    }
}

fn drain(page: &mut Page) -> Vec<Value> {
    let next = || page.queue.try_recv().ok();
    std::iter::from_fn(next).map(|text| serde_json::from_str(&text).expect("JSON")).collect()
}

impl World {
    /// Asks, and returns the value or the error.
    fn ask(&self, client: ClientId, request: &Value) -> Checked<Result<Value, String>> {
        let message = json!({"number": 77, "request": request}).to_string();
        let answer = self.studio.answer_blocking(client, &message);
        let answer: Value = serde_json::from_str(&answer.text).expect("JSON");
        prop_assert_eq!(&answer["number"], &json!(77), "{}", request);
        let error = answer["error"].as_str().map(str::to_owned);
        prop_assert!(
            !error.as_ref().is_some_and(|error| error.contains("internal")),
            "{}: {}",
            request,
            answer
        );
        Ok(error.map_or_else(|| Ok(answer["ok"]["value"].clone()), Err))
    }

    fn hello(&self) -> Checked<Value> {
        Ok(self.ask(self.observer.id, &json!("hello"))?.expect("always answered"))
    }

    /// Reads the observer's events, and checks those that must follow each other.
    fn observe(&mut self) -> Checked {
        for event in drain(&mut self.observer) {
            let content = &event["content"];
            let ended = match event["event"].as_str().unwrap_or_default() {
                "warning" => return Err(TestCaseError::fail(format!("warning: {content}"))),
                "game" => {
                    self.check_game(content)?;
                    None
                }
                "trace-finished" | "trace-failed" => Some(JobKind::Trace),
                "review" if content["finished"] == true => Some(JobKind::Review),
                "match" if content["over"].is_string() => {
                    prop_assert_eq!(&content["over"], "stopped");
                    Some(JobKind::Match)
                }
                _ => None,
            };
            if let Some(ended) = ended {
                let Some(at) = self.jobs.iter().position(|&job| job == ended) else {
                    return Err(TestCaseError::fail(format!("{ended:?} ended and was not running")));
                };
                self.jobs.remove(at);
            }
            self.seen.push(event);
        }
        Ok(())
    }

    /// A state of the game is legal, consistent, and newer than the last one.
    fn check_game(&mut self, state: &Value) -> Checked {
        let version = state["version"].as_u64().expect("a number");
        prop_assert!(version > self.version, "{} after {}", version, self.version);
        self.version = version;
        let mut game = Game::new(Position::from_fen(state["start"].as_str().expect("a FEN")).expect("legal"));
        for mv in state["moves"].as_array().expect("a list") {
            let mv = game.position().parse_uci(mv.as_str().expect("a move"));
            prop_assert!(mv.is_ok(), "{}", state);
            game.play(mv.expect("just checked"));
        }
        let engines_turn = (game.position().turn() == chess::Color::White) != (state["side"] == "white");
        prop_assert_eq!(&state["thinking"], &json!(state["ending"].is_null() && engines_turn));
        Ok(())
    }

    /// Waits until the studio is so.
    fn wait(&mut self, what: &str, mut is_so: impl FnMut(&mut World) -> Checked<bool>) -> Checked {
        let limit = Instant::now() + PATIENCE;
        while !is_so(self)? {
            prop_assert!(Instant::now() < limit, "timed out: {}", what);
            std::thread::sleep(Duration::from_millis(2));
            self.observe()?;
        }
        Ok(())
    }

    fn run(&mut self, step: &Step) -> Checked {
        match step {
            Step::Connect => {
                if self.pages.len() < 4 {
                    let (id, queue) = self.studio.clients().connect().expect("room");
                    self.pages.push(Page { id, queue });
                }
            }
            Step::Disconnect(page) => {
                if !self.pages.is_empty() {
                    let page = self.pages.swap_remove(page % self.pages.len());
                    self.disconnect(page.id)?;
                }
            }
            Step::AnalyseTooLate => {
                let (late, _) = self.studio.clients().connect().expect("room");
                self.studio.clients().disconnect(late);
                self.studio.forget_blocking(late);
                self.runs += 1;
                let started = self.ask(late, &analysis(self.runs, None))?;
                prop_assert!(started.is_ok());
                if let Some((before, run)) = self.owner.take() {
                    self.expect_taken(before, run)?;
                }
                // Nothing would ever stop it.
                self.wait("end of an analysis for nobody", |world| {
                    Ok(world.studio.analysis_owner().is_none())
                })?;
            }
            Step::AwaitMove => {
                self.wait("the engine's move", |world| Ok(world.hello()?["game"]["thinking"] != true))?;
            }
            Step::Ask(page, ask) => {
                let page = if self.pages.is_empty() {
                    self.observer.id
                } else {
                    self.pages[page % self.pages.len()].id
                };
                self.request(page, ask)?;
            }
        }
        self.observe()?;
        // Pages read; another test has those that do not.
        let owner = self.studio.analysis_owner();
        prop_assert_eq!(owner, self.owner);
        for page in &mut self.pages {
            drain(page);
        }
        Ok(())
    }

    fn disconnect(&mut self, client: ClientId) -> Checked {
        self.studio.clients().disconnect(client);
        self.studio.forget_blocking(client);
        if self.owner.is_some_and(|(owner, _)| owner == client) {
            self.owner = None;
            self.wait("a free engine", |world| Ok(world.saw("analysis-free")))?;
        }
        Ok(())
    }

    /// Whether the observer has seen such an event; it is forgotten then.
    fn saw(&mut self, event: &str) -> bool {
        let found = self.seen.iter().any(|seen| seen["event"] == event);
        if found {
            self.seen.clear();
        }
        found
    }

    /// A page from which the engine was taken is notified.
    fn expect_taken(&mut self, client: ClientId, run: u64) -> Checked {
        let Some(page) = self.pages.iter_mut().find(|page| page.id == client) else { return Ok(()) };
        let taken = json!({"event": "analysis-taken", "content": run});
        let events = drain(page);
        prop_assert!(events.contains(&taken), "{:?}", events);
        Ok(())
    }

    fn request(&mut self, page: ClientId, ask: &Ask) -> Checked {
        match ask {
            Ask::Hello => drop(self.ask(page, &json!("hello"))?),
            Ask::Analyse(infinite) => self.analyse(page, *infinite)?,
            Ask::StopAnalysis => {
                let stopped = self.ask(page, &json!({"analysis": "stop"}))?;
                prop_assert!(stopped.is_ok());
                if self.owner.is_some_and(|(owner, _)| owner == page) {
                    self.owner = None;
                }
            }
            Ask::NewGame { white } => {
                let side = if *white { "white" } else { "black" };
                let new = json!({"side": side, "elo": 800, "clock": null, "chess960": null, "fen": null, "date": ""});
                let game = self.ask(page, &json!({"game": {"new": new}}))?;
                prop_assert!(game.is_ok_and(|game| game["side"] == side && game["ending"].is_null()));
            }
            Ask::Move(_) | Ask::StaleMove | Ask::TakeBack | Ask::Resign => self.play(page, ask)?,
            Ask::Start(job) => self.start(page, *job)?,
            Ask::Stop(job) => {
                let stopped = self.ask(page, &json!({job.name(): "stop"}))?;
                prop_assert!(stopped.is_ok());
                let job = *job;
                // One that is being started by another thread does not exist here.
                self.wait("the end of a job", |world| Ok(!world.jobs.contains(&job)))?;
            }
            Ask::Nonsense(number) => drop(self.ask(page, &nonsense(*number))?),
        }
        Ok(())
    }

    fn analyse(&mut self, page: ClientId, infinite: bool) -> Checked {
        self.runs += 1;
        let run = self.runs;
        self.seen.clear();
        let started = self.ask(page, &analysis(run, (!infinite).then_some(1)))?;
        prop_assert!(started.is_ok());
        if let Some((before, old)) = self.owner.take().filter(|&(before, _)| before != page) {
            self.expect_taken(before, old)?;
        }
        if infinite {
            self.owner = Some((page, run));
        } else {
            self.wait("the end of a short analysis", |world| Ok(world.studio.analysis_owner().is_none()))?;
        }
        Ok(())
    }

    /// Moves, takebacks and resignations: whether they are accepted follows from the state before.
    fn play(&mut self, page: ClientId, ask: &Ask) -> Checked {
        let before = self.hello()?["game"].clone();
        let moves = before["moves"].as_array().map_or(0, Vec::len);
        let white = before["side"] == "white";
        let humans_turn = before.is_object() && before["ending"].is_null() && before["thinking"] == false;
        let (request, accepted) = match ask {
            Ask::Move(index) => {
                let legal = legal_moves(&before);
                let mv =
                    if legal.is_empty() { "e2e4".to_owned() } else { legal[index % legal.len()].clone() };
                // If the engine moves in between, the number of moves is wrong.
                (json!({"game": {"move": {"mv": mv, "ply": moves}}}), humans_turn)
            }
            Ask::StaleMove => (json!({"game": {"move": {"mv": "e2e4", "ply": moves + 7}}}), false),
            Ask::TakeBack => (json!({"game": "take-back"}), moves >= if white { 1 } else { 2 }),
            _ => (json!({"game": "resign"}), before.is_object()),
        };
        let after = self.ask(page, &request)?;
        prop_assert_eq!(after.is_ok(), accepted, "{}: {:?}, before: {}", request, after, before);
        match (ask, after) {
            (Ask::Move(_), Ok(after)) => {
                prop_assert_eq!(after["moves"].as_array().map(Vec::len), Some(moves + 1));
            }
            (Ask::TakeBack, Ok(after)) => {
                prop_assert!(after["ending"].is_null() && after["thinking"] == false);
            }
            (Ask::Resign, Ok(after)) => prop_assert!(after["ending"].is_object()),
            _ => {}
        }
        Ok(())
    }

    fn start(&mut self, page: ClientId, job: JobKind) -> Checked {
        self.observe()?;
        let was_running = self.jobs.contains(&job);
        let started = self.ask(page, &job.start())?;
        // A slot is free a moment before the end is reported.
        prop_assert!(started.is_ok() || was_running, "{:?}", started);
        if started.is_ok() {
            self.jobs.push(job);
        }
        if started.is_ok() && was_running {
            self.wait("the end of the job before", |world| {
                Ok(world.jobs.iter().filter(|&&other| other == job).count() == 1)
            })?;
        }
        Ok(())
    }

    /// Everything stops, and nothing is left.
    fn end(mut self) -> Checked {
        for page in std::mem::take(&mut self.pages) {
            self.disconnect(page.id)?;
        }
        self.disconnect_analysis()?;
        for job in JOBS {
            self.request(self.observer.id, &Ask::Stop(job))?;
        }
        let hello = self.hello()?;
        for idle in ["match", "review", "doctor"] {
            prop_assert!(hello[idle].is_null(), "{}", hello[idle]);
        }
        prop_assert_eq!(&hello["recording"], &json!(false));
        self.wait("an idle engine", |world| Ok(!world.studio.is_analysing()))?;
        prop_assert_eq!(*self.studio.clients().count().borrow(), 1);
        Ok(())
    }

    fn disconnect_analysis(&mut self) -> Checked {
        self.request(self.observer.id, &Ask::StopAnalysis)
    }
}

impl JobKind {
    const fn name(self) -> &'static str {
        match self {
            JobKind::Trace => "trace",
            JobKind::Review => "review",
            JobKind::Match => "match",
        }
    }

    /// A request for so much work that it does not end by itself.
    fn start(self) -> Value {
        let vedette = json!({"engine": {"vedette": {"elo": null, "classical": true}}, "options": []});
        match self {
            JobKind::Trace => {
                json!({"trace": {"start": {"position": {"start": Position::startpos().to_fen()}, "depth": 24}}})
            }
            JobKind::Review => {
                json!({"review": {"start": {"pgn": "1. e4 e5 2. Nf3 Nc6 *", "millis": 60_000}}})
            }
            JobKind::Match => json!({"match": {"start": {
                "engines": [vedette, vedette], "gauntlet": false, "openings": "built-in", "pairs": 10_000, "clock": null, "nodes": 1000, "concurrency": 1,
                "sprt": null,
            }}}),
        }
    }
}

fn analysis(run: u64, depth: Option<u32>) -> Value {
    json!({"analysis": {"start": {
        "setup": {
            "position": {"start": Position::startpos().to_fen()}, "lines": 1, "threads": 1, "hash": 16, "run": run,
            "depth": depth,
        },
        "take": true,
    }}})
}

fn legal_moves(state: &Value) -> Vec<String> {
    let Some(start) = state["start"].as_str() else { return Vec::new() };
    let mut game = Game::new(Position::from_fen(start).expect("legal"));
    for mv in state["moves"].as_array().expect("a list") {
        let mv = game.position().parse_uci(mv.as_str().expect("a move")).expect("legal");
        game.play(mv);
    }
    game.position().legal_moves().into_iter().map(|mv| mv.uci(true).to_string()).collect()
}

proptest! {
    #![proptest_config(cases(16, 500))]

    #[test]
    fn studio_matches_model(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a thread");
        let _inside = runtime.enter();
        let mut world = new_world();
        for step in &steps {
            world.run(step)?;
        }
        world.end()?;
    }
}
