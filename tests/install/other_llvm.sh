#!/bin/sh
# The host with the other LLVM, built in a folder outside of the sources: its unit
# tests, tests of the command that read LLVM's tables, and llvm-exegesis of that
# version over a capture of RISC-V.  other_llvm.sh SOURCE VERSION
. "$(dirname "$0")/../head.sh"
source=$1
version=$2
need "llvm-config-$version" "llvm-$version-dev"
build=$work/build

cmake -S "$source" -B "$build" -G Ninja -DWERROR=ON -DSANITIZE=ON \
	-DLLVM_VERSION="$version" >"$work/out" 2>&1 || fail configure
cmake --build "$build" -j "$(nproc)" >"$work/out" 2>&1 || fail build
# Not these: names, operands and statuses as only LLVM 19 has them, then files that
# a build with it made.
without='atomics|catalogue|complete_between|form_status|import_llvm|iteration'
without="$without|memory|peers|peers_forms|subset"
without="$without|cache|cache_models|locale|model_file|store_file"
ctest --test-dir "$build" -R '^unit\.' -E "^unit\.($without)\$" \
	-j "$(nproc)" --output-on-failure >"$work/out" 2>&1 ||
	fail "unit tests"
tail -4 "$work/out"
anechoic=$build/bin/anechoic
for name in compare_classes corrected export_against export_whole; do
	sh "$source/tests/cli/$name.sh" "$anechoic" "$source" "$version" \
		>"$work/out" 2>&1 || fail "$name"
done
rm "$work/out"

# Every entry that llvm-exegesis reads, and every value in its table.
exegesis=llvm-exegesis-$version
need "$exegesis" "llvm-$version"
cd "$work" || exit 2
"$anechoic" measure --board fake --isa riscv64 --cpu sifive-p670 \
	--core "$source/tests/readers/x60v.core" --db a.db --forms \
	'^(ADD|MULH?|DIV|FADD_D|LD|V(ADD|MUL)_VV/.*)$' >out 2>&1 || fail measure
"$anechoic" export --db a.db --format exegesis -o a.yaml >out 2>&1 ||
	fail export
$exegesis -mode=analysis --mtriple=riscv64-unknown-linux-gnu \
	--benchmarks-file=a.yaml --analysis-clusters-output-file=a.csv \
	--analysis-numpoints=1 --analysis-inconsistencies-output-file=a.html \
	>out 2>&1 || fail "$exegesis: $(grep error: out)"
entries=$(grep -c '^mode:' a.yaml)
values=$(grep -c "^error: ''" a.yaml)
grep -q "Parsed $entries benchmark points" out || fail "entries"
rows=$(grep -c '^[0-9]' a.csv)
[ "$rows" = "$values" ] || fail "$rows of $values values in the table"
echo "row|llvm-exegesis|$version|exegesis of riscv64|-mode=analysis|$entries\
 entries, $values values"
