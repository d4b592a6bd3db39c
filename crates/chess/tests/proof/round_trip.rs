//! Round trips of any text: no panic, and accepted input is the same after writing and reading it. Used by
//! `text` and by the fuzz targets.

use chess::{Epd, FenRepairs, Position};

pub fn read_fen(text: &str) {
    let Ok(position) = Position::from_fen(text) else { return };
    assert!(position.is_consistent(), "{text}");
    for written in [position.to_fen(), position.to_shredder_fen()] {
        let (again, repairs) =
            Position::from_fen_with_repairs(&written).expect("what was written can be read");
        assert_eq!(again, position, "{text} was written as {written}");
        assert_eq!(repairs, FenRepairs::default(), "{text} was repaired twice");
    }
    // An accepted position can be played.
    for mv in position.legal_moves() {
        let next = position.after(mv);
        assert!(next.is_consistent(), "{mv:?} in {text}");
    }
}

pub fn read_epd(text: &str) {
    let Ok(epd) = text.parse::<Epd>() else { return };
    let written = epd.to_string();
    let again: Epd = written.parse().unwrap_or_else(|error| panic!("{text:?} as {written:?}: {error}"));
    assert_eq!(again.position, epd.position, "{text:?} was written as {written:?}");
    assert_eq!(again.to_string(), written, "{text:?}");
    // Clocks given as in a FEN are written as the first operations.
    let added = again.operations.len() - epd.operations.len();
    assert_eq!(again.operations[added..], epd.operations, "{text:?} was written as {written:?}");
}

pub fn read_san(position: &Position, text: &str) {
    let Ok(mv) = position.parse_san(text) else { return };
    assert!(position.is_legal(mv), "{text} in {position:?}");
    assert_eq!(position.parse_san(&position.san(mv).to_string()), Ok(mv), "{text} in {position:?}");
}

pub fn read_uci(position: &Position, text: &str) {
    let Ok(mv) = position.parse_uci(text) else { return };
    assert!(position.is_legal(mv), "{text} in {position:?}");
    assert_eq!(position.parse_uci(&mv.uci(true).to_string()), Ok(mv), "{text} in {position:?}");
}
