#!/bin/sh
# deb.sh BUILD SOURCE: build the Debian package, have lintian read it, unpack it
# into an empty folder and use the program there.
set -eu
build=$1
source=$2
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v dpkg-shlibdeps >/dev/null; then
	echo "SKIP: dpkg-shlibdeps is not installed (Debian package dpkg-dev)"
	exit 77
fi
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$to" >"$to/log" 2>&1 || {
	cat "$to/log"
	exit 1
}
deb=$(echo "$to"/*.deb)
outside=$(dpkg-deb -c "$deb" | awk '{ print $6 }' |
	grep -v '^\./$\|^\./usr/' || :)
[ -z "$outside" ] || { echo "outside /usr: $outside"; exit 1; }
dpkg-deb -f "$deb" Depends | grep -q 'libllvm19.*libsqlite3' || {
	dpkg-deb -f "$deb"
	exit 1
}
if command -v lintian >/dev/null; then
	lintian --allow-root --fail-on error "$deb" || exit 1
else
	echo "lintian is not installed: it has not read the package"
fi
dpkg-deb -x "$deb" "$to/root"
# Debian compresses pages and changelogs.
gzip -dc "$to/root/usr/share/man/man1/anechoic.1.gz" | grep -q '^\.SH NAME'
cp "$here/program.sh" "$to/program.sh"
sh "$here/alone.sh" "$source" "$to/program.sh" "$to/root/usr"
