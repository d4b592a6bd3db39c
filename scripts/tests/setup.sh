#!/bin/sh
# Tests scripts/setup.sh on machines that do not exist: a PATH of a few real tools and fake ones.
set -u
setup=$(cd "$(dirname "$0")/.." && pwd)/setup.sh
home=$(mktemp -d) || exit 1
trap 'rm -rf "$home"' EXIT
failures=0 cases=0

fake() {
    printf '#!/bin/sh\n%s\n' "$2" > "$bin/$1"
    chmod +x "$bin/$1"
}

# A machine with make and Rust but nothing else. Its package manager ($1) logs what it is asked for, and "installs" it.
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

# Runs setup.sh with arguments and variables; keeps its output and exit status.
run() {
    output=$(env -i PATH="$bin" OS_RELEASE=/dev/null APPLICATIONS=/dev/null "$@" 2>&1 < /dev/null)
    status=$?
}

# The same on a terminal on which a line is typed.
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

claim='a machine without anything gets it, as root and without a terminal'
machine apt-get
run sh "$setup" test
expect_status 0
expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends gcc libc6-dev g++ nodejs npm
apt-get update -qq
apt-get install --yes --no-install-recommends chromium chromium-driver'

claim='the second run finds everything and is silent'
run sh "$setup" test
expect_status 0
expect_silence

claim='a build needs no browser'
machine apt-get
run sh "$setup" build
expect_status 0
expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends gcc libc6-dev g++ nodejs npm'

for pair in 'dnf|dnf install --assumeyes gcc gcc-c++ nodejs npm
dnf install --assumeyes chromium chromedriver' 'pacman|pacman -Sy --needed --noconfirm gcc nodejs npm
pacman -Sy --needed --noconfirm chromium' 'zypper|zypper --non-interactive install gcc gcc-c++ nodejs npm
zypper --non-interactive install chromium chromedriver'; do
    claim="${pair%%|*} is asked for its own packages"
    machine "${pair%%|*}"
    run sh "$setup" test
    expect_log "${pair#*|}"
done

claim='Ubuntu has other names for the browser'
machine apt-get
echo 'ID=ubuntu' > "$bin/os-release"
for tool in cc c++ npm; do fake $tool :; done
fake node 'echo v20.1.0'
run OS_RELEASE="$bin/os-release" sh "$setup" test
expect_status 0
expect_output 'apt-get install --yes --no-install-recommends chromium-browser chromium-chromedriver'

claim='brew needs no root'
machine brew
fake cc :
fake c++ :
fake id 'echo 1000'
run sh "$setup" build
expect_status 0
expect_log 'brew install node'

claim='sudo without a password is used'
machine apt-get
fake id 'echo 1000'
fake sudo 'case $1 in -n) exit 0 ;; esac; exec "$@"'
run sh "$setup" build
expect_status 0
expect_output 'sudo apt-get install --yes --no-install-recommends gcc'

claim='without rights and without a terminal each part that is left out has one line'
machine apt-get
fake id 'echo 1000'
fake sudo 'exit 1'
fake cc :
run sh "$setup" test
expect_status 0
expect_log ''
expect_output "left out: the CPU emulation of the GPU code (no C++ compiler); to have it: sudo apt-get"
expect_output "left out: the studio's page (no node); to have it: sudo apt-get"
expect_output 'left out: the browser tests (no chromium); to have it: sudo apt-get'

claim='without a package manager it says what is left out'
machine ''
fake cc :
run sh "$setup" build
expect_status 0
expect_output "left out: the studio's page (no node)"

claim='nothing can be built without a linker'
machine ''
run sh "$setup" build
expect_status 1
expect_output 'missing: C linker, nothing can be built without it'

claim='nothing can be built without Rust'
machine apt-get
rm "$bin/cargo"
run sh "$setup" build
expect_status 1
expect_output 'install it with: https://rustup.rs'

claim='REQUIRE=all fails if something stays missing'
machine ''
fake cc :
fake c++ :
run REQUIRE=all sh "$setup" test
expect_status 1
expect_output 'REQUIRE=all, and these are missing: node, chromium, chromedriver'

claim='REQUIRE=all passes if everything could be installed'
machine apt-get
run REQUIRE=all sh "$setup" test
expect_status 0

claim='an installation that fails is reported, and what it was for is left out'
machine apt-get
fake cc :
fake c++ :
fake apt-get 'echo "E: no such package" >&2; exit 100'
run sh "$setup" build
expect_status 0
expect_output 'E: no such package'
expect_output 'setup: this failed: apt-get update'
expect_output "left out: the studio's page (no node)"

claim='an old node is no node'
machine apt-get
fake cc :
fake c++ :
run NODE=12 sh "$setup" build
expect_status 0
expect_output 'no node 18 or newer, only 12'

claim='components of Rust come from rustup'
machine ''
for tool in cc c++ npm chromium chromedriver; do fake $tool :; done
fake node 'echo v20.1.0'
fake rustup "echo rustup \$* >> $log"
run COMPONENTS=1 sh "$setup" test
expect_log 'rustup component add rustfmt clippy'
expect_output 'left out: the lints (no clippy)'

claim='SETUP=no installs nothing'
machine apt-get
fake cc :
run SETUP=no sh "$setup" build
expect_status 0
expect_log ''
expect_output "left out: the studio's page (no node)"

claim='SETUP=done does nothing'
machine apt-get
run SETUP=done sh "$setup" build
expect_status 0
expect_silence

claim='have answers by its exit status'
machine ''
run sh "$setup" have node
expect_status 1
expect_silence
run sh "$setup" have make
expect_status 0

if command -v script > /dev/null && script -qec true /dev/null > /dev/null 2>&1 < /dev/null; then
    claim='on a terminal the command is shown and confirmed'
    machine apt-get
    fake cc :
    run_on_terminal y sh "$setup" build
    expect_output 'apt-get install --yes --no-install-recommends g++ nodejs npm'
    expect_output 'Run this now? [Y/n]'
    expect_log 'apt-get update -qq
apt-get install --yes --no-install-recommends g++ nodejs npm'

    claim='what is declined is left out, and asked once'
    machine apt-get
    fake cc :
    run_on_terminal n sh "$setup" build
    expect_log ''
    expect_output "left out: the studio's page (no node)"
    [ "$(printf '%s' "$output" | grep -c 'Run this now')" -eq 1 ] || fail '  expected one question'
else
    echo 'skipped: 2 terminal tests of scripts/setup.sh (no script program)'
fi

[ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
echo "scripts/setup.sh: $cases machines, all as expected"
