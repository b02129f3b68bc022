#!/bin/sh
# A board of labgrid: QEMU behind a pseudo terminal, whose other end is a
# NetworkSerialPort through ser2net.
#	labgrid.sh ANECHOIC LINE CASE
# CASE is
#	raw, rfc2217	a target of an environment file, over this protocol, with an
#			ExternalPowerDriver
#	place		a place of a coordinator, with a NetworkPowerPort
#	coordinator	the same with labgrid 24 or later, which Debian does not have:
#			ANECHOIC_LABGRID names a folder with its module `labgrid` and
#			what that needs (docs/farm.md)
set -u
anechoic=$1
line=$2
case=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
pids=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	for pid in $pids; do
		kill "$pid"
	done
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	tail -n 20 ./*log 2>/dev/null
	exit 1
}

command -v ser2net >/dev/null || {
	echo "SKIP: no ser2net (package ser2net)"
	exit 77
}
if [ "$case" = coordinator ]; then
	[ -n "${ANECHOIC_LABGRID:-}" ] || {
		echo "SKIP: ANECHOIC_LABGRID names no labgrid 24"
		exit 77
	}
	export PYTHONPATH="$ANECHOIC_LABGRID"
fi
/usr/bin/python3 -c 'import labgrid' 2>/dev/null || {
	echo "SKIP: no labgrid (package python3-labgrid)"
	exit 77
}
command -v qemu-system-riscv64 >/dev/null || {
	echo "SKIP: no qemu-system-riscv64 (package qemu-system-misc)"
	exit 77
}
"$anechoic" image --board qemu-virt --isa riscv64 --forms '^(ADD|MUL)$' \
	-o image >log 2>&1 || fail image
"$line" "$work/tty" 0 qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 \
	-icount shift=0 -display none -monitor none -serial stdio -no-reboot \
	-kernel image &
board=$!
pids=$board
for _ in $(seq 100); do
	[ -e tty ] && break
	sleep 0.1
done
# Below 32768, where Linux takes ports for outgoing connections.
port=$((20000 + 4 * ($$ % 3000)))
accepter=tcp
protocol=raw
[ "$case" != rfc2217 ] || {
	accepter='telnet(rfc2217),tcp'
	protocol=rfc2217
}
cat >ser2net.yaml <<END
connection: &board
  accepter: $accepter,localhost,$port
  connector: serialdev,$(readlink tty),115200n81,local
END
ser2net -d -c ser2net.yaml >ser2net.log 2>&1 &
pids="$pids $!"

# collect OPTIONS: two kernels over the console of the laboratory.
collect() {
	timeout 300 "$anechoic" collect --board qemu-virt --isa riscv64 \
		--forms '^(ADD|MUL)$' --db x.db "$@" >log 2>&1 || fail collect
	grep -Eq '^MUL +1 +1 ' log || fail "MUL of 1 cycle"
}

# await COMMAND: until it succeeds.
await() {
	for _ in $(seq 100); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.2
	done
	fail "no success of '$*'"
}

target() {
	cat >env.yaml <<END
targets:
  bench:
    resources:
      NetworkSerialPort:
        host: localhost
        port: $port
        protocol: $protocol
    drivers:
      SerialDriver: {}
      ExternalPowerDriver:
        cmd_on: 'true'
        cmd_off: 'true'
        cmd_cycle: 'sh -c "echo cycled >>$work/cycles; kill -HUP $board"'
END
	sleep 1
	collect --labgrid env.yaml:bench
	# Its power, as collect uses it.
	/usr/bin/python3 "$share/labgrid_target.py" cycle env.yaml bench \
		>log 2>&1 || fail cycle
}

client() {
	timeout 30 /usr/bin/python3 -m labgrid.remote.client -p bench "$@"
}

holder() {
	client show | sed -n 's/^ *acquired: *//p'
}

is_free() {
	[ "$(holder)" = None ]
}

# need PROGRAM...
need() {
	for program in "$@"; do
		command -v "$program" >/dev/null && continue
		echo "SKIP: no $program"
		exit 77
	done
}

# The old protocol: the real coordinator, exporter and client over a router of this
# test.
place() {
	LG_CROSSBAR=ws://127.0.0.1:$((port + 1))/ws
	WS=$LG_CROSSBAR
	export LG_CROSSBAR WS
	/usr/bin/python3 "$here/router.py" $((port + 1)) >router.log 2>&1 &
	pids="$pids $!"
	await connects
	/usr/bin/python3 -m labgrid.remote.coordinator >coordinator.log 2>&1 &
	pids="$pids $!"
	use_place
}

coordinator() {
	LG_COORDINATOR=127.0.0.1:$((port + 1))
	export LG_COORDINATOR
	/usr/bin/python3 -m labgrid.remote.coordinator -l "$LG_COORDINATOR" \
		>coordinator.log 2>&1 &
	pids="$pids $!"
	use_place
}

use_place() {
	need microcom
	/usr/bin/python3 "$here/power.py" $((port + 2)) $board "$work/cycles" \
		>power.log 2>&1 &
	pids="$pids $!"
	cat >export.yaml <<END
bench:
  NetworkSerialPort:
    host: localhost
    port: $port
    protocol: raw
  NetworkPowerPort:
    model: rest
    host: 'http://127.0.0.1:$((port + 2))/{index}'
    index: '1'
END
	await grep -qi 'ready' coordinator.log
	/usr/bin/python3 -m labgrid.remote.exporter --name lab export.yaml \
		>exporter.log 2>&1 &
	pids="$pids $!"
	await client create
	client add-match 'lab/bench/*' >log 2>&1 || fail add-match
	await has_port

	collect --labgrid-place bench
	is_free || fail "the place is held by $(holder)"
	# Its power, as collect uses it.
	client acquire >log 2>&1 || fail acquire
	sh "$share/labgrid_place.sh" cycle bench >log 2>&1 || fail cycle
	client release >log 2>&1 || fail release

	# A place that another user has is named, and stays theirs.
	LG_USERNAME=other client acquire >log 2>&1 || fail acquire
	timeout 300 "$anechoic" collect --board qemu-virt --isa riscv64 \
		--forms '^ADD$' --db x.db --labgrid-place bench >log 2>&1 &&
		fail "a place of another user"
	# Its console and its power fail at the same time; each names the user.
	grep -Eq 'acquired by (.*/)?other' log || fail "whose place it is"
	holder | grep -q /other || fail "the place is held by $(holder)"
	LG_USERNAME=other client release >log 2>&1 || fail release

	# Released also if collect is killed while it measures.
	rm x.db
	"$anechoic" collect --board qemu-virt --isa riscv64 --forms '^DIV' \
		--labgrid-place bench --db x.db >log 2>&1 &
	collect=$!
	await is_held
	kill -KILL $collect
	await is_free
}

connects() {
	client places 2>&1 | grep -q 'no_such_procedure'
}

has_port() {
	client resources | grep -q NetworkSerialPort
}

is_held() {
	holder | grep -q /
}

share=$(dirname "$anechoic")/../share/anechoic/lab
case $case in
raw | rfc2217) target ;;
place | coordinator) $case ;;
esac
[ -s cycles ] || fail "the board was not power-cycled"
echo "ok $case: $(grep -c . cycles) power cycles"
