//! Commands as text and back: what each line means, that no line at all can do harm, and that what is printed
//! is read back as it was.

use std::time::{Duration, Instant};

use chess::{Color, Position};
use proptest::prelude::*;
use uci::go::{Go, SideClock};
use uci::{Command, Parsed, PositionCommand, Remark, Start, parse};

fn command(line: &str) -> Command {
    let Parsed { command, remarks } = parse(line);
    assert_eq!(remarks, [], "{line:?}");
    command.unwrap_or_else(|| panic!("{line:?} is a command"))
}

fn remarks(line: &str) -> Vec<Remark> {
    parse(line).remarks
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
fn blank_lines_and_comments_say_nothing() {
    for line in ["", "   ", "\t \t", "# go infinite", "  # quit"] {
        assert_eq!(parse(line), Parsed::default(), "{line:?}");
    }
}

#[test]
fn blanks_around_and_between_words_do_not_matter() {
    assert_eq!(command("  \t isready \t "), Command::IsReady);
    assert_eq!(go("go    depth\t 7 ").depth, Some(7));
}

#[test]
fn unknown_words_before_a_uci_command_are_skipped_with_a_remark() {
    let Parsed { command, remarks } = parse("joho debug on");
    assert_eq!(command, Some(Command::Debug(true)));
    assert!(matches!(remarks.as_slice(), [Remark::SkippedBeforeCommand(_)]));
}

#[test]
fn own_commands_are_obeyed_only_as_first_word() {
    assert_eq!(command("d"), Command::Display);
    assert_eq!(parse("foo d").command, None);
}

#[test]
fn what_is_no_command_gives_exactly_one_remark() {
    for line in ["foo", "UCI", "Quit now", "e2e4 e7e5", "\u{feff}", "🦀 🦀"] {
        let parsed = parse(line);
        assert_eq!(parsed.command, None, "{line:?}");
        assert!(matches!(parsed.remarks.as_slice(), [Remark::UnknownCommand(_)]), "{line:?}");
    }
}

#[test]
fn option_names_and_values_may_hold_blanks() {
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
        assert_eq!(remarks(line), [Remark::OptionNeedsName], "{line:?}");
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
    let Parsed { command, remarks } = parse(&format!("position fen {fen} bm Ke2; moves e1e2"));
    assert_eq!(command, Some(position(Start::Fen(fen.to_owned()), &["e1e2"])));
    assert!(matches!(remarks.as_slice(), [Remark::IgnoredWords { command: "position", .. }]));
    let Parsed { command, remarks } = parse("position startpos e2e4");
    assert_eq!(command, Some(position(Start::Initial, &[])));
    assert!(matches!(remarks.as_slice(), [Remark::IgnoredWords { command: "position", .. }]));
    for line in
        ["position", "position fen", "position fen moves e2e4", "position moves e2e4", "position e2e4"]
    {
        assert_eq!(
            parse(line),
            Parsed { command: None, remarks: vec![Remark::PositionNeedsStart] },
            "{line:?}"
        );
    }
}

#[test]
fn a_bad_fen_gives_no_game_and_a_bad_move_ends_the_list() {
    let set_up = |line: &str| {
        let Some(Command::Position(position)) = parse(line).command else { panic!("{line:?}") };
        let mut remarks = Vec::new();
        (position.set_up(&mut remarks).map(|game| game.moves().len()), remarks.len())
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
    assert_eq!(remarks(line), []);
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
fn the_last_of_two_limits_counts_and_unknown_words_are_skipped() {
    assert_eq!(go("go depth 3 depth 5").depth, Some(5));
    assert_eq!(go("go foo 5 depth 3").depth, Some(3));
    assert!(matches!(remarks("go foo 5 depth 3").as_slice(), [Remark::IgnoredWords { command: "go", .. }]));
}

#[test]
fn a_limit_that_cannot_be_read_counts_as_the_smallest() {
    assert_eq!(go("go depth abc").depth, Some(0));
    assert_eq!(go("go movetime 1e3").move_time, Some(Duration::ZERO));
    assert_eq!(go("go wtime -100").white.remaining, Some(Duration::ZERO));
    assert!(matches!(remarks("go depth abc").as_slice(), [Remark::NotANumber { keyword: "depth", .. }]));
    let go = go("go depth nodes 5");
    assert_eq!((go.depth, go.nodes), (Some(0), Some(5)));
    assert_eq!(remarks("go depth nodes 5"), [Remark::MissingNumber("depth")]);
}

#[test]
fn limits_are_clamped_to_what_the_engine_takes() {
    let limits = |line: &str| go(line).limits(&Position::startpos(), Instant::now(), &mut Vec::new());
    assert_eq!(limits("go depth 0").depth, Some(1));
    assert_eq!(limits("go depth 999").depth, Some(engine::MAX_DEPTH));
    assert_eq!(limits("go nodes 0").nodes, Some(1));
    assert_eq!(limits("go nodes 18446744073709551615").nodes, Some(u64::MAX));
    assert_eq!(limits("go mate -3").mate, Some(1));
    let now = Instant::now();
    let clock = limits("go wtime 9223372036854775807 winc 18446744073709551615").clock.unwrap();
    assert!(now.checked_add(clock.remaining + clock.increment).is_some());
    assert_eq!(limits("go wtime 100 movestogo 0").clock.unwrap().moves_to_go, None);
}

#[test]
fn without_a_limit_for_the_mover_a_search_is_infinite() {
    let limits = |line: &str| go(line).limits(&Position::startpos(), Instant::now(), &mut Vec::new());
    for line in ["go", "go btime 1000", "go winc 5", "go movestogo 3", "go infinite", "go infinite depth 3"] {
        assert!(limits(line).infinite, "{line}");
        assert!(!go(line).ends_by_itself(Color::White), "{line}");
    }
    for line in ["go depth 3", "go wtime 5", "go nodes 3", "go movetime 3", "go mate 3"] {
        assert!(!limits(line).infinite, "{line}");
        assert!(go(line).ends_by_itself(Color::White), "{line}");
    }
    let ponder = limits("go ponder wtime 1000");
    assert!(ponder.ponder && !ponder.infinite);
}

#[test]
fn search_moves_that_cannot_be_played_are_left_out() {
    let moves = |line: &str| {
        let mut remarks = Vec::new();
        let limits = go(line).limits(&Position::startpos(), Instant::now(), &mut remarks);
        (limits.search_moves.len(), remarks.len())
    };
    assert_eq!(moves("go searchmoves e2e4 e2e5 d2d4 e2e4"), (2, 1));
    assert_eq!(moves("go searchmoves e2e5"), (0, 2));
    assert_eq!(moves("go searchmoves"), (0, 0));
}

#[test]
fn perft_and_bench_take_a_depth_or_a_remark() {
    assert_eq!(command("go perft 3"), Command::Perft(3));
    assert_eq!(command("go perft 0"), Command::Perft(0));
    assert_eq!(command("bench"), Command::Bench(None));
    assert_eq!(command("bench 7"), Command::Bench(Some(7)));
    for line in ["go perft", "go perft abc", "go perft -1", "go perft 99999999999", "bench abc", "bench -1"] {
        assert_eq!(parse(line).command, None, "{line:?}");
        assert!(matches!(remarks(line).as_slice(), [Remark::BadDepth { .. }]), "{line:?}");
    }
}

#[test]
fn remarks_are_short_single_lines_whatever_the_input() {
    let monsters =
        ["x".repeat(100_000), format!("position fen {}", "p/".repeat(50_000)), "\u{1b}[31m".to_owned()];
    for line in monsters {
        let parsed = parse(&line);
        let mut remarks = parsed.remarks;
        if let Some(Command::Position(position)) = parsed.command {
            position.set_up(&mut remarks);
        }
        assert!(!remarks.is_empty());
        for remark in remarks {
            let text = remark.to_string();
            assert!(text.chars().count() < 250 && !text.chars().any(char::is_control), "{text}");
        }
    }
}

/// Words that a fuzzer should not have to find by chance.
fn word() -> impl Strategy<Value = String> {
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
        .prop_filter("a keyword", |name| !name.split(' ').any(|word| word == "value"));
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
        any::<Option<u32>>().prop_map(Command::Bench),
        (name, value).prop_map(|(name, value)| Command::SetOption { name, value }),
        (fen, moves).prop_map(|(start, moves)| Command::Position(PositionCommand { start, moves })),
        go_command().prop_map(Command::Go),
    ]
}

proptest! {
    #[test]
    fn no_line_panics_and_what_it_means_can_be_carried_out(words in proptest::collection::vec(word(), 0..12)) {
        let parsed = parse(&words.join(" "));
        let mut remarks = parsed.remarks;
        match parsed.command {
            Some(Command::Position(position)) => {
                position.set_up(&mut remarks);
            }
            Some(Command::Go(go)) => {
                go.limits(&Position::startpos(), Instant::now(), &mut remarks);
            }
            Some(Command::SetOption { name, value }) => {
                let _ = uci::options::read(&name, value.as_deref());
            }
            _ => {}
        }
        for remark in remarks {
            prop_assert!(!remark.to_string().contains('\n'));
        }
    }

    #[test]
    fn printed_commands_are_read_back(command in any_command()) {
        let line = command.to_string();
        prop_assert_eq!(parse(&line), Parsed { command: Some(command), remarks: Vec::new() }, "{}", line);
    }

    #[test]
    fn no_bytes_upset_the_line_reader(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let ends = bytes.split(|&byte| byte == b'\n').count() - 1;
        let lines = uci::LineReader::new(bytes.as_slice()).count();
        prop_assert_eq!(lines, ends + usize::from(bytes.last().is_some_and(|&byte| byte != b'\n')));
    }
}
