#!/bin/sh
# cachegrind.sh ANECHOIC KERNELS [large]: first-level and last-level data misses
# of eight kernels, against those of valgrind's cachegrind on the same programs.
# They must agree within 0.2 %.  The programs are static: valgrind loads
# libraries of its own into dynamic ones.  77: no valgrind here.
anechoic=$1
kernels=$2
command -v valgrind >/dev/null || {
	echo "valgrind is missing (cmake/packages.sh installs it)"
	exit 77
}
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
cat >"$out/caches.conf" <<'END'
l1.size = 32K
l1.ways = 8
l1.latency = 4
l2.size = 1M
l2.ways = 16
l2.sharing = shared
l2.latency = 14
memory.latency = 200
END

# kernel NAME N ROWS R: a line with both tools' misses and the differences.
kernel() {
	name=$1
	shift
	${CC:-cc} -O3 -march=x86-64-v3 -ffast-math -gdwarf-4 -static \
		-Daligned_alloc=once_alloc \
		-o "$out/$name" "$kernels/once.c" "$kernels/$name.c" || exit 1
	valgrind --tool=cachegrind --cache-sim=yes --I1=32768,8,64 \
		--D1=32768,8,64 --LL=1048576,16,64 \
		--cachegrind-out-file=/dev/null "$out/$name" "$@" \
		2>"$out/valgrind" || exit 1
	"$anechoic" estimate --caches "$out/caches.conf" -o "$out/report" -- \
		"$out/$name" "$@" || exit 1
	awk -v name="$name" '
		{ gsub(",", "") }
		/D1  misses/ { theirs[1] = $4 }
		/LLd misses/ { theirs[2] = $4 }
		$1 == "l1" { ours[1] = $3 }
		$1 == "l2" { ours[2] = $3 }
		END {
			printf "%-12s", name
			for (i = 1; i <= 2; i++) {
				d = theirs[i] ? 100 * (ours[i] / theirs[i] - 1) : 100
				printf " %10d %10d %+7.3f %%", theirs[i],
				       ours[i], d
				bad = bad || d > 0.2 || d < -0.2
			}
			print bad ? "  differs" : ""
			exit bad
		}' "$out/valgrind" "$out/report" || bad=1
}

bad=0
echo "kernel       D1: cachegrind, anechoic           LL: cachegrind, anechoic"
if [ "$3" = large ]; then
	kernel gemm 480 400 1
	kernel syrk 500 500 1
	kernel mvt 2000 2000 3
	kernel covariance 500 500 1
	kernel mm2 400 400 1
	kernel atax 2000 2000 3
	kernel jacobi2d 1000 1000 10
	kernel hash_join 1048576 1 40
else
	kernel gemm 300 300 1
	kernel syrk 300 300 1
	kernel mvt 1000 1000 1
	kernel covariance 300 300 1
	kernel mm2 240 240 1
	kernel atax 1000 1000 1
	kernel jacobi2d 500 500 3
	kernel hash_join 262144 1 4
fi
exit $bad
