//! Measures of many revisions, as a table and as a picture.

use std::fmt::Write;

use report::{Chart, Panel, Scale, Series, SeriesStyle, figure, svg_file};

use super::{CommitTitle, Examined};
use crate::catalogue::FindingId;
use crate::finding::{Effect, Verdict};

/// The effects of findings over revisions, the oldest first.
pub struct RevisionHistory {
    pub findings: Vec<FindingId>,
    pub rows: Vec<HistoryRow>,
}

/// A revision.
pub struct HistoryRow {
    pub title: CommitTitle,
    pub examined: Examined,
}

const WIDTH: f64 = 760.0;
const PANEL_HEIGHT: f64 = 190.0;
const TOP: f64 = 40.0;

/// Revisions with a label below the picture, at most.
const MAX_LABELS: usize = 12;

/// Columns of the name of a commit's subject.
const MAX_SUBJECT: usize = 40;

impl HistoryRow {
    fn effect(&self, id: FindingId) -> Option<(&Effect, Verdict)> {
        let finding = self.examined.findings.iter().find(|finding| finding.is(id))?;
        (finding.verdict != Verdict::Skipped).then(|| Some((finding.effect.as_ref()?, finding.verdict)))?
    }
}

impl RevisionHistory {
    /// The numbers; `!` marks a failure, `?` a warning.
    pub fn table(&self) -> String {
        let width = |id: FindingId| id.name().len().max(12);
        let mut text = format!("{:<11}{:<12}", "revision", "date");
        for &id in &self.findings {
            let _ = write!(text, "{:>1$}  ", id.name(), width(id));
        }
        text.push_str("subject\n");
        for row in &self.rows {
            let CommitTitle { short, date, subject, .. } = &row.title;
            let _ = write!(text, "{short:<11}{date:<12}");
            for &id in &self.findings {
                let cell = row.effect(id).map_or("-".to_owned(), |(effect, verdict)| {
                    let mark = match verdict {
                        Verdict::Fail => "!",
                        Verdict::Warning => "?",
                        _ => "",
                    };
                    format!("{}{mark}", number(effect.value))
                });
                let _ = write!(text, "{cell:>0$}  ", width(id));
            }
            let subject: String = subject.chars().take(MAX_SUBJECT).collect();
            let reason = row.examined.not_built.as_ref().map(|reason| format!(" (not built: {reason})"));
            let _ = writeln!(text, "{subject}{}", reason.unwrap_or_default());
        }
        for &id in &self.findings {
            let (name, unit) = id.spec().effect;
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            let _ = writeln!(text, "{}: {name}{unit}", id.name());
        }
        text
    }

    /// One chart for each finding, above each other, as the content of an SVG file.
    pub fn svg(&self) -> String {
        let step = self.rows.len().div_ceil(MAX_LABELS).max(1);
        let ticks: Vec<(f64, String)> = self
            .rows
            .iter()
            .enumerate()
            .step_by(step)
            .map(|(x, row)| (x as f64, row.title.short.clone()))
            .collect();
        let panel = |(index, &id): (usize, &FindingId)| {
            let points: Vec<(f64, f64)> = (self.rows.iter().enumerate())
                .filter_map(|(x, row)| Some((x as f64, row.effect(id)?.0.value)))
                .collect();
            // Speeds and tree sizes that differ by factors.
            let (low, high) = points
                .iter()
                .fold((f64::MAX, 0.0_f64), |(low, high), point| (low.min(point.1), high.max(point.1)));
            let scale = if low > 0.0 && high > 10.0 * low { Scale::Logarithmic } else { Scale::Linear };
            let (name, unit) = id.spec().effect;
            let content = Chart::new(id.name())
                .y_label(if unit.is_empty() { name.to_owned() } else { unit.to_owned() })
                .size(WIDTH, PANEL_HEIGHT)
                .scale(scale)
                .x_range(-0.5, self.rows.len() as f64 - 0.5)
                .x_ticks(ticks.clone())
                .series(Series::new(SeriesStyle::LineAndDots, "", points))
                .svg();
            Panel {
                x: 0.0,
                y: TOP + index as f64 * PANEL_HEIGHT,
                width: WIDTH,
                height: PANEL_HEIGHT,
                content,
            }
        };
        let panels: Vec<Panel> = self.findings.iter().enumerate().map(panel).collect();
        let height = TOP + self.findings.len() as f64 * PANEL_HEIGHT;
        svg_file(&figure("Revisions", (WIDTH, height), &panels))
    }

    /// The same numbers for programs.
    pub fn json(&self) -> serde_json::Value {
        let row = |row: &HistoryRow| {
            let values: serde_json::Map<String, serde_json::Value> = (self.findings.iter())
                .filter_map(|&id| Some((id.name().to_owned(), row.effect(id)?.0.value.into())))
                .collect();
            serde_json::json!({
                "commit": row.title.commit,
                "date": row.title.date,
                "subject": row.title.subject,
                "not_built": row.examined.not_built,
                "effects": values,
            })
        };
        serde_json::json!({ "schema": "vedette-history/1", "revisions": self.rows.iter().map(row).collect::<Vec<_>>() })
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}
