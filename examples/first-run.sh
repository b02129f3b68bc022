#!/bin/sh
# The main job, as `make run` does it: measure this machine's own core, first common
# instructions, then all; boot the two emulated boards, twice each, and check that
# under -icount every one of their forms costs the same both times.
#	first-run.sh ANECHOIC FOLDER [here|emulated]
set -eu
anechoic=$1
out=$2
what=${3:-all}
case $what in
here | emulated | all) ;;
*)
	echo "first-run.sh: unknown part '$what': here or emulated" >&2
	exit 2
	;;
esac
mkdir -p "$out"

here() {
	echo "== this machine: common instructions"
	familiar=$("$anechoic" forms --board linux-process --familiar \
		--format regex)
	rm -f "$out/familiar.db"
	"$anechoic" measure --board linux-process --forms "$familiar" \
		--db "$out/familiar.db"
	echo
	echo "== this machine: all forms"
	resume=
	[ -f "$out/native.db" ] && resume=--resume
	# shellcheck disable=SC2086 # empty or one word
	"$anechoic" measure --board linux-process --db "$out/native.db" $resume
	"$anechoic" export --db "$out/native.db" --format csv \
		-o "$out/native.csv"
}

# emulated ISA
emulated() {
	isa=$1
	echo
	echo "== qemu-virt $isa, one cycle per instruction (-icount shift=0)"
	for pass in 1 2; do
		rm -f "$out/$isa-$pass.db"
		"$anechoic" measure --board qemu-virt --isa "$isa" \
			--db "$out/$isa-$pass.db"
		"$anechoic" export --db "$out/$isa-$pass.db" --format csv \
			-o "$out/$isa-$pass.csv"
	done
	# Column 12 is the run, the rest must agree to the last digit. A comma
	# in a quoted form name ("VADD_VV/e32,m2") ends no column.
	for pass in 1 2; do
		sed -E ':a; s/("[^",]*),([^"]*")/\1.\2/; ta' \
			"$out/$isa-$pass.csv" |
			cut -d, -f1-11 >"$out/$isa-$pass.cut"
	done
	cmp "$out/$isa-1.cut" "$out/$isa-2.cut"
	# A latency cycle through several forms ("A@1>0+B@1>0") is a sum.
	awk -F, -v isa="$isa" 'NR > 1 && $7 != "" && $2 !~ /[+]/ {
			n++
			if ($6 == 1 && $7 == 1) one++
			else if (++other <= 12) print "  not 1: " $0
		}
		END { printf "%s: %d of %d values are exactly 1 cycle, " \
			"the same in both runs\n", isa, one, n }' \
		"$out/$isa-1.cut"
	rm -f "$out/$isa-1.cut" "$out/$isa-2.cut"
}

[ "$what" = emulated ] || here
if [ "$what" != here ]; then
	emulated riscv64
	emulated aarch64
fi

echo
echo "databases and CSV: $out/"
