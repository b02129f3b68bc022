#!/bin/sh
# anechoic time on code that calls functions: what an invented core takes for it, and
# forty pieces of code whose calls and returns do not fit, each of which is a result.
#	time_calls.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

fail() {
	cat out err
	echo "FAIL: $*"
	exit 1
}

# ---- an invented core: only products and loads take time ---------------------------
cat >x.core <<'CORE'
isa = x86_64
cpu = znver3
width = 8
window = 256
ports = a b m l

form IMUL64rr.*: ports=m, latency=3
form MOV64rm.*: ports=l, latency=5
form .*: ports=a|b
CORE
cat >nested.s <<'CODE'
product:
	imul	%rbx, %rax
	ret
two:	call	product
	call	product
	ret
x:	call	two
	dec	%rcx
	jne	x
CODE
# In the code itself, behind a jump; and a function that ends in a jump.
cat >inside.s <<'CODE'
	call	f
	imul	%rbx, %rax
	jmp	end
f:	imul	%rbx, %rax
	ret
end:
CODE
cat >tail.s <<'CODE'
x:	call	f
	dec	%rcx
	jne	x
	ret
f:	imul	%rbx, %rax
	jmp	g
	imul	%rbx, %rax
g:	imul	%rbx, %rax
	ret
CODE
# Addresses that functions use point into memory.
cat >memory.s <<'CODE'
x:	call	f
	dec	%rcx
	jne	x
	ret
f:	movq	8(%rdi), %rax
	imul	%rax, %rdx
	addq	$8, %rdi
	ret
CODE
# cycles WANTED ARGUMENT ...: of the fake core, and of its path.
cycles() {
	wanted=$1
	shift
	"$anechoic" time --board fake --core x.core "$@" >out 2>err || fail "$*"
	grep -q "measured  *$wanted cycles per " out || fail "$*: $wanted"
}
cycles 6 nested.s
grep -q 'and 5 of functions' out || fail "functions"
grep -q '10 instructions are executed in 1 iteration' out || fail "path"
cycles 6 inside.s
cycles 6 tail.s
cycles 6 --mode unroll tail.s
cycles 3 memory.s
grep -q 'rdi points into memory' out || fail "memory"

# An invented core is predicted by the tables of the CPU that it says it is like.
grep -q "LLVM's tables of znver3" out || fail "tables"

# A part of code that calls keeps what it calls.
sed 's/^form IMUL64rr.*/form IMUL64rr.*: ports=m, latency=9/' x.core >y.core
cat >slow.s <<'CODE'
x:	add	%rbx, %rdx
	call	f
	add	%rbx, %rsi
	dec	%rcx
	jne	x
	ret
f:	imul	%rbx, %rax
	ret
CODE
"$anechoic" time --board fake --core y.core --explain slow.s >out 2>err ||
	fail "explain"
sed -n '/^without any more/,$p' out >part
grep -q 'measured 9, predicted 3' part || fail "explain: value"
grep -q 'call' part || fail "explain: call"
if grep -q 'add' part; then fail "explain: more than the call"; fi

# The prediction follows the calls, too: 6 cycles of two products, carried.
"$anechoic" predict --cpu znver3 --isa x86_64 --format json nested.s >out 2>err ||
	fail "predict"
python3 - <<'CHECK' || fail "predicted"
import json
p = json.load(open("out"))
texts = [row["text"].split()[0] for row in p["instructions"]]
assert texts == ["call", "call", "imul", "ret", "call", "imul", "ret", "ret",
                 "dec", "jne"], texts
CHECK

# What cannot be followed is refused, with its place.
refused() {
	status=0
	"$anechoic" time "$2" >out 2>err || status=$?
	[ "$status" -eq 2 ] || fail "$2: status $status"
	grep -q "$1" err || fail "$2: $1"
}
printf 'x: call f\n dec %%rcx\n jne x\nf: nop\n' >ends.s
refused "ends.s, line 4: 'nop' leaves the code" ends.s
printf 'x: call f\n dec %%rcx\n jne x\nf: jmp *%%rax\n' >register.s
refused "register.s, line 4: .* leaves the code" register.s
printf 'x: call puts\n dec %%rcx\n jne x\n' >other.s
refused 'must stay inside' other.s

# What predict cannot follow it says.
noted() {
	"$anechoic" predict --cpu znver3 --isa x86_64 --bounds --lines 1-3 "$2" \
		>out 2>err ||
		fail "$2"
	grep -q "$1" err || fail "$2: $1"
}
noted 'register.s: line 4: .* leads to no return: the functions' register.s
noted 'other.s: line 1: .* is not in the code: it is left out' other.s
cat >again.s <<'CODE'
x:	call	f
	dec	%rcx
	jne	x
	ret
f:	mov	$5, %edi
1:	imul	%rbx, %rax
	dec	%edi
	jne	1b
	ret
CODE
noted 'again.s: line 8: .* goes back inside a function' again.s
"$anechoic" predict --cpu znver3 --isa x86_64 --format json --lines 1-3 \
	again.s 2>err |
	grep -q '"note": "line 8: ' || fail "note"
if "$anechoic" predict --cpu znver3 --isa x86_64 nested.s 2>&1 >out | grep .; then
	fail "a note without a reason"
fi
"$anechoic" time --board fake --core x.core --lines 1-3 again.s >out 2>err ||
	fail "a loop in a function"
grep -q 'predicted  no value: a jump goes back' out || fail "a loop in a function"

# A board counts cycles, if its core's clock does; an emulator's events are not those
# of the code.
"$anechoic" time --board fake --core x.core --events cycles nested.s >out 2>err ||
	fail "events of an invented core"
grep -q 'event  *6 cycles per iteration' out || fail "events of an invented core"
status=0
"$anechoic" time --board qemu-user --isa riscv64 --events task-clock --asm nop \
	>out 2>err || status=$?
[ "$status" -eq 2 ] || fail "events of an emulator"
grep -q 'no clock of core cycles' err || fail "events of an emulator"

# ---- hostile ---------------------------------------------------------------------
[ "$(uname -m)" = x86_64 ] || exit 0
# In a process the kernel counts, or says why it does not.
if "$anechoic" time --events page-faults,task-clock --format json nested.s >out \
	2>err; then
	python3 - <<'CHECK' || fail "events"
import json
events = json.load(open("out"))["events"]
assert events["page-faults"]["middle"] < 1, events
assert events["page-faults"]["unit"] == "events", events
assert events["task-clock"]["unit"] == "ns", events
assert 0 < events["task-clock"]["low"] <= events["task-clock"]["high"], events
CHECK
else
	grep -q 'the kernel does not count' err || fail "events"
fi
"$anechoic" time --events nothing nested.s >out 2>err && fail "no such event"
grep -q "there is no event 'nothing'" err || fail "no such event"

mkdir nasty
# A line "= NAME VERDICT" begins each: an expression of its verdict.  FUNCTION: a loop
# that calls a function f of these instructions.
function_() {
	printf 'x: call f\n dec %%rcx\n jne x\n ret\nf:\n'
}
name=
while IFS= read -r line; do
	case $line in
	'= '*)
		# shellcheck disable=SC2086 # two words
		set -- $line
		name=$2
		echo "$name $3" >>wanted
		: >"nasty/$name.s"
		;;
	FUNCTION) function_ >>"nasty/$name.s" ;;
	*) printf '%s\n' "$line" >>"nasty/$name.s" ;;
	esac
done <<'CODE'
= endless fault
FUNCTION
	call f
	ret
= mutual fault
FUNCTION
	call g
	ret
g:	call f
	ret
= tail_for_ever refused
FUNCTION
	jmp f
= loop_for_ever refused
FUNCTION
1:	add $1, %rax
	jmp 1b
= calls_its_loop fault
x:	call x
	dec %rcx
	jne x
= calls_itself_in_the_middle .
x:	add $1, %rax
y:	call y
	dec %rcx
	jne x
= returns fault
	ret
= returns_in_a_loop fault
x:	ret
	dec %rcx
	jne x
= returns_twice fault
FUNCTION
	lea f(%rip), %rdx
	push %rdx
	ret
= address_0 fault
FUNCTION
	movq $0, (%rsp)
	ret
= address_1 fault
FUNCTION
	movq $1, (%rsp)
	ret
= address_high fault
FUNCTION
	movabs $0x8000000000000000, %rdx
	mov %rdx, (%rsp)
	ret
= address_of_stack fault
FUNCTION
	mov %rsp, (%rsp)
	ret
= address_added .
FUNCTION
	addq $1, (%rsp)
	ret
= address_popped fault
FUNCTION
	pop %rdx
	ret
= address_pushed fault
FUNCTION
	push %rax
	ret
= stack_0 fault
FUNCTION
	xor %esp, %esp
	ret
= stack_high fault
FUNCTION
	mov $-8, %rsp
	ret
= stack_lost fault
FUNCTION
	sub $4096, %rsp
	ret
= stack_odd .
FUNCTION
	pop %rdx
	sub $3, %rsp
	push %rdx
	ret
= stack_far fault
FUNCTION
	add $0x100000, %rsp
	ret
= leave fault
FUNCTION
	leave
	ret
= enter fault
FUNCTION
	enter $64, $0
	ret
= returns_with_8 .
FUNCTION
	ret $8
= returns_with_many .
FUNCTION
	ret $0x7ff8
= far refused
FUNCTION
	lret
= to_the_end .
	call f
	jmp e
f:	jmp e
e:
= stores_code fault
FUNCTION
	movb $0xc3, f(%rip)
	ret
= stores_return_code fault
FUNCTION
	mov (%rsp), %rdx
	movb $0x90, (%rdx)
	ret
= into_the_middle .
	call f+1
	jmp e
f:	mov $0xc3c3c3, %eax
	ret
e:
= trap refused
FUNCTION
	ud2
= halt refused
FUNCTION
	hlt
	ret
= system fault:syscall
FUNCTION
	mov $231, %eax
	xor %edi, %edi
	syscall
	ret
= divides fault:fpe
FUNCTION
	xor %esi, %esi
	xor %edx, %edx
	div %rsi
	ret
= faults fault:access
FUNCTION
	xor %edx, %edx
	mov (%rdx), %rax
	ret
= recursion_ends .
x:	mov $30, %edi
	call f
	dec %rcx
	jne x
	ret
f:	dec %edi
	jz 1f
	call f
1:	ret
= chosen_by_data .
FUNCTION
	imul $1103515245, %rax, %rax
	add $12345, %rax
	bt $17, %rax
	jc 1f
	ret
1:	imul %rbx, %rbx
	ret
= never_back fault
x:	call f
	dec %rcx
	jne x
f:	jmp x
= falls_into_the_loop fault
f:	add $1, %rax
x:	call f
	dec %rcx
	jne x
	ret
= register refused
	call *%rax
= many_calls .
	call f
	call f
	call f
	call f
	call f
	call f
	call f
	call f
	jmp e
f:	nop
	ret
e:
CODE
[ "$(wc -l <wanted)" -ge 40 ] || fail "40 pieces"
"$anechoic" time --cpu znver3 --db nasty.db nasty >out 2>err || fail "nasty"
python3 - <<'CHECK' || fail "verdicts"
import csv, re
rows = {row["name"][:-2]: row for row in csv.DictReader(open("out"))}
bad = False
for line in open("wanted"):
    name, wanted = line.split()
    verdict = rows[name]["verdict"]
    if not verdict or not re.match(wanted, verdict):
        print(name, verdict, "expected:", wanted)
        bad = True
assert not bad
CHECK

# A path that varies is a verdict that is kept; of one piece of code, too.
"$anechoic" time nasty/chosen_by_data.s >out 2>err || fail "varies"
grep -q 'no value: path-varies' out || fail "varies"
mkdir again
cp nasty/chosen_by_data.s again/
"$anechoic" time --cpu znver3 --db nasty.db --resume again >out 2>err || fail "resume"
grep -q 'chosen_by_data.s,,,path-varies' out || fail "resume: verdict"
grep -q ' 0 measured' err || fail "resume: measured"
