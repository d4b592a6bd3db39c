//! Matches, tests, suites and books from outside: real processes, real games.

mod folder;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};

use folder::Folder;

const VEDETTE: &str = env!("CARGO_BIN_EXE_vedette");

fn command(folder: &Folder, line: &str) -> Command {
    let mut command = Command::new(VEDETTE);
    command.args(line.split_whitespace()).current_dir(folder.path());
    command
}

fn run(folder: &Folder, line: &str) -> Output {
    command(folder, line).output().expect("the program starts")
}

/// Standard output of a run that must succeed.
fn said(folder: &Folder, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// Standard error of a run that must end with this exit code.
fn complaint(folder: &Folder, line: &str, code: i32) -> String {
    let output = run(folder, line);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {complaint}");
    complaint
}

fn read(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.file(name)).expect(name)
}

fn write(folder: &Folder, name: &str, text: &str) {
    std::fs::write(folder.file(name), text).expect("a writable folder");
}

fn exists(folder: &Folder, name: &str) -> bool {
    folder.path().join(name).exists()
}

#[test]
fn the_command_line_of_every_tutorial_works() {
    let folder = Folder::new();
    let text = said(
        &folder,
        &format!(
            "match -engine cmd={VEDETTE} name=A -engine cmd={VEDETTE} name=B -each tc=10+0.1 depth=3 -rounds 2 -repeat \
         -concurrency 1 -pgnout file=games.pgn -epdout end.epd"
        ),
    );
    assert!(text.contains("Started game 1 of 4 (A vs B)"), "{text}");
    assert!(text.contains("Games: 4, Wins: "), "{text}");
    assert!(text.contains("Ptnml(0-2): ["), "{text}");
    assert!(text.trim_end().ends_with("Finished match"), "{text}");
    let games: Vec<_> = record::pgn::PgnReader::new(&read(&folder, "games.pgn")).collect();
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.replay(usize::MAX).is_ok()));
    assert_eq!(read(&folder, "end.epd").lines().count(), 4);
    assert!(!exists(&folder, "vedette-match.json"), "a finished match leaves no state");
    assert!(!exists(&folder, "vedette-faults"));
}

#[test]
fn engines_in_process_play_the_same_games_as_processes_do() {
    let folder = Folder::new();
    let play = |engine: &str| {
        let line = format!(
            "match -engine {engine} name=A -engine {engine} name=B -each depth=4 option.Hash=1 -rounds 2 -srand 5 \
             -maxmoves 30 -ratinginterval 0 -pgnout file=games.pgn append=false min=true"
        );
        said(&folder, &line);
        let moves = |game: record::pgn::PgnGame| game.moves.into_iter().map(|mv| mv.san).collect::<Vec<_>>();
        record::pgn::PgnReader::new(&read(&folder, "games.pgn")).map(moves).collect::<Vec<_>>()
    };
    assert_eq!(play("proto=inprocess"), play(&format!("cmd={VEDETTE}")));
}

#[test]
fn json_tells_every_game_and_the_end() {
    let folder = Folder::new();
    let text = said(
        &folder,
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
    let result: serde_json::Value = serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
    assert_eq!(result["encounters"][0]["first"], "A");
}

/// Two engines that need no process, and a match of some games that end soon.
const SHORT: &str = "match -engine proto=inprocess name=A -engine proto=inprocess name=B \
                     -each nodes=100 option.Hash=1 -maxmoves 6";

/// A match that is being played; it ends with its test, whatever becomes of that.
struct LongMatch(Child);

impl LongMatch {
    /// Begins a match that would last for hours, and waits until it has saved some games.
    fn begin(folder: &Folder) -> Self {
        let line = format!("{SHORT} -rounds 100000 -ratinginterval 0 -pgnout file=games.pgn");
        let child = command(folder, &line).stdout(Stdio::null()).spawn().expect("the program starts");
        let mut long = Self(child);
        long.wait_for_games(folder, 10);
        long
    }

    /// Waits until its file has so many lines.
    fn wait_for_games(&mut self, folder: &Folder, lines: usize) {
        let saved =
            || std::fs::read_to_string(folder.file("vedette-match.json")).unwrap_or_default().lines().count();
        while saved() < lines {
            assert!(self.is_running(), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("a child").is_none()
    }

    fn process(&self) -> String {
        self.0.id().to_string()
    }

    #[cfg(unix)]
    fn send(&self, signal: &str) {
        assert!(Command::new("kill").args([signal, &self.process()]).status().expect("kill").success());
    }
}

impl Drop for LongMatch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Kills a long match, as a crash would. Returns how many games it had saved.
fn kill_a_match(folder: &Folder) -> usize {
    drop(LongMatch::begin(folder));
    saved_games(folder)
}

fn saved_games(folder: &Folder) -> usize {
    let path = folder.path().join("vedette-match.json");
    arena::saved::SavedMatch::load(&path).expect("a saved match").finished.len()
}

#[test]
fn a_match_that_was_killed_goes_on_with_every_game_it_had_finished() {
    let folder = Folder::new();
    let saved = kill_a_match(&folder);
    let wanted = 2 * (saved / 2 + 3);
    let line = format!("match -config file=vedette-match.json -rounds {} -ratinginterval 1", wanted / 2);
    let text = said(&folder, &line);
    assert!(text.contains(&format!("Games: {wanted}, ")), "{text}");
    assert_eq!(text.matches("Finished game").count(), wanted - saved, "{text}");
    assert!(text.matches("Results of").count() > wanted - saved, "-ratinginterval was not heard: {text}");
    let games = record::pgn::PgnReader::new(&read(&folder, "games.pgn")).count();
    // The one that was being written when the program was killed may be there twice.
    assert!((wanted..=wanted + 1).contains(&games), "{games} instead of {wanted}");
    assert!(!exists(&folder, "vedette-match.json"), "a finished match leaves no state");
}

#[test]
fn an_interrupted_match_survives_the_next_one() {
    let folder = Folder::new();
    kill_a_match(&folder);
    let before = read(&folder, "vedette-match.json");
    let text = said(&folder, &format!("{SHORT} -rounds 1"));
    assert!(text.contains("vedette-match.json holds a match that was interrupted (A - B"), "{text}");
    assert!(
        text.contains("-config file=vedette-match.json") && text.contains("vedette-match-2.json"),
        "{text}"
    );
    assert_eq!(read(&folder, "vedette-match.json"), before);
    assert!(!exists(&folder, "vedette-match-2.json"));
    let named = complaint(&folder, &format!("{SHORT} -rounds 1 -config outname=vedette-match.json"), 1);
    assert!(named.contains("discard=true"), "{named}");
    assert_eq!(read(&folder, "vedette-match.json"), before);
    said(&folder, &format!("{SHORT} -rounds 1 -config outname=vedette-match.json discard=true"));
    assert_eq!(read(&folder, "vedette-match.json").lines().count(), 3, "a named file stays");
    // Engines cannot change any more.
    complaint(&folder, "match -config file=vedette-match.json -engine cmd=C", 2);
}

#[test]
fn a_match_that_is_being_played_is_not_taken_away() {
    let folder = Folder::new();
    let mut long = LongMatch::begin(&folder);
    let number = format!("process {}", long.process());
    let refusal = complaint(&folder, "match -config file=vedette-match.json -rounds 200000", 1);
    assert!(refusal.contains("being played now (A - B, ") && refusal.contains(&number), "{refusal}");
    let line = format!("{SHORT} -rounds 1 -config outname=vedette-match.json discard=true");
    assert!(complaint(&folder, &line, 1).contains(&number));
    let beside = said(&folder, &format!("{SHORT} -rounds 1"));
    assert!(beside.contains("belongs to a match that is being played now (A - B, "), "{beside}");
    assert!(beside.contains(&number) && beside.contains("saved in vedette-match-2.json"), "{beside}");
    assert!(long.is_running(), "it goes on");
    drop(long);
    // Nobody stumbles over the lock of a dead process.
    let rounds = saved_games(&folder);
    said(&folder, &format!("match -config file=vedette-match.json -rounds {rounds}"));
}

#[cfg(unix)]
#[test]
fn a_match_that_is_stopped_saves_its_games_and_says_so_by_its_exit_code() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = Folder::new();
        let mut long = LongMatch::begin(&folder);
        long.send(signal);
        assert_eq!(long.0.wait().expect("a child").code(), Some(code), "{signal}");
        assert!(saved_games(&folder) >= 9, "{signal}");
    }
}

/// As `nohup` starts a program: the end of the terminal is to be ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_is_to_survive_its_terminal_does() {
    let folder = Folder::new();
    let line = format!("trap '' HUP; exec {VEDETTE} {SHORT} -rounds 100000 -ratinginterval 0");
    let shell =
        Command::new("sh").args(["-c", &line]).current_dir(folder.path()).stdout(Stdio::null()).spawn();
    let mut long = LongMatch(shell.expect("a shell"));
    long.wait_for_games(&folder, 10);
    long.send("-HUP");
    let games = saved_games(&folder);
    long.wait_for_games(&folder, games + 10);
}

#[test]
fn a_match_that_nobody_reads_any_more_tells_how_to_go_on() {
    let folder = Folder::new();
    let mut command = command(&folder, &format!("{SHORT} -rounds 100000"));
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // Whoever has seen the first game closes the pipe.
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.starts_with("Finished game")));
    let output = child.wait_with_output().expect("a child");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("nobody reads"), "{complaint}");
    assert!(complaint.contains("To go on: vedette match -config file=vedette-match.json"), "{complaint}");
    assert!(saved_games(&folder) > 0);
}

#[test]
fn a_match_goes_on_from_any_folder_with_the_same_files() {
    let (folder, other) = (Folder::new(), Folder::new());
    let wanted = 2 * (kill_a_match(&folder) / 2 + 2);
    let file = format!("file={}", folder.file("vedette-match.json"));
    let rounds = (wanted / 2).to_string();
    let output = Command::new(VEDETTE)
        .args(["match", "-config", &file, "-rounds", &rounds, "-epdout", "end.epd"])
        .current_dir(other.path())
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let games = record::pgn::PgnReader::new(&read(&folder, "games.pgn")).count();
    assert!((wanted..=wanted + 1).contains(&games), "{games} instead of {wanted}");
    // New words are meant from where they are said.
    assert!(!exists(&other, "games.pgn") && exists(&other, "end.epd"));
    assert!(!exists(&folder, "vedette-match.json"), "it is over");
}

#[test]
fn a_match_cannot_be_made_shorter_than_it_is() {
    let folder = Folder::new();
    kill_a_match(&folder);
    let before = read(&folder, "vedette-match.json");
    let refusal = complaint(&folder, "match -config file=vedette-match.json -rounds 2", 2);
    assert!(refusal.contains("-rounds: '2' is not enough"), "{refusal}");
    assert_eq!(read(&folder, "vedette-match.json"), before);
}

#[test]
fn a_bad_line_in_a_book_is_found_before_the_first_game() {
    let folder = Folder::new();
    write(&folder, "book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nnonsense\n");
    let output = run(&folder, &format!("{SHORT} -rounds 5 -openings file=book.epd"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("book.epd, line 2: "), "{complaint}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("Started game"));
    assert!(!exists(&folder, "vedette-match.json"), "nothing was played");
}

/// Work must not be done for a file that cannot be written, and the file must be named.
#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_written_are_told_before_the_work() {
    let folder = Folder::new();
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    // No work of that size would ever end.
    let long_match = format!("{SHORT} -rounds 1000000");
    let long_suite = "suite s.epd --movetime 100000000";
    for place in ["/dev/full", "/no/such/folder/file"] {
        for line in [
            format!("{long_match} -output file={place}"),
            format!("{long_match} -pgnout file={place}"),
            format!("{long_match} -epdout file={place}"),
            format!("{long_match} -log file={place}"),
            format!("{long_suite} --csv {place}"),
            format!("{long_suite} --json {place}"),
            format!("openings -n 1000000 -o {place}"),
        ] {
            let complaint = complaint(&folder, &line, 1);
            assert!(complaint.starts_with(&format!("vedette: {place}: ")), "{line}: {complaint}");
            assert!(!exists(&folder, "vedette-match.json"), "{line}: {complaint}");
        }
    }
}

/// The memory of a process can be opened, and takes nothing at its beginning: the first game that is written fails.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_cannot_write_its_first_game_leaves_nothing_behind() {
    let folder = Folder::new();
    for manner in ["true", "false"] {
        let line = format!("{SHORT} -rounds 1000000 -pgnout file=/proc/self/mem append={manner}");
        let complaint = complaint(&folder, &line, 1);
        assert!(complaint.starts_with("vedette: /proc/self/mem: "), "{line}: {complaint}");
        assert!(!complaint.contains("To go on"), "{line}: {complaint}");
        assert!(!exists(&folder, "vedette-match.json"), "{line}: {complaint}");
    }
}

#[test]
fn results_that_were_there_stay_until_new_ones_are_whole() {
    let folder = Folder::new();
    write(&folder, "result.json", "old");
    write(&folder, "bad.epd", "nonsense\n");
    complaint(&folder, &format!("{SHORT} -rounds 1 -openings file=bad.epd -output file=result.json"), 1);
    assert_eq!(read(&folder, "result.json"), "old");
    said(&folder, &format!("{SHORT} -rounds 1 -output file=result.json"));
    assert!(read(&folder, "result.json").starts_with('{'));
    assert!(!exists(&folder, "result.json.part"));
}

#[test]
fn a_report_names_the_openings_that_were_played() {
    let folder = Folder::new();
    let report = |words: &str| said(&folder, &format!("{SHORT} -rounds 1 {words}"));
    assert!(report("").contains("(100 nodes, built-in book)"));
    let fischer = report("-variant fischerandom");
    assert!(fischer.contains("(100 nodes, 960 start positions)"), "{fischer}");
}

#[test]
fn a_log_tells_the_games_and_files_begin_anew_when_asked() {
    let folder = Folder::new();
    let line = format!("{SHORT} -rounds 1 -log file=match.log -epdout file=end.epd append=false");
    said(&folder, &line);
    said(&folder, &line);
    let log = read(&folder, "match.log");
    assert_eq!(log.matches("Started game 1 of 2 (A vs B)").count(), 2, "{log}");
    assert_eq!(log.matches("Finished game 2").count(), 2, "{log}");
    assert_eq!(read(&folder, "end.epd").lines().count(), 2);
}

#[test]
fn a_book_that_cannot_be_made_is_given_up() {
    let folder = Folder::new();
    let line = "openings -n 5 --nodes 20 --low 5000 --high 6000 --give-up 40 -o book.epd";
    let reason = complaint(&folder, line, 1);
    assert!(reason.contains("given up after 40 tries in a row without an opening, with 0 of 5"), "{reason}");
}

#[test]
fn misspelt_words_end_with_exit_code_2_and_the_right_word() {
    let folder = Folder::new();
    let refusal = complaint(&folder, "match -engine cmd=A -engine cmd=B -each tc=1 -concurency 2", 2);
    assert!(refusal.contains("did you mean -concurrency?"), "{refusal}");
    let refusal = complaint(&folder, "match -engine cmd=./nothing -engine cmd=B -each tc=1", 1);
    assert!(refusal.contains("cannot start"), "{refusal}");
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    for line in ["openings -n 0", "openings --nodes 0", "suite s.epd --nodes 0", "suite s.epd --option =5"] {
        complaint(&folder, line, 2);
    }
}

#[test]
fn a_test_is_computed_from_counts() {
    let folder = Folder::new();
    let text = said(&folder, "sprt --penta 365 16618 36229 16974 390 --elo0 0 --elo1 2");
    assert!(text.contains("LLR      +2.250 (-2.94, 2.94)"), "{text}");
    complaint(&folder, "sprt --elo0 5 --elo1 1", 1);
    complaint(&folder, "sprt --penta 1 2 3", 2);
}

/// Nobody knows a spread from results that are all alike, and still there is an answer.
#[test]
fn a_test_of_results_all_alike_is_computed() {
    let folder = Folder::new();
    for model in ["normalized", "logistic", "bayesian"] {
        let text = said(&folder, &format!("sprt --wdl 0 10 0 --model {model}"));
        assert!(text.contains("Elo      +0.00 +/- unknown\n"), "{text}");
        assert!(text.contains("LOS      50.00 %"), "{text}");
        assert!(!text.to_lowercase().contains("nan") && !text.contains("inf"), "{text}");
        let won = said(&folder, &format!("sprt --wdl 10 0 0 --model {model}"));
        assert!(won.contains("LOS      100.00 %") && !won.to_lowercase().contains("nan"), "{won}");
    }
    let json = said(&folder, "sprt --wdl 0 10 0 --model logistic --json");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(value["expected"][0]["course"]["games"].is_number(), "{json}");
    assert!(complaint(&folder, "sprt --draws 1", 1).contains("--draws"));
}

#[test]
fn a_suite_is_solved_and_written_down() {
    let folder = Folder::new();
    let epd = "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"back rank\";\n\
               6k1/5ppp/8/8/8/8/8/K3R3 w - - dm 1; id \"mate\";\nnonsense\n";
    write(&folder, "s.epd", epd);
    let text = said(&folder, "suite s.epd --depth 4 --csv a.csv --json a.json -v");
    assert!(text.contains("2/2"), "{text}");
    assert_eq!(read(&folder, "a.csv").lines().count(), 3);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&read(&folder, "a.json")).expect("JSON")[0]["total"]["solved"],
        2
    );
}

#[test]
fn an_engine_that_fails_in_a_suite_costs_the_others_nothing() {
    let folder = Folder::new();
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    let line = format!("suite s.epd --depth 4 --csv a.csv --engine ./nothing --engine {VEDETTE}");
    let failure = complaint(&folder, &line, 1);
    assert!(failure.contains("./nothing: ") && failure.contains("after 0 answers"), "{failure}");
    assert_eq!(read(&folder, "a.csv").lines().count(), 2);
}

#[test]
fn a_book_is_made_and_played_from() {
    let folder = Folder::new();
    said(&folder, "openings -n 6 --nodes 100 --variant dfrc --low -300 --high 300 -o book.epd");
    assert_eq!(read(&folder, "book.epd").lines().count(), 6);
    let text = said(
        &folder,
        "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each depth=1 option.Hash=1 -rounds 3 \
         -variant fischerandom -openings file=book.epd format=epd -maxmoves 10",
    );
    assert!(text.contains("Games: 6"), "{text}");
}

#[test]
fn a_book_of_chess960_is_refused_by_a_match_of_standard_chess() {
    let folder = Folder::new();
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    write(
        &folder,
        "book.epd",
        &format!("{standard}\nnrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\n"),
    );
    let line = "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each depth=1 -rounds 1 \
                -openings file=book.epd";
    let refusal = complaint(&folder, line, 1);
    assert!(refusal.contains("opening 2 ") && refusal.contains("-variant fischerandom"), "{refusal}");
}

#[test]
fn parameters_are_exported_as_openbench_reads_them() {
    let folder = Folder::new();
    let text = said(&folder, "spsa --export");
    assert!(arena::spsa::read_parameters(&text).expect("seven fields a line").len() > 20);
}
