#!/bin/sh
# bench_estimate.sh ANECHOIC: processor seconds of `anechoic estimate`, with
# counts alone, accesses, one hierarchy and four, as multiples of the emulator's
# alone.  Vector kernels first, then those with columns and scalars.
anechoic=$1
kernels=$(dirname "$0")/estimate/kernels
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT

# User and system seconds of a command and its children.
seconds() {
	LC_ALL=C bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' \
		_ "$@" 2>&1 | awk '{ print $1 + $2 }'
}

# The least of three.
least() {
	for _ in 1 2 3; do
		seconds "$@"
	done | sort -n | head -1
}

four="--caches gopalakrishna-2025-cfg1 --caches gopalakrishna-2025-cfg2 \
	--caches gopalakrishna-2025-cfg3 --caches gopalakrishna-2025-cfg4"
kernel() {
	name=$1
	shift
	${CC:-cc} -O3 -march=x86-64-v3 -ffast-math -static \
		-Daligned_alloc=once_alloc -o "$out/$name" \
		"$kernels/once.c" "$kernels/$name.c" || exit 1
	qemu=$(least qemu-x86_64 -cpu max "$out/$name" "$@")
	printf '%-12s %6.2f s' "$name" "$qemu"
	for options in --no-accesses '' '--caches gopalakrishna-2025-cfg2' \
		"$four"; do
		# shellcheck disable=SC2086 # options are words
		s=$(least "$anechoic" estimate -o "$out/report" $options -- \
			"$out/$name" "$@")
		awk -v s="$s" -v q="$qemu" 'BEGIN { printf " %9.2f", s / q }'
	done
	echo
}

echo "estimate, x86-64: times of the emulator alone"
echo "kernel         alone    counts  accesses      one      four caches"
kernel gemm 480 400 3
kernel jacobi2d 1000 1000 60
kernel atax 2000 2000 30
kernel mvt 2000 2000 20
kernel syrk 500 500 2
kernel covariance 500 500 2
