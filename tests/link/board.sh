#!/bin/sh
# A board on a serial line, from the command line as an engineer uses it:
#	board.sh ANECHOIC LINE
# LINE is tests/link/line.c; the board is QEMU behind it, its image the one
# that `anechoic image` makes, its first words the firmware's.  Then the same
# with the card of banana-pi-f3, through OpenSBI, U-Boot and its menu; without
# -icount there, for U-Boot's countdown is to take the seconds it says, and what
# the cycles are is not asked.
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

fail() {
	echo "FAIL: $*"
	exit 1
}

command -v qemu-system-riscv64 >/dev/null || {
	echo "SKIP: no qemu-system-riscv64 (package qemu-system-misc)"
	exit 0
}
"$anechoic" image --board qemu-virt --isa riscv64 --forms '^(ADD|MUL)$' \
	-o image >log 2>&1 || fail "image: $(cat log)"
"$line" tty 0 qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 \
	-icount shift=0 -display none -monitor none -serial stdio -no-reboot \
	-kernel image &
pid=$!

# The other end needs a moment to lay its line.
await_line() {
	for _ in $(seq 300); do
		[ -e tty ] && return
		sleep 0.1
	done
	fail "no line within 30 s"
}
await_line

board=qemu-virt
measure() {
	timeout 300 "$anechoic" "$@" --board $board --isa riscv64 \
		--tty tty --reset-cmd "kill -HUP $pid" >log 2>&1 ||
		fail "$1: $(cat log)"
}

# occupy SECONDS: another program has the line
occupy() {
	flock --no-fork tty sleep "$1" &
	other=$!
	for _ in $(seq 100); do
		flock -n tty true || return
		sleep 0.1
	done
	fail "the line is free"
}

# It is named if it stays, and waited for if it goes.
occupy 60
timeout 60 "$anechoic" collect --board $board --isa riscv64 --tty tty \
	--db none.db >log 2>&1 && fail "a line that another program has"
grep -q 'another program uses it' log || fail "the other program: $(cat log)"
kill "$other"
wait "$other"
occupy 1
# The pack of the image.
measure collect --forms '^(ADD|MUL)$' --db collect.db
grep -Eq '^MUL +1 +1 ' log || fail "collect: MUL of 1 cycle: $(cat log)"
# The board waits for the next host: other kernels, sent over the line.
measure measure --forms '^(SUB|XOR)$' --db measure.db
grep -Eq '^XOR +1 +1 ' log || fail "measure: XOR of 1 cycle: $(cat log)"
grep -q 'bytes of kernels' log || fail "measure: a pack that was sent"
# A search that decides what to send by what came back.
measure measure --what ports --forms '^(ADD|SUB|MUL)$' --db ports.db
grep -q '^width 1, 0 ports' log || fail "ports: a width of 1: $(cat log)"
# And the image's own pack is not what runs now.
if timeout 300 "$anechoic" collect --board qemu-virt --isa riscv64 \
	--forms '^(ADD|MUL)$' --tty tty --db other.db >log 2>&1; then
	fail "collect: a refusal of another pack"
fi
grep -q 'the board does not run pack' log || fail "why: $(cat log)"

uboot=/usr/lib/u-boot/qemu-riscv64_smode/u-boot.bin
[ -f $uboot ] || {
	echo "SKIP: no $uboot (package u-boot-qemu)"
	exit 0
}
kill "$pid"
wait "$pid"
rm -f tty
board=banana-pi-f3
# Its dialogue, with this machine's card.
share=${ANECHOIC_SHARE:-$(dirname "$anechoic")/../share/anechoic}
mkdir share
for folder in "$share"/*; do
	ln -s "$folder" share/
done
rm share/boards
cp -r "$share/boards/" share/boards
sed -i 's/|load mmc 0:1/|setenv devtype virtio; load virtio 0:1/' \
	share/boards/$board/*.conf
export ANECHOIC_SHARE="$work/share"
"$anechoic" image --board $board --forms '^(ADD|VADD_VV/e32,m1)$' -o sd.img \
	>log 2>&1 || fail "image: $(cat log)"
# The host listens before the countdown begins.
# shellcheck disable=SC2016 # for the inner shell
"$line" tty 0 sh -c 'sleep 4; exec "$@"' sh qemu-system-riscv64 -M virt -m 256 -smp 1 \
	-cpu rv64,v=true,vlen=256,vext_spec=v1.0 -display none \
	-monitor none -serial stdio -no-reboot -nic none \
	-kernel $uboot -drive if=none,id=disk,format=raw,file=sd.img \
	-device virtio-blk-device,drive=disk &
pid=$!
await_line
measure collect --forms '^(ADD|VADD_VV/e32,m1)$' --db card.db
grep -q "answered 'U-Boot 20'" log || fail "the dialogue: $(cat log)"
grep -q '^console: about .* baud, on a core clock;' log || fail "the card: an estimate"
grep -Eq '^silence: [1-9][0-9]* rows' log || fail "the card: $(cat log)"
"$anechoic" show --all --db card.db VADD_VV/e32,m1 >form || fail "the card: a form"
grep -q 'vlenb  *32' form || fail "the card: vectors of 256 bits"
measure measure --forms '^(SUB|SH1ADD)$' --db sent.db
grep -q 'bytes of kernels in' log || fail "sent: $(cat log)"
"$anechoic" show --all --db sent.db SH1ADD >form || fail "sent: a form"
# Without a line: what to do, and nothing left behind.
"$anechoic" measure --board $board --db none.db >log 2>&1 && fail "no line"
grep -q -- '--tty DEV.*anechoic image' log || fail "advice: $(cat log)"
"$anechoic" collect --board $board --tty /dev/null --db none.db >log 2>&1 &&
	fail "a line that is none"
[ -e none.db ] && fail "a database of nothing"
echo "1 passed, 0 failed"
