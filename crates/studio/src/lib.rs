//! The local web app: HTTP and a WebSocket over the same engine and laboratory that the command line uses.
//!
//! [`Server`] listens, checks who asks ([`access`]) and hands pages to [`Studio`], which answers requests
//! ([`protocol`]) and tells what happens. What should last is in plain files ([`store`]).

pub mod access;
mod analysis;
pub mod claim;
mod connection;
mod doctor;
mod explain;
pub mod hub;
mod job;
mod matches;
mod microscope;
pub mod page;
mod play;
pub mod protocol;
mod recordings;
mod review;
mod run;
mod server;
pub mod store;
mod strength;
mod studio;

pub use matches::NamedEngine;
pub use run::{Place, RunError, run};
pub use server::{Server, Stop};
pub use studio::{Setup, Studio};
