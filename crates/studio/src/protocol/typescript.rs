//! Generates `web/src/protocol.ts` from the protocol's types. The file is checked in, so that the page is built without
//! Rust; the test fails if it is stale. `UPDATE=1 cargo test -p studio typescript` regenerates it.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use super::{ClientMessage, ServerMessage};

const HEADER: &str =
    "// Generated from crates/studio/src/protocol: UPDATE=1 cargo test -p studio typescript\n";

/// Collects the declarations of types and of all types that they contain.
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Types without a path, such as numbers, have no declaration.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = format!("{docs}export {}\n", T::decl(&self.config));
            self.by_name.insert(T::ident(&self.config), declaration);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

fn typescript() -> String {
    let config = Config::new().with_large_int("number");
    let mut declarations = Declarations { config, seen: HashSet::new(), by_name: BTreeMap::new() };
    declarations.visit::<ClientMessage>();
    declarations.visit::<ServerMessage>();
    let declarations: Vec<String> = declarations.by_name.into_values().collect();
    format!("{HEADER}\n{}", declarations.join("\n"))
}

#[test]
fn typescript_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol.ts");
    let generated = typescript();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &generated).expect("writable");
    }
    let found = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == generated, "web/src/protocol.ts is stale: UPDATE=1 cargo test -p studio typescript");
}
