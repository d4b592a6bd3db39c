//! Files that resume, configure or report something.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::config::TablebaseConfig;
use arena::game::{Syzygy, Tablebase};
use arena::openings::OpeningSource;
use arena::saved::{OutputLengths, SavedMatch, StateFile};
use arena::spsa::read_parameters;
use arena::{Arena, MatchEvent};
use chess::{Color, Position};
use doctor::check::Thoroughness;
use doctor::report::Report;
use pipeline::PipelineRecipe;
use record::book::{Book, BookFormat};
use record::explorer::{Explorer, ExplorerBuilder};
use record::pgn::PgnReader;
use record::polyglot::PolyglotBook;
use review::{Journal, JournalHeader, PositionAnalysis};
use studio::{ExternalEngine, engines};
use support::shell::split_arguments;
use train::backend::State;
use train::checkpoint::{Checkpoint, Fingerprint, Header};
use train::{Recipe, parameters};

use crate::texts;

/// Hands over a file with these bytes, in a folder of its own.
pub fn with_file(name: &str, bytes: &[u8], read: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    read(&path);
}

pub fn checkpoint(bytes: &[u8]) {
    let read = |bytes: &[u8]| {
        if let Ok(checkpoint) = Checkpoint::from_bytes(bytes) {
            assert!(Checkpoint::from_bytes(&checkpoint.to_bytes()).is_ok(), "a checkpoint that was written");
        }
    };
    read(bytes);
    // With a correct hash, so that the content is parsed.
    let mut sealed = bytes.to_vec();
    train::checkpoint::reseal(&mut sealed);
    read(&sealed);
}

pub fn checkpoint_seeds() -> Vec<Vec<u8>> {
    let recipe = "name = 'a'\nnetwork.hidden = 64\ntraining.epochs = 2\ndata.files = ['x']";
    let Ok(recipe) = Recipe::read(recipe) else { return Vec::new() };
    let Ok(shape) = recipe.shape() else { return Vec::new() };
    let state = State::new(parameters::flatten(&parameters::initial(shape, 3)));
    let data = Fingerprint { training: 10, validation: 2, hash: 7 };
    let header = Header { step: 77, data, recipe, points: Vec::new() };
    vec![Checkpoint { header, state }.to_bytes()]
}

pub fn saved_match(bytes: &[u8]) {
    with_file("match.json", bytes, |path| {
        let _ = SavedMatch::of_fastchess(path);
        if let Ok(saved) = SavedMatch::load(path) {
            let _ = (saved.tally(), saved.is_over(), saved.rounds_begun());
        }
    });
}

/// A match of four short games.
pub fn saved_match_seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("match.json");
    let arguments = format!(
        "-engine proto=inprocess name=A -engine proto=inprocess name=B -each nodes=50 option.Hash=1 -rounds 2 \
         -maxmoves 3 -config outname={}",
        path.display()
    );
    let request = arena::cli::parse(&split_arguments(&arguments)).expect("a match");
    let openings = OpeningSource::from_config(&request.config).expect("the built-in book");
    let (mut state, _) =
        StateFile::create(&request, OutputLengths::default()).expect("a file in a new folder");
    Arena::new(&request.config, openings, &AtomicBool::new(false)).run(&[], |event| {
        if let MatchEvent::Finished(game, _) = event {
            state.add(&game.summary, OutputLengths::default()).expect("a file in a new folder");
        }
    });
    vec![std::fs::read(&path).expect("a file that was written")]
}

/// A book for matches, possibly compressed, and one for the engine.
pub fn book_file(bytes: &[u8]) {
    with_file("book", bytes, |path| {
        for format in [BookFormat::Epd, BookFormat::Pgn, BookFormat::Polyglot] {
            let Ok(book) = Book::load(path, format, 8) else { continue };
            for index in 0..book.len().min(64) {
                if let Ok(opening) = book.opening(index) {
                    assert!(opening.end().is_consistent());
                }
            }
        }
    });
    let Ok(book) = PolyglotBook::from_bytes(bytes) else { return };
    assert_eq!(PolyglotBook::from_bytes(&book.to_bytes()).as_ref(), Ok(&book));
    assert_eq!(book.merged(&book), book);
    let (start, total) = (Position::startpos(), book.positions());
    assert!(total <= book.len());
    let chosen = book.choose(&start, Some(0.5)).map(|chosen| chosen.mv);
    assert!(chosen.is_none_or(|mv| start.is_legal(mv)));
}

/// Compressed texts, and a book with 1. e4 and 1. Nf3.
pub fn book_file_seeds() -> Vec<Vec<u8>> {
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x033\xd4SH5QH5U\xd0\xe2\x02\x00 -Y\xb3\x0b\x00\x00\x00";
    let zip = b"PK\x03\x04\x14\x00\x00\x00\x08\x00\x00\x00!\x00\x94(1 \x19\x00\x00\x00 \x00\x00\x00\x05\x00\
          \x00\x00b.epd3\xc96\xd6\xb7\x80C\x93\x00c}\x13oc\x85r\x05] 4P0\xe4\x02\x00PK\x01\x02\x14\x03\
          \x14\x00\x00\x00\x08\x00\x00\x00!\x00\x94(1 \x19\x00\x00\x00 \x00\x00\x00\x05\x00\x00\x00\
          \x00\x00\x00\x00\x00\x00\x00\x00\x80\x01\x00\x00\x00\x00b.epdPK\x05\x06\x00\x00\x00\x00\x01\
          \x00\x01\x003\x00\x00\x00<\x00\x00\x00\x00\x00";
    let entry = |code: [u8; 2], weight| {
        [&Position::startpos().polyglot_key().to_be_bytes()[..], &code, &[0, weight], &[0; 4]].concat()
    };
    vec![gzip.to_vec(), zip.to_vec(), [entry([0x03, 0x1c], 9), entry([0x01, 0x95], 2)].concat()]
}

pub fn explorer(bytes: &[u8]) {
    with_file("index", bytes, |path| {
        let Ok(explorer) = Explorer::open(path) else { return };
        let start = Position::startpos();
        for explored in explorer.moves(&start).expect("a file that can be read") {
            let counts = explored.counts;
            assert!(start.is_legal(explored.mv) && counts.games() <= 4 * u64::from(u32::MAX));
            let (score, _) = (counts.score(Color::White).unwrap_or(0.5), counts.average_rating());
            assert!((0.0..=1.0).contains(&score));
        }
    });
}

pub fn explorer_seeds() -> Vec<Vec<u8>> {
    let mut builder = ExplorerBuilder::new(4, std::env::temp_dir());
    let text = "[WhiteElo \"2000\"]\n\n1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 *\n\n1. d4 1/2-1/2\n";
    for game in PgnReader::new(text) {
        builder.add(&game).expect("held in memory");
    }
    let mut index = Vec::new();
    builder.finish(&mut index).expect("memory can be written");
    vec![index]
}

/// The engines that were added to the studio.
pub fn studio_engines(bytes: &[u8]) {
    with_file(engines::FILE, bytes, |path| {
        let folder = path.parent().expect("a folder");
        let Ok(mut all) = engines::added(folder) else { return };
        let next = ExternalEngine::new("The next one", "next --uci").expect("valid");
        if engines::add(folder, next.clone()).is_ok() {
            all.push(next);
            assert_eq!(engines::added(folder).expect("a list that was written"), all);
        }
    });
}

pub fn studio_engines_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "",
        "[[engine]]\nname = \"A\"\ncommand = \"'/opt/my engines/a' --uci\"\n\n[[engine]]\nname = 'Ü \"2\"'\ncommand = 'b'\n",
        "engine = [{ name = 'A', command = 'a' }] # a comment",
    ])
}

fn journal_header() -> JournalHeader {
    JournalHeader::new("engine", "nodes 10", "1. e4 *")
}

pub fn journal(bytes: &[u8]) {
    with_file("games.review", bytes, |path| {
        let known = Journal::open(path, &journal_header()).map(|journal: Journal| journal.len());
        // Opening repairs the file: what was read is read again.
        let again = Journal::open(path, &journal_header()).map(|journal: Journal| journal.len());
        assert_eq!(known.ok(), again.ok());
    });
}

pub fn journal_seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("games.review");
    let mut journal = Journal::open(&path, &journal_header()).expect("a file in a new folder");
    let line = vec!["e2e4".to_owned(), "e7e5".to_owned()];
    let analysis = PositionAnalysis {
        score: Some(uci::Score::Centipawns(30)),
        line,
        depth: 5,
        nodes: 10,
        explanation: None,
    };
    for ply in 0..2 {
        journal.add(0, ply, &analysis).expect("a file in a new folder");
    }
    vec![std::fs::read(&path).expect("a file that was written")]
}

pub fn training_recipe(bytes: &[u8]) {
    if let Ok(recipe) = Recipe::read(&String::from_utf8_lossy(bytes)) {
        assert_eq!(Recipe::read(&recipe.write()).as_ref(), Ok(&recipe));
    }
}

pub fn training_recipe_seeds() -> Vec<Vec<u8>> {
    vec![
        include_bytes!("../../../nets/recipes/first.toml").to_vec(),
        include_bytes!("../../../nets/recipes/wide.toml").to_vec(),
    ]
}

pub fn pipeline_recipe(bytes: &[u8]) {
    if let Ok(recipe) = PipelineRecipe::read(&String::from_utf8_lossy(bytes)) {
        for stage in &recipe.stages {
            let _ = recipe.training(stage);
        }
        let _ = recipe.scaled(0.001);
    }
}

pub fn pipeline_recipe_seeds() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../../nets/recipes/gpu.toml").to_vec()]
}

pub fn spsa_parameters(bytes: &[u8]) {
    let Ok(parameters) = read_parameters(&String::from_utf8_lossy(bytes)) else { return };
    let lines: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    let again = read_parameters(&lines.join("\n")).expect("parameters that were written");
    assert_eq!(again.len(), parameters.len());
}

pub fn spsa_parameter_seeds() -> Vec<Vec<u8>> {
    texts(&[
        "lmr_base, int, 850, 0, 2048, 102.4, 0.002\n# comment\n\nscale, float, 0.75, 0, 1, 0.05, 0.002\n",
    ])
}

pub fn doctor_report(bytes: &[u8]) {
    let Ok(report) = serde_json::from_slice::<Report>(bytes) else { return };
    use doctor::render;
    let _ = (render::html(&report), render::details(&report), render::summary(&report));
    let _ = (render::markdown(&report), render::junit(&report), render::sarif(&report, "engine"));
    let changes = doctor::compare::compare(&report, &report);
    let _ = doctor::render::comparison(&report, &report, &changes);
}

/// An engine that cannot be started gives a short report with a finding and an incident.
pub fn doctor_report_seeds() -> Vec<Vec<u8>> {
    let command = "/nonexistent/engine".to_owned();
    let subject = doctor::Subject { command, options: Vec::new() };
    let plan = doctor::ExaminationPlan {
        subject,
        thoroughness: Thoroughness::Quick,
        only: Vec::new(),
        time_limit: None,
        doctor: "Vedette".to_owned(),
    };
    let report = plan.run(&Arc::default(), |_| {});
    vec![serde_json::to_vec(&report).expect("a report")]
}

/// A damaged table of king and queen against king.
pub fn syzygy(bytes: &[u8]) {
    with_file("KQvK.rtbw", bytes, |path| {
        let config = TablebaseConfig {
            paths: path.parent().map(Path::to_owned).into_iter().collect(),
            pieces: None,
            ignore_fifty: false,
            wins: true,
            draws: true,
        };
        let Ok(tables) = Syzygy::open(&config) else { return };
        for fen in ["8/8/8/8/8/2k5/8/KQ6 w - - 0 1", "8/8/8/3k4/8/8/8/KQ6 b - - 0 1"] {
            let _ = tables.probe(&Position::from_fen(fen).expect("a position"));
        }
    });
}

/// The header of a WDL table, and nothing behind it.
pub fn syzygy_seeds() -> Vec<Vec<u8>> {
    vec![[&[0x71, 0xe8, 0x23, 0x5d, 0x01, 0x01, 0x02, 0x56, 0x65, 0xee][..], &[0x15; 200]].concat()]
}
