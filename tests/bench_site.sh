#!/bin/sh
# Figures of a site, never asserted:  bench_site.sh ANECHOIC [DB]
#	- to write it (goal: seconds)
#	- its table in headless Chromium: first paint (goal: under 1 s) and a key
#	  press (goal: under 50 ms)
# Four cores: DB twice, if given, and LLVM's tables.
set -e
. "$(dirname "$0")/head.sh"
anechoic=$(realpath "$1")
db=${2:+$(realpath "$2")}
here=$(dirname "$(realpath "$0")")
cd "$work"
for cpu in skylake alderlake znver4 icelake-server; do
	"$anechoic" export --cpu $cpu --isa x86_64 --format model -o $cpu.json \
		2>/dev/null
done
if [ -n "$db" ]; then
	set -- "$db" "$db" skylake.json znver4.json
else
	set -- skylake.json alderlake.json znver4.json icelake-server.json
fi
begin=$(date +%s.%N)
"$anechoic" site -o site "$@"
end=$(date +%s.%N)
echo "$begin $end" | awk '{ printf "site of four cores: %.1f s\n", $2 - $1 }'
python3 -B "$here/site/bench.py" site
