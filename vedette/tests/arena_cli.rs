//! Matches, tests, suites and books from outside: real processes, real games.

use std::path::PathBuf;
use std::process::{Command, Output};

const VEDETTE: &str = env!("CARGO_BIN_EXE_vedette");

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("vedette-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    fn run(&self, line: &str) -> Output {
        let words = line.split_whitespace();
        Command::new(VEDETTE).args(words).current_dir(&self.0).output().expect("the program starts")
    }

    /// Standard output of a run that must succeed.
    fn text(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is text")
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_command_line_of_every_tutorial_works() {
    let folder = Folder::new("tutorial");
    let text = folder.text(&format!(
        "match -engine cmd={VEDETTE} name=A -engine cmd={VEDETTE} name=B -each tc=10+0.1 depth=3 -rounds 2 -repeat \
         -concurrency 1 -pgnout file=games.pgn -epdout end.epd"
    ));
    assert!(text.contains("Started game 1 of 4 (A vs B)"), "{text}");
    assert!(text.contains("Games: 4, Wins: "), "{text}");
    assert!(text.contains("Ptnml(0-2): ["), "{text}");
    assert!(text.trim_end().ends_with("Finished match"), "{text}");
    let games: Vec<_> = record::pgn::PgnReader::new(&folder.file("games.pgn")).collect();
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.replay(usize::MAX).is_ok()));
    assert_eq!(folder.file("end.epd").lines().count(), 4);
    assert!(!folder.0.join("vedette-match.json").exists(), "a finished match leaves no state");
    assert!(!folder.0.join("vedette-faults").exists());
}

#[test]
fn engines_in_process_play_the_same_games_as_processes_do() {
    let folder = Folder::new("in-process");
    let play = |engine: &str| {
        let line = format!(
            "match -engine {engine} name=A -engine {engine} name=B -each depth=4 option.Hash=1 -rounds 2 -srand 5 \
             -maxmoves 30 -ratinginterval 0 -pgnout file=games.pgn append=false min=true"
        );
        folder.text(&line);
        let moves = |game: record::pgn::PgnGame| game.moves.into_iter().map(|mv| mv.san).collect::<Vec<_>>();
        record::pgn::PgnReader::new(&folder.file("games.pgn")).map(moves).collect::<Vec<_>>()
    };
    assert_eq!(play("proto=inprocess"), play(&format!("cmd={VEDETTE}")));
}

#[test]
fn json_tells_every_game_and_the_end() {
    let folder = Folder::new("json");
    let text = folder.text(
        "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each nodes=200 option.Hash=1 -rounds 2 \
         -maxmoves 20 -output format=json file=result.json -sprt elo0=0 elo1=50",
    );
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["event"], &lines[4]["event"]), (&"game".into(), &"end".into()));
    assert!(lines[0]["termination"].is_string() && lines[0]["remarks"].is_array(), "{}", lines[0]);
    assert_eq!(lines[4]["games"], 4);
    assert!(lines[4]["sprt"]["llr"].is_number());
    let result: serde_json::Value = serde_json::from_str(&folder.file("result.json")).expect("JSON");
    assert_eq!(result["encounters"][0]["first"], "A");
}

/// Two engines that need no process, and a match of some games that end soon.
const SHORT: &str = "match -engine proto=inprocess name=A -engine proto=inprocess name=B \
                     -each nodes=100 option.Hash=1 -maxmoves 6";

/// Kills a long match, as a crash would, once it has saved some games. Returns how many.
fn kill_a_match(folder: &Folder) -> usize {
    let mut child = Command::new(VEDETTE)
        .args(format!("{SHORT} -rounds 100000 -ratinginterval 0 -pgnout file=games.pgn").split_whitespace())
        .current_dir(&folder.0)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let saved =
        || std::fs::read_to_string(folder.0.join("vedette-match.json")).unwrap_or_default().lines().count();
    while saved() < 10 {
        assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("a child");
    child.wait().expect("a child");
    lab::arena::saved::SavedMatch::load(&folder.0.join("vedette-match.json"))
        .expect("a saved match")
        .finished
        .len()
}

#[test]
fn a_match_that_was_killed_goes_on_with_every_game_it_had_finished() {
    let folder = Folder::new("killed");
    let saved = kill_a_match(&folder);
    let wanted = 2 * (saved / 2 + 3);
    let text = folder
        .text(&format!("match -config file=vedette-match.json -rounds {} -ratinginterval 1", wanted / 2));
    assert!(text.contains(&format!("Games: {wanted}, ")), "{text}");
    assert_eq!(text.matches("Finished game").count(), wanted - saved, "{text}");
    assert!(text.matches("Results of").count() > wanted - saved, "-ratinginterval was not heard: {text}");
    let games = record::pgn::PgnReader::new(&folder.file("games.pgn")).count();
    // The one that was being written when the program was killed may be there twice.
    assert!((wanted..=wanted + 1).contains(&games), "{games} instead of {wanted}");
    assert!(!folder.0.join("vedette-match.json").exists(), "a finished match leaves no state");
}

#[test]
fn an_interrupted_match_survives_the_next_one() {
    let folder = Folder::new("survives");
    kill_a_match(&folder);
    let before = folder.file("vedette-match.json");
    let text = folder.text(&format!("{SHORT} -rounds 1"));
    assert!(text.contains("vedette-match.json holds another match (A - B"), "{text}");
    assert!(
        text.contains("-config file=vedette-match.json") && text.contains("vedette-match-2.json"),
        "{text}"
    );
    assert_eq!(folder.file("vedette-match.json"), before);
    assert!(!folder.0.join("vedette-match-2.json").exists());
    let named = folder.run(&format!("{SHORT} -rounds 1 -config outname=vedette-match.json"));
    assert_eq!(named.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&named.stderr).contains("discard=true"));
    assert_eq!(folder.file("vedette-match.json"), before);
    folder.text(&format!("{SHORT} -rounds 1 -config outname=vedette-match.json discard=true"));
    assert_eq!(folder.file("vedette-match.json").lines().count(), 3, "a named file stays");
    let output = folder.run("match -config file=vedette-match.json -engine cmd=C");
    assert_eq!(output.status.code(), Some(2), "engines cannot change any more");
}

#[test]
fn a_log_tells_the_games_and_files_begin_anew_when_asked() {
    let folder = Folder::new("log");
    let line = format!("{SHORT} -rounds 1 -log file=match.log -epdout file=end.epd append=false");
    folder.text(&line);
    folder.text(&line);
    let log = folder.file("match.log");
    assert_eq!(log.matches("Started game 1 of 2 (A vs B)").count(), 2, "{log}");
    assert_eq!(log.matches("Finished game 2").count(), 2, "{log}");
    assert_eq!(folder.file("end.epd").lines().count(), 2);
}

#[test]
fn a_book_that_cannot_be_made_is_given_up() {
    let folder = Folder::new("no-book");
    let output = folder.run("openings -n 5 --nodes 20 --low 5000 --high 6000 --give-up 40 -o book.epd");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("given up after 40 tries in a row without an opening, with 0 of 5"), "{said}");
}

#[test]
fn misspelt_words_end_with_exit_code_2_and_the_right_word() {
    let folder = Folder::new("misspelt");
    let output = folder.run("match -engine cmd=A -engine cmd=B -each tc=1 -concurency 2");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("did you mean -concurrency?"), "{said}");
    let output = folder.run("match -engine cmd=./nothing -engine cmd=B -each tc=1");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot start"));
}

#[test]
fn a_test_is_computed_from_counts() {
    let folder = Folder::new("sprt");
    let text = folder.text("sprt --penta 365 16618 36229 16974 390 --elo0 0 --elo1 2");
    assert!(text.contains("LLR      +2.250 (-2.94, 2.94)"), "{text}");
    assert_eq!(folder.run("sprt --elo0 5 --elo1 1").status.code(), Some(1));
    assert_eq!(folder.run("sprt --penta 1 2 3").status.code(), Some(2));
}

#[test]
fn a_suite_is_solved_and_written_down() {
    let folder = Folder::new("suite");
    let epd = "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"back rank\";\n\
               6k1/5ppp/8/8/8/8/8/K3R3 w - - dm 1; id \"mate\";\nnonsense\n";
    std::fs::write(folder.0.join("s.epd"), epd).expect("a writable folder");
    let text = folder.text("suite s.epd --depth 4 --csv a.csv --json a.json -v");
    assert!(text.contains("2/2"), "{text}");
    assert_eq!(folder.file("a.csv").lines().count(), 3);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&folder.file("a.json")).expect("JSON")[0]["total"]["solved"],
        2
    );
}

#[test]
fn a_book_is_made_and_played_from() {
    let folder = Folder::new("book");
    folder.text("openings -n 6 --nodes 100 --variant dfrc --low -300 --high 300 -o book.epd");
    assert_eq!(folder.file("book.epd").lines().count(), 6);
    let text = folder.text(
        "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each depth=1 option.Hash=1 -rounds 3 \
         -variant fischerandom -openings file=book.epd format=epd -maxmoves 10",
    );
    assert!(text.contains("Games: 6"), "{text}");
}

#[test]
fn parameters_are_exported_as_openbench_reads_them() {
    let folder = Folder::new("spsa");
    let text = folder.text("spsa --export");
    assert!(lab::spsa::parameter::read_parameters(&text).expect("seven fields a line").len() > 20);
}
