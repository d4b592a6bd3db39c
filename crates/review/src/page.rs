//! A review as one HTML page that needs nothing from outside: graphs, move lists, and mistakes to retry.

use std::fmt::Write as _;

use chess::{Color, File, Position, Rank, Role, Square};

use super::game::counted;
use super::{GameReview, MoveReview, Retry, Review, Tally, graph};

const STYLE: &str = ":root{--inaccuracy:#7a5c00;--mistake:#a34a00;--blunder:#b3261e}\
body{font:16px/1.5 system-ui,sans-serif;max-width:58rem;margin:2rem auto;padding:0 1rem;background:#fbfaf7;color:#222}\
@media(prefers-color-scheme:dark){:root{--inaccuracy:#e0c25a;--mistake:#eda35d;--blunder:#f2938a;color-scheme:dark}\
body{background:#1d1f21;color:#ddd}}svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:1rem 0}\
td,th{padding:.15rem clamp(.3rem,2vw,.8rem);text-align:right}td:first-child,th:first-child{text-align:left}\
@media(max-width:30rem){th{font-size:.8em}}.moves{line-height:1.9}.moves b{font-weight:600}\
.inaccuracy{color:var(--inaccuracy)}.mistake{color:var(--mistake)}.blunder{color:var(--blunder)}\
.retry{display:inline-block;width:15rem;vertical-align:top;margin:0 1rem 1rem 0}summary{cursor:pointer}\
.line{font-size:.9em;opacity:.85}";

/// Half moves of a better line that stand in the text.
const SHOWN: usize = 10;

/// The page.
pub fn page(review: &Review) -> String {
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>Game review</title><style>{STYLE}</style></head><body><h1>Game review</h1><p>{}, {} a position. \
         {}.</p>",
        escaped(&review.engine),
        escaped(&review.limits),
        counted(review.games.len(), "game", "games")
    );
    for game in &review.games {
        game_section(&mut out, game);
    }
    if !review.broken.is_empty() {
        out.push_str("<h2>What could not be read</h2><ul>");
        for fault in &review.broken {
            let left_out = if fault.skipped { " (left out)" } else { "" };
            let _ = write!(
                out,
                "<li>line {}, game {}: {}{left_out}</li>",
                fault.line,
                fault.game,
                escaped(&fault.what)
            );
        }
        out.push_str("</ul>");
    }
    out.push_str("</body></html>\n");
    out
}

fn game_section(out: &mut String, game: &GameReview) {
    let _ = write!(
        out,
        "<section><h2>{} – {} {}</h2><p>{}, {}</p>{}",
        escaped(game.tag("White")),
        escaped(game.tag("Black")),
        escaped(&game.result),
        escaped(game.tag("Event")),
        escaped(game.tag("Date")),
        graph(game)
    );
    out.push_str(
        "<table><tr><th></th><th>accuracy</th><th>inaccuracies</th><th>mistakes</th><th>blunders</th></tr>",
    );
    let sides = [
        ("White", game.accuracy.white, game.errors.white),
        ("Black", game.accuracy.black, game.errors.black),
    ];
    for (side, accuracy, Tally { inaccuracies, mistakes, blunders }) in sides {
        let accuracy = accuracy.map_or_else(|| "–".to_owned(), |value| format!("{value:.1} %"));
        let _ = write!(
            out,
            "<tr><td>{side}</td><td>{accuracy}</td><td>{inaccuracies}</td><td>{mistakes}</td><td>{blunders}</td></tr>"
        );
    }
    out.push_str("</table><p class=\"moves\">");
    for (index, mv) in game.moves.iter().enumerate() {
        move_text(out, mv, index == 0);
    }
    let _ = write!(out, "{}</p>", escaped(&game.result));
    if !game.retry.is_empty() {
        out.push_str("<h3>Mistakes to retry</h3>");
        for retry in &game.retry {
            retry_text(out, retry);
        }
    }
    out.push_str("</section>");
}

fn move_text(out: &mut String, mv: &MoveReview, first: bool) {
    if mv.white {
        let _ = write!(out, "{}. ", mv.number);
    } else if first {
        let _ = write!(out, "{}... ", mv.number);
    }
    let score = mv.score.map_or_else(|| "the game is over".to_owned(), |score| score.to_string());
    let (name, sign) = (mv.judgement.name(), mv.judgement.sign());
    let _ = write!(out, "<b class=\"{name}\" title=\"{score}\">{}{sign}</b> ", escaped(&mv.san));
    if mv.judgement.is_error() {
        let better = mv.line.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(" ");
        let _ = write!(out, "<span class=\"line\">({score}; better {})</span> ", escaped(&better));
    }
}

fn retry_text(out: &mut String, retry: &Retry) {
    let side = if retry.white { "White" } else { "Black" };
    let board = Position::from_fen(&retry.fen).map_or(String::new(), |position| board(&position));
    let _ = write!(
        out,
        "<div class=\"retry\">{board}<p>{side} to move. {} was a {}.</p><details><summary>What is better?</summary>\
         <p><b>{}</b> <span class=\"line\">{}</span></p></details></div>",
        escaped(&retry.played),
        retry.judgement.name(),
        escaped(&retry.best),
        escaped(&retry.line.join(" "))
    );
}

/// The board as the side to move sees it.
fn board(position: &Position) -> String {
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" width=\"240\" role=\"img\" font-size=\"0.85\" text-anchor=\"middle\">",
    );
    let flipped = position.turn() == Color::Black;
    for (file, rank) in (0..8u8).flat_map(|rank| (0..8u8).map(move |file| (file, rank))) {
        let square = Square::new(File::ALL[usize::from(file)], Rank::ALL[usize::from(rank)]);
        let (x, y) = if flipped { (7 - file, rank) } else { (file, 7 - rank) };
        let shade = if (file + rank) % 2 == 0 { "#b58863" } else { "#f0d9b5" };
        let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"1\" height=\"1\" fill=\"{shade}\"/>");
        if let Some(piece) = position.piece_at(square) {
            let (fill, edge) =
                if piece.color() == Color::White { ("#fff", "#222") } else { ("#111", "#eee") };
            let sign = match piece.role() {
                Role::Pawn => '♟',
                Role::Knight => '♞',
                Role::Bishop => '♝',
                Role::Rook => '♜',
                Role::Queen => '♛',
                Role::King => '♚',
            };
            let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.82);
            let _ = write!(
                out,
                "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"0.02\">{sign}\u{fe0e}</text>"
            );
        }
    }
    out.push_str("</svg>");
    out
}

/// Text that a page shows as it is.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opinion, SCHEMA, read};
    use uci::Score;

    #[test]
    fn a_page_shows_everything_and_runs_nothing_from_a_file() {
        let (subjects, _) = read("[White \"<script>x</script>\"]\n1. f3 e5 2. g4 *");
        let opinion = |worth| Opinion { score: Some(worth), line: vec!["e2e4".into()], depth: 9, nodes: 1 };
        let opinions =
            [Score::Centipawns(30), Score::Centipawns(0), Score::Centipawns(0), Score::Mate(-1)].map(opinion);
        let review = Review {
            schema: SCHEMA.to_owned(),
            engine: "Vedette".to_owned(),
            limits: "depth 9".to_owned(),
            games: vec![GameReview::new(&subjects[0], &opinions)],
            broken: Vec::new(),
        };
        let page = page(&review);
        assert!(!page.contains("<script"), "{page}");
        assert!(page.contains("g4??") && page.contains("<polyline") && page.contains("Mistakes to retry"));
        let row = |side: &str| page.split(&format!("<td>{side}</td>")).nth(1).expect("a row").to_owned();
        let accuracy = review.games[0].accuracy;
        assert!(row("White").starts_with(&format!("<td>{:.1} %", accuracy.white.expect("choices"))));
        assert!(row("Black").starts_with(&format!("<td>{:.1} %", accuracy.black.expect("choices"))));
        let again: Review = serde_json::from_str(&serde_json::json!(review).to_string()).expect("own format");
        assert_eq!(again.games.len(), 1);
    }
}
