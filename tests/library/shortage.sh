#!/bin/sh
# shortage.sh ANECHOIC PROGRAM SOURCE POINTS: library_shortage with models of all
# kinds and a cache of its own; POINTS as there.
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
XDG_CACHE_HOME=$work
export XDG_CACHE_HOME
xz -dc "$3/tests/recorded/granite-rapids-vm.db.xz" >"$work/recorded.db"
"$anechoic" solve --db "$work/recorded.db" >"$work/log"
"$anechoic" export --db "$work/recorded.db" --format winic -o "$work/winic.yaml"
for format in model osaca uops; do
	"$anechoic" export --cpu skylake --isa x86_64 --format $format \
		-o "$work/$format" >"$work/log"
done
xz -k "$work/model"
"$2" "$4" "$work"
