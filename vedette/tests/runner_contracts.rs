//! What programs that run fastchess rely on: the rules of fishtest's worker and of OpenBench's client, and the file in which
//! fastchess saves a match. `vedette match` stands in the place of fastchess.

mod folder;

use std::collections::HashMap;
use std::process::Command;

use folder::Folder;

const VEDETTE: &str = env!("CARGO_BIN_EXE_vedette");

/// The output of a match that must succeed, and its exit code must be 0.
fn play(folder: &Folder, arguments: &[&str]) -> String {
    let mut command = Command::new(VEDETTE);
    let output = command.arg("match").args(arguments).current_dir(folder.path()).output().expect("a program");
    let error = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && error.is_empty(), "{text}\n{error}");
    text
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The numbers after a label, as a regular expression of digits would find them.
fn numbers(line: &str, label: &str) -> Option<Vec<u64>> {
    let rest = line.split_once(label)?.1;
    let fields = rest.split([',', ']', '(']).map(|field| field.split(": ").last().unwrap_or_default().trim());
    Some(fields.map_while(|field| field.trim_start_matches('[').parse().ok()).collect())
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1)))
    })
}

/// The worker reads both streams, counts crashes and time losses by words in any line, asserts after each report that pairs
/// and games agree and that no more than a batch is new, and takes the checksum of the PGN file.
fn check_as_fishtest(text: &str, games_to_play: u64, batch: u64) -> String {
    let (mut updated, mut crashes, mut time_losses) = (0, 0, 0);
    let (mut results, mut pairs, mut checksum) = (None, None, String::new());
    let mut is_finished = false;
    for line in text.lines() {
        if line.contains("has CRC32:") {
            line.split_whitespace().last().expect("a word").clone_into(&mut checksum);
        }
        if line.contains("Finished match") {
            assert_eq!(updated, games_to_play, "finished uncleanly: {text}");
            is_finished = true;
        }
        crashes += u64::from(line.contains("disconnect") || line.contains("stall"));
        time_losses += u64::from(line.contains("on time") || line.contains("timeout"));
        if line.starts_with("Games: ") {
            results = numbers(line, "Games: ").filter(|found| found.len() == 4);
            assert!(results.is_some() && line.contains(", Points: "), "{line}");
        }
        if line.contains("Ptnml(0-2): ") {
            pairs = numbers(line, "Ptnml(0-2): ").filter(|found| found.len() == 5);
            assert!(pairs.is_some(), "{line}");
        }
        if let (Some(&[games, wins, losses, draws]), Some(counts)) = (results.as_deref(), &pairs) {
            assert_eq!(2 * counts.iter().sum::<u64>(), wins + losses + draws, "{line}");
            assert_eq!(games, 2 * counts.iter().sum::<u64>(), "{line}");
            assert!(games <= updated + batch && games <= games_to_play, "{games} after {updated}");
            if games == updated + batch || games == games_to_play {
                updated = games;
            }
            (results, pairs) = (None, None);
        }
    }
    assert!(is_finished, "{text}");
    assert_eq!((crashes, time_losses), (0, 0), "{text}");
    checksum
}

/// The worker's command line.
fn fishtest_line(new: &str, concurrency: &str) -> Vec<String> {
    let line = format!(
        "-testEnv -recover -repeat -games 2 -rounds 6 -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 \
         -report penta=true -pgnout file=games.pgn append=false -crc32 pgn=true -site tests/view/1 -event Batch \
         -srand 7 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -variant standard \
         -concurrency {concurrency} -force-concurrency -check-mate-pvs -maxmoves 12 \
         -engine name=New-0123456789ab tc=100+1 nodes=60 cmd={VEDETTE} dir=. option.Hash=1 {new} \
         -engine name=Base-ba9876543210 tc=100+1 nodes=60 cmd={VEDETTE} dir=. option.Hash=1 \
         -each proto=uci option.Threads=1"
    );
    words(&line).into_iter().map(str::to_owned).collect()
}

#[test]
fn fishtest_worker_accepts_the_output() {
    let folder = Folder::new();
    let line = fishtest_line("", "1");
    let text = play(&folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
    let checksum = check_as_fishtest(&text, 12, 2);
    let pgn = std::fs::read(folder.file("games.pgn")).expect("games");
    assert_eq!(checksum, format!("{:#x}", crc32(&pgn)));
    assert_eq!(text.matches("has CRC32:").count(), 12);
    let header =
        "Results of New-0123456789ab vs Base-ba9876543210 (100+1, 60 nodes, 1t, 1MB, built-in book):";
    assert!(text.contains(header), "{text}");
    assert_eq!(text.matches("Results of").count(), 6, "no report twice: {text}");
}

/// With several games at a time a report may come between the games of another pair.
#[test]
fn fishtest_worker_accepts_concurrent_games() {
    let folder = Folder::new();
    let line = fishtest_line("", "3");
    let text = play(&folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
    check_as_fishtest(&text, 12, 2);
}

/// Workers kill the runner when a test has ended, and start the next match in the same folder.
#[test]
fn killed_matches_of_workers_leave_one_file() {
    let folder = Folder::new();
    for name in ["vedette-testenv.json", "vedette-match.json"] {
        std::fs::write(folder.file(name), "the rest of a match").expect("a folder");
    }
    let mut line = fishtest_line("", "1");
    let rounds = line.iter().position(|word| word == "-rounds").expect("an option");
    "1".clone_into(&mut line[rounds + 1]);
    let text = play(&folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(!text.contains("vedette-match") && !text.contains("vedette-testenv"), "{text}");
    assert!(!std::path::Path::new(&folder.file("vedette-testenv.json")).exists(), "removed at the end");
    assert!(std::path::Path::new(&folder.file("vedette-match.json")).exists(), "of another match");
}

/// The worker ends a run at these.
#[test]
fn fishtest_worker_finds_option_warnings() {
    let folder = Folder::new();
    let line = fishtest_line("option.ThreatBySafePawn=1 option.MultiPV=-354", "1");
    let text = play(&folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
    let warns =
        |found: &dyn Fn(&str) -> bool| text.lines().any(|line| line.starts_with("Warning; ") && found(line));
    assert!(warns(&|line| line.contains("New-0123456789ab doesn't have option ThreatBySafePawn")), "{text}");
    assert!(warns(&|line| line.starts_with("Warning; Invalid value for option MultiPV; -354")), "{text}");
}

/// The client reads ASCII lines up to the first empty one, and takes the number and the result of each game from its third
/// and seventh word.
fn check_as_openbench(text: &str) -> [u64; 5] {
    let mut pentanomial = [0; 5];
    let mut games: HashMap<u64, usize> = HashMap::new();
    for line in text.lines() {
        assert!(!line.trim().is_empty() && line.is_ascii(), "{line:?}");
        if !line.contains("Finished game") {
            continue;
        }
        let reason = line.split(':').nth(1).expect("a reason");
        assert!(
            !["disconnect", "stalls", "on time", "illegal"].iter().any(|word| reason.contains(word)),
            "{line}"
        );
        let words = words(line);
        let number: u64 = words[2].parse().expect("a number");
        let result = ["0-1", "1/2-1/2", "1-0"].iter().position(|known| *known == words[6]);
        games.insert(number, result.expect("a result"));
        let (first, second) = if number % 2 == 1 { (number, number + 1) } else { (number - 1, number) };
        if let (Some(a), Some(b)) = (games.get(&first), games.get(&second)) {
            pentanomial[a + 2 - b] += 1;
        }
    }
    pentanomial
}

#[test]
fn openbench_client_accepts_the_output() {
    let folder = Folder::new();
    let line = format!(
        "-repeat -recover -testEnv -srand 3 -variant standard -concurrency 2 -force-concurrency -games 8 \
         -engine dir=. cmd={VEDETTE} proto=uci depth=3 option.Hash=1 name=Vedette-dev \
         -engine dir=. cmd={VEDETTE} proto=uci depth=1 option.Hash=1 name=Vedette-base -maxmoves 10 \
         -pgnout file=games.pgn seldepth=true nodes=true"
    );
    let mut arguments = words(&line);
    arguments.push("match_line=^info depth 1 .*");
    let text = play(&folder, &arguments);
    let pairs = check_as_openbench(&text);
    let report = text.lines().rfind(|line| line.starts_with("Ptnml")).expect("a report");
    assert_eq!(numbers(report, "Ptnml(0-2): ").expect("counts"), pairs);
    // Games are sliced at empty lines, and tags and comments found by their names.
    let pgn = std::fs::read_to_string(folder.file("games.pgn")).expect("games");
    let parts: Vec<&str> = pgn.trim_end().split("\n\n").collect();
    assert_eq!(parts.len(), 16, "{pgn}");
    for [tags, moves] in parts.as_chunks::<2>().0 {
        for tag in
            ["Event", "Site", "Date", "Round", "White", "Black", "Result", "TimeControl", "GameEndTime"]
        {
            assert!(tags.contains(&format!("[{tag} \"")), "{tag}: {tags}");
        }
        for tag in ["EngineWhiteName", "EngineWhiteAuthor", "GameStartTime", "GameDuration", "PlyCount"] {
            assert!(tags.contains(&format!("[{tag} \"")), "{tag}: {tags}");
        }
        assert!(moves.contains(" n=") && moves.contains(" sd="), "{moves}");
        assert!(moves.replace('\n', " ").contains("line=\"info depth 1 "), "{moves}");
    }
}

/// `vedette match` with the options of a short match of two engines at depth 1.
fn short(folder: &Folder, options: &str) -> String {
    let line = format!(
        "-engine cmd={VEDETTE} name=A -engine cmd={VEDETTE} name=B -each depth=1 option.Hash=1 -maxmoves 8 -rounds 2 \
         -srand 5 {options}"
    );
    play(folder, &words(&line))
}

#[test]
fn reports_count_complete_pairs() {
    let folder = Folder::new();
    let text = short(&folder, "-ratinginterval 1");
    let games: Vec<u64> =
        text.lines().filter_map(|line| numbers(line, "Games: ")).map(|found| found[0]).collect();
    assert_eq!(games, [2, 4], "{text}");
    let tail: Vec<&str> = text.lines().rev().take(2).collect();
    assert!(tail[1] == "Finished match" && tail[0].starts_with("Total Time: 0"), "{text}");
    let singles = short(&folder, "-ratinginterval 1 -report penta=false");
    assert_eq!(singles.matches("Games: ").count(), 4, "{singles}");
    let cutechess = short(&folder, "-ratinginterval 0 -output format=cutechess");
    assert_eq!(cutechess.matches("Score of A vs B: ").count(), 5, "{cutechess}");
}

#[test]
fn long_algebraic_pgn() {
    let folder = Folder::new();
    // Only pieces can move, so that no move is written as in UCI.
    std::fs::write(folder.file("pieces.epd"), "4k2r/8/8/8/8/8/8/RN2K3 w - - 0 1\n").expect("a folder");
    short(&folder, "-pgnout file=a.pgn notation=lan min=true -openings file=pieces.epd format=epd");
    let pgn = std::fs::read_to_string(folder.file("a.pgn")).expect("games");
    let text = pgn.split("\n\n").nth(1).expect("moves");
    let moves: Vec<&str> = text.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    assert!(moves.len() > 4, "{pgn}");
    for mv in &moves[..moves.len() - 1] {
        let (piece, squares) = mv.split_at(1);
        assert!(["K", "R", "N"].contains(&piece), "{mv}: {pgn}");
        let squares = squares.replace('x', "");
        assert_eq!(squares.trim_end_matches(['+', '#']).len(), 4, "{mv}: {pgn}");
    }
    assert!(!pgn.contains("PlyCount") && !pgn.contains('{'), "{pgn}");
}

/// The decision of an SPRT, and what follows it.
#[test]
fn sprt_ends_as_in_fastchess() {
    let folder = Folder::new();
    let line = format!(
        "-engine cmd={VEDETTE} name=A depth=4 -engine cmd={VEDETTE} name=B depth=1 -each option.Hash=1 -rounds 200 \
         -resign movecount=1 score=300 -sprt elo0=0 elo1=300 alpha=0.4 beta=0.4 model=logistic"
    );
    let text = play(&folder, &words(&line));
    let at = text.find("SPRT ([0.00, 300.00]) completed - H").expect(&text);
    assert!(text[at..].contains(" was accepted\n"), "{text}");
    assert!(text[at..].contains("\nFinished match\n"), "{text}");
}

#[test]
fn engines_ponder() {
    let folder = Folder::new();
    short(&folder, "-each ponder -log file=a.log engine=true");
    let log = std::fs::read_to_string(folder.file("a.log")).expect("a log");
    let sent = |command: &str| log.lines().filter(|line| line.ends_with(command)).count();
    assert!(sent("setoption name Ponder value true") >= 2, "{log}");
    let searches = log.matches("> A#").count();
    assert!(searches == 0 || log.contains("go ponder"), "{log}");
    assert!(log.contains(": go ponder depth 1"), "{log}");
    // Each ponder search ends by a hit or a miss.
    assert!(sent(": ponderhit") + sent(": stop") > 0, "{log}");
    assert!(!log.contains("unexpected bestmove"), "{log}");
}

#[cfg(target_os = "linux")]
#[test]
fn games_are_bound_to_cpus() {
    let folder = Folder::new();
    let text = short(&folder, "-use-affinity");
    assert!(text.contains("Games: 4, "), "{text}");
    let refused = Command::new(VEDETTE)
        .args(words("match -engine proto=inprocess -engine proto=inprocess -each nodes=9 -use-affinity 1023"))
        .current_dir(folder.path())
        .output()
        .expect("a program");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("-use-affinity: no CPU 1023"));
}

#[test]
fn compliance_steps() {
    let folder = Folder::new();
    let run = |engine: &str| {
        let mut command = Command::new(VEDETTE);
        command
            .args(["match", "--compliance", engine])
            .current_dir(folder.path())
            .output()
            .expect("a program")
    };
    let passed = run(VEDETTE);
    let text = String::from_utf8_lossy(&passed.stdout);
    assert!(passed.status.success() && text.ends_with("Engine passed all compliance checks.\n"), "{text}");
    let failed = run("true");
    assert_eq!(failed.status.code(), Some(1), "{}", String::from_utf8_lossy(&failed.stderr));
    assert!(String::from_utf8_lossy(&failed.stdout).contains("Failed Step 1: start the engine"));
}

#[test]
fn version_of_the_runner() {
    for option in ["-v", "-version", "--version"] {
        let output = Command::new(VEDETTE).args(["match", option]).output().expect("a program");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("Vedette "), "{option}: {text}");
        // As OpenBench's client finds a version: the first digits with dots.
        let version = text.split(|c: char| !c.is_ascii_digit() && c != '.').find(|word| word.contains('.'));
        let numbers = version.expect(&text).split('.').map(|number| number.parse::<u32>().expect(&text));
        assert!(numbers.collect::<Vec<_>>() >= vec![1, 8, 1], "{text}: OpenBench would build a fastchess");
    }
}

/// OpenBench's client starts and ends its runner by the name `fastchess-ob`.
#[cfg(unix)]
#[test]
fn name_of_a_runner_plays_a_match() {
    let folder = Folder::new();
    let engines =
        format!("-engine cmd={VEDETTE} name=A -engine cmd={VEDETTE} name=B -each depth=1 option.Hash=1");
    for (name, last) in [("fastchess-ob", "Ptnml(0-2): "), ("cutechess-cli", "Score of A vs B: ")] {
        std::os::unix::fs::symlink(VEDETTE, folder.file(name)).expect("a folder");
        let line = format!("{engines} -rounds 1 -maxmoves 4");
        let output = Command::new(folder.file(name))
            .args(words(&line))
            .current_dir(folder.path())
            .output()
            .expect("a program");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains(last), "{name}: {text}");
        assert!(text.contains("Finished match"), "{name}: {text}");
    }
}

/// What fastchess alpha 1.8.2 saves.
const FASTCHESS_CONFIG: &str = r#"{
    "resign": {"move_count": 3, "score": 600, "twosided": false, "enabled": true},
    "draw": {"move_number": 30, "move_count": 8, "score": 8, "enabled": false},
    "maxmoves": {"move_count": 10, "enabled": true},
    "tb_adjudication": {"syzygy_dirs": "", "max_pieces": 0, "ignore_50_move_rule": false, "enabled": false},
    "opening": {"file": "", "format": 2, "order": 1, "plies": -1, "start": 1},
    "pgn": {
        "additional_lines_rgx": [], "event_name": "Fastchess Tournament", "site": "?", "file": "games.pgn",
        "notation": 0, "append_file": true, "track_nodes": true, "track_seldepth": false, "track_nps": false,
        "track_hashfull": false, "track_tbhits": false, "track_timeleft": false, "track_latency": false,
        "track_pv": false, "min": false, "crc": false
    },
    "epd": {"file": "", "append_file": true},
    "sprt": {"alpha": 0.0, "beta": 0.0, "elo0": 0.0, "elo1": 0.0, "model": "normalized", "enabled": false},
    "config_name": "config.json", "output": 0, "seed": 951, "variant": 0, "type": 0, "gauntlet_seeds": 1,
    "ratinginterval": 10, "scoreinterval": 1, "wait": 0, "autosaveinterval": 20, "games": 2, "rounds": 6,
    "concurrency": 1, "force_concurrency": false, "recover": false, "noswap": false, "reverse": false,
    "report_penta": true, "affinity": false, "check_mate_pvs": false, "show_latency": false,
    "log": {"file": "", "level": 2, "append_file": true, "compress": false, "realtime": true, "engine_coms": false},
    "engines": [
        {
            "name": "A", "dir": "", "cmd": "VEDETTE", "args": "", "restart": false, "options": [["Hash", "1"]],
            "limit": {
                "tc": {"increment": 0, "fixed_time": 0, "time": 0, "moves": 0, "timemargin": 20},
                "nodes": 40, "plies": 0
            },
            "variant": 0
        },
        {
            "name": "B", "dir": "", "cmd": "VEDETTE", "args": "", "restart": false, "options": [["Hash", "1"]],
            "limit": {
                "tc": {"increment": 0, "fixed_time": 0, "time": 0, "moves": 0, "timemargin": 20},
                "nodes": 40, "plies": 0
            },
            "variant": 0
        }
    ],
    "stats": {
        "A vs B": {
            "wins": 3, "losses": 1, "draws": 4,
            "penta_WW": 1, "penta_WD": 1, "penta_WL": 0, "penta_DD": 1, "penta_LD": 1, "penta_LL": 0
        }
    }
}"#;

fn fastchess_config() -> String {
    FASTCHESS_CONFIG.replace("VEDETTE", VEDETTE)
}

#[test]
fn fastchess_match_is_continued() {
    let folder = Folder::new();
    std::fs::write(folder.file("config.json"), fastchess_config()).expect("a folder");
    let text = play(&folder, &["-config", "file=config.json"]);
    assert!(text.contains("Resuming A: runs "), "{text}");
    assert!(text.contains("config.json was written by fastchess: continuing after 8 games"), "{text}");
    assert!(text.contains("Started game 9 of 12 (A vs B)"), "{text}");
    assert_eq!(text.matches("Finished game").count(), 4, "{text}");
    let report = text.lines().rfind(|line| line.starts_with("Games: 12, ")).expect(&text);
    let found = numbers(report, "Games: ").expect("numbers");
    assert!(found[1] >= 3 && found[2] >= 1 && found[3] >= 4, "{report}");
    // Who had White in the games of fastchess is not in its file.
    assert!(text.contains("Colours, openings and times are known of 4 of 12 games"), "{text}");
    assert!(text.contains("Opening pairs: 2 played"), "{text}");
    assert!(text.contains("Distinct games: ") && text.contains(" of 4\n"), "{text}");
    let pgn = std::fs::read_to_string(folder.file("games.pgn")).expect("games");
    assert_eq!(pgn.matches("[Event \"Fastchess Tournament\"]").count(), 4);
    // Its own file stays as it is.
    assert_eq!(std::fs::read_to_string(folder.file("config.json")).expect("a file"), fastchess_config());
    let again =
        play(&folder, &["-config", "file=config.json", "stats=false", "-rounds", "1", "-pgnout", "b.pgn"]);
    assert!(again.contains("Games: 2, "), "{again}");
}

/// Two options of this program as parameters: `UCI_Elo` decides who wins.
#[test]
fn spsa_tunes_options_of_any_engine() {
    let folder = Folder::new();
    let run = |arguments: &str| {
        let output = Command::new(VEDETTE)
            .args(words(arguments))
            .current_dir(folder.path())
            .output()
            .expect("a program");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, exported, _) = run(&format!("spsa --engine {VEDETTE} --export"));
    assert_eq!(code, Some(0));
    assert!(exported.lines().all(|line| line.split(", ").count() == 7), "{exported}");
    std::fs::write(folder.file("p.txt"), "MultiPV, int, 3, 1, 5, 1, 0.002\n").expect("a folder");
    let line = format!(
        "spsa p.txt --engine {VEDETTE} --option Hash=1 --nodes 30 --iterations 3 --pairs 1 --concurrency 2 --state s.json"
    );
    let (code, tuned, error) = run(&line);
    assert_eq!(code, Some(0), "{error}");
    assert!(tuned.starts_with("MultiPV, int, ") && tuned.ends_with(", 1, 5, 1, 0.002\n"), "{tuned}");
    let (code, _, error) = run(&line);
    assert!(code == Some(0) && error.contains("3 of 3 iterations"), "{error}");
    let clock =
        format!("spsa p.txt --engine {VEDETTE} --tc 0.5+0.01 --iterations 1 --pairs 1 --option Hash=1");
    assert_eq!(run(&clock).0, Some(0));
    std::fs::write(folder.file("bad.txt"), "Multi, int, 3, 1, 5, 1, 0.002\n").expect("a folder");
    let (code, _, error) = run(&format!("spsa bad.txt --engine {VEDETTE} --iterations 1"));
    assert!(code == Some(1) && error.contains("no option Multi; did you mean MultiPV?"), "{error}");
}
