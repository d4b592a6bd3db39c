//! Several reviewed games together: one player's results and accuracy by opening and by phase of the game.

use std::collections::BTreeMap;

use review::{GameReview, Judgement, MoveReview};

use crate::protocol::{GamePhase, OpeningTotals, PhaseTotals, ReviewTotals};

/// Full moves of the opening, unless most pieces go before.
const OPENING_MOVES: u32 = 12;
/// Knights, bishops, rooks and queens of both sides in an endgame, at most.
const ENDGAME_PIECES: usize = 6;

/// Mean accuracy.
#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

#[derive(Default)]
struct OpeningMean {
    games: u32,
    points: f64,
    finished: u32,
    accuracy: Mean,
}

#[derive(Default)]
struct PhaseMean {
    moves: u32,
    accuracy: Mean,
    mistakes: u32,
    blunders: u32,
}

/// The totals of the player with the most games, or of both sides if no player has two.
pub fn totals(games: &[GameReview]) -> ReviewTotals {
    let player = main_player(games);
    let counts = |game: &GameReview, white: bool| {
        player.as_ref().is_none_or(|player| game.tag(if white { "White" } else { "Black" }) == player)
    };
    let mut openings: BTreeMap<String, OpeningMean> = BTreeMap::new();
    let mut phases: BTreeMap<GamePhase, PhaseMean> = BTreeMap::new();
    for game in games {
        for white in [true, false].into_iter().filter(|&white| counts(game, white)) {
            let accuracy = if white { game.accuracy.white } else { game.accuracy.black };
            let opening = openings.entry(opening_of(game)).or_default();
            opening.games += 1;
            if let Some(points) = points(&game.result, white) {
                opening.points += points;
                opening.finished += 1;
            }
            if let Some(accuracy) = accuracy {
                opening.accuracy.add(accuracy);
            }
            for mv in game.moves.iter().filter(|mv| mv.white == white) {
                let phase = phases.entry(phase_of(mv)).or_default();
                phase.moves += 1;
                phase.mistakes += u32::from(mv.judgement == Judgement::Mistake);
                phase.blunders += u32::from(mv.judgement == Judgement::Blunder);
                if mv.judgement != Judgement::Forced {
                    phase.accuracy.add(mv.accuracy);
                }
            }
        }
    }
    let mut openings: Vec<OpeningTotals> = openings
        .into_iter()
        .map(|(name, mean)| OpeningTotals {
            name,
            games: mean.games,
            points: mean.points,
            finished: mean.finished,
            accuracy: mean.accuracy.value(),
        })
        .collect();
    openings.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
    let phases = phases.into_iter().map(|(phase, mean)| PhaseTotals {
        phase,
        moves: mean.moves,
        accuracy: mean.accuracy.value(),
        mistakes: mean.mistakes,
        blunders: mean.blunders,
    });
    ReviewTotals { player, openings, phases: phases.collect() }
}

/// The player with the most games, if there are at least two.
fn main_player(games: &[GameReview]) -> Option<String> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for game in games {
        for name in ["White", "Black"].map(|side| game.tag(side)) {
            *counts.entry(name).or_default() += 1;
        }
    }
    let known = counts.into_iter().filter(|&(name, count)| name != "?" && count > 1);
    known.rev().max_by_key(|&(_, count)| count).map(|(name, _)| name.to_owned())
}

/// Without its variation.
fn opening_of(game: &GameReview) -> String {
    let name = game.tag("Opening");
    let name = name.split(':').next().unwrap_or(name).trim();
    if name == "?" { "Unknown opening".to_owned() } else { name.to_owned() }
}

fn points(result: &str, white: bool) -> Option<f64> {
    match (result, white) {
        ("1-0", true) | ("0-1", false) => Some(1.0),
        ("1-0", false) | ("0-1", true) => Some(0.0),
        ("1/2-1/2", _) => Some(0.5),
        _ => None,
    }
}

fn phase_of(mv: &MoveReview) -> GamePhase {
    let board = mv.fen.split(' ').next().unwrap_or_default();
    let pieces = board.chars().filter(|c| "nbrqNBRQ".contains(*c)).count();
    if pieces <= ENDGAME_PIECES {
        GamePhase::Endgame
    } else if mv.number <= OPENING_MOVES {
        GamePhase::Opening
    } else {
        GamePhase::Middlegame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use review::{PositionAnalysis, read};
    use uci::Score;

    /// Games whose positions all have the same score but one, which is a blunder of White.
    fn reviewed(pgn: &str) -> Vec<GameReview> {
        let (games, broken) = read(pgn);
        assert!(broken.is_empty(), "{broken:?}");
        let analyses = |plies: usize| -> Vec<PositionAnalysis> {
            let score = |ply: usize| if ply < 3 { 0 } else { -900 };
            (0..=plies)
                .map(|ply| PositionAnalysis {
                    score: Some(Score::Centipawns(score(ply))),
                    ..PositionAnalysis::default()
                })
                .collect()
        };
        games.iter().map(|game| GameReview::new(game, &analyses(game.moves.len()))).collect()
    }

    #[test]
    fn player_of_most_games_is_summed_up() {
        let games = reviewed(
            "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 0-1\n\n\
             [White \"Cid\"]\n[Black \"Ann\"]\n\n1. e4 e5 2. Nf3 Nf6 1/2-1/2\n\n\
             [White \"Ann\"]\n[Black \"Cid\"]\n\n1. d4 d5 2. c4 e6 *\n",
        );
        let totals = totals(&games);
        assert_eq!(totals.player.as_deref(), Some("Ann"));
        let openings: Vec<(&str, u32, f64, u32)> = totals
            .openings
            .iter()
            .map(|opening| (opening.name.as_str(), opening.games, opening.points, opening.finished))
            .collect();
        assert_eq!(
            openings,
            [
                ("King's Knight Opening", 1, 0.0, 1),
                ("Petrov's Defense", 1, 0.5, 1),
                ("Queen's Gambit Declined", 1, 0.0, 0)
            ]
        );
        let [opening] = totals.phases.as_slice() else { panic!("{:?}", totals.phases) };
        assert_eq!((opening.phase, opening.moves, opening.blunders), (GamePhase::Opening, 6, 2));
        assert!(opening.accuracy.is_some_and(|accuracy| accuracy < 90.0));
    }

    #[test]
    fn phases_depend_on_pieces_and_moves() {
        let games = reviewed(
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Ke7 *\n\n\
             [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20\"]\n\n20. e4 e5 *\n",
        );
        let totals = totals(&games);
        assert_eq!(totals.player, None);
        let phases: Vec<(GamePhase, u32)> = totals.phases.iter().map(|one| (one.phase, one.moves)).collect();
        assert_eq!(phases, [(GamePhase::Middlegame, 2), (GamePhase::Endgame, 2)]);
    }
}
