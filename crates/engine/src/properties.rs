//! What must be true of the search, as functions that can fail. Each is a test of its own; and under the
//! `mutants` feature every named bug must make at least one of them fail.

use crate::clock::Budget;
use crate::evaluation::{Evaluation, Evaluator};
use crate::table::{Entry, Table, table_key};
use crate::{
    BENCH_POSITIONS, Bound, Clock, Engine, Event, Limits, NodeCut, Score, SearchResult, Searcher, Statistics,
};
use chess::{Game, Move, Position};
use std::sync::mpsc::channel;
use std::time::Duration;
use uci::Info;

type Check = Result<(), String>;
#[cfg(feature = "mutants")]
type Property = fn() -> Check;

/// Makes a test of each property, or a list of them where bugs can be switched on.
macro_rules! properties {
    ($($name:ident,)*) => {
        // With bugs switched on and off by one test, no other may look.
        #[cfg(not(feature = "mutants"))]
        mod holds {
            $(#[test]
            fn $name() {
                if let Err(complaint) = super::$name() {
                    panic!("{complaint}");
                }
            })*
        }

        #[cfg(feature = "mutants")]
        const ALL: &[(&str, Property)] = &[$((stringify!($name), $name),)*];
    };
}

properties! {
    evaluation_is_symmetric,
    search_is_symmetric,
    a_knight_counts_for_its_owner,
    tables_are_upright,
    mates_have_the_right_distance,
    mates_are_played_out,
    mate_is_told_from_stalemate,
    checks_are_answered_at_the_horizon,
    captures_are_followed,
    perpetual_check_is_seen,
    repetition_is_a_draw,
    fifty_moves_are_a_draw,
    zugzwang_is_seen,
    table_cutoffs_are_sound,
    table_holds_what_was_found,
    hash_moves_are_checked,
    new_game_forgets,
    nodes_are_counted,
    statistics_are_healthy,
    notorious_positions_are_searched_cleanly,
    forced_results_need_no_table,
    root_moves_are_scouted,
    good_moves_come_early,
    trees_have_their_size,
    tactics_are_found,
    one_iteration_is_enough,
    openings_are_sound,
    the_clock_is_used,
    special_moves_are_searched,
    draws_are_seen_at_the_leaves,
    scores_are_the_movers,
    only_wanted_moves_are_searched,
    node_limits_are_obeyed,
    broken_iterations_are_told_soundly,
    increments_are_counted_on,
    the_flag_is_never_reached,
}

const MIDDLEGAMES: [&str; 8] = [
    "r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// An engine that judges by rules: what is asked here is asked of the search, whatever network there is.
fn searcher() -> Searcher {
    Searcher::with_evaluation(16, Evaluation::Classical).expect("there is memory")
}

/// What a fresh engine finds. A search that runs wild, as some bugs make it, is cut short.
fn think(fen: &str, limits: Limits) -> SearchResult {
    let limits = Limits { nodes: Some(2_000_000), ..limits };
    searcher().search_silent(&Game::new(position(fen)), limits)
}

/// The best move in UCI notation.
fn best_of(found: &SearchResult) -> String {
    found.best.map_or_else(String::new, |mv| mv.uci(false).to_string())
}

fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(complaint()) }
}

/// A simple generator of random numbers, so that every run sees the same positions.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Positions of random games.
fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut random = Random(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut game = Game::default();
        for _ in 0..random.below(120) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
        }
        if game.position().has_legal_move() {
            positions.push(*game.position());
        }
    }
    positions
}

fn evaluation_is_symmetric() -> Check {
    let mut evaluator = Evaluator::new();
    for position in random_positions(1500, 1) {
        let (value, mirrored) =
            (evaluator.evaluate(&position), evaluator.evaluate(&position.color_mirrored()));
        ensure(value == mirrored, || format!("{value} and {mirrored} in {position:?}"))?;
    }
    Ok(())
}

fn search_is_symmetric() -> Check {
    let random = random_positions(24, 2);
    let positions = || MIDDLEGAMES.iter().map(|fen| position(fen)).chain(random.iter().copied());
    let judges = [Evaluation::Classical, Evaluation::default()];
    for (judge, position) in
        judges.iter().flat_map(|judge| positions().map(move |position| (judge, position)))
    {
        let think = |position: Position| {
            // So small that entries are in each other's way.
            let mut searcher = Searcher::with_evaluation(1, judge.clone()).expect("there is memory");
            searcher.search_silent(&Game::new(position), Limits::depth(14))
        };
        let (found, mirrored) = (think(position), think(position.color_mirrored()));
        let flip = |mv: Move| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind());
        let flipped: Vec<Move> = mirrored.pv.iter().copied().map(flip).collect();
        ensure((found.score, found.nodes, &found.pv) == (mirrored.score, mirrored.nodes, &flipped), || {
            format!("{found:?} and {mirrored:?} in {position:?}")
        })?;
    }
    Ok(())
}

fn a_knight_counts_for_its_owner() -> Check {
    for (fen, white_is_up) in [
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true),
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", true),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", false),
    ] {
        let white_moves = position(fen).turn() == chess::Color::White;
        for score in [Evaluator::new().evaluate(&position(fen)), think(fen, Limits::depth(6)).score.0] {
            let good = if white_moves == white_is_up { score > 200 } else { score < -200 };
            ensure(good, || format!("{score} for the side to move in {fen}"))?;
        }
    }
    Ok(())
}

fn tables_are_upright() -> Check {
    // Each pair: the first is better for White than the second.
    for (better, worse) in [
        ("7k/8/p7/P7/8/8/8/7K w - - 0 1", "7k/8/8/p7/P7/8/8/7K w - - 0 1"),
        ("k7/4P3/8/8/8/8/8/4K3 w - - 0 1", "k7/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        (
            "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/N7/8/PPPPPPPP/R1BQKBNR b KQkq - 0 1",
        ),
        (
            "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w - - 0 1",
            "rnbq1rk1/pppp1ppp/5n2/2b1p3/2B1P3/4KN2/PPPP1PPP/RNBQ1R2 w - - 0 1",
        ),
    ] {
        for mirrored in [false, true] {
            let value = |fen: &str| {
                let position = position(fen);
                let seen = if mirrored { position.color_mirrored() } else { position };
                let sign = if position.turn() == chess::Color::White { 1 } else { -1 };
                sign * Evaluator::new().evaluate(&seen)
            };
            ensure(value(better) > value(worse), || {
                format!("{} <= {}: {better}", value(better), value(worse))
            })?;
        }
    }
    Ok(())
}

/// Positions with the half moves to mate, for the side to move if odd, against it if even.
const MATES: [(&str, usize); 14] = [
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
    ("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", 2),
    ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 3),
    ("8/6k1/R7/8/8/8/8/1R5K b - - 0 1", 4),
    ("8/8/7k/8/R7/8/8/1R5K w - - 0 1", 5),
    ("1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1", 7),
    ("3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1", 9),
    // A longer mate is found long before these: it must not keep the shorter one out of sight.
    ("8/6k1/8/8/8/8/R7/1R5K w - - 0 1", 5),
    ("8/4R3/3k4/6K1/2R5/8/8/8 w - - 0 1", 5),
    ("8/8/8/4R3/6k1/8/7R/6K1 w - - 0 1", 5),
    ("8/8/5K2/2Q5/7k/8/8/8 w - - 0 1", 5),
    ("K7/8/4Q3/8/4R3/8/6k1/8 w - - 0 1", 5),
    ("2k5/3R4/K7/8/8/1N6/8/8 w - - 0 1", 5),
];

fn mates_have_the_right_distance() -> Check {
    for (fen, plies) in MATES {
        let expected = if plies % 2 == 1 { Score::mate_in(plies) } else { Score::mated_in(plies) };
        let found = think(fen, Limits::depth(plies as u32 + 24));
        ensure(found.score == expected, || format!("{:?} instead of {plies} plies in {fen}", found.score))?;
        ensure(found.pv.len() == plies, || format!("a line of {} plies in {fen}", found.pv.len()))?;
        let end = found.pv.iter().fold(position(fen), |position, &mv| position.after(mv));
        ensure(end.in_check() && !end.has_legal_move(), || format!("the line does not mate in {fen}"))?;
    }
    Ok(())
}

fn mates_are_played_out() -> Check {
    for fen in ["1k6/8/8/2Q5/2K5/8/8/8 w - - 0 1", "3k4/8/8/8/2Q5/2K5/8/8 w - - 0 1"] {
        let mut searcher = searcher();
        let mut game = Game::new(position(fen));
        let mut left: Option<usize> = None;
        while game.outcome().is_none() {
            // The first search fills the table; the later ones lean on what it holds.
            let depth = if left.is_none() { 16 } else { 8 };
            let found = searcher.search_silent(&game, Limits::depth(depth));
            let Some(distance) = found.score.mate_distance() else {
                return Err(format!("no mate seen any more in {:?}", game.position()));
            };
            if let Some(left) = left {
                ensure(distance < left, || format!("{distance} after {left} in {:?}", game.position()))?;
            }
            left = Some(distance);
            game.play(found.best.expect("a legal move"));
        }
        ensure(game.outcome().is_some_and(|end| end.winner().is_some()), || format!("{:?}", game.outcome()))?;
    }
    Ok(())
}

fn mate_is_told_from_stalemate() -> Check {
    // The queen can mate or stalemate; and a side that is lost can be stalemated.
    for depth in 1..=4 {
        let found = think("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", Limits::depth(depth));
        ensure(found.score == Score::mate_in(1), || format!("{:?} at depth {depth}", found.score))?;
    }
    let found = think("6k1/R7/8/8/8/8/8/1R5K b - - 0 1", Limits::depth(4));
    ensure(found.score == Score::mated_in(2), || format!("{:?} when being mated", found.score))?;
    // Any move but one stalemates: that one must be found.
    let found = think("7k/5K2/8/6P1/8/8/8/8 w - - 0 1", Limits::depth(8));
    ensure(found.score.0 > 100, || format!("{:?} in a won pawn ending", found.score))?;
    // King in the corner against the wrong bishop: stalemate and nothing else saves it.
    let found = think("7k/8/6KP/8/8/8/8/5B2 w - - 0 1", Limits::depth(4));
    ensure(!found.score.is_mate(), || format!("{:?} against the wrong corner", found.score))?;
    // Stalemate at the horizon: taking the last pawn is no win.
    let found = think("8/8/8/8/8/1k6/p7/K7 b - - 0 1", Limits::depth(3));
    ensure(found.score.0.abs() < 200, || format!("{:?} where the king is stalemated", found.score))
}

fn checks_are_answered_at_the_horizon() -> Check {
    // A capture that mates, seen with a single iteration: the mated side has no right to stand pat.
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
    let found = think(fen, Limits::depth(1));
    ensure(found.score == Score::mate_in(1), || format!("{:?} with mate on the board", found.score))
}

fn captures_are_followed() -> Check {
    // The pawn is protected; a search of one ply without quiescence would take it.
    let fen = "4k3/2p1p3/3p4/8/8/8/8/3QK3 w - - 0 1";
    let found = think(fen, Limits::depth(1));
    ensure(best_of(&found) != "d1d6", || format!("{found:?} in {fen}"))?;
    // A hanging queen is seen by one iteration, and its value shows.
    let found = think("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", Limits::depth(1));
    ensure(best_of(&found) == "e3d5", || format!("{found:?}"))
}

fn perpetual_check_is_seen() -> Check {
    let fen = "5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1";
    let found = think(fen, Limits::depth(10));
    ensure(found.score.0.abs() <= 30, || format!("{found:?}"))
}

fn repetition_is_a_draw() -> Check {
    // Black, hopelessly behind, can repeat for the third time and must see that it is worth a draw.
    let mut game = Game::new(position("7k/6pp/8/8/8/8/r5PP/Q6K b - - 0 1"));
    for text in ["a2b2", "a1d1", "b2a2", "d1a1"].repeat(2) {
        game.play(game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?);
    }
    let repeating = game.position().parse_uci("a2b2").map_err(|error| error.to_string())?;
    let limits = Limits { search_moves: vec![repeating], ..Limits::depth(6) };
    let found = searcher().search_silent(&game, limits);
    ensure(found.score.0.abs() <= 5, || format!("{found:?} for the third repetition"))
}

fn fifty_moves_are_a_draw() -> Check {
    let found = think("8/8/8/8/8/4k3/8/KQ6 w - - 99 80", Limits::depth(6));
    ensure(found.score.0.abs() <= 5, || format!("{found:?} with one half move left"))?;
    // Mate on the hundredth half move is mate.
    let found = think("7k/8/5K2/8/8/8/8/6Q1 w - - 99 80", Limits::depth(4));
    ensure(found.score == Score::mate_in(1), || format!("{found:?} with mate on the board"))?;
    // There is just time to win.
    let found = think("7k/8/8/8/8/8/R7/1R5K w - - 90 80", Limits::depth(8));
    ensure(found.score == Score::mate_in(3), || format!("{found:?} with ten half moves left"))
}

fn zugzwang_is_seen() -> Check {
    // Kings and pawns: who may pass is not lost, who must move is. A search that passes there sees neither
    // these mates nor that the opposition is lost.
    for (fen, plies) in [("k7/2P5/8/3K4/1p6/8/8/8 w - - 0 1", 5), ("8/8/1P6/8/p7/8/3K4/1k6 w - - 0 1", 7)] {
        let found = think(fen, Limits::depth(18));
        ensure(found.score == Score::mate_in(plies), || format!("{found:?} in {fen}"))?;
    }
    let found = think("8/8/8/3k4/3P4/3K4/8/8 b - - 0 1", Limits::depth(14));
    ensure(found.score.0 < 0, || format!("{found:?} with the opposition lost"))?;
    // Where neither side has a piece, nobody passes.
    let (counts, _) = statistics("8/8/4k3/3p4/p2P1K2/P7/8/8 w - - 0 1", 7);
    let passed = counts.node_cuts(NodeCut::NullMove);
    ensure(passed == 0, || format!("{passed} null moves cut off among kings and pawns"))?;
    // A piece does not help where it is pinned: whatever Black moves after the quiet key, it loses. The network, which
    // believes that White is lost, needs longer than the rules to see it.
    let game = Game::new(position("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"));
    for (judge, nodes) in [(Evaluation::Classical, 400_000), (Evaluation::default(), 4_000_000)] {
        let mut searcher = Searcher::with_evaluation(16, judge).expect("there is memory");
        let found = searcher.search_silent(&game, Limits::nodes(nodes));
        ensure(best_of(&found) == "e1f1", || format!("{found:?}"))?;
    }
    Ok(())
}

fn table_cutoffs_are_sound() -> Check {
    let mates = MATES.iter().map(|&(fen, plies)| (fen, plies as u32 + 6));
    for (fen, depth) in MIDDLEGAMES.into_iter().map(|fen| (fen, 9)).chain(mates) {
        let (counts, _) = statistics(fen, depth);
        let wrong = [counts.wrong_bounds, counts.wrong_depths, counts.impossible_mates];
        ensure(wrong == [0; 3], || {
            format!("{wrong:?} cutoffs against bound, depth, mate distance in {fen}")
        })?;
    }
    Ok(())
}

/// A lower bound says that some move is at least so good: the position after that move must then have an
/// upper bound, or an exact score, that supports it. The root has an exact score, the one that was told.
fn table_holds_what_was_found() -> Check {
    let (mut supported, mut unsupported) = (0, 0);
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let mut searcher = searcher();
        let found = searcher.search_silent(&Game::new(root), Limits::depth(9));
        let table: &Table = searcher.table();
        let Some(entry) = table.probe(table_key(&root), 0) else {
            return Err(format!("nothing is known of the root in {fen}"));
        };
        ensure(entry.bound == Some(Bound::Exact) && entry.score == found.score, || {
            format!("{entry:?} at the root of {fen}, {:?} was told", found.score)
        })?;
        for mv in root.legal_moves() {
            let child = root.after(mv);
            let Some(entry) = table.probe(table_key(&child), 1) else { continue };
            if entry.bound != Some(Bound::Lower) || entry.depth < 3 || !child.is_legal(entry.mv) {
                continue;
            }
            let Some(reply) = table.probe(table_key(&child.after(entry.mv)), 2) else { continue };
            if reply.depth + 1 < entry.depth {
                continue;
            }
            match reply.bound {
                Some(Bound::Upper | Bound::Exact) => supported += 1,
                _ => unsupported += 1,
            }
        }
    }
    ensure(supported >= 10 && unsupported * 5 < supported, || {
        format!("{supported} lower bounds are supported, {unsupported} are not")
    })
}

fn hash_moves_are_checked() -> Check {
    let mut random = Random(11);
    for fen in MIDDLEGAMES {
        let root = position(fen);
        let mut searcher = searcher();
        for mv in root.legal_moves() {
            let child = root.after(mv);
            for position in child.legal_moves().into_iter().map(|reply| child.after(reply)).chain([child]) {
                let entry = Entry {
                    mv: Move::from_bits(random.below(65_536) as u16),
                    score: Score::ZERO,
                    evaluation: Score::NONE,
                    depth: 1,
                    bound: Some(Bound::Lower),
                    was_pv: true,
                };
                searcher.table().store(table_key(&position), 1, entry);
            }
        }
        let found = searcher.search_silent(&Game::new(root), Limits::depth(5));
        let mut here = root;
        for &mv in &found.pv {
            ensure(here.is_legal(mv), || format!("{mv:?} in {here:?}"))?;
            here.play(mv);
            ensure(here.is_consistent(), || format!("{here:?} is corrupt"))?;
        }
    }
    Ok(())
}

fn new_game_forgets() -> Check {
    let (first, second) = (position(MIDDLEGAMES[0]), position(MIDDLEGAMES[1]));
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    let (send, receive) = channel();
    let mut nodes_of = |position: Position| -> Result<u64, String> {
        engine.new_game().map_err(|error| error.to_string())?;
        let send = send.clone();
        engine
            .go(&Game::new(position), Limits::depth(9), move |event| {
                if let Event::Info(Info { nodes: Some(nodes), .. }) = event {
                    let _ = send.send(*nodes);
                }
            })
            .map_err(|error| error.to_string())?;
        engine.wait();
        receive.try_iter().last().ok_or_else(|| "nothing was told".to_string())
    };
    let before = nodes_of(first)?;
    nodes_of(second)?;
    let after = nodes_of(first)?;
    ensure(before == after, || format!("{before} nodes, then {after}"))
}

/// Counts of one search with a fresh engine, and the nodes it told. A search that runs wild is cut short.
fn statistics(fen: &str, depth: u32) -> (Statistics, u64) {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    engine.collect_statistics(true).expect("the engine is idle");
    let (send, receive) = channel();
    engine
        .go(
            &Game::new(position(fen)),
            Limits { depth: Some(depth), ..Limits::nodes(2_000_000) },
            move |event| {
                let _ = send.send(event.clone());
            },
        )
        .expect("the engine is idle");
    engine.wait();
    let (mut counts, mut nodes) = (Statistics::default(), 0);
    for event in receive.try_iter() {
        match event {
            Event::Info(info) => nodes = info.nodes.unwrap_or(nodes),
            Event::Statistics(statistics) => counts = *statistics,
            Event::BestMove(_) => {}
        }
    }
    (counts, nodes)
}

fn nodes_are_counted() -> Check {
    for fen in MIDDLEGAMES {
        let (counts, told) = statistics(fen, 7);
        let visited = counts.main_nodes + counts.quiescence_nodes;
        ensure(told == visited, || format!("{told} nodes told, {visited} visited in {fen}"))?;
    }
    Ok(())
}

fn statistics_are_healthy() -> Check {
    let mut sum = Statistics::default();
    for fen in MIDDLEGAMES {
        sum += &statistics(fen, 11).0;
    }
    ensure(sum.non_pv_re_searches == 0, || {
        format!("{} re-searches at non-PV nodes", sum.non_pv_re_searches)
    })?;
    ensure(sum.late_cutoffs == 0, || format!("{} cutoffs came late", sum.late_cutoffs))?;
    ensure((0.5..20.0).contains(&sum.rate_b()), || format!("B is {:.2}%", sum.rate_b()))?;
    ensure((2.0..10.0).contains(&sum.rate_c()), || format!("C is {:.2}%", sum.rate_c()))?;
    ensure(sum.first_move_cutoff_rate() > 80.0, || format!("{:.1}% first", sum.first_move_cutoff_rate()))?;
    ensure((0.5..20.0).contains(&sum.rate_d()), || format!("D is {:.2}%", sum.rate_d()))?;
    ensure(sum.node_cuts(NodeCut::NullMove) > 0 && sum.node_cuts(NodeCut::Table) > 0, || sum.to_string())
}

/// Positions that are quoted when somebody doubts a principal variation search, with the depth to look at.
const NOTORIOUS: [(&str, u32); 4] = [
    ("8/8/8/3k4/8/8/3P4/3K4 w - - 0 1", 10),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 12),
    ("r1bq1rk1/pp2ppbp/2np1np1/8/3PP3/2N2N2/PPP2PPP/R1BQKB1R w KQ - 0 8", 10),
];

fn notorious_positions_are_searched_cleanly() -> Check {
    for (fen, depth) in NOTORIOUS {
        let (counts, told) = statistics(fen, depth);
        let clean = counts.non_pv_re_searches == 0
            && counts.late_cutoffs == 0
            && counts.first_moves <= counts.pv_nodes
            && told == counts.main_nodes + counts.quiescence_nodes;
        ensure(clean, || format!("{told} nodes in {fen} to depth {depth}:\n{counts}"))?;
    }
    Ok(())
}

fn forced_results_need_no_table() -> Check {
    let forced =
        MATES.into_iter().filter(|&(_, plies)| plies <= 4).map(|(fen, plies)| (fen, plies as u32 + 8));
    // A perpetual check, and a bishop that cannot mate alone.
    let drawn = [("5rk1/5p1p/5Q2/8/8/8/q4PPP/6K1 w - - 0 1", 8), ("8/8/4k3/8/8/2B1K3/8/8 w - - 0 1", 6)];
    for (fen, depth) in forced.chain(drawn) {
        let with = think(fen, Limits::depth(depth));
        let limits = Limits { nodes: Some(2_000_000), ..Limits::depth(depth) };
        let without =
            Searcher::without_table(Evaluation::Classical).search_silent(&Game::new(position(fen)), limits);
        let same = with.score == without.score || with.score.0.abs().max(without.score.0.abs()) <= 30;
        ensure(same, || format!("{:?} with a table, {:?} without in {fen}", with.score, without.score))?;
    }
    Ok(())
}

fn root_moves_are_scouted() -> Check {
    // One move of a node at most is searched with the whole window without being scouted first.
    for fen in MIDDLEGAMES {
        let (counts, _) = statistics(fen, 8);
        let (first, nodes) = (counts.first_moves, counts.pv_nodes);
        ensure(first <= nodes, || format!("{first} first moves of {nodes} PV nodes in {fen}"))?;
    }
    Ok(())
}

/// What the positions of the bench show together. Single trees vary with every change of the search, their sum
/// hardly does: limits for it can lie far from a sound search and far from a broken one.
fn bench_statistics(depth: u32) -> Statistics {
    let mut sum = Statistics::default();
    for fen in BENCH_POSITIONS {
        sum += &statistics(fen, depth).0;
    }
    sum
}

/// Where good moves come late, they are reduced, turn out to be good and are searched again.
fn good_moves_come_early() -> Check {
    // 4 % with the order as it should be, 12 to 35 % with the worst moves first.
    let again = bench_statistics(11).rate_d();
    ensure(again < 7.0, || format!("{again:.1}% of the reduced scouts had to be repeated"))
}

/// A tree that is too small has pruned or reduced what it should have searched, and one that is too large has
/// searched what it need not.
fn trees_have_their_size() -> Check {
    // About 540,000 nodes. 160,000 with late moves reduced by four half moves more, or with reverse futility
    // everywhere; more than a million with the worst moves first.
    let counts = bench_statistics(12);
    let nodes = counts.main_nodes + counts.quiescence_nodes;
    ensure((300_000..800_000).contains(&nodes), || format!("{nodes} nodes for the bench at depth 12"))
}

/// Positions whose best move is clear to everybody who looks a few moves ahead.
const TACTICS: [(&str, &str); 8] = [
    ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "g3g6"),
    ("5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "e3g3"),
    ("r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "h6h7"),
    ("5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "c6c4"),
    ("7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "b6b7"),
    ("rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "g4e3"),
    ("r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "e7f7"),
    ("3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "d6h2"),
];

fn tactics_are_found() -> Check {
    let missed: Vec<&str> = TACTICS
        .into_iter()
        .filter(|(fen, best)| best_of(&think(fen, Limits::depth(12))) != *best)
        .map(|(fen, _)| fen)
        .collect();
    ensure(missed.len() <= 2, || format!("missed at depth 12: {missed:?}"))
}

fn one_iteration_is_enough() -> Check {
    for (fen, best) in [
        ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"),
        ("4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "b2b1q"),
        ("rnb1kbnr/pppp1ppp/8/4p3/4q3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 1", "d3e4"),
    ] {
        let found = think(fen, Limits::depth(1));
        ensure(best_of(&found) == best, || format!("{found:?} in {fen}"))?;
    }
    Ok(())
}

fn openings_are_sound() -> Check {
    let played = |moves: &str| -> Result<String, String> {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            game.play(game.position().parse_uci(text).map_err(|error| format!("{text}: {error}"))?);
        }
        let found = searcher().search_silent(&game, Limits::depth(11));
        Ok(best_of(&found))
    };
    for (moves, bad) in [
        ("b1c3 b8c6", ["c3a4", "c3b5", "a2a3", "h2h3"]),
        ("e2e4", ["a7a6", "h7h6", "g7g5", "f7f6"]),
        ("d2d4", ["a7a6", "h7h6", "g7g5", "f7f6"]),
    ] {
        let reply = played(moves)?;
        ensure(!bad.contains(&reply.as_str()), || format!("{reply} after {moves}"))?;
    }
    Ok(())
}

fn the_clock_is_used() -> Check {
    let clock = Clock {
        remaining: Duration::from_secs(10),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let budget = Budget::new(&limits, Duration::from_millis(10));
    let soft = budget.soft().ok_or("no soft limit")?.as_millis();
    ensure((200..=800).contains(&soft), || format!("{soft} ms of 10 s for the first move"))
}

fn special_moves_are_searched() -> Check {
    for (fen, best) in [
        // Only the capture in passing saves the pawn ending.
        ("8/8/8/8/k1pP4/8/K7/8 b - d3 0 1", "c4d3"),
        // Only the knight gives check and fork at once.
        ("8/2P1k3/1q6/8/8/8/8/7K w - - 0 1", "c7c8n"),
    ] {
        let found = think(fen, Limits::depth(10));
        ensure(best_of(&found) == best, || format!("{found:?} in {fen}"))?;
    }
    Ok(())
}

fn draws_are_seen_at_the_leaves() -> Check {
    let found = think("8/8/8/8/8/4k3/8/KQ6 w - - 99 80", Limits::depth(1));
    ensure(found.score.0.abs() <= 5, || format!("{found:?} with one half move left"))
}

/// The last score that an engine tells, and its move.
fn told(fen: &str, limits: Limits) -> Result<(uci::Score, Option<Move>), String> {
    let mut engine = Engine::with_evaluation(Evaluation::Classical);
    let (send, receive) = channel();
    engine
        .go(&Game::new(position(fen)), limits, move |event| {
            let _ = send.send(event.clone());
        })
        .map_err(|error| error.to_string())?;
    engine.wait();
    let (mut score, mut answer) = (None, None);
    for event in receive.try_iter() {
        match event {
            Event::Info(info) => score = info.score,
            Event::BestMove(found) => answer = found.best,
            Event::Statistics(_) => {}
        }
    }
    Ok((score.ok_or("no score was told")?, answer))
}

fn scores_are_the_movers() -> Check {
    let (score, _) = told("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1", Limits::depth(4))?;
    ensure(score.centipawns() > 200, || format!("{score:?} for Black, a knight up"))
}

fn only_wanted_moves_are_searched() -> Check {
    let wanted = position(MIDDLEGAMES[7]).parse_uci("a2a3").map_err(|error| error.to_string())?;
    let limits = Limits { search_moves: vec![wanted], ..Limits::depth(4) };
    let (_, best) = told(MIDDLEGAMES[7], limits)?;
    ensure(best == Some(wanted), || format!("{best:?} was not asked for"))
}

fn node_limits_are_obeyed() -> Check {
    for fen in MIDDLEGAMES {
        for nodes in [500, 1001, 2222, 3000, 7919] {
            // Whoever ignores the limit ends here.
            let limits = Limits { soft_nodes: Some(2 * nodes), ..Limits::nodes(nodes) };
            let found = searcher().search_silent(&Game::new(position(fen)), limits);
            ensure(found.nodes == nodes, || format!("{} nodes of {nodes} in {fen}", found.nodes))?;
        }
    }
    Ok(())
}

/// The last line of a search that a limit ends in the middle of an iteration is whole and exact, or a marked bound of a
/// move that nothing exact is known of.
fn broken_iterations_are_told_soundly() -> Check {
    for (fen, nodes) in MIDDLEGAMES.into_iter().flat_map(|fen| (1..12).map(move |step| (fen, 1717 * step))) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        let (send, receive) = channel();
        let listen = move |event: &Event| {
            let _ = send.send(event.clone());
        };
        let root = position(fen);
        engine.go(&Game::new(root), Limits::nodes(nodes), listen).map_err(|error| error.to_string())?;
        engine.wait();
        let (mut lines, mut answer) = (Vec::new(), None);
        for event in receive.try_iter() {
            match event {
                Event::Info(info) => lines.push(info),
                Event::BestMove(found) => answer = found.best.map(|best| (best, found.ponder)),
                Event::Statistics(_) => {}
            }
        }
        let ((last, before), (best, ponder)) = lines.split_last().zip(answer).ok_or("nothing was told")?;
        let said = || format!("{last:?} and {best:?} {ponder:?} with {nodes} nodes in {fen}");
        ensure(last.pv.first() == Some(&best) && last.pv.get(1).copied() == ponder, said)?;
        let known = before.iter().rev().find(|line| line.bound == Bound::Exact);
        match last.bound {
            Bound::Exact => {
                ensure(last.pv.len() > 1 || matches!(last.score, Some(uci::Score::Mate(_))), said)?;
            }
            Bound::Lower => ensure(known.is_some_and(|line| line.pv.first() != Some(&best)), said)?,
            Bound::Upper => return Err(said()),
        }
    }
    // Of several lines told at the same depth none is better than one before it, and none stands twice.
    for (fen, nodes) in MIDDLEGAMES.into_iter().flat_map(|fen| (1..12).map(move |step| (fen, 1717 * step))) {
        let mut engine = Engine::with_evaluation(Evaluation::Classical);
        engine.set_multi_pv(3).map_err(|error| error.to_string())?;
        let (send, receive) = channel();
        let listen = move |event: &Event| {
            let _ = send.send(event.clone());
        };
        engine
            .go(&Game::new(position(fen)), Limits::nodes(nodes), listen)
            .map_err(|error| error.to_string())?;
        engine.wait();
        let told = |event| if let Event::Info(info) = event { Some(info) } else { None };
        let all: Vec<_> = receive.try_iter().filter_map(told).collect();
        let lines = &all[all.len().saturating_sub(3)..];
        let said = || format!("{lines:?} with {nodes} nodes in {fen}");
        let score = |info: &Info<Move>| info.score.map(uci::Score::centipawns);
        let is_sound = |pair: &[Info<Move>]| {
            pair[0].pv.first() != pair[1].pv.first()
                && (pair[0].depth != pair[1].depth || score(&pair[0]) >= score(&pair[1]))
        };
        ensure(lines.len() == 3 && lines.windows(2).all(is_sound), said)?;
    }
    Ok(())
}

/// The time limits of a game with so much left and so much added for each move, in milliseconds.
fn budget(remaining: u64, increment: u64) -> Budget {
    let clock = Clock {
        remaining: Duration::from_millis(remaining),
        increment: Duration::from_millis(increment),
        moves_to_go: None,
    };
    Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, Duration::from_millis(10))
}

fn increments_are_counted_on() -> Check {
    let (without, with) = (budget(5000, 0).soft(), budget(5000, 1000).soft());
    ensure(with > without.map(|soft| soft * 2), || format!("{without:?}, with increment {with:?}"))
}

fn the_flag_is_never_reached() -> Check {
    for remaining in [50, 1000, 60_000] {
        let hard = budget(remaining, 0).hard().ok_or("no hard limit")?;
        ensure(hard < Duration::from_millis(remaining), || format!("{hard:?} of {remaining} ms"))?;
    }
    Ok(())
}

#[cfg(not(feature = "mutants"))]
/// The value of the textbook search at this depth, with the engine's evaluation at the leaves.
fn textbook_value(position: &Position, depth: u32) -> Score {
    let evaluate = |position: &Position| Evaluator::new().evaluate(position);
    crate::textbook::solve(position, depth, crate::textbook::Method::PrincipalVariation, evaluate).score
}

#[cfg(not(feature = "mutants"))]
#[test]
fn shallow_searches_agree_with_the_textbook_about_mates() {
    for (fen, plies) in MATES.into_iter().filter(|&(_, plies)| plies <= 4) {
        let position = position(fen);
        let expected = textbook_value(&position, plies as u32);
        assert_eq!(think(fen, Limits::depth(plies as u32 + 8)).score, expected, "{fen}");
        assert!(expected.is_mate());
    }
}

/// Which property has to see which bug.
#[cfg(feature = "mutants")]
const KILLERS: &[(crate::Mutant, Property)] = {
    use crate::Mutant as M;
    &[
        (M::ReSearchEverywhere, statistics_are_healthy),
        (M::BoundIgnored, table_cutoffs_are_sound),
        (M::ExactStoredAsUpper, table_holds_what_was_found),
        (M::UpperStoredAsLower, table_holds_what_was_found),
        (M::MateScoreNotShifted, mates_are_played_out),
        (M::BlackTablesFlipped, evaluation_is_symmetric),
        (M::TablesUpsideDown, tables_are_upright),
        (M::BlackSignFlipped, a_knight_counts_for_its_owner),
        (M::CutoffOnlyAboveBeta, statistics_are_healthy),
        (M::StalemateIsMate, mate_is_told_from_stalemate),
        (M::StandPatInCheck, checks_are_answered_at_the_horizon),
        (M::NullMoveInZugzwang, zugzwang_is_seen),
        (M::RepetitionIgnored, perpetual_check_is_seen),
        (M::FiftyMovesIgnored, fifty_moves_are_a_draw),
        (M::RootFullWindow, root_moves_are_scouted),
        (M::NodesAtRootOnly, nodes_are_counted),
        (M::ClockTenth, the_clock_is_used),
        (M::HashMoveUnchecked, hash_moves_are_checked),
        (M::StaleHash, new_game_forgets),
        (M::OverReduction, trees_have_their_size),
        (M::ReverseFutilityEverywhere, trees_have_their_size),
        (M::WorstMoveFirst, good_moves_come_early),
        (M::FirstMoveAtDepthOne, one_iteration_is_enough),
        (M::NoQuiescence, captures_are_followed),
        (M::DrawMissedAtHorizon, draws_are_seen_at_the_leaves),
        (M::MovesFromA1Rejected, search_is_symmetric),
        (M::ScoreFromWhite, scores_are_the_movers),
        (M::SearchMovesIgnored, only_wanted_moves_are_searched),
        (M::NodeLimitIgnored, node_limits_are_obeyed),
        (M::IncrementIgnored, increments_are_counted_on),
        (M::ClockOverrun, the_flag_is_never_reached),
    ]
};

#[cfg(feature = "mutants")]
#[test]
fn every_mutant_is_found_by_its_property() {
    use crate::{Mutant, mutants};
    for (name, property) in ALL {
        if let Err(complaint) = property() {
            panic!("{name} fails without any bug: {complaint}");
        }
    }
    let mut survivors = Vec::new();
    for &mutant in Mutant::ALL {
        let Some((_, property)) = KILLERS.iter().find(|(killed, _)| *killed == mutant) else {
            survivors.push(mutant.name());
            continue;
        };
        mutants::activate(Some(mutant));
        // A bug may also show itself as a panic.
        if matches!(std::panic::catch_unwind(property), Ok(Ok(()))) {
            survivors.push(mutant.name());
        }
        mutants::activate(None);
    }
    assert!(survivors.is_empty(), "not found: {survivors:?}");
}
