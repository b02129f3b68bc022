#!/bin/sh
# Invent a core, measure it and hold every claim against its file:
#	random.sh ANECHOIC INVENT TRUTH FOLDER ISA SEED core|ref|simple [measure options]
set -eu
anechoic=$1
invent=$2
truth=$3
isa=$5
seed=$6
clock=$7
name=$4/random-$isa-$seed-$clock
mkdir -p "$4"
shift 7
rm -f "$name.db" "$name.db-wal" "$name.db-shm"
"$invent" "$isa" "$seed" "$clock" > "$name.core"
"$anechoic" measure --board fake --isa "$isa" --core "$name.core" \
	--db "$name.db" "$@"
"$anechoic" export --db "$name.db" --format csv -o "$name.csv"
"$truth" "$name.csv" "$name.core"
