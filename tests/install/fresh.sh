#!/bin/sh
# How long until the first table on a fresh Debian?  As root, with the package
# debootstrap and a network; not part of `make test`.
#	fresh.sh [FOLDER]	FOLDER: for the system, removed afterwards
# A minimal system with make and nothing else gets the committed tree and types
# `make run`.  Prints when its lines came, in seconds from the command on.
set -eu
tree=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
root=$(mktemp -d "${1:-/tmp}/anechoic-fresh-XXXXXX")
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # apt's own word
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" |
	head -n 1)
cleanup() {
	for folder in proc dev sys; do
		mountpoint -q "$root/$folder" || continue
		umount -R "$root/$folder" || {
			echo "fresh.sh: $root/$folder is still mounted; $root stays"
			return
		}
	done
	rm -rf --one-file-system "$root"
}
trap cleanup EXIT
trap 'exit 1' INT TERM
debootstrap --variant=minbase --include=make "$suite" "$root" "$mirror" >/dev/null
for file in /etc/resolv.conf /etc/hosts; do
	cp "$file" "$root$file"
done
rm -rf "$root/etc/apt"
cp -r /etc/apt "$root/etc/"
mount -t proc proc "$root/proc"
mount --rbind --make-rslave /dev "$root/dev"
mount --rbind --make-rslave /sys "$root/sys"
mkdir "$root/anechoic"
git -C "$tree" archive HEAD | tar -x -C "$root/anechoic"
start=$(date +%s)
chroot "$root" sh -c 'cd /anechoic && make run 2>&1; echo "status $?"' |
	while IFS= read -r line; do
		printf '%5d s  %s\n' "$(($(date +%s) - start))" "$line"
	done >"$root/lines"
grep -E 'installing:|== |^ *[0-9]+ s  form  |shown$' "$root/lines" | cut -c1-79
grep -q ' s  status 0$' "$root/lines" || {
	tail -n 20 "$root/lines"
	echo "FAIL: make run"
	exit 1
}
first=$(sed -n 's/^ *\([0-9]*\) s  form  .*/\1/p' "$root/lines" | head -n 1)
[ -n "$first" ] || {
	tail -n 20 "$root/lines"
	echo "FAIL: no table"
	exit 1
}
echo "the first table came after $first s"
