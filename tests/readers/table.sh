#!/bin/sh
# Prints what the tests of readers that can run here have read, as a table:
#	table.sh BUILD-FOLDER
# The variables of the tests in this folder name the programs.
set -u
build=$1
cd "$(dirname "$0")/../.." || exit 2
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
ctest --test-dir "$build" -R '^readers\.' -V 2>/dev/null |
	sed -n 's/^[0-9]*: row|/| /p' | sed 's/|/ | /g; s/^ | /| /; s/$/ |/' |
	sed 's/  */ /g' | sort >"$rows"
if [ ! -s "$rows" ]; then
	echo "FAIL: no test of readers printed a row"
	exit 1
fi
echo '| tool | version | file | what was run | result |'
echo '|---|---|---|---|---|'
cat "$rows"
