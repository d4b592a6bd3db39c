//! Which GPUs the device code supports, and with how many warps per thread block. Nothing here calls a GPU.

use crate::abi::Layout;
use crate::error::GpuError;

/// The first compute capability with warp-wide reductions.
const MIN_CAPABILITY: (i32, i32) = (8, 0);

pub fn check_capability(name: &str, capability: (i32, i32)) -> Result<(), GpuError> {
    if capability >= MIN_CAPABILITY {
        return Ok(());
    }
    let ((major, minor), (first, _)) = (capability, MIN_CAPABILITY);
    Err(GpuError::Input(format!(
        "{name} is not supported: compute capability {major}.{minor}, at least {first}.0 needed (Ampere, 2020); \
         --device cpu emulates a GPU"
    )))
}

/// Compiles the device code so that a thread block fits into shared memory: with the default number of warps, or else half
/// of them, and so on.
pub fn compile_to_fit<K>(
    max_shared: u32,
    mut compile: impl FnMut(Option<u32>) -> Result<(Layout, K), GpuError>,
) -> Result<(Layout, K), GpuError> {
    /// An even number keeps what follows the search stacks aligned.
    const MIN_WARPS: u32 = 2;
    let mut warps = None;
    loop {
        let (layout, kernels) = compile(warps)?;
        let wanted = shared_bytes(&layout);
        if wanted <= max_shared {
            return Ok((layout, kernels));
        }
        let fewer = layout.warps / 2;
        if fewer < MIN_WARPS {
            return Err(GpuError::Input(format!(
                "networks of {} hidden units do not fit on this GPU: a thread block needs {wanted} bytes of shared memory, \
                 {max_shared} available",
                layout.hidden
            )));
        }
        warps = Some(fewer);
    }
}

fn shared_bytes(layout: &Layout) -> u32 {
    layout.match_shared_bytes.max(layout.play_shared_bytes).max(layout.other_shared_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as the device code needs them: a fixed part, search stacks, output weights.
    fn compile(hidden: u32, warps: Option<u32>) -> (Layout, ()) {
        let warps = warps.unwrap_or(if hidden < 1024 { 32 } else { 16 });
        let outputs = 8 * 2 * hidden * 2 + 8 * 4;
        let play_shared_bytes = 11_264 + warps * (2856 + 16) + outputs;
        let match_shared_bytes = play_shared_bytes + outputs;
        (Layout { play_shared_bytes, match_shared_bytes, warps, hidden, ..Layout::default() }, ())
    }

    fn warps(max_shared: u32, hidden: u32) -> Result<u32, String> {
        let compiled = compile_to_fit(max_shared, |warps| Ok(compile(hidden, warps)));
        compiled.map(|(layout, ())| layout.warps).map_err(|error| error.to_string())
    }

    #[test]
    fn small_gpus_get_fewer_warps() {
        // Shared memory per block of an H200, an A100, and consumer cards since Ampere.
        let (h200, a100, consumers) = (232_448, 166_912, 101_376);
        for most in [h200, a100] {
            assert_eq!([256, 512, 1024].map(|hidden| warps(most, hidden)), [Ok(32), Ok(32), Ok(16)]);
        }
        assert_eq!([256, 512, 1024].map(|hidden| warps(consumers, hidden)), [Ok(16), Ok(16), Ok(8)]);
        let error = warps(consumers, 2048).unwrap_err();
        assert!(error.contains("2048 hidden units") && error.contains("101376"), "{error}");
    }

    #[test]
    fn old_gpus_are_rejected() {
        let error = check_capability("NVIDIA Tesla T4", (7, 5)).unwrap_err().to_string();
        assert!(error.starts_with("NVIDIA Tesla T4 is not supported") && error.contains("7.5"), "{error}");
        for capability in [(8, 0), (8, 6), (9, 0), (12, 0)] {
            assert_eq!(check_capability("", capability), Ok(()));
        }
    }
}
