//! The legal moves of a position, in SAN and UCI: `cargo run --example moves -- "FEN"`.

use chess::{FenError, Position};

fn main() -> Result<(), FenError> {
    let position = std::env::args().nth(1).map_or(Ok(Position::startpos()), |fen| fen.parse())?;
    println!("{position}");
    for &mv in position.legal_moves().iter() {
        println!("{:8} {mv}", position.san(mv).to_string());
    }
    if let Some(outcome) = position.outcome() {
        println!("game over: {outcome}");
    }
    Ok(())
}
