#!/bin/sh
# Installs a Debian package, runs the program, removes it, and checks that nothing is left. Needs root; a package that is
# already installed is not touched.
#
# Usage: deb.sh PACKAGE
set -eu
package=$1
[ "$(id -u)" -eq 0 ] || { echo "deb: skipped (must be run as root)"; exit 0; }
if dpkg -s vedette > /dev/null 2>&1; then
    echo "deb: skipped (vedette is installed)"
    exit 0
fi
dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$' | sed 's/^\.//' > /tmp/deb.files.$$
trap 'rm -f /tmp/deb.files.$$' EXIT
dpkg -i "$package" > /dev/null
dpkg --verify vedette
cd /
/usr/bin/vedette bench 1 1 1 2> /dev/null | tail -n 1
printf 'uci\nisready\nquit\n' | /usr/bin/vedette | grep -qx readyok
[ ! -x "$(command -v man)" ] || man -w vedette > /dev/null || echo "deb: man does not find the page (a minimal system may leave out manual pages)"
dpkg -P vedette > /dev/null
left=$(while read -r file; do [ ! -e "$file" ] || echo "$file"; done < /tmp/deb.files.$$)
[ -z "$left" ] || { echo "deb: left behind: $left" >&2; exit 1; }
[ ! -e /usr/share/doc/vedette ] || { echo "deb: left behind: /usr/share/doc/vedette" >&2; exit 1; }
echo "deb: installed, run and removed ($(wc -l < /tmp/deb.files.$$) files)"
