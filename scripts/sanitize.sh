#!/bin/sh
# Runs tests under a tool that finds errors no assertion sees. `make sanitize` runs them all.
#
#   scripts/sanitize.sh address    memory errors and leaks, and undefined behaviour in the C++ code: library tests, UCI
#                                  transcripts, parsers with hostile input, the CPU emulation of the GPU code
#   scripts/sanitize.sh thread     data races: searches on several threads, the thread pool, the UCI session
#   scripts/sanitize.sh miri       undefined behaviour in the code with `unsafe` blocks that Miri can run
#   scripts/sanitize.sh valgrind   UCI transcripts with an optimised binary under Memcheck
#
# The first three need nightly Rust: with its component rust-src the standard library is built and checked as well, and
# Miri needs the component miri. Arguments after the name go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
kind=${1:-}
[ $# -eq 0 ] || shift

sanitized() {
    standard=
    [ ! -d "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library" ] || standard=-Zbuild-std
    # Unquoted: no word where the standard library cannot be built.
    cargo +nightly test $standard --locked --target "$target" --target-dir "target/$kind" "$@"
}

# Shadow memory needs terabytes of address space, which the transcripts with limited memory do not have.
export UCI_UNLIMITED=1

case $kind in
    address)
        # UBSan as traps: its messages would need a runtime library of the C++ compiler.
        export CXXFLAGS="-fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer"
        export RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes"
        if [ $# -gt 0 ]; then
            sanitized "$@"
        else
            sanitized --package vedette-chess --package vedette-nnue --package vedette-uci --package vedette-record \
                --package vedette-engine --package hostile --package gpu --lib --tests
            sanitized --package vedette --test uci_transcripts
        fi
        ;;
    thread)
        # Where the standard library is not instrumented, its ABI is declared to be compatible.
        export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
        export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"
        # shuttle switches stacks, which ThreadSanitizer cannot follow.
        if [ $# -gt 0 ]; then
            sanitized "$@"
        else
            sanitized --package vedette-engine --lib --tests -- --skip interleavings
            sanitized --package vedette --bin vedette --test uci_transcripts -- --skip interleavings
        fi
        ;;
    miri)
        export MIRIFLAGS="${MIRIFLAGS:--Zmiri-disable-isolation}"
        miri() { cargo +nightly miri test --locked --target-dir "target/$kind" "$@"; }
        if [ $# -gt 0 ]; then
            miri "$@"
        else
            # Move counts of perft, and visits of every cluster, take hours.
            miri --package vedette-chess --lib -- --skip perft
            miri --package vedette-nnue --lib
            miri --package vedette-engine --lib -- table:: --skip all_clusters --skip in_memory
        fi
        ;;
    valgrind)
        # Not for this CPU: valgrind has no AVX-512, which the program notices.
        cargo build --locked --package vedette --profile quick
        mkdir -p target/valgrind
        # Up to 512 threads are started, of which valgrind runs one at a time: it takes minutes until one has its turn.
        # Errors are printed to stderr, which the transcripts expect to be empty.
        printf '#!/bin/sh\nexec valgrind -q --max-threads=1000 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "%s" "$@"\n' \
            "$PWD/target/quick/vedette" > target/valgrind/checked
        chmod +x target/valgrind/checked
        UCI_PATIENCE=1200 UCI_PROGRAM=$PWD/target/valgrind/checked cargo test --locked --package vedette --test uci_transcripts "$@"
        ;;
    *)
        sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,11p' >&2
        exit 2
        ;;
esac
