#!/bin/sh
# Tests scripts/setup.sh on simulated machines: a PATH with a few real tools and fake ones.
set -u
setup=$(cd "$(dirname "$0")/.." && pwd)/setup.sh
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
failures=0 cases=0

fake() {
    printf '#!/bin/sh\n%s\n' "$2" > "$bin/$1"
    chmod +x "$bin/$1"
}

# A machine with only make and Rust. Its package manager ($1) logs its arguments and "installs" the packages.
machine() {
    cases=$((cases + 1))
    bin=$home/$cases
    log=$bin.log
    mkdir "$bin" && : > "$log"
    for tool in sh sed awk tr uname mktemp tail rm paste cat chmod grep; do
        ln -s "$(command -v $tool)" "$bin/$tool"
    done
    fake make :
    fake id 'echo 0'
    fake cargo 'case $1 in fmt | clippy) exit ${COMPONENTS:-0} ;; esac'
    tools='gcc:cc g++:c++ gcc-c++:c++ nodejs:node node:node node:npm npm:npm chromium:chromium chromium-browser:chromium'
    tools="$tools chromium-driver:chromedriver chromium-chromedriver:chromedriver chromedriver:chromedriver make:make"
    [ -z "$1" ] || fake "$1" "echo $1 \$* >> $log
case ' '\$*' ' in *' update '*) exit 0 ;; esac
for package; do
    for pair in $tools; do
        [ \"\${pair%%:*}\" != \"\$package\" ] || { printf '#!/bin/sh\necho v\${NODE:-20}.1.0\n' > $bin/\${pair##*:}; chmod +x $bin/\${pair##*:}; }
    done
done
exit \${MANAGER:-0}"
}

# Runs a command with this PATH; sets output and status.
run() {
    output=$(env -i PATH="$bin" OS_RELEASE=/dev/null APPLICATIONS=/dev/null "$@" 2>&1 < /dev/null)
    status=$?
}

# The same on a terminal, with a line of input.
run_on_terminal() {
    typed=$1
    shift
    output=$(printf '%s\n' "$typed" | script -qec "env -i PATH='$bin' OS_RELEASE=/dev/null APPLICATIONS=/dev/null $*" /dev/null 2>&1 | tr -d '\r'; :)
}

fail() {
    failures=$((failures + 1))
    printf 'FAILED: %s\n%s\n' "$claim" "$1"
    printf '  output: %s\n  status: %s\n  log: %s\n' "$output" "${status:-}" "$(cat "$log")"
}
expect_status() { [ "$status" -eq "$1" ] || fail "  expected exit status $1"; }
expect_output() { case $output in *"$1"*) ;; *) fail "  expected in the output: $1" ;; esac; }
expect_silence() { [ -z "$output" ] || fail "  expected no output"; }
expect_log() { [ "$(cat "$log")" = "$1" ] || fail "  expected in the log: $1"; }

claim='root without a terminal: everything is installed'
machine apt-get
run sh "$setup" test
expect_status 0
expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends gcc libc6-dev g++ nodejs npm
apt-get update -qq
apt-get install --yes --no-install-recommends chromium chromium-driver'

claim='a second run installs and prints nothing'
run sh "$setup" test
expect_status 0
expect_silence

claim='a build does not need a browser'
machine apt-get
run sh "$setup" build
expect_status 0
expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends gcc libc6-dev g++ nodejs npm'

for pair in 'dnf|dnf install --assumeyes gcc gcc-c++ nodejs npm
dnf install --assumeyes chromium chromedriver' 'pacman|pacman -Sy --needed --noconfirm gcc nodejs npm
pacman -Sy --needed --noconfirm chromium' 'zypper|zypper --non-interactive install gcc gcc-c++ nodejs npm
zypper --non-interactive install chromium chromedriver'; do
    claim="package names of ${pair%%|*}"
    machine "${pair%%|*}"
    run sh "$setup" test
    expect_log "${pair#*|}"
done

claim='package names of Ubuntu'
machine apt-get
echo 'ID=ubuntu' > "$bin/os-release"
for tool in cc c++ npm; do fake $tool :; done
fake node 'echo v20.1.0'
run OS_RELEASE="$bin/os-release" sh "$setup" test
expect_status 0
expect_output 'apt-get install --yes --no-install-recommends chromium-browser chromium-chromedriver'

claim='brew runs without root'
machine brew
fake cc :
fake c++ :
fake id 'echo 1000'
run sh "$setup" build
expect_status 0
expect_log 'brew install node'

claim='passwordless sudo is used'
machine apt-get
fake id 'echo 1000'
fake sudo 'case $1 in -n) exit 0 ;; esac; exec "$@"'
run sh "$setup" build
expect_status 0
expect_output 'sudo apt-get install --yes --no-install-recommends gcc'

claim='without root and terminal: one line for each skipped part'
machine apt-get
fake id 'echo 1000'
fake sudo 'exit 1'
fake cc :
run sh "$setup" test
expect_status 0
expect_log ''
expect_output "skipped: the CPU emulation of the GPU code (no C++ compiler); install it with: sudo apt-get"
expect_output "skipped: the studio's page (no node); install it with: sudo apt-get"
expect_output 'skipped: the browser tests (no chromium); install it with: sudo apt-get'

claim='without a package manager the skipped parts are listed'
machine ''
fake cc :
run sh "$setup" build
expect_status 0
expect_output "skipped: the studio's page (no node)"

claim='a C linker is required'
machine ''
run sh "$setup" build
expect_status 1
expect_output 'missing: C linker (required)'

claim='Rust is required'
machine apt-get
rm "$bin/cargo"
run sh "$setup" build
expect_status 1
expect_output 'install it with: https://rustup.rs'

claim='REQUIRE=all fails if a tool is still missing'
machine ''
fake cc :
fake c++ :
run REQUIRE=all sh "$setup" test
expect_status 1
expect_output 'REQUIRE=all, but missing: node, chromium, chromedriver'

claim='REQUIRE=all passes after an installation'
machine apt-get
run REQUIRE=all sh "$setup" test
expect_status 0

claim='a failed installation is reported and its part skipped'
machine apt-get
fake cc :
fake c++ :
fake apt-get 'echo "E: no such package" >&2; exit 100'
run sh "$setup" build
expect_status 0
expect_output 'E: no such package'
expect_output 'setup: command failed: apt-get update'
expect_output "skipped: the studio's page (no node)"

claim='node older than 18 counts as missing'
machine apt-get
fake cc :
fake c++ :
run NODE=12 sh "$setup" build
expect_status 0
expect_output 'no node 18 or newer, only 12'

claim='rustup installs Rust components'
machine ''
for tool in cc c++ npm chromium chromedriver; do fake $tool :; done
fake node 'echo v20.1.0'
fake rustup "echo rustup \$* >> $log"
run COMPONENTS=1 sh "$setup" test
expect_log 'rustup component add rustfmt clippy'
expect_output 'skipped: the lints (no clippy)'

claim='SETUP=no installs nothing'
machine apt-get
fake cc :
run SETUP=no sh "$setup" build
expect_status 0
expect_log ''
expect_output "skipped: the studio's page (no node)"

claim='SETUP=done does nothing'
machine apt-get
run SETUP=done sh "$setup" build
expect_status 0
expect_silence

claim='have returns an exit status'
machine ''
run sh "$setup" have node
expect_status 1
expect_silence
run sh "$setup" have make
expect_status 0

if command -v script > /dev/null && script -qec true /dev/null > /dev/null 2>&1 < /dev/null; then
    claim='on a terminal the command needs confirmation'
    machine apt-get
    fake cc :
    run_on_terminal y sh "$setup" build
    expect_output 'apt-get install --yes --no-install-recommends g++ nodejs npm'
    expect_output 'Run this now? [Y/n]'
    expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends g++ nodejs npm'

    claim='a declined command is skipped, and asked for once'
    machine apt-get
    fake cc :
    run_on_terminal n sh "$setup" build
    expect_log ''
    expect_output "skipped: the studio's page (no node)"
    [ "$(printf '%s' "$output" | grep -c 'Run this now')" -eq 1 ] || fail '  expected one question'
else
    echo 'skipped: 2 terminal tests of scripts/setup.sh (no script command)'
fi

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "scripts/setup.sh: all $cases cases passed"
