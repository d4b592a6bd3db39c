//! Matches, SPRT, suites and opening books on the command line, with real processes and games.

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

/// The stdout of a run that must succeed.
fn stdout(folder: &Folder, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("output is text")
}

/// The stderr of a run that must exit with this code.
fn stderr(folder: &Folder, line: &str, code: i32) -> String {
    let output = run(folder, line);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {error}");
    error
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
fn fastchess_command_line_works() {
    let folder = Folder::new();
    let text = stdout(
        &folder,
        &format!(
            "match -engine cmd={VEDETTE} name=A -engine cmd={VEDETTE} name=B -each tc=10+0.1 depth=3 -rounds 2 -repeat \
         -concurrency 1 -pgnout file=games.pgn -epdout end.epd"
        ),
    );
    assert!(text.contains("Started game 1 of 4 (A vs B)"), "{text}");
    assert!(text.contains("Games: 4, Wins: "), "{text}");
    assert!(text.contains("Ptnml(0-2): ["), "{text}");
    assert!(text.contains("\nFinished match\nTotal Time: "), "{text}");
    let games: Vec<_> = record::pgn::PgnReader::new(&read(&folder, "games.pgn")).collect();
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game.replay(usize::MAX).is_ok()));
    assert_eq!(read(&folder, "end.epd").lines().count(), 4);
    assert!(!exists(&folder, "vedette-match.json"), "a finished match removes its state");
    assert!(!exists(&folder, "vedette-faults"));
}

#[test]
fn in_process_engine_plays_the_same_games() {
    let folder = Folder::new();
    let play = |engine: &str| {
        let line = format!(
            "match -engine {engine} name=A -engine {engine} name=B -each depth=4 option.Hash=1 -rounds 2 -srand 5 \
             -maxmoves 30 -ratinginterval 0 -pgnout file=games.pgn append=false min=true"
        );
        stdout(&folder, &line);
        let moves = |game: record::pgn::PgnGame| game.moves.into_iter().map(|mv| mv.san).collect::<Vec<_>>();
        record::pgn::PgnReader::new(&read(&folder, "games.pgn")).map(moves).collect::<Vec<_>>()
    };
    assert_eq!(play("proto=inprocess"), play(&format!("cmd={VEDETTE}")));
}

#[test]
fn json_reports_every_game_and_the_result() {
    let folder = Folder::new();
    let text = stdout(
        &folder,
        "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each nodes=200 option.Hash=1 -rounds 2 \
         -maxmoves 20 -output format=json file=result.json -sprt elo0=0 elo1=50",
    );
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect();
    assert_eq!(lines.len(), 5);
    assert_eq!((&lines[0]["event"], &lines[4]["event"]), (&"game".into(), &"end".into()));
    assert!(lines[0]["termination"].is_string() && lines[0]["warnings"].is_array(), "{}", lines[0]);
    assert_eq!(lines[4]["games"], 4);
    assert!(lines[4]["sprt"]["llr"].is_number());
    let result: serde_json::Value = serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
    assert_eq!(result["encounters"][0]["first"], "A");
}

/// A match of short games between two in-process engines.
const SHORT: &str = "match -engine proto=inprocess name=A -engine proto=inprocess name=B \
                     -each nodes=100 option.Hash=1 -maxmoves 6";

/// A running match, killed when the test ends.
struct LongMatch(Child);

impl LongMatch {
    /// Starts a match that would last for hours, and waits until it has saved some games.
    fn begin(folder: &Folder) -> Self {
        let line = format!("{SHORT} -rounds 100000 -ratinginterval 0 -pgnout file=games.pgn");
        let child = command(folder, &line).stdout(Stdio::null()).spawn().expect("the program starts");
        let mut long = Self(child);
        long.wait_for_games(folder, 10);
        long
    }

    /// Waits until the state file has this many lines.
    fn wait_for_games(&mut self, folder: &Folder, lines: usize) {
        let saved =
            || std::fs::read_to_string(folder.file("vedette-match.json")).unwrap_or_default().lines().count();
        while saved() < lines {
            assert!(self.is_running(), "the match ended early");
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

/// Kills a long match, as a crash would, and returns the number of saved games.
fn kill_a_match(folder: &Folder) -> usize {
    drop(LongMatch::begin(folder));
    saved_games(folder)
}

fn saved_games(folder: &Folder) -> usize {
    let path = folder.path().join("vedette-match.json");
    arena::saved::SavedMatch::load(&path).expect("a saved match").finished.len()
}

#[test]
fn killed_match_resumes_with_all_finished_games() {
    let folder = Folder::new();
    let saved = kill_a_match(&folder);
    // It may have been killed while it wrote a game, and before it saved it.
    let torn = "[Event \"Vedette match\"]\n[Site \"?\"]\n[Da";
    let before = read(&folder, "games.pgn");
    if record::pgn::PgnReader::new(&before).count() == saved {
        write(&folder, "games.pgn", &(before + torn));
    }
    let wanted = 2 * (saved / 2 + 3);
    let line = format!("match -config file=vedette-match.json -rounds {} -ratinginterval 1", wanted / 2);
    let text = stdout(&folder, &line);
    assert!(text.contains(&format!("Games: {wanted}, ")), "{text}");
    assert_eq!(text.matches("Finished game").count(), wanted - saved, "{text}");
    assert!(text.matches("Results of").count() >= 3, "-ratinginterval was ignored: {text}");
    let games = record::pgn::PgnReader::new(&read(&folder, "games.pgn")).count();
    assert_eq!(games, wanted, "{}", read(&folder, "games.pgn"));
    assert!(!exists(&folder, "vedette-match.json"), "a finished match removes its state");
}

/// Four engines of which each is much stronger than the next; a saved match that lost its last games ends in the same way.
#[test]
fn knockout_is_played_and_resumed() {
    let folder = Folder::new();
    let engine = |name: &str, nodes: u32| format!("-engine proto=inprocess name={name} nodes={nodes}");
    let line = format!(
        "match {} {} {} {} -each option.Hash=1 -tournament knockout -seeds 4 -games 4 -repeat -srand 3 \
         -concurrency 3 -pgnout file=games.pgn -config outname=state.json -output file=result.json",
        engine("A", 1000),
        engine("B", 200),
        engine("C", 40),
        engine("D", 8)
    );
    let bracket = |text: &str| -> Vec<String> {
        let is_encounter = |line: &&str| line.starts_with("Semifinal: ") || line.starts_with("Final: ");
        let lines: Vec<String> = text.lines().filter(is_encounter).map(str::to_owned).collect();
        lines[lines.len() - 3..].to_vec()
    };
    let text = stdout(&folder, &line);
    let lines = bracket(&text);
    assert!(lines[0].starts_with("Semifinal: A ") && lines[0].ends_with(" D, A advances"), "{text}");
    assert!(lines[1].starts_with("Semifinal: B ") && lines[1].ends_with(" advances"), "{text}");
    assert!(lines[2].starts_with("Final: A ") && lines[2].ends_with(" wins"), "{text}");
    let result: serde_json::Value = serde_json::from_str(&read(&folder, "result.json")).expect("JSON");
    let winner = result["knockout"]["winner"].as_str().expect("a winner");
    assert!(lines[2].ends_with(&format!(", {winner} wins")), "{text}");
    assert_eq!(result["encounters"].as_array().map(Vec::len), Some(3), "{result}");
    let rounds = |folder: &Folder| -> Vec<(String, String)> {
        let games = record::pgn::PgnReader::new(&read(folder, "games.pgn")).collect::<Vec<_>>();
        let tag = |game: &record::pgn::PgnGame, name: &str| game.tag(name).expect(name).to_owned();
        let mut rounds: Vec<_> = games.iter().map(|game| (tag(game, "Round"), tag(game, "White"))).collect();
        rounds.sort_unstable();
        rounds
    };
    let played = rounds(&folder);
    assert!(played.first().is_some_and(|(round, _)| round == "1"), "{played:?}");
    assert!(played.last().is_some_and(|(round, _)| round == "2"), "{played:?}");

    let saved = read(&folder, "state.json");
    assert_eq!(saved.lines().count(), played.len() + 1);
    let keep = |lines: usize| {
        let kept: Vec<&str> = saved.lines().take(lines).collect();
        write(&folder, "state.json", &format!("{}\n", kept.join("\n")));
    };
    // Killed before the last game was saved, which is in the PGN file already.
    keep(played.len());
    let text = stdout(&folder, "match -config file=state.json");
    assert_eq!((bracket(&text), text.matches("Finished game").count()), (lines.clone(), 1), "{text}");
    assert_eq!(rounds(&folder), played);
    // With three games of the first round; the PGN file has those that are lost, too.
    keep(4);
    let text = stdout(&folder, "match -config file=state.json -concurrency 1");
    assert_eq!(bracket(&text), lines, "{text}");
    assert_eq!(text.matches("Finished game").count(), played.len() - 3, "{text}");
    assert_eq!(rounds(&folder), played);
    let error = stderr(&folder, "match -config file=state.json -rounds 9", 2);
    assert!(error.contains("-rounds of a knockout cannot be changed"), "{error}");
}

#[test]
fn next_match_keeps_an_interrupted_one() {
    let folder = Folder::new();
    kill_a_match(&folder);
    let before = read(&folder, "vedette-match.json");
    let text = stdout(&folder, &format!("{SHORT} -rounds 1"));
    assert!(text.contains("vedette-match.json holds an interrupted match (A - B"), "{text}");
    assert!(
        text.contains("-config file=vedette-match.json") && text.contains("vedette-match-2.json"),
        "{text}"
    );
    assert_eq!(read(&folder, "vedette-match.json"), before);
    assert!(!exists(&folder, "vedette-match-2.json"));
    let named = stderr(&folder, &format!("{SHORT} -rounds 1 -config outname=vedette-match.json"), 1);
    assert!(named.contains("discard=true"), "{named}");
    assert_eq!(read(&folder, "vedette-match.json"), before);
    stdout(&folder, &format!("{SHORT} -rounds 1 -config outname=vedette-match.json discard=true"));
    assert_eq!(read(&folder, "vedette-match.json").lines().count(), 3, "a named file stays");
    // Engines cannot be changed.
    stderr(&folder, "match -config file=vedette-match.json -engine cmd=C", 2);
}

#[test]
fn running_match_is_locked() {
    let folder = Folder::new();
    let mut long = LongMatch::begin(&folder);
    let number = format!("process {}", long.process());
    let refusal = stderr(&folder, "match -config file=vedette-match.json -rounds 200000", 1);
    assert!(refusal.contains("match in progress (A - B, ") && refusal.contains(&number), "{refusal}");
    let line = format!("{SHORT} -rounds 1 -config outname=vedette-match.json discard=true");
    assert!(stderr(&folder, &line, 1).contains(&number));
    let beside = stdout(&folder, &format!("{SHORT} -rounds 1"));
    assert!(beside.contains("belongs to a match in progress (A - B, "), "{beside}");
    assert!(beside.contains(&number) && beside.contains("saved in vedette-match-2.json"), "{beside}");
    assert!(long.is_running(), "still running");
    drop(long);
    // The lock of a dead process is ignored.
    let rounds = saved_games(&folder);
    stdout(&folder, &format!("match -config file=vedette-match.json -rounds {rounds}"));
}

#[cfg(unix)]
#[test]
fn stopped_match_saves_its_games() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let folder = Folder::new();
        let mut long = LongMatch::begin(&folder);
        long.send(signal);
        assert_eq!(long.0.wait().expect("a child").code(), Some(code), "{signal}");
        assert!(saved_games(&folder) >= 9, "{signal}");
    }
}

/// `nohup` starts a program with SIGHUP ignored.
#[cfg(target_os = "linux")]
#[test]
fn nohup_match_survives_hangup() {
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
fn closed_stdout_ends_the_match() {
    let folder = Folder::new();
    let mut command = command(&folder, &format!("{SHORT} -rounds 100000"));
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // Close the pipe after the first game.
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.starts_with("Finished game")));
    let output = child.wait_with_output().expect("a child");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("stdout closed"), "{error}");
    assert!(error.contains("To resume: vedette match -config file=vedette-match.json"), "{error}");
    assert!(saved_games(&folder) > 0);
}

#[test]
fn match_resumes_from_any_directory() {
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
    // New paths are relative to the current directory.
    assert!(!exists(&other, "games.pgn") && exists(&other, "end.epd"));
    assert!(!exists(&folder, "vedette-match.json"), "it is over");
}

#[test]
fn match_cannot_be_shortened() {
    let folder = Folder::new();
    kill_a_match(&folder);
    let before = read(&folder, "vedette-match.json");
    let refusal = stderr(&folder, "match -config file=vedette-match.json -rounds 2", 2);
    assert!(refusal.contains("-rounds: invalid value '2'"), "{refusal}");
    assert_eq!(read(&folder, "vedette-match.json"), before);
}

#[test]
fn bad_book_line_fails_before_the_first_game() {
    let folder = Folder::new();
    write(&folder, "book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nnonsense\n");
    let output = run(&folder, &format!("{SHORT} -rounds 5 -openings file=book.epd"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("book.epd, line 2: "), "{error}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("Started game"));
    assert!(!exists(&folder, "vedette-match.json"), "nothing was played");
}

/// An unwritable output fails before any work, with its path.
#[cfg(target_os = "linux")]
#[test]
fn unwritable_files_fail_before_the_work() {
    let folder = Folder::new();
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    // These would run for days.
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
            let error = stderr(&folder, &line, 1);
            assert!(error.starts_with(&format!("vedette: {place}: ")), "{line}: {error}");
            assert!(!exists(&folder, "vedette-match.json"), "{line}: {error}");
        }
    }
}

/// /proc/self/mem can be opened, but writing at its start fails: so does the first game.
#[cfg(target_os = "linux")]
#[test]
fn failed_first_game_leaves_no_state() {
    let folder = Folder::new();
    for manner in ["true", "false"] {
        let line = format!("{SHORT} -rounds 1000000 -pgnout file=/proc/self/mem append={manner}");
        let error = stderr(&folder, &line, 1);
        assert!(error.starts_with("vedette: /proc/self/mem: "), "{line}: {error}");
        assert!(!error.contains("To resume"), "{line}: {error}");
        assert!(!exists(&folder, "vedette-match.json"), "{line}: {error}");
    }
}

#[test]
fn old_results_stay_until_replaced() {
    let folder = Folder::new();
    write(&folder, "result.json", "old");
    write(&folder, "bad.epd", "nonsense\n");
    stderr(&folder, &format!("{SHORT} -rounds 1 -openings file=bad.epd -output file=result.json"), 1);
    assert_eq!(read(&folder, "result.json"), "old");
    stdout(&folder, &format!("{SHORT} -rounds 1 -output file=result.json"));
    assert!(read(&folder, "result.json").starts_with('{'));
    assert!(!exists(&folder, "result.json.part"));
}

#[test]
fn report_names_the_openings() {
    let folder = Folder::new();
    let report = |options: &str| stdout(&folder, &format!("{SHORT} -rounds 1 {options}"));
    assert!(report("").contains("(100 nodes, 1t, 1MB, built-in book)"));
    let fischer = report("-variant fischerandom");
    assert!(fischer.contains("(100 nodes, 1t, 1MB, 960 start positions)"), "{fischer}");
}

#[test]
fn log_has_all_games_and_append_can_be_off() {
    let folder = Folder::new();
    let line = format!("{SHORT} -rounds 1 -log file=match.log -epdout file=end.epd append=false");
    stdout(&folder, &line);
    stdout(&folder, &line);
    let log = read(&folder, "match.log");
    assert_eq!(log.matches("Started game 1 of 2 (A vs B)").count(), 2, "{log}");
    assert_eq!(log.matches("Finished game 2").count(), 2, "{log}");
    assert_eq!(read(&folder, "end.epd").lines().count(), 2);
}

#[test]
fn impossible_book_fails() {
    let folder = Folder::new();
    let line = "openings -n 5 --nodes 20 --min-score 5000 --max-score 6000 --max-attempts 40 -o book.epd";
    let reason = stderr(&folder, line, 1);
    assert!(reason.contains("no opening in 40 attempts, after 0 of 5"), "{reason}");
}

#[test]
fn misspelt_option_exits_2_with_a_suggestion() {
    let folder = Folder::new();
    let refusal = stderr(&folder, "match -engine cmd=A -engine cmd=B -each tc=1 -concurency 2", 2);
    assert!(refusal.contains("did you mean -concurrency?"), "{refusal}");
    let refusal = stderr(&folder, "match -engine cmd=./nothing -engine cmd=B -each tc=1", 1);
    assert!(refusal.contains("cannot start"), "{refusal}");
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    for line in ["openings -n 0", "openings --nodes 0", "suite s.epd --nodes 0", "suite s.epd --option =5"] {
        stderr(&folder, line, 2);
    }
}

#[test]
fn sprt_from_counts() {
    let folder = Folder::new();
    let text = stdout(&folder, "sprt --penta 365 16618 36229 16974 390 --elo0 0 --elo1 2");
    assert!(text.contains("LLR      +2.250 (-2.94, 2.94)"), "{text}");
    stderr(&folder, "sprt --elo0 5 --elo1 1", 2);
    stderr(&folder, "sprt --penta 1 2 3", 2);
}

/// Equal results have no variance, but there is still an answer.
#[test]
fn sprt_of_equal_results() {
    let folder = Folder::new();
    for model in ["normalized", "logistic", "bayesian"] {
        let text = stdout(&folder, &format!("sprt --wdl 0 10 0 --model {model}"));
        assert!(text.contains("Elo      +0.00 +/- unknown\n"), "{text}");
        assert!(text.contains("LOS      50.00 %"), "{text}");
        assert!(!text.to_lowercase().contains("nan") && !text.contains("inf"), "{text}");
        let won = stdout(&folder, &format!("sprt --wdl 10 0 0 --model {model}"));
        assert!(won.contains("LOS      100.00 %") && !won.to_lowercase().contains("nan"), "{won}");
    }
    let json = stdout(&folder, "sprt --wdl 0 10 0 --model logistic --json");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(value["expected"][0]["games"].is_number(), "{json}");
    assert!(stderr(&folder, "sprt --draws 1", 2).contains("--draws"));
}

/// The forecast of hopeless results was NaN.
#[test]
fn sprt_of_one_sided_results() {
    let folder = Folder::new();
    for counts in ["57 1 2 0 0", "0 0 2 1 57", "60 0 0 0 0"] {
        let text = stdout(&folder, &format!("sprt --penta {counts}"));
        assert!(!text.to_lowercase().contains("nan"), "{text}");
    }
    assert!(stdout(&folder, "sprt --penta 57 1 2 0 0").contains("H1 accepted with probability 0 %"));
}

#[test]
fn suite_writes_csv_and_json() {
    let folder = Folder::new();
    let epd = "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"back rank\";\n\
               6k1/5ppp/8/8/8/8/8/K3R3 w - - dm 1; id \"mate\";\nnonsense\n";
    write(&folder, "s.epd", epd);
    let text = stdout(&folder, "suite s.epd --depth 4 --csv a.csv --json a.json -v");
    assert!(text.contains("2/2"), "{text}");
    let csv = read(&folder, "a.csv");
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.starts_with("engine,position,fen,expected,move,san,score,solved,"), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&read(&folder, "a.json")).expect("JSON");
    assert_eq!(
        (&json["schema"], &json["engines"][0]["total"]["solved"]),
        (&"vedette-suite/1".into(), &2.into())
    );
    assert_eq!(json["engines"][0]["command"], "", "Vedette in this process has none");
    let first = &json["engines"][0]["positions"][0];
    let texts = ["fen", "expected", "move", "san"].map(|key| first[key].as_str().expect(key));
    assert_eq!(texts, ["6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Re8#", "e1e8", "Re8#"]);
    assert_eq!(first["score"]["mate"], 1);
    assert!(first["seconds"].is_f64() && first["solved_seconds"].is_number(), "{first}");
}

/// A script calls engines by what they report, not by their path.
#[test]
fn suite_names_engines_as_they_report() {
    let folder = Folder::new();
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm #1;\n7k/8/5K2/6Q1/8/8/8/8 b - - bm #-1;\n");
    let text = stdout(&folder, &format!("suite s.epd --depth 4 --json - --engine {VEDETTE}"));
    let json: serde_json::Value = serde_json::from_str(&text).expect("nothing but JSON");
    let json = &json["engines"];
    assert!(json[0]["engine"].as_str().expect("a name").starts_with("Vedette "), "{json}");
    assert_eq!(json[0]["command"], VEDETTE);
    assert_eq!(
        (&json[0]["total"]["positions"], &json[0]["total"]["solved"]),
        (&2.into(), &2.into()),
        "{json}"
    );
}

#[test]
fn suite_continues_after_a_failed_engine() {
    let folder = Folder::new();
    write(&folder, "s.epd", "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#;\n");
    let line = format!("suite s.epd --depth 4 --csv a.csv --engine ./nothing --engine {VEDETTE}");
    let failure = stderr(&folder, &line, 1);
    assert!(failure.contains("./nothing: ") && failure.contains("after 0 positions"), "{failure}");
    assert_eq!(read(&folder, "a.csv").lines().count(), 2);
}

#[test]
fn generated_book_can_be_played() {
    let folder = Folder::new();
    stdout(&folder, "openings -n 6 --nodes 100 --variant dfrc --min-score -300 --max-score 300 -o book.epd");
    assert_eq!(read(&folder, "book.epd").lines().count(), 6);
    let text = stdout(
        &folder,
        "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each depth=1 option.Hash=1 -rounds 3 \
         -variant fischerandom -openings file=book.epd format=epd -maxmoves 10",
    );
    assert!(text.contains("Games: 6"), "{text}");
}

#[test]
fn chess960_book_needs_the_variant() {
    let folder = Folder::new();
    let standard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    write(
        &folder,
        "book.epd",
        &format!("{standard}\nnrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1\n"),
    );
    let line = "match -engine proto=inprocess name=A -engine proto=inprocess name=B -each depth=1 -rounds 1 \
                -openings file=book.epd";
    let refusal = stderr(&folder, line, 1);
    assert!(refusal.contains("opening 2 ") && refusal.contains("-variant fischerandom"), "{refusal}");
}

#[test]
fn spsa_export_is_openbench_format() {
    let folder = Folder::new();
    let text = stdout(&folder, "spsa --export");
    assert!(arena::spsa::read_parameters(&text).expect("seven fields per line").len() > 20);
}
