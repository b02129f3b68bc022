#!/bin/sh
# What a process inherits: ignored signals stay ignored, an ignored SIGCHLD does no
# harm, and no file becomes a standard stream that was closed.
#	inherited.sh ANECHOIC BLOCKS
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
blocks=$2
cd "$work"

# A farm waits for its file in a pipe; it has its handlers by then.
#	signalled SIGNAL COMMAND...: the log of a farm that was sent the signal
signalled() {
	signal=$1
	shift
	rm -rf lab.pipe
	mkfifo lab.pipe
	"$@" "$anechoic" farm lab.pipe -o lab >log 2>&1 &
	pid=$!
	exec 3>lab.pipe
	kill -s "$signal" "$pid"
	printf 'tries = 1\none.board = nowhere\n' >&3 || :
	exec 3>&-
	wait "$pid" || :
}
for signal in HUP INT TERM; do
	signalled "$signal" env --default-signal="$signal"
	grep -q 'one *failed .* try 0' log || fail "SIG$signal: $(cat log)"
	signalled "$signal" env --ignore-signal="$signal"
	grep -q "one *failed .* try 1  unknown board" log ||
		fail "an ignored SIG$signal: $(cat log)"
done

# The farm learns that its boards have ended.
printf 'tries = 1\none.board = nowhere\ntwo.board = nowhere\n' >lab.conf
status=0
env --ignore-signal=CHLD "$anechoic" farm lab.conf -o lab >log 2>&1 || status=$?
[ $status = 1 ] || fail "a farm without SIGCHLD: exit $status: $(cat log)"
grep -q "one *failed .*try 1  unknown board" log ||
	fail "a farm without SIGCHLD: $(cat log)"

# Closed streams: what is written is the same, and nothing else is in it.
batch() {
	"$anechoic" predict --cpu skylake --isa x86_64 --batch "$blocks" "$@"
}
status=0
batch -o all.csv >log 2>&1 || status=$?
[ $status = 2 ] || fail "a batch: exit $status: $(cat log)"
n=0
while read -r closed; do
	n=$((n + 1))
	status=0
	eval "batch -o some.csv $closed" || status=$?
	[ $status = 2 ] || fail "$closed: exit $status"
	cmp all.csv some.csv || fail "$closed: another file"
	rm some.csv
done <<END
<&-
>&-
2>&-
<&- >&-
<&- >&- 2>&-
END
[ $n = 5 ] || fail "$n rows of closed streams"
batch -o /dev/null >&- 2>log || :
grep -q 'cannot write' log && fail "-o /dev/null: $(cat log)"
status=0
batch >&- 2>log || status=$?
[ $status = 1 ] || fail "standard output is closed: exit $status"
grep -q 'cannot write to standard output' log ||
	fail "standard output is closed: $(cat log)"

# No file that is read is one of them either.
"$anechoic" farm lab.pipe -o lab <&- >&- 2>&- &
pid=$!
exec 3>lab.pipe
for fd in 0 1 2; do
	[ "$(readlink "/proc/$pid/fd/$fd")" = /dev/null ] ||
		fail "stream $fd: $(readlink "/proc/$pid/fd/$fd")"
done
exec 3>&-
wait "$pid" && fail "an empty file is a farm"
exit 0
