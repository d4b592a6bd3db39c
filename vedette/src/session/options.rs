//! `setoption`: the options of the session itself. All others are the engine's.

use std::path::Path;
use std::sync::LazyLock;

use engine::Engine;
use uci::{OptionDeclaration, OptionTable};

use super::End;
use super::book::BOOK_DEPTH;
use super::session_loop::Session;
use crate::identity;

/// Options that change how the session prints, and some that GUIs set although nothing depends on them: `go ponder`
/// repeats the first, the search is the same in analysis and against every opponent, and the last one is text for people.
static TABLE: LazyLock<OptionTable<Session, Result<(), End>>> = LazyLock::new(|| {
    let mut table: OptionTable<Session, Result<(), End>> = OptionTable::default();
    table.check("Ponder", false, |_, _| Ok(()));
    table.check("UCI_Chess960", false, |session, on| {
        session.style.chess960 = on;
        Ok(())
    });
    table.check("UCI_ShowWDL", false, |session, on| {
        session.style.show_wdl = on;
        Ok(())
    });
    table.check("UCI_AnalyseMode", false, |_, _| Ok(()));
    table.string("UCI_Opponent", "", |_, _| Ok(()));
    table.string("UCI_EngineAbout", identity::ABOUT, |_, _| Ok(()));
    table.check("OwnBook", false, |session, on| {
        session.book.is_on = on;
        Ok(())
    });
    table.string("BookFile", "", |session, path| match session.book.open(path) {
        Ok(None) => Ok(()),
        Ok(Some(note)) => session.info(&note),
        Err(error) => session.info(&format_args!("setoption: BookFile: {error}")),
    });
    table.spin("BookDepth", *BOOK_DEPTH.end(), BOOK_DEPTH, |session, moves| {
        session.book.depth = moves as u32;
        Ok(())
    });
    table.check("BookBest", false, |session, on| {
        session.book.best = on;
        Ok(())
    });
    table.string("Debug Log File", "", |session, path| {
        let path = (!path.is_empty()).then(|| Path::new(path));
        session.output.log_to(path).or_else(|error| session.info(&error))
    });
    table
});

/// Everything that `uci` declares.
pub fn declarations() -> impl Iterator<Item = &'static OptionDeclaration> {
    Engine::option_declarations().chain(TABLE.declarations())
}

impl Session {
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), End> {
        if TABLE.contains(name) {
            return match TABLE.set(self, name, value) {
                Ok(done) => done,
                Err(error) => self.info(&format_args!("setoption: {error}")),
            };
        }
        match self.engine.set_option(name, value) {
            Ok(None) => Ok(()),
            Ok(Some(note)) => self.info(&note),
            Err(error) => self.info(&format_args!("setoption: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::output::Output;
    use std::io;
    use std::sync::Arc;
    use std::time::Instant;
    use uci::{Line, OptionKind};

    fn session() -> Session {
        Session::new(Arc::default(), Output::new(io::sink())).expect("memory and a thread")
    }

    #[test]
    fn new_session_has_the_declared_defaults() {
        let session = session();
        assert_eq!(session.engine.options(), &engine::Options::default());
        assert!(!session.style.chess960 && !session.style.show_wdl);
    }

    #[test]
    fn names_are_unique_and_defaults_can_be_set() {
        let mut session = session();
        let all: Vec<&OptionDeclaration> = declarations().collect();
        for (index, option) in all.iter().enumerate() {
            assert!(
                all[..index].iter().all(|other| !other.name.eq_ignore_ascii_case(&option.name)),
                "{option}"
            );
            let value = match &option.kind {
                OptionKind::Check { default } => Some(default.to_string()),
                OptionKind::Spin { default, .. } => Some(default.to_string()),
                OptionKind::String { default } | OptionKind::Combo { default, .. } => Some(default.clone()),
                OptionKind::Button => None,
            };
            assert_eq!(session.set_option(&option.name, value.as_deref()), Ok(()));
        }
        assert_eq!(session.engine.options(), &engine::Options::default());
    }

    #[test]
    fn setoption_reaches_session_and_engine() {
        let mut session = session();
        for line in [
            "setoption name Hash value 5",
            "setoption name uci_chess960 value TRUE",
            "setoption name UCI_ShowWDL value true",
            "setoption name UCI_Elo value 1234",
        ] {
            session.handle_line(&Line::Text(line.to_owned()), Instant::now()).unwrap();
        }
        assert!(session.style.chess960 && session.style.show_wdl);
        assert_eq!((session.engine.options().hash_mb, session.engine.options().elo), (5, 1234));
    }
}
