//! A trace as text: the tree down to some level, and the tables of rates.

use std::fmt::Write as _;

use super::{Fate, Node, Purpose, SearchRates, Trace};
use uci::{Bound, Score};

impl Trace {
    /// The tree as text, `levels` levels below the last root; deeper nodes are counted.
    pub fn tree_text(&self, levels: usize) -> String {
        let mut out = String::new();
        let roots = self.roots();
        for &root in &roots {
            // Failed aspiration windows are listed in one line each.
            let levels = if Some(&root) == roots.last() { levels } else { 0 };
            self.write_node(&mut out, root, "", "", levels);
        }
        out
    }

    fn write_node(&self, out: &mut String, id: u32, branch: &str, indent: &str, levels: usize) {
        let Some(node) = self.node(id) else { return };
        let _ = writeln!(out, "{branch}{}", node_line(node));
        if levels == 0 {
            return;
        }
        let mut rest = node.children.as_slice();
        while let Some((&child, after)) = rest.split_first() {
            let pruned = rest.iter().take_while(|&&id| self.is_pruned(id)).count();
            let last = after.is_empty() || pruned == rest.len();
            let (sign, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let (branch, deeper) = (format!("{indent}{sign}"), format!("{indent}{bar}"));
            if pruned > 1 {
                let names: Vec<String> =
                    rest[..pruned].iter().filter_map(|&id| self.pruned_text(id)).collect();
                let _ = writeln!(out, "{branch}not searched: {}", names.join(", "));
                rest = &rest[pruned..];
            } else {
                self.write_node(out, child, &branch, &deeper, levels - 1);
                rest = after;
            }
        }
    }

    fn is_pruned(&self, id: u32) -> bool {
        self.node(id).is_some_and(|node| node.fate == Fate::Pruned)
    }

    fn pruned_text(&self, id: u32) -> Option<String> {
        let node = self.node(id)?;
        Some(format!("{} ({})", node.san.as_deref()?, node.reason?))
    }

    /// The rates of all iterations and of all depths, as tables.
    pub fn rates_text(&self) -> String {
        let mut out = String::new();
        table(&mut out, "iteration", &self.by_iteration);
        out.push('\n');
        table(&mut out, "depth", &self.by_depth);
        out
    }
}

/// One node in one line.
fn node_line(node: &Node) -> String {
    let name = match (&node.san, &node.excluded) {
        (Some(san), _) => format!("{}. {san}", node.number),
        (None, Some(excluded)) => format!("excluding {excluded}"),
        (None, None) => match node.purpose {
            Purpose::NullMove => "null move".to_owned(),
            _ => "same position".to_owned(),
        },
    };
    let name = if node.purpose == Purpose::Root { String::new() } else { format!("{name}  ") };
    if node.fate == Fate::Pruned {
        return format!("{name}{}", node.verdict);
    }
    let mut text = format!("{name}{}", node.purpose.name());
    if node.quiescence {
        text.push_str(", quiescence");
    } else {
        let _ = write!(text, ", depth {}", short(node.depth));
    }
    if node.extension != 0.0 {
        let _ = write!(
            text,
            " ({:+} for being {})",
            node.extension,
            if node.extension > 0.0 { "singular" } else { "one of several" }
        );
    }
    let end = |end: Option<Score>, open: &str| end.map_or_else(|| open.to_owned(), |worth| worth.to_string());
    let _ = write!(text, "  ({}, {})", end(node.alpha, "-∞"), end(node.beta, "∞"));
    if let Some(score) = node.score {
        let sign = match node.bound {
            Bound::Exact => "=",
            Bound::Lower => "≥",
            Bound::Upper => "≤",
        };
        let _ = write!(text, "  {sign} {score}");
    }
    let _ = write!(text, "  {}", node.verdict);
    if node.nodes > 1 {
        let _ = write!(
            text,
            "  [{} nodes{}]",
            node.nodes,
            if node.hidden > 0 { format!(", {} not stored", node.hidden) } else { String::new() }
        );
    }
    text
}

/// A depth in plies, with a fraction only if it has one.
fn short(depth: f64) -> String {
    if depth.fract() == 0.0 { format!("{depth:.0}") } else { format!("{depth:.1}") }
}

fn table(out: &mut String, title: &str, rows: &[SearchRates]) {
    let _ = writeln!(
        out,
        "{title:>10} {:>10} {:>8} {:>10} {:>11} {:>9} {:>9} {:>11} {:>14} {:>11} {:>15} {:>7}",
        "main",
        "PV",
        "quiescence",
        "zero-window",
        "of PV",
        "re-search",
        "re-search %",
        "PV re-search %",
        "fail high %",
        "LMR re-search %",
        "first %"
    );
    for row in rows {
        let _ = writeln!(
            out,
            "{:>10} {:>10} {:>8} {:>10} {:>11} {:>9} {:>9} {:>11.3} {:>14.2} {:>11.2} {:>15.2} {:>7.1}",
            row.depth,
            row.main_nodes,
            row.pv_nodes,
            row.quiescence_nodes,
            row.zero_window_searches,
            row.pv_zero_window_searches,
            row.re_searches,
            row.re_search_rate,
            row.pv_re_search_rate,
            row.fail_high_rate,
            row.lmr_re_search_rate,
            row.first_move_cutoffs
        );
    }
}
