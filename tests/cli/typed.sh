#!/bin/sh
# What people type finds its form: in show, by words as the shell gives them.
#	typed.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	sed 's/^/  | /' out | head -12
	exit 1
}

# show EXPECTED TEXT...: the first line that show prints has EXPECTED.
show() {
	expected=$1
	shift
	"$anechoic" show --db a.db "$@" >out 2>&1 || fail "show $*"
	head -1 out | grep -qF -e "$expected" ||
		fail "show $*: expected $expected"
}

cat >core <<'E2'
isa = x86_64
width = 4
ports = a b
form .*: ports=a|b
E2
"$anechoic" measure --board fake --isa x86_64 --core core --db a.db --forms \
	'^(ADD64(rr|rr_REV|ri8|ri32|rm|mr)|VPERMDY(rm|rr)|CMOV64rr(/l)?)$' \
	>out 2>&1 || fail measure

show "ADD64rr, run 1" ADD64rr
show "'add rax, rcx': ADD64rr; also ADD64rr_REV" 'add rax, rcx'
show "'addq %rcx, %rax': ADD64rr;" 'addq %rcx, %rax'
show "'ADD (R64, R64)': ADD64rr;" 'ADD (R64, R64)'
show "'add [rax], rcx': ADD64mr" 'add [rax], rcx'
show "'addq (%rax), %rcx': ADD64rm" 'addq (%rax), %rcx'
show "'vpermd ymm m256': VPERMDYrm" vpermd ymm m256
show "'cmovge rax, rbx': CMOV64rr/l" 'cmovge rax, rbx'
grep -q '^CMOV64rr/l, run 1 on fake x86_64$' out || fail "the form is shown"
# Several: a table, those that programs use most first.
show "'add r64 imm': 2 forms" add r64 imm
grep -E '^ADD' out | head -1 | grep -q '^ADD64ri8 .*addq .* 1 ' ||
	fail "the form that is used most"
show "'vpermd': 2 forms" vpermd
# None.
"$anechoic" show --db a.db vpremd >out 2>&1
[ $? -eq 2 ] || fail "exit status"
grep -qx "anechoic: the database has no values of form 'vpremd'; did you mean \
'vpermd'?" out || fail "a near word"
"$anechoic" show --db a.db vpermd xmm5, imm >out 2>&1
[ $? -eq 2 ] || fail "exit status"
grep -q "did you mean 'vpermd'?" out || fail "the mnemonic alone"
# A form of another version's catalogue is near, too.
python3 - <<'E2' || fail "a form that the catalogue lacks"
import sqlite3
db = sqlite3.connect("a.db")
db.execute("UPDATE claim SET form = 'FROBNICATE' WHERE form = 'ADD64mr'")
db.execute("DELETE FROM claim WHERE form = ''")
db.commit()
E2
"$anechoic" show --db a.db FROBNICATES >out 2>&1
[ $? -eq 2 ] || fail "exit status"
grep -q "did you mean 'FROBNICATE'?" out ||
	fail "a name that the catalogue lacks is near"
# Nothing that could be a form; '' are the core's own values, where there are any.
for text in '' '%' ','; do
	"$anechoic" show --db a.db "$text" >out 2>&1
	[ $? -eq 2 ] || fail "exit status for '$text'"
	grep -q "no values of form '$text'" out || fail "'$text' is refused"
done
echo "1 passed, 0 failed"
