//! A lost game and its cause, and the result of all of them.

use chess::Color;
use record::pgn::GameResult;
use review::{Broken, SourceGame};
use serde::{Deserialize, Serialize};

use crate::cause::LossCause;
use crate::probe::Probe;

/// The position in which the game was lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Plies before it.
    pub ply: usize,
    /// The number of the move.
    pub number: u32,
    pub fen: String,
    /// The move of the game in SAN.
    pub played: String,
    pub played_uci: String,
    /// The better move in SAN.
    pub better: String,
    pub better_uci: String,
    /// The line that begins with it, in SAN.
    pub line: Vec<String>,
    /// The loser's winning chances after the better move and after the move of the game, in percent.
    pub before: f64,
    pub after: f64,
    /// The difference.
    pub loss: f64,
    /// On the board, kings included.
    pub pieces: u32,
    /// All moves in SAN that are known not to lose what the move of the game lost.
    pub good: Vec<String>,
    /// The loser's clock, where one was running.
    pub clock_seconds: Option<f64>,
    /// What it used of it, where the PGN has it.
    pub used_seconds: Option<f64>,
}

/// A lost game and why it was lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The game's place in the file, from 1.
    pub game: usize,
    /// The line of the file on which it begins.
    pub line: usize,
    pub white: bool,
    pub opponent: String,
    pub cause: LossCause,
    /// What shows it, as a sentence.
    pub evidence: String,
    /// None if no single move lost the game.
    pub moment: Option<Moment>,
    pub probes: Vec<Probe>,
    /// Moves of the game that the engine chose again when the game was replayed, and all that were replayed.
    pub repeated: Option<(u32, u32)>,
    /// The loser's time at the end of the game.
    pub unused_seconds: Option<f64>,
}

/// How often a cause was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CauseCount {
    pub cause: LossCause,
    pub games: u32,
    /// The mean loss of winning chances, in percent.
    pub mean_loss: Option<f64>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Autopsy {
    pub schema: String,
    /// The name in the games.
    pub player: String,
    /// The engine that was asked again.
    pub engine: String,
    /// The engine that knows better, and its limits per position.
    pub reference: String,
    pub reference_limits: String,
    /// Games that were read, and those that the player lost.
    pub games: usize,
    pub lost: usize,
    /// The most frequent first.
    pub causes: Vec<CauseCount>,
    /// The lost games that were examined.
    pub cases: Vec<Case>,
    /// The games of the clearest positions.
    pub clearest: Vec<usize>,
    pub notes: Vec<String>,
    pub broken: Vec<Broken>,
}

impl Autopsy {
    /// Counts the causes and picks the clearest positions.
    pub fn set_cases(&mut self, mut cases: Vec<Case>, positions: usize) {
        cases.sort_by_key(|case| case.game);
        self.causes = counts(&cases);
        let mut clearest: Vec<(f64, usize)> = cases
            .iter()
            .filter(|case| case.cause.is_reproduced())
            .filter_map(|case| Some((case.moment.as_ref()?.loss, case.game)))
            .collect();
        clearest.sort_by(|one, other| other.0.total_cmp(&one.0));
        self.clearest = clearest.into_iter().take(positions).map(|(_, game)| game).collect();
        self.cases = cases;
    }

    /// The clearest positions: those that cost most.
    pub fn clearest_cases(&self) -> impl Iterator<Item = (&Case, &Moment)> {
        self.clearest.iter().filter_map(|game| {
            let case = self.cases.iter().find(|case| case.game == *game)?;
            Some((case, case.moment.as_ref()?))
        })
    }
}

fn counts(cases: &[Case]) -> Vec<CauseCount> {
    let mut counts: Vec<CauseCount> = LossCause::ALL
        .into_iter()
        .map(|cause| {
            let of_cause = || cases.iter().filter(move |case| case.cause == cause);
            let losses: Vec<f64> = of_cause().filter_map(|case| Some(case.moment.as_ref()?.loss)).collect();
            let mean = losses.iter().sum::<f64>() / losses.len() as f64;
            let mean_loss = (!losses.is_empty()).then_some(mean);
            CauseCount { cause, games: of_cause().count() as u32, mean_loss }
        })
        .filter(|count| count.games > 0)
        .collect();
    // What is not a cause comes last.
    counts.sort_by_key(|count| {
        let is_cause = !matches!(count.cause, LossCause::NotReproduced | LossCause::Gradual);
        (std::cmp::Reverse((is_cause, count.games)), count.cause)
    });
    counts
}

/// The side that lost, if this player had it.
pub fn lost_side(game: &SourceGame, player: &str) -> Option<Color> {
    let (side, tag) = match game.pgn.result {
        GameResult::WhiteWins => (Color::Black, "Black"),
        GameResult::BlackWins => (Color::White, "White"),
        GameResult::Draw | GameResult::Unknown => return None,
    };
    (game.pgn.tag(tag) == Some(player)).then_some(side)
}

/// The games that a player lost, by their index.
pub fn lost_games(games: &[SourceGame], player: &str) -> Vec<usize> {
    games
        .iter()
        .enumerate()
        .filter(|(_, game)| lost_side(game, player).is_some())
        .map(|(index, _)| index)
        .collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn case(game: usize, cause: LossCause, loss: f64) -> Case {
        let moment = Moment {
            ply: 0,
            number: 1,
            fen: chess::Position::startpos().to_fen(),
            played: "f3".into(),
            played_uci: "f2f3".into(),
            better: "e4".into(),
            better_uci: "e2e4".into(),
            line: vec!["e4".into(), "e5".into()],
            before: 52.0,
            after: 52.0 - loss,
            loss,
            pieces: 32,
            good: vec!["e4".into(), "d4".into()],
            clock_seconds: None,
            used_seconds: None,
        };
        Case {
            game,
            line: game,
            white: true,
            opponent: "<b>O".into(),
            cause,
            evidence: "found with 2 times the nodes".into(),
            moment: Some(moment),
            probes: Vec::new(),
            repeated: Some((3, 4)),
            unused_seconds: None,
        }
    }

    pub fn autopsy(cases: Vec<Case>) -> Autopsy {
        let mut autopsy = Autopsy {
            schema: crate::SCHEMA.to_owned(),
            player: "A".into(),
            engine: "A".into(),
            reference: "Vedette".into(),
            reference_limits: "1000 nodes".into(),
            games: 9,
            lost: cases.len(),
            causes: Vec::new(),
            cases: Vec::new(),
            clearest: Vec::new(),
            notes: Vec::new(),
            broken: Vec::new(),
        };
        autopsy.set_cases(cases, 2);
        autopsy
    }

    #[test]
    fn most_frequent_cause_comes_first() {
        let cases = vec![
            case(5, LossCause::NotReproduced, 90.0),
            case(4, LossCause::NotReproduced, 90.0),
            case(1, LossCause::Pruned, 20.0),
            case(3, LossCause::Horizon, 40.0),
            case(2, LossCause::Horizon, 20.0),
        ];
        let autopsy = autopsy(cases);
        let counts: Vec<_> = autopsy.causes.iter().map(|count| (count.cause, count.games)).collect();
        assert_eq!(counts, [(LossCause::Horizon, 2), (LossCause::Pruned, 1), (LossCause::NotReproduced, 2)]);
        assert_eq!(autopsy.causes[0].mean_loss, Some(30.0));
        assert_eq!(autopsy.clearest, [3, 1], "the largest losses that are reproduced");
    }

    #[test]
    fn only_lost_games_of_the_player() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 0-1\n\n[White \"B\"]\n[Black \"A\"]\n\n1. e4 0-1\n\n\
                    [White \"B\"]\n[Black \"A\"]\n\n1. e4 1-0\n\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 1/2-1/2\n";
        let (games, _) = review::read(text);
        assert_eq!((lost_games(&games, "A"), lost_games(&games, "B")), (vec![0, 2], vec![1]));
        assert_eq!(lost_side(&games[2], "A"), Some(Color::Black));
    }
}
