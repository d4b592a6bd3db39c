#!/bin/sh
# Tests scripts/rating.sh, with a program that prints the reports of a match without playing, and scripts/strength-graph.sh.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "scripts/tests/rating.sh: $1" >&2; exit 1; }

# A match at 1+0 stops after its first report and continues when it is resumed; every other match ends at once.
cat > "$work/program" << 'END'
#!/bin/sh
[ "$1" = match ] || { echo "id name Vedette 1.2.3"; exit; }
echo "$*" >> "$(dirname "$0")/arguments"
report() {
    echo "Results of Vedette vs $1 ($2)"
    echo "Elo: $3 +/- $4, nElo: 1.00 +/- 2.00"
    echo "Games: $5, Wins: $6, Losses: $7, Draws: $8, Points: 1.0 (50.00 %)"
    printf 'Player: %s\n  Timeouts: %s\n' "$1" "$9"
}
case "$*" in
    *"-config file="*) report Rock 1+0 12.34 56.78 40 20 10 10 0 ;;
    *"name=Rock args= tc=1+0 "*) report Rock 1+0 99.00 99.00 20 15 1 4 3; exit_code=130 ;;
    *"name=Hard Rock args=--uci x tc=2+0 "*) report 'Hard Rock' 2+0 inf - 4 4 0 0 2 ;;
    *) report 'Hard Rock' 1+0 -345.60 20.00 40 4 30 6 0 ;;
esac
for word; do case $word in outname=*) : > "${word#outname=}" ;; esac; done
exit "${exit_code:-0}"
END
chmod +x "$work/program"
printf 'Rock|/bin/rock\nHard Rock|/bin/rock --uci x\n' > "$work/opponents"

run() { OPPONENTS=$work/opponents NODES='' GAMES=40 TIMES='1+0 2+0' sh scripts/rating.sh "$work/program" "$work/out" > "$work/log" 2>&1; }
row() { grep -qxF "$1" "$work/out/rating.md" || { cat "$work/out/rating.md"; fail "no row: $1"; }; }

run && fail "a failed match was not reported"
row '| Rock | 1+0 | 20 | 15, 4, 1 | 0, 3 | 85.0 % | +99 ± 99 |'
row '| Hard Rock | 1+0 | 40 | 4, 6, 30 | 0, 0 | 17.5 % | -346 ± 20 |'
row '| Hard Rock | 2+0 | 4 | 4, 0, 0 | 0, 2 | 100.0 % | none: every game had the same result |'
[ "$(grep -c '<circle' "$work/out/rating.svg")" -eq 6 ] || fail "the picture needs two points of the legend and four of the matches"
[ "$(grep -c 'stroke-width="2"' "$work/out/rating.svg")" -eq 3 ] || fail "the picture needs an error bar for each known difference"
grep -q '</svg>' "$work/out/rating.svg" || fail "the picture is not complete"
run || { cat "$work/log"; fail "the continued run failed"; }
row '| Rock | 1+0 | 40 | 20, 10, 10 | 0, 0 | 62.5 % | +12 ± 57 |'
grep -q '^Vedette 1.2.3, one thread, Hash 64, openings: the built-in book' "$work/out/rating.md" || fail "no conditions"

# Limits without real time.
played() { grep -qF -- "$1" "$work/arguments" || { cat "$work/arguments"; fail "no match with: $1"; }; }
limit() {
    OPPONENTS=$work/opponents NODES='' TIMES=$1 NODESTIME=$2 sh scripts/rating.sh "$work/program" "$work/out $1" > "$work/log" 2>&1 \
        || { cat "$work/log"; fail "TIMES=$1 NODESTIME=$2 failed"; }
}
limit nodes=500 ''
played '-engine cmd='"$work"'/program name=Vedette tc=inf nodes=500 -engine cmd=/bin/rock name=Rock args= tc=inf nodes=500 -each'
limit 3+0 7
clock='tc=3+0 option.nodestime=7 timemargin=600000'
played "-engine cmd=$work/program name=Vedette $clock -engine cmd=/bin/rock name=Rock args= $clock -each"
grep -qxF 'Clocks count 7 nodes as a millisecond.' "$work/out 3+0/rating.md" || fail "no word of the clock"
# The picture of docs/strength.md.
sh scripts/strength-graph.sh - | cmp -s - docs/pictures/strength.svg \
    || fail "docs/pictures/strength.svg is not the table of docs/strength.md: run scripts/strength-graph.sh"
echo "rating: passed"
