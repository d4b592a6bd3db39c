#!/bin/sh
# Gets the Syzygy tables for three and four pieces that the tests use, once: they are in the source package of the Python
# library `chess`, and are put into target/tables. Nothing is installed.
#
#   VEDETTE_TABLES   a folder that has them already; nothing is downloaded
set -u
cd "$(dirname "$0")/.." || exit 1

package=${CARGO_TARGET_DIR:-target}/python-chess
folder=${CARGO_TARGET_DIR:-target}/tables

[ -z "${VEDETTE_TABLES:-}" ] || exit 0
[ ! -d "$folder" ] || exit 0

scripts/python-chess.sh "$package" || exit 1
work=$(mktemp -d "$folder.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/tables"
cp "$package"/data/syzygy/regular/*.rtb[wz] "$work/tables" || exit 1
mv "$work/tables" "$folder" 2> /dev/null || [ -d "$folder" ]
