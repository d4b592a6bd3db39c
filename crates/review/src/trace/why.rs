//! Why a move was not played: the line that refutes it, and the decision that ended its search.

use std::fmt;

use chess::{Move, Position};
use serde::Serialize;

use super::{Fate, Node, Purpose, Trace};
use uci::{Bound, Score};

/// Why a line was not played.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The requested moves in SAN.
    pub asked: Vec<String>,
    /// The move played instead of the last requested one; none if no move raised alpha there.
    pub instead: Option<String>,
    /// The nodes of the line: the requested moves as far as they were searched, then the refutation.
    pub nodes: Vec<u32>,
    /// The refutation in SAN.
    pub refutation: Vec<String>,
    /// The score of the last requested move that was searched, for the side that plays it.
    pub score: Option<Score>,
    /// The bound of the score.
    pub bound: Option<Bound>,
    /// The decision, in a sentence.
    pub decision: String,
    /// One sentence for each node of the line.
    pub steps: Vec<String>,
}

/// Why there is no explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyError {
    /// No moves were given.
    Nothing,
    /// A move is illegal.
    Illegal(String),
    /// The position was not searched, or is not stored.
    NotKept(String),
}

impl fmt::Display for WhyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyError::Nothing => f.write_str("no moves given"),
            WhyError::Illegal(mv) => write!(f, "illegal move '{mv}'"),
            WhyError::NotKept(line) => write!(f, "the search after {line} is not stored: store more nodes"),
        }
    }
}

impl std::error::Error for WhyError {}

/// Parses moves in SAN or UCI notation, separated by spaces or commas.
///
/// # Errors
/// If one of them is illegal.
pub fn read_line(position: &Position, text: &str) -> Result<Vec<Move>, WhyError> {
    let mut position = *position;
    let mut moves = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let mv = position.parse_san(word).or_else(|_| position.parse_uci(word));
        let mv = mv.map_err(|_| WhyError::Illegal(word.to_owned()))?;
        moves.push(mv);
        position = position.after(mv);
    }
    if moves.is_empty() { Err(WhyError::Nothing) } else { Ok(moves) }
}

impl Trace {
    /// Explains why these moves from the root are not the PV.
    ///
    /// # Errors
    /// If there are no moves, or the tree does not contain them.
    pub fn why(&self, line: &[Move]) -> Result<Why, WhyError> {
        if line.is_empty() {
            return Err(WhyError::Nothing);
        }
        let mut current = *self.roots().last().ok_or(WhyError::Nothing)?;
        let mut nodes = Vec::new();
        let asked = super::node::sans(&self.position, line);
        for (index, &mv) in line.iter().enumerate() {
            match self.last_search(current, mv) {
                Some(node) if node.fate != Fate::Pruned => {
                    nodes.push(node.id);
                    current = node.id;
                }
                found => return self.not_searched(asked, index, current, found, nodes),
            }
        }
        let reached = nodes.len();
        self.follow(current, &mut nodes);
        let asked_node = &self.nodes[current as usize];
        let parent = asked_node.parent.map(|parent| &self.nodes[parent as usize]);
        let instead = parent.and_then(|parent| parent.line.first().cloned());
        let last = &self.nodes[nodes[nodes.len() - 1] as usize];
        let decision = if instead.is_some() && instead == asked_node.san && asked_node.bound != Bound::Upper {
            format!("{} is the move that the search plays here.", asked[asked.len() - 1])
        } else {
            decision(asked_node, last, instead.as_deref())
        };
        Ok(Why {
            asked,
            instead,
            refutation: asked_node.line.clone(),
            score: asked_node.score,
            bound: Some(asked_node.bound),
            decision,
            steps: nodes
                .iter()
                .enumerate()
                .map(|(at, &id)| match at.checked_sub(reached) {
                    None => self.step(id, ""),
                    Some(later) if later.is_multiple_of(2) => self.step(id, "reply "),
                    Some(_) => self.step(id, "then "),
                })
                .collect(),
            nodes,
        })
    }

    /// The last search of a move in a node, which counts.
    fn last_search(&self, parent: u32, mv: Move) -> Option<&Node> {
        self.children(parent)
            .filter(|node| node.played == Some(mv) && (node.purpose.is_move() || node.fate == Fate::Pruned))
            .last()
    }

    /// Adds the PV of a node, as far as it is stored.
    fn follow(&self, from: u32, nodes: &mut Vec<u32>) {
        let mut current = from;
        while let Some(node) = self.node(current)
            && let Some(reply) = node.line.first()
            && let Some(next) = self
                .children(current)
                .filter(|child| child.purpose.is_move() && child.san.as_ref() == Some(reply))
                .last()
        {
            nodes.push(next.id);
            current = next.id;
        }
    }

    /// The explanation if a requested move was never searched.
    fn not_searched(
        &self,
        asked: Vec<String>,
        index: usize,
        parent: u32,
        found: Option<&Node>,
        nodes: Vec<u32>,
    ) -> Result<Why, WhyError> {
        let node = &self.nodes[parent as usize];
        let san = asked[index].clone();
        let late = || {
            self.children(parent).find(|child| {
                child.fate == Fate::Pruned && child.reason == Some(engine::MoveCut::LateMove.name())
            })
        };
        let decision = match (found, node.fate) {
            (Some(pruned), _) => {
                format!("{san} was {}: {}.", pruned.verdict, prune_reason(pruned.reason.unwrap_or_default()))
            }
            (None, Fate::Cut) => format!(
                "No move was searched in that position: {}.",
                cut_reason(node.reason.unwrap_or_default())
            ),
            (None, _) if node.hidden > 0 && node.children.is_empty() => {
                return Err(WhyError::NotKept(asked[..index].join(" ")));
            }
            (None, _) if node.quiescence => {
                format!("{san} is not a capture, promotion or check evasion: the quiescence search skips it.")
            }
            (None, _) => match late() {
                Some(first) => format!(
                    "{san} was pruned with all quiet moves from {} on: {}.",
                    first.san.as_deref().unwrap_or_default(),
                    prune_reason(first.reason.unwrap_or_default())
                ),
                None => format!(
                    "{san} was not searched: {} already caused a beta cutoff.",
                    node.line.first().map_or("an earlier move", String::as_str)
                ),
            },
        };
        let steps = nodes.iter().map(|&id| self.step(id, "")).collect();
        let (score, bound) = nodes.last().map_or((None, None), |&id| {
            let node = &self.nodes[id as usize];
            (node.score, Some(node.bound))
        });
        let instead = node.line.first().cloned().filter(|best| *best != san);
        Ok(Why { asked, instead, nodes, refutation: Vec::new(), score, bound, decision, steps })
    }

    /// What happened at a node of the line; `whose` names the side of a move that was not requested.
    fn step(&self, id: u32, whose: &str) -> String {
        let node = &self.nodes[id as usize];
        let san = node.san.as_deref().unwrap_or("pass");
        let score = node.score.map_or(String::new(), |score| format!(" {score}"));
        format!("{whose}{san}: {} at depth {:.1},{score} {}", node.purpose.name(), node.depth, node.verdict)
    }
}

/// The decision against a move; `last` is the end of its line.
fn decision(asked: &Node, last: &Node, instead: Option<&str>) -> String {
    let name = asked.san.as_deref().unwrap_or("the move");
    let score = asked.score.map_or_else(|| "?".to_owned(), |score| score.to_string());
    let scores = match asked.bound {
        Bound::Exact => format!("scores {score}"),
        Bound::Upper => format!("scores at most {score}"),
        Bound::Lower => format!("scores at least {score}"),
    };
    let rival = match (instead, asked.alpha) {
        (Some(rival), Some(alpha)) if rival != name && asked.bound == Bound::Upper => {
            format!(", and {rival} already has {alpha}")
        }
        _ => String::new(),
    };
    let how = match asked.purpose {
        Purpose::ReducedZeroWindow => {
            format!(" It was searched with a zero window only, at reduced depth {:.1}.", asked.depth)
        }
        Purpose::ZeroWindow => {
            format!(" It was searched with a zero window only, at depth {:.1}.", asked.depth)
        }
        _ => String::new(),
    };
    let end = if last.id == asked.id {
        match last.reason {
            Some(reason) if asked.line.is_empty() => {
                format!(" Its search was cut off at once: {}.", cut_reason(reason))
            }
            Some(reason) => format!(
                " Its search was cut off at once: {}. When it was last searched, the reply was {}.",
                cut_reason(reason),
                asked.line.join(" ")
            ),
            None if last.quiescence => " The quiescence search found nothing better.".to_owned(),
            None => String::new(),
        }
    } else {
        let line = asked.line.join(" ");
        let why = match last.reason {
            Some(reason) => cut_reason(reason).to_owned(),
            None if last.quiescence => "no capture improves the score there".to_owned(),
            None if last.hidden > 0 => "the rest is not stored".to_owned(),
            None => "no further move was searched there".to_owned(),
        };
        format!(" The reply is {line}; the line ends at {}: {why}.", last.san.as_deref().unwrap_or("?"))
    };
    format!("{name} {scores}{rival}.{how}{end}")
}

/// Why a node ended early, in a sentence.
fn cut_reason(reason: &str) -> &str {
    use engine::NodeCut;
    let sentences = [
        (NodeCut::Draw, "the position is a draw"),
        (NodeCut::MateDistance, "a shorter mate is already known (mate distance pruning)"),
        (NodeCut::Table, "the hash table has a score at this depth (hash cutoff)"),
        (
            NodeCut::Razoring,
            "the evaluation is so far below alpha that only captures were searched (razoring)",
        ),
        (
            NodeCut::ReverseFutility,
            "the evaluation is so far above beta that no move was searched (reverse futility pruning)",
        ),
        (NodeCut::NullMove, "the score stays above beta even after passing (null-move pruning)"),
        (NodeCut::ProbCut, "a capture scores far above beta in a shallow search (ProbCut)"),
        (NodeCut::StandPat, "the evaluation is above beta without any capture (stand pat)"),
        (NodeCut::MultiCut, "several moves fail high (multi-cut)"),
        (NodeCut::Tablebase, "the tablebases know the result"),
    ];
    sentences.into_iter().find(|(cut, _)| cut.name() == reason).map_or(reason, |(_, sentence)| sentence)
}

/// Why a move was pruned, in a sentence.
fn prune_reason(reason: &str) -> &str {
    use engine::MoveCut;
    let sentences = [
        (
            MoveCut::LateMove,
            "quiet moves rarely help so late in the move order at this depth (late move pruning)",
        ),
        (
            MoveCut::Futility,
            "the evaluation is too far below alpha for this move to make up for it (futility pruning)",
        ),
        (MoveCut::Exchange, "it loses too much material in the exchange (SEE pruning)"),
    ];
    sentences.into_iter().find(|(cut, _)| cut.name() == reason).map_or(reason, |(_, sentence)| sentence)
}
