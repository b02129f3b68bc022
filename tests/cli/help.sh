#!/bin/sh
# Help, manual pages and completion, which are made from one table a command.
#	help.sh ANECHOIC
set -e
. "$(dirname "$0")/../head.sh"
anechoic=$1
cd "$work"

"$anechoic" help >all
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' all)
[ "$(echo "$commands" | wc -l)" -ge 16 ] || fail "help lists the commands"
for shell in bash zsh fish; do
	"$anechoic" help --completion $shell >complete.$shell
	if ! command -v $shell >/dev/null; then
		echo "$shell is not installed: it has not read its script"
	elif ! $shell -n complete.$shell; then
		fail "$shell rejects its completion script"
	fi
done
"$anechoic" help --man >page.1
cp page.1 anechoic.1

# Every option of the help is in the manual page and in the completion.
for c in $commands; do
	"$anechoic" help "$c" >"$c.help"
	"$anechoic" "$c" --help | cmp -s - "$c.help" ||
		fail "'help $c' and '$c --help' differ"
	"$anechoic" help --man "$c" >"$c.1"
	grep -q "^usage: anechoic $c" "$c.help" || fail "$c: usage"
	grep -q "^ *$c  *[a-z]" all || fail "$c: summary"
	grep -qF "anechoic\\-$c" page.1 || fail "$c: not in anechoic(1)"
	sed -n 's/^  \(-[a-z0-9-]*\) .*/\1/p' "$c.help" >"$c.options"
	while read -r option; do
		sed 's/\\-/-/g' "$c.1" | grep -qF "fB$option" ||
			fail "$c: $option is not in the manual page"
		grep -F "\" $c \"*)" complete.bash | grep -qF -e "$option" ||
			fail "$c: $option is not completed by bash"
		sed -n "/^	$c)/,/;;\$/p" complete.zsh |
			grep -qF -e "'*${option}[" ||
			fail "$c: $option is not completed by zsh"
		grep -F "_from $c' " complete.fish |
			grep -q -e "-[ls] ${option##*-}" -e "-l ${option#--} " ||
			fail "$c: $option is not completed by fish"
	done <"$c.options"
done
wide=$(awk 'length($0) > 80 { print FILENAME ": " $0 }' all ./*.help)
[ -z "$wide" ] || fail "lines of more than 80 columns: $wide"
glued=$(grep -nE '^  --[a-z-]+ [A-Z:]{2,}[a-z]' ./*.help || :)
[ -z "$glued" ] || fail "no blank between an argument and its text: $glued"

# What bash offers behind some words.
offers() {
	bash -c '. ./complete.bash
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_anechoic anechoic "${COMP_WORDS[COMP_CWORD]}" \
		"${COMP_WORDS[COMP_CWORD - 1]}"
	echo "${COMPREPLY[@]}"' offers "$@"
}
is() {
	want=$1
	shift
	got=$(offers "$@")
	[ "$got" = "$want" ] || fail "completion of '$*': '$got', not '$want'"
}
is measure anechoic mea
is "--forms --format" anechoic forms --fo
is "x86_64 aarch64 riscv64" anechoic forms --isa ""
is "tsv json regex" anechoic forms --format ""
is "" anechoic solve --db ""
PATH=$(dirname "$anechoic"):$PATH
is "qemu-virt qemu-virt-max qemu-virt-mmode qemu-virt-rvv" \
	anechoic measure --board qemu-virt

# What fish offers behind some words, without the descriptions.
fish_is() {
	got=$(fish -c "source complete.fish; complete -C '$2'" | cut -f 1 |
		tr '\n' ' ')
	[ "$got" = "$1 " ] || fail "fish completes '$2' with '$got', not '$1'"
}
if command -v fish >/dev/null; then
	fish_is "measure" "anechoic mea"
	fish_is "--format --forms" "anechoic forms --fo"
	fish_is "json regex tsv" "anechoic forms --format "
	fish_is "qemu-virt qemu-virt-max qemu-virt-mmode qemu-virt-rvv" \
		"anechoic measure --board qemu-virt"
fi

# An error of the output is reported.
if [ -c /dev/full ]; then
	"$anechoic" help >/dev/full 2>message && fail "/dev/full takes all"
	grep -q "^anechoic: cannot write to standard output: " message ||
		fail "message for a full disk: $(cat message)"
fi

for page in ./*.1; do
	if command -v mandoc >/dev/null; then
		mandoc -T lint -W warning "$page" >warnings ||
			fail "mandoc: $page: $(head -3 warnings)"
	fi
	if command -v man >/dev/null; then
		man --warnings -l "$page" >shown 2>warnings
		if [ -s warnings ] || ! [ -s shown ]; then
			fail "man: $page: $(head -3 warnings)"
		fi
	fi
done
echo "$(echo "$commands" | wc -l) commands"
