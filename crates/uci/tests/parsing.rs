//! Parsing of commands: the meaning of each line, no panics, and round trips.

use std::time::Duration;

use chess::{Color, Position};
use proptest::prelude::*;
use uci::go::{Go, SideClock};
use uci::{BenchCommand, BenchLimit, Command, Parsed, PositionCommand, SpeedTest, Start, Warning, parse};

fn command(line: &str) -> Command {
    let Parsed { command, warnings } = parse(line);
    assert_eq!(warnings, [], "{line:?}");
    command.unwrap_or_else(|| panic!("{line:?} is a command"))
}

fn warnings(line: &str) -> Vec<Warning> {
    parse(line).warnings
}

fn go(line: &str) -> Go {
    match parse(line).command {
        Some(Command::Go(go)) => go,
        other => panic!("{line:?} is {other:?}"),
    }
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}

#[test]
fn blank_lines_and_comments_are_ignored() {
    for line in ["", "   ", "\t \t", "# go infinite", "  # quit"] {
        assert_eq!(parse(line), Parsed::default(), "{line:?}");
    }
}

#[test]
fn whitespace_does_not_matter() {
    assert_eq!(command("  \t isready \t "), Command::IsReady);
    assert_eq!(go("go    depth\t 7 ").depth, Some(7));
}

#[test]
fn unknown_tokens_before_a_command_are_skipped() {
    let Parsed { command, warnings } = parse("joho debug on");
    assert_eq!(command, Some(Command::Debug(true)));
    assert!(matches!(warnings.as_slice(), [Warning::SkippedBeforeCommand(_)]));
}

#[test]
fn extensions_must_come_first() {
    assert_eq!(command("d"), Command::Display);
    assert_eq!(parse("foo d").command, None);
}

#[test]
fn unknown_command_gives_one_warning() {
    for line in ["foo", "UCI", "Quit now", "e2e4 e7e5", "\u{feff}", "🦀 🦀"] {
        let parsed = parse(line);
        assert_eq!(parsed.command, None, "{line:?}");
        assert!(matches!(parsed.warnings.as_slice(), [Warning::UnknownCommand(_)]), "{line:?}");
    }
}

#[test]
fn option_names_and_values_may_hold_spaces() {
    let set = |name: &str, value: Option<&str>| Command::SetOption {
        name: name.to_owned(),
        value: value.map(str::to_owned),
    };
    assert_eq!(command("setoption name Hash value 64"), set("Hash", Some("64")));
    assert_eq!(command("setoption name  Move   Overhead value  30 "), set("Move Overhead", Some("30")));
    assert_eq!(command("setoption name Clear Hash"), set("Clear Hash", None));
    assert_eq!(command("setoption name Path value /a  b/value c"), set("Path", Some("/a  b/value c")));
    assert_eq!(command("setoption name Path value"), set("Path", Some("")));
    for line in
        ["setoption", "setoption name", "setoption value 3", "setoption name value 3", "setoption Hash 3"]
    {
        assert_eq!(parse(line).command, None, "{line:?}");
        assert_eq!(warnings(line), [Warning::OptionNeedsName], "{line:?}");
    }
}

#[test]
fn positions_are_split_into_start_and_moves() {
    let position = |start: Start, moves: &[&str]| {
        Command::Position(PositionCommand { start, moves: moves.iter().map(|&mv| mv.to_owned()).collect() })
    };
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(command("position startpos"), position(Start::Initial, &[]));
    assert_eq!(command("position startpos moves"), position(Start::Initial, &[]));
    assert_eq!(command("position startpos moves e2e4 e7e5"), position(Start::Initial, &["e2e4", "e7e5"]));
    assert_eq!(
        command(&format!("position fen  {fen}  moves e1e2")),
        position(Start::Fen(fen.to_owned()), &["e1e2"])
    );
    let Parsed { command, warnings } = parse(&format!("position fen {fen} bm Ke2; moves e1e2"));
    assert_eq!(command, Some(position(Start::Fen(fen.to_owned()), &["e1e2"])));
    assert!(matches!(warnings.as_slice(), [Warning::IgnoredTokens { command: "position", .. }]));
    let Parsed { command, warnings } = parse("position startpos e2e4");
    assert_eq!(command, Some(position(Start::Initial, &[])));
    assert!(matches!(warnings.as_slice(), [Warning::IgnoredTokens { command: "position", .. }]));
    for line in
        ["position", "position fen", "position fen moves e2e4", "position moves e2e4", "position e2e4"]
    {
        assert_eq!(
            parse(line),
            Parsed { command: None, warnings: vec![Warning::PositionNeedsStart] },
            "{line:?}"
        );
    }
}

#[test]
fn bad_fen_gives_no_game_and_bad_move_ends_the_list() {
    let set_up = |line: &str| {
        let Some(Command::Position(position)) = parse(line).command else { panic!("{line:?}") };
        let mut warnings = Vec::new();
        (position.set_up(&mut warnings).map(|game| game.moves().len()), warnings.len())
    };
    assert_eq!(set_up("position startpos moves e2e4 e7e5"), (Some(2), 0));
    assert_eq!(set_up("position startpos moves e2e4 e2e4 e7e5"), (Some(1), 1));
    assert_eq!(set_up("position fen startpos"), (None, 1));
    assert_eq!(set_up("position fen 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"), (Some(0), 1));
}

#[test]
fn every_limit_of_go_is_read() {
    let line = "go wtime 1 btime 2 winc 3 binc 4 movestogo 5 depth 6 nodes 7 mate 8 movetime 9 searchmoves e2e4 d2d4";
    let expected = Go {
        white: SideClock { remaining: Some(milliseconds(1)), increment: Some(milliseconds(3)) },
        black: SideClock { remaining: Some(milliseconds(2)), increment: Some(milliseconds(4)) },
        moves_to_go: Some(5),
        depth: Some(6),
        nodes: Some(7),
        mate: Some(8),
        move_time: Some(milliseconds(9)),
        search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
        ..Go::default()
    };
    assert_eq!(go(line), expected);
    assert_eq!(warnings(line), []);
    assert_eq!(go("go infinite"), Go { infinite: true, ..Go::default() });
    assert_eq!(go("go ponder wtime 5").white.remaining, Some(milliseconds(5)));
}

#[test]
fn search_moves_end_at_the_next_keyword() {
    let go = go("go searchmoves e2e4 d2d4 depth 3");
    assert_eq!(go.search_moves, ["e2e4", "d2d4"]);
    assert_eq!(go.depth, Some(3));
}

#[test]
fn last_of_two_limits_counts() {
    assert_eq!(go("go depth 3 depth 5").depth, Some(5));
    assert_eq!(go("go foo 5 depth 3").depth, Some(3));
    assert!(matches!(
        warnings("go foo 5 depth 3").as_slice(),
        [Warning::IgnoredTokens { command: "go", .. }]
    ));
}

#[test]
fn limit_without_a_number_is_the_minimum() {
    assert_eq!(go("go depth abc").depth, Some(0));
    assert_eq!(go("go movetime 1e3").move_time, Some(Duration::ZERO));
    assert_eq!(go("go wtime -100").white.remaining, Some(Duration::ZERO));
    assert!(matches!(warnings("go depth abc").as_slice(), [Warning::NotANumber { keyword: "depth", .. }]));
    let go = go("go depth nodes 5");
    assert_eq!((go.depth, go.nodes), (Some(0), Some(5)));
    assert_eq!(warnings("go depth nodes 5"), [Warning::MissingNumber("depth")]);
}

#[test]
fn no_limit_for_side_to_move_is_infinite() {
    for line in ["go", "go btime 1000", "go winc 5", "go movestogo 3", "go infinite", "go infinite depth 3"] {
        assert!(!go(line).ends_by_itself(Color::White), "{line}");
    }
    for line in ["go depth 3", "go wtime 5", "go nodes 3", "go movetime 3", "go mate 3"] {
        assert!(go(line).ends_by_itself(Color::White), "{line}");
    }
}

#[test]
fn illegal_search_moves_are_ignored() {
    let moves = |line: &str| {
        let mut warnings = Vec::new();
        (go(line).legal_search_moves(&Position::startpos(), &mut warnings).len(), warnings.len())
    };
    assert_eq!(moves("go searchmoves e2e4 e2e5 d2d4 e2e4"), (2, 1));
    assert_eq!(moves("go searchmoves e2e5"), (0, 2));
    assert_eq!(moves("go searchmoves"), (0, 0));
}

#[test]
fn perft_needs_a_valid_depth() {
    assert_eq!(command("go perft 3"), Command::Perft(3));
    assert_eq!(command("go perft 0"), Command::Perft(0));
    for line in ["go perft", "go perft abc", "go perft -1", "go perft 99999999999"] {
        assert_eq!(parse(line).command, None, "{line:?}");
        assert!(matches!(warnings(line).as_slice(), [Warning::BadArgument { .. }]), "{line:?}");
    }
}

#[test]
fn warnings_are_short_single_lines() {
    let monsters =
        ["x".repeat(100_000), format!("position fen {}", "p/".repeat(50_000)), "\u{1b}[31m".to_owned()];
    for line in monsters {
        let parsed = parse(&line);
        let mut warnings = parsed.warnings;
        if let Some(Command::Position(position)) = parsed.command {
            position.set_up(&mut warnings);
        }
        assert!(!warnings.is_empty());
        for warning in warnings {
            let text = warning.to_string();
            assert!(text.chars().count() < 250 && !text.chars().any(char::is_control), "{text}");
        }
    }
}

/// Tokens that a fuzzer should not have to find by chance.
fn token() -> impl Strategy<Value = String> {
    let known = "uci debug on off isready setoption name value register ucinewgame position startpos fen moves go \
                 searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite perft stop \
                 ponderhit quit d eval flip bench help Hash MultiPV e2e4 e7e8q e1h1 0000 0 1 -5 99999999999999999999 \
                 4k3/8/8/8/8/8/8/4K3 w b - KQkq e3";
    let known: Vec<&'static str> = known.split_ascii_whitespace().collect();
    prop_oneof![4 => proptest::sample::select(known).prop_map(str::to_owned), 1 => any::<String>()]
}

fn move_text() -> impl Strategy<Value = String> {
    "[a-h][1-8][a-h][1-8][qrbn]?"
}

fn go_command() -> impl Strategy<Value = Go> {
    let time = || proptest::option::of((0..=u64::from(u32::MAX)).prop_map(milliseconds));
    let side = || (time(), time()).prop_map(|(remaining, increment)| SideClock { remaining, increment });
    let numbers = (
        any::<Option<u32>>(),
        any::<Option<u64>>(),
        any::<Option<u32>>(),
        any::<Option<u32>>(),
        any::<bool>(),
        any::<bool>(),
    );
    let moves = proptest::collection::vec(move_text(), 0..4);
    (numbers, side(), side(), time(), moves).prop_map(
        |((depth, nodes, mate, moves_to_go, infinite, ponder), white, black, move_time, search_moves)| Go {
            depth,
            nodes,
            mate,
            move_time,
            white,
            black,
            moves_to_go,
            infinite,
            ponder,
            search_moves,
        },
    )
}

fn any_command() -> impl Strategy<Value = Command> {
    let name = "[A-Za-z_]{1,8}( [A-Za-z_]{1,8}){0,2}"
        .prop_filter("a keyword", |name| !name.split(' ').any(|token| token == "value"));
    let value = proptest::option::of("|[!-~]{1,9}( [!-~]{1,9}){0,3}");
    let fen = prop_oneof![
        Just(Start::Initial),
        Just(Start::Fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".to_owned()))
    ];
    let moves = proptest::collection::vec(move_text(), 0..5);
    prop_oneof![
        proptest::sample::select(vec![
            Command::Uci,
            Command::Debug(true),
            Command::Debug(false),
            Command::IsReady,
            Command::Register,
            Command::UciNewGame,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
            Command::Display,
            Command::Evaluate,
            Command::Flip,
            Command::Compiler,
            Command::License,
            Command::Help,
        ]),
        any::<u32>().prop_map(Command::Perft),
        (1..=usize::MAX, 1..=usize::MAX, 1..=u64::MAX, "[!-~]{1,9}", 0..BenchLimit::ALL.len()).prop_map(
            |(hash_mb, threads, limit, file, kind)| {
                Command::Bench(BenchCommand { hash_mb, threads, limit, file, kind: BenchLimit::ALL[kind] })
            }
        ),
        proptest::option::of(1..=usize::MAX)
            .prop_map(|threads| { Command::SpeedTest(SpeedTest { threads, ..SpeedTest::default() }) }),
        proptest::option::of("[!-~]{1,9}( [!-~]{1,9}){0,3}").prop_map(Command::ExportNetwork),
        (name, value).prop_map(|(name, value)| Command::SetOption { name, value }),
        (fen, moves).prop_map(|(start, moves)| Command::Position(PositionCommand { start, moves })),
        go_command().prop_map(Command::Go),
    ]
}

proptest! {
    #[test]
    fn no_line_panics(tokens in proptest::collection::vec(token(), 0..12)) {
        let parsed = parse(&tokens.join(" "));
        let mut warnings = parsed.warnings;
        match parsed.command {
            Some(Command::Position(position)) => {
                position.set_up(&mut warnings);
            }
            Some(Command::Go(go)) => {
                go.legal_search_moves(&Position::startpos(), &mut warnings);
            }
            _ => {}
        }
        for warning in warnings {
            prop_assert!(!warning.to_string().contains('\n'));
        }
    }

    #[test]
    fn printed_commands_are_read_back(command in any_command()) {
        let line = command.to_string();
        prop_assert_eq!(parse(&line), Parsed { command: Some(command), warnings: Vec::new() }, "{}", line);
    }

    #[test]
    fn line_reader_accepts_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let ends = bytes.split(|&byte| byte == b'\n').count() - 1;
        let lines = uci::LineReader::new(bytes.as_slice()).count();
        prop_assert_eq!(lines, ends + usize::from(bytes.last().is_some_and(|&byte| byte != b'\n')));
    }
}
