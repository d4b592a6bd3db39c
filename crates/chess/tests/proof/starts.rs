//! The start positions of Chess960 against those of cozy-chess.

use chess::Position;
use std::collections::HashSet;

#[test]
fn chess960_starts_match_cozy_chess() {
    let mut seen = HashSet::new();
    for number in 0..960 {
        let ours = Position::chess960(number).unwrap();
        assert!(ours.is_consistent());
        let theirs = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(ours.to_shredder_fen(), format!("{theirs:#}"));
        let opposite = 959 - number;
        let ours = Position::double_chess960(number, opposite).unwrap();
        let theirs = cozy_chess::Board::double_chess960_startpos(u32::from(number), u32::from(opposite));
        assert_eq!(ours.to_shredder_fen(), format!("{theirs:#}"));
        seen.insert(ours.to_fen());
    }
    assert_eq!(seen.len(), 960);
    assert_eq!(Position::double_chess960(0, 960), None);
    assert_eq!(Position::double_chess960(u16::MAX, 0), None);
}
