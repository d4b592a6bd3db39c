#!/bin/sh
# Runs the steps of `make test`, the fastest first. Each step is a target of the Makefile, printed with its number and the
# elapsed time. What a missing tool skips is counted and printed at the end.
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

# Appends to $SKIPPED: number, tab, description. The number 0 is not printed.
skip() { printf '%s\t%s\n' "$1" "$2" >> "$SKIPPED"; }

steps=scripts
if have rustfmt; then steps="$steps format"; else skip 0 "the format check (no rustfmt)"; fi
if have node; then steps="$steps page-test"; else skip "$(count_tests web/tests/*.test.mjs)" "tests of the page (no node)"; fi
if have clippy; then steps="$steps lint"; else skip 0 "the lints (no clippy)"; fi
steps="$steps unit classroom"
scripts/tables.sh || skip "$(grep -c '^ *fn .*_tables()' crates/*/tests/tables.rs crates/tables/tests/retrograde/main.rs crates/studio/src/facts.rs vedette/tests/tables.rs | awk -F: '{ sum += $2 } END { print sum }')" \
    "tests with tablebases (no tables)"
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
        scripts) echo "scripts" ;;
        format) echo "formatting (rustfmt)" ;;
        page-test) echo "type check and unit tests of the page" ;;
        lint) echo "lints (clippy)" ;;
        unit) echo "tests" ;;
        classroom) echo "exercises of the classroom" ;;
        browser) echo "browser tests of the studio" ;;
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
        echo "=== failed after $(scripts/elapsed.sh), in step $number of $total: $(title "$step"); to repeat it: make $step" >&2
        exit 1
    }
done

echo
echo "=== all $total steps passed in $(scripts/elapsed.sh)"
awk -F '\t' '{ number[$2] += $1 } END { for (what in number) print "skipped: " (number[what] ? number[what] " " : "") what }' \
    "$SKIPPED" | sort
