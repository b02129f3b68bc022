#!/bin/sh
# Branches, calls and pairs with a branch, executed: under -icount an
# instruction is a cycle, so that every row says how many it is made of; on
# this machine none faults.
#	branches.sh ANECHOIC FOLDER
set -eu
anechoic=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
ran=0

# measure BOARD ISA: rows of branches as CSV.
measure() {
	"$anechoic" measure --board "$1" --isa "$2" --what throughput \
		--variants branch,fused --forms '/(b.cond|jcc|taken|not|next|return)' \
		--db "$work/$1-$2.db" >"$work/$1-$2.log" 2>&1 || {
		tail -5 "$work/$1-$2.log"
		exit 1
	}
	"$anechoic" export --db "$work/$1-$2.db" --format csv -o "$work/rows.csv"
	ran=1
}

# check LEAST: how many rows at least, and what each must say.
check() {
	tr -d '"' <"$work/rows.csv" | awk -v least="$1" '
	/throughput/ {
		n++
		want = 1
		if (/b.cond|return|next/)
			want = 2
		if (/C_JR/)
			want = 3
		if ($0 !~ ",throughput(-long)?,,," want "," want "," ||
		    !/,ok,/) {
			print "not " want ": " $0
			bad = 1
		}
	}
	END { print n " rows"; exit bad || n < least }'
}

if command -v qemu-system-riscv64 >/dev/null; then
	measure qemu-virt riscv64
	check 24
fi
if command -v qemu-system-aarch64 >/dev/null &&
	[ -e /usr/share/qemu-efi-aarch64/QEMU_EFI.fd ]; then
	measure qemu-virt aarch64
	check 48
fi
if [ "$(uname -m)" = x86_64 ]; then
	measure linux-process x86_64
	if grep -n fault "$work/rows.csv"; then
		exit 1
	fi
	grep -c throughput "$work/rows.csv"
fi
[ "$ran" = 1 ] || {
	echo "skip: no emulator and another machine"
	exit 77
}
