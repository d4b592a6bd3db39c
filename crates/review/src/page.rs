//! A review as one self-contained HTML page: graphs, move lists, and mistakes to retry.

use chess::{Color, File, Position, Rank, Role, Square};
use maud::{Markup, html};

use super::game::counted;
use super::{Broken, ErrorCounts, GameReview, MoveReview, Retry, Review, graph};

const STYLE: &str = ":root{--inaccuracy:#7a5c00;--mistake:#a34a00;--blunder:#b3261e}\
@media(prefers-color-scheme:dark){:root{--inaccuracy:#e0c25a;--mistake:#eda35d;--blunder:#f2938a}}\
table{margin:1rem 0}td,th{padding:.15rem clamp(.3rem,2vw,.8rem);text-align:right}\
td:first-child,th:first-child{text-align:left}\
@media(max-width:30rem){th{font-size:.8em}}.moves{line-height:1.9}.moves b{font-weight:600}\
.inaccuracy{color:var(--inaccuracy)}.mistake{color:var(--mistake)}.blunder{color:var(--blunder)}\
.retry{display:inline-block;width:15rem;vertical-align:top;margin:0 1rem 1rem 0}\
.line{font-size:.9em;opacity:.85}.why{display:block;margin:.2rem 0 .4rem 1rem}";

/// Plies shown of a better line.
const MAX_PLIES: usize = 10;

pub fn page(review: &Review) -> String {
    let body = html! {
        h1 { "Game review" }
        p { (review.engine) ", " (review.limits) " per position. " (counted(review.games.len(), "game", "games")) "." }
        @for game in &review.games { (game_section(game)) }
        @if !review.broken.is_empty() {
            h2 { "Not read" }
            ul { @for fault in &review.broken { (broken_item(fault)) } }
        }
    };
    report::page("Game review", STYLE, &body).into_string()
}

fn broken_item(fault: &Broken) -> Markup {
    let skipped = if fault.skipped { " (game skipped)" } else { "" };
    html! { li { "line " (fault.line) ", game " (fault.game) ": " (fault.what) (skipped) } }
}

fn game_section(game: &GameReview) -> Markup {
    let sides = [
        ("White", game.accuracy.white, game.errors.white),
        ("Black", game.accuracy.black, game.errors.black),
    ];
    html! {
        section {
            h2 { (game.tag("White")) " – " (game.tag("Black")) " " (game.result) }
            p { (game.tag("Event")) ", " (game.tag("Date")) }
            @if let Some(opening) = game.opening() { p { (opening) } }
            (graph(game))
            table {
                tr { th {} th { "accuracy" } th { "inaccuracies" } th { "mistakes" } th { "blunders" } }
                @for (side, accuracy, ErrorCounts { inaccuracies, mistakes, blunders }) in sides {
                    tr {
                        td { (side) }
                        td { (accuracy.map_or_else(|| "–".to_owned(), |value| format!("{value:.1} %"))) }
                        td { (inaccuracies) } td { (mistakes) } td { (blunders) }
                    }
                }
            }
            p.moves {
                @for (index, mv) in game.moves.iter().enumerate() { (move_text(mv, index == 0)) }
                (game.result)
            }
            @if !game.retry.is_empty() {
                h3 { "Mistakes to retry" }
                @for retry in &game.retry { (retry_text(retry, game.comment(retry.ply))) }
            }
        }
    }
}

fn move_text(mv: &MoveReview, first: bool) -> Markup {
    let number = match (mv.white, first) {
        (true, _) => format!("{}. ", mv.number),
        (false, true) => format!("{}... ", mv.number),
        (false, false) => String::new(),
    };
    let score = mv.score.map_or_else(|| "game over".to_owned(), |score| score.to_string());
    let better = mv.line.iter().take(MAX_PLIES).map(String::as_str).collect::<Vec<_>>().join(" ");
    html! {
        (number)
        b class=(mv.judgement.name()) title=(score) { (mv.san) (mv.judgement.symbol()) } " "
        @if mv.judgement.is_error() { span.line { "(" (score) "; better " (better) ")" } " " }
        @if let Some(explanation) = &mv.explanation { span.why { (explanation.comment()) } " " }
    }
}

fn retry_text(retry: &Retry, why: Option<String>) -> Markup {
    let side = if retry.white { "White" } else { "Black" };
    html! {
        div.retry {
            @if let Ok(position) = Position::from_fen(&retry.fen) { (board(&position)) }
            p { (side) " to move. " (retry.played) " was a " (retry.judgement.name()) "." }
            details {
                summary { "Show solution" }
                p { b { (retry.best) } " " span.line { (retry.line.join(" ")) } }
                @if let Some(why) = why { p { (why) } }
            }
        }
    }
}

/// The board from the point of view of the side to move, as a picture.
pub fn board(position: &Position) -> Markup {
    let flipped = position.turn() == Color::Black;
    let squares = (0..8u8).flat_map(|rank| (0..8u8).map(move |file| (file, rank)));
    html! {
        svg viewBox="0 0 8 8" width="240" role="img" aria-label=(position.to_fen()) font-size="0.85" text-anchor="middle" {
            @for (file, rank) in squares {
                @let (x, y) = if flipped { (7 - file, rank) } else { (file, 7 - rank) };
                rect x=(x) y=(y) width="1" height="1" fill=(if (file + rank) % 2 == 0 { "#b58863" } else { "#f0d9b5" }) {}
                @if let Some(piece) = position.piece_at(Square::new(File::ALL[usize::from(file)], Rank::ALL[usize::from(rank)])) {
                    @let (fill, edge) = if piece.color() == Color::White { ("#fff", "#222") } else { ("#111", "#eee") };
                    text x=(f64::from(x) + 0.5) y=(f64::from(y) + 0.82) fill=(fill) stroke=(edge) stroke-width="0.02" {
                        (symbol(piece.role())) "\u{fe0e}"
                    }
                }
            }
        }
    }
}

fn symbol(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PositionAnalysis, SCHEMA, read};
    use uci::Score;

    #[test]
    fn page_escapes_content() {
        let (games, _) = read("[White \"<script>x</script>\"]\n1. f3 e5 2. g4 *");
        let analysis = |worth| PositionAnalysis {
            score: Some(worth),
            line: vec!["e2e4".into()],
            depth: 9,
            nodes: 1,
            explanation: None,
        };
        let analyses = [Score::Centipawns(30), Score::Centipawns(0), Score::Centipawns(0), Score::Mate(-1)]
            .map(analysis);
        let review = Review {
            schema: SCHEMA.to_owned(),
            engine: "Vedette".to_owned(),
            limits: "depth 9".to_owned(),
            games: vec![GameReview::new(&games[0], &analyses)],
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
