//! UCI sessions, random ones and all short ones, compared with a model of the expected output: one
//! `bestmove` for every `go`, in order, one `readyok` for every `isready`, and nothing hangs.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chess::Position;
use proptest::prelude::*;
use uci::Line;

use super::mailbox::Mailbox;
use super::output::Output;
use super::session_loop::Session;

/// Nothing takes that long, not even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where searches begin.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// What keeps a search from ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Nothing: it has a limit, or was stopped.
    None,
    /// `infinite`.
    Infinite,
    /// `ponder`; another hold may follow.
    Ponder { infinite: bool },
}

#[derive(Clone, Debug)]
enum Step {
    /// `go` with this limit.
    Go(&'static str),
    Stop,
    PonderHit,
    IsReady,
    Position(usize),
    SetOption(&'static str),
    NewGame,
    Perft,
    /// Waits until every search has answered that can.
    Wait,
    /// Lets some time pass.
    Pause(u64),
}

#[derive(Clone, Copy, Debug)]
enum SessionEnd {
    Quit,
    EndOfInput,
    Signal,
}

const LIMITS: [&str; 11] = [
    "depth 1",
    "depth 4",
    "nodes 1",
    "nodes 3000",
    "movetime 1",
    "wtime 20 btime 20",
    "mate 1 nodes 500",
    "infinite",
    "ponder depth 2",
    "ponder movetime 1",
    "ponder infinite",
];

/// What a session has been asked for.
#[derive(Default)]
struct Model {
    position: usize,
    /// Each search, the move it has to answer with, and what holds it.
    searches: Vec<(String, Hold)>,
    questions: usize,
    perfts: usize,
}

impl Model {
    /// The line to send, if there is one; what it means is noted.
    fn send(&mut self, step: &Step) -> Option<String> {
        Some(match *step {
            Step::Go(limit) => {
                let position = Position::from_fen(POSITIONS[self.position]).expect("a position");
                let moves = position.legal_moves();
                // Each search has a move of its own, which shows whose answer it is.
                let mv = moves[self.searches.len() % moves.len()].uci(false).to_string();
                let infinite = limit.contains("infinite");
                let hold = if limit.contains("ponder") {
                    Hold::Ponder { infinite }
                } else if infinite {
                    Hold::Infinite
                } else {
                    Hold::None
                };
                self.searches.push((mv.clone(), hold));
                format!("go {limit} searchmoves {mv}")
            }
            Step::Stop => {
                if let Some((_, hold)) = self.searches.iter_mut().find(|(_, hold)| *hold != Hold::None) {
                    *hold = Hold::None;
                }
                "stop".to_owned()
            }
            Step::PonderHit => {
                let pondering = |hold: &Hold| matches!(hold, Hold::Ponder { .. });
                if let Some((_, hold)) = self.searches.iter_mut().find(|(_, hold)| pondering(hold)) {
                    let stays = *hold == Hold::Ponder { infinite: true };
                    *hold = if stays { Hold::Infinite } else { Hold::None };
                }
                "ponderhit".to_owned()
            }
            Step::IsReady => {
                self.questions += 1;
                "isready".to_owned()
            }
            Step::Position(number) => {
                self.position = number;
                format!("position fen {}", POSITIONS[number])
            }
            Step::SetOption(option) => format!("setoption name {option}"),
            Step::NewGame => {
                self.position = 0;
                "ucinewgame".to_owned()
            }
            Step::Perft => {
                self.perfts += 1;
                "go perft 1".to_owned()
            }
            Step::Wait | Step::Pause(_) => return None,
        })
    }

    /// How many searches answer without a further command.
    fn due(&self) -> usize {
        let held = self.searches.iter().position(|(_, hold)| *hold != Hold::None);
        held.unwrap_or(self.searches.len())
    }
}

/// Sends what is written on, line by line.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line[..end]).into_owned();
            self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session on a thread of its own, and what it has said.
struct RunningSession {
    mailbox: Arc<Mailbox>,
    lines: Receiver<String>,
    session: JoinHandle<()>,
    answers: Vec<String>,
    ready: usize,
    perfts: usize,
    log: Vec<String>,
}

impl RunningSession {
    fn start() -> RunningSession {
        let (send, lines) = channel();
        let mailbox = Arc::new(Mailbox::default());
        let mut session =
            Session::new(Arc::clone(&mailbox), Output::new(Lines(send, Vec::new()))).expect("an engine");
        let session = thread::spawn(move || session.run_to_end(None));
        let (answers, ready, perfts, log) = Default::default();
        RunningSession { mailbox, lines, session, answers, ready, perfts, log }
    }

    fn send(&mut self, line: String) {
        self.log.push(format!("> {line}"));
        let _ = self.mailbox.put_line(Line::Text(line), Instant::now());
    }

    /// Notes a line of output.
    fn hear(&mut self, line: &str) {
        if let Some(answer) = line.strip_prefix("bestmove ") {
            self.answers.push(answer.split(' ').next().unwrap_or_default().to_owned());
        }
        self.ready += usize::from(line == "readyok");
        self.perfts += usize::from(line.starts_with("nodes "));
        self.log.push(format!("< {line}"));
    }

    /// Waits for this many answers.
    fn wait(&mut self, answers: usize) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        while self.answers.len() < answers {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.hear(&line),
                Err(_) => return Err(format!("answer {answers} does not come")),
            }
        }
        Ok(())
    }

    /// Waits for the end of the session.
    fn end(&mut self) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => self.hear(&line),
                Err(RecvTimeoutError::Timeout) => return Err("the session does not end".to_owned()),
                // The writer goes away with the session.
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// Runs a session and compares it with the model.
fn converse(steps: &[Step], ending: SessionEnd) -> Result<(), String> {
    let mut conversation = RunningSession::start();
    let held = converse_with(&mut conversation, steps, ending);
    let log = conversation.log.join("\n");
    held.map_err(|error| format!("{error}\n{log}"))?;
    conversation.session.join().map_err(|_| format!("the session panics\n{log}"))
}

fn converse_with(
    conversation: &mut RunningSession,
    steps: &[Step],
    ending: SessionEnd,
) -> Result<(), String> {
    let mut model = Model::default();
    conversation.send("setoption name Hash value 1".to_owned());
    for step in steps {
        if let Some(line) = model.send(step) {
            conversation.send(line);
        }
        match step {
            Step::Wait => conversation.wait(model.due())?,
            Step::Pause(microseconds) => thread::sleep(Duration::from_micros(*microseconds)),
            _ => {}
        }
        if conversation.answers.len() > model.due() {
            return Err("a search answers that cannot have ended".to_owned());
        }
    }
    match ending {
        SessionEnd::Quit => conversation.send("quit".to_owned()),
        SessionEnd::EndOfInput => conversation.mailbox.end_input(),
        SessionEnd::Signal => conversation.mailbox.interrupt(),
    }
    conversation.end()?;
    let expected: Vec<&str> = model.searches.iter().map(|(mv, _)| mv.as_str()).collect();
    let complete = match ending {
        // What waits is dropped, and what has not been read.
        SessionEnd::Signal => {
            expected.starts_with(&conversation.answers.iter().map(String::as_str).collect::<Vec<_>>())
                && conversation.ready <= model.questions
        }
        SessionEnd::Quit | SessionEnd::EndOfInput => {
            conversation.answers == expected
                && (conversation.ready, conversation.perfts) == (model.questions, model.perfts)
        }
    };
    if complete { Ok(()) } else { Err(format!("expected {expected:?} and {} readyok", model.questions)) }
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => proptest::sample::select(&LIMITS[..]).prop_map(Step::Go),
        4 => Just(Step::Stop),
        2 => Just(Step::PonderHit),
        2 => Just(Step::IsReady),
        2 => (0..POSITIONS.len()).prop_map(Step::Position),
        1 => proptest::sample::select(&["MultiPV value 2", "Hash value 2", "Threads value 2", "Clear Hash"][..])
            .prop_map(Step::SetOption),
        1 => Just(Step::NewGame),
        1 => Just(Step::Perft),
        2 => Just(Step::Wait),
        2 => (0..3000_u64).prop_map(Step::Pause),
    ]
}

fn converse_at_random(cases: u32) {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 300,
        max_shrink_time: 300_000,
        ..ProptestConfig::default()
    };
    const ENDINGS: [SessionEnd; 3] = [SessionEnd::Quit, SessionEnd::EndOfInput, SessionEnd::Signal];
    let steps = proptest::collection::vec(any_step(), 0..30);
    let conversations = (steps, proptest::sample::select(&ENDINGS[..]));
    let outcome = proptest::test_runner::TestRunner::new(config)
        .run(&conversations, |(steps, ending)| converse(&steps, ending).map_err(TestCaseError::fail));
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

#[test]
fn random_sessions_match_model() {
    converse_at_random(100);
}

#[test]
#[ignore = "make proof"]
fn many_random_sessions_match_model() {
    converse_at_random(10_000);
}

/// Every order of the commands that start, hold and end searches, up to this many.
fn converse_in_every_order(longest: u32) {
    let alphabet = [
        Step::Go("depth 2"),
        Step::Go("infinite"),
        Step::Go("ponder depth 2"),
        Step::Stop,
        Step::PonderHit,
        Step::Position(1),
        Step::IsReady,
    ];
    for length in 0..=longest {
        for number in 0..alphabet.len().pow(length) {
            let digits = (0..length).map(|place| number / alphabet.len().pow(place) % alphabet.len());
            let steps: Vec<Step> = digits.map(|digit| alphabet[digit].clone()).collect();
            let ending = if number % 2 == 0 { SessionEnd::Quit } else { SessionEnd::EndOfInput };
            if let Err(error) = converse(&steps, ending) {
                panic!("{steps:?}: {error}");
            }
        }
    }
}

#[test]
fn every_order_of_3_commands_is_answered() {
    converse_in_every_order(3);
}

#[test]
#[ignore = "make proof"]
fn every_order_of_5_commands_is_answered() {
    converse_in_every_order(5);
}

/// Whatever is sent during an infinite search, its memory is bounded, and `stop` and `quit` work.
#[test]
fn floods_use_bounded_memory() {
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(50);
    let floods: [&dyn Fn(usize) -> String; 4] = [
        &|_| format!("position startpos moves {moves}"),
        &|number| format!("setoption name UCI_Elo value {}", 1000 + number % 1000),
        &|_| "go depth 1".to_owned(),
        &|number| {
            if number % 2 == 0 { "ucinewgame".to_owned() } else { format!("position startpos moves {moves}") }
        },
    ];
    for flood in floods {
        let mut session = Session::new(Arc::default(), Output::new(io::sink())).expect("an engine");
        let mut say = |line: String| session.handle_line(&Line::Text(line), Instant::now());
        say("go infinite".to_owned()).expect("it goes on");
        for number in 0..3000 {
            say(flood(number)).expect("it goes on");
        }
        let (commands, bytes) = session.waiting.size();
        assert!(commands <= 256 && bytes <= 5 * uci::MAX_LINE, "{commands} commands, {bytes} bytes wait");
    }
}

/// A GUI that is ahead of the engine has its clock running; a script has none.
#[test]
fn waiting_go_starts_its_clock_at_its_turn() {
    for (stop, runs) in [(None, false), (Some("stop"), true)] {
        let mut session = Session::new(Arc::default(), Output::new(io::sink())).expect("an engine");
        for line in ["go infinite"].into_iter().chain(stop).chain(["go movetime 5"]) {
            session.handle_line(&Line::Text(line.to_owned()), Instant::now()).expect("it goes on");
        }
        assert_eq!(session.waiting.last().map(|waiting| waiting.received.is_some()), Some(runs));
    }
}
