//! Why a move is good or bad, in sentences: what it wins or misses, what it allows, what the opponent threatens, and
//! which pieces become better or worse by the network. Every sentence belongs to a searched line.
//!
//! A line is built move by move: each of its moves is the engine's choice in a search of its own position. A line that
//! may win something is built again with longer searches. Where two of its searches disagree, nothing is claimed.

mod gain;
mod line;
mod pieces;
mod sentences;

use arena::game::{append_move, game_command};
use arena::players::PlayerError;
use chess::{Color, Game, Move, Position};
use serde::{Deserialize, Serialize};

pub use self::gain::Gain;
pub use self::line::{NamedMotif, StatedLine};
pub use self::pieces::PieceChange;
pub use self::sentences::{LineRole, Sentence};

use self::line::{Next, Walk};
use crate::{Judgement, Reviewer};

/// Name and version of the JSON format of a [`MoveExplanation`].
pub const SCHEMA: &str = "vedette-explain/1";

/// A smaller difference in winning chances, in percent, proves nothing.
pub const MARGIN: f64 = 10.0;

/// A line that may win something is built again with this many times the limits.
const LONGER_FACTOR: u32 = 4;

/// Every position of a line that wins something is searched once more with this many times the limits.
const CONFIRM_FACTOR: u32 = 8;

/// The explanation of a move, or of a position's best move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveExplanation {
    /// The position before the move.
    pub fen: String,
    /// Whether White is to move.
    pub white: bool,
    /// The move in question in SAN, unless it is the best one.
    pub asked: Option<String>,
    pub judgement: Judgement,
    /// Winning chances that the move costs, in percent.
    pub loss: f64,
    /// The engine's choice and what follows.
    pub best: StatedLine,
    /// What follows the move in question.
    pub reply: Option<StatedLine>,
    /// What the opponent would play if the side to move passed, if that is a threat.
    pub threat: Option<StatedLine>,
    /// What the best move threatens, where it wins nothing by itself and no other move is in question.
    pub idea: Option<StatedLine>,
    /// The pieces that become better or worse in the line of the move, those that change most first.
    pub pieces: Vec<PieceChange>,
    /// Whether a searched line shows a reason.
    pub certain: bool,
    pub sentences: Vec<Sentence>,
}

impl MoveExplanation {
    /// The sentences as one text.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
        texts.join(" ")
    }

    /// The explanation of a move that a review calls a mistake, without its verdict.
    pub fn comment(&self) -> String {
        if self.asked.is_some() && self.loss < Judgement::INACCURACY {
            let verdict = self.sentences.first().map_or("", |sentence| sentence.text.as_str());
            return format!("Nothing is certain: searched again, {verdict}");
        }
        let texts: Vec<&str> = self.sentences.iter().skip(1).map(|sentence| sentence.text.as_str()).collect();
        texts.join(" ")
    }

    /// The line that a sentence belongs to.
    pub fn evidence(&self, sentence: &Sentence) -> Option<&StatedLine> {
        match sentence.evidence {
            LineRole::Best => Some(&self.best),
            LineRole::Reply => self.reply.as_ref(),
            LineRole::Threat => self.threat.as_ref(),
            LineRole::Idea => self.idea.as_ref(),
        }
    }
}

impl Reviewer {
    /// Explains a move in the position that a game has reached, or its best move. `None` if the game is over, or the
    /// engine reports no line with a score.
    ///
    /// # Errors
    /// The engine failed or was stopped.
    pub fn explain(
        &mut self,
        game: &Game,
        asked: Option<Move>,
    ) -> Result<Option<MoveExplanation>, PlayerError> {
        let root = *game.position();
        let Some(mut best) = self.walk(game, &root)? else { return Ok(None) };
        let asked = asked.filter(|&mv| best.moves.first() != Some(&mv));
        let mut reply = match asked {
            Some(mv) => self.walk(&played(game, mv), &root)?,
            None => None,
        };
        if let (Some(mv), Some(reply)) = (asked, &mut reply) {
            self.compare_equally(game, mv, &mut best, reply)?;
        }
        let threat = self.threat(game, &best)?;
        let idea = if best.is_proof() || asked.is_some() { None } else { self.idea(game, &best)? };
        let loss = match (&reply, asked) {
            (Some(reply), _) => (best.chance_after_first(root.turn()) - reply.chance(root.turn())).max(0.0),
            // The move ends the game.
            (None, Some(mv)) => {
                let ends_in_mate = root.after(mv).outcome().is_some_and(|end| end.winner().is_some());
                (best.chance_after_first(root.turn()) - if ends_in_mate { 100.0 } else { 50.0 }).max(0.0)
            }
            (None, None) => 0.0,
        };
        let judgement = if root.count_legal_moves() == 1 {
            Judgement::Forced
        } else if asked.is_none() {
            Judgement::Best
        } else {
            Judgement::of_loss(loss)
        };
        let of_move: Vec<Move> = match (asked, &reply) {
            (Some(mv), Some(reply)) => std::iter::once(mv).chain(reply.moves.iter().copied()).collect(),
            (Some(mv), None) => vec![mv],
            (None, _) => best.moves.clone(),
        };
        let parts = Parts { root, asked, judgement, loss, best, reply, threat, idea };
        let pieces = pieces::changes(&self.evaluation, &root, &of_move);
        Ok(Some(parts.explanation(pieces, self.chess960)))
    }

    /// The line of the best move, as in the explanation of a position. `None` if the game is over.
    ///
    /// # Errors
    /// The engine failed or was stopped.
    pub fn best_line(&mut self, game: &Game) -> Result<Option<StatedLine>, PlayerError> {
        let walk = self.walk(game, game.position())?;
        Ok(walk.map(|walk| walk.line(self.chess960)))
    }

    /// What the opponent would play if the side to move passed.
    fn threat(&mut self, game: &Game, best: &Walk) -> Result<Option<Walk>, PlayerError> {
        let root = *game.position();
        let Some(passed) = after_pass(&root) else { return Ok(None) };
        let threat = self.walk(&Game::new(passed), &passed)?;
        let opponent = !root.turn();
        let is_threat =
            |walk: &Walk| walk.is_proof() && walk.chance(opponent) - best.chance(opponent) >= MARGIN;
        Ok(threat.filter(is_threat))
    }

    /// What the best move threatens.
    fn idea(&mut self, game: &Game, best: &Walk) -> Result<Option<Walk>, PlayerError> {
        let Some(&mv) = best.moves.first() else { return Ok(None) };
        let Some(passed) = after_pass(&game.position().after(mv)) else { return Ok(None) };
        let idea = self.walk(&Game::new(passed), &passed)?;
        let side = passed.turn();
        Ok(idea.filter(|walk| walk.is_proof() && walk.chance(side) - best.chance(side) >= MARGIN))
    }

    /// The line of best moves from the position that a game has reached, each found by its own search. What it wins is
    /// counted from `board`. If it may win something, it is built again with longer searches, and only what these show
    /// is claimed.
    fn walk(&mut self, game: &Game, board: &Position) -> Result<Option<Walk>, PlayerError> {
        let Some(mut walk) = self.walk_with(game, board, 1)? else { return Ok(None) };
        if walk.is_promising() {
            if let Some(longer) = self.walk_with(game, board, LONGER_FACTOR)?.filter(Walk::is_proof)
                && self.confirms(game, &longer)?
            {
                return Ok(Some(longer));
            }
            walk.refute();
        }
        Ok(Some(walk))
    }

    fn walk_with(&mut self, game: &Game, board: &Position, factor: u32) -> Result<Option<Walk>, PlayerError> {
        let start = game;
        let mut walk = Walk::new(*start.position(), *board, factor);
        let (mut game, mut command) = (start.clone(), game_command(start, self.chess960));
        let mut times = factor;
        loop {
            if game.outcome().is_some() {
                walk.finish(&game);
                break;
            }
            let analysis = self.analyse_longer(&game, &command, times)?;
            times = factor;
            let mv = analysis.line.first().and_then(|text| game.position().parse_uci(text).ok());
            let (Some(score), Some(mv)) = (analysis.score, mv) else { break };
            match walk.add(score, analysis.depth, &analysis.line) {
                Next::Move => {
                    walk.moves.push(mv);
                    append_move(&mut command, &mv.uci(self.chess960).to_string());
                    game.play(mv);
                }
                Next::Reconsider => {
                    game = start.clone();
                    walk.moves.iter().for_each(|&mv| game.play(mv));
                    command = game_command(&game, self.chess960);
                    times = 2 * factor;
                }
                Next::End => break,
            }
        }
        walk.settle();
        Ok((!walk.scores.is_empty() && !walk.moves.is_empty()).then_some(walk))
    }

    /// Whether the longest searches of all positions of a line agree with it. They begin without what the searches before
    /// have left in the hash table.
    fn confirms(&mut self, start: &Game, walk: &Walk) -> Result<bool, PlayerError> {
        self.new_game()?;
        let (mut game, mut command) = (start.clone(), game_command(start, self.chess960));
        let mut before = None;
        for ply in 0..=walk.moves.len() {
            let score = match line::final_score(&game) {
                Some(score) => Some(score),
                None => self.analyse_longer(&game, &command, CONFIRM_FACTOR)?.score,
            };
            let Some(score) = score.filter(|&score| walk.agrees_with(ply, before, score)) else {
                return Ok(false);
            };
            before = Some(score);
            if let Some(&mv) = walk.moves.get(ply) {
                append_move(&mut command, &mv.uci(self.chess960).to_string());
                game.play(mv);
            }
        }
        Ok(true)
    }

    /// Makes the scores of the best move and of the move in question comparable, if one of them had longer searches.
    fn compare_equally(
        &mut self,
        game: &Game,
        asked: Move,
        best: &mut Walk,
        reply: &mut Walk,
    ) -> Result<(), PlayerError> {
        let factor = best.factor.max(reply.factor);
        let mut longer = |mv: Move| {
            let after = played(game, mv);
            let command = game_command(&after, self.chess960);
            let over = line::final_score(&after);
            over.map_or_else(
                || Ok(self.analyse_longer(&after, &command, factor)?.score),
                |score| Ok(Some(score)),
            )
        };
        if reply.factor < factor
            && let Some(score) = longer(asked)?
        {
            reply.scores[0] = score;
        }
        if best.factor < factor
            && let Some(score) = longer(best.moves[0])?
        {
            best.scores.truncate(1);
            best.scores.push(score);
        }
        Ok(())
    }
}

/// What the searches have found.
struct Parts {
    root: Position,
    asked: Option<Move>,
    judgement: Judgement,
    loss: f64,
    best: Walk,
    reply: Option<Walk>,
    threat: Option<Walk>,
    idea: Option<Walk>,
}

impl Parts {
    fn explanation(self, pieces: Vec<PieceChange>, chess960: bool) -> MoveExplanation {
        let sentences = sentences::all(&self, &pieces);
        let certain = sentences.iter().any(|sentence| sentence.is_reason);
        let line = |walk: &Walk| walk.line(chess960);
        MoveExplanation {
            fen: self.root.to_fen(),
            white: self.root.turn() == Color::White,
            asked: self.asked.map(|mv| self.root.san(mv).to_string()),
            judgement: self.judgement,
            loss: self.loss,
            best: line(&self.best),
            reply: self.reply.as_ref().map(line),
            threat: self.threat.as_ref().map(line),
            idea: self.idea.as_ref().map(line),
            pieces,
            certain,
            sentences,
        }
    }
}

fn played(game: &Game, mv: Move) -> Game {
    let mut game = game.clone();
    game.play(mv);
    game
}

/// The position after a pass. None in check, and where the game would be over.
fn after_pass(position: &Position) -> Option<Position> {
    let passed = (!position.in_check()).then(|| position.after_null())?;
    passed.outcome().is_none().then_some(passed)
}

#[cfg(test)]
mod tests;
