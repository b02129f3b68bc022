#!/bin/sh
# A server whose EL3 refuses counters and SVE (firmware/el3.S): the runtime finds
# both by trying, and measures on the reference clock.
#	el3.sh ANECHOIC FIRMWARE
set -u
anechoic=$1
firmware=$2
work=$(mktemp -d)
pid=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$pid" ] && kill "$pid" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "FAIL: $*"
	exit 1
}

# wait_for TEXT: on the console, within 30 s
wait_for() {
	n=0
	until grep -aq "$1" "$work/console"; do
		n=$((n + 1))
		[ $n -lt 300 ] || fail "no '$1': $(tail -5 "$work/console")"
		sleep 0.1
	done
}

uboot=/usr/lib/u-boot/qemu_arm64/u-boot.bin
if ! command -v qemu-system-aarch64 >/dev/null || [ ! -f $uboot ]; then
	echo "SKIP: no qemu-system-aarch64 or U-Boot (qemu-system-arm, u-boot-qemu)"
	exit 0
fi
"$anechoic" image --board grace-efi --forms '^MADDXrrr$' \
	-o "$work/esp.img" >"$work/out" 2>&1 ||
	fail "image: $(cat "$work/out")"
mkfifo "$work/keys"
: >"$work/console"
qemu-system-aarch64 -M virt,secure=on,virtualization=on -cpu max -m 512 \
	-icount shift=0,sleep=off -display none -monitor none -serial stdio \
	-no-reboot -nic none -device loader,file=$uboot,addr=0x50000000 \
	-device "loader,file=$firmware/el3.bin,addr=0x4f000000,cpu-num=0" \
	-drive "if=none,id=disk,format=raw,file=$work/esp.img" \
	-device virtio-blk-device,drive=disk <"$work/keys" \
	>"$work/console" 2>&1 &
pid=$!
exec 3>"$work/keys"
wait_for 'stop autoboot'
echo >&3
wait_for '=> '
# shellcheck disable=SC2016 # U-Boot's variables
echo 'load virtio 0:1 ${kernel_addr_r} EFI/BOOT/BOOTAA64.EFI; bootefi ${kernel_addr_r} ${fdtcontroladdr}' >&3
wait_for ' bye \|resetting'
for field in clock=ref sve_bytes=0 el=2; do
	grep -aq "@0 info .* $field " "$work/console" ||
		fail "INFO has no $field: $(grep -a '@0 info' "$work/console")"
done
grep -aq ' fault ' "$work/console" && fail "a fault"
"$anechoic" import --log "$work/console" --db "$work/db" >"$work/out" 2>&1 ||
	fail "import: $(cat "$work/out")"
one='(1|1[.]00[0-9]+|0[.]99[0-9]+)'
grep -Eq "^MADDXrrr +$one +$one( |\$)" "$work/out" || fail "$(cat "$work/out")"
echo "1 passed, 0 failed"
