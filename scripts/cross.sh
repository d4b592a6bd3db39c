#!/bin/sh
# Checks the code for other systems from Linux on x86-64.
#
#   scripts/cross.sh check       type check for Windows, 64-bit ARM and macOS
#   scripts/cross.sh neon        tests of the network on 64-bit ARM under qemu: NEON gives the same integers as scalar code
#   scripts/cross.sh bench       the same bench on 64-bit ARM under qemu
#   scripts/cross.sh             all of them
#
# A target or a tool that is missing is skipped with a message, or fails with REQUIRE=all. Debian's packages:
# gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 gcc-aarch64-linux-gnu g++-aarch64-linux-gnu qemu-user
set -eu
cd "$(dirname "$0")/.."
: "${CARGO:=cargo}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/cross"
ARM=aarch64-unknown-linux-gnu

skip() {
    echo "skipped: $*" >&2
    [ "${REQUIRE:-}" != all ]
}

have() { command -v "$1" > /dev/null 2>&1; }

# Installs the standard library of a target.
target() {
    rustup target list --installed 2> /dev/null | grep -qx "$1" || rustup target add "$1" > /dev/null 2>&1
}

check() {
    for name in x86_64-pc-windows-gnu $ARM aarch64-apple-darwin; do
        if target $name; then
            echo "=== cargo check for $name"
            "$CARGO" check --workspace --locked --target $name
        else
            skip "cargo check for $name (rustup target add $name failed)"
        fi
    done
}

# Runs a command with the linker and the emulator of 64-bit ARM.
arm() {
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" "$@"
}

can_run_arm() { target $ARM && have aarch64-linux-gnu-gcc && have qemu-aarch64; }

neon() {
    can_run_arm || { skip "tests of NEON (needs $ARM, aarch64-linux-gnu-gcc and qemu-aarch64)"; return; }
    echo "=== NEON under qemu"
    arm "$CARGO" test --package vedette-nnue --locked --target $ARM
}

bench() {
    can_run_arm || { skip "bench on 64-bit ARM (needs $ARM, aarch64-linux-gnu-gcc and qemu-aarch64)"; return; }
    echo "=== bench on 64-bit ARM under qemu"
    arm "$CARGO" build --package vedette --no-default-features --profile quick --locked --target $ARM
    scripts/check-bench.sh "$CARGO_TARGET_DIR/$ARM/quick/vedette" qemu-aarch64 -L /usr/aarch64-linux-gnu
}

case ${1:-all} in
    check | neon | bench) "$1" ;;
    all)
        check
        neon
        bench
        ;;
    *) sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,11p' >&2; exit 2 ;;
esac
