//! The microscope: one recorded search, from which the page fetches nodes, and earlier recordings, which can be searched
//! again.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::Limits;
use engine::evaluation::Evaluation;
use review::trace::{DEFAULT_TIME, Node, Trace, TraceSetup, WhyError, read_line, trace};
use support::sync::lock;

use crate::clients::Clients;
use crate::error::{INTERNAL, RequestError};
use crate::job::{JobSlot, RunningJob};
use crate::protocol::{
    Event, FoundNodes, NodeFilter, NodePage, Purpose, Rates, Reply, TraceNode, TraceOverview, TraceRequest,
    TraceStart, WhyNot,
};
use crate::reasons::Reasons;
use crate::recordings::{self, SavedRecording};
use crate::store::{Collection, Id, Store};

const MAX_DEPTH: u32 = 24;
/// The longest search; its last complete iteration is shown.
const MAX_TIME: Duration = DEFAULT_TIME;
/// Nodes of a stored tree.
const MAX_NODES: usize = 60_000;
/// Children in one reply.
const PAGE_SIZE: usize = 100;
/// Nodes that a filter returns.
const MAX_FOUND: usize = 200;

pub struct Microscope {
    evaluation: Evaluation,
    evaluation_name: String,
    store: Arc<Store>,
    clients: Arc<Clients>,
    slot: JobSlot<()>,
    reasons: Reasons,
    trace: Arc<Mutex<Option<Arc<Trace>>>>,
}

impl Microscope {
    pub fn new(
        evaluation: Evaluation,
        evaluation_name: &str,
        options: Vec<(String, String)>,
        store: Arc<Store>,
        clients: Arc<Clients>,
    ) -> Microscope {
        let evaluation_name = evaluation_name.to_owned();
        let (slot, trace) = (JobSlot::default(), Arc::default());
        let reasons = Reasons::new(evaluation.clone(), options, Arc::clone(&clients));
        Microscope { evaluation, evaluation_name, store, clients, slot, reasons, trace }
    }

    pub fn handle(&self, request: TraceRequest) -> Result<Reply, RequestError> {
        match request {
            TraceRequest::Start(start) => self.start(&start)?,
            TraceRequest::Stop => self.stop(),
            TraceRequest::List => return Ok(Reply::Recordings(recordings::list(&self.store))),
            TraceRequest::Open { id } => self.open(&id)?,
            TraceRequest::Remove { id } => self.store.remove(Collection::Traces, &id)?,
            TraceRequest::Children { node, skip } => return self.children(node, skip).map(Reply::Nodes),
            TraceRequest::Find(filter) => return self.find(&filter).map(Reply::Found),
            TraceRequest::Path { node } => return self.path(node).map(Reply::Path),
            TraceRequest::WhyNot { line } => return self.why_not(&line).map(Reply::WhyNot),
            TraceRequest::Reason { mv } => self.reason(&mv)?,
            TraceRequest::StopReason => self.reasons.stop(),
        }
        Ok(Reply::Done)
    }

    /// Searches the position of a recording again.
    fn open(&self, id: &Id) -> Result<(), RequestError> {
        let SavedRecording { position, depth, .. } =
            recordings::read(&self.store, id).ok_or(RequestError::NotFound)?;
        self.start(&TraceStart { position, depth })
    }

    fn start(&self, start: &TraceStart) -> Result<(), RequestError> {
        let limits = Limits {
            depth: Some(start.depth.clamp(1, MAX_DEPTH)),
            move_time: Some(MAX_TIME),
            ..Limits::default()
        };
        let mut request = TraceSetup {
            game: start.position.game()?,
            limits,
            size: MAX_NODES,
            evaluation: self.evaluation.clone(),
            ..TraceSetup::default()
        };
        let (clients, latest, store) =
            (Arc::clone(&self.clients), Arc::clone(&self.trace), Arc::clone(&self.store));
        let (position, evaluation) = (start.position.clone(), self.evaluation_name.clone());
        let to_all = Arc::clone(&self.clients);
        let failed = move |_| to_all.broadcast(Event::TraceFailed(INTERNAL.to_owned()));
        let work = move |job: &RunningJob<()>| {
            request.interrupt = Arc::clone(&job.stop);
            match trace(&request) {
                Ok(trace) => {
                    let overview = overview(&trace);
                    let recording = SavedRecording::new(position, &evaluation, &trace);
                    if let Err(error) = recordings::save(&store, &recording) {
                        clients.warn(format!("could not save the recording: {error}"));
                    }
                    *lock(&latest) = Some(Arc::new(trace));
                    job.free();
                    clients.broadcast(Event::TraceFinished(Box::new(overview)));
                }
                Err(error) => {
                    job.free();
                    clients.broadcast(Event::TraceFailed(error.to_string()));
                }
            }
        };
        self.slot.start("recording", &self.store.new_id(), work, failed)
    }

    /// Stops the search that is being recorded; its last complete iteration is shown.
    pub fn stop(&self) {
        self.slot.stop();
    }

    pub fn is_busy(&self) -> bool {
        self.slot.is_busy()
    }

    fn trace(&self) -> Result<Arc<Trace>, RequestError> {
        lock(&self.trace).clone().ok_or_else(|| "no search has been recorded".into())
    }

    /// The newest recording.
    pub fn overview(&self) -> Option<TraceOverview> {
        self.trace().ok().map(|trace| overview(&trace))
    }

    fn children(&self, node: Option<u32>, skip: usize) -> Result<NodePage, RequestError> {
        let trace = self.trace()?;
        let ids = match node {
            None => trace.roots(),
            Some(node) => trace.node(node).ok_or("unknown node")?.children.clone(),
        };
        Ok(NodePage {
            nodes: nodes(&trace, ids.iter().skip(skip).take(PAGE_SIZE)),
            more: ids.len().saturating_sub(skip.saturating_add(PAGE_SIZE)),
        })
    }

    fn find(&self, filter: &NodeFilter) -> Result<FoundNodes, RequestError> {
        let trace = self.trace()?;
        let fits = |node: &&Node| match filter {
            NodeFilter::Purpose(purpose) => Purpose::from(node.purpose) == *purpose,
            NodeFilter::Reason(reason) => node.reason == Some(reason.as_str()),
        };
        Ok(FoundNodes {
            count: trace.nodes.iter().filter(fits).count(),
            nodes: trace.nodes.iter().filter(fits).take(MAX_FOUND).map(TraceNode::from).collect(),
        })
    }

    fn path(&self, node: u32) -> Result<Vec<TraceNode>, RequestError> {
        let trace = self.trace()?;
        Ok(nodes(&trace, &trace.path(node)))
    }

    /// Looks for the reason of a move by searches of its own, which the tree does not contain.
    fn reason(&self, mv: &str) -> Result<(), RequestError> {
        let position = self.trace()?.position;
        let moves = read_line(&position, mv).map_err(|error: WhyError| error.to_string())?;
        let &mv = moves.first().ok_or("missing move")?;
        self.reasons.start(&self.store.new_id(), &position, mv)
    }

    fn why_not(&self, line: &str) -> Result<WhyNot, RequestError> {
        let trace = self.trace()?;
        let text = |error: WhyError| error.to_string();
        let moves = read_line(&trace.position, line).map_err(text)?;
        let why = trace.why(&moves).map_err(text)?;
        Ok(WhyNot {
            nodes: nodes(&trace, &why.nodes),
            asked: why.asked,
            decision: why.decision,
            refutation: why.refutation,
        })
    }
}

fn nodes<'a>(trace: &Trace, ids: impl IntoIterator<Item = &'a u32>) -> Vec<TraceNode> {
    ids.into_iter().filter_map(|&id| trace.node(id)).map(TraceNode::from).collect()
}

fn overview(trace: &Trace) -> TraceOverview {
    let purposes = trace.nodes.iter().filter(|node| node.parent.is_some()).map(|node| node.purpose.into());
    let reasons = trace.nodes.iter().filter_map(|node| node.reason.map(str::to_owned));
    TraceOverview {
        fen: trace.fen.clone(),
        depth: trace.depth,
        score: trace.score.into(),
        line: trace.line.clone(),
        searched: trace.searched,
        kept: trace.nodes.len(),
        purposes: tally(purposes),
        reasons: tally(reasons),
        by_iteration: trace.by_iteration.iter().map(Rates::from).collect(),
        by_depth: trace.by_depth.iter().map(Rates::from).collect(),
    }
}

/// How often each value occurs, the most frequent first.
fn tally<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<(T, usize)> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for value in values {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PositionSpec;
    use tempfile::{TempDir, tempdir};

    fn request(depth: u32) -> TraceStart {
        let start = chess::Position::startpos().to_fen();
        TraceStart { position: PositionSpec { start, moves: Vec::new() }, depth }
    }

    fn microscope(folder: &TempDir) -> Microscope {
        let store = Arc::new(Store::open(folder.path().to_owned()).expect("a folder"));
        Microscope::new(
            Evaluation::Classical,
            "classical evaluation",
            Vec::new(),
            store,
            Arc::new(Clients::new()),
        )
    }

    fn wait(microscope: &Microscope) {
        while microscope.is_busy() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn stopped_recording_shows_its_last_complete_iteration() {
        let folder = tempdir().expect("a folder");
        let microscope = microscope(&folder);
        microscope.start(&request(MAX_DEPTH)).expect("free");
        assert!(microscope.start(&request(1)).is_err(), "one at a time");
        microscope.stop();
        wait(&microscope);
        let depth = microscope.overview().expect("a recording").depth;
        assert!((1..MAX_DEPTH).contains(&depth), "{depth}");
        microscope.start(&request(1)).expect("free again");
        wait(&microscope);
    }

    #[test]
    fn tree_is_fetched_node_by_node() {
        let folder = tempdir().expect("a folder");
        let microscope = microscope(&folder);
        assert!(microscope.children(None, 0).is_err(), "nothing is recorded yet");
        microscope.start(&request(5)).expect("free");
        wait(&microscope);
        let roots = microscope.children(None, 0).expect("recorded");
        let root = roots.nodes.last().expect("a root");
        assert_eq!(microscope.children(Some(root.id), 0).expect("children").nodes.len(), root.children);
        let reduced = NodeFilter::Purpose(Purpose::ReducedZeroWindow);
        let reduced = microscope.find(&reduced).expect("recorded");
        assert!(reduced.count > 0);
        for (reason, count) in microscope.overview().expect("a recording").reasons {
            let found = microscope.find(&NodeFilter::Reason(reason.clone())).expect("recorded");
            assert_eq!(found.count, count, "{reason}");
        }
        let path = microscope.path(reduced.nodes[0].id).expect("a path");
        assert!(path[0].parent.is_none() && path.len() > 1);
        assert!(!microscope.why_not("a3").expect("an answer").decision.is_empty());
        assert!(microscope.reason("Ke3").is_err());
        assert!(microscope.why_not("e5").is_err() && microscope.children(Some(u32::MAX), 0).is_err());
    }

    /// What the page learns about a move, up to the answer; and how many searches it took.
    fn answer(queue: &mut crate::clients::MessageQueue, wanted: &str) -> (u64, serde_json::Value) {
        loop {
            let Ok(message) = queue.try_recv() else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            let event: serde_json::Value = serde_json::from_str(&message).expect("JSON");
            let content = &event["content"];
            if event["event"] == "reason" && content["mv"] == wanted && !content["outcome"].is_null() {
                return (content["searches"].as_u64().expect("a number"), content["outcome"].clone());
            }
        }
    }

    #[test]
    fn reason_is_found_stopped_and_replaced() {
        let folder = tempdir().expect("a folder");
        let microscope = microscope(&folder);
        assert!(microscope.reason("f3").is_err(), "nothing is recorded yet");
        microscope.start(&request(2)).expect("free");
        wait(&microscope);
        let (_, mut queue) = microscope.clients.connect().expect("room");
        // The first question ends when the second one comes.
        microscope.reason("a3").expect("legal");
        microscope.reason("f3").expect("legal");
        assert_eq!(answer(&mut queue, "a3").1, "stopped");
        let (searches, found) = answer(&mut queue, "f3");
        assert!(searches > 1, "{searches}");
        assert_eq!(found["found"]["line"][0], "f3", "{found}");
        assert!(found["found"]["sentences"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
        microscope.reason("h3").expect("legal");
        microscope.handle(TraceRequest::StopReason).expect("done");
        assert_eq!(answer(&mut queue, "h3").1, "stopped");
        assert!(!microscope.reasons.is_busy());
    }

    #[test]
    fn recordings_survive_a_restart() {
        let folder = tempdir().expect("a folder");
        let before = microscope(&folder);
        for depth in [3, 5, 3] {
            before.start(&request(depth)).expect("free");
            wait(&before);
        }
        let tree = |microscope: &Microscope| {
            serde_json::to_value(&*microscope.trace().expect("a recording")).expect("a tree")
        };
        let (overview, recorded) = (before.overview(), tree(&before));
        drop(before);
        let after = microscope(&folder);
        assert_eq!(after.overview(), None);
        let list = recordings::list(&after.store);
        let depths: Vec<u32> = list.iter().map(|recording| recording.depth).collect();
        assert_eq!(depths, [3, 5], "the same search is kept once");
        after.open(&list[0].id).expect("free");
        wait(&after);
        assert_eq!(after.overview(), overview);
        assert_eq!(tree(&after), recorded);
        assert!(matches!(after.open(&Id::parse("other").expect("an id")), Err(RequestError::NotFound)));
    }
}
