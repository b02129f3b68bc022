#!/bin/sh
# A laboratory of nine boards that are QEMU, of three instruction sets: four
# that work, one of them started by the farm itself, two whose power fails while
# they measure, one that babbles, one that is silent, one without a line.  All that
# the six can give is there at the end, none has another's results, and the summary
# says what became of the three.  The time of a
# round is that of two tries of a board that never answers.
#	farm.sh ANECHOIC ROUNDS
. "$(dirname "$0")/../head.sh"
anechoic=$1
rounds=$2
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	for log in out/*.log; do
		echo "== $log"
		tail -5 "$log"
	done
	exit 1
}

for program in qemu-system-riscv64 qemu-system-aarch64 qemu-system-x86_64; do
	command -v $program >/dev/null || skip "no $program"
done

# image BOARD ISA FORMS FILE
image() {
	"$anechoic" image --board "$1" --isa "$2" --forms "$3" -o "$4" \
		>log 2>&1 || fail "image of $1: $(cat log)"
}
rv_forms='^(ADD|MUL|SUB|XOR|AND|OR)$'
arm_forms='^(MADDXrrr|MSUBXrrr|SMULHrr)$'
pc_forms='^(ADD64rr|IMUL64rr)$'
image qemu-virt riscv64 "$rv_forms" rv.img
image qemu-virt aarch64 "$arm_forms" arm.img
image pc-efi x86_64 "$pc_forms" pc.img

common='-display none -monitor none -serial stdio -no-reboot -nic none'
rv="exec qemu-system-riscv64 -M virt -cpu rv64 -m 256 -icount shift=0 $common -kernel rv.img"
arm="exec qemu-system-aarch64 -M virt,virtualization=on -cpu neoverse-n1 -m 512 -icount shift=0 $common -bios /usr/share/qemu-efi-aarch64/QEMU_EFI.fd -kernel arm.img"
# The waits of this firmware are in the board's time, of which an instruction takes
# 64 ns: with less there are more instructions to a wait.
pc="exec qemu-system-x86_64 -M q35 -cpu max -m 256 -icount shift=6 $common -bios /usr/share/ovmf/OVMF.fd -drive format=raw,snapshot=on,file=pc.img"
# A board whose power fails: its first two starts end early.
cat >crash.sh <<'END'
name=$1
shift
n=$(cat "$name.starts" 2>/dev/null || echo 0)
echo $((n + 1)) >"$name.starts"
[ "$n" -ge 2 ] || exec timeout -s KILL "0.$((n + 2))" sh -c "$*"
exec sh -c "$*"
END

# add NAME BOARD ISA FORMS CONSOLE
add() {
	cat >>lab.conf <<END
$1.board = $2
$1.isa = $3
$1.forms = $4
$1.console = $5
END
}
# A try may take what the slowest board takes alone, three times: six boards share
# the processors.
now_ms() {
	date +%s%3N
}
begin=$(now_ms)
"$anechoic" collect --board pc-efi --isa x86_64 --forms "$pc_forms" \
	--console-cmd "$pc" --db alone.db >log 2>&1 ||
	fail "pc-efi alone: $(cat log)"
alone=$(($(now_ms) - begin))
limit=$(((3 * alone + 999) / 1000))
[ "$limit" -ge 15 ] || limit=15
cat >lab.conf <<END
# Of each try.
tries = 2
limit = ${limit}s
END
add rv1 qemu-virt riscv64 "$rv_forms" "$rv"
cat >>lab.conf <<END
rv2.board = qemu-virt
rv2.isa = riscv64
rv2.forms = $rv_forms
desk.board = banana-pi-f3
desk.forms = $rv_forms
END
add arm1 qemu-virt aarch64 "$arm_forms" "$arm"
add pc1 pc-efi x86_64 "$pc_forms" "$pc"
add crash1 qemu-virt riscv64 "$rv_forms" "sh crash.sh crash1 '$rv'"
add crash2 qemu-virt aarch64 "$arm_forms" "sh crash.sh crash2 '$arm'"
add babble qemu-virt riscv64 "$rv_forms" "exec yes 'what a fine day @1 info'"
add silent qemu-virt riscv64 "$rv_forms" "exec sleep 1000"
echo "silent.power = echo >>silent.cycles" >>lab.conf

# state NAME: of the summary.
state() {
	sed -n "s/.*\"name\":\"$1\",\"state\":\"\\([a-z]*\\)\".*/\\1/p" \
		out/summary.json
}

# values DB FORMS: every form has its latency.
values() {
	"$anechoic" export --db "$1" --format csv -o csv >log 2>&1 ||
		fail "export of $1: $(cat log)"
	for form in $(echo "$2" | tr -d '^()$' | tr '|' ' '); do
		grep -q "[\",]*${form}[\",]" csv || fail "$1: no value of $form"
	done
}

round() {
	rm -rf out ./*.starts silent.cycles
	start=$(date +%s)
	"$anechoic" farm lab.conf -o out >status 2>&1
	[ $? = 1 ] || fail "a farm with three broken boards: exit status 1"
	took=$(($(date +%s) - start))
	for board in rv1 rv2 arm1 pc1 crash1 crash2; do
		[ "$(state $board)" = "done" ] ||
			fail "$board: $(grep "\"$board\"" out/summary.json)"
	done
	for board in babble silent desk; do
		[ "$(state $board)" = "failed" ] || fail "$board must fail"
		grep "\"$board\"" out/summary.json | grep -q '"why":"."' &&
			fail "$board: no reason"
	done
	for board in rv1 rv2 crash1; do
		values out/$board.db "$rv_forms"
	done
	values out/arm1.db "$arm_forms"
	values out/crash2.db "$arm_forms"
	values out/pc1.db "$pc_forms"
	grep '"desk"' out/summary.json | grep -q '"tries":1,.*needs --tty DEV' ||
		fail "a board without a line: what it needs"
	[ -s silent.cycles ] || fail "the silent board was power-cycled"
	[ "$(cat crash1.starts)" -ge 2 ] || fail "crash1 did not crash"
	[ "$took" -lt $((2 * limit + 100)) ] || fail "$took s"
	if "$anechoic" help merge >/dev/null 2>&1; then
		[ -s out/all.db ] || fail "the merged database"
	fi
	slowest=$(sed -n 's/.*"state":"done".*"seconds":\([0-9.]*\).*/\1/p' \
		out/summary.json | sort -n | tail -1)
	echo "round: $took s, its slowest board that works $slowest s"
}

for _ in $(seq "$rounds"); do
	round
done
echo "$rounds rounds: $((($(now_ms) - begin) / 1000)) s, the slowest board alone: $alone ms"
