#!/bin/sh
# Figures of cost, never asserted:  bench.sh ANECHOIC
#	- catalogue of each ISA (goal: under 1 s)
#	- native measuring per kernel, all visits (goal: at most 1 ms, at least
#	  half of it inside kernels), and when 95 % of the values were there
#	- the line: both directions at 115200 baud, over a pty slowed to that
#	  (goal: at least 80 % of the rate), and what 10,000 RISC-V kernels
#	  take of it (goal: under 15 min)
#	- how many values of two runs are the same within half a percent
#	  (latency, goal: 99 %) and one percent (throughput, goal: 98 %)
#	- ports of plain forms of x86, and the error of random mixes (goal: 5 %)
#	- a QEMU board, 500 kernels from start to solved (goal: under 20 s)
# On a shared machine, run it when nothing else does; take the best of several.
set -e
. "$(dirname "$0")/head.sh"
anechoic=$1

now() { date +%s.%N; }
took() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f s", b - a }'; }

echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
	"$(nproc) processors"
for isa in x86_64 aarch64 riscv64; do
	start=$(now)
	n=$("$anechoic" forms --isa $isa | wc -l)
	echo "catalogue $isa: $((n - 1)) forms in $(took "$start")"
done

start=$(now)
"$anechoic" measure --board linux-process --db "$work/native.db" \
	>"$work/native.log" 2>/dev/null
echo "native: $(grep 'ms per kernel' "$work/native.log")"
sed -n -e 's/^95 % of/native: 95 % of/p' -e '/^[0-9]* cores*, /s/^/native: /p' \
	"$work/native.log"
echo "native: start to solved in $(took "$start")," \
	"$(du -k "$work/native.db" | cut -f1) KiB of database"

# How well a run repeats: a few thousand values, measured twice.
forms='^(V?P?(ADD|SUB|MUL)[A-Z]*|IMUL|SH[LR]|LEA|CVT[A-Z0-9]*)[0-9]*r.*'
for db in one two; do
	"$anechoic" measure --board linux-process --forms "$forms" \
		--db "$work/$db.db" >/dev/null 2>&1 || continue
done
"$anechoic" compare "$work/one.db" "$work/two.db" \
	>"$work/compare.log" 2>/dev/null || true
sed -n 's/^repeated/native: repeated/p' "$work/compare.log"

# Ports of plain forms of x86: how many are found, and how far random mixes that
# were drawn after that are off (goal: 5 % on average, half of them below 2 %).
ints='ADD|SUB|AND|XOR|CMP|TEST|MOV[SZ]X|IMUL|[LT]ZCNT|POPCNT|PDEP|ANDN|BLSI'
ints="$ints|BSWAP|SARX|RORX|ROR|SHL|SHR|BT|SETCC|CMOV|MOV"
vectors='PADDD|PAND|PXOR|PSLLD|PSHUFB|ADDPS|MULPS|PMULL[DW]|FMADD231PS|SHUFPS'
vectors="$vectors|PUNPCKLBW|CMPPS|MOVAPS|PCMPEQD|DIVPS|SQRTPS|CVTDQ2PS|PSADBW"
vectors="$vectors|PABSD|PERMD|BLENDVPS"
if [ "$(uname -m)" = x86_64 ]; then
	"$anechoic" measure --board linux-process --what ports --budget 90s \
		--forms "^($ints)(64|32)?(r|rr|ri|rm|mr|rr32|rr8|r1)\$|^V($vectors)[YZ]?(rr|ri|r|rm|mr|rri|rrr)\$" \
		--db "$work/ports.db" >"$work/ports.log" 2>/dev/null || true
	sed -n -e '/^[0-9]* forms:/s/^/ports: /p' \
		-e '/random mixes drawn/s/^/ports: /p' \
		-e '/kernels measured/s/^/ports: /p' "$work/ports.log"
fi

for isa in riscv64 aarch64; do
	start=$(now)
	"$anechoic" measure --board qemu-virt --isa $isa \
		--db "$work/$isa.db" >"$work/$isa.log" 2>/dev/null
	echo "qemu-virt $isa: $(grep 'ms per kernel' "$work/$isa.log")"
	echo "qemu-virt $isa: start to solved in $(took "$start")"
done

# The line's share at 115200 baud from the runtime of this machine; the bytes
# of RISC-V kernels from a board that is as fast as it goes.
bin=$(dirname "$anechoic")
share=$bin/../share/anechoic
if [ "$(uname -m)" = x86_64 ] && [ -x "$bin/link_campaign" ]; then
	"$bin/link_campaign" "$share/runtime/x86_64-linux" 0 1 load 115200 |
		sed -n -e '/^FAIL/p' -e 's/^\(kernels\|samples\): /line: \1 /p'
fi
if [ -x "$bin/link_line" ]; then
	forms='^(ADD|SUB|MUL|C_.*|F.*_S|V(ADD|MUL)_V[VX])$'
	"$anechoic" image --board qemu-virt --isa riscv64 --forms '^ADD$' \
		-o "$work/image" >/dev/null
	"$bin/link_line" "$work/tty" 0 qemu-system-riscv64 -M virt -cpu rv64 \
		-m 256 -smp 1 -icount shift=0 -display none -monitor none \
		-serial stdio -no-reboot -kernel "$work/image" &
	line=$!
	"$anechoic" measure --board qemu-virt --isa riscv64 --forms "$forms" \
		--tty "$work/tty" --reset-cmd "kill -HUP $line" \
		--db "$work/line.db" >"$work/line.log" 2>/dev/null
	kill $line
	awk '/bytes of kernels/ { k = $2 } /bytes of samples/ { s = $2 }
	     /riscv64:/ { n = $3 } END {
		printf "line: RISC-V kernel %.0f bytes, its record %.0f; " \
			"10,000 kernels at 80 %% of 115200 baud: %.0f s\n",
			k / n, s / n, 10000 * (k + s) / n / (11520 * 0.8) }' \
		"$work/line.log"
fi
