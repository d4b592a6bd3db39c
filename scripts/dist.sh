#!/bin/sh
# Makes the release archive of this system: target/dist/vedette-VERSION-SYSTEM.tar.gz (.zip on Windows) and its SHA-256
# checksum. `make dist` builds the portable binary first.
#
#   scripts/dist.sh PROGRAM
set -eu
program=$1
cd "$(dirname "$0")/.."
: "${MAKE:=make}"

version=$("$program" --version | sed -n 's/^vedette \([0-9][^ ]*\).*/\1/p')
[ -n "$version" ] || { echo "dist: $program --version printed no version" >&2; exit 1; }
case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    MINGW* | MSYS* | CYGWIN*) system=windows ;;
    *) system=$(uname -s | tr '[:upper:]' '[:lower:]') ;;
esac
case $(uname -m) in
    arm64 | aarch64) machine=aarch64 ;;
    amd64 | x86_64) machine=x86_64 ;;
    *) machine=$(uname -m) ;;
esac
name=vedette-$version-$machine-$system
out=target/dist
folder=$out/$name
rm -rf "$folder"
mkdir -p "$folder"

scripts/stage.sh "$program" "$folder"
cp README.md LICENSE CHANGELOG.md "$folder/"
# The documentation, with all pages that it links to.
cp -R docs "$folder/docs"
cp CONTRIBUTING.md CODE_OF_CONDUCT.md SECURITY.md ARCHITECTURE.md "$folder/"
mkdir -p "$folder/nets" "$folder/classroom" "$folder/tests/uci"
cp -R nets/recipes nets/HISTORY.md "$folder/nets/"
cp -R classroom/README.md classroom/src "$folder/classroom/"
cp tests/uci/README.md "$folder/tests/uci/"
broken=$(cd "$folder" && find . -name '*.md' | sort | while read -r page; do
    grep -oE '\]\([^)#:[:space:]]+[)#]' "$page" | sed 's/^](//; s/.$//' | sort -u | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
done)
[ -z "$broken" ] || { printf 'dist: links lead nowhere:\n%s\n' "$broken" >&2; exit 1; }

cd "$out"
if [ $system = windows ]; then
    archive=$name.zip
    rm -f "$archive"
    # bsdtar, which is part of Windows, writes zip files.
    /c/Windows/System32/tar.exe -a -c -f "$archive" "$name"
else
    archive=$name.tar.gz
    # The same files give the same archive: GNU tar can leave out what differs.
    if tar --version 2> /dev/null | grep -q GNU; then
        tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" -cf - "$name" \
            | gzip -n -9 > "$archive"
    else
        tar -czf "$archive" "$name"
    fi
fi
if command -v sha256sum > /dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi > "$archive.sha256"
echo "$out/$archive: $(($(wc -c < "$archive") / 1000)) kB"
