//! An explanation in sentences for a club player.

use chess::Color;
use serde::{Deserialize, Serialize};
use uci::Score;

use super::line::{Walk, numbered};
use super::{Judgement, Parts, PieceChange};
use crate::motif::Motif;

/// The line that a sentence belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineRole {
    Best,
    Reply,
    Threat,
    Idea,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    pub text: String,
    pub evidence: LineRole,
    /// Whether it states a reason, and not only a score.
    pub is_reason: bool,
}

/// Pieces named in a sentence.
const MOST_PIECES: usize = 3;
/// Beyond this score, in centipawns, the game is decided, and how well a piece stands says little.
const DECIDED: i32 = 500;

pub(super) fn all(parts: &Parts, pieces: &[PieceChange]) -> Vec<Sentence> {
    let mut sentences = vec![verdict(parts)];
    let costs = parts.asked.is_none() || parts.loss >= Judgement::INACCURACY || misses_mate(parts);
    if costs {
        sentences.extend(reply(parts));
        sentences.extend(best(parts));
    }
    sentences.extend(threat(parts));
    if parts.asked.is_none() {
        sentences.extend(idea(parts));
    }
    let explained = sentences.iter().any(|sentence| sentence.is_reason);
    sentences.extend(better_pieces(parts, pieces));
    if costs && !explained {
        sentences.push(uncertain(parts));
    }
    sentences
}

fn statement(evidence: LineRole, text: String) -> Sentence {
    Sentence { text, evidence, is_reason: true }
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The score of the best move, or what the move in question costs.
fn verdict(parts: &Parts) -> Sentence {
    let root = &parts.root;
    let first = parts.best.first();
    let score = |walk: &Walk| walk.scores.first().map_or_else(String::new, Score::to_string);
    let Some(mv) = parts.asked else {
        let only = if parts.judgement == Judgement::Forced { "the only move" } else { "best" };
        let text = format!("{first} is {only} ({}).", score(&parts.best));
        return Sentence { text, evidence: LineRole::Best, is_reason: false };
    };
    let asked = numbered(root, &[mv]);
    let Some(reply) = &parts.reply else {
        let text = if root.after(mv).outcome().is_some_and(|end| end.winner().is_some()) {
            format!("{asked} is checkmate.")
        } else {
            format!("{asked} ends the game in a draw; {first} is best ({}).", score(&parts.best))
        };
        return Sentence { text, evidence: LineRole::Best, is_reason: false };
    };
    let compared = parts.best.scores.get(1).or(parts.best.scores.first());
    let best = compared.map_or_else(String::new, Score::to_string);
    let text = match parts.judgement {
        Judgement::Inaccuracy => {
            format!("{asked} is an inaccuracy ({}; {first} {best}).", score(reply))
        }
        Judgement::Mistake => format!("{asked} is a mistake ({}; {first} {best}).", score(reply)),
        Judgement::Blunder => format!("{asked} is a blunder ({}; {first} {best}).", score(reply)),
        _ if misses_mate(parts) => {
            format!("{asked} keeps the advantage, but not the mate ({}; {first} {best}).", score(reply))
        }
        _ => format!("{asked} is a good move ({}; {first} {best}).", score(reply)),
    };
    Sentence { text, evidence: LineRole::Reply, is_reason: false }
}

/// Whether the best move mates, and the move in question does not, as far as the search sees.
fn misses_mate(parts: &Parts) -> bool {
    parts.best.mate.is_some() && parts.reply.as_ref().is_some_and(|reply| reply.mate_against().is_none())
}

/// What the opponent gets after the move in question.
fn reply(parts: &Parts) -> Option<Sentence> {
    let walk = parts.reply.as_ref().filter(|walk| walk.is_proof())?;
    let asked = numbered(&parts.root, &[parts.asked?]);
    // What the opponent would have won anyway is no reason.
    let gets_more = walk.chance(walk.side()) - 100.0 + parts.best.chance_after_first(!walk.side())
        >= Judgement::INACCURACY;
    gets_more.then(|| {
        statement(LineRole::Reply, format!("After {asked} {} {}.", name(walk.side()), achievement(walk)))
    })
}

/// What the best move wins, or would have won.
fn best(parts: &Parts) -> Option<Sentence> {
    let walk = Some(&parts.best).filter(|walk| walk.is_proof())?;
    let Some(reply) = parts.asked.map(|_| parts.reply.as_ref()) else {
        return Some(statement(LineRole::Best, format!("{} {}.", name(walk.side()), achievement(walk))));
    };
    let loss = walk.chance(walk.side()) - reply.map_or(50.0, |reply| reply.chance(walk.side()));
    (loss >= Judgement::INACCURACY || misses_mate(parts)).then(|| {
        let text = format!("It misses {}: {} {}.", walk.first(), name(walk.side()), achievement(walk));
        statement(LineRole::Best, text)
    })
}

/// What the opponent threatens, and whether the move does something about it.
fn threat(parts: &Parts) -> Option<Sentence> {
    let walk = parts.threat.as_ref()?;
    let opponent = name(walk.side());
    let answered = match (&parts.reply, parts.asked) {
        (Some(reply), Some(_)) if reply.moves.first() == walk.moves.first() => {
            " The move does not stop it.".to_owned()
        }
        (None, None) if parts.judgement != Judgement::Forced => format!(" {} meets it.", parts.best.first()),
        _ => String::new(),
    };
    let text = format!("If {} passed, {opponent} {}.{answered}", name(!walk.side()), achievement(walk));
    Some(statement(LineRole::Threat, text))
}

fn idea(parts: &Parts) -> Option<Sentence> {
    let walk = parts.idea.as_ref()?;
    let text = format!("It threatens {}: {} {}.", walk.first(), name(walk.side()), achievement(walk));
    Some(statement(LineRole::Idea, text))
}

/// `mates in 2 moves with 1. Qh7+, a fork ... (1. Qh7+ Kxh7 2. Rh3#)`.
fn achievement(walk: &Walk) -> String {
    let line = walk.text();
    let what = match (walk.mate, &walk.gain) {
        (Some(1), _) => "mates".to_owned(),
        (Some(moves), _) => format!("mates in {moves} moves"),
        (None, Some(gain)) => gain.to_string(),
        (None, None) => String::new(),
    };
    match walk.tactics.iter().find(|tactic| tactic.motif != Motif::Mate) {
        Some(tactic) => format!("{what} by {tactic} ({line})"),
        None => format!("{what} ({line})"),
    }
}

fn better_pieces(parts: &Parts, pieces: &[PieceChange]) -> Option<Sentence> {
    let (walk, evidence) = match &parts.reply {
        Some(walk) => (walk, LineRole::Reply),
        None if parts.asked.is_none() => (&parts.best, LineRole::Best),
        None => return None,
    };
    let score = walk.scores.first().map_or(0, |score| score.centipawns());
    if walk.is_proof() || !walk.agreed || score.abs() > DECIDED || pieces.is_empty() {
        return None;
    }
    let phrase = |change: &PieceChange| {
        let side = if change.white { "White" } else { "Black" };
        let place = if change.from == change.to {
            format!("on {}", change.from)
        } else {
            format!("from {}", change.from)
        };
        let way = if change.change() > 0 { "better" } else { "worse" };
        format!("{side}'s {} {place} {way} ({:+.1})", change.piece, f64::from(change.change()) / 100.0)
    };
    let phrases: Vec<String> = pieces.iter().take(MOST_PIECES).map(phrase).collect();
    let line = match parts.asked {
        Some(mv) => {
            let moves: Vec<_> = std::iter::once(mv).chain(walk.moves.iter().copied()).collect();
            numbered(&parts.root, &moves)
        }
        None => walk.text(),
    };
    let text = format!("By the network, {line} makes {}.", phrases.join(", "));
    Some(Sentence { text, evidence, is_reason: false })
}

/// No line shows a reason.
fn uncertain(parts: &Parts) -> Sentence {
    let agreed = parts.best.agreed && parts.reply.as_ref().is_none_or(|reply| reply.agreed);
    let why = if agreed { "no searched line wins material" } else { "the searches of its line disagree" };
    let (evidence, line) = match (&parts.reply, parts.asked) {
        (Some(reply), Some(mv)) => {
            let moves: Vec<_> = std::iter::once(mv).chain(reply.moves.iter().copied()).collect();
            (LineRole::Reply, numbered(&parts.root, &moves))
        }
        _ => (LineRole::Best, parts.best.text()),
    };
    let text = format!("Nothing is certain: {why} ({line}).");
    Sentence { text, evidence, is_reason: false }
}
