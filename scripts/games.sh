#!/bin/sh
# Plays fast games of a program against itself and fails on everything that test servers treat as fatal: illegal moves,
# crashes, time losses, PVs that are illegal or go past the end of the game, mate scores with a PV that does not mate,
# missing scores. A busy machine may take half a second more than the clock has; MARGIN sets another time in milliseconds.
#
#   scripts/games.sh PROGRAM [GAMES]     GAMES (2000 by default) are split evenly between 200 and 2,000 nodes a move and
#                                        0.2+0.01 seconds
set -eu
program=$1
games=${2:-2000}
[ -x "$program" ] || { echo "games: $program is not a program" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The two sides get the options of a game, and each its own limit: with the same one, even opponents play each game of a
# pair twice.
play() {
    name=$1 first=$2 second=$3
    shift 3
    echo "--- $((games / 3)) games, $name"
    "$program" match -engine cmd="$program" name=A "$first" -engine cmd="$program" name=B "$second" \
        -each option.Hash=1 "$@" -rounds $((games / 6 + 1)) -repeat -concurrency 2 -strict -check-mate-pvs -srand 7 \
        -openings order=random -config outname="$work/$name.json" > "$work/log" 2>&1 \
        || { tail -n 30 "$work/log"; exit 1; }
    if grep -iE '^warning|illegal|disconnect|time forfeit|stalled|no score' "$work/log"; then exit 1; fi
    grep -E '^(Games|Results|Score)' "$work/log" | tail -n 2
}

play 200-nodes nodes=200 nodes=220 tc=inf
play 2000-nodes nodes=2000 nodes=2200 tc=inf
play clock tc=0.2+0.01 tc=0.21+0.01 timemargin="${MARGIN:-500}"
echo "no warning"
