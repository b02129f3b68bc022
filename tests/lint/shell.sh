#!/bin/sh
# Every script passes shellcheck; a suppression carries its reason.
cd "$(dirname "$0")/../.." || exit 2
find . -path ./build -prune -o -name '*.sh' -print0 |
	xargs -0 shellcheck -x -P SCRIPTDIR .ci/run
