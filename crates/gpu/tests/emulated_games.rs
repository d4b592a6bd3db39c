//! Search and games of the device code, on the CPU emulation.

use chess::{Color, Game, Position};
use gpu::NetworkPlayer;
use gpu::abi::{Ending, Filter, NodeLimits, OpeningSettings, PlaySettings, Rules};
use gpu::emulation::{CpuEmulation, EmulatedGame, EmulatedGames};
use nnue::FloatNetwork;
use nnue::shape::Shape;
use record::packed::{PackedGame, PackedResult};

fn player(seed: u64) -> NetworkPlayer {
    // Some of the networks have king buckets, some do not.
    let shape =
        Shape::new(64).unwrap().with_king_buckets(if seed.is_multiple_of(2) { 4 } else { 1 }).unwrap();
    NetworkPlayer::new(FloatNetwork::random(shape, seed).quantise())
}

const RULES: Rules = Rules {
    draw_move_number: 40,
    draw_move_count: 6,
    draw_score: 8,
    resign_move_count: 2,
    resign_score: 1500,
    resign_two_sided: 1,
    max_moves: 250,
    unused: 0,
};

fn settings(games: u64) -> PlaySettings {
    let limits = NodeLimits { soft: 60, hard: 120 };
    PlaySettings {
        seed: 5,
        game_step: 1,
        game_count: games,
        limits: [limits; 2],
        opening: OpeningSettings {
            shuffled: OpeningSettings::fraction(0.4),
            min_plies: 8,
            max_plies: 9,
            limits,
            max_score: 2000,
            unused: 0,
        },
        rules: RULES,
        filter: Filter { min_ply: 16, min_pieces: 4, max_score: 10_000, checks: 0, noisy: 0, unused: 0 },
        ..PlaySettings::default()
    }
}

fn unpack(game: &EmulatedGame) -> PackedGame {
    let (unpacked, length) = PackedGame::unpack(&game.packed).unwrap();
    assert_eq!(length, game.packed.len());
    assert_eq!(unpacked.moves.len(), game.header.plies as usize);
    unpacked
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn mates_are_found() {
    let device = CpuEmulation::new().unwrap();
    let player = player(1);
    let limits = NodeLimits { soft: 100_000, hard: 20_000 };
    for (fen, best, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        ("6k1/8/8/8/8/r7/1r6/6K1 b - - 0 1", "a3a1", 1),
        ("7k/R7/8/8/8/8/8/1R4K1 w - - 0 1", "b1b8", 1),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7", 1),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let found = device.search(&player, &position, limits);
        assert_eq!((found.best, found.score), (position.parse_uci(best).unwrap(), 32_000 - plies), "{fen}");
    }
    for fen in ["R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        assert!(device.search(&player, &Position::from_fen(fen).unwrap(), limits).best.is_none(), "{fen}");
    }
}

/// At a halfmove clock of 100 a check draws unless it mates, even if mate would follow later.
#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn fifty_move_rule_draws_in_check() {
    let device = CpuEmulation::new().unwrap();
    let player = player(1);
    for (fen, is_mate) in [
        ("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 99 130", false),
        ("5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 90 130", true),
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 99 130", true),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let found = device.search(&player, &position, NodeLimits { soft: 2_000, hard: 2_000 });
        assert_eq!(found.score > 31_000, is_mate, "{fen}: {found:?}");
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn search_keeps_node_limits() {
    let device = CpuEmulation::new().unwrap();
    let player = player(2);
    let mut state = 3u64;
    let mut position = Position::startpos();
    for _ in 0..60 {
        let found = device.search(&player, &position, NodeLimits { soft: 500, hard: 700 });
        assert!(position.is_legal(found.best), "{found:?} in {}", position.to_fen());
        assert!(found.nodes <= 700 || found.depth <= 1, "{found:?}");
        assert!(found.depth >= 1);
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let moves = position.legal_moves();
        position.play(if state >> 62 == 0 {
            moves[(state >> 33) as usize % moves.len()]
        } else {
            found.best
        });
        if Game::new(position).outcome().is_some() {
            break;
        }
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn games_are_legal_and_results_match_endings() {
    let device = CpuEmulation::new().unwrap();
    let player = player(3);
    let EmulatedGames { games, counters } = device.play(&settings(24), [&player; 2], &[]);
    assert_eq!((games.len(), counters.games), (24, 24));
    let mut endings = [0; 5];
    for (number, played) in games.iter().enumerate() {
        assert_eq!(played.header.number, number as u64);
        let game = unpack(played);
        endings[usize::from(played.header.ending)] += 1;
        assert_eq!(game.result as u8, played.header.result);
        let mut replay = Game::new(game.start);
        let count = game.moves.len();
        for (ply, &(mv, score)) in game.moves.iter().enumerate() {
            assert!(replay.outcome().is_none(), "game {number} continues after its end at ply {ply}");
            assert!(replay.position().is_legal(mv));
            if ply + 1 < count || played.header.ending == Ending::Rules as u8 {
                replay.play(mv);
            }
            let is_mate = score.unsigned_abs() > 31_700;
            assert_eq!(is_mate, ply + 1 == count && played.header.ending == Ending::MateFound as u8);
        }
        let last = game.moves.last().unwrap().1;
        if played.header.ending == Ending::Rules as u8 {
            assert_eq!(replay.outcome().map(chess::Outcome::result), Some(game.result.word()));
        } else if played.header.ending == Ending::MateFound as u8
            || played.header.ending == Ending::Resigned as u8
        {
            assert_eq!(game.result, if last > 0 { PackedResult::WhiteWins } else { PackedResult::BlackWins });
        } else {
            assert_eq!(game.result, PackedResult::Draw);
        }
    }
    assert!(endings[0] > 0 && endings[1] > 0, "{endings:?}");
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn game_depends_on_its_number_only() {
    let device = CpuEmulation::new().unwrap();
    let player = player(5);
    let all = device.play(&settings(6), [&player; 2], &[]).games;
    let some =
        device.play(&PlaySettings { first_game: 1, game_step: 2, ..settings(3) }, [&player; 2], &[]).games;
    for (game, other) in some.iter().zip([&all[1], &all[3], &all[5]]) {
        assert_eq!((game.header, &game.packed), (other.header, &other.packed));
    }
    let other_seed = device.play(&PlaySettings { seed: 6, ..settings(1) }, [&player; 2], &[]).games;
    assert_ne!(other_seed[0].packed, all[0].packed);
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn self_match_scores_half() {
    let device = CpuEmulation::new().unwrap();
    let player = player(6);
    let games = device.play(&PlaySettings { is_match: 1, ..settings(12) }, [&player; 2], &[]).games;
    for pair in games.chunks(2) {
        assert_eq!(pair[0].half_points + pair[1].half_points, 2);
        assert_eq!(pair[0].packed, pair[1].packed);
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn match_players_have_own_limits() {
    let device = CpuEmulation::new().unwrap();
    let player = player(7);
    let mut match_settings = PlaySettings { is_match: 1, ..settings(16) };
    match_settings.limits = [NodeLimits { soft: 3000, hard: 3000 }, NodeLimits { soft: 30, hard: 30 }];
    let games = device.play(&match_settings, [&player; 2], &[]).games;
    let points: u32 = games.iter().map(|game| u32::from(game.half_points)).sum();
    assert!(points > 20, "{points} of 32 half points with a hundred times the nodes");
    for pair in games.chunks(2) {
        assert_eq!(unpack(&pair[0]).start, unpack(&pair[1]).start);
    }
}

#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn openings_are_played_in_pairs() {
    let device = CpuEmulation::new().unwrap();
    let player = player(8);
    let positions = ["4k3/4p3/8/8/8/8/PPPP4/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/PPPP4/4K3 b - - 0 1"]
        .map(|fen| Position::from_fen(fen).unwrap());
    let openings = positions.each_ref().map(gpu::abi::DevicePosition::from);
    let games = device.play(&PlaySettings { is_match: 1, ..settings(4) }, [&player; 2], &openings).games;
    let starts: Vec<Color> = games.iter().map(|game| unpack(game).start.turn()).collect();
    assert_eq!(starts, [Color::White, Color::White, Color::Black, Color::Black]);
}

/// Short searches where a position is dropped anyway, and no record of one.
#[test]
#[cfg_attr(not(cpu_emulation), ignore = "built without a C++ compiler")]
fn dropped_positions_have_limits_of_their_own() {
    let device = CpuEmulation::new().unwrap();
    let player = player(4);
    const MAX_SCORE: u16 = 150;
    let mut whole = settings(12);
    whole.filter.max_score = MAX_SCORE.into();
    let unrecorded = NodeLimits { soft: 5, hard: 10 };
    let short = PlaySettings { unrecorded, ..whole };
    let [whole, short] = [whole, short].map(|settings| device.play(&settings, [&player; 2], &[]).games);
    let nodes_per_ply = |games: &[EmulatedGame]| {
        let plies: u32 = games.iter().map(|game| game.header.plies).sum();
        games.iter().map(|game| game.header.nodes).sum::<u64>() as f64 / f64::from(plies)
    };
    assert!(nodes_per_ply(&short) < 0.97 * nodes_per_ply(&whole));
    let filter = record::packed::Filter { max_score: MAX_SCORE, ..record::packed::Filter::default() };
    let mut differences = 0;
    for game in &short {
        let unpacked = unpack(game);
        let samples: Vec<_> = unpacked.positions().collect();
        differences += samples.iter().filter(|sample| filter.keeps(sample)).count() - game.records.len();
        let mut last = 0;
        let kept = samples.iter().filter(|sample| {
            let dropped = i32::from(last).abs() > i32::from(filter.max_score);
            last = sample.score;
            !dropped && filter.keeps(sample)
        });
        assert_eq!(game.records.len(), kept.count());
    }
    assert!(differences > 0, "some positions are dropped for the score before them alone");
    // If nothing can be dropped, the limits do not matter.
    let everything =
        Filter { min_ply: 0, min_pieces: 0, max_score: i32::from(i16::MAX), checks: 1, noisy: 1, unused: 0 };
    let whole = PlaySettings { filter: everything, ..settings(4) };
    let short = PlaySettings { unrecorded, ..whole };
    let [whole, short] = [whole, short].map(|settings| device.play(&settings, [&player; 2], &[]).games);
    assert!(whole.iter().zip(&short).all(|(a, b)| a.packed == b.packed));
}
