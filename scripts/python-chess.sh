#!/bin/sh
# Unpacks the source package of the Python library `chess` into a folder, unless it is there. Nothing is installed.
#
#   scripts/python-chess.sh FOLDER
set -u
folder=${1:?usage: scripts/python-chess.sh FOLDER}
version=1.11.2
sum=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39

[ ! -d "$folder" ] || exit 0
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

fail() { echo "scripts/python-chess.sh: $1" >&2; exit 1; }

# pip finds the package index that this machine uses, and checks the sum before it looks inside.
command -v python3 > /dev/null && python3 -m pip --version > /dev/null 2>&1 || fail "pip not found"
echo "chess==$version --hash=sha256:$sum" > "$work/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary chess --require-hashes \
    --requirement "$work/requirements.txt" --dest "$work" || fail "cannot download chess $version"
tar -xzf "$work/chess-$version.tar.gz" -C "$work" || fail "cannot extract chess-$version.tar.gz"
mv "$work/chess-$version" "$folder" 2> /dev/null || [ -d "$folder" ]
