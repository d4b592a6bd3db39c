//! Random weights from a seed (`SplitMix64`), the same on every machine.

pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number between -1 and 1.
    pub fn symmetric(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}
