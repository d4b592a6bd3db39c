//! What a match prints and writes: reports, games, fault reports, the live view.

mod fault_report;
mod live;
mod pgn;
mod recorder;
mod report;

pub use live::live_lines;
pub use pgn::{clock_text, epd_of, pgn_of, pgn_today};
pub use recorder::MatchRecorder;
pub use report::{MatchReport, ReportStyle, SprtState};
