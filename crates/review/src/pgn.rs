//! A reviewed game as annotated PGN: scores, NAGs and better lines are added to what the file had.

use std::fmt::Write as _;

use record::pgn::{PgnGame, PgnMove, PgnVariation};

use super::{GameReview, MoveReview, SourceGame};
use uci::Score;

/// Plies written of a better line.
const LINE_LENGTH: usize = 12;

/// The annotated game. Comments, NAGs and variations of the file are kept.
pub fn annotate(subject: &SourceGame, review: &GameReview, annotator: &str) -> PgnGame {
    let mut game = subject.pgn.clone();
    game.set_tag("Annotator", annotator);
    game.set_tag("PlyCount", subject.moves.len().to_string());
    let accuracy = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    let summary = format!(
        "Accuracy: White {}, Black {}.",
        accuracy(review.accuracy.white),
        accuracy(review.accuracy.black)
    );
    add(&mut game.comment, &summary);
    for (written, reviewed) in game.moves.iter_mut().zip(&review.moves) {
        annotate_move(written, reviewed);
    }
    game
}

fn annotate_move(written: &mut PgnMove, reviewed: &MoveReview) {
    // Canonical SAN, whatever the file had.
    written.san.clone_from(&reviewed.san);
    let mut text = reviewed.score.map_or(String::new(), eval);
    if let Some(glyph) = reviewed.judgement.glyph() {
        if !written.glyphs.contains(&glyph) {
            written.glyphs.push(glyph);
        }
        let name = reviewed.judgement.name();
        let better = reviewed.best.as_deref().map_or(String::new(), |best| format!(" {best} was best."));
        let (first, rest) = name.split_at(1);
        let _ = write!(text, " {}{rest}.{better}", first.to_uppercase());
        if let Some(explanation) = &reviewed.explanation {
            let _ = write!(text, " {}", explanation.comment());
        }
        let moves = reviewed.line.iter().take(LINE_LENGTH);
        let moves = moves.map(|san| PgnMove { san: san.clone(), ..PgnMove::default() }).collect();
        written.variations.push(PgnVariation { comment: String::new(), moves });
    }
    add(&mut written.comment, text.trim());
}

/// `[%eval 0.31]`, `[%eval #-3]`: what GUIs and lichess read.
fn eval(score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("[%eval {:.2}]", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("[%eval #{moves}]"),
    }
}

fn add(comment: &mut String, text: &str) {
    if !comment.is_empty() && !text.is_empty() {
        comment.push(' ');
    }
    comment.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PositionAnalysis, read};
    use record::pgn::PgnReader;

    #[test]
    fn existing_annotations_are_kept() {
        let (games, _) = read("[White \"A\"]\n{first} 1. f2f3 {hm} (1. e4 e5) e5 $1 2. g4 *");
        let analysis = |score, line: &[&str]| PositionAnalysis {
            score: Some(score),
            line: line.iter().map(|&mv| mv.to_owned()).collect(),
            depth: 9,
            nodes: 1,
            explanation: None,
        };
        let analyses = [
            analysis(Score::Centipawns(30), &["e2e4"]),
            analysis(Score::Centipawns(25), &["e7e5"]),
            analysis(Score::Centipawns(20), &["e2e4", "b8c6", "d1h5"]),
            analysis(Score::Mate(-1), &["d8h4"]),
        ];
        let review = GameReview::new(&games[0], &analyses);
        let text = annotate(&games[0], &review, "Vedette").to_string();
        let game = PgnReader::new(&text).next().expect("a game");
        let white = review.accuracy.white.expect("White had choices");
        assert_eq!(game.comment, format!("first Accuracy: White {white:.1}, Black 100.0."));
        let first = &game.moves[0];
        assert_eq!((first.san.as_str(), first.comment.as_str()), ("f3", "hm [%eval 0.25]"));
        assert_eq!(first.variations[0].moves.len(), 2);
        let blunder = &game.moves[2];
        assert_eq!((&blunder.glyphs[..], blunder.variations[0].moves[0].san.as_str()), (&[4][..], "e4"));
        assert_eq!(blunder.comment, "[%eval #-1] Blunder. e4 was best.");
        let (again, broken) = read(&text);
        assert!(broken.is_empty() && again[0].moves == games[0].moves, "{text}");
    }
}
