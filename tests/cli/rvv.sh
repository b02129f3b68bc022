#!/bin/sh
# Every RISC-V vector form that QEMU executes: none faults, and -icount, with
# which an instruction is a cycle, says exactly one for each.
#	rvv.sh ANECHOIC FOLDER [I/N]
# I/N: only the I-th of N parts of the forms; ctest runs one, `make campaigns` all.
set -eu
anechoic=$1
work=$2
shard=${3:-1/1}
rm -rf "$work"
mkdir -p "$work"
command -v qemu-system-riscv64 >/dev/null || {
	echo "skip: no qemu-system-riscv64"
	exit 77
}
# All but those that round towards zero, on which QEMU 7.2 aborts
# (boards/qemu-virt-rvv/README.md).
forms='^V(SET|F(CVT_[FX]|WCVT_[FX]|NCVT_([FX]|ROD)|[ABD-MO-VX-Z]|CLASS|[NW][ABD-Z])|[A-EG-Z])'
"$anechoic" measure --board qemu-virt-rvv --isa riscv64 --forms "$forms" \
	--shard "$shard" --db "$work/rvv.db" >"$work/rvv.log" 2>&1 || {
	tail -5 "$work/rvv.log"
	exit 1
}
"$anechoic" export --db "$work/rvv.db" --format csv -o "$work/rvv.csv"
# form and the rest: names of forms hold commas, and are quoted then.
sed -n 's/^riscv64,"\([^"]*\)",/\1;/p; s/^riscv64,\([^",]*\),/\1;/p' \
	"$work/rvv.csv" >"$work/rows"
awk -F'[;,]' -v parts="${shard#*/}" '
	{ rest = $0; sub(/^[^;]*;/, "", rest); split(rest, c, ",")
	  name = $0; sub(/;.*/, "", name); forms[name] = 1 }
	c[1] == "latency" || c[1] == "throughput" { n++ }
	c[4] == 1 && c[5] == 1 && c[8] == "ok" { next }
	c[5] == 1 && c[8] == "register-bound" { next }
	{ print "not one: " $0; bad = 1 }
	END {
		for (f in forms)
			n_forms++
		print n_forms " forms, " n " values"
		exit bad || n_forms < 14800 / parts || n < 30000 / parts
	}' "$work/rows"
