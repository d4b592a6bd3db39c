//! One list of all games: those played here, reviewed, played in matches, and imported. It reads their PGN files when
//! they are asked for, and keeps the moves, so that positions can be looked up in them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::SystemTime;

use chess::{Move, Position};
use record::eco::opening_of;
use record::pgn::{GameResult, PgnGame, PgnReader, ReplayError};
use support::sync::lock;

use crate::error::RequestError;
use crate::protocol::{
    Explored, ExploredMove, GameRef, GameSource, ImportedFile, LibraryGame, LibraryPage, LibraryRequest,
    PositionSpec, Reply,
};
use crate::store::{Collection, Id, Store};

const MAX_GAMES: usize = 50_000;
/// Plies of a game that are kept.
const MAX_PLIES: usize = 1000;
/// Games of an answer.
const PAGE: usize = 100;
/// Games of an answer about a position.
const NEWEST: usize = 8;
/// Characters of a tag that are kept.
const MAX_TAG: usize = 100;

const SOURCES: [GameSource; 4] =
    [GameSource::Played, GameSource::Reviewed, GameSource::Match, GameSource::Imported];

impl GameSource {
    const fn collection(self) -> Collection {
        match self {
            GameSource::Played => Collection::Games,
            GameSource::Reviewed => Collection::Reviews,
            GameSource::Match => Collection::Matches,
            GameSource::Imported => Collection::Imported,
        }
    }
}

/// A game that has been read.
#[derive(Debug)]
struct KnownGame {
    listed: LibraryGame,
    /// What is searched, in lower case.
    text: String,
    start: Position,
    moves: Vec<Move>,
    result: GameResult,
}

impl KnownGame {
    fn read(game: &PgnGame, place: GameRef, unfinished: bool) -> Option<KnownGame> {
        let (start, moves) = match game.replay(MAX_PLIES) {
            Ok(replayed) => replayed,
            Err(ReplayError::Start(_)) => return None,
            // Up to the illegal move.
            Err(ReplayError::Move { ply, .. }) => game.replay(ply).ok()?,
        };
        let tag = |name: &str| -> String {
            game.tag(name).filter(|value| *value != "?").unwrap_or_default().chars().take(MAX_TAG).collect()
        };
        let opening = opening_of(&start, &moves).map_or(String::new(), |(opening, _)| opening.to_string());
        let listed = LibraryGame {
            game: place,
            white: tag("White"),
            black: tag("Black"),
            result: game.result.to_string(),
            date: tag("Date"),
            event: tag("Event"),
            opening,
            moves: game.moves.len().div_ceil(2),
            unfinished,
        };
        let LibraryGame { white, black, result, date, event, opening, .. } = &listed;
        let text = format!("{white} {black} {result} {date} {event} {opening}").to_lowercase();
        Some(KnownGame { listed, text, start, moves, result: game.result })
    }

    /// The ply at which the game has this position.
    fn reaches(&self, wanted: &Position) -> Option<usize> {
        let (key, pieces) = (wanted.key(), wanted.occupied().count());
        let mut position = self.start;
        for ply in 0..=self.moves.len() {
            if position.key() == key {
                return Some(ply);
            }
            if position.occupied().count() < pieces {
                return None;
            }
            position = position.after(*self.moves.get(ply)?);
        }
        None
    }

    /// The same for two copies of a game, such as one that was played here and reviewed.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.start.key(), &self.moves, &self.listed.white, &self.listed.black).hash(&mut hasher);
        hasher.finish()
    }
}

/// A file that has been read, as it was then.
#[derive(Debug)]
struct KnownFile {
    stamp: Stamp,
    games: Vec<KnownGame>,
    /// It has more games, for which there was no room.
    is_cut: bool,
}

type Stamp = (u64, Option<SystemTime>);

#[derive(Debug, Default)]
struct Index {
    files: BTreeMap<(GameSource, Id), KnownFile>,
    /// The files, the newest first.
    order: Vec<(GameSource, Id)>,
    truncated: bool,
}

impl Index {
    fn games(&self) -> impl Iterator<Item = &KnownGame> {
        self.order.iter().filter_map(|file| self.files.get(file)).flat_map(|file| &file.games)
    }
}

pub struct Library {
    store: Arc<Store>,
    index: Mutex<Index>,
    /// Games that are read; the newest come first.
    max_games: usize,
}

impl Library {
    pub fn new(store: Arc<Store>) -> Library {
        Library { store, index: Mutex::default(), max_games: MAX_GAMES }
    }

    pub fn handle(&self, request: LibraryRequest) -> Result<Reply, RequestError> {
        match request {
            LibraryRequest::Search { text, source, skip } => {
                Ok(Reply::Library(self.search(&text, source, skip)))
            }
            LibraryRequest::Pgn(game) => self.pgn(&game).map(Reply::Pgn),
            LibraryRequest::Import { pgn } => self.import(&pgn).map(Reply::Imported),
            LibraryRequest::Remove { source, id } => {
                self.remove(source, &id)?;
                Ok(Reply::Done)
            }
            LibraryRequest::Files => Ok(Reply::Files(self.files())),
            LibraryRequest::Explore { position } => self.explore(&position).map(Reply::Explored),
        }
    }

    /// The index after all files that have changed were read again.
    fn refreshed(&self) -> MutexGuard<'_, Index> {
        let mut index = lock(&self.index);
        let mut order: Vec<(GameSource, Id)> = SOURCES
            .into_iter()
            .flat_map(|source| {
                self.store.list(source.collection(), "pgn").into_iter().map(move |id| (source, id))
            })
            .collect();
        order.sort_by(|(_, a), (_, b)| b.cmp(a));
        let mut before = std::mem::take(&mut index.files);
        let mut room = self.max_games;
        index.truncated = false;
        for file in &order {
            if room == 0 {
                index.truncated = true;
                break;
            }
            let stamp = self.stamp(file);
            let is_current =
                |known: &KnownFile| known.stamp == stamp && !(known.is_cut && known.games.len() < room);
            let known = before.remove(file).filter(is_current);
            let mut known = known.unwrap_or_else(|| self.read(file, stamp, room));
            known.is_cut |= known.games.len() > room;
            known.games.truncate(room);
            index.truncated |= known.is_cut;
            room -= known.games.len();
            index.files.insert(file.clone(), known);
        }
        index.order = order;
        index
    }

    fn path(&self, (source, id): &(GameSource, Id)) -> PathBuf {
        self.store.path(source.collection(), id, "pgn")
    }

    fn stamp(&self, file: &(GameSource, Id)) -> Stamp {
        fs::metadata(self.path(file)).map_or((0, None), |found| (found.len(), found.modified().ok()))
    }

    /// Reads a file as far as there is room.
    fn read(&self, (source, id): &(GameSource, Id), stamp: Stamp, room: usize) -> KnownFile {
        let bytes = self.store.read(source.collection(), id, "pgn").unwrap_or_default();
        let unfinished =
            *source == GameSource::Played && self.store.path(Collection::Games, id, "json").exists();
        let place = |index| GameRef { source: *source, id: id.clone(), index };
        let text = String::from_utf8_lossy(&bytes);
        let mut reader = PgnReader::new(&text).enumerate();
        let known = |(index, game): (usize, PgnGame)| KnownGame::read(&game, place(index), unfinished);
        let games = reader.by_ref().take(room).filter_map(known).collect();
        KnownFile { stamp, games, is_cut: reader.next().is_some() }
    }

    fn search(&self, text: &str, source: Option<GameSource>, skip: usize) -> LibraryPage {
        let wanted = text.to_lowercase();
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let index = self.refreshed();
        let mut found = index.games().filter(|known| {
            source.is_none_or(|source| known.listed.game.source == source)
                && words.iter().all(|word| known.text.contains(word))
        });
        let mut count = found.by_ref().take(skip).count();
        let mut games = Vec::new();
        for known in found {
            count += 1;
            if games.len() < PAGE {
                games.push(known.listed.clone());
            }
        }
        LibraryPage { games, count, truncated: index.truncated }
    }

    /// The imported files that have games, the newest first.
    fn files(&self) -> Vec<ImportedFile> {
        let index = self.refreshed();
        let file = |key: &(GameSource, Id)| {
            let games = &index.files.get(key)?.games;
            let LibraryGame { white, black, .. } = &games.first()?.listed;
            let (id, white, black) = (key.1.clone(), white.clone(), black.clone());
            Some(ImportedFile { id, games: games.len(), white, black })
        };
        index.order.iter().filter(|(source, _)| *source == GameSource::Imported).filter_map(file).collect()
    }

    /// The text of one game.
    fn pgn(&self, game: &GameRef) -> Result<String, RequestError> {
        let bytes = self.store.read(game.source.collection(), &game.id, "pgn")?;
        let text = String::from_utf8_lossy(&bytes);
        let found = PgnReader::new(&text).nth(game.index).ok_or(RequestError::NotFound)?;
        Ok(found.to_string())
    }

    /// Stores a file; returns the number of its games.
    fn import(&self, pgn: &str) -> Result<usize, RequestError> {
        let is_game = |game: &PgnGame| game.replay(1).is_ok_and(|(_, moves)| !moves.is_empty());
        let games = PgnReader::new(pgn).filter(is_game).count();
        if games == 0 {
            return Err("no game found in this text".into());
        }
        let is_known = |id: &Id| {
            let length = self.stamp(&(GameSource::Imported, id.clone())).0;
            length == pgn.len() as u64
                && self.store.read(Collection::Imported, id, "pgn").is_ok_and(|known| known == pgn.as_bytes())
        };
        if self.store.list(Collection::Imported, "pgn").iter().any(is_known) {
            return Err("these games are in the library already".into());
        }
        self.store.write(Collection::Imported, &self.store.new_id(), "pgn", pgn.as_bytes())?;
        Ok(games)
    }

    fn remove(&self, source: GameSource, id: &Id) -> Result<(), RequestError> {
        match source {
            GameSource::Played | GameSource::Imported => Ok(self.store.remove(source.collection(), id)?),
            GameSource::Reviewed => Err("remove the whole review instead".into()),
            GameSource::Match => Err("remove the whole match instead".into()),
        }
    }

    fn explore(&self, position: &PositionSpec) -> Result<Explored, RequestError> {
        let position = *position.game()?.position();
        let mut explored = Explored { games: 0, moves: Vec::new(), newest: Vec::new() };
        let mut counts: HashMap<Move, ExploredMove> = HashMap::new();
        let mut seen = HashSet::new();
        for known in self.refreshed().games() {
            let Some(ply) = known.reaches(&position) else { continue };
            if !seen.insert(known.fingerprint()) {
                continue;
            }
            explored.games += 1;
            if explored.newest.len() < NEWEST {
                explored.newest.push(known.listed.clone());
            }
            let Some(&mv) = known.moves.get(ply) else { continue };
            let count = counts.entry(mv).or_insert_with(|| ExploredMove {
                mv: mv.uci(true).to_string(),
                san: position.san(mv).to_string(),
                games: 0,
                white: 0,
                draws: 0,
                black: 0,
            });
            count.games += 1;
            match known.result {
                GameResult::WhiteWins => count.white += 1,
                GameResult::Draw => count.draws += 1,
                GameResult::BlackWins => count.black += 1,
                GameResult::Unknown => {}
            }
        }
        explored.moves = counts.into_values().collect();
        explored.moves.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.san.cmp(&b.san)));
        Ok(explored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::{TempDir, tempdir};

    const FILE: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
        [White \"Cid\"]\n[Black \"Ann\"]\n[Result \"1/2-1/2\"]\n\n1. Nf3 e5 2. e4 Nc6 1/2-1/2\n\n\
        [White \"Dan\"]\n\n1. e4 c5 2. Ke3 *\n";

    fn library() -> (Library, TempDir) {
        let folder = tempdir().expect("a folder");
        (Library::new(Arc::new(Store::open(folder.path().to_owned()).expect("a folder"))), folder)
    }

    fn names(page: &LibraryPage) -> Vec<&str> {
        page.games.iter().map(|game| game.white.as_str()).collect()
    }

    fn explore(library: &Library, moves: &[&str]) -> Explored {
        let spec = PositionSpec {
            start: Position::startpos().to_fen(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        library.explore(&spec).expect("legal")
    }

    #[test]
    fn games_of_all_sources_are_searched() {
        let (library, _folder) = library();
        let played = library.store.new_id();
        let game = "[White \"You\"]\n[Black \"Vedette\"]\n\n1. d4 d5 *\n";
        library.store.write(Collection::Games, &played, "pgn", game.as_bytes()).expect("written");
        assert_eq!(library.import(FILE).expect("new"), 3);
        assert!(library.import(FILE).is_err(), "it is there already");
        let files = library.files();
        assert_eq!((files.len(), files[0].games, files[0].white.as_str()), (1, 3, "Ann"));
        assert!(library.import("nothing").is_err());
        let all = library.search("", None, 0);
        assert_eq!((names(&all), all.count), (vec!["Ann", "Cid", "Dan", "You"], 4));
        assert_eq!(all.games[2].opening, "B20 Sicilian Defense", "up to the illegal move");
        assert_eq!(names(&library.search("ann 1-0", None, 0)), ["Ann"]);
        assert_eq!(names(&library.search("sicilian", None, 0)), ["Dan"]);
        assert_eq!(names(&library.search("", Some(GameSource::Played), 0)), ["You"]);
        let rest = library.search("", None, 3);
        assert_eq!((names(&rest), rest.count), (vec!["You"], 4));
        let pgn = library.pgn(&all.games[1].game).expect("there");
        assert!(pgn.contains("[White \"Cid\"]") && !pgn.contains("Bob"), "{pgn}");
        assert!(library.remove(GameSource::Match, &played).is_err());
        library.remove(GameSource::Played, &played).expect("removed");
        assert_eq!(library.search("", None, 0).count, 3);
    }

    #[test]
    fn positions_are_explored_through_transpositions() {
        let (library, _folder) = library();
        library.import(FILE).expect("new");
        let start = explore(&library, &[]);
        let moves: Vec<(&str, u64, u64)> =
            start.moves.iter().map(|mv| (mv.san.as_str(), mv.games, mv.white)).collect();
        assert_eq!((start.games, moves), (3, vec![("e4", 2, 1), ("Nf3", 1, 0)]));
        // Ann's game ends here; Cid's has reached the position by another way.
        let later = explore(&library, &["e2e4", "e7e5", "g1f3"]);
        assert_eq!((later.games, later.newest.len(), later.moves.len()), (2, 2, 1));
        assert_eq!((later.moves[0].san.as_str(), later.moves[0].draws), ("Nc6", 1));
        assert_eq!(explore(&library, &["a2a3"]).games, 0);
    }

    #[test]
    fn full_library_says_so_until_there_is_room() {
        let (mut library, _folder) = library();
        library.max_games = 2;
        library.import(FILE).expect("new");
        for _ in 0..2 {
            let page = library.search("", None, 0);
            assert_eq!((names(&page), page.truncated), (vec!["Ann", "Cid"], true));
        }
        library.max_games = 3;
        let page = library.search("", None, 0);
        assert_eq!((names(&page), page.truncated), (vec!["Ann", "Cid", "Dan"], false));
    }

    #[test]
    fn copies_of_a_game_count_once() {
        let (library, _folder) = library();
        let copy = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 {best} e5 2. Nf3 1-0\n";
        library.import(FILE).expect("new");
        library.import(copy).expect("another text");
        assert_eq!(library.search("bob", None, 0).count, 2);
        assert_eq!(explore(&library, &["e2e4", "e7e5"]).games, 1);
    }
}
