#!/bin/sh
# Prints the section of CHANGELOG.md for a version.
#
#   scripts/release-notes.sh v1.2.3
set -eu
cd "$(dirname "$0")/.."
version=${1#v}
notes=$(awk -v heading="## [$version]" 'index($0, heading) == 1 { found = 1; next } /^## / { found = 0 } found' CHANGELOG.md)
[ -n "$notes" ] || { echo "release-notes: CHANGELOG.md has no section '## [$version]'" >&2; exit 1; }
printf '%s\n' "$notes"
