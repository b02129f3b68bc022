#!/bin/sh
# After `bye` a machine is switched off, by whatever it has for that.  One that
# has nothing stays on and says so, and its host ends all the same.
#	power.sh ANECHOIC FIRMWARE CONSOLE SOURCE
# FIRMWARE is the folder made of tests/qemu/firmware, CONSOLE is
# tests/boards/console.c.
set -u
anechoic=$(realpath "$1")
firmware=$2
console=$3
source=$4
work=$(mktemp -d)
pid=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$pid" ] && kill "$pid" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT
uboot=/usr/lib/u-boot/qemu-riscv64_smode/u-boot.bin

fail() {
	echo "FAIL: $*"
	exit 1
}

command -v qemu-system-riscv64 >/dev/null || {
	echo "SKIP: no qemu-system-riscv64"
	exit 0
}
[ -e $uboot ] || {
	echo "SKIP: no $uboot"
	exit 0
}
"$anechoic" image --board qemu-virt --isa riscv64 --forms '^ADD$' \
	-o "$work/image" >"$work/log" 2>&1 || fail "image: $(cat "$work/log")"

# start WORDS...: a machine with the image
start() {
	qemu-system-riscv64 -m 256 -icount shift=0 -display none -monitor none \
		-serial stdio -no-reboot -nic none -kernel "$work/image" "$@" \
		</dev/null >"$work/out" 2>&1 &
	pid=$!
}

# ends: has the machine ended within 90 s?
ends() {
	for _ in $(seq 900); do
		kill -0 "$pid" 2>/dev/null || return 0
		sleep 0.1
	done
	return 1
}

# said NAME: the console has the last record, and no complaint
said() {
	grep -aq '@[0-9]* bye ' "$work/out" || fail "$1: no bye"
	grep -a 'anechoic: ' "$work/out" && fail "$1: a complaint"
	return 0
}

# off NAME WORDS...: this machine switches itself off
off() {
	name=$1
	shift
	start "$@"
	ends || fail "$name stays on: $(tail -n 1 "$work/out")"
	wait "$pid" || fail "$name: status $?: $(tail -n 3 "$work/out")"
	pid=
	said "$name"
}

off "by the firmware" -M virt
off "by HTIF" -M spike
off "by the test device" -M virt -bios "$firmware/poor.bin"

# The tree names an HTIF where nothing is: the refused access is no end.
mkdir -p "$work/boards/refused"
sed 's/^timeout_s.*/timeout_s = 200/' \
	"$source/tests/qemu/boards/sd/riscv64-sbi.conf" \
	>"$work/boards/refused/riscv64-sbi.conf"
"$anechoic" image --board banana-pi-f3 --forms '^ADD$' -o "$work/card" \
	>"$work/log" 2>&1 || fail "card: $(cat "$work/log")"
timeout 300 "$console" "$work/boards" "$firmware" refused riscv64 "$work/card" \
	"$source/tests/qemu/keys/htif" >"$work/out" 2>&1 ||
	fail "a refused HTIF stays on: $(tail -n 3 "$work/out")"
said "a refused HTIF"

# Nothing switches this one off.
start -M sifive_u -smp 2
for _ in $(seq 900); do
	grep -aq 'cannot switch this machine off' "$work/out" && break
	sleep 0.1
done
grep -aq 'cannot switch this machine off' "$work/out" ||
	fail "sifive_u: $(tail -n 3 "$work/out")"
kill -0 "$pid" 2>/dev/null || fail "sifive_u has a power switch: say so in docs"
kill "$pid"
wait "$pid"
pid=

# The hosts of both machines end with the numbers, and leave no emulator behind.
share=${ANECHOIC_SHARE:-$(dirname "$anechoic")/../share/anechoic}
mkdir -p "$work/share"
ln -s "$(realpath "$share/runtime")" "$work/share/runtime"
export ANECHOIC_SHARE="$work/share"
for words in 'spike' 'sifive_u -smp 2'; do
	machine=${words%% *}
	folder=$work/share/boards/$machine
	qemu="qemu-system-riscv64 -M $words -m 256 -icount shift=0 -display none"
	qemu="$qemu -monitor none -serial stdio -no-reboot -kernel @IMAGE@"
	mkdir -p "$folder"
	sed "s|^command = .*|command = $qemu -pidfile $work/pid|" \
		"$source/boards/qemu-virt/riscv64-sbi.conf" \
		>"$folder/riscv64-sbi.conf"
	timeout 300 "$anechoic" measure --board "$machine" --isa riscv64 \
		--forms '^ADD$' --db "$work/$machine.db" >"$work/log" 2>&1 ||
		fail "the host of $machine: status $?: $(cat "$work/log")"
	grep -Eq '^ADD +1 +1 ' "$work/log" ||
		fail "the host of $machine: $(cat "$work/log")"
	[ -e "$work/pid" ] && kill -0 "$(cat "$work/pid")" 2>/dev/null &&
		fail "$machine is left behind"
	rm -f "$work/pid"
done
echo "7 passed, 0 failed"
