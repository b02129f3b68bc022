#!/bin/sh
# A board without a link: make its image, boot it by hand, keep the console,
# import it - firmware chatter, a damaged line and a lost one included.
#	import.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1

"$anechoic" image --board qemu-virt --isa riscv64 \
	--forms '^(ADD|MUL|DIV|FADD_D)$' -o "$work/image" >"$work/out" ||
	fail "image: $(cat "$work/out")"
grep -q 'cycles on a core clock' "$work/out" || fail "the pack's total"
timeout 300 qemu-system-riscv64 -M virt -m 256 -icount shift=0 -display none \
	-monitor none -serial stdio -no-reboot -nic none \
	-kernel "$work/image" </dev/null >"$work/log" 2>&1 ||
	fail "QEMU: $(tail -3 "$work/log")"
# Damage the sample of one kernel, and lose the one of another.
sed -e '/ x=throughput:MUL /s/ d=/ d=9/' -e '/ x=throughput:DIV /d' \
	"$work/log" >"$work/damaged"
"$anechoic" import --log "$work/damaged" --db "$work/db" >"$work/out" 2>&1 ||
	fail "import: $(cat "$work/out")"
grep -q 'rows, 0 discarded, 0 traps seen;$' "$work/out" ||
	fail "silence: $(grep silence "$work/out")"
grep -q 'spread 0 in .*; at most 0 cycles$' "$work/out" ||
	fail "silence: $(grep silence "$work/out")"
grep -q '1 damaged, 2 missing' "$work/out" || fail "counts: $(cat "$work/out")"
"$anechoic" export --db "$work/db" --format csv -o "$work/csv" || fail "export"
grep -q '^riscv64,ADD,latency,1,0,1,1,0,1,ok,qemu-virt,1,ones,.*,riscv64/.*$' "$work/csv" ||
	fail "ADD: $(grep ,ADD, "$work/csv")"
grep -E '^riscv64,(DIV|MUL),throughput,,,[0-9]' "$work/csv" &&
	fail "a value for a kernel whose only sample is gone"
"$anechoic" show --all --db "$work/db" ADD >"$work/out" || fail "show"
# Two equal rows suffice on a core clock.
grep -q 'silence: 2 rows, 0 discarded, 0 traps seen; spread 0 cycles' "$work/out" ||
	fail "the kernel's silence"
grep -q 'latency:ADD@1>0' "$work/out" || fail "the kernel's label"
grep -q 'add' "$work/out" || fail "the kernel's disassembly"
# Nothing useful inside: a clear no, and no database left behind.
head -c 1000 "$work/image" >"$work/junk"
"$anechoic" import --log "$work/junk" --db "$work/junk.db" >"$work/out" 2>&1
[ $? -eq 2 ] || fail "exit 2 for a file that is no log"
[ -e "$work/junk.db" ] && fail "a database made of nothing"
echo "1 passed, 0 failed"
