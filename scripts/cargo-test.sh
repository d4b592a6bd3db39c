#!/bin/sh
# `cargo test` with these arguments, in fewer lines: each test program is announced with its number and the time so far,
# and of its tests only those that fail are listed. Ignored tests go to the file SKIPPED, with their reason.
set -u
: "${CARGO:=cargo}"
here=$(dirname "$0")
[ -n "${START:-}" ] || START=$(date +%s)
export START

# Compiled first and with cargo's own progress bar; asked again, cargo lists what it has built.
"$CARGO" test --no-run "$@" || exit
total=$("$CARGO" test --no-run "$@" 2>&1 | grep -c '^ *Executable ')

status=$(mktemp) || exit 1
trap 'rm -f "$status"' EXIT
number=0
{ "$CARGO" test --no-fail-fast "$@" 2>&1; echo $? > "$status"; } | while IFS= read -r line; do
    case $line in
        *' Running '*)
            number=$((number + 1))
            name=${line#*Running }
            echo "[$number of $total, $("$here/elapsed.sh")] ${name%% (*}, $(basename "${name##*(}" | sed 's/-[0-9a-f]*)$//')"
            ;;
        'test '*' ... ok' | '' | 'running '*) ;;
        'test '*' ... ignored, '*) [ -z "${SKIPPED:-}" ] || printf '1\ttests (%s)\n' "${line#* ... ignored, }" >> "$SKIPPED" ;;
        'test result: ok.'*) echo "    ${line#test result: ok. }" ;;
        *) printf '%s\n' "$line" ;;
    esac
done
exit "$(cat "$status")"
