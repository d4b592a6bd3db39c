//! UCI transcripts as tests: the syntax ([`script`]), patterns for output lines ([`pattern`]), rules for all output
//! ([`rules`]), and the runner ([`player`]).

pub mod pattern;
pub mod player;
pub mod process;
pub mod rules;
pub mod script;
