#!/bin/sh
# Only the CPUs of the affinity mask measure, and a run says that it was
# limited.
#	limits.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)
last=${cpus##*[-,]}
if [ "$cpus" = "$last" ]; then
	echo "skipped: this process may use one CPU only"
	exit 77
fi

# A runtime that first notes on which CPUs it may run.
share=$(dirname "$anechoic")/../share/anechoic
share=$(cd "$share" && pwd)
runtime=$(uname -m)-linux
mkdir -p "$work/share/runtime"
ln -s "$share"/[!r]* "$work/share"
ln -s "$share/runtime"/* "$work/share/runtime"
rm "$work/share/runtime/$runtime"
cat >"$work/share/runtime/$runtime" <<END
#!/bin/sh
sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status >>"$work/seen"
exec "$share/runtime/$runtime" "\$@"
END
chmod +x "$work/share/runtime/$runtime"
ANECHOIC_SHARE=$work/share
export ANECHOIC_SHARE

# stays COMMAND...: run it on the last CPU and check that every program which
# it starts stays there.
stays() {
	: >"$work/seen"
	taskset -c "$last" "$@" >"$work/out" 2>"$work/err" || {
		cat "$work/err"
		exit 1
	}
	[ -s "$work/seen" ] || {
		echo "$*: no program was started"
		exit 1
	}
	if grep -vx "$last" "$work/seen"; then
		echo "$*: a program may use these CPUs"
		exit 1
	fi
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
