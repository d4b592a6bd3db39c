//! SVG charts, HTML pages and Markdown for everything that writes a report.
//!
//! - [`Chart`]: lines, areas, bars and dots on linear or logarithmic axes.
//! - [`figure`]: several charts in one picture; [`stacked_bar`] and [`board_heatmap`] for what is not a chart.
//! - [`page`]: a self-contained HTML page, light and dark; [`markdown`]: Markdown as HTML.
//!
//! All of it is [`maud`] markup, so text is escaped once and in one place; crates that write HTML use its `html!`. [`svg_file`]
//! makes a picture a file of its own.
//!
//! ```
//! use report::{Chart, Series};
//!
//! let loss = Series::line("training", vec![(0.0, 0.12), (1.0, 0.08), (2.0, 0.07)]);
//! let svg = Chart::new("Loss").x_label("epoch").series(loss).svg().into_string();
//! assert!(svg.starts_with("<svg") && svg.contains("polyline"));
//! ```

mod axis;
mod chart;
mod figure;
mod page;

pub use chart::{Chart, Mark, Scale, Series, SeriesStyle};
pub use figure::{Panel, board_heatmap, figure, stacked_bar, svg_file};
pub use page::{markdown, page};

/// Distinguishable colours, also with red-green colour blindness (Okabe and Ito).
pub const PALETTE: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#777777"];
