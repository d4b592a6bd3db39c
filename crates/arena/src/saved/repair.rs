//! Makes the output files of a match and its saved games agree after a crash.
//!
//! A game is appended to the PGN, then to the EPD file, then to the saved match, with the lengths of the other files; about once
//! a second all of them are synced in this order. So a killed process leaves at most one game that is not saved, or a part of
//! it, behind the saved length. A power failure may in addition lose or damage any part of what was not synced.

use std::fs;
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use record::pgn::{PgnGame, PgnReader};
use support::files;

use super::{Mark, OutputLengths, SaveError, SavedMatch};
use crate::config::MatchConfig;
use crate::fixtures::Fixtures;
use crate::results::GameSummary;
use crate::schedule::{Job, Tournament};

impl SavedMatch {
    /// Truncates games that are not saved, and drops games whose record is lost: they are played again. A file that other
    /// programs have changed is left alone, and so are games that others have appended. Returns the number of dropped games.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn repair(&mut self) -> Result<usize, SaveError> {
        let Some(floor) = self.marks.iter().rposition(|mark| mark.lengths.synced) else { return Ok(0) };
        let mut outputs = Vec::new();
        let config = &self.request.config;
        let files = [
            (config.pgn.as_ref().map(|pgn| (&pgn.file, pgn.append)), Format::Pgn),
            (config.epd.as_ref().map(|epd| (&epd.file, epd.append)), Format::Epd),
        ];
        for (file, format) in files {
            let Some((path, append)) = file else { continue };
            let length = format.length(&self.marks[floor].lengths);
            let tail = length.map(|length| Tail::read(path, length)).transpose();
            if let Some(tail) = tail.map_err(SaveError::of_file(path))?.flatten() {
                outputs.push(Output { path: path.clone(), format, append, tail });
            }
        }
        let intact = outputs.iter().map(|output| output.intact(self, floor)).min();
        let kept = intact.unwrap_or(self.marks.len());
        for output in &outputs {
            output.truncate(self, kept).map_err(SaveError::of_file(&output.path))?;
        }
        self.marks.truncate(kept);
        let before = self.finished.len();
        if let Some(last) = self.marks.last().filter(|_| intact.is_some()) {
            self.finished.truncate(last.games);
        }
        Ok(before - self.finished.len())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Pgn,
    Epd,
}

impl Format {
    fn length(self, lengths: &OutputLengths) -> Option<u64> {
        match self {
            Format::Pgn => lengths.pgn,
            Format::Epd => lengths.epd,
        }
    }
}

/// An output file, and what it holds since the last sync.
struct Output {
    path: PathBuf,
    format: Format,
    /// Others may append to it as well.
    append: bool,
    tail: Tail,
}

/// The end of a file.
struct Tail {
    start: u64,
    bytes: Vec<u8>,
}

impl Tail {
    /// What a file has behind its synced length. `None` if others have changed it: it is shorter, or no record ends there.
    fn read(path: &Path, start: u64) -> io::Result<Option<Tail>> {
        let mut file = match fs::File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let metadata = file.metadata()?;
        if !metadata.is_file() || metadata.len() < start {
            return Ok(None);
        }
        let before = start.saturating_sub(1);
        file.seek(SeekFrom::Start(before))?;
        let mut bytes = files::read_rest(file, files::CONTENT_LIMIT)?;
        if start > 0 && bytes.first() != Some(&b'\n') {
            return Ok(None);
        }
        bytes.drain(..(start - before) as usize);
        Ok(Some(Tail { start, bytes }))
    }
}

impl Output {
    /// How many of the marks have all their games in this file. Those up to the last synced one are not looked at.
    fn intact(&self, saved: &SavedMatch, floor: usize) -> usize {
        let mut end = 0;
        let fixtures = Fixtures::new(&saved.request.config.schedule, &saved.finished);
        for (index, mark) in saved.marks.iter().enumerate().skip(floor + 1) {
            let next =
                self.format.length(&mark.lengths).and_then(|length| length.checked_sub(self.tail.start));
            let record = next.and_then(|next| self.tail.bytes.get(end..next as usize));
            let is_intact =
                match (record, mark.games.checked_sub(1).and_then(|game| saved.finished.get(game))) {
                    (Some(record), Some(game)) => {
                        let job = fixtures.job(game.index);
                        job.is_some_and(|job| self.holds(record, game, &job, &saved.request.config))
                    }
                    _ => false,
                };
            if !is_intact {
                return index;
            }
            end = next.map_or(end, |next| next as usize);
        }
        saved.marks.len()
    }

    /// Whether these bytes are the record of a game. Others may have appended games before it.
    fn holds(&self, record: &[u8], game: &GameSummary, job: &Job, config: &MatchConfig) -> bool {
        if record.contains(&0) {
            return false;
        }
        match self.format {
            Format::Epd => record.ends_with(b"\n"),
            Format::Pgn => {
                let text = String::from_utf8_lossy(record);
                let last = PgnReader::new(&text).last();
                text.ends_with("\n\n")
                    && last
                        .is_some_and(|last| is_game_of(&last, job, config) && last.moves.len() == game.plies)
            }
        }
    }

    /// Truncates everything after the first `kept` marks if it is from this match.
    fn truncate(&self, saved: &SavedMatch, kept: usize) -> io::Result<()> {
        let Some(mark) = kept.checked_sub(1).and_then(|last| saved.marks.get(last)) else { return Ok(()) };
        let Some(length) = self.format.length(&mark.lengths) else { return Ok(()) };
        let rest = self.tail.bytes.get((length - self.tail.start) as usize..).unwrap_or_default();
        if rest.is_empty() || !self.is_ours(rest, mark, saved) {
            return Ok(());
        }
        let file = files::File::open(&self.path)?;
        file.set_len(length)?;
        file.sync()
    }

    /// Whether bytes behind the games of a mark are what this match has written, complete or not.
    fn is_ours(&self, rest: &[u8], mark: &Mark, saved: &SavedMatch) -> bool {
        let config = &saved.request.config;
        // Zeros are what a power failure leaves of a file whose length is on the disk before its content.
        let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        let text = String::from_utf8_lossy(&rest[..end]);
        if self.format == Format::Epd {
            // A position does not show which match it is from.
            return !self.append || text.lines().count() <= 1;
        }
        let mut title = PgnGame::default();
        title.set_tag("Event", config.event.as_str());
        let title = title.to_string();
        let title = title.lines().next().unwrap_or_default();
        if !text.starts_with(title) && !title.starts_with(&*text) {
            return false;
        }
        let games: Vec<PgnGame> = PgnReader::new(&text).collect();
        let fixtures = Fixtures::new(&config.schedule, &saved.finished[..mark.games]);
        let unsaved = fixtures.unfinished();
        games.iter().enumerate().all(|(index, game)| {
            let is_torn = index + 1 == games.len() && game.tag("Result").is_none();
            is_torn
                || unsaved.iter().any(|job| is_game_of(game, job, config))
                || may_be_of_knockout(game, config)
        })
    }
}

/// Whether engines of a knockout played a game. Who plays in a later round is not known if the results are lost.
fn may_be_of_knockout(game: &PgnGame, config: &MatchConfig) -> bool {
    let plays = |tag| config.engines.iter().any(|engine| game.tag(tag) == Some(&engine.name));
    matches!(config.schedule.tournament, Tournament::Knockout { .. }) && plays("White") && plays("Black")
}

/// Whether a game has the round and the players of a job.
fn is_game_of(game: &PgnGame, job: &Job, config: &MatchConfig) -> bool {
    let tags = [
        ("Round", (job.round + 1).to_string()),
        ("White", config.engines[job.white].name.clone()),
        ("Black", config.engines[job.black].name.clone()),
    ];
    tags.iter().all(|(name, value)| game.tag(name) == Some(value))
}
