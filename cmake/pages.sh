#!/bin/sh
# pages.sh ANECHOIC OUT: print the manual page of each command, and the completion
# scripts, into a folder.
set -eu
anechoic=$1
out=$2
rm -rf "$out"
mkdir -p "$out/man1"
"$anechoic" help --man >"$out/man1/anechoic.1"
"$anechoic" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' |
	while read -r command; do
		"$anechoic" help --man "$command" \
			>"$out/man1/anechoic-$command.1"
	done
for shell in bash zsh fish; do
	"$anechoic" help --completion $shell >"$out/$shell"
done
touch "$out/stamp"
