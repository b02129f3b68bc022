#!/bin/sh
# The example of docs/board/example.md, followed to the letter in a clone: each
# command line of the section is run as it stands, but for the name of the line.
# QEMU's sifive_u with OpenSBI and U-Boot plays the board.
#	porting.sh ANECHOIC SOURCE
set -u
anechoic=$(realpath "$1")
source=$2
work=$(mktemp -d)
qemu=
line=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$qemu" ] && kill "$qemu" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

uboot=/usr/lib/u-boot/qemu-riscv64_smode/u-boot.bin
if ! command -v qemu-system-riscv64 >/dev/null || [ ! -e $uboot ]; then
	echo "SKIP: no qemu-system-riscv64 or no $uboot"
	exit 0
fi
git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || {
	echo "SKIP: $source is not a git checkout"
	exit 0
}
git clone -q "$source" "$work/clone" 2>"$work/err" ||
	fail "clone: $(cat "$work/err")"
# The text that is tested is the one of the tree.
doc=$source/docs/board/example.md
mkdir "$work/share" "$work/bin"
ln -s "$work/clone/boards" "$work/share/boards"
ln -s "${anechoic%/bin/*}/share/anechoic/runtime" "$work/share/runtime"
export ANECHOIC_SHARE="$work/share"
cat >"$work/bin/anechoic" <<-END
	#!/bin/sh
	exec $anechoic "\$@"
END
chmod +x "$work/bin/anechoic"
PATH=$work/bin:$PATH
cd "$work" || exit 2

# The commands of the page, one a line, those that go on joined.
sed -n 's/^    \(.*\)/\1/p' "$doc" | sed -e :a -e '/\\$/N; s/\\\n *//; ta' |
	grep -E '^(anechoic|qemu-system)' >commands
n=$(wc -l <commands)
[ "$n" -ge 6 ] || fail "$n commands in the section"
[ "$n" -le 10 ] || fail "$n lines to write, more than ten"

# command WORD: the section's line that begins with it
command_of() {
	grep -m 1 -E "^$1" commands || fail "no '$1' in the section"
}
run() {
	sh -c "$(command_of "$1" | sed "s|/dev/ttyUSB0|${line:-/dev/null}|")" \
		>out 2>&1 || fail "$1: $(tail -n 20 out)"
}

run 'anechoic board new'
conf=clone/boards/hifive-unleashed/riscv64-sbi.conf
sed -n '/^    # hifive/,/^$/s/^    //p' "$doc" | cmp - $conf ||
	fail "the file is not the one that the section shows"
[ "$(git -C clone status --porcelain -uall | sort | tr '\n' ' ')" = \
	"?? boards/hifive-unleashed/README.md ?? boards/hifive-unleashed/riscv64-sbi.conf " ] ||
	fail "the clone: $(git -C clone status --porcelain -uall)"
run 'anechoic boards'
grep -Eq '^hifive-unleashed +riscv64 +sbi +either +serial +nowhere yet' out ||
	fail "boards: $(grep hifive out)"
run 'anechoic doctor'
grep -q 'ok .*runtime riscv64-sbi' out || fail "doctor: $(cat out)"
run 'anechoic measure'
grep -Eq '^MUL +1 +1 ' out || fail "try: $(cat out)"
run 'anechoic image'
grep -q 'flat image for hifive-unleashed' out || fail "image: $(cat out)"

# The board: it waits for `c` in its monitor, as for the power switch.
mkfifo monitor
sh -c "exec $(command_of qemu-system)" <monitor >qemu.txt 2>&1 &
qemu=$!
exec 3>monitor
for _ in $(seq 300); do
	line=$(tr -d '\r' <qemu.txt | grep -oE '/dev/pts/[0-9]+' | head -n 1)
	[ -n "$line" ] && break
	kill -0 "$qemu" 2>/dev/null || fail "QEMU: $(cat qemu.txt)"
	sleep 0.1
done
[ -n "$line" ] || fail "no line: $(cat qemu.txt)"
# Power on once `collect` prints the line that it opened.
(
	for _ in $(seq 300); do
		grep -q '^line: ' out 2>/dev/null && break
		sleep 0.1
	done
	echo c >&3
) &
rm -f out
run 'anechoic collect'
grep -q 'warning' out && fail "collect: $(grep warning out)"
grep -q "answered '=> '" out || fail "no dialogue: $(cat out)"
for form in ADD MUL; do
	grep -Eq "^$form +1 +1 " out || fail "collect: $(cat out)"
done
run 'anechoic show'
for field in 'machine +sifive,hifive-unleashed-a00' 'hz +1000000' \
	'uart +0x10010000' 'console +sbi'; do
	grep -Eq "^ *$field\$" out || fail "INFO lacks $field: $(cat out)"
done
echo "$n commands, 0 failed"
