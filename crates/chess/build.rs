//! Fills the attack table of rooks and bishops, which is too large for constant evaluation, and writes it in
//! the target's byte order for `src/attacks.rs` to include.

use std::path::Path;
use std::{env, fs};

mod geometry {
    include!("src/sliders.rs");
}
use geometry::{BISHOP_DIRECTIONS, BISHOPS, ROOK_DIRECTIONS, ROOKS, Slider, TABLE_SIZE, walk};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/sliders.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let bit_extract =
        target("ARCH") == "x86_64" && target("FEATURE").split(',').any(|feature| feature == "bmi2");
    let big_endian = target("ENDIAN") == "big";

    let mut table = vec![0u64; TABLE_SIZE];
    for (sliders, directions) in [(&ROOKS, &ROOK_DIRECTIONS), (&BISHOPS, &BISHOP_DIRECTIONS)] {
        for (square, slider) in sliders.iter().enumerate() {
            fill(&mut table[slider.offset..], square, slider, directions, bit_extract);
        }
    }
    let bytes: Vec<u8> = table
        .iter()
        .flat_map(|entry| if big_endian { entry.to_be_bytes() } else { entry.to_le_bytes() })
        .collect();
    let folder = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR for build scripts");
    fs::write(Path::new(&folder).join("slider_attacks.bin"), bytes).expect("the output folder is writable");
}

/// Fills the slice of one square, for every occupancy of its mask. PEXT numbers occupancies in the order of
/// this loop; otherwise the magic number decides.
fn fill(share: &mut [u64], square: usize, slider: &Slider, directions: &[(i32, i32); 4], bit_extract: bool) {
    let mut occupied = 0u64;
    let mut count = 0;
    loop {
        let attacks = walk(square, directions, occupied, false);
        let index = if bit_extract {
            count
        } else {
            (occupied.wrapping_mul(slider.magic) >> (64 - slider.mask.count_ones())) as usize
        };
        assert!(share[index] == 0 || share[index] == attacks, "two occupancies collide on square {square}");
        share[index] = attacks;
        count += 1;
        occupied = occupied.wrapping_sub(slider.mask) & slider.mask;
        if occupied == 0 {
            break;
        }
    }
}
