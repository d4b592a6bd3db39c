//! White's winning chances over a game, as a picture without any outside part.

use std::fmt::Write as _;

use super::{GameReview, Judgement};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 28.0;
/// Room for the percentages.
const LEFT: f64 = 42.0;

/// The graph as SVG: White's part light, Black's part dark, a dot at every error.
pub fn graph(review: &GameReview) -> String {
    let chances: Vec<f64> =
        std::iter::once(review.chance).chain(review.moves.iter().map(|mv| mv.chance)).collect();
    let step = (WIDTH - LEFT - MARGIN) / (chances.len().max(2) - 1) as f64;
    let x = |ply: usize| LEFT + step * ply as f64;
    let y = |chance: f64| MARGIN + (HEIGHT - 2.0 * MARGIN) * (1.0 - chance / 100.0);
    let (left, right, top, bottom) = (x(0), x(chances.len() - 1), y(100.0), y(0.0));
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="White's winning chances over the game" font-family="sans-serif" font-size="11"><rect x="{left:.1}" y="{top:.1}" width="{:.1}" height="{:.1}" fill="#4a4a4a"/>"##,
        right - left,
        bottom - top
    );
    let mut line = String::new();
    for (ply, &chance) in chances.iter().enumerate() {
        let _ = write!(line, "{:.1},{:.1} ", x(ply), y(chance));
    }
    let _ = write!(
        out,
        r##"<polygon points="{left:.1},{bottom:.1} {line}{right:.1},{bottom:.1}" fill="#f0ece2"/><polyline points="{line}" fill="none" stroke="#b5651d" stroke-width="1.5"/><line x1="{left:.1}" x2="{right:.1}" y1="{0:.1}" y2="{0:.1}" stroke="#b5651d" stroke-opacity="0.4" stroke-dasharray="4 4"/>"##,
        y(50.0)
    );
    for mv in review.moves.iter().filter(|mv| mv.judgement.is_error()) {
        let color = match mv.judgement {
            Judgement::Blunder => "#c62828",
            Judgement::Mistake => "#ef6c00",
            _ => "#f9a825",
        };
        let dots = if mv.white { "." } else { "..." };
        let _ = write!(
            out,
            r#"<circle cx="{:.1}" cy="{:.1}" r="4" fill="{color}" stroke="white"><title>{}{dots} {}{}</title></circle>"#,
            x(mv.ply),
            y(mv.chance),
            mv.number,
            mv.san,
            mv.judgement.sign()
        );
    }
    for (percent, text) in [(100.0, "100 %"), (50.0, "50 %"), (0.0, "0 %")] {
        let _ = write!(out, r##"<text x="2" y="{:.1}" fill="#888">{text}</text>"##, y(percent) + 4.0);
    }
    for mv in review.moves.iter().filter(|mv| mv.white && mv.number % 10 == 0) {
        let _ = write!(
            out,
            r##"<text x="{:.1}" y="{:.1}" text-anchor="middle" fill="#888">{}</text>"##,
            x(mv.ply),
            HEIGHT - 10.0,
            mv.number
        );
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Opinion, read};
    use uci::Score;

    #[test]
    fn white_winning_is_above_and_errors_are_dotted_where_they_happened() {
        let (subjects, _) = read("1. e4 e5 2. Nf3 f6 *");
        let opinion = |cp| Opinion {
            score: Some(Score::Centipawns(cp)),
            line: vec!["a2a3".into()],
            depth: 9,
            nodes: 1,
        };
        let opinions = [0, 0, 0, 0, 2000].map(opinion);
        let picture = graph(&GameReview::new(&subjects[0], &opinions));
        let points = picture.split("<polyline points=\"").nth(1).expect("a curve");
        let heights: Vec<f64> = points
            .split('"')
            .next()
            .expect("points")
            .split_whitespace()
            .map(|point| point.split_once(',').expect("two numbers").1.parse().expect("a number"))
            .collect();
        assert_eq!(heights.len(), 5);
        assert!(heights[4] < heights[3] && (heights[0] - HEIGHT / 2.0).abs() < 0.1, "{heights:?}");
        assert_eq!(picture.matches("<circle").count(), 1);
        assert!(picture.contains("#c62828") && picture.contains("<title>2... f6??</title>"), "{picture}");
    }
}
