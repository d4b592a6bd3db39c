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
    /// An operation's opcode does not start with a letter.
    Opcode(String),
}

impl fmt::Display for EpdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EpdError::Position(error) => write!(f, "{error}"),
            EpdError::OpenQuote => f.write_str("unclosed quote"),
            EpdError::Opcode(text) => write!(f, "invalid opcode {text:?}"),
        }
    }
}

impl std::error::Error for EpdError {}

impl Epd {
    /// The operands of the first operation with this opcode; none if there is no such operation.
    pub fn operands(&self, opcode: &str) -> &[String] {
        operands(&self.operations, opcode)
    }
}

impl std::str::FromStr for Epd {
    type Err = EpdError;

    fn from_str(line: &str) -> Result<Epd, EpdError> {
        let (fields, mut rest) = split_fields(line, 4);
        let mut position = Position::from_fen(&fields.join(" ")).map_err(EpdError::Position)?;
        // Many files carry a whole FEN before the operations.
        let (numbers, after) = split_fields(rest, 2);
        let mut clocks = (None, None);
        if numbers.len() == 2 && numbers.iter().all(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        {
            clocks = (Some(numbers[0]), Some(numbers[1]));
            rest = after;
        }
        let operations = read_operations(rest)?;
        let operand = |opcode| operands(&operations, opcode).first().map(String::as_str);
        position
            .set_clocks(operand("hmvc").or(clocks.0), operand("fmvn").or(clocks.1))
            .map_err(EpdError::Position)?;
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

fn operands<'a>(operations: &'a [Operation], opcode: &str) -> &'a [String] {
    operations.iter().find(|operation| operation.opcode == opcode).map_or(&[], |found| &found.operands)
}

/// The first `count` fields before a semicolon, or fewer, and the rest.
fn split_fields(text: &str, count: usize) -> (Vec<&str>, &str) {
    let mut rest = text.trim_start();
    let mut fields = Vec::new();
    while fields.len() < count && !rest.is_empty() {
        let end = rest.find(|letter: char| letter.is_whitespace() || letter == ';').unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        fields.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    (fields, rest)
}

fn read_operations(text: &str) -> Result<Vec<Operation>, EpdError> {
    let mut operations = Vec::new();
    let mut tokens: Vec<String> = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ';' => finish(&mut tokens, &mut operations)?,
            '"' => {
                let mut token = String::new();
                loop {
                    match letters.next() {
                        None => return Err(EpdError::OpenQuote),
                        Some('"') => break,
                        Some(inside) => token.push(inside),
                    }
                }
                tokens.push(token);
            }
            blank if blank.is_whitespace() => {}
            first => {
                let mut token = String::from(first);
                while let Some(next) =
                    letters.next_if(|&next| !next.is_whitespace() && next != ';' && next != '"')
                {
                    token.push(next);
                }
                tokens.push(token);
            }
        }
    }
    // A last operation without its semicolon is common.
    finish(&mut tokens, &mut operations)?;
    Ok(operations)
}

/// Ends an operation. An empty one is ignored: some files write `;` before each operation.
fn finish(tokens: &mut Vec<String>, operations: &mut Vec<Operation>) -> Result<(), EpdError> {
    let mut tokens = std::mem::take(tokens).into_iter();
    let Some(opcode) = tokens.next() else { return Ok(()) };
    let is_name = opcode.starts_with(|first: char| first.is_ascii_alphabetic())
        && !opcode.contains(|letter: char| letter.is_whitespace() || letter == ';');
    if !is_name {
        return Err(EpdError::Opcode(opcode));
    }
    operations.push(Operation { opcode, operands: tokens.collect() });
    Ok(())
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
    fn whole_fen_before_operations() {
        let epd: Epd = format!("{POSITION} 3 9 bm e4").parse().unwrap();
        assert_eq!((epd.position.halfmove_clock(), epd.position.fullmove_number()), (3, 9));
        assert_eq!(epd.to_string(), format!("{POSITION} hmvc 3; fmvn 9; bm e4;"));
    }

    #[test]
    fn perft_suite_formats() {
        for text in [" 3 9 ;D1 5 ;D2 25", " 3 9; D1 5; D2 25"] {
            let epd: Epd = format!("{POSITION}{text}").parse().unwrap();
            assert_eq!((epd.position.halfmove_clock(), epd.operands("D2")), (3, &["25".to_string()][..]));
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!("8/8 w - -".parse::<Epd>(), Err(EpdError::Position(FenError::RankCount(2))));
        assert_eq!(format!("{POSITION} id \"x").parse::<Epd>(), Err(EpdError::OpenQuote));
        for (operations, opcode) in [("0;", "0"), ("\"a b\" c;", "a b"), ("bm e4; - ;", "-")] {
            let expected = Err(EpdError::Opcode(opcode.into()));
            assert_eq!(format!("{POSITION} {operations}").parse::<Epd>(), expected);
        }
        let clock = FenError::Clock { field: "halfmove clock", text: "3 4".into() };
        assert_eq!(format!("{POSITION} hmvc \"3 4\";").parse::<Epd>(), Err(EpdError::Position(clock)));
    }
}
