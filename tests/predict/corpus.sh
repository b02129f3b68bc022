#!/bin/sh
# Predictions of a corpus of blocks with measured cycles, with LLVM's tables:
# corpus.sh ANECHOIC [FOLDER]
# FOLDER, or $ANECHOIC_CORPUS, has a file CPU.csv for one or more of LLVM's CPUs
# (skylake.csv), with lines HEX,CYCLES or HEX,NAME,CYCLES, as BHive's files have
# them.  The blocks are straight code.  Fails if the mean error of one of the files
# is above 10 %, or tau below 0.90.
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
corpus=${2:-${ANECHOIC_CORPUS:-}}
if [ -z "$corpus" ]; then
	echo "SKIP: ANECHOIC_CORPUS names no folder with blocks (docs/predict/batch.md)"
	exit 77
fi

failed=0
seen=0
for file in "$corpus"/*.csv; do
	[ -f "$file" ] || continue
	cpu=$(basename "$file" .csv)
	# The cycles are to stand behind the block.
	awk -F , '$1 ~ /^[0-9a-f]+$/ && $NF + 0 > 0 { print $1 "," $NF }' \
		"$file" >"$work/blocks.csv"
	"$anechoic" predict --isa x86_64 --cpu "$cpu" --batch \
		"$work/blocks.csv" -o "$work/out.csv" 2>"$work/err" || true
	line=$(grep '^predicted against given' "$work/err") || {
		echo "FAIL: $cpu: $(cat "$work/err")"
		exit 1
	}
	seen=$((seen + 1))
	echo "$cpu: $line"
	echo "$line" | awk '
		{
			for (i = 1; i < NF; i++) {
				if ($i == "mean")
					mean = $(i + 1)
				if ($i == "tau")
					tau = $(i + 1)
			}
			exit !(mean != "" && mean + 0 <= 10 && tau + 0 >= 0.9)
		}' || {
		echo "FAIL: $cpu: expected a mean of at most 10 % and a tau of at least 0.90"
		failed=1
	}
done
[ "$seen" -gt 0 ] || {
	echo "FAIL: $corpus has no .csv files"
	exit 1
}
exit "$failed"
