#!/bin/sh
# Predictions compared with measurements:  validate.sh BUILD [db|model|cpu VALUE]
#
# Compiles each kernel with gcc and clang at -O1 -O2 -O3 -Ofast and for each
# width of vectors this machine has, drops code that is the same as one before,
# and has `anechoic time` measure and predict the rest (docs/time.md), with
# llvm-mca and OSACA where they are installed.  Without a model: LLVM's of this
# CPU.  VALIDATE_ONLY is a pattern of names, VALIDATE_MCA the CPU that llvm-mca
# is asked for, VALIDATE_OSACA that of OSACA in its own words, VALIDATE_SET a
# folder of kernels, or "mixes": VALIDATE_N (400) random mixes of forms whose
# ports the database has, drawn with VALIDATE_SEED (1); VALIDATE_TABLE a file for
# the table of `anechoic time`; VALIDATE_CSV a file to write for
# `anechoic site --loops`.
set -e
. "$(dirname "$0")/../head.sh"
here=$(dirname "$0")
build=$1
source=${2:-cpu}
value=${3:-native}
set=${VALIDATE_SET:-kernels}
loops=$work/loops
mkdir "$loops" "$work/objects" "$work/seen"

case $(uname -m) in
x86_64)
	widths="128 256"
	grep -q avx512vl /proc/cpuinfo && widths="$widths 512"
	;;
aarch64) widths=native ;;
*) widths=default ;; # whatever the compiler does by itself
esac

flags_of() {
	case $1 in
	128) echo "-march=x86-64-v2" ;;
	256) echo "-march=x86-64-v3" ;;
	512) echo "-march=x86-64-v4 -mprefer-vector-width=512" ;;
	native) echo "-mcpu=native" ;;
	esac
}

# Loops stay loops: no calls of memcpy() and memset().
plain() {
	case $1 in
	gcc*) echo "-fno-tree-loop-distribute-patterns" ;;
	*) echo "-fno-builtin -Wno-deprecated" ;;
	esac
}

is_wanted() {
	# shellcheck disable=SC2254 # a pattern
	case $1 in
	${VALIDATE_ONLY:-*}) ;;
	*) return 1 ;;
	esac
}

if [ "$set" = mixes ]; then
	if [ "$source" != db ]; then
		echo "validate.sh: $source $value: mixes need a database of" \
			"this machine with ports, as in make validate DB=a.db" >&2
		exit 2
	fi
	"$build/bin/mixes" "$value" "${VALIDATE_N:-400}" \
		"${VALIDATE_SEED:-1}" "$loops"
	for kernel in "$loops"/*.s; do
		is_wanted "$(basename "$kernel" .s)" || rm "$kernel"
	done
fi
for kernel in "$here/$set"/*.c; do
	[ -e "$kernel" ] || continue
	name=$(basename "$kernel" .c)
	for cc in gcc clang-19; do
		command -v $cc >/dev/null || continue
		for opt in O1 O2 O3 Ofast; do
			for width in $widths; do
				base=$name-${cc%-19}-$opt-$width
				is_wanted "$base" || continue
				object=$work/objects/$base.o
				# shellcheck disable=SC2046 # lists of words
				$cc -std=c11 -w -$opt $(flags_of "$width") \
					$(plain $cc) -fPIC -fno-math-errno \
					-c "$kernel" -o "$object"
				sum=$(objcopy -O binary -j .text "$object" \
					/dev/stdout | cksum | tr -d ' ')
				[ -e "$work/seen/$sum" ] && continue
				: >"$work/seen/$sum"
				# Linked, so that the code is where it runs.
				$cc -shared "$object" -o "$loops/$base"
			done
		done
	done
done
if ! ls "$loops"/* >/dev/null 2>&1; then
	echo "validate.sh: no loop matches VALIDATE_ONLY='${VALIDATE_ONLY:-*}'" \
		"in VALIDATE_SET='$set' (sets: kernels, other, ordinary, mixes), or" \
		"neither gcc nor clang-19 is there" >&2
	exit 2
fi

set -- "--$source" "$value"
if [ "$source" = db ]; then
	# The samples do not go into the user's database.
	cp "$value" "$work/$(basename "$value")"
	set -- --db "$work/$(basename "$value")"
fi
[ "$set" = mixes ] || set -- "$@" --function kernel
if command -v llvm-mca-19 >/dev/null || command -v llvm-mca >/dev/null; then
	set -- "$@" --peer "llvm-mca:${VALIDATE_MCA:-native}"
fi
if command -v osaca >/dev/null; then
	set -- "$@" --peer "osaca${VALIDATE_OSACA:+:$VALIDATE_OSACA}"
fi
[ -z "${VALIDATE_CSV:-}" ] || set -- "$@" --loops "$VALIDATE_CSV"
table=${VALIDATE_TABLE:-$work/table}
"$build/bin/anechoic" time "$@" "$loops" >"$table" 2>"$work/scores" || {
	cat "$work/scores" >&2
	exit 1
}
# A detail may have commas and is the only field that is quoted; it is empty where
# there is a value.
awk -F, '
NR == 1 {
	printf "%-34s %8s %8s %7s", "loop", "measured", "ours", "error"
	for (i = 9; i <= NF; i++) {
		sub(/_cycles$/, "", $i)
		printf " %8s", $i
	}
	print ""
	next
}
$3 == "" {
	printf "%-34s no value: %s\n", $2, $5
	next
}
{
	measured = ($3 + $4) / 2
	printf "%-34s %8.2f", $2, measured
	if ($6 == "")
		printf " %8s %7s", "", ""
	else
		printf " %8.2f %+6.0f%%", $6, 100 * ($6 / measured - 1)
	for (i = 9; i <= NF; i++)
		printf " %8s", $i == "" ? "" : sprintf("%.2f", $i)
	print ""
}' "$table"
tr '\r' '\n' <"$work/scores" | grep -E ' blocks|no predictions'
