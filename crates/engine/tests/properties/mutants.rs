//! Every named bug makes the property fail that is there to find it.

use crate::common::Property;
use crate::{draws, evaluation, limits, lines, mates, moves, table, tree};
use engine::{Mutant, mutants};

/// Which property has to find which bug.
const KILLERS: &[(Mutant, Property)] = {
    use Mutant as M;
    &[
        (M::ReSearchEverywhere, tree::statistics_are_healthy),
        (M::BoundIgnored, table::table_cutoffs_are_sound),
        (M::ExactStoredAsUpper, table::table_holds_what_was_found),
        (M::UpperStoredAsLower, table::table_holds_what_was_found),
        (M::MateScoreNotShifted, mates::mates_are_played_out),
        (M::BlackTablesFlipped, evaluation::evaluation_is_symmetric),
        (M::TablesUpsideDown, evaluation::tables_are_upright),
        (M::BlackSignFlipped, evaluation::a_knight_counts_for_its_owner),
        (M::CutoffOnlyAboveBeta, tree::statistics_are_healthy),
        (M::StalemateIsMate, mates::mate_is_distinguished_from_stalemate),
        (M::StandPatInCheck, mates::checks_are_answered_at_the_horizon),
        (M::NullMoveInZugzwang, draws::zugzwang_is_seen),
        (M::RepetitionIgnored, draws::perpetual_check_is_seen),
        (M::FiftyMovesIgnored, draws::fifty_moves_are_a_draw),
        (M::RootFullWindow, tree::root_moves_get_a_zero_window),
        (M::NodesAtRootOnly, tree::nodes_are_counted),
        (M::ClockTenth, limits::the_clock_is_used),
        (M::HashMoveUnchecked, table::hash_moves_are_checked),
        (M::StaleHash, table::new_game_forgets),
        (M::OverReduction, tree::trees_have_their_size),
        (M::ReverseFutilityEverywhere, tree::trees_have_their_size),
        (M::WorstMoveFirst, tree::good_moves_come_early),
        (M::FirstMoveAtDepthOne, moves::one_iteration_is_enough),
        (M::NoQuiescence, moves::captures_are_followed),
        (M::DrawMissedAtHorizon, draws::draws_are_seen_at_the_leaves),
        (M::MovesFromA1Rejected, evaluation::search_is_symmetric),
        (M::ScoreFromWhite, limits::scores_are_the_movers),
        (M::SearchMovesIgnored, limits::only_wanted_moves_are_searched),
        (M::NodeLimitIgnored, limits::node_limits_are_obeyed),
        (M::IncrementIgnored, limits::increments_are_counted_on),
        (M::ClockOverrun, limits::the_flag_is_never_reached),
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
        // A bug may also show itself as a panic.
        if matches!(std::panic::catch_unwind(property), Ok(Ok(()))) {
            survivors.push(mutant.name());
        }
        mutants::activate(None);
    }
    assert!(survivors.is_empty(), "not found: {survivors:?}");
}
