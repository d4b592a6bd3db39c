//! Extended position description: four fields of a FEN and operations such as `bm Nf3;`.

use crate::{FenError, Position};
use std::fmt;

/// One operation: an opcode and its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name, such as `bm` or `id`.
    pub opcode: String,
    /// What follows, without quotes.
    pub operands: Vec<String>,
}

/// A position with operations.
///
/// ```
/// let epd: chess::Epd = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id \"pawn; end\";".parse()?;
/// assert_eq!(epd.operands("bm"), ["e4", "e3"]);
/// assert_eq!(epd.operands("id"), ["pawn; end"]);
/// assert!(epd.operands("am").is_empty());
/// # Ok::<(), chess::EpdError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position; its clocks come from the operations `hmvc` and `fmvn`, or from two numbers in the
    /// place where a FEN has them.
    pub position: Position,
    /// The operations in the order of the text.
    pub operations: Vec<Operation>,
}

/// Why a line is not an EPD.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EpdError {
    /// The position cannot be read.
    Position(FenError),
    /// A quotation mark is not closed.
    OpenQuote,
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Position(error) => write!(f, "{error}"),
            EpdError::OpenQuote => f.write_str("a quotation mark is not closed"),
        }
    }
}

impl std::error::Error for EpdError {}

impl Epd {
    /// The operands of the first operation with this opcode; none if there is no such operation.
    pub fn operands(&self, opcode: &str) -> &[String] {
        self.operations
            .iter()
            .find(|operation| operation.opcode == opcode)
            .map_or(&[], |found| &found.operands)
    }
}

impl std::str::FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let (fields, mut rest) = split_fields(line, 4);
        let mut clocks = ("0".to_string(), "1".to_string());
        // Many files carry a whole FEN before the operations.
        let (numbers, after) = split_fields(rest, 2);
        if numbers.len() == 2 && numbers.iter().all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            clocks = (numbers[0].to_string(), numbers[1].to_string());
            rest = after;
        }
        let operations = read_operations(rest)?;
        let number = |opcode: &str, default: String| {
            let found = operations.iter().find(|operation| operation.opcode == opcode);
            found.and_then(|operation| operation.operands.first().cloned()).unwrap_or(default)
        };
        let fen = format!("{} {} {}", fields.join(" "), number("hmvc", clocks.0), number("fmvn", clocks.1));
        let position = Position::from_fen(&fen).map_err(EpdError::Position)?;
        Ok(Epd { position, operations })
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fen = self.position.to_fen();
        f.write_str(&fen.split(' ').take(4).collect::<Vec<_>>().join(" "))?;
        let clocks =
            [("hmvc", self.position.halfmove_clock(), 0), ("fmvn", self.position.fullmove_number(), 1)];
        for (opcode, value, default) in clocks {
            if value != default && self.operands(opcode).is_empty() {
                write!(f, " {opcode} {value};")?;
            }
        }
        for operation in &self.operations {
            write!(f, " {}", operation.opcode)?;
            for operand in &operation.operands {
                let bare = !operand.is_empty()
                    && !operand
                        .contains(|letter: char| letter.is_whitespace() || letter == ';' || letter == '"');
                // The format has no way to write a quotation mark inside quotes.
                if bare { write!(f, " {operand}") } else { write!(f, " \"{}\"", operand.replace('"', "'")) }?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// The first `count` words, or fewer, and what follows them.
fn split_fields(text: &str, count: usize) -> (Vec<&str>, &str) {
    let mut rest = text.trim_start();
    let mut fields = Vec::new();
    while fields.len() < count && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ';' => finish(&mut words, &mut operations),
            '"' => {
                let mut word = String::new();
                loop {
                    match letters.next() {
                        None => return Err(EpdError::OpenQuote),
                        Some('"') => break,
                        Some(inside) => word.push(inside),
                    }
                }
                words.push(word);
            }
            blank if blank.is_whitespace() => {}
            first => {
                let mut word = String::from(first);
                while let Some(next) =
                    letters.next_if(|&next| !next.is_whitespace() && next != ';' && next != '"')
                {
                    word.push(next);
                }
                words.push(word);
            }
        }
    }
    // A last operation without its semicolon is common.
    finish(&mut words, &mut operations);
    Ok(operations)
}

fn finish(words: &mut Vec<String>, operations: &mut Vec<Operation>) {
    let mut words = std::mem::take(words).into_iter();
    if let Some(opcode) = words.next().filter(|opcode| !opcode.is_empty()) {
        operations.push(Operation { opcode, operands: words.collect() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITION: &str = "4k3/8/8/8/8/8/4P3/4K3 w - -";

    #[test]
    fn operations_round_trip() {
        let text = format!("{POSITION} hmvc 7; fmvn 12; bm e4; id \"a b; c\"; c0 \"\";");
        let epd: Epd = text.parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (7, 12));
        assert_eq!(epd.to_string(), text);
    }

    #[test]
    fn a_whole_fen_may_stand_before_the_operations() {
        let epd: Epd = format!("{POSITION} 3 9 bm e4").parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 9));
        assert_eq!(epd.to_string(), format!("{POSITION} hmvc 3; fmvn 9; bm e4;"));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!("8/8 w - -".parse::<Epd>(), Err(EpdError::Position(FenError::RankCount(2))));
        assert_eq!(format!("{POSITION} id \"x").parse::<Epd>(), Err(EpdError::OpenQuote));
    }
}
