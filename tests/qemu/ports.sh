#!/bin/sh
# Ports through an interactive link: -icount makes every instruction a cycle, a
# core that starts one at a time, on which no port shows.
#	ports.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

# has TEXT
has() {
	grep -qE -e "$1" "$work/out" || fail "a line like: $1"
}

need qemu-system-riscv64 qemu-system-misc
"$anechoic" measure --board qemu-virt --isa riscv64 --what ports \
	--forms '^(ADD|SUB|MUL|XOR|AND)$' --db "$work/db" >"$work/out" 2>&1 ||
	fail "measure"
has '^width 1, 0 ports'
has '^6 forms: 6 with ports, 0 unsure, 0 misfits'
"$anechoic" model --db "$work/db" >"$work/out" 2>&1 || fail "model"
has '^width: 1 slots per cycle'
has 'as fast as the front end'
"$anechoic" solve --db "$work/db" >"$work/out" 2>&1 || fail "solve"
has '^width 1, 0 ports'
# Live, with an image of something else: the line takes the packs of the search.
"$anechoic" image --board qemu-virt --isa riscv64 --forms '^ADD$' \
	-o "$work/image" >"$work/out" 2>&1 || fail "image"
"$anechoic" collect --board qemu-virt --isa riscv64 --what ports \
	--forms '^(ADD|MUL)$' --db "$work/live" --console-cmd \
	"exec qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 -icount shift=0 \
	-display none -monitor none -serial stdio -no-reboot -kernel $work/image" \
	>"$work/out" 2>&1 || fail "collect"
has '^3 forms: 3 with ports, 0 unsure, 0 misfits'
has "give --images FILE, and boot each image"
echo "1 passed, 0 failed"
