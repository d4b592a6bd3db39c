use std::collections::HashSet;

use support::random::Random;

use super::Motif::*;
use super::*;

fn moves(start: &Position, line: &str) -> Vec<Move> {
    crate::trace::read_line(start, line).expect("a line")
}

fn tactics(fen: &str, line: &str) -> Vec<Tactic> {
    let start = Position::from_fen(fen).expect("a position");
    motifs(&start, &moves(&start, line))
}

fn check(cases: &[(&str, &str, Motif, &str)]) {
    for &(fen, line, motif, text) in cases {
        let found = tactics(fen, line);
        let first = found.first().unwrap_or_else(|| panic!("{fen} {line}: no motif"));
        assert_eq!((first.motif, first.to_string().as_str()), (motif, text), "{fen} {line}");
    }
}

#[test]
fn mates_by_example() {
    check(&[
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8", BackRankMate, "a back-rank mate"),
        ("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "Nf7", SmotheredMate, "a smothered mate"),
        ("7k/1R6/5N2/8/8/8/8/6K1 w - - 0 1", "Rh7", ArabianMate, "an Arabian mate with rook and knight"),
        (
            "7R/p3kp2/b3pNp1/4P1P1/1r6/3pK3/1P6/8 w - - 5 40",
            "Re8",
            HookMate,
            "a hook mate with rook, knight and pawn",
        ),
        ("8/1p3pk1/p5r1/2N1p3/8/P2P4/1P2n1PK/R4R2 b - - 0 38", "Rh6", AnastasiaMate, "Anastasia's mate"),
        (
            "2kr1b1r/B1pbnp1p/1p3p2/3Pp3/1qB5/8/P1PN1PPP/R2Q1RK1 w - - 0 15",
            "Ba6",
            DoubleBishopMate,
            "a mate with two bishops",
        ),
        ("8/1p6/4p3/3pk3/1Q6/p5PK/8/4r1r1 w - - 8 58", "Qf4", DovetailMate, "a dovetail mate"),
        ("3rkr2/8/7Q/8/8/8/8/K7 w - - 0 1", "Qe6", EpauletteMate, "an epaulette mate"),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "Qg7", Mate, "checkmate"),
    ]);
}

#[test]
fn tactics_by_example() {
    check(&[
        (
            "r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1",
            "Nc7 Kd7 Nxa8",
            Fork,
            "a fork by the knight on c7 of the king on e8 and the rook on a8",
        ),
        (
            "4k2q/8/8/8/8/8/8/R3K3 w - - 0 1",
            "Ra8 Ke7 Rxh8",
            Skewer,
            "a skewer by the rook on a8 of the king on e8 and the queen on h8",
        ),
        (
            "3qk3/8/8/8/3N4/8/8/3RK3 w - - 0 1",
            "Nc6 Kf7 Rxd8",
            DiscoveredAttack,
            "a discovered attack by the rook on d1 on the queen on d8",
        ),
        (
            "4k2r/8/8/8/4N3/8/8/K3R3 w - - 0 1",
            "Ng5 Kd7",
            DiscoveredCheck,
            "a discovered check by the rook on e1",
        ),
        ("4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "Nf6", DoubleCheck, "a double check"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=Q", Promotion, "the promotion of a pawn on a8"),
        ("4k3/8/8/3n4/8/8/8/K2R4 w - - 0 1", "Rxd5", HangingPiece, "capturing the undefended knight on d5"),
        (
            "r1bq1rk1/ppp1npp1/1b2p2p/3pPn1Q/3P2PP/2P5/PP1B1P2/RN2KBNR b KQ - 0 11",
            "g6 gxf5 gxh5",
            TrappedPiece,
            "trapping the queen on h5",
        ),
        (
            "r1r3k1/1b1nqpp1/pn2p2p/3pP3/3P4/RPNB1N1P/1Q3PP1/4R1K1 b - - 0 20",
            "Rxc3 Qxc3 Qxa3",
            OverloadedDefender,
            "overloading the queen on b2",
        ),
        (
            "6k1/6p1/p7/6qP/8/1P4Q1/P4RK1/2r5 b - - 4 41",
            "Rg1 Kxg1 Qxg3",
            Deflection,
            "drawing the king on g2 away from what it defends",
        ),
        (
            "2r1qbk1/5p2/p5pp/4B3/P3P1b1/1Q3N1P/1P3PP1/3R2K1 b - - 0 27",
            "Bxf3 Qxf3 Qxe5",
            CapturingDefender,
            "capturing the defender of the bishop on e5",
        ),
        (
            "r1b2rk1/pp3p2/1qpp3p/3Pb1p1/2P1PP2/2NB3P/PP1Q1P2/2KR3R b - - 0 17",
            "Bxf4 Qxf4 gxf4",
            Pin,
            "a pin of the queen on d2",
        ),
    ]);
}

#[test]
fn losing_captures_and_quiet_lines_have_no_motif() {
    for (fen, line) in [
        // The rook is defended.
        ("4k3/8/4p3/3n4/8/8/8/K2R4 w - - 0 1", "Rxd5 exd5"),
        // The fork's prize is not taken.
        ("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "Nc7 Kd7 Nd5"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4 e5 Nf3 Nc6 Bb5 a6"),
    ] {
        assert_eq!(tactics(fen, line), [], "{fen} {line}");
    }
}

/// The squares of a move or a piece on the colour-mirrored board.
fn mirrored(text: &str) -> String {
    let flip = |sign: char| sign.to_digit(10).and_then(|rank| char::from_digit(9 - rank, 10)).unwrap_or(sign);
    text.chars().map(flip).collect()
}

/// A position from a random game, and a line of captures, checks and other moves from it.
fn random_line(random: &mut Random) -> (Position, Vec<Move>) {
    let mut start = Position::startpos();
    for _ in 0..random.below(60) {
        let moves = start.legal_moves();
        if moves.is_empty() {
            break;
        }
        start = start.after(moves[random.below(moves.len())]);
    }
    let (mut line, mut position) = (Vec::new(), start);
    for _ in 0..7 {
        let moves = position.legal_moves();
        let is_loud = |mv: &Move| position.is_noisy(*mv) || position.gives_check(*mv);
        let loud: Vec<Move> = moves.iter().copied().filter(is_loud).collect();
        let choice = if loud.is_empty() { &moves[..] } else { &loud };
        if choice.is_empty() {
            break;
        }
        let mv = choice[random.below(choice.len())];
        line.push(mv);
        position = position.after(mv);
    }
    (start, line)
}

#[test]
fn colours_are_equal() {
    let mut random = Random::new(5);
    let mut seen = HashSet::new();
    for _ in 0..400 {
        let (start, line) = random_line(&mut random);
        if line.is_empty() {
            continue;
        }
        let other = start.color_mirrored();
        let text: Vec<String> = line.iter().map(|mv| mirrored(&mv.uci(false).to_string())).collect();
        let (ours, theirs) = (motifs(&start, &line), motifs(&other, &moves(&other, &text.join(" "))));
        let names = |tactics: &[Tactic]| -> Vec<(Motif, usize)> {
            tactics.iter().map(|tactic| (tactic.motif, tactic.ply)).collect()
        };
        assert_eq!(names(&ours), names(&theirs), "{} {line:?}", start.to_fen());
        seen.extend(ours.iter().map(|tactic| tactic.motif));
    }
    assert!(seen.len() > 10, "too few motifs in the lines: {seen:?}");
}

#[test]
fn illegal_moves_end_a_line() {
    let start = Position::startpos();
    let line = [moves(&start, "e4")[0]; 3];
    assert_eq!(motifs(&start, &line), []);
    assert_eq!(motifs(&start, &[]), []);
}
