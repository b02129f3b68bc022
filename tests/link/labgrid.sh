#!/bin/sh
# A target of labgrid: a NetworkSerialPort through ser2net, and an
# ExternalPowerDriver that resets QEMU behind a pseudo terminal.
#	labgrid.sh ANECHOIC LINE
set -u
anechoic=$1
line=$2
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
	cat log ser2net.log 2>/dev/null
	exit 1
}

command -v ser2net >/dev/null || {
	echo "SKIP: no ser2net (package ser2net)"
	exit 77
}
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
port=$((20000 + $$ % 20000))
cat >ser2net.yaml <<END
connection: &board
  accepter: tcp,localhost,$port
  connector: serialdev,$(readlink tty),115200n81,local
END
ser2net -d -c ser2net.yaml >ser2net.log 2>&1 &
pids="$pids $!"
cat >env.yaml <<END
targets:
  bench:
    resources:
      NetworkSerialPort:
        host: localhost
        port: $port
        protocol: raw
    drivers:
      SerialDriver: {}
      ExternalPowerDriver:
        cmd_on: 'true'
        cmd_off: 'true'
        cmd_cycle: 'sh -c "echo cycled >>$work/cycles; kill -HUP $board"'
END
sleep 1
timeout 120 "$anechoic" collect --board qemu-virt --isa riscv64 \
	--forms '^(ADD|MUL)$' --labgrid env.yaml:bench --db x.db >log 2>&1 ||
	fail collect
grep -Eq '^MUL +1 +1 ' log || fail "MUL of 1 cycle"
# Its power, as collect uses it.
/usr/bin/python3 "$(dirname "$anechoic")/../share/anechoic/lab/labgrid_target.py" \
	cycle env.yaml bench >log 2>&1 || fail cycle
[ -s cycles ] || fail "the board was not power-cycled"
echo "ok: $(grep -c . cycles) power cycles"
