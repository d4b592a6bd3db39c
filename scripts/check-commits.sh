#!/usr/bin/env bash
# Checks the subjects of all commits since the convention was adopted:
#
#     area: imperative summary        (at most 72 characters, lower case after the colon; or: area, area: …)
#
# Usage: check-commits.sh [RANGE]     default: everything after BASE
set -euo pipefail
export LC_ALL=C.UTF-8

BASE=0f773b0b750dedbae09aa0140cac859b4fbd1d4b
MAX=72

cd "$(dirname "$0")/.."
# A source archive may be inside another repository, whose history does not count.
if [ "$(git rev-parse --show-toplevel 2> /dev/null)" != "$(pwd -P)" ]; then
    echo "check-commits: skipped (not a git checkout)"
    exit 0
fi
if [ $# -eq 0 ] && ! git merge-base --is-ancestor "$BASE" HEAD 2> /dev/null; then
    echo "check-commits: skipped (shallow clone: ${BASE:0:7} is not in its history)"
    exit 0
fi

pattern='^[a-z0-9/_-]+(, ?[a-z0-9/_-]+)*: ([^A-Z ]|[A-Z]+([^a-z]|$))'
failures=0
while IFS=' ' read -r hash subject; do
    if [ "${#subject}" -gt "$MAX" ]; then
        echo "$hash: ${#subject} characters, at most $MAX: $subject"
        failures=$((failures + 1))
    elif ! [[ $subject =~ $pattern ]]; then
        echo "$hash: expected 'area: imperative summary': $subject"
        failures=$((failures + 1))
    fi
done < <(git log --no-merges --format='%h %s' "${1:-$BASE..HEAD}")

if [ "$failures" -gt 0 ]; then
    echo "check-commits: $failures commit subjects do not follow the convention" >&2
    exit 1
fi
