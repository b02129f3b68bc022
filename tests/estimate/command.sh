#!/bin/sh
# command.sh ANECHOIC GUESTS CACHES: the command around a guest.  Streams, exit
# status and Ctrl-C are the guest's; the report goes elsewhere; a wrong file of
# caches is refused before the guest runs.
anechoic=$1
guests=$2
caches=$3
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
bad=0
fail() {
	echo "$*"
	bad=1
}

# What the guest reads and writes passes untouched.
printf 'a\nb\0c' >"$out/in"
"$anechoic" estimate -o "$out/report" -- "$guests" copy \
	<"$out/in" >"$out/copy" 2>"$out/errors" || fail "copy: status $?"
cmp "$out/in" "$out/copy" || fail "copy: the guest's output differs"
[ -s "$out/errors" ] && fail "copy: output on standard error"
grep -q '^instructions ' "$out/report" || fail "copy: no report"
# Without a model the tables of this machine's core, or of a usual one.
grep -q "^no model was given: cycles come from LLVM's tables of " "$out/report" ||
	fail "copy: whose tables"
# The first line says what is not in the cycles.
head -1 "$out/report" | grep -q 'Left out: caches, translation, mispredicted' ||
	fail "copy: what is left out"
grep -q '^IPC  *[0-9]\.[0-9]' "$out/report" || fail "copy: IPC"
"$anechoic" estimate --guest-cpu max --no-accesses --format json \
	-o "$out/report" -- "$guests" copy <"$out/in" >"$out/copy" ||
	fail "counts alone"
grep -q 'no model was given' "$out/report" && fail "counts need no tables"

# Its status, and 128 and the signal.
"$anechoic" estimate -o "$out/report" -- "$guests" exit
[ $? -eq 7 ] || fail "exit: not the guest's status"
rm "$out/report"
"$anechoic" estimate -o "$out/report" -- "$guests" crash 2>/dev/null
[ $? -eq 139 ] || fail "crash: not the guest's signal"
grep -q '^instructions ' "$out/report" || fail "crash: no report"

# Ctrl-C prints what is there.
rm "$out/report"
# A shell ignores Ctrl-C for programs behind which it goes on.
env --default-signal=INT "$anechoic" estimate -o "$out/report" -- \
	"$guests" forever >"$out/ready" &
pid=$!
until [ -s "$out/ready" ]; do
	kill -0 "$pid" 2>/dev/null || {
		fail "interrupt: the guest has ended"
		break
	}
	sleep 0.1
done
kill -INT "$pid"
wait "$pid"
status=$?
# The guest may inherit that Ctrl-C is ignored; then it is killed.
[ $status -eq 130 ] || [ $status -eq 137 ] ||
	fail "interrupt: status $status"
grep -q '^instructions ' "$out/report" || fail "interrupt: no report"

# Line and expectation, and no guest.
printf 'l1.size = 32K\nl1.ways = many\n' >"$out/wrong.conf"
"$anechoic" estimate --caches "$out/wrong.conf" -- "$guests" copy \
	<"$out/in" >"$out/copy" 2>"$out/errors"
[ $? -eq 2 ] || fail "wrong caches: not status 2"
grep -q 'wrong.conf:2: ' "$out/errors" || fail "wrong caches: no line"
[ -s "$out/copy" ] && fail "wrong caches: the guest ran"

# Children and threads with caches; lines of each level are those that the
# level before it misses.
for kind in fork threads spawn; do
	"$anechoic" estimate --caches "$caches" --format json \
		-o "$out/report" -- "$guests" $kind || fail "$kind: status $?"
	grep -q '"levels"' "$out/report" || fail "$kind: no levels"
done

# Functions: what is counted is part of the whole; names are checked before the
# guest runs.
count() {
	sed -n 's/^instructions  *\([0-9]*\)$/\1/p' "$out/report"
}
"$anechoic" estimate -o "$out/report" -- "$guests" fork || fail "whole: $?"
whole=$(count)
"$anechoic" estimate --cpu znver4 --mshr 8 --function work \
	--caches "$caches" --format json \
	-o "$out/json" -- "$guests" fork || fail "function: status $?"
grep -q '"levels"' "$out/json" || fail "function: no levels"
grep -q '"stall_cycles"' "$out/json" || fail "function: no stall cycles"
"$anechoic" estimate --function work --caches "$caches" -o "$out/report" \
	-- "$guests" fork || fail "function: status $?"
# Four calls of 2 instructions, 1000 times 3, and a return.
[ "$(count)" -eq 12012 ] || fail "function: $(count) instructions"
[ "$whole" -gt 12012 ] || fail "whole: $whole instructions"
grep -q '^  l1 *4004 ' "$out/report" || fail "function: lines of L1"
grep -q 'work' "$out/report" || fail "function: no block"
"$anechoic" estimate --function do_crash -o "$out/report" -- "$guests" fork ||
	fail "never called: status $?"
[ "$(count)" -eq 0 ] || fail "never called: $(count) instructions"
grep -q 'without a call of any function of --function' "$out/report" ||
	fail "never called: no note"
refused() {
	what=$1
	text=$2
	shift 2
	"$anechoic" estimate "$@" copy <"$out/in" >"$out/copy" 2>"$out/errors"
	[ $? -eq 2 ] || fail "$what: not status 2"
	grep -q "$text" "$out/errors" || fail "$what: $(cat "$out/errors")"
	[ -s "$out/copy" ] && fail "$what: the guest ran"
}
refused misspelt "did you mean 'do_fork'" --function do_frok -- "$guests"
refused import "is a library's" --function pthread_create -- "$guests"
refused both 'function and --marked cannot' --function work --marked -- "$guests"
strip -o "$out/stripped" "$guests" || fail "no strip"
refused stripped 'it is stripped' --function work -- "$out/stripped"

# Without symbols a report has addresses; lanes in use are in all formats.
for format in text json html csv; do
	"$anechoic" estimate --cpu znver4 --caches "$caches" --format $format \
		-o "$out/report.$format" -- "$out/stripped" fork ||
		fail "stripped: $format: status $?"
done
grep -q '0x[0-9a-f]*, 4000 times' "$out/report.text" ||
	fail "stripped: no address of the loop"
grep -q ' (%rdx), %rax' "$out/report.text" || fail "stripped: no instructions"
grep -q 'work' "$out/report.text" && fail "stripped: a name"
for format in text html; do
	grep -q '^vector lanes .* in use' "$out/report.$format" ||
		fail "$format: no lanes"
done
grep -q '^  "vector_lanes": {"instructions": [0-9]*, "known"' \
	"$out/report.json" || fail "json: no lanes"

# Programs that are none.
"$anechoic" estimate -- "$out/in" 2>"$out/errors"
[ $? -eq 2 ] || fail "text: not status 2"
chmod +x "$out/in"
"$anechoic" estimate -- "$out/in" 2>"$out/errors"
[ $? -eq 2 ] || fail "text: not status 2"
grep -q 'ELF' "$out/errors" || fail "text: no reason"
"$anechoic" estimate -- "$out/none" 2>"$out/errors"
[ $? -eq 2 ] || fail "missing program: not status 2"
exit $bad
