//! A review as text.

use std::fmt::Write as _;

use review::{GameReview, MoveReview};

/// Winning chances, accuracy and mistakes of a game.
pub fn summary(game: &GameReview) -> String {
    let opening = game.opening().map_or(String::new(), |opening| format!("  {opening}\n"));
    let mut text = format!(
        "Game {} (line {}): {} - {} {}\n{opening}  {}\n",
        game.number,
        game.line,
        game.tag("White"),
        game.tag("Black"),
        game.result,
        sparkline(game)
    );
    let sides = [
        ("White", game.accuracy.white, game.errors.white),
        ("Black", game.accuracy.black, game.errors.black),
    ];
    for (side, accuracy, errors) in sides {
        let accuracy = accuracy.map_or_else(|| "    -".to_owned(), |value| format!("{value:5.1}"));
        let _ = writeln!(text, "  {side}: accuracy {accuracy} %, {errors}");
    }
    for mv in game.moves.iter().filter(|mv| mv.judgement.is_error()) {
        let _ = writeln!(text, "  {}", error_text(mv));
        if let Some(explanation) = &mv.explanation {
            let _ = writeln!(text, "     {}", explanation.comment());
        }
    }
    text
}

fn error_text(mv: &MoveReview) -> String {
    let dots = if mv.white { "." } else { "..." };
    let score = mv.score.map_or_else(|| "game over".to_owned(), |score| score.to_string());
    let better: Vec<&str> = mv.line.iter().take(8).map(String::as_str).collect();
    format!(
        "{}{dots} {}{} ({score}), winning chances -{:.0} %; best {}",
        mv.number,
        mv.san,
        mv.judgement.symbol(),
        mv.loss,
        better.join(" ")
    )
}

/// White's winning chances, one character per ply.
fn sparkline(game: &GameReview) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let bar = |chance: f64| BARS[((chance / 100.0 * 8.0) as usize).min(7)];
    game.moves.iter().map(|mv| bar(mv.chance)).collect()
}
