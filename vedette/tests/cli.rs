//! The command line: output, stderr and exit codes.

mod folder;

use std::process::{Command, Output};

use folder::Folder;

fn vedette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vedette")).args(arguments).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

fn last_line(arguments: &[&str]) -> String {
    let output = vedette(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    stdout(&output).lines().last().expect("there is a last line").to_owned()
}

/// The number after a name in a line such as `nodes 20 time 0 nps 20`.
fn field(line: &str, name: &str) -> u64 {
    let tokens: Vec<&str> = line.split(' ').collect();
    let at = tokens.iter().position(|&token| token == name).unwrap_or_else(|| panic!("{name} in {line}"));
    tokens[at + 1].parse().unwrap_or_else(|_| panic!("a number after {name} in {line}"))
}

#[test]
fn every_command_has_help() {
    let help = stdout(&vedette(&["--help"]));
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(["uci", "bench", "perft"].iter().all(|command| commands.contains(command)), "{help}");
    for command in commands.into_iter().filter(|&command| command != "help") {
        let output = vedette(&[command, "--help"]);
        let help = stdout(&output);
        assert!(output.status.success() && help.contains(&format!("vedette {command}")), "{help}");
    }
    assert_eq!(stdout(&vedette(&["--version"])), format!("vedette {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn usage_errors_exit_2() {
    let wrong: [&[&str]; 13] = [
        &["nonsense"],
        &["--nonsense"],
        &["perft"],
        &["perft", "abc"],
        &["perft", "-1"],
        &["perft", "4", "more"],
        &["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["perft", "1", "--color", "blue"],
        &["sprt", "--elo0", "5", "--elo1", "0"],
        &["sprt", "--draws", "1.5"],
        &["bench", "0"],
        &["bench", "16", "1", "0"],
        &["bench", "16", "1", "5", "default", "plies"],
    ];
    for arguments in wrong {
        let output = vedette(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("--help"), "{arguments:?}");
    }
}

#[test]
fn failure_is_one_line_and_exits_1() {
    let output = vedette(&["bench", "1", "1", "1", "/no/such/file"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.starts_with("vedette: ") && stderr.lines().count() == 1, "{stderr}");
}

#[test]
fn fen_repairs_and_errors_are_printed() {
    let repaired = vedette(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1"]);
    assert!(repaired.status.success());
    let warning = String::from_utf8_lossy(&repaired.stderr);
    assert!(
        warning.starts_with("vedette: --fen: dropped castling rights ") && warning.contains("en passant"),
        "{warning}"
    );
    let sound = vedette(&["perft", "1", "--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert!(sound.stderr.is_empty());
    let bad = vedette(&["perft", "1", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"]);
    assert!(String::from_utf8_lossy(&bad.stderr).contains("white has no king"), "{bad:?}");
}

#[test]
fn too_much_hash_is_one_line() {
    let output = vedette(&["perft", "1", "--hash", "1000000000"]);
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(stderr, "vedette: out of memory: hash table of 1000000000 MiB\n");
}

#[test]
fn arguments_are_checked_before_the_environment() {
    let with_path = |path: &str, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
        command.args(arguments).env("VEDETTE_SIMD", path).output().expect("the program starts")
    };
    let with_bad_path = |arguments: &[&str]| with_path("nonsense", arguments);
    assert!(with_bad_path(&["--help"]).status.success());
    assert_eq!(with_bad_path(&["nonsense"]).status.code(), Some(2));
    assert_eq!(with_bad_path(&["perft", "1"]).status.code(), Some(1));
    assert!(with_path("", &["perft", "1"]).status.success(), "an empty variable is as good as none");
}

#[test]
fn perft_with_threads_and_hash() {
    assert_eq!(field(&last_line(&["perft", "0"]), "nodes"), 1);
    assert_eq!(field(&last_line(&["perft", "4"]), "nodes"), 197_281);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let options: [&[&str]; 4] = [&[], &["--threads", "2"], &["--hash", "1"], &["--divide", "--threads", "2"]];
    for options in options {
        let arguments = [&["perft", "3", "--fen", kiwipete], options].concat();
        let line = last_line(&arguments);
        assert_eq!(field(&line, "nodes"), 97_862, "{arguments:?}");
        field(&line, "time");
        field(&line, "nps");
    }
}

#[test]
fn divide_prints_every_root_move() {
    let output = stdout(&vedette(&["perft", "2", "--divide"]));
    assert_eq!(output.lines().count(), 21);
    assert!(output.lines().take(20).all(|line| line.ends_with(": 20")));
    assert_eq!(field(output.lines().last().unwrap(), "nodes"), 400);
    // A king move and castling to the same square must look different.
    let king_move_or_castle = ["perft", "1", "--divide", "--fen", "5k1r/8/8/8/8/8/8/5K1R w Hh - 0 1"];
    let output = stdout(&vedette(&king_move_or_castle));
    assert!(output.contains("f1g1: 1") && output.contains("f1h1: 1"), "{output}");
    let castle = ["perft", "1", "--divide", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"];
    assert!(stdout(&vedette(&castle)).contains("e1g1: 1"));
    assert!(stdout(&vedette(&[&castle[..], &["--chess960"]].concat())).contains("e1h1: 1"));
}

/// The number behind a name on stderr, as fishtest reads it.
fn total(output: &Output, name: &str) -> u64 {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = stderr.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{name}: {stderr}"));
    line.split(": ").nth(1).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn bench_is_deterministic_plain_text() {
    let first = vedette(&["bench", "16", "1", "3"]);
    assert!(first.status.success());
    assert!(!first.stdout.contains(&0x1b), "no colour codes");
    let last = stdout(&first).lines().last().unwrap().to_owned();
    let arguments: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = arguments.as_slice() else { panic!("{last}") };
    assert_eq!(total(&first, "Nodes/second"), speed.parse::<u64>().unwrap());
    assert_eq!(total(&first, "Nodes searched"), nodes.parse::<u64>().unwrap());
    total(&first, "Total time (ms)");
    assert!(last_line(&["bench", "16", "1", "3"]).starts_with(&format!("{nodes} nodes ")));
    // As fishtest calls it.
    let same = vedette(&["bench", "16", "1", "3", "default", "depth"]);
    assert_eq!(total(&same, "Nodes searched"), total(&first, "Nodes searched"));
}

#[test]
fn bench_reads_positions_from_a_file() {
    let folder = Folder::new();
    let path = folder.file("positions.epd");
    let positions = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n\n\
        r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O; id \"castle\";\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4\n";
    std::fs::write(&path, positions).expect("a writable folder");
    let output = vedette(&["bench", "1", "1", "1", &path, "perft"]);
    assert_eq!(total(&output, "Nodes searched"), 6 + 26 + 20, "{}", stdout(&output));
    std::fs::write(&path, "nonsense\n").expect("a writable folder");
    let output = vedette(&["bench", "1", "1", "1", &path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with(&format!("vedette: {path}:1: ")));
}

/// The session is blocked in a write to stdout: a signal still ends the program.
#[test]
#[cfg(unix)]
fn signals_work_while_stdout_is_blocked() {
    use std::io::{Read, Write};
    use std::process::Stdio;
    use std::thread;
    use std::time::{Duration, Instant};

    // Under nohup the program inherits an ignored SIGHUP and must not end.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let hangup_ignored =
        ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 != 0);
    for (name, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        if name == "HUP" && hangup_ignored {
            println!("skipped: SIGHUP, which is ignored under nohup");
            continue;
        }
        // A signal that comes before the session is stuck ends it otherwise; then it is tried again with more time.
        let mut code = None;
        for milliseconds in [50, 500, 5000, 20_000] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_vedette"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut stdin = child.stdin.take().expect("it is piped");
            // Far more output than a pipe holds.
            stdin.write_all("uci\n".repeat(3000).as_bytes()).expect("it is read");
            // The session has begun. Before, SIGINT might be ignored, as shells do for commands in the background.
            let mut stdout = child.stdout.take().expect("it is piped");
            stdout.read_exact(&mut [0]).expect("it prints");
            thread::sleep(Duration::from_millis(milliseconds));
            let kill = format!("kill -{name} {}", child.id());
            Command::new("sh").args(["-c", &kill]).status().expect("there is a shell");
            let deadline = Instant::now() + Duration::from_mins(1);
            let status = loop {
                if let Some(status) = child.try_wait().expect("it can be waited for") {
                    break status;
                }
                if Instant::now() > deadline {
                    child.kill().expect("it can be killed");
                    panic!("SIG{name} does not end the program");
                }
                thread::sleep(Duration::from_millis(20));
            };
            code = status.code();
            if code == Some(128 + number) {
                break;
            }
        }
        assert_eq!(code, Some(128 + number), "SIG{name}");
    }
}

#[test]
fn debug_log_has_input_and_output() {
    let folder = Folder::new();
    let path = folder.file("log.txt");
    let option = format!("setoption name Debug Log File value {path}");
    let output = vedette(&[&option, "position startpos", "go depth 1", "isready", "quit"]);
    let log = std::fs::read_to_string(&path).expect("the log is there");
    assert!(output.status.success());
    let logged = |direction: &str| -> Vec<String> {
        let lines = log.lines().filter_map(|line| line.split_once(direction));
        lines.map(|(_, text)| text.to_owned()).collect()
    };
    assert_eq!(logged(" >> "), ["position startpos", "go depth 1", "isready", "quit"]);
    assert_eq!(logged(" << "), stdout(&output).lines().collect::<Vec<_>>());
}

/// The memory of the hash table is there when the option is set, not when the clock runs.
#[test]
#[cfg(target_os = "linux")]
fn hash_memory_is_there_before_the_search() {
    use std::io::{BufRead, BufReader, Write};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_vedette"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = engine.stdin.take().expect("a pipe");
    input.write_all(b"setoption name Hash value 192\nisready\n").expect("it reads");
    let lines = BufReader::new(engine.stdout.take().expect("a pipe")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "readyok"));
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id())).expect("Linux has it");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    let kib: u64 = resident.trim().trim_end_matches(" kB").parse().expect("a number");
    drop(input);
    assert!(engine.wait().expect("it ends").success());
    assert!(kib >= 192 * 1024, "{kib} KiB resident with a table of 192 MiB");
}

/// A closed stderr affects neither the work nor the exit code.
#[test]
#[cfg(unix)]
fn closed_stderr_is_harmless() {
    let folder = Folder::new();
    let games = folder.file("games.pgn");
    std::fs::write(&games, "1. e4 Qh8 *\n\n[White \"W\"]\n\n1. e4 e5 *\n").expect("a writable folder");
    for (arguments, code) in [
        (vec!["bench", "1", "1", "1", "/no/such/file"], 1),
        (vec!["analyse", &games, "--nodes", "10"], 0),
        (vec!["bench", "--nonsense"], 2),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_vedette"))
            .args(&arguments)
            .stderr(writer)
            .output()
            .expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {:?}", output.status);
        assert!(code > 0 || stdout(&output).contains('W'), "{}", stdout(&output));
    }
}

#[test]
#[cfg(unix)]
fn closed_stdout_is_success() {
    for arguments in ["bench 16 1 3 2>/dev/null", "perft 3 --divide"] {
        // `head` reads one line and exits; the exit code is Vedette's.
        let script = format!("( \"$0\" {arguments}; echo \"code $?\" >&2 ) | head -1 >/dev/null");
        let output =
            Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_vedette")]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "code 0\n", "{arguments}");
    }
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = vedette(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

/// With `--json` stdout has one object and nothing else; with a file the text stays.
#[test]
fn json_goes_to_stdout_or_a_file() {
    let bench = json(&["bench", "1", "1", "2", "--json"]);
    assert_eq!(bench["schema"], "vedette-bench/1");
    let positions = bench["positions"].as_array().expect("an array");
    let sum: u64 = positions.iter().map(|position| position["nodes"].as_u64().expect("a number")).sum();
    assert_eq!(bench["nodes"], sum);
    assert!(bench["seconds"].as_f64().expect("a number") > 0.0);

    let perft = json(&["perft", "2", "--divide", "--json", "-"]);
    assert_eq!((&perft["schema"], &perft["nodes"]), (&"vedette-perft/1".into(), &400.into()));
    assert_eq!(perft["moves"].as_array().expect("an array").len(), 20);
    assert_eq!(json(&["perft", "2", "--json", "-"])["moves"], serde_json::Value::Null);

    let folder = Folder::new();
    let file = folder.file("perft.json");
    let output = vedette(&["perft", "3", "--json", &file]);
    assert!(stdout(&output).starts_with("nodes 8902 "));
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("it is written")).expect("JSON");
    assert_eq!(written["nodes"], 8902);

    let trace = json(&["trace", "--depth", "3", "--json"]);
    assert_eq!(trace["schema"], "vedette-trace/2");
    let info = json(&["net", "info", "--json"]);
    assert_eq!(info["networks"].as_array().expect("an array").len(), 1);
}

/// A path that cannot be written fails before the work begins.
#[test]
fn unwritable_outputs_fail_at_once() {
    let folder = Folder::new();
    let games = folder.file("games.vd");
    std::fs::write(&games, "").expect("a writable folder");
    let lines = folder.file("lines.txt");
    std::fs::write(&lines, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 0 | 0.5\n").expect("a writable folder");
    let nowhere = "/no/such/folder/file";
    for arguments in [
        vec!["bench", "--json", nowhere],
        vec!["perft", "20", "--json", nowhere],
        vec!["trace", "--depth", "60", "--json", nowhere],
        vec!["data", "audit", &games, "--json", nowhere],
        vec!["data", "audit", &games, "--chart", nowhere],
        vec!["tune", &lines, "--epochs", "1000000", "--output", nowhere],
        vec!["tune", &lines, "--epochs", "1000000", "--write", nowhere],
        vec!["selfplay", "--games", "1000000", "--output", nowhere],
        vec!["openings", "--count", "1000000", "--output", nowhere],
    ] {
        let output = vedette(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with(&format!("vedette: {nowhere}")), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// An endless device stands for a file that is larger than the memory.
#[cfg(target_os = "linux")]
#[test]
fn endless_files_are_refused() {
    let book = "setoption name BookFile value /dev/zero";
    let cases = [
        "train /dev/zero",
        "gpu loop /dev/zero -o /dev/null",
        "bench 1 1 1 /dev/zero",
        "play --book /dev/zero",
    ];
    for arguments in cases.into_iter().chain([book]) {
        let arguments = if arguments == book { "\"$1\" quit" } else { arguments };
        // Where the limit is missing, the test must not take all memory.
        let script = format!("ulimit -v 8000000; exec \"$0\" {arguments}");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_vedette"), book])
            .output()
            .expect("a shell");
        let text = stdout(&output) + &String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("/dev/zero: larger than"), "{arguments}: {text}");
        assert!(text.lines().count() <= 3, "{arguments}: {text}");
    }
}

#[test]
fn quiet_prints_no_progress() {
    let loud = vedette(&["openings", "-n", "1", "--nodes", "10"]);
    let quiet = vedette(&["openings", "-n", "1", "--nodes", "10", "--quiet"]);
    assert!(loud.status.success() && quiet.status.success());
    assert!(!loud.stderr.is_empty());
    assert_eq!(String::from_utf8_lossy(&quiet.stderr), "");
    assert_eq!(loud.stdout, quiet.stdout);
    // Errors are not progress.
    assert!(!vedette(&["--quiet", "bench", "1", "1", "1", "/no/such/file"]).stderr.is_empty());
}

#[test]
fn color_can_be_forced_and_forbidden() {
    let has_color = |arguments: &[&str], variable: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
        command.args(arguments).env_remove("NO_COLOR").envs(variable.map(|name| (name, "1")));
        command.output().expect("the program starts").stderr.contains(&0x1b)
    };
    assert!(!has_color(&["--nonsense"], None), "not on a terminal");
    assert!(has_color(&["--color", "always", "--nonsense"], None));
    assert!(has_color(&["bench", "--color=always", "--nonsense"], None));
    let help = vedette(&["help", "bench", "--color", "always"]);
    assert!(help.status.success() && help.stdout.contains(&0x1b), "help takes it, too");
    assert!(!has_color(&["--color", "never", "--nonsense"], Some("CLICOLOR_FORCE")));
    assert!(!has_color(&["--nonsense"], Some("NO_COLOR")));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&vedette(&["completions", shell]));
        assert!(script.contains("selfplay") && script.contains("analyse"), "{shell}: {script}");
    }
    let page = stdout(&vedette(&["man"]));
    assert!(page.contains(".TH vedette 1") && page.contains("vedette\\-bench(1)"), "{page}");
    let page = stdout(&vedette(&["man", "data", "audit"]));
    assert!(page.contains(".TH vedette-data-audit 1") && page.contains("\\-\\-strict"), "{page}");
    assert_eq!(vedette(&["man", "nonsense"]).status.code(), Some(1));
    let folder = Folder::new();
    let pages = folder.file("pages");
    assert!(vedette(&["man", "--output", &pages]).status.success());
    for page in ["vedette.1", "vedette-bench.1", "vedette-gpu-loop.1"] {
        assert!(std::path::Path::new(&pages).join(page).exists(), "{page}");
    }
}

/// The example for OpenBench has what its server asks for, and builds where it says.
#[test]
fn openbench_configuration_is_complete() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let text = std::fs::read_to_string(format!("{root}/docs/openbench.json")).expect("it is there");
    let configuration: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(configuration["private"].is_boolean() && configuration["source"].is_string());
    assert!(configuration["nps"].as_u64().is_some_and(|nps| nps > 0));
    let build = &configuration["build"];
    let folder = build["path"].as_str().expect("a folder");
    assert!(std::path::Path::new(root).join(folder).join("Makefile").exists(), "{folder}");
    assert!(["compilers", "cpuflags", "systems"].iter().all(|list| build[list].is_array()), "{build}");
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        assert!(configuration[presets]["default"].is_object(), "{presets}");
    }
}

/// As OpenBench's client runs it, and reads its output.
#[test]
fn genfens_prints_openings_for_openbench() {
    let folder = Folder::new();
    let openings = |line: &str| -> Vec<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vedette"));
        let output = command.args([line, "quit"]).current_dir(folder.file("")).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        let text = stdout(&output);
        text.lines().filter_map(|line| line.strip_prefix("info string genfens ").map(str::to_owned)).collect()
    };
    let three = openings("genfens 3 seed 11 book None ");
    assert_eq!(three.len(), 3);
    for fen in &three {
        let fields: Vec<&str> = fen.split(' ').collect();
        assert_eq!(fields.len(), 6, "{fen}");
        assert!(fields[4].parse::<u32>().is_ok() && fields[5].parse::<u32>().is_ok(), "{fen}");
        chess::Position::from_fen(fen).expect("a legal position");
    }
    assert_eq!(openings("genfens 2 seed 11 book None"), three[..2], "an opening depends on its number");
    assert!(openings("genfens 3 seed 12 book None").iter().all(|fen| !three.contains(fen)));
    std::fs::write(folder.file("book.epd"), "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - hmvc 0; fmvn 1;\n")
        .expect("a writable folder");
    let from_book = openings("genfens 2 seed 1 book book.epd plies 2 score 1000 nodes 50");
    assert!(
        from_book.len() == 2 && from_book.iter().all(|fen| fen.split(' ').nth(5) == Some("2")),
        "{from_book:?}"
    );
    let dfrc = openings("genfens 2 seed 3 book None dfrc nodes 100");
    assert!(dfrc.iter().all(|fen| chess::Position::from_fen(fen).is_ok()), "{dfrc:?}");
}
