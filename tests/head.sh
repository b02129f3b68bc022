# shellcheck shell=sh
# What a test script begins with:
#	. "$(dirname "$0")/../head.sh"
# $work is a folder of its own, which goes when the script ends.
set -u
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# The test failed, and why. The file `out` of $work has what the command printed.
fail() {
	echo "FAIL: $*" >&2
	[ -f "$work/out" ] && sed 's/^/  | /' "$work/out" >&2
	exit 1
}

# What the test needs is not here.
skip() {
	echo "SKIP: $*"
	exit 77
}

# need PROGRAM PACKAGE
need() {
	command -v "$1" >/dev/null || skip "no $1 (package $2)"
}
