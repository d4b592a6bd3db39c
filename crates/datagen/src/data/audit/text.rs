//! An audit as text.

use std::fmt;

use chess::Color;

use super::Audit;

/// Damaged sections listed one by one.
const NAMED: usize = 10;

impl fmt::Display for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions.max(1) as f64;
        let records = self.records().max(1) as f64;
        let percent = |count: u64, all: f64| format!("{:.1} %", 100.0 * count as f64 / all);
        let [losses, draws, wins] = self.results;
        self.write_counts(f)?;
        writeln!(
            f,
            "results      White wins {}, draws {}, Black wins {}; White scores {:.1} %",
            percent(wins, records),
            percent(draws, records),
            percent(losses, records),
            100.0 * self.white_share()
        )?;
        self.write_duplicates(f)?;
        self.write_scores(f)?;
        writeln!(
            f,
            "kinds        in check {}, best move noisy {}, decided {}",
            percent(self.checks, positions),
            percent(self.noisy, positions),
            percent(self.beyond, positions)
        )?;
        self.write_coverage(f)?;
        if !self.damage.is_empty() {
            writeln!(f, "damage")?;
            for (path, damage) in self.damage.iter().take(NAMED) {
                let (offset, bytes, fault) = (damage.offset, damage.bytes, &damage.fault);
                writeln!(f, "  {} at byte {offset}: {fault} ({bytes} bytes skipped)", path.display())?;
            }
            if self.damage.len() > NAMED {
                writeln!(f, "  and {} more", self.damage.len() - NAMED)?;
            }
        }
        let findings = self.findings();
        if findings.is_empty() {
            return writeln!(f, "no anomalies");
        }
        writeln!(f, "suspicious")?;
        findings.iter().try_for_each(|finding| writeln!(f, "  {finding}"))
    }
}

impl Audit {
    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_games = self.positions - self.single_positions;
        let kept = 100.0 * self.kept as f64 / self.positions.max(1) as f64;
        let kept = format!("the filter keeps {} ({kept:.1} %)", self.kept);
        if self.records() == self.single_positions && self.single_positions > 0 {
            return writeln!(
                f,
                "positions    {} without moves, {} bytes; {kept}",
                self.positions, self.bytes
            );
        }
        writeln!(
            f,
            "games        {} ({} of Chess960), {} bytes",
            self.games, self.chess960_games, self.bytes
        )?;
        write!(
            f,
            "positions    {} ({:.1} per game, longest game {})",
            in_games,
            in_games as f64 / self.games.max(1) as f64,
            self.longest
        )?;
        if self.single_positions > 0 {
            write!(f, " and {} without moves", self.single_positions)?;
        }
        writeln!(f, "; {kept}")
    }

    fn write_duplicates(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |distinct: &super::Distinct| {
            let prefix = if distinct.is_sample() { "about " } else { "" };
            format!("{prefix}{:.2} %", 100.0 * distinct.duplicate_share())
        };
        write!(f, "duplicates   ")?;
        if self.games > 0 {
            let (games, starts) = (share(&self.distinct_games), share(&self.distinct_starts));
            write!(f, "games {games}, start positions {starts}, ")?;
        }
        writeln!(
            f,
            "positions {} (the most frequent {} times)",
            share(&self.distinct_positions),
            self.distinct_positions.most_common()
        )
    }

    fn write_scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(fit) = self.calibration(None) {
            let (scale, shift) = (fit.scale(), fit.shift());
            let error = fit.intercept_error / fit.slope.abs();
            writeln!(
                f,
                "calibration  points = 1 / (1 + exp(-(score {shift:+.1}) / {scale:.0})), shift ± {error:.1} \
                 centipawns, from {} positions",
                fit.count
            )?;
        }
        for color in Color::ALL {
            if let Some(fit) = self.calibration(Some(color)) {
                let name = format!("{color} to move");
                writeln!(f, "             {name}: scale {:.0}, shift {:+.1}", fit.scale(), fit.shift())?;
            }
        }
        if let Some(fit) = self.winning_chances() {
            let (even, scale) = (-fit.shift(), fit.scale());
            writeln!(
                f,
                "winning      p(win) = 1 / (1 + exp(({even:.0} - score) / {scale:.0})): 50 % at {even:.0}"
            )?;
        }
        if self.games == 0 {
            return Ok(());
        }
        writeln!(
            f,
            "scores       start position {:+.1} ± {:.1} for White; a position looks {:.1} ± {:.1} better to its \
             side to move than its neighbours",
            self.first_score.mean(),
            self.first_score.error(),
            self.mover_edge.mean(),
            self.mover_edge.error()
        )
    }

    fn write_coverage(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions = self.positions.max(1) as f64;
        let coverage = &self.coverage;
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / positions);
        write!(f, "pieces      ")?;
        // Four piece counts each, like the output buckets of networks.
        for from in (2..=30).step_by(4) {
            let to = (from + 3).min(32);
            write!(f, " {from}-{to}: {}", share(coverage.pieces[from..=to].iter().sum()))?;
        }
        writeln!(f)?;
        writeln!(
            f,
            "material     queens of none {}, one {}, both {}; without pawns {}; unequal material {}",
            share(coverage.queens[0]),
            share(coverage.queens[1]),
            share(coverage.queens[2]),
            share(coverage.pawnless),
            share(coverage.unequal)
        )?;
        writeln!(
            f,
            "kings        {} of 64 squares unused; White's and Black's squares differ by {:.1} %; White to move {}",
            coverage.unseen_king_squares(),
            100.0 * coverage.king_asymmetry(),
            share(coverage.white_to_move)
        )
    }
}
