#!/bin/sh
# Builds the book of the documentation in target/book, runs its Rust examples and checks its links. Needs mdBook
# (cargo install --locked mdbook).
set -eu
cd "$(dirname "$0")/.."
command -v mdbook > /dev/null || { echo "book: mdbook not found; install it with: cargo install --locked mdbook" >&2; exit 1; }
work=target/book-source
rm -rf "$work" target/book
mkdir -p "$work/src"
# The pages where the repository has them, so that links between them are the same in the book.
for path in README.md ARCHITECTURE.md CHANGELOG.md CODE_OF_CONDUCT.md CONTRIBUTING.md SECURITY.md LICENSE docs \
    nets/HISTORY.md nets/recipes classroom/README.md classroom/src tests/uci/README.md; do
    mkdir -p "$work/src/$(dirname "$path")"
    cp -R "$path" "$work/src/$path"
done
mv "$work/src/docs/book.toml" "$work/"
# The summary is read relative to the top folder.
sed -e 's|](\([^.]\)|](docs/\1|' -e 's|](\.\./|](|' "$work/src/docs/SUMMARY.md" > "$work/src/SUMMARY.md"
rm "$work/src/docs/SUMMARY.md"
mdbook build "$work" --dest-dir "$PWD/target/book"
mdbook test "$work" > "$work/test.log" 2>&1 || { cat "$work/test.log" >&2; exit 1; }
# Every relative link and picture of every page; addresses with a colon lead elsewhere.
broken=$(find target/book -name '*.html' ! -name print.html ! -name 404.html | sort | while read -r page; do
    grep -oE '(href|src)="[^"#:?]+["#?]' "$page" | sed 's/^[a-z]*="//; s/.$//' | sort -u | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
    done
done)
[ -z "$broken" ] || { printf 'book: broken links:\n%s\n' "$broken" >&2; exit 1; }
echo "target/book/index.html"
