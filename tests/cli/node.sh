#!/bin/sh
# `anechoic node` on boards whose numbers mean nothing, for its shape: every
# kernel of every level has a row with a value or the reason, in CSV, in JSON
# and in the plot.
#	node.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
ran=0

# rows KERNEL LEVEL: how many rows there are.
rows() {
	awk -F, -v k="$1" -v l="$2" '
		NR > 1 && $4 == k && $6 == l { n++ }
		END { print n + 0 }' "$work/csv"
}

# has_width WIDTH: multiply-adds and every level have rows of this width.
has_width() {
	awk -F, -v w="$1" '
		$5 == w && $4 == "flops" { flops++ }
		$5 == w && $4 == "triad" { triad[$6]++ }
		END { exit !(flops && triad["L1"] && triad["L2"] &&
			triad["memory"]) }' "$work/csv" || {
		echo "rows of $1 are missing:"
		cut -d , -f 4-6 "$work/csv"
		exit 1
	}
}

# measure BOARD ISA OPTIONS...
measure() {
	board=$1
	isa=$2
	shift 2
	"$anechoic" node --board "$board" --isa "$isa" --levels 32K,256K \
		--memory 1 "$@" --format csv --plot "$work/svg" -o "$work/csv" \
		2>"$work/log" || {
		cat "$work/log"
		exit 1
	}
	ran=1
	# A machine whose processors are busy may disturb every window of a
	# row, but not of half of them.
	if grep -v '"ok\|"unsteady"\|"not all in this level"\|"a core was disturbed\|"the clocks of the cores\|^cpu,' \
		"$work/csv"; then
		echo "$board $isa: rows with neither a value nor the reason"
		exit 1
	fi
	awk -F, 'NR > 1 { n++; good += $9 > 0 && $11 > 0 && $9 >= $11 }
		END { exit !(n > 0 && 2 * good >= n) }' "$work/csv" || {
		echo "$board $isa: most rows have no value"
		exit 1
	}
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
	[ "$(rows stream memory)" -ge 1 ]
	measure qemu-user-max aarch64 --cores 1 --ms 20
	has_width SVE256
	[ "$(rows stream memory)" -ge 1 ]
fi
if command -v qemu-riscv64 >/dev/null; then
	measure qemu-user riscv64 --cores 2 --ms 20
	measure qemu-user-rvv riscv64 --cores 1 --ms 20
	has_width RVV256
fi
# Bare metal, one core.  An instruction takes a nanosecond there: 60 multiply-adds and
# the three instructions of the loop.
if command -v qemu-system-riscv64 >/dev/null; then
	measure qemu-virt riscv64 --ms 20
	awk -F, '$4 == "flops" {
		exact = 1e9 * 60 * 2 / 63
		bad = $8 != 1 || $9 < 0.99 * exact || $9 > 1.01 * exact
		found = 1
	}
	END { exit !found || bad }' "$work/csv" || {
		echo "qemu-virt: not 2 * 60 operations in 63 ns:"
		grep flops "$work/csv"
		exit 1
	}
fi
[ "$ran" = 1 ] || skip "no user emulator (Debian package qemu-user)"
