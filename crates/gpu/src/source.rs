//! The device code as one text, as NVRTC wants it: it has no files to include.

use nnue::shape::Shape;

/// The parts of the program, each after those it includes.
const PARTS: [(&str, &str); 18] = [
    ("abi.h", include_str!("../device/abi.h")),
    ("lanes.h", include_str!("../device/lanes.h")),
    ("parameters.h", include_str!("../device/parameters.h")),
    ("warp.h", include_str!("../device/warp.h")),
    ("board.h", include_str!("../device/board.h")),
    ("moves.h", include_str!("../device/moves.h")),
    ("exchange.h", include_str!("../device/exchange.h")),
    ("state.h", include_str!("../device/state.h")),
    ("network.h", include_str!("../device/network.h")),
    ("order.h", include_str!("../device/order.h")),
    ("decisions.h", include_str!("../device/decisions.h")),
    ("search.h", include_str!("../device/search.h")),
    ("think.h", include_str!("../device/think.h")),
    ("opening.h", include_str!("../device/opening.h")),
    ("output.h", include_str!("../device/output.h")),
    ("game.h", include_str!("../device/game.h")),
    ("perft.h", include_str!("../device/perft.h")),
    ("kernels.cu", include_str!("../device/kernels.cu")),
];

/// What the program is called in messages.
pub const NAME: &str = "kernels.cu";

/// The whole program.
pub fn program() -> String {
    let mut text = String::new();
    for (name, part) in PARTS {
        text.extend(["#line 1 \"", name, "\"\n"]);
        for line in part.lines() {
            let joined = line == "#pragma once" || line.starts_with("#include \"");
            text += if joined { "" } else { line };
            text.push('\n');
        }
    }
    text
}

/// Options of the compiler for networks of a shape, with so many warps in a block, or as many as the device code thinks
/// best.
pub fn options(shape: Shape, warps: Option<u32>) -> Vec<String> {
    let (hidden, king_buckets) = (shape.hidden(), shape.king_buckets());
    let warps = warps.map(|warps| format!("-DWARPS={warps}"));
    [format!("-DHIDDEN={hidden}"), format!("-DKING_BUCKETS={king_buckets}")]
        .into_iter()
        .chain(warps)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_part_comes_after_those_it_includes() {
        let mut seen = HashSet::new();
        for (name, part) in PARTS {
            for line in part.lines() {
                if let Some(included) = line.strip_prefix("#include \"") {
                    assert!(seen.contains(included.trim_end_matches('"')), "{name}: {line}");
                }
            }
            seen.insert(name);
        }
    }

    #[test]
    fn nothing_is_left_to_include_on_the_device() {
        assert!(!program().contains("#include \""));
    }
}
