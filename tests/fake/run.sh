#!/bin/sh
# Measure an invented core and compare what comes out with the truth:
#	run.sh ANECHOIC CHECK FOLDER NAME ISA [measure options]
# FOLDER receives the database and the CSV.
set -eu
anechoic=$1
check=$2
folder=$3
name=$4
isa=$5
shift 5
here=$(dirname "$0")
mkdir -p "$folder"
rm -f "$folder/$name.db" "$folder/$name.db-wal" "$folder/$name.db-shm"
"$anechoic" measure --board fake --isa "$isa" --core "$here/$name.core" \
	--db "$folder/$name.db" "$@"
"$anechoic" export --db "$folder/$name.db" --format csv -o "$folder/$name.csv"
"$check" "$folder/$name.csv" "$here/$name.expect"
