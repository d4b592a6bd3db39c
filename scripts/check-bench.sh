#!/bin/sh
# Compares the node count of `vedette bench` with the last `Bench: N` of the history.
#
#   scripts/check-bench.sh PROGRAM [COMMAND…]     COMMAND runs the program, such as qemu-aarch64 -L FOLDER
set -eu
program=$1
shift
cd "$(dirname "$0")/.."
expected=$(git log -1 --format=%b --grep='^Bench: [0-9]' 2> /dev/null | sed -n 's/^Bench: \([0-9]*\)$/\1/p' | tail -n 1)
found=$("$@" "$program" bench 2> /dev/null | sed -n '$s/^\([0-9]*\) nodes .*/\1/p')
[ -n "$found" ] || { echo "check-bench: $program bench printed no node count" >&2; exit 1; }
if [ -z "$expected" ]; then
    echo "check-bench: $found nodes; not compared (no 'Bench: N' in the history of this checkout)"
    [ "${REQUIRE:-}" != all ]
elif [ "$found" != "$expected" ]; then
    echo "check-bench: $found nodes, expected $expected (the last 'Bench: N' of the history)" >&2
    exit 1
else
    echo "check-bench: $found nodes, as expected"
fi
