#!/bin/sh
# Runs tests under a sanitizer. `make sanitize` runs them all.
#
#   scripts/sanitize.sh address    memory errors and leaks, and undefined behaviour in the C++ code: library tests, UCI
#                                  transcripts, parsers with hostile input, the CPU emulation of the GPU code
#   scripts/sanitize.sh thread     data races: searches on several threads, the thread pool, the UCI session
#   scripts/sanitize.sh valgrind   a UCI session of the portable binary under Memcheck
#
# The first two need nightly Rust, the third needs valgrind. Arguments after the name go to `cargo test`.
set -eu
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
kind=${1:-}
[ $# -eq 0 ] || shift

sanitized() {
    cargo +nightly test --locked --target "$target" --target-dir "target/$kind" "$@"
}

case $kind in
    address)
        # UBSan as traps: its messages would need a runtime library of the C++ compiler.
        export CXXFLAGS="-fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer"
        export RUSTFLAGS="-Zsanitizer=address -Cforce-frame-pointers=yes"
        if [ $# -gt 0 ]; then
            sanitized "$@"
        else
            sanitized --package chess --package nnue --package uci --package record --package engine --package hostile \
                --package gpu --lib --tests
            sanitized --package vedette --test uci_transcripts
        fi
        ;;
    thread)
        # The standard library is not instrumented, so its ABI is declared to be compatible.
        export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer"
        export TSAN_OPTIONS="${TSAN_OPTIONS:-halt_on_error=1}"
        if [ $# -gt 0 ]; then
            sanitized "$@"
        else
            sanitized --package engine --lib --tests
            sanitized --package vedette --bin vedette --test uci_transcripts
        fi
        ;;
    valgrind)
        make portable EXE=target/valgrind/vedette
        # Small limits: valgrind runs code twenty to fifty times slower. Its CPU has no AVX-512, which the program must notice.
        printf '%s\n' uci 'setoption name Hash value 1' 'setoption name Threads value 2' isready 'position startpos moves e2e4' \
            'go depth 6' isready 'go perft 3' 'position fen 8/8/8/8/8/8/8/8 w - - 0 1' 'go movetime 200' 'go infinite' stop quit \
            | valgrind --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite target/valgrind/vedette
        ;;
    *)
        sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,9p' >&2
        exit 2
        ;;
esac
