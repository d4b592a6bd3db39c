//! How strong the engine plays against a person, and as a side of a match.

use engine::{ELO, Engine};

/// Lets the engine play like somebody with this Elo, or as near to it as it can; `None` for all it can do.
/// Nothing may be thinking.
pub fn set(engine: &mut Engine, elo: Option<u32>) {
    let elo_in_range = elo.map(|elo| elo.clamp(least(), most()));
    let done = engine
        .set_limit_strength(elo.is_some())
        .and_then(|()| elo_in_range.map_or(Ok(()), |elo| engine.set_elo(elo)));
    debug_assert!(done.is_ok(), "the engine is idle and the Elo in range");
}

/// The weakest and the strongest Elo that can be asked for.
pub fn range() -> [u32; 2] {
    [least(), most()]
}

fn least() -> u32 {
    *ELO.start() as u32
}

fn most() -> u32 {
    *ELO.end() as u32
}

/// The UCI options of an engine with this Elo.
///
/// # Errors
/// No engine here can have this Elo.
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
    fn an_elo_limits_the_engine_and_none_frees_it() {
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
