#!/bin/sh
# Draws the table of docs/strength.md, with error bars: docs/pictures/strength.svg, or stdout with the argument -.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
    '') out=docs/pictures/strength.svg ;;
    -) out=/dev/stdout ;;
    *) echo "usage: scripts/strength-graph.sh [-]" >&2; exit 2 ;;
esac
# Rows "| opponent | Vedette | games | score % | Elo ± error |".
rows=$(awk -F ' *[|] *' -v OFS='|' '
    $6 ~ /^[-+]?[0-9]+ ± [0-9]+$/ {
        split($6, difference, " ± ")
        won = $4 * $5 / 100
        print $3, $2, $4, won, 0, $4 - won, difference[1] + 0, difference[2]
        rows++
    }
    END { if (rows == 0) { print "strength-graph: no row in docs/strength.md" > "/dev/stderr"; exit 1 } }' docs/strength.md)
echo "$rows" | awk -f scripts/rating.awk > "$out"
