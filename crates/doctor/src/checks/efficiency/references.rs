//! Reference engines, measured by the checks themselves.
//!
//! Vedette with the shipped network and Debian's Stockfish 15.1, Ethereal 12.00, Toga II 3.0, Glaurung 2.2 and GNU Chess
//! 6.2.7. Depths that an engine did not reach in most positions in time are left out. Vedette's classical evaluation has 15 %
//! larger trees (26,344 nodes to depth 12) and solves as many tactics (91 % at fixed nodes, 73 % at fixed depth).

/// Depth and nodes.
type Points = &'static [(f64, f64)];

/// Geometric mean of the nodes to a depth.
pub const NODES: [(&str, Points); 6] = [
    ("Vedette", &[(4.0, 294.0), (6.0, 836.0), (8.0, 2844.0), (10.0, 8725.0), (12.0, 22_882.0)]),
    ("Stockfish 15.1", &[(4.0, 232.0), (6.0, 703.0), (8.0, 3578.0), (10.0, 14_404.0), (12.0, 35_872.0)]),
    ("Ethereal 12.00", &[(4.0, 237.0), (6.0, 1276.0), (8.0, 5503.0), (10.0, 22_328.0), (12.0, 87_463.0)]),
    ("Toga II 3.0", &[(4.0, 3026.0), (6.0, 13_427.0), (8.0, 40_640.0)]),
    ("Glaurung 2.2", &[(4.0, 3351.0), (6.0, 14_434.0), (8.0, 38_337.0)]),
    ("GNU Chess 6.2.7", &[(4.0, 2857.0), (6.0, 24_725.0), (8.0, 203_745.0), (10.0, 577_801.0)]),
];

/// Tactics solved at 30,000 nodes, by engines that respect `go nodes`.
pub const TACTICS_AT_NODES: &[(&str, f64)] =
    &[("Vedette", 0.95), ("Stockfish 15.1", 1.0), ("Glaurung 2.2", 0.86)];

/// Tactics solved at depth 8.
pub const TACTICS_AT_DEPTH: &[(&str, f64)] = &[
    ("Vedette", 0.77),
    ("Stockfish 15.1", 0.95),
    ("Ethereal 12.00", 0.59),
    ("Toga II 3.0", 0.88),
    ("Glaurung 2.2", 0.94),
    ("GNU Chess 6.2.7", 0.91),
];
