#!/bin/sh
# Firmware where memory is either written or executed (firmware/attribute.c):
# kernels run all the same - and fault where the firmware keeps to that but
# offers no way to change it, which shows that it does keep to it.
#	wx.sh ANECHOIC FIRMWARE
. "$(dirname "$0")/../head.sh"
anechoic=$1
firmware=$2

need qemu-system-aarch64 qemu-system-arm
"$anechoic" image --board grace-efi --forms '^MADDXrrr$' -o "$work/esp.img" \
	>"$work/out" || fail "image: $(cat "$work/out")"
mcopy -i "$work/esp.img" ::EFI/BOOT/BOOTAA64.EFI "$work/anechoic.efi" ||
	fail "the application"
echo 'ready_ms = 1' >"$work/conf"
mcopy -i "$work/esp.img" "$work/anechoic.efi" ::anechoic.efi ||
	fail "the disk"
mcopy -o -i "$work/esp.img" "$work/conf" ::anechoic/anechoic.conf ||
	fail "options"

# boot FIRMWARE VIRTUALIZATION: the records in $work/run-001.log
boot() {
	cp "$work/esp.img" "$work/disk"
	mcopy -o -i "$work/disk" "$firmware/$1.efi" ::EFI/BOOT/BOOTAA64.EFI ||
		fail "the firmware"
	timeout 300 qemu-system-aarch64 -M virt,virtualization="$2" \
		-cpu neoverse-n1 -m 512 -icount shift=0,sleep=off -display none \
		-monitor none -serial stdio -no-reboot -nic none \
		-bios /usr/share/qemu-efi-aarch64/QEMU_EFI.fd \
		-drive "if=none,id=disk,format=raw,file=$work/disk" \
		-device virtio-blk-device,drive=disk </dev/null \
		>"$work/console" 2>&1 || fail "QEMU: $(tail -3 "$work/console")"
	mcopy -n -o -i "$work/disk" ::anechoic/run-001.log "$work/run-001.log" ||
		fail "no records: $(tail -3 "$work/console")"
}

for level in on off; do
	boot attribute $level
	grep -q ' fault ' "$work/run-001.log" &&
		fail "virtualization=$level: $(grep ' fault ' "$work/run-001.log")"
	grep -q ' bye ' "$work/run-001.log" || fail "no end"
	rm -f "$work/db"
	"$anechoic" import --log "$work/run-001.log" --db "$work/db" \
		>"$work/out" 2>&1 || fail "import: $(cat "$work/out")"
	grep -Eq '^MADDXrrr +1 +1 ' "$work/out" ||
		fail "MADD of 1 cycle: $(cat "$work/out")"
done
boot locked on
grep -q ' fault .*cause=access' "$work/run-001.log" ||
	fail "a kernel ran from memory that is data"
grep -q ' sample ' "$work/run-001.log" && fail "a sample from data"
echo "1 passed, 0 failed"
