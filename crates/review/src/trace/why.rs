//! Why a move was not played: the line that refutes it, and the decision that ended its search.

use std::fmt;

use chess::{Move, Position};
use serde::Serialize;

use super::{Fate, Node, Purpose, Trace};
use uci::{Bound, Score};

/// The answer to "why was this line not played?".
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The moves asked for, in standard algebraic notation.
    pub asked: Vec<String>,
    /// What was played instead, in the position before the last move asked for; none if nothing was better
    /// than alpha there.
    pub instead: Option<String>,
    /// The nodes on the way: the moves asked for as far as they were searched, then what refutes them.
    pub nodes: Vec<u32>,
    /// What follows the moves asked for, in standard algebraic notation.
    pub refutation: Vec<String>,
    /// The score of the last move asked for that was searched, for the side that plays it.
    pub score: Option<Score>,
    /// What the score says.
    pub bound: Option<Bound>,
    /// The decision, in a sentence.
    pub decision: String,
    /// The story step by step, one sentence for each node on the way.
    pub steps: Vec<String>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyError {
    /// No moves were asked for.
    Nothing,
    /// A move cannot be played.
    Illegal(String),
    /// The tree has nothing on this position: it was not kept, or never searched.
    NotKept(String),
}

impl fmt::Display for WhyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyError::Nothing => f.write_str("no move is given"),
            WhyError::Illegal(mv) => write!(f, "'{mv}' cannot be played here"),
            WhyError::NotKept(line) => write!(f, "the search after {line} was not kept; keep more nodes"),
        }
    }
}

impl std::error::Error for WhyError {}

/// Moves as a user writes them, separated by blanks or commas, in either notation.
///
/// # Errors
/// One of them cannot be played.
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
    /// Why these moves from the root are not the line that was played.
    ///
    /// # Errors
    /// There are no moves, or the tree does not reach so far.
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
            format!("{} is what the search plays here.", asked[asked.len() - 1])
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
                    Some(later) if later.is_multiple_of(2) => self.step(id, "answer "),
                    Some(_) => self.step(id, "then "),
                })
                .collect(),
            nodes,
        })
    }

    /// The last search of a move in a node: the one that decided.
    fn last_search(&self, parent: u32, mv: Move) -> Option<&Node> {
        self.children(parent)
            .filter(|node| node.played == Some(mv) && (node.purpose.is_move() || node.fate == Fate::Pruned))
            .last()
    }

    /// Adds what was expected to follow a node, as far as it is kept.
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

    /// The answer where a move asked for was never searched.
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
                "No move was looked at in that position: {}.",
                cut_reason(node.reason.unwrap_or_default())
            ),
            (None, _) if node.hidden > 0 && node.children.is_empty() => {
                return Err(WhyError::NotKept(asked[..index].join(" ")));
            }
            (None, _) if node.quiescence => {
                format!(
                    "{san} is no capture, promotion or answer to a check: quiescence does not look at it."
                )
            }
            (None, _) => match late() {
                Some(first) => format!(
                    "{san} was skipped with all quiet moves from {} on: {}.",
                    first.san.as_deref().unwrap_or_default(),
                    prune_reason(first.reason.unwrap_or_default())
                ),
                None => format!(
                    "{san} had no turn: {} was already too good for the other side to allow the position.",
                    node.line.first().map_or("a move before it", String::as_str)
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

    /// What was done at a node of the line; `whose` says who moves where nobody asked for the move.
    fn step(&self, id: u32, whose: &str) -> String {
        let node = &self.nodes[id as usize];
        let san = node.san.as_deref().unwrap_or("pass");
        let score = node.score.map_or(String::new(), |score| format!(" {score}"));
        format!("{whose}{san}: {} at depth {:.1},{score} {}", node.purpose.name(), node.depth, node.verdict)
    }
}

/// What decided against a move: `last` is where its line ends.
fn decision(asked: &Node, last: &Node, instead: Option<&str>) -> String {
    let name = asked.san.as_deref().unwrap_or("the move");
    let score = asked.score.map_or_else(|| "?".to_owned(), |score| score.to_string());
    let worth = match asked.bound {
        Bound::Exact => format!("is worth {score}"),
        Bound::Upper => format!("is worth at most {score}"),
        Bound::Lower => format!("is worth at least {score}"),
    };
    let rival = match (instead, asked.alpha) {
        (Some(rival), Some(alpha)) if rival != name && asked.bound == Bound::Upper => {
            format!(", and {rival} had {alpha} already")
        }
        _ => String::new(),
    };
    let how = match asked.purpose {
        Purpose::ReducedScout => format!(" It was only scouted, at reduced depth {:.1}.", asked.depth),
        Purpose::Scout => format!(" It was only scouted, at depth {:.1}.", asked.depth),
        _ => String::new(),
    };
    let end = if last.id == asked.id {
        match last.reason {
            Some(reason) if asked.line.is_empty() => {
                format!(" Its search ended at once: {}.", cut_reason(reason))
            }
            Some(reason) => format!(
                " Its search ended at once: {}. When it was last searched, the answer was {}.",
                cut_reason(reason),
                asked.line.join(" ")
            ),
            None if last.quiescence => " Quiescence found nothing better.".to_owned(),
            None => String::new(),
        }
    } else {
        let line = asked.line.join(" ");
        let why = match last.reason {
            Some(reason) => cut_reason(reason).to_owned(),
            None if last.quiescence => "no capture changes anything there".to_owned(),
            None if last.hidden > 0 => "what follows is not kept".to_owned(),
            None => "no move is left there".to_owned(),
        };
        format!(" The answer is {line}; the line ends at {}: {why}.", last.san.as_deref().unwrap_or("?"))
    };
    format!("{name} {worth}{rival}.{how}{end}")
}

/// Why a node could end early, in a sentence.
fn cut_reason(reason: &str) -> &str {
    use engine::NodeCut;
    let sentences = [
        (NodeCut::Draw, "the position is a draw by the rules"),
        (NodeCut::MateDistance, "a nearer mate is known already"),
        (NodeCut::Table, "the hash table knows the position to this depth (hash cutoff)"),
        (
            NodeCut::Razoring,
            "the evaluation lies so far below alpha that only captures were tried (razoring)",
        ),
        (
            NodeCut::ReverseFutility,
            "the evaluation lies so far above beta that no move was tried (reverse futility)",
        ),
        (NodeCut::NullMove, "even passing keeps the score above beta (null move)"),
        (NodeCut::ProbCut, "a capture comes out far above beta in a shallow search (ProbCut)"),
        (NodeCut::StandPat, "the evaluation alone is good enough, without any capture (stand pat)"),
        (NodeCut::MultiCut, "several moves beat beta (multi-cut)"),
    ];
    sentences.into_iter().find(|(cut, _)| cut.name() == reason).map_or(reason, |(_, sentence)| sentence)
}

/// Why a move could be left out, in a sentence.
fn prune_reason(reason: &str) -> &str {
    use engine::MoveCut;
    let sentences = [
        (MoveCut::LateMove, "so late in the order, and at so little depth, quiet moves hardly ever help"),
        (MoveCut::Futility, "the evaluation lies too far below alpha for this move to make up for it"),
        (MoveCut::History, "it has failed too often elsewhere in this search"),
        (MoveCut::Exchange, "it loses too much in the exchange on its square"),
    ];
    sentences.into_iter().find(|(cut, _)| cut.name() == reason).map_or(reason, |(_, sentence)| sentence)
}
