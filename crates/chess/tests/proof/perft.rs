//! Published perft counts.

use crate::Effort;
use chess::{Perft, Position, perft};

proof!(
    standard_chess,
    chess960,
    double_chess960_positions_have_their_known_counts,
    traps_of_en_passant_castling_and_promotion_are_avoided,
);

/// A position, with depth and count for `Effort::Quick` and for `Effort::Proof`.
type Case = (&'static str, (u32, u64), (u32, u64));

fn check(effort: Effort, cases: &[Case]) {
    let counter = Perft::default().threads(std::thread::available_parallelism().map_or(1, usize::from));
    for &(fen, shallow, deep) in cases {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(perft(&position, shallow.0), shallow.1, "{fen} at depth {}", shallow.0);
        // The colour mirror has the same count.
        assert_eq!(perft(&position.color_mirrored(), shallow.0), shallow.1, "mirror of {fen}");
        if matches!(effort, Effort::Proof) {
            assert_eq!(counter.count(&position, deep.0), deep.1, "{fen} at depth {}", deep.0);
        }
    }
}

fn standard_chess(effort: Effort) {
    check(
        effort,
        &[
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", (5, 4_865_609), (7, 3_195_901_860)),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                (4, 4_085_603),
                (5, 193_690_690),
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", (5, 674_624), (7, 178_633_661)),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                (4, 422_333),
                (6, 706_045_033),
            ),
            ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", (4, 2_103_487), (5, 89_941_194)),
            (
                "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
                (4, 3_894_594),
                (5, 164_075_551),
            ),
            ("r7/4p3/5p1q/3P4/4pQ2/4pP2/6pp/R3K1kr w Q - 1 3", (4, 430_036), (5, 11_609_488)),
        ],
    );
}

fn chess960(effort: Effort) {
    check(
        effort,
        &[
            (
                "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
                (4, 287_739),
                (6, 191_762_235),
            ),
            (
                "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
                (4, 890_435),
                (6, 924_181_432),
            ),
            (
                "rqbbknr1/1ppp2pp/p5n1/4pp2/P7/1PP5/1Q1PPPPP/R1BBKNRN w GAga - 0 9",
                (4, 408_207),
                (6, 308_553_169),
            ),
            (
                "4rrb1/1kp3b1/1p1p4/pP1Pn2p/5p2/1PR2P2/2P1NB1P/2KR1B2 w D - 0 21",
                (4, 888_182),
                (6, 872_323_796),
            ),
            ("rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2R2R b E - 1 20", (2, 1_438), (2, 1_438)),
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                (4, 326_672),
                (6, 227_689_589),
            ),
            (
                "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
                (4, 667_366),
                (6, 590_751_109),
            ),
            ("rbbkq1rn/pppppppp/7n/8/P7/3P3P/1PPKPPP1/RBB1QRNN w a - 3 9", (4, 216_855), (6, 134_818_483)),
        ],
    );
}

fn double_chess960_positions_have_their_known_counts(effort: Effort) {
    check(
        effort,
        &[
            (
                "2r1bk1r/p2p3p/n1pPp1pn/1p2bp2/6q1/2P1P3/PPBN1PP1/R2N1K1R w HAhc - 0 13",
                (4, 1_450_725),
                (5, 39_492_071),
            ),
            (
                "1nbr2kr/p2ppn2/4Pp1b/1pp1Q3/1P2P2p/2P3B1/P3Np2/RB2NK1R b HAhd - 1 16",
                (4, 1_484_165),
                (5, 48_869_729),
            ),
            (
                "rnbn1krb/pp1p2pp/2p5/4p3/P2N4/7P/1PP1PPP1/RKR1NQBB w CAga - 0 10",
                (4, 270_394),
                (5, 7_780_789),
            ),
            (
                "n1b1rkrb/ppq1p3/3p2p1/2p3pp/PP6/3PPnQ1/B1P2P1P/R1KRBNN1 w DAge - 3 18",
                (4, 1_596_188),
                (5, 56_202_643),
            ),
        ],
    );
}

/// Martin Sedlak's collection: each position is about one trap.
fn traps_of_en_passant_castling_and_promotion_are_avoided(effort: Effort) {
    let traps = [
        // An en passant capture that would uncover the own king, along the rank and along a diagonal.
        ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888),
        ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1_015_133),
        // An en passant capture that gives check.
        ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467),
        // Castling that gives check.
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711),
        // Rights lost because the rook was taken, and castling through attacked squares.
        ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206),
        ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476),
        // Another rook on the corner of the one that was taken.
        ("1k6/1b6/8/8/7R/8/8/4K2R b K - 0 1", 5, 1_063_513),
        ("1k6/8/8/8/R7/1n6/8/R3K3 b Q - 0 1", 5, 346_695),
        // Promotion out of check, with check, and to less than a queen.
        ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001),
        ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342),
        ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683),
        // Discovered and double check, stalemate and mate.
        ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658),
        ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527),
        ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217),
        ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584),
    ];
    for (fen, depth, count) in traps {
        check(effort, &[(fen, (depth, count), (depth, count))]);
    }
}
