#!/bin/sh
# The C and C++ files of host/, common/ and lib/ that the build compiles, one a line.
#	sources.sh BUILD
cd "$(dirname "$0")/../.." || exit 2
files=$(sed -n "s|.*\"file\": \"$PWD/\(.*\)\".*|\1|p" \
	"$1/compile_commands.json" | grep -E '^(host|common|lib)/' | sort -u)
# A list that lost its files would pass any check.
if [ "$(echo "$files" | wc -l)" -lt 400 ]; then
	echo "$1/compile_commands.json: too few files of host/, common/, lib/" >&2
	exit 1
fi
echo "$files"
