#!/bin/sh
# Compares books and explorer of a binary with the Python library `chess`, whose source package is downloaded once into
# target/python-chess. Nothing is installed.
#
#   scripts/books.sh VEDETTE [GAMES.pgn ...]    other games than those of the package
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
vedette=${1:?usage: scripts/books.sh VEDETTE [GAMES.pgn ...]}
shift
folder=${CARGO_TARGET_DIR:-$root/target}/python-chess

"$root/scripts/python-chess.sh" "$folder" || { echo "skipped: books and explorer against python-chess"; exit 0; }
PYTHONPATH=$folder exec python3 "$root/scripts/books.py" "$vedette" "$folder/data" "$@"
