//! What `d` shows.

use chess::Game;

/// The board, the FEN, the hash key, who gives check, and how the game stands.
pub fn describe(game: &Game) -> String {
    let position = game.position();
    let mut lines = vec![position.to_string(), format!("key {:016x}", position.key())];
    if position.in_check() {
        let checkers: Vec<String> =
            position.checkers().into_iter().map(|square| square.to_string()).collect();
        lines.push(format!("check from {}", checkers.join(" ")));
    }
    if game.repetitions() > 1 {
        lines.push(format!("seen {} times", game.repetitions()));
    }
    lines.extend(game.outcome().map(|outcome| format!("game over: {outcome}")));
    lines.join("\n")
}
