//! Which GPUs the device code fits, and with how many warps in a block. Nothing here calls a GPU.

use crate::abi::Layout;
use crate::error::GpuError;

/// The first generation whose lanes can add up and compare in one instruction, as CUDA counts them.
const FIRST_GENERATION: (i32, i32) = (8, 0);

/// Refuses GPUs that are too old for the device code.
pub fn check_generation(name: &str, generation: (i32, i32)) -> Result<(), GpuError> {
    if generation >= FIRST_GENERATION {
        return Ok(());
    }
    let ((major, minor), (first, _)) = (generation, FIRST_GENERATION);
    Err(GpuError::Input(format!(
        "{name} is too old to play on: it has compute capability {major}.{minor}, and {first}.0 is needed (Ampere, \
         since 2020); --device lane plays on the CPU"
    )))
}

/// Compiles the device code so that its blocks fit into the shared memory that they may have: with as many warps as it
/// thinks best, or else half of them, and so on.
///
/// # Errors
/// If it does not compile, or not even the fewest warps fit.
pub fn fitted<K>(
    most_shared: u32,
    mut compile: impl FnMut(Option<u32>) -> Result<(Layout, K), GpuError>,
) -> Result<(Layout, K), GpuError> {
    /// An even number keeps what follows the warps' frames aligned.
    const FEWEST_WARPS: u32 = 2;
    let mut warps = None;
    loop {
        let (layout, kernels) = compile(warps)?;
        let wanted = shared_bytes(&layout);
        if wanted <= most_shared {
            return Ok((layout, kernels));
        }
        let fewer = layout.warps / 2;
        if fewer < FEWEST_WARPS {
            return Err(GpuError::Input(format!(
                "networks of {} hidden units do not fit on this GPU: a block needs {wanted} bytes of shared memory \
                 and may have {most_shared}",
                layout.hidden
            )));
        }
        warps = Some(fewer);
    }
}

/// What the largest of the kernels needs.
fn shared_bytes(layout: &Layout) -> u32 {
    layout.match_shared_bytes.max(layout.play_shared_bytes).max(layout.other_shared_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as the device code counted them when this was written: a fixed part, a warp's frames, output weights.
    fn compile(hidden: u32, warps: Option<u32>) -> (Layout, ()) {
        let warps = warps.unwrap_or(if hidden < 1024 { 32 } else { 16 });
        let outputs = 8 * 2 * hidden * 2 + 8 * 4;
        let play_shared_bytes = 11_264 + warps * (2856 + 16) + outputs;
        let match_shared_bytes = play_shared_bytes + outputs;
        (Layout { play_shared_bytes, match_shared_bytes, warps, hidden, ..Layout::default() }, ())
    }

    fn warps(most_shared: u32, hidden: u32) -> Result<u32, String> {
        let fitted = fitted(most_shared, |warps| Ok(compile(hidden, warps)));
        fitted.map(|(layout, ())| layout.warps).map_err(|error| error.to_string())
    }

    #[test]
    fn small_gpus_get_fewer_warps_and_large_ones_all() {
        // What a block may have on an H200, an A100, and on consumers' cards since Ampere.
        let (h200, a100, consumers) = (232_448, 166_912, 101_376);
        for most in [h200, a100] {
            assert_eq!([256, 512, 1024].map(|hidden| warps(most, hidden)), [Ok(32), Ok(32), Ok(16)]);
        }
        assert_eq!([256, 512, 1024].map(|hidden| warps(consumers, hidden)), [Ok(16), Ok(16), Ok(8)]);
        let refused = warps(consumers, 2048).unwrap_err();
        assert!(refused.contains("2048 hidden units") && refused.contains("101376"), "{refused}");
    }

    #[test]
    fn old_gpus_are_refused_in_one_sentence() {
        let said = check_generation("NVIDIA Tesla T4", (7, 5)).unwrap_err().to_string();
        assert!(said.starts_with("NVIDIA Tesla T4 is too old") && said.contains("7.5"), "{said}");
        for generation in [(8, 0), (8, 6), (9, 0), (12, 0)] {
            assert_eq!(check_generation("", generation), Ok(()));
        }
    }
}
