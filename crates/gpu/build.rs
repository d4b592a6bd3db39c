//! Compiles the device code for one lane of the CPU, if there is a C++ compiler. Without one the crate builds all
//! the same, and says at run time that the lane is absent.

fn main() {
    println!("cargo:rerun-if-changed=device");
    println!("cargo:rustc-check-cfg=cfg(lane)");
    let compiled = cc::Build::new()
        .cpp(true)
        .std("c++17")
        .opt_level(3)
        .flag_if_supported("-fno-exceptions")
        .flag_if_supported("-fno-rtti")
        .flag_if_supported("-fno-strict-aliasing")
        .flag_if_supported("-Wno-sign-compare")
        .cpp_link_stdlib(None)
        .cargo_warnings(false)
        .file("device/lane.cpp")
        .try_compile("vedette_lane");
    if compiled.is_ok() {
        println!("cargo:rustc-cfg=lane");
    }
}
