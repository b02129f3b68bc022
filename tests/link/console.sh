#!/bin/sh
# Consoles that a command gives:
#	console.sh ANECHOIC CASE
# Each case is a function below.
set -u
anechoic=$1
case=$2
work=$(mktemp -d)
pids=
# shellcheck disable=SC2317 # it runs when the script ends
cleanup() {
	for pid in $pids; do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 2

fail() {
	echo "FAIL: $*"
	cat log
	exit 1
}

# collect COMMAND OPTION...
collect() {
	timeout 60 "$anechoic" collect --board qemu-virt --isa riscv64 \
		--forms '^(ADD|MUL)$' --db db --console-cmd "$@" >log 2>&1
}

# A board that prints and counts down for a second at once, and boots the image only
# if a key was typed: the kernels take longer to make.
first() {
	command -v qemu-system-riscv64 >/dev/null || {
		echo "SKIP: no qemu-system-riscv64"
		exit 77
	}
	"$anechoic" image --board qemu-virt --isa riscv64 \
		--forms '^(ADD|MUL)$' -o image >log 2>&1 || fail image
	cat >board <<-'END'
		#!/bin/bash
		printf 'the first words\r\nHit any key to stop autoboot: 1 '
		read -r -s -n 1 -t 1 key || exec sleep 1000
		printf '\r\n=> '
		read -r -t 60 -d $'\r' words
		printf '%s\r\n' "$words"
		[ "$words" = boot ] || exit 1
		exec qemu-system-riscv64 -M virt -cpu rv64 -m 256 -smp 1 \
			-icount shift=0 -display none -monitor none \
			-serial stdio -no-reboot -kernel image
	END
	mkdir share
	for folder in "$(dirname "$anechoic")"/../share/anechoic/*; do
		ln -s "$folder" share/
	done
	rm share/boards
	mkdir -p share/boards/qemu-virt
	conf=share/boards/qemu-virt/riscv64-sbi.conf
	cp "$(dirname "$anechoic")/../share/anechoic/boards/qemu-virt/riscv64-sbi.conf" \
		$conf
	printf '%s\n' 'dialogue.1 = Hit any key to stop autoboot:| \c' \
		'dialogue.2 = 20|=> |boot' >>$conf
	ANECHOIC_SHARE=$work/share collect 'bash board' || fail collect
	grep -Eq '^MUL +1 +1 ' log || fail "MUL of 1 cycle"
	grep -q "answered '=> '" log || fail "the dialogue"
	for words in 'the first words' OpenSBI; do
		grep -aq "$words" db || fail "'$words' is not stored"
	done
}

# A command that ends is named with its words and its status, and started again
# later and later.
ends() {
	collect 'echo x >>starts; echo no such host >&2; exit 3' &&
		fail "a board"
	grep -q "ended after .*: exit status 3; standard error: no such host; it is started again in 1 s" \
		log || fail "its end"
	grep -q "console does not work (--console-cmd .*exit status 3; standard error: no such host)" \
		log || fail "the failure"
	n=$(wc -l <starts)
	[ "$n" -eq 5 ] || fail "$n starts"
}

# What the shell cannot run is not tried twice.
missing() {
	collect './none' && fail "a board"
	grep -q "console does not work (--console-cmd './none' ended .*exit status 127; standard error: .*none.* not found" \
		log || fail "the failure"
	grep -q 'started again' log && fail "started again"
	return 0
}

# ended PID...: they have ended, or do so soon
ended() {
	for pid in "$@"; do
		for _ in $(seq 300); do
			grep -qs '^State:[[:space:]]*[^Z]' "/proc/$pid/status" ||
				continue 2
			sleep 0.1
		done
		fail "process $pid runs on"
	done
}

# The children of the command end with this program, however it ends: those of a
# pipeline, in a session of their own, without a parent, deaf to SIGTERM.
# $1: the signal
end_by() {
	rm -f pids
	# shellcheck disable=SC2016 # for the command's shell
	command='echo $$ >>pids
		setsid sh -c "echo \$\$ >>pids; exec sleep 1000" &
		(sh -c "echo \$\$ >>pids; exec sleep 1000" &)
		sh -c "trap \"\" TERM; echo \$\$ >>pids; while :; do sleep 1; done" |
			sh -c "echo \$\$ >>pids; exec sleep 1000"'
	"$anechoic" collect --board qemu-virt --isa riscv64 --forms '^ADD$' \
		--db db --console-cmd "$command" >log 2>&1 &
	host=$!
	for _ in $(seq 300); do
		[ "$(grep -cs . pids)" != 5 ] || break
		sleep 0.1
	done
	pids=$(cat pids)
	[ "$(echo "$pids" | wc -w)" -eq 5 ] || fail "the command runs: $pids"
	kill "-$1" $host
	wait $host
	# shellcheck disable=SC2086 # a list
	ended $pids
	pids=
}

killed() {
	end_by KILL
	end_by TERM
}

$case
echo "ok $case"
