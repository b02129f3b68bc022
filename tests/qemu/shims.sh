#!/bin/sh
# Firmware of AArch64 servers as hardware may have it (firmware/unmapped.c,
# firmware/foreign.c): every kernel gives its sample, none faults.
#	shims.sh ANECHOIC FIRMWARE
. "$(dirname "$0")/../head.sh"
anechoic=$1
firmware=$2

need qemu-system-aarch64 qemu-system-arm
"$anechoic" image --board grace-efi --forms '^(MADDXrrr|ADDXrs)$' \
	-o "$work/esp.img" >"$work/out" || fail "image: $(cat "$work/out")"
mcopy -i "$work/esp.img" ::EFI/BOOT/BOOTAA64.EFI "$work/anechoic.efi" ||
	fail "the application"
printf 'ready_ms = 1\nlog = 0\n' >"$work/conf"
mcopy -i "$work/esp.img" "$work/anechoic.efi" ::anechoic.efi ||
	fail "the disk"
mcopy -o -i "$work/esp.img" "$work/conf" ::anechoic/anechoic.conf ||
	fail "options"

# boot FIRMWARE MACHINE FIELDS...: INFO has the fields, all kernels a sample
boot() {
	name=$1
	machine=$2
	shift 2
	cp "$work/esp.img" "$work/disk"
	mcopy -o -i "$work/disk" "$firmware/$name.efi" \
		::EFI/BOOT/BOOTAA64.EFI || fail "the firmware"
	timeout 30 qemu-system-aarch64 -M "virt,$machine" \
		-cpu neoverse-n1 -m 512 -icount shift=0,sleep=off -display none \
		-monitor none -serial stdio -no-reboot -nic none \
		-bios /usr/share/qemu-efi-aarch64/QEMU_EFI.fd \
		-drive "if=none,id=disk,format=raw,file=$work/disk" \
		-device virtio-blk-device,drive=disk </dev/null \
		>"$work/console" 2>&1 ||
		fail "$name, $machine: $(tail -3 "$work/console")"
	for field in "$@"; do
		grep -aq "@0 info .* $field " "$work/console" ||
			fail "$name, $machine: INFO has no $field:" \
				"$(grep -a '@0 info' "$work/console")"
	done
	grep -aq ' fault ' "$work/console" &&
		fail "$name, $machine: $(grep -a ' fault ' "$work/console")"
	grep -aq ' bye ' "$work/console" || fail "$name, $machine: no end"
	rm -f "$work/db"
	"$anechoic" import --log "$work/console" --db "$work/db" \
		>"$work/out" 2>&1 || fail "import: $(cat "$work/out")"
	for form in MADDXrrr ADDXrs; do
		grep -Eq "^$form +1 +1( |\$)" "$work/out" ||
			fail "$name, $machine: $(cat "$work/out")"
	done
}

boot unmapped virtualization=on,gic-version=2 console=pl011 uart_map=runtime
boot unmapped virtualization=off,gic-version=3 console=pl011 uart_map=runtime
boot foreign virtualization=on,gic-version=2 watchdog=virtual
boot foreign virtualization=off,gic-version=3,its=on watchdog=virtual
boot foreign virtualization=on,acpi=off,gic-version=3 watchdog=virtual
boot hidden virtualization=on,gic-version=3 interrupts=0
boot masked virtualization=on,gic-version=2 watchdog=none
echo "7 passed, 0 failed"
