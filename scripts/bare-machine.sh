#!/usr/bin/env bash
# Runs the two commands of README's quick start in a minimal Debian chroot, without a terminal, and prints logs and
# times. Needs root and debootstrap.
#
#   sudo scripts/bare-machine.sh [FOLDER]     FOLDER is the chroot (new or empty); default: a temporary folder
#
#   SUITE=trixie    Debian release; default: that of the host
#   MIRROR=URL      Debian mirror; default: that of the host
#   PACKAGES=...    packages installed before the commands; default: git, make and a C linker
#   COMMIT=name     commit to check out; default: HEAD
#   KEEP=yes        keep the chroot
#
# The host's Rust toolchain is mounted read-only. Settings of apt, cargo and npm, certificates and proxies are copied
# from the host.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
root=$(realpath "${1:-$(mktemp -d)}")
suite=${SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")}
packages=${PACKAGES:-git make gcc libc6-dev ca-certificates}
commit=$(git -C "$here" rev-parse "${COMMIT:-HEAD}")
rust=$(rustc --print sysroot)

say() { printf '\n### %s, %s\n' "$(date -u +%H:%M:%S)" "$*"; }
die() { echo "bare-machine: $*" >&2; exit 1; }

[ "$(id -u)" -eq 0 ] || die "must be run as root"
command -v debootstrap > /dev/null || die "debootstrap not found"
[ -z "$(ls -A "$root" 2> /dev/null)" ] || die "$root is not empty"

# The first mirror of the host's apt, in either format of its sources.
mirror() {
    cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list /etc/apt/sources.list 2> /dev/null \
        | sed -nE 's/^URIs: *([^ ]+).*/\1/p; s/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' | head -n 1
}

mounted=()
clean_up() {
    local place
    for place in "${mounted[@]}"; do umount "$place" || umount -l "$place" || true; done
    # A folder of the host may still be mounted inside: then the chroot must not be removed.
    if [ "${KEEP:-no}" = yes ] || grep -qF " $root/" /proc/mounts; then echo "kept: $root"; else rm -rf "$root"; fi
}
trap clean_up EXIT

attach() {
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    mounted=("$root$2" ${mounted[@]+"${mounted[@]}"})
}

# Copies files of the host to the same paths in the chroot, if they exist.
copy() {
    local file
    for file; do
        [ -e "$file" ] || continue
        mkdir -p "$root$(dirname "$file")"
        cp -aL "$file" "$root$(dirname "$file")/"
    done
}

say "creating a Debian chroot ($suite)"
time debootstrap --variant=minbase "$suite" "$root" "${MIRROR:-$(mirror)}" > "$root.log" 2>&1 \
    || { tail -n 20 "$root.log"; die "debootstrap failed"; }
rm -f "$root.log"
mount -t proc proc "$root/proc"
mounted=("$root/proc")
attach /dev /dev
attach /dev/pts /dev/pts
attach "$rust" /opt/rust
mount -o remount,bind,ro "$root/opt/rust"

# Settings of apt (sources, keys, proxies), cargo and npm, certificates, host names.
rm -f "$root/etc/apt/sources.list"
copy /etc/resolv.conf /etc/hosts /etc/ssl/certs /usr/local/share/ca-certificates /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/auth.conf.d \
    /etc/apt/trusted.gpg.d /usr/share/keyrings /etc/npmrc
for file in /etc/apt/apt.conf.d/*; do
    if grep -qiE 'proxy|acquire' "$file"; then copy "$file"; fi
done
home=${HOME:-/root}
for file in "${CARGO_HOME:-$home/.cargo}/config.toml" "$home/.npmrc"; do
    [ ! -e "$file" ] || { mkdir -p "$root/root/.cargo"; cp -L "$file" "$root/root/${file#"$home/"}"; }
done
variables=(HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive PATH=/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
while IFS= read -r name; do
    variables+=("$name=${!name}")
    case ${!name} in /*) copy "${!name}" ;; esac
done < <(compgen -e | grep -iE '_proxy$|CERT|CAINFO|^CARGO_(HTTP|NET|REGISTR|SOURCE)|^npm_config_' || true)

inside() { chroot "$root" env -i "${variables[@]}" sh -c "$1" < /dev/null; }

say "installing $packages"
inside "apt-get update -qq && apt-get install -qq --yes --no-install-recommends $packages 2>&1" > "$root/root/apt.log" \
    || { tail -n 20 "$root/root/apt.log"; die "apt-get failed"; }
inside "cat /etc/debian_version && cargo --version && git --version && cc --version | head -n 1 && nproc"

say "cloning $commit"
# As a bundle, because the repository is outside of the chroot.
git -C "$here" bundle create -q "$root/root/vedette.bundle" "$commit" --all 2> /dev/null || die "git bundle failed"
inside "cd /root && git clone -q vedette.bundle vedette && cd vedette && git -c advice.detachedHead=false checkout -q $commit"

# The first code block of README, without comments: two commands.
mapfile -t commands < <(sed -n '/^```/,/^```/p' "$here/README.md" | sed -n '2,/^```/p' | sed '/^```/d; s/ *#.*//')
[ "${#commands[@]}" -eq 2 ] || die "expected 2 commands in the first code block of README, found ${#commands[@]}"

say "first command: ${commands[0]}"
log=$root/root/first.log
: > "$log"
began=$(date +%s)
setsid chroot "$root" env -i "${variables[@]}" sh -c "cd /root/vedette && ${commands[0]}" < /dev/null > "$log" 2>&1 &
first=$!
until address=$(grep -oE 'http://[^ ]+' "$log" | tail -n 1) && [[ $address == *127.0.0.1* || $address == *localhost* ]]; do
    kill -0 "$first" 2> /dev/null || { cat "$log"; die "the first command exited before the studio was up"; }
    sleep 1
done
cat "$log"
echo "--- studio up after $(($(date +%s) - began)) s, total CPU time $(awk '{ print ($16 + $17) / 100 }' "/proc/$first/stat") s"
place=${address#http://}
place=${place%%/*}
# Prints the response to a GET request for a path, with a cookie.
get() {
    exec 3<> "/dev/tcp/${place%:*}/${place#*:}"
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nConnection: close\r\n\r\n' "$1" "$place" "$2" >&3
    cat <&3
    exec 3>&-
}
# The printed URL sets the cookie that gives access.
cookie=$(get "${address#"http://$place"}" "" | sed -n 's/^set-cookie: \([^;]*\);.*/\1/p')
access=$(get /access "$cookie")
page=$(get / "$cookie")
kill -- "-$first"
wait "$first" || true
case $access in
    *true) echo "--- the printed URL gives access" ;;
    *) printf '%s\n' "$access" | head -n 20; die "the printed URL does not give access" ;;
esac
case $page in
    *assets/studio-*) echo "--- the studio serves the page" ;;
    *) printf '%s\n' "$page" | head -n 20; die "the studio does not serve the page" ;;
esac

say "second command: ${commands[1]}"
if ! time inside "cd /root/vedette && ${commands[1]} 2>&1"; then die "the second command failed"; fi

say "both commands passed; size of the chroot: $(du -sh --one-file-system "$root" | cut -f 1)"
