//! Properties of a trace: the tree adds up, and recording does not change the search.

use super::*;
use chess::Position;
use uci::Bound;

/// A middlegame with tactics: zero-window searches fail high in it.
const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Classical evaluation, so that the tree does not depend on the built-in network.
fn traced(fen: &str, depth: u32, size: usize) -> Trace {
    let game = Game::new(Position::from_fen(fen).expect("valid"));
    let (limits, evaluation) = (Limits::depth(depth), Evaluation::Classical);
    trace(&TraceSetup { game, limits, size, evaluation, ..TraceSetup::default() }).expect("moves")
}

/// A node's count is itself, the stored nodes below, and the hidden ones.
fn adds_up(trace: &Trace) {
    for (index, node) in trace.nodes.iter().enumerate() {
        assert_eq!(node.id as usize, index);
        let below: u64 = trace.children(node.id).map(|child| child.nodes).sum();
        let own = u64::from(node.fate != Fate::Pruned);
        assert_eq!(node.nodes, own + below + node.hidden, "{node:?}");
        assert!(node.children.is_sorted());
        for child in trace.children(node.id) {
            assert_eq!(child.parent, Some(node.id));
        }
    }
}

#[test]
fn complete_tree_adds_up() {
    let trace = traced(MIDDLEGAME, 5, usize::MAX);
    adds_up(&trace);
    assert!(trace.nodes.iter().all(|node| node.hidden == 0));
    let roots: u64 = trace.roots().iter().filter_map(|&root| trace.node(root)).map(|root| root.nodes).sum();
    let last = trace.by_iteration.last().expect("iterations");
    assert_eq!(roots, last.main_nodes + last.quiescence_nodes);
    assert_eq!(trace.by_iteration.len(), 5);
}

#[test]
fn small_tree_keeps_the_pv() {
    let (small, whole) = (traced(MIDDLEGAME, 6, 300), traced(MIDDLEGAME, 6, usize::MAX));
    adds_up(&small);
    assert!(small.nodes.len() <= 300 && small.nodes.len() > 100, "{}", small.nodes.len());
    assert_eq!((small.best.as_str(), small.score), (whole.best.as_str(), whole.score));
    let last = |trace: &Trace| trace.node(*trace.roots().last().expect("a root")).expect("kept").clone();
    assert_eq!((last(&small).nodes, last(&small).line), (last(&whole).nodes, last(&whole).line));
    // The whole PV of the root is stored.
    let why =
        small.why(&read_line(&small.position, &small.line[..3].join(" ")).expect("legal")).expect("kept");
    assert_eq!(why.nodes.len().min(3), 3);
    // Replies to a requested move are the other side's.
    let why = small.why(&read_line(&small.position, &small.line[0]).expect("legal")).expect("kept");
    let whose: Vec<&str> = why.steps.iter().filter_map(|step| step.split_whitespace().next()).collect();
    assert_eq!(whose[1..4], ["reply", "then", "reply"], "{:?}", why.steps);
}

#[test]
fn recording_does_not_change_the_search() {
    let game = Game::new(Position::from_fen(MIDDLEGAME).expect("valid"));
    let mut searcher = Searcher::with_evaluation(16, Evaluation::Classical).expect("memory");
    let silent = searcher.search_silent(&game, Limits::depth(7));
    let trace = traced(MIDDLEGAME, 7, 1000);
    assert_eq!((trace.searched, trace.score), (silent.nodes, silent.score.to_uci()));
}

#[test]
fn re_search_follows_zero_window_fail_high_at_pv_node() {
    let trace = traced(MIDDLEGAME, 7, usize::MAX);
    let again: Vec<&Node> = trace.nodes.iter().filter(|node| node.purpose == Purpose::ReSearch).collect();
    assert!(!again.is_empty());
    for node in again {
        let parent = trace.node(node.parent.expect("not a root")).expect("kept");
        assert!(parent.pv && node.pv);
        let before = trace
            .children(parent.id)
            .take_while(|child| child.id != node.id)
            .last()
            .expect("a zero-window search");
        assert_eq!((before.number, before.bound), (node.number, Bound::Lower));
        assert!(before.verdict.contains("→ re-search"), "{}", before.verdict);
    }
    let wrong =
        |node: &&Node| (node.purpose == Purpose::First) != (node.number == 1) && node.purpose.is_move();
    let wrong = |node: &&Node| wrong(node) && !node.quiescence && node.fate != Fate::Pruned;
    assert_eq!(trace.nodes.iter().filter(wrong).count(), 0);
}

#[test]
fn numbers_are_of_the_side_that_moved() {
    let trace = traced(MIDDLEGAME, 7, usize::MAX);
    let centipawns = |worth: Option<Score>| match worth {
        Some(Score::Centipawns(cp)) => Some(cp),
        _ => None,
    };
    let mut seen = [0; 3];
    for node in trace.nodes.iter().filter(|node| node.fate == Fate::Searched && !node.quiescence) {
        let (low, high) = (centipawns(node.alpha), centipawns(node.beta));
        let (Some(low), Some(high), Some(score)) = (low, high, centipawns(node.score)) else { continue };
        assert!(low <= high, "{node:?}");
        let (kind, holds) = match node.bound {
            Bound::Exact => (0, low <= score && score <= high),
            Bound::Lower => (1, score >= high),
            Bound::Upper => (2, score <= low),
        };
        assert!(holds, "{node:?}");
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    // The best move has the score of the root.
    let root = trace.node(*trace.roots().last().expect("a root")).expect("kept");
    let best = trace.children(root.id).filter(|child| child.mv == root.best).last().expect("kept");
    assert_eq!((best.score, best.bound, root.score), (Some(trace.score), Bound::Exact, Some(trace.score)));
    assert_eq!((root.ply, best.ply), (0, 1));
    // A move that failed high before is repeated up to three plies less deep.
    let less = f64::from(trace.depth) - root.depth;
    assert!((0.0..=3.0).contains(&less), "{} of {}", root.depth, trace.depth);
    assert_eq!(best.san.as_ref(), trace.line.first());
    assert!(best.line.starts_with(&trace.line[1..]), "{:?} {:?}", best.line, trace.line);
}

#[test]
fn rates_match_counts() {
    let trace = traced(MIDDLEGAME, 7, 100);
    let percent = |part: u64, of: u64| if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 };
    for row in trace.by_iteration.iter().chain(&trace.by_depth) {
        let expected = [
            (row.re_search_rate, percent(row.re_searches, row.zero_window_searches)),
            (row.pv_re_search_rate, percent(row.re_searches, row.pv_zero_window_searches)),
            (row.fail_high_rate, percent(row.fail_highs, row.zero_window_searches)),
            (row.lmr_re_search_rate, percent(row.full_depth_searches, row.reduced_searches)),
        ];
        assert!(expected.iter().all(|(rate, counted)| (rate - counted).abs() < 1e-9), "{row:?}");
    }
    let last = trace.by_iteration.last().expect("iterations");
    assert!(
        last.pv_zero_window_searches < last.zero_window_searches
            && last.re_searches > 0
            && last.reduced_searches > 0,
        "{last:?}"
    );
}

#[test]
fn unsearched_reply_has_the_reason_of_its_node() {
    let trace = traced(MIDDLEGAME, 9, usize::MAX);
    let root = *trace.roots().last().expect("a root");
    let mut asked = 0;
    for node in trace.children(root).filter(|node| node.fate == Fate::Cut && node.purpose.is_move()) {
        let mv = read_line(&trace.position, node.mv.as_deref().expect("a move")).expect("legal")[0];
        let reply = trace.position.after(mv).legal_moves()[0];
        let Ok(why) = trace.why(&[mv, reply]) else { continue };
        // The last search of the move counts.
        if why.nodes.last() != Some(&node.id) {
            continue;
        }
        let sentence = match node.reason.expect("it was cut") {
            "hash cutoff" => "the hash table has a score",
            "null move" => "even after passing",
            "reverse futility" => "so far above beta",
            "multi-cut" => "several moves fail high",
            other => panic!("at the root's moves: {other}"),
        };
        assert!(why.decision.contains("No move was searched") && why.decision.contains(sentence), "{why:?}");
        asked += 1;
    }
    assert!(asked > 0, "nothing was cut after the first move");
}

#[test]
fn pruned_move_has_its_reason() {
    let trace = traced(MIDDLEGAME, 7, usize::MAX);
    let last = *trace.roots().last().expect("a root");
    let words = [
        ("late move", "quiet moves rarely help"),
        ("futility", "too far below alpha"),
        ("exchange", "loses too much material"),
    ];
    let mut found = std::collections::BTreeSet::new();
    for pruned in trace.nodes.iter().filter(|node| node.fate == Fate::Pruned) {
        let reason = pruned.reason.expect("it was pruned");
        let path = trace.path(pruned.id);
        let nodes: Vec<&Node> = path.iter().filter_map(|&id| trace.node(id)).collect();
        let moves: Vec<Move> = nodes.iter().filter_map(|node| node.played).collect();
        // Only lines of moves, without null moves and searches of the same position.
        if found.contains(reason) || path[0] != last || moves.len() + 1 < path.len() {
            continue;
        }
        let why = trace.why(&moves).expect("kept");
        // The last search of each move counts; it may be another one than this.
        if why.nodes.last().copied() == pruned.parent && why.decision.contains("not searched") {
            let sentence = words.iter().find(|(name, _)| *name == reason).expect("a known reason").1;
            assert!(why.decision.contains(sentence), "{reason}: {}", why.decision);
            found.insert(reason);
        }
    }
    assert!(found.contains("futility") && found.len() >= 3, "{found:?}");
}

#[test]
fn nodes_and_moves_have_reasons() {
    let trace = traced(MIDDLEGAME, 8, usize::MAX);
    let has =
        |fate, reason: &str| trace.nodes.iter().any(|node| node.fate == fate && node.reason == Some(reason));
    for reason in ["hash cutoff", "reverse futility", "null move", "stand pat"] {
        assert!(has(Fate::Cut, reason), "{reason}");
    }
    for reason in ["late move", "futility", "exchange"] {
        assert!(has(Fate::Pruned, reason), "{reason}");
    }
    assert!(trace.nodes.iter().any(|node| node.purpose == Purpose::NullMove && node.san.is_none()));
}

#[test]
fn stopped_search_shows_last_complete_iteration() {
    let game = Game::new(Position::from_fen(MIDDLEGAME).expect("valid"));
    let limits = Limits { nodes: Some(20_000), ..Limits::depth(30) };
    let trace = trace(&TraceSetup { game, limits, ..TraceSetup::default() }).expect("moves");
    assert!(trace.depth > 3 && trace.depth < 30);
    assert!(trace.nodes.iter().all(|node| node.fate != Fate::Unfinished));
    adds_up(&trace);
}

#[test]
fn interrupt_ends_infinite_search() {
    let game = Game::new(Position::from_fen(MIDDLEGAME).expect("valid"));
    let request = TraceSetup { game, limits: Limits::default(), size: 1000, ..TraceSetup::default() };
    let interrupt = Arc::clone(&request.interrupt);
    let search = std::thread::spawn(move || trace(&request));
    // Without the flag this test would never end.
    std::thread::sleep(std::time::Duration::from_millis(100));
    interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let trace = search.join().expect("no panic").expect("moves");
    assert!(trace.depth >= 1 && trace.nodes.len() <= 1000);
    adds_up(&trace);
}

#[test]
fn counts_by_depth_and_iteration_agree() {
    let trace = traced(MIDDLEGAME, 6, 100);
    let sum = |rows: &[SearchRates], count: fn(&SearchRates) -> u64| rows.iter().map(count).sum::<u64>();
    for count in [
        |row: &SearchRates| row.zero_window_searches,
        |row: &SearchRates| row.re_searches,
        |row: &SearchRates| row.main_nodes,
    ] {
        assert_eq!(sum(&trace.by_depth, count), sum(&trace.by_iteration, count));
    }
    assert!(trace.by_depth[0].zero_window_searches == 0 && trace.by_depth[0].quiescence_nodes > 0);
}

#[test]
fn hanging_queen_is_refuted_by_capture() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3";
    let start = Position::from_fen(fen).expect("valid");
    let asked = read_line(&start, "Qxf7+").expect("legal");
    let request = TraceSetup {
        game: Game::new(start),
        limits: Limits::depth(7),
        focus: asked.clone(),
        ..TraceSetup::default()
    };
    let trace = trace(&request).expect("moves");
    let why = trace.why(&asked).expect("kept");
    assert_eq!((why.bound, why.refutation.first().map(String::as_str)), (Some(Bound::Upper), Some("Kxf7")));
    assert!(
        why.instead.is_some_and(|best| best != "Qxf7+")
            && why.decision.contains("Kxf7")
            && why.decision.contains("scores at most"),
        "{}",
        why.decision
    );
    // Deeper in the tree there is always an answer: a cut or a pruning.
    let line = read_line(&start, "Qxf7+ Kxf7 Nf3").expect("legal");
    let deeper = trace.why(&line).expect("kept");
    assert!(!deeper.decision.is_empty() && deeper.asked.len() == 3);
}

#[test]
fn hash_cutoff_shows_earlier_line() {
    // Hash cutoffs depend on search parameters; some iteration has one.
    let has_hash_cutoff = |depth| {
        let trace = traced(MIDDLEGAME, depth, usize::MAX);
        let last = *trace.roots().last().expect("a root");
        let mut cut = trace.children(last).filter(|node| node.reason == Some("hash cutoff"));
        cut.any(|node| !node.line.is_empty())
    };
    assert!((6..=12).any(has_hash_cutoff));
}

#[test]
fn played_move_is_explained_as_such() {
    let trace = traced(MIDDLEGAME, 5, 2000);
    let best = read_line(&trace.position, &trace.best).expect("legal");
    let why = trace.why(&best).expect("kept");
    assert!(why.decision.contains("is the move that the search plays"), "{}", why.decision);
    assert_eq!(read_line(&trace.position, "Ke8"), Err(WhyError::Illegal("Ke8".to_owned())));
    assert_eq!(read_line(&trace.position, " , "), Err(WhyError::Nothing));
}

#[test]
fn no_legal_move_no_trace() {
    let game = Game::new(Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("valid"));
    let refused = trace(&TraceSetup { game, ..TraceSetup::default() });
    assert_eq!(refused.map(drop), Err(TraceError::NoMoves));
}

#[test]
fn text_and_json_output() {
    let trace = traced(MIDDLEGAME, 5, 2000);
    let text = trace.tree_text(1);
    assert!(
        text.lines().count() > 20 && text.contains("first move") && text.contains("reduced zero-window"),
        "{text}"
    );
    assert!(trace.tree_text(0).lines().count() < text.lines().count());
    let value = serde_json::to_value(&trace).expect("plain data");
    assert_eq!(value["schema"], SCHEMA);
    assert_eq!(value["nodes"][0]["purpose"], "root");
    assert!(value["nodes"][1]["move"].is_string() && value["nodes"][1]["score"].is_object());
}
