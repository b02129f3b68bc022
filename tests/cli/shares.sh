#!/bin/sh
# What runs where QEMU knows an extension: at least 97 % of the forms that are
# not refused, without a fault; and under -icount, with which an instruction is
# a cycle, the count of executed instructions is right.
#	shares.sh ANECHOIC FOLDER
set -eu
anechoic=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
ran=0

# measure BOARD ISA OPTIONS...: into BOARD-ISA.db
measure() {
	board=$1
	isa=$2
	db=$work/$board-$isa.db
	shift 2
	ran=1
	"$anechoic" measure --board "$board" --isa "$isa" --what throughput \
		--db "$db" "$@" >"$work/log" 2>&1 || {
		tail -5 "$work/log"
		exit 1
	}
	"$anechoic" shares --db "$db" | tee "$work/shares"
}

# at_least FORMS: how many forms there must be, and their share.
at_least() {
	awk -v least="$1" '
	/^forms that are not refused/ { n = $NF }
	/^ran without a fault, of all/ { share = $(NF - 1) }
	END { exit n < least || share < 97 }' "$work/shares" || {
		echo "at least $1 forms and 97 % of them: expected"
		exit 1
	}
}

# Every throughput is the number of instructions of a row.
counts() {
	"$anechoic" export --db "$db" --format csv -o "$work/rows.csv"
	tr -d '"' <"$work/rows.csv" | awk '
	/,throughput,,,/ {
		n++
		want = 1
		if (/\/(b.cond|return|next|pair)/)
			want = 2
		if (/C_JR\//)
			want = 3
		if (index($0, ",throughput,,," want "," want ",0,") == 0) {
			print "not " want ": " $0
			bad = 1
		}
	}
	END { print n " counts"; exit bad || n == 0 }'
}

if command -v qemu-aarch64 >/dev/null; then
	# A third: below, QEMU's whole machine runs all of them.
	measure qemu-user-max aarch64 --once --forms '^[ELS]'
	at_least 1700
fi
if command -v qemu-riscv64 >/dev/null; then
	# Of the vector forms a few: cli.rvv runs them all.
	measure qemu-user-rvv riscv64 --once --forms \
		'^[^V]|^V(SET|[LS]E|ADD|FMA)'
	at_least 850
fi
if command -v qemu-system-riscv64 >/dev/null; then
	measure qemu-virt riscv64
	at_least 360
	counts
fi
if command -v qemu-system-aarch64 >/dev/null &&
	[ -e /usr/share/qemu-efi-aarch64/QEMU_EFI.fd ]; then
	measure qemu-virt-max aarch64
	at_least 4800
	counts
fi
[ "$ran" = 1 ] || {
	echo "skip: no emulator"
	exit 77
}
