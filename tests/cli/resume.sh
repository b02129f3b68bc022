#!/bin/sh
# Nothing measured is lost: interrupt a run (Ctrl-C, then a kill), resume it,
# and find one finished run with every kernel.  resume.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
db=$work/run.db
core=$work/quiet.core

# An invented core without noise, so that two runs can be compared.
cat >"$core" <<'EOF'
isa = x86_64
cpu = quiet
width = 4
ports = a b
form .*: ports=a|b
EOF

measure() {
	start "$@" &
	wait $!
}

# In place of the shell that calls it, so that a signal meets the program.
start() {
	exec "$anechoic" measure --board fake --isa x86_64 --core "$core" \
		--forms '^(A|V[A-F])' --db "$db" "$@"
}

rows() {
	"$anechoic" export --db "$db" --format csv -o "$work/out.csv" ||
		fail "export"
	tail -n +2 "$work/out.csv" | cut -d, -f1-11
}

# The uninterrupted run is the truth to compare with.
measure >"$work/log" 2>&1 || fail "a whole run: $(cat "$work/log")"
rows >"$work/whole"
[ -s "$work/whole" ] || fail "claims of a whole run"
rm -f "$db" "$db"-*

# Ctrl-C while the first kernels run, a kill after some more: the second program
# has to plan before it goes on.
for signal in INT KILL; do
	resume=
	[ ! -e "$db" ] || resume=--resume
	# shellcheck disable=SC2086 # no word, or one
	start $resume >"$work/log" 2>&1 &
	pid=$!
	# As soon as the database is there, the run is under way.
	i=0
	while [ ! -s "$db" ] && [ $i -lt 100 ]; do
		sleep 0.05
		i=$((i + 1))
	done
	if [ $signal = INT ]; then sleep 0.7; else sleep 2; fi
	kill -s $signal $pid 2>/dev/null
	wait $pid
	status=$?
	if [ $signal = INT ] && [ $status -gt 1 ]; then
		fail "Ctrl-C: exit status 1 (or 0 if it was done), not $status"
	fi
done
measure --resume >"$work/log" 2>&1 || fail "resume: $(cat "$work/log")"
rows >"$work/resumed"
cmp "$work/whole" "$work/resumed" || fail "the same claims after resuming"
echo "1 passed, 0 failed"
