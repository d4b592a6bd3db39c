//! Passes compiler and build settings to the program, for the `compiler` command.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let version = version.map(|version| version.trim().to_owned()).filter(|version| !version.is_empty());
    println!("cargo::rustc-env=VEDETTE_COMPILER={}", version.as_deref().unwrap_or("an unknown rustc"));
    println!("cargo::rustc-env=VEDETTE_TARGET={}", env::var("TARGET").unwrap_or_default());
}
