#!/bin/sh
# Servers that refuse parts of the core to the runtime, which finds them by
# trying. EL3 without counters and SVE for the levels below (firmware/el3.S): the
# reference clock measures. A hypervisor that leaves only the cycle counter to EL1
# (firmware/el2.S), and a counter without the event of instructions: the core
# clock measures, and silence is not provable.
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

# runs PID: is the child neither gone nor a zombie?
runs() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z*) return 1 ;;
	esac
}

# wait_for TEXT: on the console, as long as the machine runs; ctest has a limit
wait_for() {
	until grep -aq "$1" "$work/console"; do
		runs "$pid" ||
			grep -aq "$1" "$work/console" ||
			fail "no '$1': $(tail -5 "$work/console")"
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
one='(1|1[.]00[0-9]+|0[.]99[0-9]+)'

# boot FIRMWARE MACHINE ICOUNT FIELDS...: INFO has the fields, no kernel faults
boot() {
	name=$1
	machine=$2
	icount=$3
	shift 3
	: >"$work/console"
	start="-device loader,file=$uboot,addr=0x50000000
		-device loader,file=$firmware/$name.bin,addr=0x4f000000,cpu-num=0"
	[ "$name" != none ] || start="-bios $uboot"
	# shellcheck disable=SC2086 # lists of words
	qemu-system-aarch64 -M "virt,$machine" -cpu max -m 512 \
		$icount -display none -monitor none -serial stdio \
		-no-reboot -nic none $start \
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
	exec 3>&-
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	pid=
	for field in "$@"; do
		grep -aq "@0 info .* $field " "$work/console" ||
			fail "$name: INFO has no $field:" \
				"$(grep -a '@0 info' "$work/console")"
	done
	grep -aq ' fault ' "$work/console" && fail "$name: a fault"
	rm -f "$work/db"
	"$anechoic" import --log "$work/console" --db "$work/db" \
		>"$work/out" 2>&1 || fail "$name: import: $(cat "$work/out")"
}

# unprovable NAME: samples have no counts of instructions, and it is said
unprovable() {
	grep -aq ' sample .* i=' "$work/console" &&
		fail "$1: instructions are counted"
	grep -q 'silence not provable' "$work/out" ||
		fail "$1: not said: $(cat "$work/out")"
}

icount='-icount shift=0,sleep=off'
boot el3 secure=on,virtualization=on "$icount" clock=ref sve_bytes=0 el=2
grep -Eq "^MADDXrrr +$one +$one( |\$)" "$work/out" || fail "$(cat "$work/out")"
boot el2 virtualization=on "$icount" clock=core el=1
grep -Eq "^MADDXrrr +1 +1( |\$)" "$work/out" || fail "el2: $(cat "$work/out")"
unprovable el2
# QEMU's counter has this event only if it counts instructions itself.
boot none virtualization=on "" clock=core el=2
unprovable "no event"
echo "3 passed, 0 failed"
