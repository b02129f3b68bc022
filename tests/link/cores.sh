#!/bin/sh
# Boards with several cores, measured live: each core that the board's file asks
# for is a run of its own.
#	cores.sh ANECHOIC LINE
# The fake board is a machine of invented cores of two kinds; QEMU, behind the
# line of tests/link/line.c, one of two equal ones.
set -u
anechoic=$1
line=$2
work=$(mktemp -d)
pid=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$pid" ] && kill "$pid"
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 2
failed=0

# expect WHAT PATTERN: the last output has it.
expect() {
	grep -Eq -- "$2" out && return
	echo "FAIL: $1: no '$2' in: $(cat out)"
	failed=1
}

# board FOLDER TRANSPORT RUNTIME CORE
board() {
	mkdir -p "$1"
	printf 'describe = several cores\nruntime = %s\ntransport = %s\n' \
		"$3" "$2" >"$1/riscv64-sbi.conf"
	printf 'image = %s\ncpu = generic-rv64\nfeatures = +m\ncore = %s\n' \
		"$([ "$3" = none ] && echo none || echo flat)" "$4" \
		>>"$1/riscv64-sbi.conf"
}

# measure DB CORES ARGUMENTS...
measure() {
	db=$1
	cores=$2
	shift 2
	"$anechoic" measure --board ./desk --core "$cores" \
		--forms '^(ADD|MUL)$' --db "$db" "$@" >out 2>&1
}

# The rows of a query, each in a line.
ask() {
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*row)' "$1" "$2" >out
}

cat >big.core <<END
isa = riscv64
cpu = big
width = 4
ports = a b m d
form MUL: ports=m, latency=3
form .*: ports=a|b
END
sed 's/cpu = big/cpu = little/; s/latency=3/latency=5/' big.core >little.core
all=big.core,little.core,big.core

board desk fake none each-kind
measure kinds.db "$all" || expect "each kind" 'status 0'
expect "each kind" '^core 1 \(2 of 2\)$'
ask kinds.db "SELECT run, key, value FROM env WHERE key IN ('core', 'cpu')"
expect "each kind: first" '^1 cpu big$'
expect "each kind: second" '^2 core 1$'
ask kinds.db "SELECT run, low_cycles FROM claim WHERE form = 'MUL' AND
	kind = 'latency' ORDER BY run"
expect "each kind: big" '^1 3.0$'
expect "each kind: little" '^2 5.0$'
measure kinds.db "$all" --resume
expect "resumed" 'run 2 is finished'

board desk fake none all
measure all.db "$all" || expect "all" 'status 0'
ask all.db "SELECT run, value FROM env WHERE key = 'core'"
expect "all" '^3 2$'
ask all.db "SELECT run, count(*) FROM sample GROUP BY run HAVING count(*) <>
	(SELECT count(*) FROM sample WHERE run = 1)"
[ -s out ] && expect "all: as many samples of each" '^$'

# Shards of one core are one run, those of equal cores are not.
for part in 0-1 2-2 0-2; do
	board desk fake none "${part%-*}"
	measure "shard$part.db" "$all" --shard "${part#*-}/2" ||
		expect "shard" 'status 0'
done
for other in 0-2 2-2; do
	"$anechoic" merge -o "merged$other.db" shard0-1.db "shard$other.db" \
		>out 2>&1 || expect "merge" 'status 0'
done
ask merged0-2.db 'SELECT count(*) FROM run'
expect "merge of one core" '^1$'
ask merged2-2.db 'SELECT count(*) FROM run'
expect "merge of two cores" '^2$'

# A core that does not come up; a runtime that knows no cores.
board desk fake none 7
measure none.db "$all" && expect "absent" 'status 1'
expect "absent" 'anechoic: desk: core 7 did not start'
measure none.db big.core && expect "old" 'status 1'
expect "old" 'works with an image of this version only'

if command -v qemu-system-riscv64 >/dev/null; then
	board slow serial riscv64-sbi all
	"$anechoic" image --board ./slow --forms '^(ADD|MUL)$' -o image \
		>out 2>&1 || expect "image" 'status 0'
	"$line" tty 0 qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 2 \
		-icount shift=0 -display none -monitor none -serial stdio \
		-no-reboot -kernel image &
	pid=$!
	for _ in $(seq 300); do
		[ -e tty ] && break
		sleep 0.1
	done
	"$anechoic" collect --board ./slow --forms '^(ADD|MUL)$' --tty tty \
		--reset-cmd "kill -HUP $pid" --db slow.db >out 2>&1 || expect "tty" 'status 0'
	# The firmware chooses the hart that boots, so either is the first.
	expect "tty" '^core [01] \(2 of 2\)$'
	ask slow.db "SELECT value, count(*) FROM env WHERE key = 'core' GROUP BY value"
	expect "tty: one" '^0 1$'
	expect "tty: other" '^1 1$'
	ask slow.db "SELECT run, low_cycles FROM claim WHERE form = 'MUL' AND
		kind = 'latency'"
	expect "tty: second" '^2 1.0$'
	# Other kernels are sent to either.
	"$anechoic" measure --board ./slow --forms '^SUB$' --tty tty \
		--reset-cmd "kill -HUP $pid" --db sub.db >out 2>&1 || expect "sent" 'status 0'
	ask sub.db "SELECT run, low_cycles FROM claim WHERE kind = 'latency'"
	expect "sent" '^2 1.0$'
fi
exit "$failed"
