//! What a player types: a move or a command.

use std::path::PathBuf;

use chess::{Move, MoveError, Position};
use support::suggest::nearest;
use support::text::printable;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Move(Move),
    Board,
    Clock,
    Draw,
    Fen,
    Help,
    Hint,
    Moves,
    Pgn,
    Quit,
    Resign,
    Save(PathBuf),
    Undo,
    /// An empty line.
    Nothing,
}

pub const HELP: &str = "\
A move in SAN or UCI notation: e4, Nf3, O-O, exd8=Q, e2e4, e7e8q
  undo       take back your last move and the answer
  hint       show a good move (Vedette at full strength)
  moves      list the legal moves
  board      show the board
  clock      show the time left
  fen        print the position as FEN
  pgn        print the game as PGN
  save FILE  write the game to a PGN file
  draw       offer a draw
  resign     give up
  quit       end the program";

const COMMANDS: [&str; 12] =
    ["undo", "hint", "moves", "board", "clock", "fen", "pgn", "save", "draw", "resign", "quit", "help"];

/// Reads a line.
///
/// # Errors
/// A message: it is no command, and no legal move.
pub fn parse(position: &Position, line: &str) -> Result<Input, String> {
    let line = line.trim();
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match name.to_ascii_lowercase().as_str() {
        "" => Input::Nothing,
        "board" => Input::Board,
        "clock" => Input::Clock,
        "draw" => Input::Draw,
        "exit" | "quit" => Input::Quit,
        "fen" => Input::Fen,
        "?" | "help" => Input::Help,
        "hint" => Input::Hint,
        "moves" => Input::Moves,
        "pgn" => Input::Pgn,
        "resign" => Input::Resign,
        "save" if rest.is_empty() => return Err("save: missing file name".to_owned()),
        "save" => return Ok(Input::Save(PathBuf::from(rest))),
        "takeback" | "undo" => Input::Undo,
        _ => return read_move(position, line).map(Input::Move),
    };
    if rest.is_empty() { Ok(command) } else { Err(format!("{name}: unexpected '{}'", printable(rest))) }
}

fn read_move(position: &Position, text: &str) -> Result<Move, String> {
    let read = |text: &str| position.parse_uci(text).or_else(|_| position.parse_san(text));
    // Most people type nf3.
    let mut letters = text.chars();
    let capitalised = letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str());
    let found = read(text).or_else(|error| {
        capitalised.filter(|other| other != text).and_then(|other| read(&other).ok()).ok_or(error)
    });
    found.map_err(|error| {
        let text = printable(text);
        match (error, nearest(&text.to_ascii_lowercase(), COMMANDS)) {
            (MoveError::Ambiguous, _) => format!("'{text}' is ambiguous: name the square it comes from"),
            (MoveError::MissingPromotion, _) => format!("'{text}' promotes: name the piece, as in {text}=Q"),
            (MoveError::Illegal, _) => format!("'{text}' is not legal here: moves lists the legal moves"),
            (_, Some(near)) => format!("'{text}' is neither a move nor a command: did you mean {near}?"),
            (_, None) => format!("'{text}' is neither a move nor a command: try help"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mv(text: &str) -> Input {
        Input::Move(Position::startpos().parse_uci(text).expect("legal"))
    }

    #[test]
    fn moves_in_both_notations() {
        let start = Position::startpos();
        for (text, uci) in [("e4", "e2e4"), (" e2e4 ", "e2e4"), ("Nf3", "g1f3"), ("nf3", "g1f3")] {
            assert_eq!(parse(&start, text), Ok(mv(uci)), "{text}");
        }
    }

    /// `bxc3` is the bishop's only where no pawn can take.
    #[test]
    fn lower_case_b_is_a_pawn_first() {
        let both = Position::from_fen("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1").expect("a position");
        let pawn = both.parse_uci("b2c3").ok();
        assert_eq!(parse(&both, "bxc3").ok(), pawn.map(Input::Move));
    }

    #[test]
    fn commands_and_messages() {
        let start = Position::startpos();
        assert_eq!(parse(&start, "  Undo "), Ok(Input::Undo));
        assert_eq!(parse(&start, "save my game.pgn"), Ok(Input::Save("my game.pgn".into())));
        assert_eq!(parse(&start, ""), Ok(Input::Nothing));
        for (text, part) in [
            ("save", "missing file name"),
            ("undo 3", "unexpected '3'"),
            ("hnt", "did you mean hint?"),
            ("e5", "not legal"),
            ("e2e5", "not legal"),
            ("xyzzy plugh", "try help"),
        ] {
            let message = parse(&start, text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_move_a_command_or_one_message(text in "\\PC{0,40}") {
            if let Err(message) = parse(&Position::startpos(), &text) {
                prop_assert!(!message.contains('\n') && !message.is_empty());
            }
        }

        #[test]
        fn every_legal_move_is_read_in_both_notations(choices in prop::collection::vec(any::<u16>(), 0..80)) {
            let mut position = Position::startpos();
            for choice in choices {
                let moves = position.legal_moves();
                for &mv in &moves[..] {
                    prop_assert_eq!(parse(&position, &position.san(mv).to_string()), Ok(Input::Move(mv)));
                    prop_assert_eq!(parse(&position, &mv.uci(false).to_string()), Ok(Input::Move(mv)));
                }
                if moves.is_empty() {
                    break;
                }
                position = position.after(moves[usize::from(choice) % moves.len()]);
            }
        }
    }
}
