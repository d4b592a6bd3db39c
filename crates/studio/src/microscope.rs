//! The microscope: one recorded search, from which the page fetches node after node, and those before it, which can be
//! recorded again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::Limits;
use engine::evaluation::Evaluation;
use review::trace::{DEFAULT_TIME, Node, Request, Trace, read_line, trace};
use serde_json::{Value, json};

use crate::hub::Hub;
use crate::job::Bench;
use crate::protocol::{Event, TraceStart};
use crate::recordings::{self, Recording};
use crate::store::{Id, Store};

/// The deepest search that is recorded.
const MAX_DEPTH: u32 = 24;
/// The longest search that is recorded; the last finished iteration is shown.
const LONGEST: Duration = DEFAULT_TIME;
/// Nodes that are kept.
const SIZE: usize = 60_000;
/// Nodes in one answer.
const PORTION: usize = 100;
/// Nodes that a search for a word finds.
const MOST_FOUND: usize = 200;

/// The newest recording.
pub struct Microscope {
    evaluation: Evaluation,
    judge: String,
    store: Arc<Store>,
    hub: Arc<Hub>,
    bench: Bench,
    slide: Arc<Mutex<Option<Arc<Trace>>>>,
}

impl Microscope {
    /// Nothing is recorded yet; `judge` names what judges positions.
    pub fn new(evaluation: Evaluation, judge: &str, store: Arc<Store>, hub: Arc<Hub>) -> Microscope {
        let judge = judge.to_owned();
        Microscope { evaluation, judge, store, hub, bench: Bench::default(), slide: Arc::default() }
    }

    /// The searches that were recorded, the newest first.
    pub fn list(&self) -> Value {
        recordings::list(&self.store)
    }

    /// Records a search again; `None` if there is no such recording.
    pub fn open(&self, id: &Id) -> Option<Result<(), String>> {
        let Recording { line, depth, .. } = recordings::read(&self.store, id)?;
        Some(self.start(&TraceStart { line, depth }))
    }

    /// Records a search, and tells all pages when it is done.
    ///
    /// # Errors
    /// The position makes no sense, or a search is being recorded.
    pub fn start(&self, asked: &TraceStart) -> Result<(), String> {
        let limits = Limits {
            depth: Some(asked.depth.clamp(1, MAX_DEPTH)),
            move_time: Some(LONGEST),
            ..Limits::default()
        };
        let mut request = Request {
            game: asked.line.game()?,
            limits,
            size: SIZE,
            evaluation: self.evaluation.clone(),
            ..Request::default()
        };
        let (hub, slide, store) = (Arc::clone(&self.hub), Arc::clone(&self.slide), Arc::clone(&self.store));
        let (line, judge) = (asked.line.clone(), self.judge.clone());
        self.bench.start("recording", move |stop| {
            request.interrupt = Arc::clone(stop);
            let news = match trace(&request) {
                Ok(trace) => {
                    let news = json!({"trace": overview(&trace)});
                    if let Err(error) = recordings::keep(&store, &Recording::new(line, &judge, &trace)) {
                        let text = format!("could not save the recording: {error}");
                        hub.tell_all(&Event::new("warning", json!({"text": text})));
                    }
                    *lock(&slide) = Some(Arc::new(trace));
                    news
                }
                Err(error) => json!({"error": error.to_string()}),
            };
            hub.tell_all(&Event::new("trace", news));
        })
    }

    /// Ends the search that is being recorded; its last whole iteration is shown.
    pub fn stop(&self) {
        self.bench.stop();
    }

    /// Whether a search is being recorded.
    pub fn is_busy(&self) -> bool {
        self.bench.is_busy()
    }

    fn slide(&self) -> Result<Arc<Trace>, String> {
        lock(&self.slide).clone().ok_or_else(|| "no search has been recorded".to_owned())
    }

    /// The newest recording; null if there is none.
    pub fn current(&self) -> Value {
        self.slide().map_or(Value::Null, |trace| overview(&trace))
    }

    /// The roots, or what was searched for a node.
    ///
    /// # Errors
    /// There is no recording.
    pub fn children(&self, node: Option<u32>, skip: usize) -> Result<Value, String> {
        let trace = self.slide()?;
        let ids = match node {
            None => trace.roots(),
            Some(node) => trace.node(node).ok_or("unknown node")?.children.clone(),
        };
        let portion: Vec<Value> =
            ids.iter().skip(skip).take(PORTION).filter_map(|&id| trace.node(id)).map(brief).collect();
        Ok(json!({"nodes": portion, "more": ids.len().saturating_sub(skip.saturating_add(PORTION))}))
    }

    /// Nodes of one purpose; with "ended by " before the word, nodes that were decided for that reason. Some words
    /// are both: a null move is searched, and it may end the search of its parent.
    ///
    /// # Errors
    /// There is no recording.
    pub fn find(&self, word: &str) -> Result<Value, String> {
        let trace = self.slide()?;
        let fits = |node: &&Node| match word.strip_prefix("ended by ") {
            Some(reason) => node.reason == Some(reason),
            None => node.purpose.name() == word,
        };
        let count = trace.nodes.iter().filter(fits).count();
        let found: Vec<Value> = trace.nodes.iter().filter(fits).take(MOST_FOUND).map(brief).collect();
        Ok(json!({"nodes": found, "count": count}))
    }

    /// The nodes from a root to this one.
    ///
    /// # Errors
    /// There is no recording.
    pub fn path(&self, node: u32) -> Result<Value, String> {
        let trace = self.slide()?;
        Ok(trace.path(node).into_iter().filter_map(|id| trace.node(id)).map(brief).collect())
    }

    /// Why a line was not played.
    ///
    /// # Errors
    /// There is no recording, or it says nothing about the line.
    pub fn why(&self, line: &str) -> Result<Value, String> {
        let trace = self.slide()?;
        let words = |error: review::trace::WhyError| error.to_string();
        let moves = read_line(&trace.position, line).map_err(words)?;
        let why = trace.why(&moves).map_err(words)?;
        let nodes: Vec<Value> = why.nodes.iter().filter_map(|&id| trace.node(id)).map(brief).collect();
        let mut answer = serde_json::to_value(&why).map_err(|error| error.to_string())?;
        answer["nodes"] = nodes.into();
        Ok(answer)
    }
}

fn lock(slide: &Mutex<Option<Arc<Trace>>>) -> MutexGuard<'_, Option<Arc<Trace>>> {
    slide.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A node with the number of its children instead of their names.
fn brief(node: &Node) -> Value {
    let mut value = serde_json::to_value(node).unwrap_or_default();
    value["children"] = node.children.len().into();
    value
}

/// Everything but the tree, and what the tree is made of.
fn overview(trace: &Trace) -> Value {
    let nodes = trace.nodes.iter();
    json!({
        "fen": trace.fen, "depth": trace.depth, "best": trace.best, "score": trace.score, "line": trace.line,
        "searched": trace.searched, "kept": trace.nodes.len(),
        "purposes": tally(nodes.clone().filter(|node| node.parent.is_some()).map(|node| node.purpose.name())),
        "reasons": tally(nodes.filter_map(|node| node.reason)),
        "by_iteration": trace.by_iteration, "by_depth": trace.by_depth,
    })
}

/// How often each word occurs, the most frequent first.
fn tally<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(&'a str, usize)> {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.sort_unstable_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Line;
    use tempfile::{TempDir, tempdir};

    fn asked(depth: u32) -> TraceStart {
        let start = chess::Position::startpos().to_fen();
        TraceStart { line: Line { start, moves: Vec::new() }, depth }
    }

    /// The microscope of a studio that begins to serve this folder.
    fn microscope(folder: &TempDir) -> Microscope {
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        Microscope::new(Evaluation::Classical, "classical evaluation", store, Arc::new(Hub::new()))
    }

    fn wait(microscope: &Microscope) {
        while microscope.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_recording_that_is_stopped_shows_its_last_whole_iteration() {
        let folder = tempdir().expect("a folder");
        let microscope = microscope(&folder);
        microscope.start(&asked(MAX_DEPTH)).expect("free");
        assert!(microscope.start(&asked(1)).is_err(), "one at a time");
        microscope.stop();
        wait(&microscope);
        let depth = microscope.current()["depth"].as_u64().expect("a recording");
        assert!(depth >= 1 && depth < u64::from(MAX_DEPTH), "{depth}");
        microscope.start(&asked(1)).expect("free again");
        wait(&microscope);
    }

    #[test]
    fn a_recording_is_fetched_node_by_node() {
        let folder = tempdir().expect("a folder");
        let microscope = microscope(&folder);
        assert!(microscope.children(None, 0).is_err(), "nothing is recorded yet");
        microscope.start(&asked(5)).expect("free");
        wait(&microscope);
        let roots = microscope.children(None, 0).expect("recorded");
        let root = roots["nodes"].as_array().expect("roots").last().expect("a root").clone();
        let id = root["id"].as_u64().expect("a number") as u32;
        let moves = microscope.children(Some(id), 0).expect("children");
        assert_eq!(moves["nodes"].as_array().map(|moves| moves.len() as u64), root["children"].as_u64());
        let scouts = microscope.find("reduced scout").expect("scouts");
        assert!(scouts["count"].as_u64() > Some(0), "{scouts}");
        for reason in microscope.current()["reasons"].as_array().expect("reasons") {
            let word = reason[0].as_str().expect("a word");
            let found = microscope.find(&format!("ended by {word}")).expect("found");
            assert_eq!(found["count"], reason[1], "{word}");
        }
        let deep = scouts["nodes"][0]["id"].as_u64().expect("a number") as u32;
        let path = microscope.path(deep).expect("a path");
        assert!(path[0]["parent"].is_null() && path.as_array().expect("nodes").len() > 1);
        let why = microscope.why("a3").expect("a reason");
        assert!(!why["decision"].as_str().expect("a sentence").is_empty());
        assert!(microscope.why("e5").is_err() && microscope.children(Some(u32::MAX), 0).is_err());
    }

    #[test]
    fn recordings_outlive_the_studio_and_show_the_same_tree_again() {
        let folder = tempdir().expect("a folder");
        let before = microscope(&folder);
        for depth in [3, 5, 3] {
            before.start(&asked(depth)).expect("free");
            wait(&before);
        }
        let tree = |microscope: &Microscope| {
            let Ok(trace) = microscope.slide() else { panic!("no recording") };
            serde_json::to_value(&*trace).expect("a tree")
        };
        let (overview, recorded) = (before.current(), tree(&before));
        drop(before);
        let after = microscope(&folder);
        assert!(after.current().is_null());
        let list = after.list();
        let depths: Vec<_> =
            list.as_array().expect("a list").iter().map(|one| one["depth"].clone()).collect();
        assert_eq!(depths, [3, 5], "the same search is kept once");
        let id = Id::parse(list[0]["id"].as_str().expect("a name")).expect("a name");
        after.open(&id).expect("there").expect("free");
        wait(&after);
        assert_eq!(after.current(), overview);
        assert_eq!(tree(&after), recorded);
        assert!(after.open(&Id::parse("other").expect("a name")).is_none());
    }
}
