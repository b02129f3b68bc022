#!/bin/sh
# libanechoic: 300 allocations of each call fail; ctest does four.  Then threads
# under the thread sanitizer, in a tree of their own.
#	all.sh BUILD
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
status=0
echo "== the library without memory"
sh "$here/shortage.sh" "$build/bin/anechoic" "$build/bin/library_shortage" \
	"$source" 300 || status=1
echo "== the library's threads"
cmake -S "$source" -B "$build/thread" -G Ninja -DSANITIZE=thread >/dev/null &&
	cmake --build "$build/thread" --target library_threads >/dev/null &&
	TSAN_OPTIONS=suppressions="$here/threads.supp" \
		"$build/thread/bin/library_threads" 20 || status=1
exit $status
