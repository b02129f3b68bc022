#!/bin/sh
# Two hundred campaigns of every kind; ctest runs a dozen of each.
#	all.sh BUILD [CAMPAIGNS [FIRST_SEED]]
set -eu
build=$1
n=${2:-200}
seed=${3:-1}
here=$(dirname "$0")
runtime=$build/share/anechoic/runtime/x86_64-linux
bad=0
run() {
	echo "== $1"
	shift
	"$build/bin/link_campaign" "$@" || bad=1
}
run "an invented board, every number compared" \
	"fake:$here/quiet.core" "$n" "$seed"
if [ "$(uname -m)" = x86_64 ]; then
	run "the real runtime, with its own pack" "$runtime" "$n" "$seed"
	run "the real runtime, its pack sent over the line" \
		"$runtime" "$n" "$seed" load
fi
exit $bad
