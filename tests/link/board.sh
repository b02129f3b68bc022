#!/bin/sh
# A board on a serial line, from the command line as an engineer uses it:
#	board.sh ANECHOIC LINE
# LINE is tests/link/line.c; the board is QEMU behind it, its image the one
# that `anechoic image` makes, its first words the firmware's.
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

measure() {
	timeout 120 "$anechoic" "$@" --board qemu-virt --isa riscv64 \
		--tty tty --reset-cmd "kill -HUP $pid" >log 2>&1 ||
		fail "$1: $(cat log)"
}

# The pack of the image.
measure collect --forms '^(ADD|MUL)$' --db collect.db
grep -Eq '^MUL +1 +1 ' log || fail "collect: MUL of 1 cycle: $(cat log)"
# The board waits for the next host: other kernels, sent over the line.
measure measure --forms '^(SUB|XOR)$' --db measure.db
grep -Eq '^XOR +1 +1 ' log || fail "measure: XOR of 1 cycle: $(cat log)"
grep -q 'bytes of kernels' log || fail "measure: a pack that was sent"
# And the image's own pack is not what runs now.
if timeout 120 "$anechoic" collect --board qemu-virt --isa riscv64 \
	--forms '^(ADD|MUL)$' --tty tty --db other.db >log 2>&1; then
	fail "collect: a refusal of another pack"
fi
grep -q 'the board runs another one' log || fail "why: $(cat log)"
echo "1 passed, 0 failed"
