#!/bin/sh
# clang-tidy finds nothing (.clang-tidy has the checks) in the C files that changed
# last: those of the last five commits that touch any, newest first, at most four.
# All files take many minutes: `make lint-deep`.
#	tidy.sh BUILD
cd "$(dirname "$0")/../.." || exit 2
skip() {
	echo "skipped: $1"
	exit 77
}
command -v clang-tidy-19 >/dev/null ||
	skip "clang-tidy-19 is not installed (sh cmake/packages.sh)"
git rev-parse --verify -q HEAD >/dev/null 2>&1 ||
	skip "no git history says what changed"
sources=$(sh tests/lint/sources.sh "$1" && find target -name '*.c') || exit 1

# Of the working tree first. A file that a later commit removed is no source.
changed=$({
	git diff --name-only HEAD
	git log -5 --format= --name-only -- 'host/*.c' 'common/*.c' 'lib/*.c' \
		'target/*.c'
} | awk '!seen[$0]++' | grep '\.c$' |
	grep -xF -e "$sources" | head -4)
[ -n "$changed" ] || skip "the history that is here has no change of a C file"
echo "$changed"
# shellcheck disable=SC2086 # a list of files on purpose
exec python3 -B tests/lint/deep.py "$1" 1 clang-tidy $changed
