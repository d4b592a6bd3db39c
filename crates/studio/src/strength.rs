//! The playing strength of the engine.

use engine::{ELO, Engine};

/// Limits the engine to this Elo, clamped to its range; `None` for full strength. The engine must be idle.
pub fn set(engine: &mut Engine, elo: Option<u32>) {
    let elo_in_range = elo.map(|elo| elo.clamp(least(), most()));
    let done = engine
        .set_limit_strength(elo.is_some())
        .and_then(|()| elo_in_range.map_or(Ok(()), |elo| engine.set_elo(elo)));
    debug_assert!(done.is_ok(), "the engine is idle and the Elo in range");
}

/// The lowest and the highest Elo.
pub fn range() -> [u32; 2] {
    [least(), most()]
}

fn least() -> u32 {
    *ELO.start() as u32
}

fn most() -> u32 {
    *ELO.end() as u32
}

/// The UCI options for this Elo.
pub fn options(elo: u32) -> Result<Vec<(String, String)>, String> {
    if !ELO.contains(&(elo as usize)) {
        return Err(format!("invalid Elo {elo}: expected {}..={}", least(), most()));
    }
    Ok(vec![("UCI_LimitStrength".to_owned(), "true".to_owned()), ("UCI_Elo".to_owned(), elo.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_limits_the_engine() {
        let mut engine = Engine::new();
        set(&mut engine, Some(1200));
        assert!(engine.options().limit_strength && engine.options().elo == 1200);
        set(&mut engine, Some(9999));
        assert_eq!(engine.options().elo, most());
        set(&mut engine, None);
        assert!(!engine.options().limit_strength);
        assert!(options(100).is_err() && options(1500).is_ok());
    }
}
