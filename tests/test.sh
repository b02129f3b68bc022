#!/bin/sh
# The tests: those of the host under the address and undefined-behaviour sanitizers
# in a tree of their own, the others in the plain tree; then the ten slowest, and the
# time of it all.
#	test.sh BUILD JOBS build|all|loaded
# build: what is missing is built first; without the tests of wide.txt, and in the plain
# tree.  all: built, too; with them, and the invented cores in both trees.  loaded: all
# as it stands, with a busy loop on each CPU, as on a machine that others use, too.
set -u
build=$1
jobs=$2
how=$3
start=$(date +%s)
loops=
here=$(dirname "$0")

# shellcheck disable=SC2317 # called by the trap
end() {
	# shellcheck disable=SC2086 # a list of numbers
	[ -z "$loops" ] || kill $loops 2>/dev/null
}
trap end EXIT
trap 'exit 130' INT TERM HUP

took() {
	s=$(($(date +%s) - $1))
	echo "$((s / 60)) min $((s % 60)) s"
}

if [ "$how" != loaded ]; then
	cmake --build "$build" -j "$jobs" &&
		cmake --build "$build/sanitize" -j "$jobs" || exit 1
	echo "built in $(took "$start")"
else
	n=$(nproc)
	while [ "$n" -gt 0 ]; do
		while :; do :; done &
		loops="$loops $!"
		n=$((n - 1))
	done
fi

# Two more tests than CPUs: some wait for a board or a clock.
failed=0
run() {
	tree=$1
	shift
	ctest --test-dir "$tree" -j $((jobs + 2)) --output-on-failure \
		--no-tests=error --output-junit times.xml "$@" || failed=1
}
# The names of wide.txt that begin with this mark ("": with none), as an expression.
wide() {
	grep -v -e '^#' -e '^$' "$here/wide.txt" |
		if [ -n "$1" ]; then sed -n "s/^$1//p"; else grep -v '^[a-z]*:'; fi |
		sed 's/^/^/' | paste -s -d '|'
}
# ctest says nothing of an expression that it does not take, and runs all tests.
check_wide() {
	count=$(ctest --test-dir "$1" -N | tail -n 1)
	if [ "$(ctest --test-dir "$1" -N -E "$2" | tail -n 1)" = "$count" ]; then
		echo "tests/wide.txt leaves out no test of $1; more than nine groups?" >&2
		exit 1
	fi
}
if [ "$how" = build ]; then
	check_wide "$build/sanitize" "$(wide sanitized:)"
	check_wide "$build" "$(wide '')"
	run "$build/sanitize" -E "$(wide sanitized:)"
	run "$build" -LE '^sanitized$' -E "$(wide '')"
	echo "make test-all also runs the tests of tests/wide.txt"
else
	run "$build/sanitize"
	run "$build"
fi

echo "the ten slowest:"
for tree in "$build/sanitize" "$build"; do
	of=
	[ "$tree" = "$build" ] || of=" (sanitized)"
	sed -n "s/.*<testcase name=\"\([^\"]*\)\".* time=\"\([0-9.]*\)\".*/\2 s  \1$of/p" \
		"$tree/times.xml"
done | sort -rn | head -10
echo "all of it took $(took "$start")"
exit $failed
