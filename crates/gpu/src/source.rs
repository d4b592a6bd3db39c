//! The device code as one source text, since NVRTC has no files to include.

use nnue::shape::Shape;

use crate::abi::layout;

/// Each after those it includes.
const PARTS: [(&str, &str); 18] = [
    ("abi.h", include_str!("../device/abi.h")),
    ("warp.h", include_str!("../device/warp.h")),
    ("parameters.h", include_str!("../device/parameters.h")),
    ("memory.h", include_str!("../device/memory.h")),
    ("board.h", include_str!("../device/board.h")),
    ("moves.h", include_str!("../device/moves.h")),
    ("see.h", include_str!("../device/see.h")),
    ("state.h", include_str!("../device/state.h")),
    ("network.h", include_str!("../device/network.h")),
    ("order.h", include_str!("../device/order.h")),
    ("decisions.h", include_str!("../device/decisions.h")),
    ("search.h", include_str!("../device/search.h")),
    ("deepen.h", include_str!("../device/deepen.h")),
    ("opening.h", include_str!("../device/opening.h")),
    ("output.h", include_str!("../device/output.h")),
    ("game.h", include_str!("../device/game.h")),
    ("perft.h", include_str!("../device/perft.h")),
    ("kernels.cu", include_str!("../device/kernels.cu")),
];

/// For compiler messages.
pub const NAME: &str = "kernels.cu";

/// The whole program, with assertions on every field that it shares with the host.
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
    text + "#line 1 \"abi_check.h\"\n" + &layout::assertions()
}

/// Compiler options for networks of a shape, and for a number of warps per block unless the default is used.
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
    fn parts_follow_their_includes() {
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
    fn program_compiles() {
        let shape = Shape::new(1024).unwrap().with_king_buckets(4).unwrap();
        let program = cuda::Program { name: NAME, source: &program(), options: options(shape, None) };
        match program.compile_for((9, 0)) {
            Ok(binary) => assert!(!binary.is_empty()),
            Err(cuda::CudaError::Missing(missing)) => eprintln!("skipped: {missing}"),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn no_include_is_left() {
        assert!(!program().contains("#include \""));
    }
}
