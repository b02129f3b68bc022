#!/bin/sh
# A second compiler accepts the host: clang's front end finds no warning, of those
# that the build asks for, in any file. clang-tidy runs that front end over many
# files in one process; `clang-19 -fsyntax-only` takes several times as long to start
# as to read a file. (clang-tidy wants one check in addition to the compiler's.)
#	clang.sh BUILD
cd "$(dirname "$0")/../.." || exit 2
sources=$(sh tests/lint/sources.sh "$1") || exit 1
# shellcheck disable=SC2086 # a list of files on purpose
said=$(clang-tidy-19 -p "$1" --quiet \
	--checks='-*,clang-diagnostic-*,misc-misleading-bidirectional' \
	$sources 2>&1) && exit 0
echo "$said" |
	grep -vE '^\[[0-9/]*\] Processing|^[0-9]+ (error|warning).* generated|^Error while'
exit 1
