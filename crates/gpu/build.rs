//! Compiles the CPU emulation of the device code, and with it an assertion for each field that host and
//! device share.
//!
//! Without a C++ compiler the crate builds, too: the emulation reports that it is missing, and its tests are
//! ignored. Where there is a compiler, an error in the device code fails the build.

#[allow(dead_code, reason = "the library uses the rest of it")]
#[path = "src/abi/layout.rs"]
mod layout;

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=device");
    println!("cargo::rerun-if-changed=src/abi/layout.rs");
    println!("cargo::rustc-check-cfg=cfg(cpu_emulation)");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("abi_check.h"), layout::assertions()).expect("OUT_DIR is writable");
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .opt_level(3)
        .include(&out)
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-fno-rtti")
        .flag_if_supported("-fno-strict-aliasing")
        .flag_if_supported("-Wno-sign-compare")
        .cpp_link_stdlib(None)
        .cargo_warnings(true)
        .file("device/cpu.cpp");
    if let Err(reason) = find_compiler(&build) {
        println!("cargo::warning=building without the CPU emulation of the GPU code: {reason}");
        return;
    }
    if let Err(error) = build.try_compile("vedette_cpu") {
        println!("cargo::error=device/cpu.cpp does not compile: {error}");
        std::process::exit(1);
    }
    println!("cargo::rustc-cfg=cpu_emulation");
}

/// Whether there is a compiler that the device code is written for: GCC or Clang with 128-bit integers.
fn find_compiler(build: &cc::Build) -> Result<(), String> {
    if env::var("CARGO_CFG_TARGET_POINTER_WIDTH").as_deref() != Ok("64") {
        return Err("the target is not a 64-bit platform".to_owned());
    }
    let compiler = build.try_get_compiler().map_err(|error| error.to_string())?;
    if compiler.is_like_msvc() {
        return Err("it needs GCC or Clang".to_owned());
    }
    // An empty file, with the flags of the target: the compiler of this system may not be one for another.
    let mut command: Command = compiler.to_command();
    command.args(["-fsyntax-only", "-x", "c++", "-"]);
    let program = compiler.path().display();
    match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{program} does not compile for this target")),
        Err(error) => Err(format!("no C++ compiler ({program}: {error})")),
    }
}
