#!/bin/sh
# install.sh BUILD SOURCE: install below DESTDIR, move the tree, and use it: the
# library by pkg-config and by CMake, the program where the sources cannot be
# read.
set -eu
build=$1
source=$2
here=$(cd "$(dirname "$0")" && pwd)
to=$(mktemp -d)
trap 'rm -rf "$to"' EXIT
DESTDIR=$to/dest cmake --install "$build" --prefix /opt/anechoic >"$to/log" || {
	cat "$to/log"
	exit 1
}
mv "$to/dest/opt/anechoic" "$to/moved"
[ -z "$(find "$to/dest" -type f)" ] || {
	echo "files outside the prefix: $(find "$to/dest" -type f)"
	exit 1
}
pc=$(find "$to/moved" -name anechoic.pc)
[ -n "$pc" ] || { echo "anechoic.pc: not installed"; exit 1; }
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
# The file finds its prefix from where it lies.
flags=$(pkg-config --cflags --libs anechoic)
# shellcheck disable=SC2086 # a list of words
cc -std=c11 -Wall -Werror -o "$to/use" "$here/use.c" $flags
lib=$(dirname "$(dirname "$pc")")
LD_LIBRARY_PATH=$lib "$to/use"
names=$(nm -D --defined-only "$(find "$to/moved" -name 'libanechoic.so' |
	head -1)" | awk '$2 == "T" { print $3 }' | sed 's/@.*//' |
	grep -v '^anechoic_' || :)
[ -z "$names" ] || { echo "names of our own: $names"; exit 1; }

mkdir "$to/project"
cp "$here/use.c" "$to/project"
cat >"$to/project/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(use LANGUAGES C)
find_package(anechoic 0.1 REQUIRED)
add_executable(use use.c)
target_link_libraries(use PRIVATE anechoic::anechoic)
EOF
if ! { cmake -S "$to/project" -B "$to/project/build" -G Ninja \
	-DCMAKE_PREFIX_PATH="$to/moved" &&
	cmake --build "$to/project/build"; } >"$to/log" 2>&1; then
	cat "$to/log"
	exit 1
fi
"$to/project/build/use"

# The Python module finds the library of its own tree.
PYTHONPATH=$to/moved/lib/python3/dist-packages /usr/bin/python3 -B -c '
import anechoic
with anechoic.Core(cpu="skylake", isa="x86_64") as core:
    assert core.predict("mulsd %xmm1, %xmm0").cycles == 4'

for page in "$to"/moved/share/man/man1/*.1; do
	grep -q '^\.SH SYNOPSIS' "$page" || { echo "$page"; exit 1; }
done
for f in bash-completion/completions/anechoic zsh/site-functions/_anechoic \
	fish/vendor_completions.d/anechoic.fish doc/anechoic/CHANGELOG.md; do
	[ -s "$to/moved/share/$f" ] || { echo "share/$f: missing"; exit 1; }
done
cp "$here/program.sh" "$to/program.sh"
sh "$here/alone.sh" "$source" "$to/program.sh" "$to/moved"
