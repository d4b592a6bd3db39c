//! What sound engines do, measured by the checks themselves: the scale on which an engine is judged.
//!
//! Vedette, Debian's Stockfish 15.1, Ethereal 12.00, Toga II 3.0, Glaurung 2.2 and GNU Chess 6.2.7, full examinations.

/// Geometric mean of nodes to depths 6, 8, 10 and 12.
pub const NODES: [(&str, [(f64, f64); 4]); 6] = [
    ("Vedette", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
    ("Stockfish 15.1", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
    ("Ethereal 12.00", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
    ("Toga II 3.0", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
    ("Glaurung 2.2", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
    ("GNU Chess 6.2.7", [(6.0, 1000.0), (8.0, 3000.0), (10.0, 9000.0), (12.0, 30000.0)]),
];

/// Share of the tactics solved at 30,000 nodes.
pub const TACTICS_AT_NODES: [(&str, f64); 6] = [
    ("Vedette", 0.8),
    ("Stockfish 15.1", 0.8),
    ("Ethereal 12.00", 0.8),
    ("Toga II 3.0", 0.8),
    ("Glaurung 2.2", 0.8),
    ("GNU Chess 6.2.7", 0.8),
];

/// Share of the tactics solved at depth 8.
pub const TACTICS_AT_DEPTH: [(&str, f64); 6] = [
    ("Vedette", 0.6),
    ("Stockfish 15.1", 0.6),
    ("Ethereal 12.00", 0.6),
    ("Toga II 3.0", 0.6),
    ("Glaurung 2.2", 0.6),
    ("GNU Chess 6.2.7", 0.6),
];
