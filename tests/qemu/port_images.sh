#!/bin/sh
# A search for ports on a board that only boots images: image after image, each
# made of the logs of those before, finds what an interactive one does.
#	port_images.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
most=4

need qemu-system-riscv64 qemu-system-misc
image() {
	"$anechoic" image --board qemu-virt --isa riscv64 --what ports \
		--forms '^(ADD|MUL)$' --db "$work/db" -o "$work/image" \
		>"$work/out" 2>&1 || fail "image"
}

# The console waits 200 ms for a host, then the pack runs by itself.
boot() {
	qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 -icount shift=0 \
		-display none -monitor none -serial stdio -no-reboot \
		-kernel "$work/image" </dev/null >"$work/log" 2>&1
}

image
grep -q 'import --log FILE' "$work/out" || fail "the next step"
# The same once more: nothing was imported.
image
n=0
while grep -q 'import --log FILE' "$work/out"; do
	n=$((n + 1))
	[ "$n" -le "$most" ] || fail "no end after $most images"
	boot
	"$anechoic" import --log "$work/log" --db "$work/db" >"$work/out" \
		2>&1 || fail "import $n"
	grep -q 'belongs to a port search' "$work/out" || fail "import $n"
	image
done
[ "$n" -ge 2 ] || fail "$n images"
grep -qE '^width 1, 0 ports' "$work/out" || fail "width"
grep -qE '3 forms: 3 with ports, 0 unsure, 0 misfits' "$work/out" ||
	fail "forms"
"$anechoic" solve --db "$work/db" >"$work/out" 2>&1 || fail "solve"
grep -qE '3 forms: 3 with ports, 0 unsure, 0 misfits' "$work/out" ||
	fail "solved again"
echo "$n images"
