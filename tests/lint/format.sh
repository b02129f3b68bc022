#!/bin/sh
# Every C file is as clang-format leaves it.
cd "$(dirname "$0")/../.." || exit 2
find common host target tests \( -name '*.[ch]' -o -name '*.cpp' \) \
	-exec clang-format --dry-run --Werror {} +
