#!/bin/sh
# The same kernels on a firmware that does not interrupt them and on one whose
# timer does.  Disturbed rows are discarded and counted, and the values are
# the same.
#	interference.sh ANECHOIC FIRMWARE
. "$(dirname "$0")/../head.sh"
anechoic=$1
firmware=$2
share=$(dirname "$anechoic")/../share/anechoic

need qemu-system-riscv64 qemu-system-misc
# An installation with a board of its own for each firmware.
ln -s "$(realpath "$share")/runtime" "$work/runtime"
for name in dbcn busy; do
	mkdir -p "$work/boards/$name"
	cat >"$work/boards/$name/riscv64-sbi.conf" <<END
describe = firmware $name
runtime = riscv64-sbi
transport = qemu
image = flat
cpu = generic-rv64
features = +m
command = qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 -icount shift=0 -display none -monitor none -serial stdio -no-reboot -bios $firmware/$name.bin -kernel @IMAGE@
timeout_s = 60
END
	ANECHOIC_SHARE=$work "$anechoic" measure --board $name --isa riscv64 \
		--forms '^(ADD|ADDI|SUB|XOR|MULHU|SLL|SRA|AND|OR)$' \
		--db "$work/$name.db" >"$work/$name.out" 2>&1 ||
		fail "measure: $(tail -3 "$work/$name.out")"
	"$anechoic" show --all --db "$work/$name.db" ADD >"$work/$name.show" ||
		fail "show"
	grep -Eq '^MULHU +1 +1 ' "$work/$name.out" ||
		fail "$name: MULHU of 1 cycle: $(cat "$work/$name.out")"
done
kernels=$(sed -n 's/^\([0-9]*\) kernels, .*/\1/p' "$work/dbcn.out")
# Two equal rows end a kernel.
rows=$((2 * kernels))
[ "$kernels" -gt 24 ] || fail "kernels: $(cat "$work/dbcn.out")"
grep -q "silence: $rows rows, 0 discarded, 0 traps seen;" "$work/dbcn.out" ||
	fail "traps below a firmware that keeps still: $(cat "$work/dbcn.out")"
grep -q "spread 0 in $kernels kernels; at most 0 cycles" "$work/dbcn.out" ||
	fail "silence below a firmware that keeps still: $(cat "$work/dbcn.out")"
grep -Eq "silence: [0-9]+ rows, [1-9][0-9]* discarded" "$work/busy.out" ||
	fail "no interference was seen: $(cat "$work/busy.out")"
grep -q "spread 0 in $kernels kernels; at most 0 cycles" "$work/busy.out" ||
	fail "a spread among undisturbed samples: $(cat "$work/busy.out")"
# Form by form, the discarded ones add up to those of the run.
total=$(sed -n 's/.*silence: .* \([0-9]*\) discarded.*/\1/p' "$work/busy.out")
sum=0
for form in ADD ADDI SUB XOR MULHU SLL SRA AND OR; do
	for n in $("$anechoic" show --all --db "$work/busy.db" $form |
		sed -n 's/.*silence: .* \([0-9]*\) discarded.*/\1/p'); do
		sum=$((sum + n))
	done
done
[ "$sum" -eq "$total" ] || fail "discarded: $total, by form $sum"
echo "$total rows with interference: 1 passed, 0 failed"
