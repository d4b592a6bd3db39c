#!/bin/sh
# Prints the flags of rustc for profile-guided optimisation, after a run of `bench` with an instrumented build. Needs
# llvm-profdata: rustup component add llvm-tools
#
#   scripts/pgo.sh FLAGS       the other flags of rustc
set -eu
cd "$(dirname "$0")/.."
: "${CARGO:=cargo}"
tool=$(find "$(rustc --print sysroot)" -name 'llvm-profdata*' -type f | head -n 1)
[ -n "$tool" ] || { echo "pgo: llvm-profdata not found; install it with: rustup component add llvm-tools" >&2; exit 1; }
target=$PWD/${CARGO_TARGET_DIR:-target}/pgo
rm -rf "$target/profiles"
RUSTFLAGS="$1 -C profile-generate=$target/profiles" "$CARGO" build --release --locked --package vedette --target-dir "$target" >&2
"$target/release/vedette" bench > /dev/null 2>&1
"$tool" merge -o "$target/merged.profdata" "$target/profiles"
echo "-C profile-use=$target/merged.profdata"
