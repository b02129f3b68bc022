#!/bin/sh
# submit.sh ANECHOIC DB NAME CORE FILE.tar.xz: one file that can be attached to an
# issue: the checked model of a database, who and what measured it, how quiet the
# machine was, and what it says of LLVM's tables, e.g.
#
#	sh models/submit.sh build/bin/anechoic zen5.db zen5-vm \
#		"AMD Zen 5, virtual machine" zen5-vm.tar.xz
#
# It has NAME/model.json.xz, as models/make.sh makes it, NAME/about.txt, NAME/page,
# the core's page of a site, and, if LLVM has tables of the CPU, NAME/classes.txt and
# NAME/classes.json.
set -eu
[ $# = 5 ] || {
	echo "usage: submit.sh ANECHOIC DB NAME CORE FILE.tar.xz" >&2
	exit 2
}
anechoic=$1
db=$2
name=$3
core=$4
file=$5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $name in
*[!a-z0-9.-]* | [.-]* | "")
	echo "NAME has small letters, digits, '.' and '-', and begins with a" \
		"letter or digit, not '$name'" >&2
	exit 2
	;;
esac
mkdir "$work/$name"
sh "$here/make.sh" "$anechoic" "$db" "$name" "$core" "$work/$name"
mv "$work/$name/$name.json.xz" "$work/$name/model.json.xz"
xz -dc "$work/$name/model.json.xz" >"$work/model.json"
python3 - "$work/model.json" >"$work/$name/about.txt" <<'EOF'
import json
import sys

model = json.load(open(sys.argv[1]))
print("isa: %s\ncpu: %s" % (model["isa"], model["cpu"]))
for key, text in model["about"].items():
    print("%s: %s" % (key, text))
EOF
"$anechoic" --version >>"$work/$name/about.txt"
(cd "$work/$name" && sha256sum model.json.xz) >>"$work/$name/about.txt"
cpu=$(sed -n 's/^cpu: //p' "$work/$name/about.txt")
if "$anechoic" compare "model:$work/$name/model.json.xz" "cpu:$cpu" \
	--by class -o "$work/$name/classes.txt" 2>"$work/said"; then
	"$anechoic" compare "model:$work/$name/model.json.xz" "cpu:$cpu" \
		--by class --format json -o "$work/$name/classes.json"
else
	echo "no comparison: $(cat "$work/said")" >>"$work/$name/about.txt"
fi
# Of the site, the pages of the core, without links to those of its forms.
"$anechoic" site -o "$work/site" --title "$core" \
	"$work/$name/model.json.xz" >/dev/null
mkdir "$work/$name/page"
cp -r "$work/site/site.css" "$work/site/core" "$work/$name/page"
[ ! -d "$work/site/classes" ] || cp -r "$work/site/classes" "$work/$name/page"
find "$work/$name/page" -name '*.html' -exec sed -i -E \
	-e 's#<a [^>]*href="[.][.]/(cores|list)[.]html"[^>]*>[^<]*</a>##g' \
	-e 's#<a [^>]*href="[.][.]/(form/[^"]*|index[.]html)"[^>]*>([^<]*)</a>#\2#g' \
	{} +
# The same database gives the same file.
tar cJf "$work/all.tar.xz" -C "$work" --sort=name --mtime=@0 --owner=0 \
	--group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar "$name"
mv "$work/all.tar.xz" "$file"
cat "$work/$name/about.txt"
