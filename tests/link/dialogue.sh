#!/bin/sh
# A board whose firmware stops at a prompt, behind a serial line:
#	dialogue.sh ANECHOIC LINE BOARDS CASE [ARGUMENT]
# LINE is tests/link/line.c, BOARDS the folder of boards with dialogues.  Each
# case is a function below.
set -u
anechoic=$1
line=$2
boards=$3
case=$4
argument=${5:-}
work=$(mktemp -d)
pid=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	[ -n "$pid" ] && kill "$pid"
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	exit 1
}

need() {
	for needed in "$@"; do
		[ -f "$needed" ] || command -v "$needed" >/dev/null || {
			echo "SKIP: no $needed"
			exit 0
		}
	done
}

# The installed files, with the boards of these tests.
use_boards() {
	share=${ANECHOIC_SHARE:-$(dirname "$anechoic")/../share/anechoic}
	mkdir share
	for folder in "$share"/*; do
		[ "${folder##*/}" = boards ] || ln -s "$folder" share/
	done
	cp -r "$boards" share/boards
	export ANECHOIC_SHARE="$work/share"
}

# connect COMMAND...: a line with the command as its board
baud=0
connect() {
	"$line" tty $baud "$@" &
	pid=$!
	for _ in $(seq 300); do
		[ -e tty ] && return
		sleep 0.1
	done
	fail "no line within 30 s"
}

# until PATTERN FILE: wait until a line of the file matches
until_line() {
	for _ in $(seq 600); do
		grep -q "$1" "$2" 2>/dev/null && return
		sleep 0.1
	done
	fail "no '$1': $(cat "$2")"
}

forms='^(ADDXrs|MADDXrrr)$'

# host COMMAND BOARD ISA OPTION...
host() {
	command=$1
	board=$2
	isa=$3
	shift 3
	timeout 300 "$anechoic" "$command" --board "$board" --isa "$isa" \
		--forms "$forms" --tty tty --db db "$@" >log 2>&1
}
collect() {
	host collect "$@"
}

# answered TEXT COUNT: the dialogue had this step so often
answered() {
	n=$(grep -Fc "answered '$1'" log)
	[ "$n" -eq "$2" ] || fail "'$1' answered $n times, not $2: $(cat log)"
}

# Read the line until U-Boot has printed its prompt: what comes then is lost for a host.
await_prompt() {
	timeout 300 python3 -c '
text = b""
with open("tty", "rb", buffering=0) as line:
    while not text.endswith(b"=> "):
        text += line.read(1)' || fail "no prompt"
}

bootcmd='echo vendor image; sleep 1000'
uboot=/usr/lib/u-boot/qemu_arm64/u-boot.bin
uboot_riscv64=/usr/lib/u-boot/qemu-riscv64_smode/u-boot.bin

# start_uboot COUNTDOWN [BOARD]: a U-Boot that has saved its environment, with a
# boot command that does not look at the card.
start_uboot() {
	need qemu-system-aarch64 mkenvimage $uboot
	"$anechoic" image --board "${2:-uboot}" --forms "$forms" -o card \
		>log 2>&1 || fail "image: $(cat log)"
	cat >text <<-END
		bootdelay=$1
		kernel_addr_r=0x40400000
		scriptaddr=0x40200000
		devtype=virtio
		anechoic_boot=bootefi
		bootcmd=$bootcmd
	END
	mkenvimage -s 0x40000 -o saved text || fail "mkenvimage"
	truncate -s 64M saved
	connect qemu-system-aarch64 -M virt,virtualization=on -cpu cortex-a57 \
		-m 512 -display none -monitor none -serial stdio -nic none \
		-bios $uboot -drive if=pflash,format=raw,index=1,file=saved \
		-drive if=none,id=card,format=raw,file=card \
		-device virtio-blk-device,drive=card
}

# The countdown is stopped and the card started.  The host may be too late for
# the first countdown, so it resets the board.
countdown() {
	start_uboot "$argument"
	collect uboot aarch64 --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	grep -q '56/56 visits' log || fail "all kernels: $(cat log)"
}

# The countdown was stopped before the host started.  Nothing is typed at the silent line,
# the user is told once what to do and to type, and the dialogue follows the reset.
prompt() {
	start_uboot -1
	await_prompt
	collect uboot aarch64 &
	host=$!
	until_line 'nothing on the line' log
	grep -q 'answered' log && fail "an unasked answer: $(cat log)"
	grep -q "waits at '=> ', --wake .* type there: .*virtio.* and bootefi" log ||
		fail "what to type: $(cat log)"
	kill -HUP "$pid"
	wait "$host" || fail "collect: $(cat log)"
	[ "$(grep -c 'nothing on the line' log)" = 1 ] || fail "once: $(cat log)"
	answered '=> ' 2
}

# The same with --wake: one Ctrl-C, and the prompt is answered.
wake() {
	start_uboot -1
	await_prompt
	collect uboot aarch64 --wake || fail "collect: $(cat log)"
	[ "$(grep -c 'typed Ctrl-C' log)" = 1 ] || fail "Ctrl-C: $(cat log)"
	answered '=> ' 2
}

# The board restarts in the middle of a run, by itself; its kernels are those of the
# image (collect), or the host sends them again (measure).
reboot() {
	forms='^(ADD|SUB|MADD|AND|ORR|EOR)[WX]r'
	baud=19200
	start_uboot 2
	host "$argument" uboot aarch64 --reset-cmd "kill -HUP $pid" &
	host=$!
	# The line needs 8 s for the samples, the first words about progress 5 s.
	until_line '[1-9][0-9]*/[0-9]* visits' log
	grep -q '\[#*\] ' log && fail "the run has ended: $(cat log)"
	kill -HUP "$pid"
	wait "$host" || fail "$argument: $(cat log)"
	answered '=> ' 4
	grep -q ' [1-9][0-9]* without a value (0 faults)' log ||
		fail "a kernel was blamed: $(cat log)"
}

# The boot command that the README of the board in the argument says to save:
# with it the board starts the card by itself, without a dialogue.
saved() {
	readme=$boards/../../../boards/$argument/README.md
	bootcmd=$(sed -n "s/^    setenv bootcmd '\(.*\)'/\1/p" "$readme" |
		sed 's/mmc 0:1/virtio 0:1/')
	[ -n "$bootcmd" ] || fail "no boot command in the README"
	start_uboot 0 saved
	collect saved aarch64 --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	grep -q answered log && fail "an answer: $(cat log)"
	return 0
}

# The dialogue of a board in boards/, under the U-Boot that QEMU has, whose prompt and
# disk are others.
own() {
	board=$argument
	cp -r "$boards/../../../boards/$board" share/boards/
	conf=$(ls share/boards/"$board"/*.conf)
	isa=$(basename "$conf" | cut -d - -f 1)
	sed -i -E 's/\|(StarFive # |U-Boot> )\|/|=> |/
		s/\|load mmc [01]:(.) /|setenv devtype virtio; load virtio 0:\1 /' "$conf"
	# QEMU's 16550 takes no key after one that came before U-Boot set it up.
	sed -i 's/= U-Boot 20|/= not under QEMU|/' "$conf"
	grep -q '^image = fat' "$conf" && sed -i 's/virtio 0:1/virtio 0:0/' "$conf"
	case $isa in
	aarch64)
		start_uboot 2 "$board"
		;;
	riscv64)
		need qemu-system-riscv64 $uboot_riscv64
		forms='^(ADD|MUL)$'
		"$anechoic" image --board "$board" --forms "$forms" -o card \
			>log 2>&1 || fail "image: $(cat log)"
		connect qemu-system-riscv64 -M virt -m 256 -display none \
			-monitor none -serial stdio -no-reboot -nic none \
			-cpu rv64,v=true,vlen=256,vext_spec=v1.0 -kernel $uboot_riscv64 \
			-drive if=none,id=card,format=raw,file=card \
			-device virtio-blk-device,drive=card
		;;
	esac
	# On a loaded machine U-Boot may have booted the card before this host came.
	for _ in 1 2 3; do
		collect "$board" "$isa" --reset-cmd "kill -HUP $pid" ||
			fail "collect: $(cat log)"
		! grep -q "answered '=> '" log || break
		rm -f db
		kill -HUP "$pid"
	done
	grep -q "answered '=> '" log || fail "the dialogue: $(cat log)"
	# INFO differs from the board's: this is a QEMU.
	grep -q 'board.*hz' log || fail "what INFO must have: $(cat log)"
}

# start_shell ISA: EFI firmware that stops in its shell, because the application is
# where no boot entry finds it.  Its variables are kept.
start_shell() {
	case $1 in
	aarch64)
		code=/usr/share/AAVMF/AAVMF_CODE.fd
		variables=/usr/share/AAVMF/AAVMF_VARS.fd
		file=BOOTAA64.EFI
		set -- qemu-system-aarch64 -M virt,virtualization=on \
			-cpu cortex-a57 -m 512 \
			-device virtio-blk-device,drive=disk
		;;
	x86_64)
		forms='^ADD64rr$'
		code=/usr/share/OVMF/OVMF_CODE.fd
		variables=/usr/share/OVMF/OVMF_VARS.fd
		file=BOOTX64.EFI
		set -- qemu-system-x86_64 -M q35 -m 256 -cpu max -icount shift=4 \
			-device virtio-blk-pci,drive=disk
		;;
	esac
	need "$1" "$code" "$variables" mcopy
	"$anechoic" image --board shell --isa "$argument" --forms "$forms" \
		-o disk >log 2>&1 || fail "image: $(cat log)"
	mcopy -i disk "::EFI/BOOT/$file" application || fail "mcopy"
	mdeltree -i disk ::EFI || fail "mdeltree"
	mcopy -i disk application ::anechoic.efi || fail "mcopy"
	cp "$variables" variables
	connect "$@" -display none -monitor none -serial stdio -nic none \
		-drive "if=pflash,format=raw,readonly=on,file=$code" \
		-drive if=pflash,format=raw,file=variables \
		-drive if=none,id=disk,format=raw,file=disk
}

shell() {
	start_shell "$argument"
	collect shell "$argument" --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	grep -q "answered 'Shell> '" log || fail "the shell: $(cat log)"
}

# The boot entry that the board's README says to type once: after it the board
# starts the application by itself, also when it was switched off.  Here the
# application is where only an entry finds it.
entry() {
	case $argument in
	aarch64) readme=grace-efi ;;
	x86_64) readme=pc-efi ;;
	esac
	words=$(grep -oE 'bcfg boot add 0 [^`]+' \
		"$boards/../../../boards/$readme/README.md" |
		sed 's|fs0:[^ ]*|fs0:\\anechoic.efi|')
	[ -n "$words" ] || fail "no boot entry in the README"
	conf=share/boards/shell/$argument-efi.conf
	sed -i '/^dialogue.2/d' "$conf"
	cp "$conf" silent
	# A backslash of a step is written twice.
	printf 'dialogue.2 = 20|Shell> |%s\ndialogue.3 = 20|Shell> |reset\n' \
		"$(printf '%s\n' "$words" | sed 's|\\|&&|g')" >>"$conf"
	start_shell "$argument"
	collect shell "$argument" --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	answered 'Shell> ' 2
	grep -v '^dialogue' silent >"$conf"
	kill -HUP "$pid"
	rm -f db
	collect shell "$argument" || fail "the next start: $(cat log)"
	grep -q answered log && fail "an answer: $(cat log)"
	return 0
}

# GRUB at its prompt: it has no menu, and starts the application by its path.
grub() {
	forms='^ADD64rr$'
	firmware=/usr/share/ovmf/OVMF.fd
	grub=/usr/lib/grub/x86_64-efi/monolithic/grubx64.efi
	need qemu-system-x86_64 $firmware $grub mcopy
	"$anechoic" image --board grub --forms "$forms" -o disk >log 2>&1 ||
		fail "image: $(cat log)"
	mcopy -i disk ::EFI/BOOT/BOOTX64.EFI application || fail "mcopy"
	mcopy -i disk application ::anechoic.efi || fail "mcopy"
	mcopy -o -i disk $grub ::EFI/BOOT/BOOTX64.EFI || fail "mcopy"
	connect qemu-system-x86_64 -M q35 -m 256 -cpu max -icount shift=4 \
		-bios $firmware -device virtio-blk-pci,drive=disk \
		-display none -monitor none -serial stdio -nic none \
		-drive if=none,id=disk,format=raw,file=disk
	collect grub x86_64 --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	grep -q "answered 'grub> '" log || fail "GRUB: $(cat log)"
}

# An operating system has started: nothing is typed at its prompt, and the
# message says what to add.
getty() {
	need script agetty
	sed -i '/^dialogue/d' share/boards/getty/riscv64-sbi.conf
	forms='^ADD$'
	connect sh -c "tee typed |
		script -qfec 'agetty --noissue --noclear -' /dev/null"
	collect getty riscv64 --reset-cmd "kill -HUP $pid" &&
		fail "a getty is no runtime"
	grep -q "silent after '.* login: ': an operating system has started" \
		log || fail "the prompt: $(cat log)"
	grep -q 'dialogue.1 = .* login: |KEYS' log || fail "advice: $(cat log)"
	[ -s typed ] && fail "typed: $(cat typed)"
	return 0
}

# The dialogue logs in and starts the machine.  The prompts are a script's: what
# agetty starts after a name depends on the system.
login() {
	need script qemu-system-riscv64
	forms='^(ADD|MUL)$'
	"$anechoic" image --board getty --forms "$forms" -o image >log 2>&1 ||
		fail "image: $(cat log)"
	cat >start <<-END
		#!/bin/sh
		exec qemu-system-riscv64 -M virt -m 256 -icount shift=0 \
			-display none -monitor none -serial stdio -no-reboot \
			-kernel $work/image
	END
	sed -i "s|@START@|$work/start|" share/boards/getty/riscv64-sbi.conf
	cat >getty <<-'END'
		stty -echo
		printf '\nvm login: '
		read -r name
		[ "$name" = root ] || exit 1
		printf '%s\nPassword: ' "$name"
		read -r word
		[ "$word" = secret ] || exit 1
		stty echo
		printf '\n# '
		read -r line
		eval "$line"
	END
	connect script -qfec "sh $work/getty" /dev/null
	collect getty riscv64 --reset-cmd "kill -HUP $pid" ||
		fail "collect: $(cat log)"
	grep -Eq '^MUL +1 +1 ' log || fail "MUL of 1 cycle: $(cat log)"
	answered '# ' 1
}

use_boards
"$case"
echo "1 passed, 0 failed"
