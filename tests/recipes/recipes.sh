#!/bin/sh
# Follow the recipes of docs/architecture.md ("To add something") in a copy of
# the tree: add a board, an exporter, a variant of forms and a kind of
# experiment, check how many files each touches, build the program and use all
# four.
#	recipes.sh SOURCE COPY
# COPY is replaced.
set -eu
source=$1
copy=$2

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || {
	echo "SKIP: $source is not a git checkout"
	exit 77
}
rm -rf "$copy"
mkdir -p "$copy/tree"
(cd "$source" && git ls-files -c -o --exclude-standard |
	while read -r f; do
		if [ -e "$f" ]; then echo "$f"; fi
	done | tar -cf - -T -) | tar -xf - -C "$copy/tree"
cd "$copy/tree"
git init -q .
git config user.name recipes
git config user.email recipes@localhost
commit() {
	git add -A
	git commit -q -m "$1"
}
commit start

# touches WHAT LIMIT: the files that differ from the last commit.  A word in a
# registry is not counted, if it is all that changes in its CMakeLists.txt.
touches() {
	git add -A
	n=0
	for f in $(git diff --cached --name-only); do
		case $f in
		*/CMakeLists.txt)
			[ "$(git diff --cached --numstat -- "$f" | cut -f 1)" \
				-eq 1 ] || fail "$1: more than a word in $f"
			;;
		*) n=$((n + 1)) ;;
		esac
	done
	if [ "$n" -eq 0 ] || [ "$n" -gt "$2" ]; then
		fail "$1: touches $n files, $2 at most"
	fi
	echo "$1: $n of at most $2 files"
	commit "$1"
}

# before FILE PATTERN: insert standard input before the first line that matches.
before() {
	cat >../insert
	awk -v pattern="$2" '
	!done && $0 ~ pattern {
		while ((getline line < "../insert") > 0)
			print line
		done = 1
	}
	{ print }
	END { exit !done }' "$1" >../new || fail "$1: a line like $2"
	cat ../new >"$1"
}

# A board: one text file.
mkdir boards/recipe
cat >boards/recipe/riscv64-none.conf <<'END'
# The example of tests/recipes.
describe = a board of the recipe
runtime = none
transport = fake
image = none
END
touches board 1

# An exporter: one file, and a word in the registry.
cat >host/codec/recipe.c <<'END'
/* Forms and verdicts, for tests/recipes. */
#include "host/codec/codec.h"
#include "host/store/store_claim.h"

static int add_claim(void *context, const struct claim *c, struct err *e)
{
	(void)e;
	buffer_printf(context, "%s is %s\n", c->form, c->verdict);
	return ERR_OK;
}

static int write_claims(struct store *s, struct buffer *ret, struct err *e)
{
	return store_claims(s, 0, NULL, add_claim, ret, e);
}

const struct exporter exporter_recipe = {
	.name = "recipe",
	.describe = "forms and verdicts",
	.write = write_claims,
};
END
sed -i 's/^  csv json winic/  recipe csv json winic/' host/codec/CMakeLists.txt
touches exporter 1

# A variant: its family, and the forms of an ISA that have it.
before host/isa/variant.h 'X\\(INDEX, ' <<'END'
	X(RECIPE, "recipe", true, "an addition")                              \
END
before host/isa/riscv64_variants.c 'NUMBER_CLASS\\(' <<'END'
	{ NAMES("ADD"), { .suffix = "recipe", .family = FAMILY_RECIPE } },
END
touches variant 2

# A kind of experiment: its row, its planner and its judge.
before host/experiment/kinds.h 'X\\(CALIBRATE, ' <<'END'
	X(RECIPE, "recipe", "recipe", 1,                                       \
	  EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED)                              \
END
before host/plan/plan.c 'if \\(decoding_is_long' <<'END'
	if (cut) {
		x.kind = EXPERIMENT_RECIPE;
		plan_add(p, &x);
	}
END
before host/solve/judge.c 'if .r->label.kind == EXPERIMENT_DEPENDENT' <<'END'
	if (r->label.kind == EXPERIMENT_RECIPE) {
		c = judging_base(j, r);
		return give(j, &c, uncertainty);
	}
END
touches kind 4

# Without optimisation, and with objects of an earlier copy, whatever its path.
CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=1
export CCACHE_BASEDIR CCACHE_NOHASHDIR
cmake -S . -B ../build -G Ninja -DWERROR=ON -DCMAKE_BUILD_TYPE=Debug \
	-DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 >../log 2>&1 ||
	fail "cmake: $(tail -5 ../log)"
cmake --build ../build -j 2 --target anechoic >../log 2>&1 ||
	fail "build: $(grep -m 3 -A 3 -E 'error|FAILED' ../log)"

anechoic=$copy/build/bin/anechoic
cd "$copy"
"$anechoic" boards | grep -q '^recipe  *riscv64' ||
	fail "boards lists the board"
"$anechoic" forms --board recipe --variants recipe --forms '^ADD/' >listed
grep -q '^ADD/recipe	.*	measurable$' listed || fail "forms lists the variant"
"$anechoic" measure --board recipe --core tree/tests/fake/simple.core \
	--forms '^(ADD$|ADD/)' --db recipe.db >measured 2>&1 ||
	fail "measure: $(tail -3 measured)"
"$anechoic" show --db recipe.db ADD >shown
grep -q '^  recipe  .*  ok$' shown || fail "show has a value of the kind"
"$anechoic" show --db recipe.db ADD/recipe >shown
grep -q '^  throughput  .*  ok$' shown || fail "the variant has a value"
"$anechoic" export --db recipe.db --format recipe -o exported
grep -qx 'ADD/recipe is ok' exported || fail "export writes the format"
rm -rf "$copy"
echo "a board, an exporter, a variant and a kind of experiment work"
