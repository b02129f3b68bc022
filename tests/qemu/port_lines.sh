#!/bin/sh
# A search for ports on a board whose line only brings what it prints: `collect`
# writes the next image and takes its log, until the search ends.
#	port_lines.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

need qemu-system-riscv64 qemu-system-misc
# Nothing reaches the board.
timeout 100 "$anechoic" collect --board qemu-virt --isa riscv64 --what ports \
	--forms '^(ADD|MUL)$' --db "$work/db" --images "$work/image" \
	--console-cmd "exec qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 \
-icount shift=0 -display none -monitor none -serial stdio -no-reboot \
-kernel $work/image </dev/null" >"$work/out" 2>&1 || fail "collect"
n=$(grep -c '^image [0-9]*: ' "$work/out")
if [ "$n" -lt 2 ] || [ "$n" -gt 4 ]; then
	fail "$n images"
fi
[ "$(grep -c '^  stored: [1-9][0-9]* samples' "$work/out")" = "$n" ] ||
	fail "logs"
grep -qE '^width 1, 0 ports' "$work/out" || fail "width"
grep -qE '3 forms: 3 with ports, 0 unsure, 0 misfits' "$work/out" ||
	fail "forms"
# A board that falls silent ends the waiting.
share=$(dirname "$anechoic")/../share/anechoic
mkdir -p "$work/boards/silent"
ln -s "$(realpath "$share/runtime")" "$work/runtime"
sed 's/^timeout_s.*/timeout_s = 2/' "$share/boards/qemu-virt/riscv64-sbi.conf" \
	>"$work/boards/silent/riscv64-sbi.conf"
if ANECHOIC_SHARE=$work timeout 60 "$anechoic" collect --board silent --isa riscv64 \
	--what ports --forms '^ADD$' --db "$work/silent" --images "$work/image" \
	--console-cmd "echo hello; sleep 100" >"$work/out" 2>&1; then
	fail "silence"
fi
grep -q 'silent for 2 s, without the end of the log' "$work/out" ||
	fail "silence: $(cat "$work/out")"
# Only of a search.
"$anechoic" collect --board qemu-virt --isa riscv64 --tty /dev/null \
	--db "$work/db" --images "$work/image" >"$work/out" 2>&1 && fail "not a search"
grep -q -e '--images.*--what' "$work/out" || fail "message"
echo "$n images"
