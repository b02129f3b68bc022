#!/bin/sh
# examples/ci as its README.md says: the committed values hold; a value that is
# changed, missing or new fails; the step of the workflow runs as it stands.
#	ci.sh ANECHOIC SOURCE
. "$(dirname "$0")/../head.sh"
anechoic=$(realpath "$1")
source=$2
cd "$work" || exit 2

for isa in riscv64 aarch64; do
	command -v qemu-system-$isa >/dev/null || skip "no qemu-system-$isa"
done

# The workflow's own step, in the places that it names.
cp -R "$source/examples/ci" anechoic-ci
mkdir -p anechoic/build/bin
ln -s "$anechoic" anechoic/build/bin/anechoic
export ANECHOIC_SHARE="${anechoic%/bin/*}/share/anechoic"
step=$(sed -n 's/^ *run: \(sh .*\)$/\1/p' anechoic-ci/anechoic.yml)
[ -n "$step" ] || fail "no step 'run: sh ...' in the workflow"
sh -ec "$step" >out.txt 2>&1 || fail "the workflow's step: $(tail -n 20 out.txt)"
grep -q '^[0-9]* values as expected$' out.txt || fail "$(tail -n 3 out.txt)"
sed -n '/^ *path: |$/,/^ *if-no/s/^ *\(out[^ ]*\)$/\1/p' \
	anechoic-ci/anechoic.yml >kept
[ -s kept ] || fail "no artifact in the workflow"
while read -r files; do
	# shellcheck disable=SC2086 # a pattern
	ls $files >/dev/null 2>&1 || fail "$files, an artifact, is not there"
done <kept
"$anechoic" show --db out/qemu-virt-riscv64.db ADD >show.txt 2>&1 ||
	fail "the database: $(cat show.txt)"

# differs WHAT PATTERN: the step fails, with a line of the diff
differs() {
	sh -ec "$step" >out.txt 2>&1 && fail "$1: no failure"
	grep -qE -e "$2" out.txt || fail "$1: $(tail -n 20 out.txt)"
	[ -s out/qemu-virt-riscv64.db ] || fail "$1: no database is kept"
	cp "$source/examples/ci/expected.csv" anechoic-ci/expected.csv
}
expected=./anechoic-ci/expected.csv
sed -i 's/^riscv64,MUL,throughput,,,1,1,/riscv64,MUL,throughput,,,2,2,/' $expected
differs "a changed value" '^\+riscv64,MUL,throughput,,,1,1,ok'
sed -i '/^aarch64,SDIVXr,latency,1/d' $expected
differs "a new value" '^\+aarch64,SDIVXr,latency,1,0,1,1,ok'
echo 'riscv64,XOR,throughput,,,1,1,ok' >>$expected
differs "a missing value" '^-riscv64,XOR,throughput'

# What cannot be measured is not "no difference".
echo 'qemu-virt riscv64 ^NONE$' >>anechoic-ci/forms.txt
differs "a form that does not exist" "no form of riscv64 matches"
echo '# nothing' >anechoic-ci/forms.txt
sh -ec "$step" >out.txt 2>&1 && fail "no forms: no failure"
cp "$source/examples/ci/forms.txt" anechoic-ci
sh -e anechoic-ci/measure.sh "$anechoic" out upgrade >out.txt 2>&1 &&
	fail "a misspelt mode"
: >$expected
sh -e anechoic-ci/measure.sh "$anechoic" out update >out.txt 2>&1 ||
	fail "update: $(cat out.txt)"
cmp "$source/examples/ci/expected.csv" $expected || fail "update writes other values"
echo "1 passed, 0 failed"
