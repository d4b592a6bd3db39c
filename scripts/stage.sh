#!/bin/sh
# Copies the program to a folder, with what is generated for it: notices, manual pages, completions.
#
#   scripts/stage.sh PROGRAM FOLDER
set -eu
program=$1
folder=$2
cd "$(dirname "$0")/.."
suffix=
case $program in *.exe) suffix=.exe ;; esac
cp "$program" "$folder/vedette$suffix"
chmod 755 "$folder/vedette$suffix"
! command -v strip > /dev/null || strip "$folder/vedette$suffix"

if [ -e bin/THIRD-PARTY.txt ]; then
    cp bin/THIRD-PARTY.txt "$folder/"
else
    echo "skipped: the licences of libraries (bin/THIRD-PARTY.txt not found; make notices)" >&2
    [ "${REQUIRE:-}" != all ]
fi
"$program" man --output "$folder/man"
mkdir -p "$folder/completions"
"$program" completions bash > "$folder/completions/vedette.bash"
"$program" completions zsh > "$folder/completions/_vedette"
"$program" completions fish > "$folder/completions/vedette.fish"
"$program" completions powershell > "$folder/completions/_vedette.ps1"
