// The engine's search parameters (crates/engine) that the device search reads, by name. A launch has an array of their values
// in this order for each player; src/abi builds it from the engine's table.
#pragma once

#define SEARCH_PARAMETERS(PARAMETER) \
    PARAMETER(aspiration_delta) \
    PARAMETER(reverse_futility_margin) \
    PARAMETER(reverse_futility_improving) \
    PARAMETER(null_move_base) \
    PARAMETER(null_move_depth) \
    PARAMETER(reduction_quiet_base) \
    PARAMETER(reduction_quiet_factor) \
    PARAMETER(reduction_cut_node) \
    PARAMETER(reduction_pv) \
    PARAMETER(reduction_not_improving) \
    PARAMETER(reduction_check) \
    PARAMETER(reduction_quiet_history) \
    PARAMETER(futility_base) \
    PARAMETER(futility_margin) \
    PARAMETER(late_move_base) \
    PARAMETER(quiescence_futility) \
    PARAMETER(quiescence_exchange) \
    PARAMETER(history_bonus_factor) \
    PARAMETER(history_bonus_offset) \
    PARAMETER(history_bonus_max) \
    PARAMETER(history_malus_factor) \
    PARAMETER(history_malus_offset) \
    PARAMETER(history_malus_max) \
    PARAMETER(correction_pawn) \
    PARAMETER(correction_non_pawn)

#define PARAMETER_INDEX(name) PARAMETER_##name,
enum ParameterIndex { SEARCH_PARAMETERS(PARAMETER_INDEX) PARAMETER_COUNT };
#undef PARAMETER_INDEX
