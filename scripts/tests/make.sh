#!/bin/sh
# Tests the Makefile with dry runs.
set -u
cd "$(dirname "$0")/../.." || exit 1
failures=0
expect() {
    case $2 in *"$3"*) ;; *) echo "FAILED: $1: expected '$3'"; failures=$((failures + 1)) ;; esac
}

dry() { "${MAKE:-make}" -n --no-print-directory SETUP=done "$@" 2> /dev/null; }

expect 'make builds a release' "$(dry)" 'build --release'
expect 'make builds for this CPU' "$(dry)" 'target-cpu=native'
expect 'EXE sets the name' "$(dry EXE=other)" '"other.new" "other"'
expect 'FEATURES reach the build' "$(dry FEATURES=parquet)" '--features parquet'
expect 'make engine leaves the tools out' "$(dry engine)" 'no-default-features'
expect 'OpenBench builds the engine' "$(dry -C vedette EXE=Vedette-0123)" 'no-default-features'
expect 'OpenBench finds it where it builds' "$(dry -C vedette EXE=Vedette-0123)" '/vedette/Vedette-0123.new"'
expect 'make test runs the steps' "$(dry test)" 'scripts/test.sh'
expect 'the GPU code is not tested without a C++ compiler' "$(dry unit NO_EMULATION=yes)" '--exclude gpu'

# Workflows use targets of the Makefile only.
for target in $(sed -n 's/^ *- run: make \([a-z-]*\).*/\1/p' .github/workflows/*.yml | sort -u); do
    expect "make $target exists (.github/workflows)" "$(grep "^$target:" Makefile)" "$target:"
done

# scripts/test.sh without a browser, with steps that do nothing.
bin=$(mktemp -d) || exit 1
trap 'rm -rf "$bin"' EXIT
for tool in sh sed awk tr uname mktemp rm cat grep date wc find sort dirname id paste; do ln -s "$(command -v $tool)" "$bin/$tool"; done
for tool in true make cargo cc c++ npm node; do
    printf '#!/bin/sh\necho v20.1.0\n' > "$bin/$tool"
    chmod +x "$bin/$tool"
done
skips() { env -i PATH="$bin" SETUP=no APPLICATIONS=/dev/null MAKE=true scripts/test.sh 2> /dev/null | grep '^skipped'; }
expect 'skipped browser tests are counted' "$(skips)" "skipped: $(cat web/tests/browser/*.test.mjs | grep -c '^test(') browser tests (no chromium)"
rm "$bin/node"
expect 'skipped tests of the page are counted' "$(skips)" "skipped: $(cat web/tests/*.test.mjs | grep -c '^test(') tests of the page (no node)"

[ "$failures" -eq 0 ] || exit 1
echo "Makefile: all tests passed"
