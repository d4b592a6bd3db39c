//! What opening names and tablebases know about a position.

use std::cmp::Reverse;

use record::eco::opening_of;
use tables::{TableWdl, Tablebases};

use crate::error::RequestError;
use crate::protocol::{
    OpeningName, PositionFacts, PositionSpec, TablebaseMove, TablebaseResult, TablebaseVerdict,
};

impl From<TableWdl> for TablebaseResult {
    fn from(wdl: TableWdl) -> TablebaseResult {
        match wdl {
            TableWdl::Loss => TablebaseResult::Loss,
            TableWdl::BlessedLoss => TablebaseResult::BlessedLoss,
            TableWdl::Draw => TablebaseResult::Draw,
            TableWdl::CursedWin => TablebaseResult::CursedWin,
            TableWdl::Win => TablebaseResult::Win,
        }
    }
}

pub fn facts(spec: &PositionSpec, tables: Option<&Tablebases>) -> Result<PositionFacts, RequestError> {
    let game = spec.game()?;
    let opening = opening_of(game.start(), game.moves());
    let mut ranking = tables.and_then(|tables| tables.rank_root_moves(&game, true));
    if let Some(ranking) = &mut ranking {
        // The quickest win and the slowest loss first, also where the tables find moves equally good.
        ranking.moves.sort_by_key(|ranked| {
            (Reverse(ranked.wdl), Reverse(ranked.rank), ranked.dtz.map_or(0, |dtz| dtz.plies))
        });
    }
    let tablebase = ranking.and_then(|ranking| {
        let best = ranking.moves.first()?;
        let moves = ranking.moves.iter().map(|ranked| TablebaseMove {
            mv: ranked.mv.uci(true).to_string(),
            san: game.position().san(ranked.mv).to_string(),
            result: ranked.wdl.into(),
            dtz: ranked.dtz.map(|dtz| dtz.plies.unsigned_abs()),
        });
        Some(TablebaseVerdict { result: best.wdl.into(), moves: moves.collect() })
    });
    Ok(PositionFacts {
        opening: opening
            .map(|(opening, _)| OpeningName { eco: opening.eco.to_owned(), name: opening.name.to_owned() }),
        tablebase,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn spec(start: &str, moves: &[&str]) -> PositionSpec {
        PositionSpec { start: start.to_owned(), moves: moves.iter().map(|&mv| mv.to_owned()).collect() }
    }

    #[test]
    fn openings_have_code_and_name() {
        let start = Position::startpos().to_fen();
        let known = facts(&spec(&start, &["e2e4", "c7c5", "a2a3", "h7h5", "h2h4"]), None).expect("legal");
        let opening = known.opening.expect("known");
        assert_eq!(
            (opening.eco.as_str(), opening.name.as_str()),
            ("B20", "Sicilian Defense: Mengarini Variation")
        );
        assert_eq!(known.tablebase, None);
        assert_eq!(facts(&spec(&start, &[]), None).expect("legal").opening, None);
    }

    #[test]
    fn moves_are_ranked_by_tables() {
        let Some(folder) = tables::testing::folder() else { return };
        let tables = Tablebases::open(&[folder]).expect("tables").tables;
        let facts = facts(&spec("8/8/8/4k3/8/8/8/1Q2K3 w - - 0 1", &[]), Some(&tables)).expect("legal");
        let verdict = facts.tablebase.expect("in the tables");
        assert_eq!(verdict.result, TablebaseResult::Win);
        assert!(verdict.moves.len() > 15 && verdict.moves[0].dtz.is_some_and(|dtz| dtz > 0));
        let wins: Vec<Option<u32>> = verdict
            .moves
            .iter()
            .map_while(|mv| (mv.result == TablebaseResult::Win).then_some(mv.dtz))
            .collect();
        assert!(wins.is_sorted() && wins.len() > 10, "the quickest first: {wins:?}");
        assert!(verdict.moves[wins.len()..].iter().all(|mv| mv.result != TablebaseResult::Win));
    }
}
