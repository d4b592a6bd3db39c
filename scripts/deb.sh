#!/bin/sh
# Makes a Debian package: target/dist/vedette_VERSION_ARCHITECTURE.deb. `make deb` builds the portable binary first.
#
#   scripts/deb.sh PROGRAM
set -eu
program=$1
cd "$(dirname "$0")/.."
command -v dpkg-deb > /dev/null || { echo "deb: dpkg-deb not found" >&2; exit 1; }

version=$("$program" --version | sed -n 's/^vedette \([0-9][^ ]*\).*/\1/p')
architecture=$(dpkg --print-architecture)
date=$(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}")
out=target/dist
mkdir -p "$out"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
stage=$root/stage
mkdir -p "$stage" "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/man/man1" "$root/usr/share/doc/vedette" \
    "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d" "$root/usr/share/applications" "$root/usr/share/icons/hicolor/scalable/apps"

scripts/stage.sh "$program" "$stage"
mv "$stage/vedette" "$root/usr/bin/"
gzip -n -9 "$stage"/man/*.1
mv "$stage"/man/*.gz "$root/usr/share/man/man1/"
mv "$stage/completions/vedette.bash" "$root/usr/share/bash-completion/completions/vedette"
mv "$stage/completions/_vedette" "$root/usr/share/zsh/vendor-completions/"
mv "$stage/completions/vedette.fish" "$root/usr/share/fish/vendor_completions.d/"
if [ -e "$stage/THIRD-PARTY.txt" ]; then
    gzip -n -9 "$stage/THIRD-PARTY.txt"
    mv "$stage/THIRD-PARTY.txt.gz" "$root/usr/share/doc/vedette/"
fi
rm -r "$stage"
cp web/static/icon.svg "$root/usr/share/icons/hicolor/scalable/apps/vedette.svg"
cat > "$root/usr/share/applications/vedette.desktop" << EOF
[Desktop Entry]
Type=Application
Name=Vedette
GenericName=Chess
Comment=Play, analyse and review chess games
Exec=vedette studio
Icon=vedette
Terminal=true
Categories=Game;BoardGame;
EOF
cat > "$root/usr/share/doc/vedette/copyright" << EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Vedette

Files: *
Copyright: the authors of Vedette
License: GPL-3+
 On Debian systems, the text of the GNU General Public License version 3 is in /usr/share/common-licenses/GPL-3.
 .
 The licences of the libraries in the program are in THIRD-PARTY.txt.gz in this folder.
EOF
printf 'vedette (%s) unstable; urgency=medium\n\n  * Release %s. CHANGELOG.md in the source lists the changes.\n\n -- The authors of Vedette <%s>  %s\n' \
    "$version" "$version" "$(git log -1 --format=%ae)" "$date" | gzip -n -9 > "$root/usr/share/doc/vedette/changelog.gz"

# The newest symbol version of the C library that the program needs.
glibc=$(objdump -T "$root/usr/bin/vedette" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -n 1)
find "$root" -type d -exec chmod 755 {} +
find "$root/usr" -type f ! -path '*/bin/*' -exec chmod 644 {} +
cat > "$root/DEBIAN/control" << EOF
Package: vedette
Version: $version
Architecture: $architecture
Maintainer: The authors of Vedette <$(git log -1 --format=%ae)>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: libc6 (>= $glibc), libgcc-s1
Suggests: xdg-utils
Provides: chess-engine
Section: games
Priority: optional
Description: UCI chess engine with tools to test, train and understand engines
 Principal variation search with a neural network that was trained only on the
 engine's own games. The same program runs matches and SPRT, examines UCI engines
 for bugs, reviews games, trains networks, and serves a local web page to play and
 analyse in the browser.
EOF
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 > DEBIAN/md5sums)
package=$out/vedette_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" > /dev/null
(cd "$out" && sha256sum "$(basename "$package")" > "$(basename "$package").sha256")
echo "$package: $(($(wc -c < "$package") / 1000)) kB"
