#!/bin/sh
# Checks for the tools that `make` and `make test` use, and installs missing ones.
#
#   scripts/setup.sh build        the tools of `make`
#   scripts/setup.sh test         the tools of `make test`
#   scripts/setup.sh have TOOL    exit status 0 if the tool is installed; prints nothing
#   scripts/setup.sh missing      print the missing tools of `make test`, one per line
#
# On a terminal it shows the command and asks first. Otherwise (a container, CI) it runs the command if it can: as root,
# with passwordless sudo, or with brew. For each tool that is still missing it prints one line with what is skipped
# without it. Only Rust, make and a C linker are required.
#
#   REQUIRE=all   fail if any tool is missing
#   SETUP=no      install nothing and ask nothing
#   SETUP=done    do nothing, because a caller has run this script
set -u

NODE_AT_LEAST=18
# Where macOS has its browsers; another folder in the tests of this script.
applications=${APPLICATIONS:-/Applications}

say() { printf '%s\n' "$*" >&2; }

on_path() { command -v "$1" > /dev/null 2>&1; }

windows() { case $(uname -s) in MINGW* | MSYS* | CYGWIN*) true ;; *) false ;; esac; }

node_version() { node --version 2> /dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p'; }

have() {
    case $1 in
        # Rust links with the system's C compiler, except on Windows.
        cc) on_path cc || windows ;;
        c++) on_path c++ || windows ;;
        node) on_path node && on_path npm && [ "$(node_version)" -ge "$NODE_AT_LEAST" ] 2> /dev/null ;;
        chromium)
            on_path chromium || on_path chromium-browser || on_path google-chrome || on_path google-chrome-stable \
                || [ -d "$applications/Google Chrome.app" ] || [ -d "$applications/Chromium.app" ]
            ;;
        rustfmt) cargo fmt --version > /dev/null 2>&1 ;;
        clippy) cargo clippy --version > /dev/null 2>&1 ;;
        *) on_path "$1" ;;
    esac
}

# What is skipped without a tool.
use_of() {
    case $1 in
        c++) echo "the CPU emulation of the GPU code" ;;
        node) echo "the studio's page" ;;
        chromium | chromedriver) echo "the browser tests" ;;
        rustfmt) echo "the format check" ;;
        clippy) echo "the lints" ;;
        *) echo "everything" ;;
    esac
}

# The name of a tool in messages: "no NAME".
name_of() {
    case $1 in
        cc) echo "C linker" ;;
        c++) echo "C++ compiler" ;;
        node)
            found=$(node_version)
            if [ -n "$found" ] && [ "$found" -lt "$NODE_AT_LEAST" ]; then
                echo "node $NODE_AT_LEAST or newer, only $found"
            elif [ -n "$found" ]; then
                echo "npm"
            else
                echo "node"
            fi
            ;;
        *) echo "$1" ;;
    esac
}

indispensable() { case $1 in cargo | cc | make) true ;; *) false ;; esac; }

manager() {
    for candidate in apt-get dnf pacman zypper brew; do
        if on_path "$candidate" && ! windows; then
            echo "$candidate"
            return
        fi
    done
}

# Ubuntu has other names for the browser packages.
ubuntu() { grep -q '^ID=ubuntu$' "${OS_RELEASE:-/etc/os-release}" 2> /dev/null; }

# The packages of a manager ($1) for a tool ($2); empty if it has none.
packages() {
    case $1:$2 in
        apt-get:cc) echo gcc libc6-dev ;;
        apt-get:c++) echo g++ ;;
        apt-get:node) echo nodejs npm ;;
        apt-get:chromium) if ubuntu; then echo chromium-browser; else echo chromium; fi ;;
        apt-get:chromedriver) if ubuntu; then echo chromium-chromedriver; else echo chromium-driver; fi ;;
        dnf:cc) echo gcc ;;
        dnf:c++) echo gcc-c++ ;;
        dnf:node) echo nodejs npm ;;
        pacman:cc | pacman:c++) echo gcc ;;
        pacman:node) echo nodejs npm ;;
        # Arch ships the driver with the browser.
        pacman:chromedriver) echo chromium ;;
        zypper:cc) echo gcc ;;
        zypper:c++) echo gcc-c++ ;;
        zypper:node) echo nodejs npm ;;
        # On macOS the compilers are part of Apple's command line tools.
        brew:cc | brew:c++) ;;
        brew:node) echo node ;;
        ?*:make | ?*:chromium | ?*:chromedriver) echo "$2" ;;
    esac
}

# The command by which a manager ($1) installs packages ($2, …).
install_command() {
    program=$1
    shift
    case $program in
        apt-get) echo "${sudo}apt-get update -qq && ${sudo}apt-get install --yes --no-install-recommends $*" ;;
        dnf) echo "${sudo}dnf install --assumeyes $*" ;;
        pacman) echo "${sudo}pacman -Sy --needed --noconfirm $*" ;;
        zypper) echo "${sudo}zypper --non-interactive install $*" ;;
        brew) echo "brew install $*" ;;
    esac
}

unique() { printf '%s\n' "$@" | awk 'NF && !seen[$0]++' | tr '\n' ' ' | sed 's/ $//'; }

# The commands that install missing tools, one per line. Build tools, browser and Rust components are separate, so that
# each can be declined or fail on its own.
commands_for() {
    with=$(manager)
    builders= browsers= components=
    for tool; do
        case $tool in
            rustfmt | clippy) components="$components $tool" ;;
            chromium | chromedriver) browsers="$browsers $(packages "$with" "$tool")" ;;
            *) builders="$builders $(packages "$with" "$tool")" ;;
        esac
    done
    # Unquoted, to split words.
    for wanted in "$(unique $builders)" "$(unique $browsers)"; do
        [ -z "$with" ] || [ -z "$wanted" ] || install_command "$with" "$wanted"
    done
    [ -z "$components" ] || ! on_path rustup || echo "rustup component add$components"
}

missing_of() {
    for tool; do have "$tool" || printf '%s ' "$tool"; done
}

terminal() { [ -t 0 ] && [ -t 2 ]; }

# Whether a command can run without a password prompt.
permitted() {
    case $1 in
        rustup* | brew*) true ;;
        sudo*) sudo -n true 2> /dev/null ;;
        *) [ "$(id -u)" -eq 0 ] ;;
    esac
}

# Shows a command, and runs it if confirmed or permitted.
offer() {
    if [ "${SETUP:-}" = no ]; then
        return
    elif terminal; then
        say "  $1"
        printf 'Run this now? [Y/n] ' >&2
        read -r answer || answer=n
        case $answer in [nN]*) return ;; esac
        (eval "$1") < /dev/null >&2 || say "setup: command failed: $1"
    elif permitted "$1"; then
        say "  $1"
        (eval "$1") < /dev/null > "$log" 2>&1 || { tail -n 5 "$log" >&2; say "setup: command failed: $1"; }
    fi
}

set_up() {
    before=$(missing_of "$@")
    [ -n "$before" ] || return 0
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo="sudo "
    log=$(mktemp) || exit 1
    trap 'rm -f "$log"' EXIT
    # Unquoted, to split words.
    todo=$(commands_for $before)
    if [ -n "$todo" ] && [ "${SETUP:-}" != no ]; then
        say "Missing: $(for tool in $before; do printf '%s (for %s)\n' "$(name_of "$tool")" "$(use_of "$tool")"; done \
            | awk 'NR > 1 { printf ", " } { printf "%s", $0 }')"
        # The commands are read from descriptor 3, because stdin is the terminal.
        while IFS= read -r command <&3; do offer "$command"; done 3<<EOF
$todo
EOF
    fi
    after=$(missing_of $before)
    fatal=
    for tool in $after; do
        hint=$(commands_for "$tool")
        [ "$tool" != cargo ] || hint="https://rustup.rs"
        if indispensable "$tool"; then
            say "missing: $(name_of "$tool") (required)${hint:+; install it with: $hint}"
            fatal=yes
        else
            say "skipped: $(use_of "$tool") (no $(name_of "$tool"))${hint:+; install it with: $hint}"
        fi
    done
    if [ -n "$after" ] && [ "${REQUIRE:-}" = all ]; then
        say "setup: REQUIRE=all, but missing: $(for tool in $after; do name_of "$tool"; done | paste -s -d , - | sed 's/,/, /g')"
        fatal=yes
    fi
    [ -z "$fatal" ]
}

BUILD="cargo cc make c++ node"
TEST="$BUILD rustfmt clippy chromium chromedriver"

case ${1:-} in
    build | test) [ "${SETUP:-}" != done ] || exit 0 ;;
esac
case ${1:-} in
    build) set_up $BUILD ;;
    test) set_up $TEST ;;
    have) have "${2:?which tool?}" || exit 1 ;;
    missing) missing_of $TEST | tr ' ' '\n' ;;
    *) say "usage: scripts/setup.sh build|test|missing|have TOOL"; exit 2 ;;
esac
