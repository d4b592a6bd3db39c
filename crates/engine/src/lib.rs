//! Thinking: search, move ordering, transposition table, clock, evaluation.

pub mod evaluation;
