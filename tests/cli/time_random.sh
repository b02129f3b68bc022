#!/bin/sh
# anechoic time --hex: random bytes and unfriendly code each have a verdict, and
# nothing hangs.
#	time_random.sh ANECHOIC [STRINGS [SHARE]]
# STRINGS: how many random ones; SHARE: the runtimes of another tree, as for a program
# with sanitizers, which has none of its own.
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
strings=${2:-1000}
[ -x "$anechoic" ] || skip "no $anechoic"
if [ $# -gt 2 ]; then
	export ANECHOIC_SHARE="$3"
fi

# A linear congruential generator (the constants of POSIX's example of rand()).
awk -v strings="$strings" 'function next_random() {
	seed = (seed * 1103515245 + 12345) % 2147483648
	return int(seed / 65536) % 32768
}
BEGIN {
	seed = 7
	for (i = 0; i < strings; i++) {
		n = 1 + next_random() % 15
		for (k = 0; k < n; k++)
			printf "%02x", next_random() % 256
		print ""
	}
}' >"$work/random.csv"

# One a line: what it does.
grep -v '^#' >"$work/nasty.csv" <<'CODE'
f4,hlt
cc,int3
0f0b,ud2
0f05,syscall
cd80,int_80
ebfe,jump_to_itself
c3,return
ffe0,jump_register
ffd0,call_register
e800000000,call_next
fa,cli
0f30,wrmsr
0f22d8,mov_cr3
0f01d9,vmmcall
0f01c1,vmcall
4831e4,zero_stack
48c7c400000000,move_0_to_stack
c9,leave
54,push_stack
5c,pop_stack
50,push_only
58,pop_only
488920,store_stack
48892500000000,store_to_0
488905f9ffffff,store_to_itself
4889042500000010,store_absolute
c60424c3,overwrite_stack
f3ab,rep_stos
fdf3aa,std_rep_stos
f30f1efa,endbr
0faee8,lfence
0f31,rdtsc
0fa2,cpuid
31d231c9f7f1,divide_by_0
f7f9,divide
9d,popf
9b,wait
dbe3,fninit
0f77,emms
0f013f,invlpg
CODE
test "$(uname -m)" = x86_64 || exit 77
for set in random nasty; do
	n=$(wc -l <"$work/$set.csv")
	"$anechoic" time --hex "$work/$set.csv" -o "$work/out" 2>"$work/err" || {
		cat "$work/err"
		echo "FAIL: $set"
		exit 1
	}
	# A header, and a row with a verdict for each.
	[ "$(wc -l <"$work/out")" -eq $((n + 1)) ]
	awk -F , 'NR > 1 && $5 == "" { print "no verdict:", $0; bad = 1 }
		END { exit bad }' "$work/out"
done
# has EXPRESSION: a row of the last table.
has() {
	grep -q -e "$1" "$work/out" && return
	cat "$work/out"
	echo "FAIL: no row '$1'"
	exit 1
}
has '^c3,return\.[0-9]*,,,fault:'
has '^0f05,syscall\.[0-9]*,,,fault:syscall'
has '^f4,hlt\.[0-9]*,,,refused'
has '^0f013f,invlpg\.[0-9]*,,,fault:'
has '^31d231c9f7f1,divide_by_0\.[0-9]*,,,fault:fpe'
