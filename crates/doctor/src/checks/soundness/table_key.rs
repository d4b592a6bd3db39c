//! The hash key must differ for the side to move, castling rights and the en passant square. Part of the check `table`.

use std::time::{Duration, Instant};

use chess::{Position, Role, Square};
use uci::Score;

use crate::catalogue::FindingId;
use crate::check::Examination;
use crate::confidence::{Confidence, TrialRates};
use crate::finding::{Finding, Verdict};
use crate::incident::EngineError;
use crate::repro_log::concat_repro;
use crate::samples::{NO_PIECE, with_piece, with_pieces};
use crate::search_output::SearchOutput;

/// Mates in two with one quiet key move, and a twin of the position after it: the same pieces, but another hash key.
struct Pairs {
    /// The part of the key.
    what: &'static str,
    pairs: &'static [(&'static str, &'static str)],
}

const ALL: [Pairs; 3] = [
    // The twin is a mate in one for the other side.
    Pairs {
        what: "the side to move",
        pairs: &[
            ("8/2Q5/k7/5P2/K1p5/8/6p1/N7 w - - 0 1", "8/2Q5/k7/5P2/K1p5/8/2N3p1/8 w - - 0 1"),
            ("4RK2/7k/8/8/8/4N3/5N2/8 w - - 0 1", "5K2/7k/4R3/8/8/4N3/5N2/8 w - - 0 1"),
            ("8/7Q/8/8/k7/3P3p/4Q3/4K3 w - - 0 1", "8/7Q/8/8/k7/3P3p/1Q6/4K3 w - - 0 1"),
            ("1k6/N5p1/2PR4/K7/8/8/8/8 w - - 0 1", "1k6/N5p1/1KPR4/8/8/8/8/8 w - - 0 1"),
            ("8/8/8/P5Q1/8/2NK4/5k2/8 w - - 0 1", "8/8/8/P5Q1/8/3K4/4Nk2/8 w - - 0 1"),
            ("8/8/8/2Q5/7k/4R3/8/5K2 w - - 0 1", "8/8/8/2Q5/7k/4R3/6K1/8 w - - 0 1"),
            ("8/8/8/8/8/2K5/7Q/5k2 w - - 0 1", "8/8/8/8/8/3K4/7Q/5k2 w - - 0 1"),
            ("8/8/8/7k/5K2/8/8/R7 w - - 0 1", "8/8/R7/7k/5K2/8/8/8 w - - 0 1"),
        ],
    },
    // The twin can castle.
    Pairs {
        what: "castling rights",
        pairs: &[
            ("4k2r/1R6/P7/8/1K1P4/8/8/8 w - - 0 1", "4k2r/PR6/8/8/1K1P4/8/8/8 b k - 0 1"),
            ("4k2r/1P6/8/2Rp4/7p/8/1K2p3/8 w - - 0 1", "4k2r/1PR5/8/3p4/7p/8/1K2p3/8 b k - 0 1"),
            ("K3k2r/8/8/8/8/8/3Q4/2Q5 w - - 0 1", "K3k2r/2Q5/8/8/8/8/3Q4/8 b k - 0 1"),
            ("4k2r/R1K5/1Q6/8/8/6P1/8/8 w - - 0 1", "2K1k2r/R7/1Q6/8/8/6P1/8/8 b k - 0 1"),
            ("4k2r/1P5p/p2P1K2/2p1B3/8/8/8/8 w - - 0 1", "4k2r/1P5p/p2PK3/2p1B3/8/8/8/8 b k - 0 1"),
            ("4k2r/8/6P1/2Kp4/8/8/1Q6/8 w - - 0 1", "4k2r/8/3K2P1/3p4/8/8/1Q6/8 b k - 0 1"),
        ],
    },
    // The twin can capture en passant.
    Pairs {
        what: "the en passant square",
        pairs: &[
            ("K3Q3/4R3/3k4/3P4/2p5/3P4/8/8 w - - 0 1", "K3Q3/4R3/3k4/3P4/2pP4/8/8/8 b - d3 0 1"),
            ("6K1/6Q1/kpB5/4p3/p3p3/1P6/8/8 w - - 0 1", "6K1/6Q1/kpB5/4p3/pP2p3/8/8/8 b - b3 0 1"),
            ("8/3N2K1/8/5pBk/6p1/5P2/1P1pp3/8 w - - 0 1", "8/3N2K1/8/5pBk/5Pp1/8/1P1pp3/8 b - f3 0 1"),
            ("4K3/1B6/3k4/Q7/2p5/3P4/8/8 w - - 0 1", "4K3/1B6/3k4/Q7/2pP4/8/8/8 b - d3 0 1"),
            ("8/6N1/2Q5/k7/1p3K2/2P5/8/8 w - - 0 1", "8/6N1/2Q5/k7/1pP2K2/8/8/8 b - c3 0 1"),
        ],
    },
];

/// The mates are three plies long; selective searches need more.
const DEPTHS: [u32; 3] = [6, 10, 14];

/// Mates lost to one kind of twin that fail: minimum number, and one in this many. One or two may be lost by chance, since hash entries of a
/// twin affect pruning.
const MIN_LOST: usize = 3;
const MIN_SHARE: usize = 3;

const WARN_FROM: usize = 2;

const RATES: TrialRates = TrialRates { sound: 0.08, faulty: 0.4 };

#[derive(Default)]
struct Kind {
    what: &'static str,
    asked: usize,
    lost: Vec<String>,
    repro: Vec<String>,
}

impl Kind {
    /// The mate is found with an empty hash, and must be found with the twin in it.
    fn add(&mut self, fresh: &SearchOutput, after: &SearchOutput) {
        if fresh.cut_short || after.cut_short || !finds_mate(fresh) {
            return;
        }
        self.asked += 1;
        if !finds_mate(after) {
            if self.lost.is_empty() {
                self.repro = concat_repro(&fresh.repro(), &after.repro());
            }
            self.lost.push(format!(
                "{} instead of mate 2 in {}",
                after.score_text(),
                after.position.to_fen()
            ));
        }
    }

    fn is_failure(&self) -> bool {
        self.lost.len() >= MIN_LOST && MIN_SHARE * self.lost.len() >= self.asked
    }
}

pub fn key(exam: &mut Examination) -> Finding {
    if !exam.engine.has_option("Hash") {
        return Finding::skipped(FindingId::TableKey, "no option Hash");
    }
    let mut kinds = Vec::new();
    let deadline = exam.deadline;
    for (number, Pairs { what, pairs }) in ALL.iter().enumerate() {
        // Half of the time, in equal parts.
        let parts = (2 * ALL.len() - number) as u32;
        exam.deadline = Instant::now() + deadline.saturating_duration_since(Instant::now()) / parts;
        let mut kind = Kind { what, ..Kind::default() };
        for (mate, twin) in *pairs {
            if !exam.has_time() {
                break;
            }
            let (Ok(mate), Ok(twin)) = (Position::from_fen(mate), Position::from_fen(twin)) else { continue };
            let Some(control) = control(&twin) else { continue };
            if let Ok(Some((fresh, after))) = search_pair(exam, &mate, &twin, &control) {
                kind.add(&fresh, &after);
            }
        }
        kinds.push(kind);
    }
    exam.deadline = deadline;
    finding(&kinds)
}

/// The mate with an empty hash and with its twin in it. It must be lost at two depths. `None` if it is not found with an empty
/// hash, or is lost after a control too: then move ordering hides it, not the key.
fn search_pair(
    exam: &mut Examination,
    mate: &Position,
    twin: &Position,
    control: &Position,
) -> Result<Option<(SearchOutput, SearchOutput)>, EngineError> {
    let cap = exam.cap(Duration::from_secs(2));
    let engine = &mut exam.engine;
    let mut found = None;
    for depth in DEPTHS {
        let fresh = engine.search_fresh(mate, &format!("go depth {depth}"), cap)?;
        if finds_mate(&fresh) && !fresh.cut_short {
            found = Some((fresh, depth));
            break;
        }
    }
    let Some((fresh, depth)) = found else { return Ok(None) };
    let mut after = |before: &Position, depth: u32| {
        engine.new_game()?;
        // Deep enough for a cutoff. Many engines do not store the root, so a position before it is searched too.
        for (position, plies) in [(Some(*before), 1), (predecessor(before), 2)] {
            let Some(position) = position else { continue };
            engine.search(&position, &format!("go depth {}", depth + plies), cap)?;
        }
        engine.search(mate, &format!("go depth {depth}"), cap)
    };
    for depth in [depth, depth + 1] {
        let after_twin = after(twin, depth)?;
        if finds_mate(&after_twin) {
            return Ok(Some((fresh, after_twin)));
        }
        if !finds_mate(&after(control, depth)?) {
            return Ok(None);
        }
    }
    let after_twin = after(twin, depth)?;
    Ok(Some((fresh, after_twin)))
}

/// A position in which a quiet move of the king or of a piece leads to this one.
fn predecessor(position: &Position) -> Option<Position> {
    // Castling rights and en passant need their own history.
    if position.to_fen().split(' ').skip(2).take(2).any(|field| field != "-") {
        return None;
    }
    let mover = !position.turn();
    let is_moved = |square: &Square| {
        let piece = position.piece_at(*square);
        piece.is_some_and(|piece| piece.color() == mover && piece.role() != Role::Pawn)
    };
    Square::all().filter(is_moved).find_map(|square| {
        let piece = position.piece_at(square)?.to_string().chars().next()?;
        let free = Square::all().filter(|&origin| position.piece_at(origin).is_none());
        let before = |origin| with_pieces(position, &[(square, NO_PIECE), (origin, piece)], mover);
        let leads_here = |before: &Position, origin| {
            before.legal_moves().into_iter().any(|mv| mv.from() == origin && mv.to() == square)
        };
        free.filter_map(|origin| Some((before(origin)?, origin)))
            .find(|(before, origin)| leads_here(before, *origin))
            .map(|(before, _)| before)
    })
}

/// The twin with an extra pawn out of the way: almost the same for the search, but with another key in every engine.
fn control(twin: &Position) -> Option<Position> {
    let squares = Square::all().filter(|square| (1..3).contains(&square.rank().index()));
    let free = squares.filter(|&square| twin.piece_at(square).is_none());
    let kings = twin.role(Role::King);
    let farthest = free.max_by_key(|square| {
        let distances = kings.into_iter().map(|king| king.file().index().abs_diff(square.file().index()));
        distances.min()
    })?;
    with_piece(twin, farthest, 'P')
}

fn finds_mate(result: &SearchOutput) -> bool {
    result.score() == Some(Score::Mate(2))
}

fn finding(kinds: &[Kind]) -> Finding {
    let asked: usize = kinds.iter().map(|kind| kind.asked).sum();
    if asked < 6 {
        return Finding::skipped(FindingId::TableKey, "too few mates found with an empty hash");
    }
    let confused: Vec<&Kind> = kinds.iter().filter(|kind| kind.is_failure()).collect();
    // Without one, all kinds together.
    let worst = confused.iter().max_by_key(|kind| kind.lost.len());
    let (lost, of) = match worst {
        Some(kind) => (kind.lost.len(), kind.asked),
        None => (kinds.iter().map(|kind| kind.lost.len()).sum(), asked),
    };
    let summary = match worst {
        None => {
            let parts =
                kinds.iter().map(|kind| format!("{} for {}", kind.asked, kind.what)).collect::<Vec<_>>();
            format!(
                "{} of {asked} mates are found with a twin of the position in the hash ({})",
                asked - lost,
                parts.join(", ")
            )
        }
        Some(kind) => format!(
            "{} is missing from the hash key: {lost} of {of} mates are lost with a twin in the hash: {}",
            confused.iter().map(|kind| kind.what).collect::<Vec<_>>().join(" or "),
            kind.lost[0]
        ),
    };
    let fails = worst.is_some();
    let is_warning = kinds.iter().any(|kind| kind.lost.len() >= WARN_FROM);
    let verdict =
        if is_warning { Verdict::fail_if(fails).max(Verdict::Warning) } else { Verdict::fail_if(fails) };
    Finding::new(FindingId::TableKey, verdict, summary)
        .effect(lost as f64)
        .confidence(Confidence::of_failures(lost, of, RATES, fails))
        .threshold(format!(
            "{MIN_LOST} mates, and one in {MIN_SHARE}, lost to one kind of twin; {WARN_FROM} are a warning"
        ))
        .samples(of)
        .repro(worst.map(|kind| kind.repro.clone()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_mate(position: &Position) -> bool {
        position.in_check() && !position.has_legal_move()
    }

    fn mates_at_once(position: &Position) -> bool {
        position.legal_moves().into_iter().any(|mv| is_mate(&position.after(mv)))
    }

    /// Whether every reply allows mate in one.
    fn is_lost(position: &Position) -> bool {
        position.has_legal_move()
            && position.legal_moves().into_iter().all(|mv| mates_at_once(&position.after(mv)))
    }

    fn pieces(position: &Position) -> String {
        position.to_fen().split(' ').next().unwrap_or_default().to_owned()
    }

    #[test]
    fn mates_have_one_key_move_and_another_twin() {
        for (mate, twin) in ALL.iter().flat_map(|kind| kind.pairs) {
            let (position, twin) = (Position::from_fen(mate), Position::from_fen(twin));
            let (position, twin) = (position.expect("valid"), twin.expect("valid"));
            let keys: Vec<_> =
                position.legal_moves().into_iter().filter(|&mv| is_lost(&position.after(mv))).collect();
            assert_eq!(keys.len(), 1, "{mate}");
            let after = position.after(keys[0]);
            assert_eq!(pieces(&after), pieces(&twin), "{mate}");
            assert!(!mates_at_once(&position) && !after.in_check(), "{mate}");
            assert!(twin.turn() != after.turn() || !is_lost(&twin), "{mate}");
        }
    }

    #[test]
    fn twins_have_controls() {
        for (_, twin) in ALL.iter().flat_map(|kind| kind.pairs) {
            let twin = Position::from_fen(twin).expect("valid");
            let control = control(&twin).expect("a free square");
            let state = |position: &Position| {
                position.to_fen().split(' ').skip(1).take(3).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(control.occupied().count(), twin.occupied().count() + 1);
            assert_eq!((state(&control), control.in_check()), (state(&twin), twin.in_check()));
        }
    }

    #[test]
    fn twins_have_predecessors() {
        for (_, twin) in ALL[0].pairs {
            let twin = Position::from_fen(twin).expect("valid");
            let before = predecessor(&twin).expect("a move that leads to the twin");
            let board = |position: &Position| pieces(position);
            assert!(before.legal_moves().into_iter().any(|mv| board(&before.after(mv)) == board(&twin)));
        }
    }

    fn scored(score: Score) -> SearchOutput {
        SearchOutput::with_line(DEPTHS[0], score, 100, false)
    }

    #[test]
    fn lost_mates_of_one_kind_fail() {
        let verdict = |asked: usize, lost: [usize; 3]| {
            let kind = |lost: usize| {
                let mut kind = Kind { what: "castling rights", ..Kind::default() };
                for number in 0..asked {
                    let after = if number < lost { Score::Centipawns(300) } else { Score::Mate(2) };
                    kind.add(&scored(Score::Mate(2)), &scored(after));
                }
                kind
            };
            finding(&lost.map(kind)).verdict
        };
        assert_eq!(verdict(5, [0, 0, 0]), Verdict::Pass);
        assert_eq!(verdict(5, [1, 1, 1]), Verdict::Pass, "by chance");
        assert_eq!(verdict(5, [0, 3, 0]), Verdict::Fail);
        assert_eq!(verdict(5, [0, 2, 0]), Verdict::Warning, "maybe chance");
        assert_eq!(verdict(10, [0, 3, 0]), Verdict::Warning, "few of many");
    }

    #[test]
    fn mate_missed_with_empty_hash_does_not_count() {
        let mut kind = Kind::default();
        for _ in 0..8 {
            kind.add(&scored(Score::Mate(3)), &scored(Score::Centipawns(0)));
        }
        assert_eq!(finding(&[kind]).verdict, Verdict::Skipped);
    }
}
