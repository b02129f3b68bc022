#!/bin/sh
# Figures of predictions, never asserted:  bench_predict.sh ANECHOIC [DB]
#	- blocks a second, bounds and simulated (goal: over 10,000), with one process
#	  and with one for each CPU, and llvm-mca's on the same blocks
#	- a block of 50 instructions: bounds (goal: under 50 us), and simulated
#	  (goal: under 300 us more)
#	- all from start to answer (goal: 30 ms with the cache), without the cache
#	  and with it, best of ten
# The blocks are those of this very program: straight-line code of 3 to 60
# instructions between its branches.
# DB is a database to predict with, too; else there are LLVM's tables alone.
set -e
. "$(dirname "$0")/head.sh"
anechoic=$1
db=${2:-}
cpu=skylake
export XDG_CACHE_HOME="$work"

[ "$(uname -m)" = x86_64 ] || exit 0
objdump -d -w -j .text "$anechoic" | awk -F '\t' '
	function flush() {
		if (n >= 3 && n <= 60)
			print block
		block = ""
		n = 0
	}
	NF < 3 || $3 ~ /^(j|call|ret|nop|endbr|ud|bnd|notrack|push|pop|leave|xchg|data|lock|rep|cs)/ {
		flush()
		next
	}
	{
		gsub(/ /, "", $2)
		block = block $2
		n++
	}' | sort -u | sort -R --random-source=/dev/zero | head -3000 \
	>"$work/blocks.csv"

awk 'BEGIN {
	for (i = 0; i < 10; i++)
		block = block "4803c1c4e2f5b8c2488b1ec5fd1107480fafd0"
	for (i = 0; i < 2000; i++)
		print block }' >"$work/fifty.csv"
printf '\taddq %%rax, %%rax\n' >"$work/one.s"

# rates FILE ARGUMENT...: blocks a second, one line for each of ten runs.  On a busy host
# the fastest is closest to what the program takes.
rates() {
	file=$1
	shift
	for turn in 1 2 3 4 5 6 7 8 9 10; do
		"$anechoic" predict --isa x86_64 --batch "$file" "$@" \
			2>&1 >/dev/null | awk '/blocks per second/ { print $5 }'
	done | sort -n
}

# figures NAME MODEL...
figures() {
	name=$1
	shift
	for how in --bounds ""; do
		for jobs in 1 "$(nproc)"; do
			# shellcheck disable=SC2086 # empty, or one word
			rates "$work/blocks.csv" "$@" $how --jobs "$jobs" |
				awk -v name="$name $how, $jobs processes" '
					NR == 1 { least = $1 }
					END {
						if (NR == 0) {
							print name ": no run"
							exit
						}
						printf "%s: %d blocks a second (slowest of ten runs: %d)\n",
						       name, $1, least
					}'
		done
	done
	for how in --bounds ""; do
		# shellcheck disable=SC2086 # empty, or one word
		rates "$work/fifty.csv" "$@" $how --jobs 1 |
			awk -v name="$name $how" '
				NR == 1 { most = 1e6 / $1 }
				END {
					if (NR == 0) {
						print name ": no run"
						exit
					}
					printf "%s, 50 instructions: %.0f us (slowest of ten runs: %.0f)\n",
					       name, 1e6 / $1, most
				}'
	done
	for how in --no-cache ""; do
		for turn in 1 2 3 4 5 6 7 8 9 10; do
			start=$(date +%s.%N)
			# shellcheck disable=SC2086 # empty, or one word
			"$anechoic" predict --isa x86_64 "$@" $how \
				"$work/one.s" >/dev/null
			echo "$start $(date +%s.%N) $turn"
		done | awk -v name="$name $how" '
			NR == 1 || $2 - $1 < least { least = $2 - $1 }
			END {
				printf "%s, start to answer: %.0f ms\n",
				       name, 1000 * least
			}'
	done
}

figures predict --cpu $cpu
[ -z "$db" ] || figures "predict --db" --db "$db"

command -v llvm-mca-19 >/dev/null && command -v llvm-mc-19 >/dev/null || exit 0
# Between blocks stands ud2, which becomes the end of a region.
head -500 "$work/blocks.csv" | sed 's/../0x& /g; s/$/0x0f 0x0b/' |
	llvm-mc-19 --disassemble --triple=x86_64 2>/dev/null |
	awk 'BEGIN { print "# LLVM-MCA-BEGIN" }
	     /ud2/ { print "# LLVM-MCA-END\n# LLVM-MCA-BEGIN"; next }
	     !/^\t\./ { print }
	     END { print "nop\n# LLVM-MCA-END" }' >"$work/blocks.s"
for turn in 1 2 3; do
	start=$(date +%s.%N)
	llvm-mca-19 -mtriple=x86_64 -mcpu=$cpu "$work/blocks.s" >/dev/null 2>&1 ||
		:
	echo "$start $(date +%s.%N)"
done | awk 'NR == 1 || $2 - $1 < least { least = $2 - $1 }
	END {
		printf "llvm-mca, 500 of these: %.0f blocks a second (fastest of three runs)\n",
		       500 / least
	}'
