#!/bin/sh
# Looks for known vulnerabilities: those of the crates in RustSec's database, those of the page's packages in npm's. A
# database that cannot be reached is reported; with REQUIRE=all that is an error.
#
#   ADVISORY_DB=folder   a clone of https://github.com/rustsec/advisory-db in place of a download
set -eu
cd "$(dirname "$0")/.."
mkdir -p target/advisories
log=target/advisories/log

skip() {
    tail -n 3 "$log" >&2
    echo "skipped: $1" >&2
    [ "${REQUIRE:-}" != all ]
}

config=deny.toml
if [ -n "${ADVISORY_DB:-}" ]; then
    config=target/advisories/deny.toml
    { cat deny.toml; printf '\n[advisories]\ndb-path = "%s/target/advisories/db"\ndb-urls = ["file://%s"]\n' "$PWD" "$ADVISORY_DB"; } > "$config"
fi
if cargo deny fetch --config "$config" db > "$log" 2>&1; then
    cargo deny --all-features check --config "$config" --disable-fetch advisories
else
    skip "advisories for crates (RustSec's database cannot be fetched)"
fi

# A report, with or without findings, has a version; an error has none.
(cd web && npm audit --json) > "$log" 2>&1 || true
if grep -q auditReportVersion "$log"; then
    (cd web && npm audit)
else
    skip "advisories for the page's packages (npm's registry does not answer)"
fi
