#!/bin/sh
# thesis.sh ANECHOIC [BITS]...: local miss rates of the second and third level,
# of four kernels at the four hierarchies of H. Ambale Gopalakrishna, "Fast
# performance estimations for vector architectures using qemu-plugins", 2025,
# with its columns of gem5 (tables 4.5 to 4.8).  The loops take minutes.
#
# Where gem5's columns contradict themselves they are no reference: the same
# numbers for every vector length although the instructions differ (covariance,
# where only one of them can be right), or misses that become more in a larger
# cache (syrk, third level of cfg3 and cfg4).
anechoic=$1
shift
kernels=$(dirname "$0")/estimate/kernels
[ -d "$kernels" ] || kernels=$(dirname "$0")/kernels
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
cat >"$out/gem5" <<'END'
gemm 128 cfg1 .99 1
gemm 128 cfg2 .99 .99
gemm 128 cfg3 .99 .99
gemm 128 cfg4 1 .004
gemm 256 cfg1 1 1
gemm 256 cfg2 1 1
gemm 256 cfg3 1 1
gemm 256 cfg4 1 .004
gemm 512 cfg1 1 1
gemm 512 cfg2 1 1
gemm 512 cfg3 1 1
gemm 512 cfg4 1 .004
syrk 128 cfg1 .065 .95
syrk 128 cfg2 .147 .81
syrk 128 cfg3 .142 .21
syrk 128 cfg4 .118 .006
syrk 256 cfg1 .094 .80
syrk 256 cfg2 .31 .21
syrk 256 cfg3 .26 .015
syrk 256 cfg4 .058 .06
syrk 512 cfg1 .142 .214
syrk 512 cfg2 .824 .030
syrk 512 cfg3 .182 .137
syrk 512 cfg4 .024 .840
covariance 128 cfg1 .066 .45
covariance 128 cfg2 .030 .90
covariance 128 cfg3 .03 .61
covariance 128 cfg4 .027 .014
covariance 256 cfg1 .066 .45
covariance 256 cfg2 .030 .90
covariance 256 cfg3 .03 .61
covariance 256 cfg4 .027 .014
covariance 512 cfg1 .066 .45
covariance 512 cfg2 .030 .90
covariance 512 cfg3 .03 .61
covariance 512 cfg4 .027 .014
mvt 128 cfg1 .143 .971
mvt 128 cfg2 .138 .996
mvt 128 cfg3 .138 .986
mvt 128 cfg4 .138 .944
mvt 256 cfg1 .154 .974
mvt 256 cfg2 .150 .997
mvt 256 cfg3 .150 .987
mvt 256 cfg4 .149 .949
mvt 512 cfg1 .154 .974
mvt 512 cfg2 .150 .997
mvt 512 cfg3 .150 .987
mvt 512 cfg4 .149 .949
END

run() {
	kernel=$1
	bits=$2
	clang-19 --target=aarch64-linux-gnu -static -O3 -ffast-math \
		-mcpu=a64fx -msve-vector-bits="$bits" -DKERNEL="$kernel" \
		-o "$out/$kernel" "$kernels/large.c" || exit 1
	"$anechoic" estimate -o "$out/report" \
		--guest-cpu "max,sve$bits=on,sve-default-vector-length=$((bits / 8))" \
		--caches gopalakrishna-2025-cfg1 \
		--caches gopalakrishna-2025-cfg2 \
		--caches gopalakrishna-2025-cfg3 \
		--caches gopalakrishna-2025-cfg4 \
		-- "$out/$kernel" >/dev/null || exit 1
	awk -v kernel="$kernel" -v bits="$bits" '
		FNR == NR {
			want[$1 " " $2 " " $3] = $4 " " $5
			next
		}
		/^gopalakrishna/ { sub(".*-", "", $1); cfg = $1 }
		cfg && ($1 == "l2" || $1 == "l3") { rate[$1] = $3 / $2 }
		cfg && $1 == "l3" {
			split(want[kernel " " bits " " cfg], w, " ")
			printf "%-11s %4d %s  L2 %.4f gem5 %-5s", kernel, bits,
			       cfg, rate["l2"], w[1]
			printf "  LLC %.4f gem5 %s\n", rate["l3"], w[2]
		}' "$out/gem5" "$out/report"
}

for bits in "${@:-512}"; do
	for kernel in mvt gemm covariance syrk; do
		run "$kernel" "$bits"
	done
done
