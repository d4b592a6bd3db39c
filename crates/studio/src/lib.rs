//! The local web app: HTTP and a WebSocket over the same engine, arena, doctor and review that the command line uses.
//!
//! [`run`] is all that the program needs. Inside, a [`Server`] checks every request (`access`) and hands `WebSocket`s to
//! the [`Studio`], which dispatches the requests of the typed `protocol` to its parts. Everything that lasts is stored in
//! plain files ([`Store`]).

#[cfg(not(panic = "unwind"))]
compile_error!(
    "the studio contains panics to the request that caused them: build it with panic = \"unwind\""
);

mod access;
mod analysis;
mod clients;
mod connection;
mod connections;
mod convert;
mod doctor;
pub mod engines;
mod error;
mod explain;
mod facts;
mod folder_lock;
mod job;
mod library;
mod matches;
mod microscope;
#[cfg(test)]
mod model;
mod newest_lines;
mod other_engines;
mod page;
mod play;
mod private;
mod protocol;
mod reasons;
mod recordings;
mod review;
mod review_totals;
mod run;
mod server;
mod store;
mod strength;
mod studio;
mod sync;

pub use clients::MAX_CLIENTS;
pub use engines::ExternalEngine;
pub use folder_lock::Instance;
pub use page::is_built as has_page;
pub use protocol::MAX_MESSAGE;
pub use run::{ServeError, ServerConfig, run};
pub use server::{Server, Shutdown};
pub use store::Store;
pub use studio::{Studio, StudioConfig};

/// Parses a message as a connection does; for tests with hostile input.
#[doc(hidden)]
pub fn check_message(text: &str) {
    // Whatever it is, it is a request or an error.
    let _ = protocol::ClientMessage::parse(text);
}
