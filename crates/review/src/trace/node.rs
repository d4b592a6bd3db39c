//! A node of a recorded search for output: moves in SAN, and numbers from the point of view of the side that
//! made the move, so that the moves of one position can be compared.

use chess::{Move, Position};
use engine::{TreeNode, Visit};
use serde::Serialize;

use uci::{Bound, Score};

/// The purpose of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// The iteration, or its repetition with a wider window.
    Root,
    /// The first move of a node, with the node's window.
    First,
    /// A later move: zero window, full depth.
    ZeroWindow,
    /// A later move: zero window, reduced depth.
    ReducedZeroWindow,
    /// A reduced search failed high: zero window, full depth.
    FullDepth,
    /// A zero-window search failed high: the full window.
    ReSearch,
    /// Null-move pruning.
    NullMove,
    /// Verification of a null-move cutoff: the same position without null moves.
    Verification,
    /// Razoring: the same position in quiescence search.
    Razoring,
    /// A ProbCut capture.
    Probcut,
    /// Singular search: the same position without the hash move.
    Singular,
    /// A move of the quiescence search.
    Capture,
}

impl Purpose {
    /// As text.
    pub const fn name(self) -> &'static str {
        match self {
            Purpose::Root => "root",
            Purpose::First => "first move",
            Purpose::ZeroWindow => "zero-window",
            Purpose::ReducedZeroWindow => "reduced zero-window",
            Purpose::FullDepth => "full depth",
            Purpose::ReSearch => "re-search",
            Purpose::NullMove => "null move",
            Purpose::Verification => "verification",
            Purpose::Razoring => "razoring",
            Purpose::Probcut => "ProbCut",
            Purpose::Singular => "singular extension",
            Purpose::Capture => "capture",
        }
    }

    /// Whether it is the search of a move whose score counts in the parent.
    pub const fn is_move(self) -> bool {
        matches!(
            self,
            Purpose::First
                | Purpose::ZeroWindow
                | Purpose::ReducedZeroWindow
                | Purpose::FullDepth
                | Purpose::ReSearch
                | Purpose::Capture
        )
    }
}

impl Purpose {
    /// Whether it repeats the search of the same move, which failed high.
    pub const fn is_second_try(self) -> bool {
        matches!(self, Purpose::FullDepth | Purpose::ReSearch)
    }
}

impl From<engine::Purpose> for Purpose {
    fn from(purpose: engine::Purpose) -> Purpose {
        match purpose {
            engine::Purpose::Root => Purpose::Root,
            engine::Purpose::Move(Visit::First | Visit::FirstZeroWindow) => Purpose::First,
            engine::Purpose::Move(Visit::ZeroWindow { reduced: false }) => Purpose::ZeroWindow,
            engine::Purpose::Move(Visit::ZeroWindow { reduced: true }) => Purpose::ReducedZeroWindow,
            engine::Purpose::Move(Visit::FullDepth) => Purpose::FullDepth,
            engine::Purpose::Move(Visit::ReSearch) => Purpose::ReSearch,
            engine::Purpose::NullMove => Purpose::NullMove,
            engine::Purpose::Verification => Purpose::Verification,
            engine::Purpose::Razoring => Purpose::Razoring,
            engine::Purpose::ProbCut => Purpose::Probcut,
            engine::Purpose::Singular => Purpose::Singular,
            engine::Purpose::Capture => Purpose::Capture,
        }
    }
}

/// What became of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Its moves were searched.
    Searched,
    /// It ended before that, for its `reason`.
    Cut,
    /// The move was not searched, for its `reason`.
    Pruned,
    /// The search was stopped in it.
    Unfinished,
}

/// A node. Window, score, bound and evaluation are those of the side that made the move; where the position
/// is the parent's (`root`, `verification`, `razoring`, `singular`) those of the side to move.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// Its id: the index in [`super::Trace::nodes`].
    pub id: u32,
    pub parent: Option<u32>,
    /// Its stored children, in order.
    pub children: Vec<u32>,
    /// Plies from the root.
    pub ply: usize,
    /// The index of the move in the parent's order, from 1; searches of the same move share it.
    pub number: u32,
    /// The move in UCI notation; none for a root, a null move and a search of the same position.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The move in SAN.
    pub san: Option<String>,
    /// The excluded move of a singular search.
    pub excluded: Option<String>,
    pub purpose: Purpose,
    /// The requested depth in plies.
    pub depth: f64,
    /// The singular extension in it; negative for a reduction.
    pub extension: f64,
    /// Alpha; none for minus infinity.
    pub alpha: Option<Score>,
    /// Beta; none for infinity.
    pub beta: Option<Score>,
    /// Whether it is a PV node.
    pub pv: bool,
    /// Whether it is a quiescence node.
    pub quiescence: bool,
    /// Whether the hash table had the position.
    pub hash_hit: bool,
    /// The static evaluation; none in check, or where it was not needed.
    pub evaluation: Option<Score>,
    /// The score; none if the move was not searched or the search was stopped.
    pub score: Option<Score>,
    /// The bound of the score.
    pub bound: Bound,
    /// What became of it.
    pub fate: Fate,
    /// Why it was cut or pruned.
    pub reason: Option<&'static str>,
    /// Bound, fate and reason as text.
    pub verdict: String,
    /// The last move that raised alpha, in UCI notation.
    pub best: Option<String>,
    /// The PV from here, in SAN.
    pub line: Vec<String>,
    /// Nodes of its subtree, this one included; 0 if the move was not searched.
    pub nodes: u64,
    /// Those of them that are not stored.
    pub hidden: u64,
    #[serde(skip)]
    pub(super) played: Option<Move>,
    #[serde(skip)]
    pub(super) position: Position,
}

/// The nodes of a recording, for output.
pub(super) fn tree(root: &Position, chess960: bool, recorded: &[TreeNode]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::with_capacity(recorded.len());
    for (id, record) in recorded.iter().enumerate() {
        let before = record.parent.map_or(*root, |parent| nodes[parent as usize].position);
        let node = translate(id as u32, record, &before, chess960);
        if let Some(parent) = record.parent {
            let parent = &mut nodes[parent as usize];
            let before = parent.children.last().copied();
            parent.children.push(id as u32);
            parent.hidden = parent.hidden.saturating_sub(node.nodes);
            if let Some(before) = before.filter(|_| node.purpose.is_second_try()) {
                let followed = format!(" → {}", node.purpose.name());
                nodes[before as usize].verdict.push_str(&followed);
            }
        }
        nodes.push(node);
    }
    nodes
}

fn translate(id: u32, record: &TreeNode, before: &Position, chess960: bool) -> Node {
    let stays = record.stays();
    let position = if stays {
        *before
    } else {
        record.mv.some().map_or_else(|| before.after_null(), |mv| before.after(mv))
    };
    let seen = |score: engine::Score| if stays { score } else { -score };
    let reported =
        |score: engine::Score| (score.0.abs() < engine::Score::INFINITE.0).then(|| seen(score).to_uci());
    let (low, high) = if stays { (record.alpha, record.beta) } else { (record.beta, record.alpha) };
    let (fate, reason) = match record.fate {
        engine::Fate::Searched => (Fate::Searched, None),
        engine::Fate::Cut(reason) => (Fate::Cut, Some(reason.name())),
        engine::Fate::Pruned(reason) => (Fate::Pruned, Some(reason.name())),
        engine::Fate::Unfinished => (Fate::Unfinished, None),
    };
    let bound = if stays { record.bound() } else { -record.bound() };
    let scored = matches!(fate, Fate::Searched | Fate::Cut);
    let played = record.mv.some().filter(|_| !stays);
    let whole = f64::from(engine::Depth::ONE.0);
    let mut node = Node {
        id,
        parent: record.parent,
        children: Vec::new(),
        ply: record.ply,
        number: record.number,
        mv: played.map(|mv| mv.uci(chess960).to_string()),
        san: played.map(|mv| before.san(mv).to_string()),
        excluded: record.mv.some().filter(|_| stays).map(|mv| before.san(mv).to_string()),
        purpose: record.purpose.into(),
        depth: f64::from(record.depth.0) / whole,
        extension: f64::from(record.extension.0) / whole,
        alpha: reported(low),
        beta: reported(high),
        pv: record.pv,
        quiescence: record.quiescence,
        hash_hit: record.hash_hit,
        evaluation: reported(record.evaluation),
        score: reported(record.score).filter(|_| scored),
        bound,
        fate,
        reason,
        verdict: String::new(),
        best: record.best.map(|mv| mv.uci(chess960).to_string()),
        line: sans(&position, &record.line),
        nodes: record.nodes,
        hidden: record.nodes.saturating_sub(1),
        played,
        position,
    };
    node.verdict = verdict(&node);
    node
}

/// Bound, fate and reason of a node as text.
fn verdict(node: &Node) -> String {
    let outcome = match (node.fate, node.bound) {
        (Fate::Pruned, _) => return format!("not searched: {}", node.reason.unwrap_or_default()),
        (Fate::Unfinished, _) => return "unfinished".to_owned(),
        (_, Bound::Exact) => "exact",
        (_, Bound::Lower) => "failed high",
        (_, Bound::Upper) => "failed low",
    };
    match node.reason {
        Some(reason) => format!("{outcome}, {reason}"),
        None => outcome.to_owned(),
    }
}

/// Moves in SAN, up to the first illegal one.
pub(super) fn sans(from: &Position, line: &[Move]) -> Vec<String> {
    let mut position = *from;
    let mut text = Vec::with_capacity(line.len());
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        text.push(position.san(mv).to_string());
        position = position.after(mv);
    }
    text
}
