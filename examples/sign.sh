#!/bin/sh
# Sign the application of an image for a machine with Secure Boot:
#	sign.sh IMAGE KEY CERTIFICATE
# IMAGE is a disk image or an EFI application of `anechoic image`; it is replaced
# by the signed one. KEY and CERTIFICATE are PEM files; the machine's owner has
# enrolled the certificate in the firmware's list db. A pair of one's own:
#	openssl req -new -x509 -newkey rsa:2048 -nodes -days 3650 \
#		-subj '/CN=our machines/' -keyout our.key -out our.pem
# Needs sbsigntool, and mtools for a disk image.
set -eu
[ $# -eq 3 ] || {
	echo "usage: sign.sh IMAGE KEY CERTIFICATE" >&2
	exit 2
}
image=$1
key=$2
certificate=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for file in "$image" "$key" "$certificate"; do
	[ -r "$file" ] || {
		echo "sign.sh: cannot read $file" >&2
		exit 2
	}
done
for program in sbsign sbverify; do
	command -v $program >/dev/null || {
		echo "sign.sh: no $program (package sbsigntool)" >&2
		exit 2
	}
done
# A PE file begins with MZ.
if [ "$(head -c 2 "$image")" = MZ ]; then
	path=
	cp "$image" "$work/application"
else
	path=$(mdir -b -i "$image" ::EFI/BOOT 2>/dev/null | grep -i '\.efi$' |
		head -n 1) || true
	[ -n "$path" ] || {
		echo "sign.sh: $image is neither an EFI application nor a" \
			"disk with EFI/BOOT/BOOT*.EFI" >&2
		exit 2
	}
	mcopy -n -i "$image" "$path" "$work/application"
fi
# Signatures of an earlier call would stay, and some firmware takes only one.
sbattach --remove "$work/application" >/dev/null 2>&1 || true
if ! sbsign --key "$key" --cert "$certificate" --output "$work/signed" \
	"$work/application" >"$work/out" 2>&1 ||
	! sbverify --cert "$certificate" "$work/signed" >>"$work/out" 2>&1; then
	echo "sign.sh: $(tail -n 1 "$work/out")" >&2
	exit 1
fi
cp "$image" "$work/image"
if [ -n "$path" ]; then
	mcopy -o -i "$work/image" "$work/signed" "$path"
else
	cp "$work/signed" "$work/image"
fi
cp "$work/image" "$image.new"
mv "$image.new" "$image"
echo "$image: signed with $certificate"
