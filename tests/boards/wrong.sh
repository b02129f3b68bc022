#!/bin/sh
# matrix.sh finds what is wrong with the machines of wrong.cfg, says so in its
# verdicts, and fails.
#	wrong.sh BUILD
set -u
here=$(dirname "$0")
build=$1
out=$build/boards/wrong.out

for isa in riscv64 aarch64; do
	command -v qemu-system-$isa >/dev/null || {
		echo "SKIP: no qemu-system-$isa"
		exit 0
	}
done
mkdir -p "$build/boards"
sed -n 's/^\([a-z]*\)|.*/\1/p' "$here/wrong.cfg" >"$out.names"
# Only the stopped machine is waited for in vain.
# shellcheck disable=SC2046 # a list of words
sh "$here/matrix.sh" "$build" "$here/wrong.cfg" \
	$(grep -v stopped "$out.names") >"$out" && {
	echo "FAIL: matrix.sh succeeds"
	exit 1
}
LIMIT_S=3 sh "$here/matrix.sh" "$build" "$here/wrong.cfg" stopped >>"$out" && {
	echo "FAIL: matrix.sh calls a stopped machine ok"
	exit 1
}
failed=0
sed -n '/^[a-z]*|/{n;s/^# //p}' "$here/wrong.cfg" >"$out.verdicts"
paste "$out.names" "$out.verdicts" | {
	while IFS='	' read -r name verdict; do
		line=$(grep "^$name " "$out")
		case $line in
		*"$verdict"*) ;;
		*)
			echo "FAIL: $name: expected '$verdict': $line"
			failed=1
			;;
		esac
	done
	exit $failed
} || exit 1
n=$(wc -l <"$out.names")
grep -q "^$((n - 1)) variants: 0 ok, $((n - 1)) failed, 0 skipped;" "$out" || {
	echo "FAIL: $(grep variants: "$out")"
	exit 1
}
echo "$n passed, 0 failed"
