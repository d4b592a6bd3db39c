#!/bin/sh
# Gets the Syzygy tables for three and four pieces that the tests use, once: they are in the source package of the Python
# library `chess`, and are put into target/tables. Nothing is installed.
#
#   VEDETTE_TABLES   a folder that has them already; nothing is downloaded
set -u
cd "$(dirname "$0")/.." || exit 1

archive=chess-1.11.2.tar.gz
sum=a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39
url=https://files.pythonhosted.org/packages/93/09/7d04d7581ae3bb8b598017941781bceb7959dd1b13e3ebf7b6a2cd843bc9/$archive
folder=${CARGO_TARGET_DIR:-target}/tables

[ -z "${VEDETTE_TABLES:-}" ] || exit 0
[ ! -d "$folder" ] || exit 0

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

fail() { echo "scripts/tables.sh: $1" >&2; exit 1; }

if command -v curl > /dev/null; then
    curl --silent --show-error --fail --location --max-time 120 --output "$work/$archive" "$url" || fail "cannot download $url"
elif command -v wget > /dev/null; then
    wget --quiet --timeout 120 --tries 1 --output-document "$work/$archive" "$url" || fail "cannot download $url"
else
    fail "neither curl nor wget found"
fi
if command -v sha256sum > /dev/null; then
    actual=$(sha256sum "$work/$archive")
else
    actual=$(shasum -a 256 "$work/$archive")
fi
[ "${actual%% *}" = "$sum" ] || fail "$archive has the SHA-256 ${actual%% *}, not $sum"
mkdir "$work/tables"
tar -xzf "$work/$archive" -C "$work" chess-1.11.2/data/syzygy/regular || fail "cannot extract $archive"
mv "$work"/chess-1.11.2/data/syzygy/regular/*.rtb[wz] "$work/tables"
mv "$work/tables" "$folder" 2> /dev/null || [ -d "$folder" ]
