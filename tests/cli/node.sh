#!/bin/sh
# `anechoic node` on boards whose numbers mean nothing, for its shape: every
# kernel of every level has a row with a value or the reason, in CSV, in JSON
# and in the plot.
#	node.sh ANECHOIC
set -eu
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0

# rows KERNEL LEVEL: how many rows with a value there are.
rows() {
	awk -F, -v k="$1" -v l="$2" '
		NR > 1 && $4 == k && $6 == l && $9 > 0 { n++ }
		END { print n + 0 }' "$work/csv"
}

# measure BOARD ISA OPTIONS...
measure() {
	board=$1
	isa=$2
	shift 2
	"$anechoic" node --board "$board" --isa "$isa" --levels 16K,64K \
		--memory 1 "$@" --format csv --plot "$work/svg" -o "$work/csv" \
		2>"$work/log" || {
		cat "$work/log"
		exit 1
	}
	ran=1
	if grep -v '"ok\|"unsteady"\|^cpu,' "$work/csv"; then
		echo "$board $isa: rows without a value"
		exit 1
	fi
	for level in L1 L2 memory; do
		for kernel in load copy triad store latency; do
			[ "$(rows "$kernel" "$level")" -ge 1 ] || {
				echo "$board $isa: no $kernel on $level"
				exit 1
			}
		done
	done
	[ "$(rows flops '')" -ge 1 ] || {
		echo "$board $isa: no flops"
		exit 1
	}
	grep -q '</svg>' "$work/svg"
	echo "ok $board $isa: $(grep -c . "$work/csv") lines"
}

if command -v qemu-aarch64 >/dev/null; then
	measure qemu-user aarch64 --cores 1 --ms 20
	# Streaming stores, and with them the share of write allocation.
	[ "$(rows stream memory)" -ge 1 ]
	[ "$(awk -F, '$21 == "times"' "$work/csv" | wc -l)" -ge 1 ]
fi
if command -v qemu-riscv64 >/dev/null; then
	measure qemu-user riscv64 --cores 2 --ms 20
fi
[ "$ran" = 1 ] || {
	echo "SKIP: no user emulator (Debian package qemu-user)"
	exit 77
}
