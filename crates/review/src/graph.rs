//! White's winning chances over a game as a chart.

use maud::Markup;
use report::{Chart, Mark, Series, SeriesStyle};

use super::{GameReview, Judgement};

const WHITE: &str = "#f0ece2";
const BLACK: &str = "#4a4a4a";

/// White's part light, Black's part dark, a dot at every error.
pub fn graph(review: &GameReview) -> Markup {
    let chances = std::iter::once(review.chance).chain(review.moves.iter().map(|mv| mv.chance));
    let points: Vec<(f64, f64)> = chances.enumerate().map(|(ply, chance)| (ply as f64, chance)).collect();
    let tenth_moves = review.moves.iter().filter(|mv| mv.white && mv.number % 10 == 0);
    let percent = |value: f64| (value, format!("{value:.0} %"));
    let mut chart = Chart::new("White's winning chances")
        .size(900.0, 220.0)
        .x_range(0.0, review.moves.len().max(1) as f64)
        .y_range(0.0, 100.0)
        .x_ticks(tenth_moves.map(|mv| (mv.ply as f64, mv.number.to_string())).collect())
        .y_ticks([0.0, 50.0, 100.0].map(percent).to_vec())
        .background(BLACK)
        .rule(50.0)
        .series(Series::new(SeriesStyle::Area, "", points).color(WHITE));
    for mv in review.moves.iter().filter(|mv| mv.judgement.is_error()) {
        let color = match mv.judgement {
            Judgement::Blunder => "#c62828",
            Judgement::Mistake => "#ef6c00",
            _ => "#f9a825",
        };
        let dots = if mv.white { "." } else { "..." };
        let tooltip = format!("{}{dots} {}{}", mv.number, mv.san, mv.judgement.symbol());
        chart = chart.mark(Mark { x: mv.ply as f64, y: mv.chance, color: color.to_owned(), tooltip });
    }
    chart.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PositionAnalysis, read};
    use uci::Score;

    #[test]
    fn errors_are_marked_where_they_happened() {
        let (games, _) = read("1. e4 e5 2. Nf3 f6 *");
        let analysis = |cp| PositionAnalysis {
            score: Some(Score::Centipawns(cp)),
            line: vec!["a2a3".into()],
            depth: 9,
            nodes: 1,
            explanation: None,
        };
        let analyses = [0, 0, 0, 0, 2000].map(analysis);
        let picture = graph(&GameReview::new(&games[0], &analyses)).into_string();
        let points = picture.split("<polyline points=\"").nth(1).expect("a curve");
        let heights: Vec<f64> = points
            .split('"')
            .next()
            .expect("points")
            .split_whitespace()
            .map(|point| point.split_once(',').expect("two numbers").1.parse().expect("a number"))
            .collect();
        assert_eq!(heights.len(), 5);
        assert!(heights[4] < heights[3] && (heights[0] - heights[3]).abs() < 0.1, "{heights:?}");
        assert_eq!(picture.matches("<circle").count(), 1);
        assert!(picture.contains("#c62828") && picture.contains("<title>2... f6??</title>"), "{picture}");
    }
}
