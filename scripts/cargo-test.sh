#!/bin/sh
# Runs `cargo test` with the given arguments and shortens its output: one line with number and elapsed time for each test
# binary, then only failures and the result. Ignored tests are appended to the file $SKIPPED with their reason.
set -u
: "${CARGO:=cargo}"
here=$(dirname "$0")
[ -n "${START:-}" ] || START=$(date +%s)
export START

# Compile first, with cargo's progress bar. The second call compiles nothing and lists the test binaries.
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
        # Long tests, which `make proof` runs.
        'test '*' ... ignored, make proof'*) ;;
        'test '*' ... ignored, '*) [ -z "${SKIPPED:-}" ] || printf '1\ttests (%s)\n' "${line#* ... ignored, }" >> "$SKIPPED" ;;
        'test result: ok.'*) echo "    ${line#test result: ok. }" ;;
        *) printf '%s\n' "$line" ;;
    esac
done
exit "$(cat "$status")"
