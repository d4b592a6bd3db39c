//! The three best lines of a position: `cargo run --example analyse -- "FEN"`.

use std::error::Error;

use chess::{Game, Position};
use engine::{Engine, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let position = std::env::args().nth(1).map_or(Ok(Position::startpos()), |fen| fen.parse())?;
    let lines = Engine::try_new()?.analyse(&Game::new(position), Limits::nodes(500_000), 3)?;
    for line in lines {
        let score = line.score.map(|score| score.to_string()).unwrap_or_default();
        let mut board = position;
        print!("depth {} score {score}:", line.depth.unwrap_or(0));
        for mv in line.pv {
            print!(" {}", board.san(mv));
            board.play(mv);
        }
        println!();
    }
    Ok(())
}
