#!/bin/sh
# A search on a board that only boots images: how many images it takes, and are the
# ports those of the core, and of a search that measures at once?
#	images.sh ANECHOIC BOOT CHECK FILE.core LEAST MOST
# LEAST: forms that the search has at least.  MOST: images.
. "$(dirname "$0")/../head.sh"
anechoic=$1
boot=$2
check=$3
core=$4
least=$5
most=$6
forms='^([B-Z]|A[^M])'

image() {
	"$anechoic" image --board qemu-virt --isa riscv64 --what ports \
		--forms "$forms" --db "$work/db" -o "$work/image" \
		>"$work/out" 2>&1 || fail "image after $n"
}

# What a search printed, without the time it took and what follows.
found() {
	sed -n '/^width/,/random mixes/p' "$work/out" |
		sed 's/ (solved in [^)]*)//'
}

n=0
kernels=0
image
while grep -q 'import --log FILE' "$work/out"; do
	n=$((n + 1))
	size=$(sed -n 's/.*: \([0-9]*\) kernels.*/\1/p' "$work/out")
	echo "image $n: $size kernels"
	kernels=$((kernels + size))
	[ "$n" -le "$most" ] || fail "no end after $most images"
	"$boot" "$work/image" "$core" >"$work/log" 2>"$work/out" ||
		fail "boot $n"
	"$anechoic" import --log "$work/log" --db "$work/db" \
		--board qemu-virt >"$work/out" 2>&1 || fail "import $n"
	grep -q 'belongs to a port search' "$work/out" || fail "import $n"
	image
done
searched=$(sed -n 's/^\([0-9]*\) forms: .*/\1/p' "$work/out")
[ "${searched:-0}" -ge "$least" ] || fail "${searched:-no} forms"
found >"$work/by-images"
"$check" "$work/db" "$core" >"$work/out" 2>&1 || fail "another core"
cat "$work/out"
"$anechoic" solve --db "$work/db" >"$work/out" 2>&1 || fail "solve"
found >"$work/again"
diff "$work/by-images" "$work/again" >"$work/out" ||
	fail "solved again, the result is another"
# The same forms, measured at once.
cpu=$(sqlite3 "$work/db" 'SELECT cpu FROM run')
"$anechoic" measure --board fake --core "$core" --cpu "$cpu" --what ports \
	--forms "$forms" --db "$work/direct.db" >"$work/out" 2>&1 ||
	fail "measure"
found >"$work/direct"
diff "$work/by-images" "$work/direct" >"$work/out" ||
	fail "measured at once, the result is another"
cat "$work/by-images"
echo "$n images of $kernels kernels for $searched forms"
