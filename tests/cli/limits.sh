#!/bin/sh
# Only the CPUs of the affinity mask measure, and a run says that it was
# limited.
#	limits.sh ANECHOIC
set -eu
anechoic=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)
last=${cpus##*[-,]}
if [ "$cpus" = "$last" ]; then
	echo "skipped: this process may use one CPU only"
	exit 77
fi

# stays COMMAND...: run it on the last CPU and check that every program which
# it starts stays there.
stays() {
	taskset -c "$last" "$@" >"$work/out" 2>"$work/err" &
	pid=$!
	n=0
	while kill -0 "$pid" 2>/dev/null; do
		for child in $(pgrep -P "$pid"); do
			on=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' \
				"/proc/$child/status" 2>/dev/null) || on=
			[ -n "$on" ] || continue
			n=$((n + 1))
			[ "$on" = "$last" ] || {
				echo "$*: a program may use CPUs $on"
				exit 1
			}
		done
		sleep 0.02
	done
	wait "$pid" || {
		cat "$work/err"
		exit 1
	}
	[ "$n" -gt 0 ] || {
		echo "$*: no program was seen"
		exit 1
	}
	grep -q "warning: only CPUs $last of " "$work/err" || {
		echo "$*: no warning"
		cat "$work/err"
		exit 1
	}
}

stays "$anechoic" measure --board linux-process --forms '^ADD(64rr|)$|^ADDXrr$' \
	--db "$work/db"
if grep 'cores at once' "$work/out"; then
	echo "measure: more cores than CPUs"
	exit 1
fi
"$anechoic" export --db "$work/db" --format json -o "$work/json"
grep -q "\"allowed_cpus\": *\"${last}_of_" "$work/json" || {
	echo "measure: the run does not say which CPUs it was allowed"
	grep -o '"container[^,]*' "$work/json"
	exit 1
}

stays "$anechoic" node --board linux-process --levels 32K --memory 1 --ms 5 \
	--format csv -o "$work/csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "cores") c = i }
	NR > 1 && $c != 1 { bad = 1 }
	END { exit bad || !c || NR < 2 }' "$work/csv" || {
	echo "node: rows of more cores than CPUs"
	cat "$work/csv"
	exit 1
}
echo "ok CPU $last of $cpus"
