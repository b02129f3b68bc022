#!/bin/sh
# anechoic time on loops with jumps inside: the path that they take is found by
# running them, and is what is predicted; one that does not repeat has no value.
#	time_path.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"
[ "$(uname -m)" = x86_64 ] || {
	echo "skip: code of x86-64"
	exit 77
}
mkdir loops

# Every second iteration has two products more.
cat >loops/alternate.s <<'CODE'
x:	xor $1, %edx
	test %edx, %edx
	je y
	imul %rbx, %rsi
	imul %rbx, %rsi
y:	dec %rcx
	jne x
CODE
# A part is jumped over, always; once, in the first iteration; and never, by one
# that leaves the loop.
cat >loops/over.s <<'CODE'
x:	test %edx, %edx
	je y
	imul %rbx, %rsi
y:	imul %rbx, %rsi
	dec %rcx
	jne x
CODE
cat >loops/once.s <<'CODE'
x:	add $1, %rdx
	cmp %rdx, %rax
	je y
	imul %rbx, %rsi
y:	imul %rbx, %rsi
	dec %rcx
	jne x
CODE
# The jump depends on bits that are as good as random; on how many iterations are
# left.
cat >loops/random.s <<'CODE'
x:	mov %rax, %rdx
	shl $13, %rdx
	xor %rdx, %rax
	mov %rax, %rdx
	shr $7, %rdx
	xor %rdx, %rax
	mov %rax, %rdx
	shl $17, %rdx
	xor %rdx, %rax
	test $8, %al
	je y
	imul %rbx, %rsi
y:	dec %rcx
	jne x
CODE
cat >loops/late.s <<'CODE'
x:	cmp $90, %rcx
	jb y
	imul %rbx, %rsi
y:	dec %rcx
	jne x
CODE
# Every register of the code is taken: the bits have no place.
cat >loops/full.s <<'CODE'
x:	xor $1, %edx
	je y
	add %rax, %rbx
	add %rsi, %rdi
	add %rbp, %r8
	add %r9, %r10
	add %r11, %r12
	add %r13, %r14
y:	dec %rcx
	jne x
CODE

"$anechoic" time --cpu znver3 --format json loops/alternate.s >found 2>err || {
	cat err
	exit 1
}
"$anechoic" time --cpu znver3 --format json loops/random.s >varies 2>err || {
	cat err
	exit 1
}
"$anechoic" time --cpu znver3 loops >out.csv 2>err || {
	cat err
	exit 1
}
cat >check.py <<'CHECK'
import csv, json

varies = json.load(open("varies"))
assert varies["predicted_cycles"] is None, varies
assert "no pattern that repeats" in varies["why"], varies
found = json.load(open("found"))["path"]
assert found == {"iterations": 2,
                 "instructions": [1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 6, 7]}, found
rows = {row["name"][:-2]: row for row in csv.DictReader(open("out.csv"))}
for name, cycles in ("alternate", 3), ("over", 3), ("once", 6):
    row = rows[name]
    assert abs(float(row["predicted_cycles"]) - cycles) < 0.1, row
    # A busy machine has no value; a wrong one is a fault.
    if row["verdict"] == "ok":
        assert abs(float(row["high_cycles"]) / cycles - 1) < 0.1, row
for name in "random", "late":
    assert rows[name]["verdict"] == "path-varies", rows[name]
    assert rows[name]["low_cycles"] == "", rows[name]
    assert rows[name]["predicted_cycles"] == "", rows[name]
assert rows["full"]["verdict"] != "path-varies", rows["full"]
CHECK
python3 check.py || {
	cat out.csv
	exit 1
}
