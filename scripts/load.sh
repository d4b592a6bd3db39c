#!/usr/bin/env bash
# Repeats the tests that depend on other processes or on a clock, on a busy machine: they must wait for states, not for
# time. Prints a line for each run, and the output of those that fail.
#
#   scripts/load.sh hogs [ROUNDS] [STEP...]      six other processes compute
#   scripts/load.sh copies [ROUNDS] [STEP...]    seven copies of the same tests run at the same time
#   scripts/load.sh quarter [ROUNDS] [STEP...]   the tests get a quarter of one core (needs root and Linux)
#
# `copies` wastes no time on idle loops, and is the only one that can finish 20 rounds of all steps in an hour. ROUNDS is 20 by default. STEP is `browser`, `programs` (engine processes, matches, the doctor, the studio, clocks) or
# `units` (the unit tests of all crates); default: all three. Build first, with `make test`.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

usage() { sed -n '5,11s/^# \{0,3\}//p' "$0" >&2; exit 2; }
load=${1:-}
rounds=${2:-20}
steps=("${@:3}")
[ ${#steps[@]} -gt 0 ] || steps=(browser programs units)
[[ $rounds =~ ^[1-9][0-9]*$ ]] || usage

programs=(--test arena --test doctor --test memory --test supervision --test hostile --test games --test arena_cli
    --test cli --test doctor_cli --test engines_cli --test review_cli --test selfplay_cli --test studio_cli
    --test uci_transcripts)
run() {
    case $1 in
        browser) make --no-print-directory browser ;;
        programs) cargo test --workspace --features vedette/mutants --locked --no-fail-fast "${programs[@]}" ;;
        units) cargo test --workspace --features vedette/mutants --locked --no-fail-fast --lib ;;
        *) usage ;;
    esac
}
for step in "${steps[@]}"; do [[ $step =~ ^(browser|programs|units)$ ]] || usage; done

logs=$(mktemp -d)
hogs=()
group=
at_once=1
# The kernel counts processes that have just ended for a moment longer.
leave_group() {
    echo $$ > "$(dirname "$group")/cgroup.procs"
    for _ in 1 2 3 4 5; do rmdir "$group" 2> /dev/null && return; sleep 1; done
    echo "cannot remove $group" >&2
}
clean_up() {
    [ ${#hogs[@]} -eq 0 ] || kill "${hogs[@]}"
    if [ -n "$group" ]; then leave_group; fi
    rm -rf "$logs"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

case $load in
    hogs)
        for _ in 1 2 3 4 5 6; do
            sh -c 'while :; do :; done' &
            hogs+=($!)
        done
        ;;
    quarter)
        if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
            group=/sys/fs/cgroup/vedette-load-$$
            mkdir "$group" && echo '25000 100000' > "$group/cpu.max"
        else
            group=/sys/fs/cgroup/cpu/vedette-load-$$
            mkdir "$group" && echo 25000 > "$group/cpu.cfs_quota_us"
        fi && echo $$ > "$group/cgroup.procs" || { echo "cannot limit the CPU (needs root and Linux)" >&2; exit 1; }
        ;;
    copies) at_once=7 ;;
    *) usage ;;
esac

# Runs a step ($1) as round $2 and prints its line.
attempt() {
    begun=$SECONDS
    if run "$1" > "$logs/$1-$2" 2>&1; then
        result=passed
    else
        result=FAILED
        cat "$logs/$1-$2"
    fi
    echo "$(date -u +%H:%M:%S) $load, round $2 of $rounds, $1: $result in $((SECONDS - begun)) s, load $(cut -d ' ' -f 1 /proc/loadavg)"
    [ $result = passed ]
}

failed=0
for step in "${steps[@]}"; do
    for ((round = 1; round <= rounds; round += at_once)); do
        tests=()
        for ((copy = round; copy < round + at_once && copy <= rounds; copy++)); do
            attempt "$step" "$copy" &
            tests+=($!)
        done
        for test in "${tests[@]}"; do wait "$test" || failed=$((failed + 1)); done
    done
done
echo "$((rounds * ${#steps[@]})) runs, $failed failed"
[ "$failed" -eq 0 ]
