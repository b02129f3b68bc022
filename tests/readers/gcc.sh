#!/bin/sh
# Pipeline descriptions, read by GCC's own genautomata and genattrtab: gcc.sh
# ANECHOIC PYTHON.  They are built from the folder ANECHOIC_GCC_SOURCE, the
# source package of GCC 14 or later, or its unpacked tree.
. "$(dirname "$0")/../head.sh"
anechoic=$1
python=$2
source=${ANECHOIC_GCC_SOURCE:-}
[ -n "$source" ] ||
	skip "ANECHOIC_GCC_SOURCE does not name GCC's source package"
here=$(cd "$(dirname "$0")" && pwd)

# unpack FILE: what the generators are made of.
unpack() {
	tar xf "$1" -C "$work/source" --exclude='*/gcc/testsuite' --wildcards \
		'*/gcc/*' '*/include/*' '*/libiberty/*' '*/config/*' \
		'*/config-ml.in' '*/config.guess' '*/config.sub' '*/depcomp' \
		'*/install-sh' '*/missing' '*/mkinstalldirs' '*/move-if-change'
}

tree=$(find "$source" -path '*/gcc/genautomata.cc' | head -1)
if [ -z "$tree" ]; then
	mkdir "$work/source" "$work/package"
	tar=$(find "$source" -maxdepth 1 -name 'gcc-*.tar.*' \
		! -name '*.debian.*' | head -1)
	[ -n "$tar" ] || fail "$source has no gcc-*.tar.*"
	# Debian's package has the tree in a file of its own.
	tar xf "$tar" -C "$work/package" --wildcards '*/gcc-*.tar.*' 2>/dev/null
	inner=$(find "$work/package" -name 'gcc-*.tar.*' | head -1)
	unpack "${inner:-$tar}" || exit 2
	tree=$(find "$work/source" -path '*/gcc/genautomata.cc' | head -1)
fi
tree=$(cd "$(dirname "$tree")/.." && pwd)
grep -q '^ *vialu,' "$tree/gcc/config/riscv/riscv.md" ||
	skip "$tree is of a GCC before 14, without types of vectors"

# Two of GCC's programs; the rest of it is not built.
mkdir "$work/libiberty" "$work/gcc"
(
	set -e
	cd "$work/libiberty"
	CC=gcc "$tree/libiberty/configure" --disable-dependency-tracking
	make libiberty.a AR=ar ARFLAGS=rc RANLIB=ranlib
	cd ../gcc
	"$tree/gcc/configure" --target=riscv64-linux-gnu --disable-nls \
		--enable-languages=c
	make build/genautomata build/genattrtab \
		BUILD_LIBIBERTY="$work/libiberty/libiberty.a"
) >"$work/log" 2>&1
for program in genautomata genattrtab; do
	[ -x "$work/gcc/build/$program" ] ||
		fail "GCC's $program is not built: $(tail -20 "$work/log")"
done

failed=0
# check FILE: do they read it?
check() {
	"$python" -B "$here/gcc.py" "$tree/gcc/config/riscv" \
		"$work/gcc/build" "$1"
}
version=$(cat "$tree/gcc/BASE-VER")
for cpu in sifive-p670 sifive-x280 rocket-rv64; do
	"$anechoic" export --isa riscv64 --cpu $cpu --format gcc \
		-o "$work/$cpu.md" || failed=1
	result=$(check "$work/$cpu.md") || failed=1
	echo "row|genautomata, genattrtab|$version|gcc of $cpu|$result"
done
# The invented core whose vectors take as long as their group is.
for what in latency,throughput ports; do
	"$anechoic" measure --board fake --isa riscv64 --core "$here/x60v.core" \
		--cpu spacemit-x60 --what $what --db "$work/x.db" --forms \
		'^(ADD|MUL|MULH|DIV|FMADD_D|LD|VADD_VV/.*(m1|m2)|VDIV_VV/.*,m1)$' \
		>"$work/log" 2>&1 || failed=1
done
"$anechoic" export --db "$work/x.db" --format gcc -o "$work/x60.md" || failed=1
result=$(check "$work/x60.md") || failed=1
echo "row|genautomata, genattrtab|$version|gcc of an invented X60|$result"

# They would refuse a unit that is not there, and a type that is none.
sed '/define_cpu_unit/d' "$work/x60.md" >"$work/no-unit.md"
sed 's/"type" "load"/"type" "loads"/' "$work/x60.md" >"$work/no-type.md"
for file in no-unit no-type; do
	if check "$work/$file.md" >/dev/null; then
		echo "FAIL: $file.md is read"
		failed=1
	fi
done
exit $failed
