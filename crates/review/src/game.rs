//! The review of one game: what each move cost, and what would have been better.

use std::fmt;

use chess::{Color, Move, Outcome, Position};
use serde::{Deserialize, Serialize};

use super::{Judgement, MoveExplanation, PositionAnalysis, SourceGame, chance, game_accuracy, move_accuracy};
use uci::Score;

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides<T> {
    pub white: T,
    pub black: T,
}

impl<T> Sides<T> {
    pub fn from_fn(mut side: impl FnMut(Color) -> T) -> Sides<T> {
        Sides { white: side(Color::White), black: side(Color::Black) }
    }
}

/// Errors of a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCounts {
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
}

impl fmt::Display for ErrorCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |number: u32, one, many| counted(number as usize, one, many);
        write!(
            f,
            "{}, {}, {}",
            count(self.inaccuracies, "inaccuracy", "inaccuracies"),
            count(self.mistakes, "mistake", "mistakes"),
            count(self.blunders, "blunder", "blunders")
        )
    }
}

pub(super) use support::text::counted;

/// The review of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveReview {
    /// From 1.
    pub ply: usize,
    pub number: u32,
    pub white: bool,
    pub san: String,
    pub uci: String,
    /// The position before it.
    pub fen: String,
    /// White's score after it; none if it ended the game.
    pub score: Option<Score>,
    /// White's winning chances after it, in percent.
    pub chance: f64,
    /// Winning chances that it cost its side, in percent.
    pub loss: f64,
    /// From 0 to 100.
    pub accuracy: f64,
    pub judgement: Judgement,
    /// The engine's choice in SAN.
    pub best: Option<String>,
    /// The line that begins with it, in SAN.
    pub line: Vec<String>,
    pub depth: u32,
    /// Why it was a mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Box<MoveExplanation>>,
}

/// A position before a mistake, to be solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retry {
    /// Ply of the mistake, from 1.
    pub ply: usize,
    /// Whether White is to move.
    pub white: bool,
    pub fen: String,
    pub played: String,
    /// The solution in SAN.
    pub best: String,
    /// The solution in UCI notation.
    pub best_uci: String,
    /// The line that begins with it.
    pub line: Vec<String>,
    pub judgement: Judgement,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameReview {
    /// Its place in the file, from 1.
    pub number: usize,
    /// The line of the file on which it begins.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    pub result: String,
    /// The start position as FEN.
    pub start: String,
    /// Whether castling is written as king takes rook in UCI notation.
    pub chess960: bool,
    /// White's score at the start.
    pub score: Option<Score>,
    /// White's winning chances at the start, in percent.
    pub chance: f64,
    pub moves: Vec<MoveReview>,
    /// The accuracy of each side, from 0 to 100; none for a side with forced moves only.
    pub accuracy: Sides<Option<f64>>,
    pub errors: Sides<ErrorCounts>,
    /// Mistakes and blunders to solve.
    pub retry: Vec<Retry>,
}

impl GameReview {
    /// From the analyses of all positions, start and end included.
    pub fn new(subject: &SourceGame, analyses: &[PositionAnalysis]) -> GameReview {
        let mut position = subject.start;
        let start_chance = chance_in(&position, analyses.first());
        let (mut moves, mut retry) = (Vec::new(), Vec::new());
        let chess960 = subject.is_chess960();
        for (ply, &mv) in subject.moves.iter().enumerate() {
            let turn = position.turn();
            let (here, after) = (analyses.get(ply), analyses.get(ply + 1));
            let next = position.after(mv);
            let chance = chance_in(&next, after);
            let (judgement, loss) = judge(&position, mv, here, after);
            let line = here.map_or(&[][..], |analysis| &analysis.line);
            let best = line.first().and_then(|text| position.parse_uci(text).ok());
            let line = to_san(&position, line);
            let reviewed = MoveReview {
                ply: ply + 1,
                number: position.fullmove_number(),
                white: turn == Color::White,
                san: position.san(mv).to_string(),
                uci: mv.uci(chess960).to_string(),
                fen: position.to_fen(),
                score: after.and_then(|analysis| analysis.score),
                chance,
                loss,
                accuracy: if judgement <= Judgement::Best { 100.0 } else { move_accuracy(loss) },
                judgement,
                best: line.first().cloned(),
                line,
                depth: here.map_or(0, |analysis| analysis.depth),
                explanation: after.and_then(|analysis| analysis.explanation.clone()),
            };
            if judgement >= Judgement::Mistake
                && let Some(best) = best
            {
                retry.push(Retry {
                    ply: ply + 1,
                    white: reviewed.white,
                    fen: reviewed.fen.clone(),
                    played: reviewed.san.clone(),
                    best: position.san(best).to_string(),
                    best_uci: best.uci(chess960).to_string(),
                    line: reviewed.line.clone(),
                    judgement,
                });
            }
            moves.push(reviewed);
            position = next;
        }
        GameReview {
            number: subject.number,
            line: subject.line,
            tags: subject.pgn.tags.clone(),
            result: subject.pgn.result.to_string(),
            start: subject.start.to_fen(),
            chess960,
            score: analyses.first().and_then(|analysis| analysis.score),
            chance: start_chance,
            accuracy: Sides::from_fn(|side| accuracy(start_chance, &moves, side)),
            errors: Sides::from_fn(|side| tally(&moves, side)),
            moves,
            retry,
        }
    }

    /// Why the move at this ply, from 1, was a mistake.
    pub fn comment(&self, ply: usize) -> Option<String> {
        let mv = ply.checked_sub(1).and_then(|index| self.moves.get(index))?;
        mv.explanation.as_ref().map(|explanation| explanation.comment())
    }

    /// The ECO code and the name of its opening, if they are known.
    pub fn opening(&self) -> Option<String> {
        let value = |name: &str| Some(self.tag(name)).filter(|value| *value != "?");
        Some(format!("{} {}", value("ECO")?, value("Opening")?))
    }

    /// The value of a tag, or a question mark.
    pub fn tag(&self, name: &str) -> &str {
        self.tags.iter().find(|tag| tag.0.eq_ignore_ascii_case(name)).map_or("?", |tag| tag.1.as_str())
    }
}

/// The judgement of a move from the analyses before and after it, and what it cost in percent.
pub(super) fn judge(
    position: &Position,
    mv: Move,
    here: Option<&PositionAnalysis>,
    after: Option<&PositionAnalysis>,
) -> (Judgement, f64) {
    let fall = chance_in(position, here) - chance_in(&position.after(mv), after);
    let lost = (if position.turn() == Color::White { fall } else { -fall }).max(0.0);
    let best = here.and_then(|analysis| analysis.line.first());
    let judgement = if position.count_legal_moves() == 1 {
        Judgement::Forced
    } else if best.and_then(|text| position.parse_uci(text).ok()) == Some(mv) {
        Judgement::Best
    } else {
        Judgement::of_loss(lost)
    };
    // What the score lost after the engine's own choice is the search's error, not the player's.
    (judgement, if judgement <= Judgement::Best { 0.0 } else { lost })
}

/// White's winning chances in percent.
fn chance_in(position: &Position, analysis: Option<&PositionAnalysis>) -> f64 {
    match (position.outcome(), analysis.and_then(|analysis| analysis.score)) {
        (Some(Outcome::Checkmate { winner: Color::White }), _) => 100.0,
        (Some(Outcome::Checkmate { winner: Color::Black }), _) => 0.0,
        (None, Some(score)) => chance(score),
        _ => 50.0,
    }
}

fn accuracy(start: f64, moves: &[MoveReview], side: Color) -> Option<f64> {
    let chances: Vec<f64> = std::iter::once(start).chain(moves.iter().map(|mv| mv.chance)).collect();
    let counts = |mv: &MoveReview| mv.white == (side == Color::White) && mv.judgement != Judgement::Forced;
    let accuracies: Vec<Option<f64>> = moves.iter().map(|mv| counts(mv).then_some(mv.accuracy)).collect();
    game_accuracy(&chances, &accuracies)
}

fn tally(moves: &[MoveReview], side: Color) -> ErrorCounts {
    let count = |judgement| {
        let same = |mv: &&MoveReview| mv.judgement == judgement && mv.white == (side == Color::White);
        moves.iter().filter(same).count() as u32
    };
    ErrorCounts {
        inaccuracies: count(Judgement::Inaccuracy),
        mistakes: count(Judgement::Mistake),
        blunders: count(Judgement::Blunder),
    }
}

/// A line in UCI notation as SAN, up to the first illegal move.
fn to_san(from: &Position, line: &[String]) -> Vec<String> {
    let mut position = *from;
    let mut text = Vec::with_capacity(line.len());
    for text_move in line {
        let Ok(mv) = position.parse_uci(text_move) else { break };
        text.push(position.san(mv).to_string());
        position = position.after(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn analysis(cp: i32, line: &[&str]) -> PositionAnalysis {
        let line = line.iter().map(|&mv| mv.to_owned()).collect();
        PositionAnalysis {
            score: Some(Score::Centipawns(cp)),
            line,
            depth: 10,
            nodes: 1000,
            explanation: None,
        }
    }

    #[test]
    fn loss_is_of_the_moving_side() {
        let (games, _) = read("[White \"A\"]\n1. f3 e5 2. g4 Qh4# 0-1");
        let analyses = [
            analysis(30, &["e2e4"]),
            analysis(-40, &["e7e5"]),
            analysis(-60, &["e2e4", "b8c6"]),
            PositionAnalysis {
                score: Some(Score::Mate(-1)),
                line: vec!["d8h4".into()],
                depth: 2,
                nodes: 9,
                explanation: None,
            },
            PositionAnalysis::default(),
        ];
        let review = GameReview::new(&games[0], &analyses);
        let judgements: Vec<Judgement> = review.moves.iter().map(|mv| mv.judgement).collect();
        assert_eq!(judgements, [Judgement::Inaccuracy, Judgement::Best, Judgement::Blunder, Judgement::Best]);
        let whites = ErrorCounts { inaccuracies: 1, mistakes: 0, blunders: 1 };
        assert_eq!(review.errors, Sides { white: whites, black: ErrorCounts::default() });
        assert_eq!(review.retry.len(), 1);
        let retry = &review.retry[0];
        assert_eq!((retry.ply, retry.white, retry.played.as_str()), (3, true, "g4"));
        assert_eq!((retry.best.as_str(), retry.best_uci.as_str(), retry.line.len()), ("e4", "e2e4", 2));
        assert_eq!(retry.fen, review.moves[2].fen);
        assert_eq!(review.moves.iter().map(|mv| mv.depth).collect::<Vec<_>>(), [10, 10, 10, 2]);
        assert_eq!((review.moves[3].chance, review.moves[3].score), (0.0, None));
        assert_eq!(review.accuracy.black, Some(100.0));
        assert!(review.accuracy.white.is_some_and(|accuracy| accuracy < 60.0));
        assert_eq!(review.tag("white"), "A");
    }

    #[test]
    fn errors_count_for_their_side() {
        let (games, _) = read("1. e4 e5 2. Nf3 f6 3. d4 *");
        // Black's second move costs about 11 percent; everything else is what the engine would have played.
        let analyses = [
            analysis(20, &["e2e4"]),
            analysis(20, &["e7e5"]),
            analysis(20, &["g1f3"]),
            analysis(20, &["b8c6"]),
            analysis(140, &["d2d4"]),
            analysis(140, &["d7d6"]),
        ];
        let review = GameReview::new(&games[0], &analyses);
        let judgements: Vec<Judgement> = review.moves.iter().map(|mv| mv.judgement).collect();
        use Judgement::{Best, Mistake};
        assert_eq!(judgements, [Best, Best, Best, Mistake, Best]);
        assert!((review.moves[3].loss - (review.moves[3].chance - review.moves[2].chance)).abs() < 1e-9);
        assert!(review.moves[3].loss > 10.0 && review.moves[4].loss < 1e-9);
        let blacks = ErrorCounts { inaccuracies: 0, mistakes: 1, blunders: 0 };
        assert_eq!(review.errors, Sides { white: ErrorCounts::default(), black: blacks });
        assert_eq!(blacks.to_string(), "0 inaccuracies, 1 mistake, 0 blunders");
        assert_eq!(review.accuracy.white, Some(100.0));
        assert!(review.accuracy.black.is_some_and(|accuracy| accuracy < 90.0));
        assert_eq!(
            review.retry.iter().map(|retry| (retry.ply, retry.white)).collect::<Vec<_>>(),
            [(4, false)]
        );
        assert_eq!(
            review.moves[3].score,
            Some(Score::Centipawns(140)),
            "the score after the move, and White's"
        );
    }

    #[test]
    fn best_move_costs_nothing() {
        let (games, _) = read("1. e4 e5 *");
        // After the engine's own move its score is 60 centipawns worse.
        let analyses = [analysis(60, &["e2e4"]), analysis(0, &["c7c5"]), analysis(0, &["g1f3"])];
        let review = GameReview::new(&games[0], &analyses);
        assert_eq!((review.moves[0].judgement, review.moves[0].loss), (Judgement::Best, 0.0));
    }

    #[test]
    fn forced_moves_have_no_accuracy() {
        let (games, broken) = read("[FEN \"1r5k/8/8/8/8/8/8/K7 b - - 0 1\"]\n1... Kg8 2. Ka2 *");
        assert!(broken.is_empty());
        let analyses = [analysis(-900, &[]), analysis(-900, &[]), analysis(-2000, &[])];
        let review = GameReview::new(&games[0], &analyses);
        assert_eq!(review.moves[1].judgement, Judgement::Forced);
        assert_eq!(review.accuracy.white, None);
    }
}
