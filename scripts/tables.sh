#!/bin/sh
# Gets the Syzygy tables for three and four pieces that the tests use, once: they are in the source package of the Python
# library `chess`, and are put into target/tables. Nothing is installed.
#
#   VEDETTE_TABLES   a folder that has them already; nothing is downloaded
set -u
cd "$(dirname "$0")/.." || exit 1

archive=chess-1.11.2.tar.gz
sum=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39
folder=${CARGO_TARGET_DIR:-target}/tables

[ -z "${VEDETTE_TABLES:-}" ] || exit 0
[ ! -d "$folder" ] || exit 0

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

fail() { echo "scripts/tables.sh: $1" >&2; exit 1; }

# pip finds the package index that this machine uses, and checks the sum before it looks inside.
command -v python3 > /dev/null && python3 -m pip --version > /dev/null 2>&1 || fail "pip not found"
echo "chess==1.11.2 --hash=sha256:$sum" > "$work/requirements.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary chess --require-hashes \
    --requirement "$work/requirements.txt" --dest "$work" || fail "cannot download $archive"
mkdir "$work/tables"
tar -xzf "$work/$archive" -C "$work" chess-1.11.2/data/syzygy/regular || fail "cannot extract $archive"
mv "$work"/chess-1.11.2/data/syzygy/regular/*.rtb[wz] "$work/tables"
mv "$work/tables" "$folder" 2> /dev/null || [ -d "$folder" ]
