//! Which move lost a game.

use review::{GameReview, Judgement, MoveReview};

/// A move that costs less is not the reason of a loss: what lichess calls a mistake.
pub const LEAST_LOSS: f64 = 10.0;

/// Below these winning chances, in percent, a position is lost: -2.3 pawns.
pub const LOST_CHANCE: f64 = 30.0;

/// How a game was lost, according to the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LossPattern {
    /// By one of these moves, by their index: the largest loss first.
    Moves(Vec<usize>),
    /// It was lost when the engine's own moves began.
    Opening,
    /// By many small losses.
    Gradual,
}

/// Looks for the moves of a side that cost at least [`LEAST_LOSS`] and were never half made up for afterwards. Moves
/// before `first` are from the book.
pub fn decide(game: &GameReview, white: bool, first: usize) -> LossPattern {
    let before = |index: usize| {
        let chance = if index == 0 { game.chance } else { game.moves[index - 1].chance };
        if white { chance } else { 100.0 - chance }
    };
    let own: Vec<(usize, &MoveReview)> =
        game.moves.iter().enumerate().skip(first).filter(|(_, mv)| mv.white == white).collect();
    let recovers = |index: usize, loss: f64| {
        let enough = before(index) - loss / 2.0;
        own.iter().any(|&(later, _)| later > index && before(later) > enough)
    };
    let mut moves: Vec<usize> = own
        .iter()
        .filter(|(_, mv)| mv.judgement > Judgement::Best && mv.loss >= LEAST_LOSS)
        .filter(|(index, mv)| !recovers(*index, mv.loss))
        .map(|&(index, _)| index)
        .collect();
    moves.sort_by(|&one, &other| game.moves[other].loss.total_cmp(&game.moves[one].loss));
    if !moves.is_empty() {
        LossPattern::Moves(moves)
    } else if own.first().is_some_and(|&(index, _)| before(index) < LOST_CHANCE) {
        LossPattern::Opening
    } else {
        LossPattern::Gradual
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use review::{PositionAnalysis, read};
    use uci::Score;

    /// A game in which White's winning chances, before the first move and after each, are these.
    fn game(chances: &[f64]) -> GameReview {
        const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *";
        let (games, _) = read(MOVES);
        let mut subject = games[0].clone();
        subject.moves.truncate(chances.len() - 1);
        let analyses: Vec<PositionAnalysis> = chances
            .iter()
            .map(|chance| {
                let cp = (chance / (100.0 - chance)).ln() / 0.003_682_08;
                let score = Some(Score::Centipawns(cp.round() as i32));
                PositionAnalysis { score, line: vec!["h2h3".into()], depth: 9, nodes: 9, explanation: None }
            })
            .collect();
        GameReview::new(&subject, &analyses)
    }

    #[test]
    fn largest_loss_decides() {
        let one = game(&[50.0, 38.0, 38.0, 5.0, 5.0, 3.0]);
        assert_eq!(decide(&one, true, 0), LossPattern::Moves(vec![2, 0]));
    }

    #[test]
    fn loss_that_is_made_up_for_does_not_count() {
        let one = game(&[50.0, 15.0, 45.0, 30.0, 30.0, 29.0]);
        assert_eq!(decide(&one, true, 0), LossPattern::Moves(vec![2]));
        let little = game(&[50.0, 15.0, 20.0, 5.0, 5.0, 5.0]);
        assert_eq!(decide(&little, true, 0), LossPattern::Moves(vec![0, 2]));
    }

    #[test]
    fn blacks_losses_are_whites_gains() {
        let one = game(&[50.0, 50.0, 80.0, 80.0, 80.0]);
        assert_eq!(decide(&one, false, 0), LossPattern::Moves(vec![1]));
        assert_eq!(decide(&one, true, 0), LossPattern::Gradual);
    }

    #[test]
    fn small_losses_are_gradual() {
        let one = game(&[50.0, 42.0, 42.0, 34.0, 34.0, 26.0, 26.0, 18.0]);
        assert_eq!(decide(&one, true, 0), LossPattern::Gradual);
    }

    #[test]
    fn lost_opening() {
        let one = game(&[50.0, 20.0, 20.0, 19.0, 19.0, 12.0]);
        assert_eq!(decide(&one, true, 0), LossPattern::Moves(vec![0]));
        assert_eq!(decide(&one, true, 2), LossPattern::Opening, "the book lost the game");
    }
}
