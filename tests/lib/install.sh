#!/bin/sh
# install.sh BUILD: install into an empty folder, then compile and run a program
# with nothing but what pkg-config says.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
cmake --install "$build" --prefix "$to" >"$to/log" || {
	cat "$to/log"
	exit 1
}
pc=$(find "$to" -name anechoic.pc)
test -n "$pc" || { echo "anechoic.pc: not installed"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# The file finds its prefix from where it lies.
flags=$(pkg-config --cflags --libs anechoic)
# shellcheck disable=SC2086 # a list of words
cc -std=c11 -Wall -Werror -o "$to/use" "$here/use.c" $flags
LD_LIBRARY_PATH=$(dirname "$(dirname "$pc")") "$to/use"
names=$(nm -D --defined-only "$(find "$to" -name 'libanechoic.so' | head -1)" |
	awk '$2 == "T" { print $3 }' | sed 's/@.*//' | grep -v '^anechoic_' || :)
test -z "$names" || { echo "names of our own: $names"; exit 1; }
