//! A game of a person against the engine: the game itself, and the table at which it is played.

pub mod game;
pub mod table;
