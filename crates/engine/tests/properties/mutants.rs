//! Every named bug fails its property.

use crate::common::Property;
use crate::{draws, evaluation, limits, lines, mates, moves, table, tree};
use engine::{Mutant, mutants};

/// The property that must fail for each bug.
const KILLERS: &[(Mutant, Property)] = {
    use Mutant as M;
    &[
        (M::ReSearchEverywhere, tree::statistics_are_healthy),
        (M::BoundIgnored, table::table_cutoffs_are_sound),
        (M::ExactStoredAsUpper, table::stored_bounds_are_supported),
        (M::UpperStoredAsLower, table::stored_bounds_are_supported),
        (M::MateScoreNotShifted, table::mates_are_stored_relative_to_their_node),
        (M::BlackTablesFlipped, evaluation::evaluation_is_symmetric),
        (M::TablesUpsideDown, evaluation::tables_are_oriented),
        (M::BlackSignFlipped, evaluation::extra_knight_favours_its_side),
        (M::CutoffOnlyAboveBeta, tree::statistics_are_healthy),
        (M::StalemateIsMate, mates::mate_is_distinguished_from_stalemate),
        (M::StandPatInCheck, mates::evasions_are_searched_at_horizon),
        (M::NullMoveInZugzwang, draws::zugzwang_is_found),
        (M::RepetitionIgnored, draws::perpetual_check_is_found),
        (M::FiftyMovesIgnored, draws::fifty_moves_is_draw),
        (M::RootFullWindow, tree::root_moves_get_zero_window),
        (M::NodesAtRootOnly, tree::nodes_are_counted),
        (M::ClockTenth, limits::clock_is_used),
        (M::HashMoveUnchecked, table::hash_moves_are_checked),
        (M::StaleHash, table::new_game_clears_state),
        (M::OverReduction, tree::trees_have_their_size),
        (M::ReverseFutilityEverywhere, tree::trees_have_their_size),
        (M::WorstMoveFirst, tree::good_moves_come_early),
        (M::FirstMoveAtDepthOne, moves::one_iteration_is_enough),
        (M::NoQuiescence, moves::captures_are_resolved),
        (M::DrawMissedAtHorizon, draws::draws_are_detected_at_leaves),
        (M::MovesFromA1Rejected, evaluation::search_is_symmetric),
        (M::ScoreFromWhite, limits::scores_are_of_side_to_move),
        (M::SearchMovesIgnored, limits::searchmoves_is_respected),
        (M::NodeLimitIgnored, limits::node_limit_is_respected),
        (M::IncrementIgnored, limits::increment_is_used),
        (M::ClockOverrun, limits::clock_never_runs_out),
    ]
};

#[test]
fn every_mutant_is_found_by_its_property() {
    let subjects =
        [evaluation::ALL, mates::ALL, draws::ALL, table::ALL, tree::ALL, moves::ALL, limits::ALL, lines::ALL];
    for (name, property) in subjects.concat() {
        if let Err(complaint) = property() {
            panic!("{name} fails without any bug: {complaint}");
        }
    }
    let mut survivors = Vec::new();
    for &mutant in Mutant::ALL {
        let Some((_, property)) = KILLERS.iter().find(|(killed, _)| *killed == mutant) else {
            survivors.push(mutant.name());
            continue;
        };
        mutants::activate(Some(mutant));
        // A bug may also cause a panic.
        if matches!(std::panic::catch_unwind(property), Ok(Ok(()))) {
            survivors.push(mutant.name());
        }
        mutants::activate(None);
    }
    assert!(survivors.is_empty(), "not found: {survivors:?}");
}
