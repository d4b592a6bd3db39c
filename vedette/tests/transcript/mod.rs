//! Conversations with an engine, written down and played back: the language ([`script`]), its patterns
//! ([`pattern`]), what every engine's output must obey whatever the case ([`rules`]), and the one who talks
//! ([`player`]).

pub mod pattern;
pub mod player;
pub mod process;
pub mod rules;
pub mod script;
