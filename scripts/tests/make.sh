#!/bin/sh
# Tests what the Makefile would do, without doing it.
set -u
cd "$(dirname "$0")/../.." || exit 1
failures=0
expect() {
    case $2 in *"$3"*) ;; *) echo "FAILED: $1: '$3' is missing"; failures=$((failures + 1)) ;; esac
}

dry() { "${MAKE:-make}" -n --no-print-directory SETUP=done "$@" 2> /dev/null; }

expect 'make alone builds the program' "$(dry)" 'build --release'
expect 'make alone builds for this machine' "$(dry)" 'target-cpu=native'
expect 'OpenBench names the program' "$(dry EXE=other)" '"other.new" "other"'
expect 'make test runs the steps' "$(dry test)" 'scripts/test.sh'
expect 'without a C++ compiler the GPU code is not tested' "$(dry unit NO_EMULATION=yes)" '--exclude gpu'

[ "$failures" -eq 0 ] || exit 1
echo "Makefile: as expected"
