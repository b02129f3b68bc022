#!/bin/sh
# `anechoic board new`: the files of a board by options and by questions, which
# the program can use; nothing is left of one that fails, nothing is replaced.
#	board.sh ANECHOIC
. "$(dirname "$0")/../head.sh"
anechoic=$1
share=$(realpath "$(dirname "$anechoic")/../share/anechoic")
anechoic=$(realpath "$anechoic")

mkdir "$work/boards"
ln -s "$share/runtime" "$work/runtime"
export ANECHOIC_SHARE="$work"
cd "$work" || exit 2

# By options.
"$anechoic" board new one --isa riscv64 --cpu sifive-u74,+zbc --image flat \
	--uart sifive-uart0@0x10010000 --load-address 0x84000000 \
	--timebase 1000000 >out 2>err </dev/null || fail "new: $(cat err)"
conf=boards/one/riscv64-sbi.conf
# shellcheck disable=SC2016 # U-Boot's variable
for line in 'cpu = sifive-u74' 'features = +zbc' 'image = flat' \
	'info = hz=1000000,uart=0x10010000,console=sbi' \
	'dialogue.2 = 20|=> |booti 0x84000000 - ${fdtcontroladdr}'; do
	grep -qxF "$line" $conf || fail "no '$line' in $(cat $conf)"
done
grep -qF "setenv bootcmd 'booti 0x84000000 - \${fdtcontroladdr}'" \
	boards/one/README.md || fail "what to save: $(cat boards/one/README.md)"
"$anechoic" boards >out 2>&1 || fail "boards: $(cat out)"
grep -Eq '^one +riscv64 +sbi +either +serial +nowhere yet' out ||
	fail "boards: $(cat out)"
"$anechoic" image --board one --forms '^ADD$' -o one.img >out 2>&1 ||
	fail "image: $(cat out)"
"$anechoic" board new one --isa riscv64 --uart a@1 --load-address 0x1000 \
	--timebase 1 >out 2>&1 && fail "a board is replaced"
grep -q "$conf exists; edit it" out || fail "replaced: $(cat out)"
grep -qxF 'image = flat' $conf || fail "the file of a refused board"

# By questions; the answers of a terminal or a pipe.
printf 'ns16550@0x10000000\n0x40200000\n4000000\n' |
	"$anechoic" board new two --isa riscv64 >out 2>err ||
	fail "questions: $(cat err)"
grep -q 'printenv kernel_addr_r' err || fail "a question: $(cat err)"
conf=boards/two/riscv64-sbi.conf
for line in 'info = hz=4000000,uart=0x10000000' \
	'dialogue.2 = 20|=> |load mmc 0:1 0x40200000 /anechoic.img'; do
	grep -qxF "$line" $conf || fail "no '$line' in $(cat $conf)"
done
printf 'ns16550@0x10000000\n' |
	"$anechoic" board new three --isa riscv64 >out 2>err && fail "no answer"
grep -q 'missing --load-address ADDRESS' err || fail "no answer: $(cat err)"
[ ! -e boards/three ] || fail "a part of a board is left"

# Without firmware: its devices are in its file, and in the image's tree.
"$anechoic" board new core --isa riscv64 --boot mmode --cpu generic-rv64,+m \
	--uart ns16550a@0x10000000 --timebase 10000000 --chip thead,c906 \
	--clint thead,c900-clint@0x4004000000 --poweroff sifive,test0@0x100000 \
	>out 2>err </dev/null || fail "mmode: $(cat err)"
conf=boards/core/riscv64-mmode.conf
for line in 'runtime = riscv64-mmode' 'image = flat' 'timebase = 10000000' \
	'uart = ns16550a@0x10000000' 'chip = thead,c906' \
	'clint = thead,c900-clint@0x4004000000' \
	'poweroff = sifive,test0@0x100000' \
	'info = mode=m,hz=10000000,uart=0x10000000'; do
	grep -qxF "$line" $conf || fail "no '$line' in $(cat $conf)"
done
"$anechoic" image --board core --forms '^ADD$' -o core.img >out 2>&1 ||
	fail "mmode: $(cat out)"
if command -v qemu-system-riscv64 >/dev/null; then
	"$anechoic" board new virt --isa riscv64 --boot mmode --timebase 10000000 \
		--uart ns16550a@0x10000000 --poweroff sifive,test0@0x100000 \
		-o "$work" >out 2>err </dev/null || fail "virt: $(cat err)"
	"$anechoic" image --board ./virt --forms '^ADD$' -o virt.img >out 2>&1 ||
		fail "virt: $(cat out)"
	timeout 60 qemu-system-riscv64 -M virt -m 64 -icount shift=0 -display none \
		-monitor none -serial stdio -bios virt.img >virt.log </dev/null
	"$anechoic" import --log virt.log --db virt.db >out 2>&1 ||
		fail "virt: $(cat out)"
	# The log names a folder that lies here, or that its path names.
	grep -q 'because' out && fail "virt here: $(cat out)"
	mv virt there
	"$anechoic" import --log virt.log --db none.db >out 2>&1
	grep -q "a board that this anechoic does not know" out ||
		fail "virt nowhere: $(cat out)"
	mv there virt
	rm -r virt
fi
rm -r boards/core

# Firmware that needs no questions.
for isa in aarch64 x86_64; do
	"$anechoic" board new "$(echo $isa | tr _ -)" --isa $isa >out 2>&1 \
		</dev/null || fail "$isa: $(cat out)"
	grep -qx 'image = fat' boards/*/$isa-efi.conf || fail "$isa: image"
done
"$anechoic" boards >out 2>&1 || fail "boards: $(cat out)"
[ "$(grep -c '^[a-z]' out)" -eq 5 ] || fail "boards: $(cat out)"

# Outside the installation: in the folder of a path, and in the user's, where a
# board hides an installed one.
cp -r boards/two ./desk
"$anechoic" image --board ./desk --forms '^ADD$' -o desk.img >out 2>&1 ||
	fail "a path: $(cat out)"
"$anechoic" image --board ./none --forms '^ADD$' -o none.img >out 2>&1 &&
	fail "no folder"
grep -q -- '--board ./none: no such folder' out || fail "no folder: $(cat out)"
"$anechoic" image --board ./boards --forms '^ADD$' -o none.img >out 2>&1 &&
	fail "a folder without a board"
grep -q -- 'has no <isa>-<boot>.conf' out || fail "no board: $(cat out)"
export XDG_CONFIG_HOME="$work/config"
mkdir -p config/anechoic/boards
cp -r desk config/anechoic/boards/one
mv desk config/anechoic/boards/zwei
"$anechoic" boards >out 2>&1 || fail "boards: $(cat out)"
[ "$(grep -c '^one ' out)" -eq 1 ] || fail "hidden: $(cat out)"
grep -q '^zwei ' out || fail "the user's: $(cat out)"
"$anechoic" image --board zwei --forms '^ADD$' -o zwei.img >out 2>&1 ||
	fail "the user's: $(cat out)"
chmod o+w config/anechoic/boards
"$anechoic" boards | grep -q '^zwei' && fail "a folder that all may write"
rm -rf config
# `board new` where the installed folder cannot be written: a file here, as root may
# write to any folder.
mkdir share
ln -s "$share/runtime" share/runtime
ln -s /proc/sys share/boards
ANECHOIC_SHARE=$work/share "$anechoic" board new four --isa x86_64 \
	>out 2>&1 </dev/null || fail "the user's folder: $(cat out)"
[ -f config/anechoic/boards/four/x86_64-efi.conf ] ||
	fail "not in the user's folder: $(cat out)"
rm -rf config share
unset XDG_CONFIG_HOME

# A wrong word in the file is named, with the file and what is expected.
# wrong KEY VALUE MESSAGE COMMAND...: the command fails so with this line
wrong() {
	key=$1
	value=$2
	message=$3
	shift 3
	cp boards/one/riscv64-sbi.conf good
	sed -i "/^$key =/d" boards/one/riscv64-sbi.conf
	echo "$key = $value" >>boards/one/riscv64-sbi.conf
	"$anechoic" "$@" --forms '^ADD$' >out 2>&1 &&
		fail "$key = $value is accepted"
	grep -qF "boards/one/riscv64-sbi.conf: $message" out ||
		fail "$key = $value: $(cat out)"
	cp good boards/one/riscv64-sbi.conf
}
wrong cpu vax "cpu, features: unknown CPU 'vax'" image --board one -o i
wrong features +vax "cpu, features: unknown CPU feature '+vax'; expected +NAME" \
	image --board one -o i
wrong image flet "unknown image kind 'flet'; expected one of flat, fat, sd" \
	image --board one -o i
wrong image none "this board boots no image" image --board one -o i
wrong runtime riscv64-uefi "runtime 'riscv64-uefi': there is no $work/runtime" \
	image --board one -o i
wrong transport serail "unknown transport 'serail'; expected one of fake," \
	measure --board one --db db
[ ! -e db ] || fail "a database of nothing"

# Features belong to any CPU where none is named.
sed -i '/^cpu =/d; s/^features =.*/features = +zba/' boards/one/riscv64-sbi.conf
"$anechoic" image --board one --forms '^SH1ADD$' -o one.img >out 2>&1 ||
	fail "features without a CPU: $(cat out)"

# What INFO says otherwise is a warning; wrong fields are refused.
if command -v qemu-system-riscv64 >/dev/null; then
	mkdir boards/qemu
	sed 's/-kernel/-m 128 -kernel/' "$share/boards/qemu-virt/riscv64-sbi.conf" \
		>boards/qemu/riscv64-sbi.conf
	echo 'info = hz=10000000,memory=268435456,colour=red' \
		>>boards/qemu/riscv64-sbi.conf
	"$anechoic" measure --board qemu --forms '^ADD$' --db db >out 2>&1 ||
		fail "measure: $(cat out)"
	grep -q 'warning: INFO has memory=134217728, but .*/qemu/riscv64-sbi.conf says memory=268435456: correct' \
		out || fail "another memory: $(cat out)"
	grep -q 'warning: INFO has no colour, but .* says colour=red: correct' \
		out || fail "no field: $(cat out)"
	grep -q 'warning: INFO has hz' out && fail "hz is as it must be"
fi
echo 'info = hz' >>boards/two/riscv64-sbi.conf
"$anechoic" boards >out 2>&1 && fail "info twice"
sed -i '/^info = hz=/d' boards/two/riscv64-sbi.conf
"$anechoic" boards >out 2>&1 && fail "info = hz"
grep -q "riscv64-sbi.conf:[0-9]*: 'info' must be fields of INFO" out ||
	fail "info = hz: $(cat out)"
echo "1 passed, 0 failed"
