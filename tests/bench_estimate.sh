#!/bin/sh
# bench_estimate.sh ANECHOIC: processor seconds of `anechoic estimate`, with
# counts alone, accesses, one hierarchy and four, as multiples of the emulator's
# alone.  Vector kernels first, then those with columns and scalars.
anechoic=$1
kernels=$(dirname "$0")/estimate/kernels
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# COLUMN and user and system seconds of a command and its children, or "failed".
seconds() {
	column=$1
	shift
	LC_ALL=C bash -c 'TIMEFORMAT="%U %S"
		time "$@" >/dev/null 2>&1 || echo failed' _ "$@" 2>&1 |
		awk -v column="$column" '
		/^failed$/ { failed = 1 }
		/^[0-9.]+ [0-9.]+$/ { s = $1 + $2 }
		END { print column, failed ? "failed" : s }'
}

# PROGRAM ARGUMENTS...: one line for each column.
columns() {
	estimate="$anechoic estimate -o $out/report"
	config="--caches gopalakrishna-2025-cfg"
	# shellcheck disable=SC2086 # commands are words
	{
		seconds 0 qemu-x86_64 -cpu max "$@"
		seconds 1 $estimate --no-accesses -- "$@"
		seconds 2 $estimate -- "$@"
		seconds 3 $estimate ${config}2 -- "$@"
		seconds 4 $estimate ${config}1 ${config}2 ${config}3 \
			${config}4 -- "$@"
	}
}

# The least of three rounds.  The columns of a round run one after the other, so
# that a change of the processor's speed affects all alike.
kernel() {
	name=$1
	shift
	${CC:-cc} -O3 -march=x86-64-v3 -ffast-math -static \
		-Daligned_alloc=once_alloc -o "$out/$name" \
		"$kernels/once.c" "$kernels/$name.c" || exit 1
	for _ in 1 2 3; do
		columns "$out/$name" "$@"
	done | awk -v name="$name" '
	$2 == "failed" { failed = 1 }
	!($1 in least) || $2 < least[$1] { least[$1] = $2 }
	END {
		if (failed || !(least[0] > 0)) {
			print name, "failed"
			exit 1
		}
		printf "%-12s %6.2f s", name, least[0]
		for (column = 1; column < 5; column++)
			printf " %9.2f", least[column] / least[0]
		print ""
	}' || exit 1
}

echo "estimate, x86-64: times of the emulator alone"
echo "kernel         alone    counts  accesses      one      four caches"
kernel gemm 480 400 3
kernel jacobi2d 1000 1000 60
kernel atax 2000 2000 30
kernel mvt 2000 2000 20
kernel syrk 500 500 2
kernel covariance 500 500 2
