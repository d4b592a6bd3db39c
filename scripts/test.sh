#!/bin/sh
# What `make test` does, the most useful failures first: each step is a goal of the Makefile and is announced with its
# number and the time so far. What is skipped, because a tool is missing, is counted and printed at the end.
#
#   REQUIRE=all   fail if anything would be skipped
set -u
cd "$(dirname "$0")/.." || exit 1
: "${MAKE:=make}"

scripts/setup.sh test || exit 1
export SETUP=done

START=$(date +%s)
SKIPPED=$(mktemp) || exit 1
export START SKIPPED
trap 'rm -f "$SKIPPED"' EXIT

have() { scripts/setup.sh have "$1"; }

# The number of tests in these files: lines that begin with `test(`.
count_tests() { cat "$@" | grep -c '^test('; }

# One line a reason: a number, a tab, what is skipped; the number 0 is not printed.
skip() { printf '%s\t%s\n' "$1" "$2" >> "$SKIPPED"; }

steps=scripts
if have rustfmt; then steps="$steps format"; else skip 0 "the format check (no rustfmt)"; fi
if have node; then steps="$steps page-test"; else skip "$(count_tests web/tests/*.test.mjs)" "tests of the page (no node)"; fi
if have clippy; then steps="$steps lint"; else skip 0 "the lints (no clippy)"; fi
steps="$steps unit"
have c++ || skip "$(cat crates/gpu/tests/*.rs $(find crates/gpu/src -name '*.rs') vedette/tests/gpu_cli.rs | grep -c '^ *#\[test\]')" \
    "tests of the GPU code (no C++ compiler)"
for tool in chromedriver chromium node; do have $tool || lacking=$tool; done
if [ -z "${lacking:-}" ]; then
    steps="$steps browser"
else
    skip "$(count_tests web/tests/browser/*.test.mjs)" "browser tests (no $lacking)"
fi
steps="$steps doc"

title() {
    case $1 in
        scripts) echo "the set-up script" ;;
        format) echo "the format of the code" ;;
        page-test) echo "the page: its types, and its parts without a browser" ;;
        lint) echo "lints (clippy)" ;;
        unit) echo "tests" ;;
        browser) echo "the studio in a browser" ;;
        doc) echo "documentation (rustdoc)" ;;
    esac
}

number=0
total=$(echo "$steps" | wc -w | tr -d ' ')
for step in $steps; do
    number=$((number + 1))
    echo
    echo "=== step $number of $total, after $(scripts/elapsed.sh): $(title "$step")"
    STEP=$number/$total "$MAKE" --no-print-directory "$step" || {
        echo "=== failed after $(scripts/elapsed.sh), in step $number of $total: $(title "$step"); again: make $step" >&2
        exit 1
    }
done

echo
echo "=== all $total steps passed in $(scripts/elapsed.sh)"
awk -F '\t' '{ number[$2] += $1 } END { for (what in number) print "skipped: " (number[what] ? number[what] " " : "") what }' \
    "$SKIPPED" | sort
