#!/bin/sh
# Solve the samples of a recorded machine and compare with its reference: how
# many rows got a value, how many values agree, and what fewer visits would have
# shown, which is printed only.
#	replay.sh ANECHOIC MACHINES NAME FOLDER
# FOLDER receives the database and what compare said.
set -eu
anechoic=$1
machines=$2
name=$3
work=$4
here=$(dirname "$machines")

fail() {
	echo "FAIL: $name: $*" >&2
	exit 1
}

row=$(grep "^$name|" "$machines") || fail "no such row in $machines"
IFS='|' read -r _ machine coverage latency throughput <<EOF
$row
EOF
rm -rf "$work"
mkdir -p "$work"
xz -dc "$here/$name.db.xz" >"$work/all.db"

# What a database comes to: coverage and agreement, latency and throughput each.
figures() {
	"$anechoic" solve --db "$1" >"$1.solve"
	"$anechoic" compare "$1" "$here/$name.csv" >"$1.compare"
	awk '
	$1 == "latency" && NF == 7 { agree[1] = $4 }
	$1 == "throughput" && NF == 7 { agree[2] = $4 }
	$1 == "coverage" && $2 == "latency" { cover[1] = $(NF - 1) }
	$1 == "coverage" && $2 == "throughput" { cover[2] = $(NF - 1) }
	END {
		for (k = 1; k <= 2; k++)
			if (cover[k] == "" || sub(/%$/, "", agree[k]) != 1)
				exit 1
		print cover[1], cover[2], agree[1], agree[2]
	}' "$1.compare" || fail "$1.compare: coverage and rates of both kinds"
}

show() {
	# shellcheck disable=SC2086 # four figures are four words
	printf '%-14s %8s %10s  %8s %10s\n' "$1" $2
}

# at_least FIGURE LEAST WHAT
at_least() {
	awk -v is="$1" -v least="$2" 'BEGIN { exit !(is >= least + 0) }' ||
		fail "$3 is $1 %, below the minimum of $2 %;" \
			"see $work/all.db.compare"
}

echo "$name: $machine"
printf '%-14s %-20s %s\n' percent coverage agreement
printf '%-14s %8s %10s  %8s %10s\n' visits latency throughput latency throughput
all=$(figures "$work/all.db")
show all "$all"
for n in 3 2; do
	"$anechoic" record --db "$work/all.db" --visits $n \
		-o "$work/first-$n.db" >/dev/null
	some=$(figures "$work/first-$n.db")
	show "the first $n" "$some"
done
# shellcheck disable=SC2086 # four figures are four words
set -- $all
at_least "$1" "$coverage" "coverage of latencies"
at_least "$2" "$coverage" "coverage of throughputs"
at_least "$3" "$latency" "agreement of latencies"
at_least "$4" "$throughput" "agreement of throughputs"
