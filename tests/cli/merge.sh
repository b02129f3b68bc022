#!/bin/sh
# Shards of a run and their merging.  merge.sh ANECHOIC RECORDED, a database of
# an older version, packed by xz.
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
recorded=$2
cd "$work"

forms='^(ADD|SUB|MUL|DIV|LD|SD|FADD_D|FMUL_D|SLL|XOR|AND|OR|SLT)[A-Z_]*$'
measure() {
	"$anechoic" measure --board qemu-virt --isa riscv64 --forms "$forms" \
		"$@" >out 2>&1 || fail "measure $*: $(tail -3 out)"
}
merge() {
	"$anechoic" merge "$@" >out 2>err || fail "merge $*: $(cat err)"
}
csv() {
	"$anechoic" export --db "$1" --format csv -o "$1.csv"
}
same() {
	csv "$2"
	cmp "$1.csv" "$2.csv" || fail "$2 differs from $1"
}

# Three shards are the undivided run.
measure --db whole.db
csv whole.db
[ "$(wc -l <whole.db.csv)" -gt 100 ] || fail "few values: $(cat whole.db.csv)"
for i in 1 2 3; do
	measure --db $i.db --shard $i/3
	kernels=$(sed -n 's/^\([0-9]*\) kernels, .*/\1/p' out)
	if [ "$kernels" -lt 35 ] || [ "$kernels" -gt 60 ]; then
		fail "shard $i/3 has $kernels kernels"
	fi
done
merge -o all.db 1.db 2.db 3.db
same whole.db all.db
# In any order, step by step, again, and into one of its sources.
merge -o step.db 3.db 1.db
csv step.db
cmp -s whole.db.csv step.db.csv && fail "two shards of three are all"
"$anechoic" export --db step.db --format json -o step.json
grep -q '"finished": false' step.json || fail "unfinished without shard 2"
merge -o step.db 2.db step.db
same whole.db step.db
merge -o step.db step.db all.db 1.db 1.db
same whole.db step.db
"$anechoic" export --db all.db --format json -o all.json
"$anechoic" export --db step.db --format json -o step.json
cmp all.json step.json || fail "the order of merging shows"
grep -q '"finished": true' all.json || fail "finished with all shards"

# A message names the file that was given, not a copy of it.
printf x >one.db
"$anechoic" merge -o no.db one.db 1.db 2>err && fail "one.db is no database"
grep -qx 'anechoic: one.db is an empty file' err || fail "$(cat err)"

# What a lost shard has not measured is measured into the merged run.
merge -o part.db 1.db 3.db
measure --db part.db --redo missing
grep -q ' kernels are measured again' out || fail "redo: $(cat out)"
same whole.db part.db
# Two states of one run are one run.
cp 1.db more.db
measure --db more.db --shard 1/3 --redo .
merge -o states.db 1.db more.db
grep -q ' 1 run, from 2 runs' out || fail "states: $(cat out)"
merge -o again.db states.db 1.db
for f in states again; do
	"$anechoic" export --db $f.db --format json -o $f.json
done
cmp states.json again.json || fail "a state that is merged again adds rows"
# Equal runs are written once, others stay apart.
merge -o twice.db whole.db whole.db
same whole.db twice.db
measure --db whole2.db
merge -o two.db whole2.db whole.db whole2.db
grep -q ' 2 runs, from 3 runs of 3 databases; 0 put' out || fail "$(cat out)"

# An older version is read and stays as it is.
xz -dc "$recorded" >old.db
cp old.db kept.db
merge -o new.db old.db
cmp old.db kept.db || fail "merge changes its source"
"$anechoic" solve --db new.db >solved
"$anechoic" solve --db old.db >expected
sed 's/^[a-z.]*: //' solved >a
sed 's/^[a-z.]*: //' expected | cmp - a || fail "the old database: $(cat a)"

# Killed at any time, or without room, it leaves the old file or the new one.
merge -o goal.db new.db whole.db
goal=$(cksum <goal.db)
cp whole.db target.db
before=$(cksum <target.db)
killed=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	cp whole.db target.db
	"$anechoic" merge -o target.db new.db whole.db >out 2>&1 &
	sleep "0.$(printf %02d $((i * 3 % 20)))"
	kill -9 $! 2>/dev/null || :
	wait $! || killed=$((killed + 1))
	now=$(cksum <target.db)
	if [ "$now" != "$before" ] && [ "$now" != "$goal" ]; then
		fail "killed, a file that is neither"
	fi
done
[ $killed -gt 1 ] || fail "killed only $killed times"
cp whole.db target.db
for blocks in 8 200 900 2000; do
	status=0
	(
		ulimit -f $blocks
		exec "$anechoic" merge -o target.db new.db whole.db
	) >out 2>&1 || status=$?
	[ $status -eq 1 ] || fail "$blocks blocks: exit status $status"
	[ "$(cksum <target.db)" = "$before" ] || fail "$blocks blocks: changed"
	grep -q 'limit of the size of files\|File too large' out ||
		fail "$blocks blocks: $(cat out)"
	set -- target.db*
	[ "$*" = target.db ] || fail "$blocks blocks: $* is left"
done
merge -o target.db new.db whole.db
[ "$(cksum <target.db)" = "$goal" ] || fail "not the same again"

# Mistakes leave nothing behind.
echo text >text.txt
refused() {
	says=$1
	shift
	status=0
	"$anechoic" merge "$@" >out 2>err || status=$?
	[ $status -eq 2 ] || fail "merge $*: exit status $status"
	grep -q "$says" err || fail "merge $*: $(cat err)"
}
refused 'exists and is not a database' -o text.txt 1.db
refused 'none.db does not exist' -o x.db 1.db none.db
refused 'not an Anechoic database' -o x.db 1.db text.txt
refused 'merge: no database given' -o x.db
[ ! -e x.db ] || fail "a file of a merge that failed"
echo "merged: equal to the undivided run, $killed times killed"
