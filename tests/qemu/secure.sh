#!/bin/sh
# Secure Boot, under OVMF with its owner's key enrolled: the firmware refuses the
# image, and starts it when examples/sign.sh has signed it with that key.
#	secure.sh ANECHOIC SOURCE
. "$(dirname "$0")/../head.sh"
anechoic=$1
sign=$2/examples/sign.sh

# The key of Debian's OVMF for tests; its password is public.
code=/usr/share/OVMF/OVMF_CODE_4M.secboot.fd
variables=/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd
owner=/usr/share/ovmf/PkKek-1-snakeoil
for file in $code $variables $owner.key $owner.pem; do
	[ -e "$file" ] || skip "no $file (package ovmf)"
done
for program in qemu-system-x86_64 sbsign openssl; do
	command -v $program >/dev/null || skip "no $program"
done
openssl rsa -in $owner.key -passin pass:snakeoil -out "$work/key" \
	2>"$work/out" || fail "key: $(cat "$work/out")"
openssl req -new -x509 -newkey rsa:2048 -nodes -subj /CN=other/ \
	-keyout "$work/other.key" -out "$work/other.pem" 2>"$work/out" ||
	fail "another key: $(cat "$work/out")"

# runs PID: is the child neither gone nor a zombie?
runs() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z*) return 1 ;;
	esac
}

# boot TEXT: until the console has it, or the machine ends
boot() {
	cp $variables "$work/variables"
	: >"$work/console"
	qemu-system-x86_64 -M q35,smm=on -cpu max -m 256 \
		-icount shift=4,sleep=off -display none -monitor none \
		-serial "file:$work/console" -no-reboot -nic none \
		-global driver=cfi.pflash01,property=secure,value=on \
		-drive if=pflash,format=raw,unit=0,readonly=on,file=$code \
		-drive "if=pflash,format=raw,unit=1,file=$work/variables" \
		-drive "format=raw,file=$work/pc.img" >/dev/null 2>&1 &
	qemu=$!
	# ctest has a limit.
	while ! grep -aq "$1" "$work/console" && runs $qemu; do
		sleep 0.1
	done
	kill $qemu 2>/dev/null
	wait $qemu 2>/dev/null
	grep -aq "$1" "$work/console" ||
		fail "no '$1': $(tail -3 "$work/console")"
}

"$anechoic" image --board pc-efi --forms '^ADD64rr$' -o "$work/pc.img" \
	>"$work/out" 2>&1 || fail "image: $(cat "$work/out")"
boot 'Access Denied'
grep -aq '@0 info' "$work/console" && fail "an unsigned image started"
sh "$sign" "$work/pc.img" "$work/key" $owner.pem >"$work/out" 2>&1 ||
	fail "sign: $(cat "$work/out")"
boot ' bye '
grep -aq ' fault ' "$work/console" && fail "a fault"

# Mistakes
cp "$work/pc.img" "$work/before"
sh "$sign" "$work/pc.img" "$work/key" "$work/other.pem" >"$work/out" 2>&1 &&
	fail "a key that is not the certificate's"
sh "$sign" "$work/pc.img" "$work/none" $owner.pem >"$work/out" 2>&1
[ $? -eq 2 ] || fail "no key: status"
grep -q "cannot read $work/none" "$work/out" || fail "no key: $(cat "$work/out")"
echo text >"$work/text"
sh "$sign" "$work/text" "$work/key" $owner.pem >"$work/out" 2>&1
[ $? -eq 2 ] || fail "a text: status"
grep -q 'neither an EFI application nor' "$work/out" ||
	fail "a text: $(cat "$work/out")"
cmp -s "$work/pc.img" "$work/before" || fail "a mistake changed the image"
"$anechoic" image --board qemu-virt --isa aarch64 --forms '^MADDXrrr$' \
	-o "$work/flat" >"$work/out" 2>&1 || fail "image: $(cat "$work/out")"
sh "$sign" "$work/flat" "$work/key" $owner.pem >"$work/out" 2>&1 ||
	fail "a flat image: $(cat "$work/out")"
sbverify --cert $owner.pem "$work/flat" >"$work/out" 2>&1 ||
	fail "a flat image: $(cat "$work/out")"
echo "3 passed, 0 failed"
