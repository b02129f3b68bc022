#!/bin/sh
# Predictions compared with measurements:  validate.sh BUILD [db|model|cpu VALUE]
#
# Compiles each kernel with gcc and clang at -O1 -O2 -O3 -Ofast and for each
# width of vectors this machine has, drops code that is the same as one before,
# and hands the rest to the program `validate`.  Without a model: LLVM's of this
# CPU.  VALIDATE_ONLY is a pattern of names, VALIDATE_MCA the CPU that llvm-mca
# is asked for, VALIDATE_OSACA that of OSACA in its own words, VALIDATE_SET a
# folder of kernels, or "mixes": VALIDATE_N (400) random mixes of forms whose
# ports the database has, drawn with VALIDATE_SEED (1); VALIDATE_SECONDS how long to
# measure at most (300); VALIDATE_TIMES a file that keeps the measurements: what is
# in it is not measured again; VALIDATE_CSV a file to write for
# `anechoic site --loops`.
set -eu
here=$(dirname "$0")
build=$1
source=${2:-cpu}
value=${3:-native}
set=${VALIDATE_SET:-kernels}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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

if [ "$set" = mixes ]; then
	if [ "$source" != db ]; then
		echo "validate.sh: $source $value: mixes need a database of" \
			"this machine with ports, as in make validate DB=a.db" >&2
		exit 2
	fi
	"$build/bin/mixes" "$value" "${VALIDATE_N:-400}" \
		"${VALIDATE_SEED:-1}" "$work"
	for kernel in "$work"/*.s; do
		base=${kernel%.s}
		# shellcheck disable=SC2254 # a pattern
		case $(basename "$base") in
		${VALIDATE_ONLY:-*}) ;;
		*) continue ;;
		esac
		gcc -c "$kernel" -o "$base.o"
		gcc -shared "$base.o" -o "$base.so"
	done
fi
for kernel in "$here/$set"/*.c; do
	[ -e "$kernel" ] || continue
	name=$(basename "$kernel" .c)
	for cc in gcc clang-19; do
		command -v $cc >/dev/null || continue
		for opt in O1 O2 O3 Ofast; do
			for width in $widths; do
				base=$work/$name-${cc%-19}-$opt-$width
				# shellcheck disable=SC2254 # a pattern
				case $(basename "$base") in
				${VALIDATE_ONLY:-*}) ;;
				*) continue ;;
				esac
				# shellcheck disable=SC2046 # lists of words
				$cc -std=c11 -w -$opt $(flags_of "$width") \
					$(plain $cc) -fPIC -fno-math-errno \
					-c "$kernel" -o "$base.o"
				sum=$(objcopy -O binary -j .text "$base.o" \
					/dev/stdout | cksum | tr -d ' ')
				if [ -e "$work/seen-$sum" ]; then
					rm "$base.o"
					continue
				fi
				: >"$work/seen-$sum"
				$cc -shared "$base.o" -o "$base.so"
			done
		done
	done
done
if ! ls "$work"/*.o >/dev/null 2>&1; then
	echo "validate.sh: no loop matches VALIDATE_ONLY='${VALIDATE_ONLY:-*}'" \
		"in VALIDATE_SET='$set' (sets: kernels, other, mixes), or" \
		"neither gcc nor clang-19 is there" >&2
	exit 2
fi
mca=$(command -v llvm-mca-19 || echo -)
cpu=${VALIDATE_MCA:-native}
osaca=$(command -v osaca || echo -)
find "$work" -name '*.o' | sed 's/\.o$//' | sort |
	xargs "$build/bin/validate" "$source" "$value" "$mca" "$cpu" \
		"$osaca" "${VALIDATE_OSACA:--}" "${VALIDATE_TIMES:--}" "${VALIDATE_CSV:--}"
