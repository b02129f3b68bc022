#!/bin/sh
# Figures of cost, never asserted:  bench.sh ANECHOIC
#	- catalogue of each ISA (goal: under 1 s)
#	- native measuring per kernel, all visits (goal: at most 1 ms, at least
#	  half of it inside kernels)
#	- a QEMU board, 500 kernels from start to solved (goal: under 20 s)
# On a shared machine, run it when nothing else does; take the best of several.
set -eu
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
echo "native: start to solved in $(took "$start")," \
	"$(du -k "$work/native.db" | cut -f1) KiB of database"

for isa in riscv64 aarch64; do
	start=$(now)
	"$anechoic" measure --board qemu-virt --isa $isa \
		--db "$work/$isa.db" >"$work/$isa.log" 2>/dev/null
	echo "qemu-virt $isa: $(grep 'ms per kernel' "$work/$isa.log")"
	echo "qemu-virt $isa: start to solved in $(took "$start")"
done
