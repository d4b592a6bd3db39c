//! `vedette explain`: why a move is good or bad, in sentences.

use std::error::Error;
use std::io::Write;

use arena::EngineConfig;
use arena::players::PlayerError;
use chess::{DrawReason, Game, Move, Outcome, Position};
use review::explain::{MoveExplanation, SCHEMA, StatedLine};
use review::trace::read_line;
use review::{Judgement, Reviewer};
use support::text::printable;

use crate::cli::analysis::AnalysisArguments;
use crate::cli::evaluation::EvaluationArguments;
use crate::cli::interrupt::{stop_on_signal, unless_interrupted};
use crate::cli::json::JsonArguments;

#[derive(clap::Args)]
#[command(
    after_help = "The limits are those of one search; an explanation takes 5 to 40 of them. Scores are from White's \
    point of view. docs/explain.md describes the sentences and the JSON schema."
)]
pub struct Arguments {
    /// The position (FEN, X-FEN, Shredder-FEN or startpos, quoted or not), and a move in SAN or UCI notation
    #[arg(value_name = "FEN [MOVE]", required = true, num_args = 1..=7)]
    position: Vec<String>,
    /// Play these moves first, in SAN or UCI notation
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    #[command(flatten)]
    analysis: AnalysisArguments<100_000>,
    #[command(flatten)]
    evaluation: EvaluationArguments,
    #[command(flatten)]
    json: JsonArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let (game, asked) = arguments.subject()?;
    let position = *game.position();
    if let Some(outcome) = game.outcome() {
        return Err(format!("nothing to explain: {}", ending(outcome)).into());
    }
    let json = arguments.json.open()?;
    let (evaluation, _) = arguments.evaluation.evaluation()?;
    let chess960 = !game.start().has_standard_castling();
    let mut reviewer =
        Reviewer::new(&arguments.engine(), arguments.analysis.limits(), chess960, stop_on_signal()?)?
            .with_evaluation(evaluation);
    let explanation = match reviewer.explain(&game, asked) {
        Ok(Some(explanation)) => explanation,
        Ok(None) => return Err("the engine reports no move with a score here".into()),
        Err(PlayerError::Interrupted) => return Ok(unless_interrupted()?),
        Err(error) => return Err(error.into()),
    };
    write!(arguments.json.text(), "{}", printable(&text(&position, &explanation)))?;
    let mut value = serde_json::to_value(&explanation)?;
    value["schema"] = SCHEMA.into();
    value["limits"] = arguments.analysis.limits().to_string().into();
    json.finish(|| value)
}

impl Arguments {
    /// The game up to the position, and the move in question.
    fn subject(&self) -> Result<(Game, Option<Move>), Box<dyn Error>> {
        let text = self.position.join(" ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let fields = fen_fields(&words);
        let (fen, rest) = words.split_at(fields);
        let start = match fen {
            ["startpos"] => Position::startpos(),
            fen => {
                let fen = fen.join(" ");
                Position::from_fen(&fen).map_err(|error| format!("invalid FEN '{fen}': {error}"))?
            }
        };
        let mut game = Game::new(start);
        if let Some(moves) = &self.moves {
            for mv in read_line(&start, moves).map_err(|error| format!("--moves: {error}"))? {
                game.play(mv);
            }
        }
        let asked = match rest {
            [] => None,
            [mv] => read_line(game.position(), mv)?.first().copied(),
            [_, more @ ..] => {
                return Err(
                    format!("unexpected '{}': expected one move after the position", more.join(" ")).into()
                );
            }
        };
        Ok((game, asked))
    }

    fn engine(&self) -> EngineConfig {
        let own = if self.analysis.is_vedette() { self.evaluation.options() } else { Vec::new() };
        let engine = self.analysis.engine();
        EngineConfig { options: own.into_iter().chain(engine.options).collect(), ..engine }
    }
}

/// How many of the words are the position: four fields and the two clocks, if they are there.
fn fen_fields(words: &[&str]) -> usize {
    if words.first() == Some(&"startpos") {
        return 1;
    }
    let is_clock = |word: &&&str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let clocks = words.iter().skip(4).take(2).take_while(is_clock).count();
    words.len().min(4) + clocks
}

fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Checkmate { .. } => "the game is over by checkmate",
        Outcome::Draw(DrawReason::Stalemate) => "the game is over by stalemate",
        Outcome::Draw(_) => "the game is drawn",
    }
}

fn text(position: &Position, explanation: &MoveExplanation) -> String {
    use std::fmt::Write as _;
    let mut text = format!("{}\n\n", position.to_fen());
    for sentence in &explanation.sentences {
        let _ = writeln!(text, "{}", sentence.text);
    }
    let lines = [
        ("Best", Some(&explanation.best)),
        ("Reply", explanation.reply.as_ref()),
        ("Threat", explanation.threat.as_ref()),
        ("Idea", explanation.idea.as_ref()),
    ];
    text.push('\n');
    for (name, line) in lines {
        let Some(line) = line else { continue };
        let _ = writeln!(text, "{name:7} {}", line_text(line));
    }
    if explanation.judgement == Judgement::Forced {
        text.push_str("There is no other legal move.\n");
    }
    text
}

fn line_text(line: &StatedLine) -> String {
    let agreed = if line.agreed { "" } else { ", uncertain: the searches disagree" };
    format!("{:>6}  depth {}  {}{agreed}", line.score.to_string(), line.depth, line.moves.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_and_move_are_told_apart() {
        for (text, fields) in [
            ("startpos", 1),
            ("startpos e4", 1),
            ("6k1/8/8/8/8/8/8/R5K1 w - -", 4),
            ("6k1/8/8/8/8/8/8/R5K1 w - - Ra8", 4),
            ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", 6),
            ("6k1/8/8/8/8/8/8/R5K1 w - - 0 1 a1a8", 6),
            ("6k1/8/8", 1),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(fen_fields(&words), fields, "{text}");
        }
    }
}
