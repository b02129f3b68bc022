#!/bin/sh
# check_ipc.sh BUILD MODEL...: the IPC of an estimate compared with the same
# x86-64 program run by itself.  MODEL: options of `anechoic estimate`, such as
# --db FILE, the measured model of this machine.  Eight kernels, built by gcc and
# clang, in sizes that fit the first level, the second one, and none.
#
# CHECK_ONLY is a pattern of names (gemm-gcc-l1), CHECK_CACHES a file of caches
# in place of the ones measured here.  Fails if the median of the errors is above
# 15 % or one above 35 %.
. "$(dirname "$0")/../head.sh"
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
case $(uname -m) in
x86_64) ;;
*)
	echo "SKIP: the kernels of this check are for x86-64"
	exit 0
	;;
esac

# The emulator knows no more than x86-64-v3.
compile() {
	compiler=$1 source=$2
	$compiler -std=gnu11 -O3 -march=x86-64-v3 -ffast-math -I "$here/../.." \
		-c "$here/kernels/$source.c" -o "$work/$source.o" &&
		gcc -std=gnu11 -O2 -I "$here/../.." -static "$work/$source.o" \
			-D_GNU_SOURCE -DCLOCK_LONG_RUNS=true \
			"$here/kernels/main.c" "$here/clock.c" -lm \
			-o "$work/$source-$compiler"
}

caches=${CHECK_CACHES:-$work/here.conf}
if [ -z "${CHECK_CACHES:-}" ]; then
	"$build/bin/anechoic" structures -o "$caches" || exit 2
fi

# "INSTRUCTIONS CYCLES CORE" of so many repetitions under the emulator.
estimate() {
	program=$1 n=$2 rows=$3 times=$4
	shift 4
	"$build/bin/anechoic" estimate "$@" --caches "$caches" --format json \
		-o "$work/json" -- "$program" "$n" "$rows" run "$times" || return
	awk -F '[:,]' '
	$1 ~ /^  "instructions"$/ { insns = $2 }
	$1 ~ /^  "core_cycles"$/ { core = $2 }
	$1 ~ /^  "cycles"$/ { cycles = $2 }
	END { print insns, cycles, core }' "$work/json"
}

# one SIZE KERNEL CC N ROWS A B
one() {
	size=$1 kernel=$2 cc=$3 n=$4 rows=$5 few=$6 many=$7
	shift 7
	name=$kernel-${cc%-*}-$size
	# shellcheck disable=SC2254 # a pattern
	case $name in
	${CHECK_ONLY:-*}) ;;
	*) return ;;
	esac
	program=$work/$kernel-$cc
	[ -x "$program" ] || compile "$cc" "$kernel" || exit 2
	# The median of three; 0 if they differ by more than 10 %.
	native=$(for _ in 1 2 3; do
		"$program" "$n" "$rows" time "$few" "$many"
	done | sort -n | awk '$1 > 0 { cycles[n++] = $1 }
		END { print n == 3 && cycles[2] <= 1.1 * cycles[0] ? cycles[1] : 0 }')
	a=$(estimate "$program" "$n" "$rows" "$few" "$@") || exit 2
	b=$(estimate "$program" "$n" "$rows" "$many" "$@") || exit 2
	echo "$name $native $a $b" | awk '{
		insns = $6 - $3
		cycles = $7 - $4
		core = $8 - $5
		if ($2 <= 0) {
			printf "%-22s left out: native runs differ\n", $1
			exit
		}
		printf "%-22s %10d %6.2f %6.2f %6.2f %+7.1f %%\n", $1, insns,
			insns / $2, insns / cycles, insns / core,
			100 * ($2 / cycles - 1)
	}' | tee -a "$work/rows"
}

printf '%-22s %10s %6s %6s %6s %9s\n' IPC instr. native est. core error
while read -r size kernel n rows few many; do
	for cc in gcc clang-19; do
		command -v $cc >/dev/null || continue
		one "$size" "$kernel" $cc "$n" "$rows" "$few" "$many" "$@" \
			</dev/null
	done
done <<'SIZES'
l1 gemm 48 48 10 20
l1 syrk 48 48 5 10
l1 mvt 48 48 100 150
l1 covariance 48 48 5 10
l1 mm2 48 48 5 7
l1 atax 48 48 100 200
l1 jacobi2d 48 48 100 200
l1 hash_join 2048 0 5 35
l2 gemm 240 48 1 5
l2 syrk 300 30 1 3
l2 mvt 400 400 2 12
l2 covariance 300 30 1 3
l2 mm2 300 20 1 3
l2 atax 400 400 5 45
l2 jacobi2d 300 300 10 60
l2 hash_join 65536 0 5 65
mem gemm 3000 4 1 2
mem syrk 3000 1 1 2
mem mvt 3000 300 1 4
mem covariance 3000 1 1 2
mem mm2 3000 1 1 2
mem atax 3000 3000 1 4
mem jacobi2d 3000 3000 1 3
mem hash_join 8388608 0 1 2
SIZES

awk '/%/ {
	e = $(NF - 1)
	if (e < 0)
		e = -e
	error[n++] = e
	if (e > worst)
		worst = e
}
/left out/ { left++ }
END {
	if (n == 0) {
		print "no rows"
		exit 1
	}
	for (i = 1; i < n; i++)
		for (k = i; k > 0 && error[k] < error[k - 1]; k--) {
			t = error[k]
			error[k] = error[k - 1]
			error[k - 1] = t
		}
	median = n % 2 ? error[int(n / 2)] : (error[n / 2 - 1] + error[n / 2]) / 2
	printf "%d rows, %d left out: median error %.1f %%, worst %.1f %%\n", n,
		left, median, worst
	exit median > 15 || worst > 35
}' "$work/rows"
