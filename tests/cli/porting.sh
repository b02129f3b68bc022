#!/bin/sh
# docs/porting-board.md, followed to the letter: its new board is one file.
#	porting.sh ANECHOIC
set -u
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
doc=$(dirname "$0")/../../docs/porting-board.md
share=$(dirname "$anechoic")/../share/anechoic

fail() {
	echo "FAIL: $*"
	exit 1
}

# An installation of our own, to which the file is added.
mkdir -p "$work/boards/visionfive-2"
ln -s "$(realpath "$share")/runtime" "$work/runtime"
cp -R "$share"/boards/* "$work/boards/" || fail "the boards there are"
sed -n '/^    # StarFive/,/^$/s/^    //p' "$doc" \
	>"$work/boards/visionfive-2/riscv64-sbi.conf"
[ -s "$work/boards/visionfive-2/riscv64-sbi.conf" ] || fail "its file"
ANECHOIC_SHARE=$work
export ANECHOIC_SHARE
cd "$work" || exit 2

"$anechoic" boards >out || fail "boards: $(cat out)"
grep -Eq '^visionfive-2 +riscv64 +sbi +either +serial +nowhere yet' out ||
	fail "boards: $(grep visionfive out)"
"$anechoic" doctor --board visionfive-2 --tty /dev/null >out 2>&1
grep -q 'ok .*runtime riscv64-sbi' out || fail "doctor: $(cat out)"
"$anechoic" measure --board visionfive-2 >out 2>&1 && fail "measured without a board"
grep -q -- '--tty DEV' out || fail "measure: $(cat out)"
"$anechoic" image --board visionfive-2 --forms '^(ADD|MUL)$' -o sd.img >out 2>&1 ||
	fail "image: $(cat out)"
grep -q 'sd image for visionfive-2' out || fail "image: $(cat out)"
if command -v qemu-system-riscv64 >/dev/null; then
	"$anechoic" measure --board qemu-virt --isa riscv64 --cpu sifive-u74 \
		--forms '^(ADD|MUL|SH1ADD)$' --db try.db >out 2>&1 ||
		fail "try: $(cat out)"
	grep -Eq '^MUL +1 +1 ' out || fail "try: $(cat out)"
fi
echo "1 passed, 0 failed"
