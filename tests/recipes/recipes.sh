#!/bin/sh
# Follow the recipes of host/README.md ("To add something") in a copy of
# the tree: add a board, an exporter, a variant of forms, an effect and a column
# of predictions, check how many files each touches, build the program and use
# them all.
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
	buffer_printf(context, "%s is %s\n", c->form, claim_verdict(c));
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
	VARIANT(NAMES("ADD"), NULL, "recipe", RECIPE),
END
touches variant 2

# An effect: one file, and a word in the registry.  Each step of it does something:
# an experiment, a claim, a list of the model, the costs of a loop, a bound, a column.
cat >host/effect/recipe.c <<'END'
/* Instructions that take slots of the front end, for tests/recipes. */
#include "host/experiment/experiment.h"
#include "host/model/claims_read.h"
#include "host/model/complete_read.h"
#include "host/model/fields.h"
#include "host/predict/body.h"
#include "host/solve/judging.h"

extern const struct effect effect_recipe;

static void plan(const struct effect_plan *p)
{
	for (size_t i = 0; i < p->catalogue->n_forms; i++) {
		const struct form *f = &p->catalogue->forms[i];
		struct experiment x = experiment_of(effect_kind(&effect_recipe),
						    f, -1, -1);

		if (p->is_chosen(p->choice, f) && strcmp(f->name, "ADD") == 0)
			p->add(p->context, &x);
	}
}

static int judge(const struct judge *j, const struct record *r, size_t n)
{
	struct claim c = judging_base(j, r);

	(void)n;
	return j->sink->each(j->sink->context, &c, j->e);
}

struct recipe {
	const char *form;
	double slots;
};
IMAGE_TYPE(recipe_type, struct recipe, 16);
static const struct model_field fields[] = {
	MODEL_FIELD(recipe, form, "form", FIELD_FORM, .required = true),
	MODEL_FIELD(recipe, slots, "slots", FIELD_NUMBER, .always = true),
};
static const struct model_record record = MODEL_RECORD(
	fields, .image = &recipe_type, .expected = "a form and its slots");
static const struct effect_list list = { "recipe", &record };

static void read_claims(struct claim_reader *r)
{
	struct buffer found = { 0 };

	for (size_t i = 0; i < r->values.n; i++) {
		const struct claim *c = &r->values.list[i];
		struct recipe x = { c->form, 1 + claim_middle(c) };

		if (claim_is(c, "recipe") && claim_taken(c))
			buffer_add(&found, &x, sizeof(x));
	}
	claims_give(r, &effect_recipe, &found, sizeof(struct recipe));
}

static double slots_of(const struct body *b, const struct op *o)
{
	size_t n;
	const struct recipe *l = model_effect(b->model, &effect_recipe, &n);

	for (size_t i = 0; i < n && o->form; i++)
		if (strcmp(l[i].form, o->form->name) == 0)
			return l[i].slots;
	return -1;
}

static void bind(struct body *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (slots_of(b, &b->ops[i]) > 0)
			b->ops[i].slots = slots_of(b, &b->ops[i]);
}

static double bound_cycles(const struct body *b)
{
	return slots_of(b, &b->ops[0]) > 0 ? 5 : 0;
}

static const struct effect_bound bound = {
	"recipe", "Recipe", "recipe_bound", "the recipe", bound_cycles
};
static const struct experiment_row kind = {
	"recipe", "recipe", 1, EXPERIMENT_JUDGED | EXPERIMENT_CLAIMED
};
static const struct effect_column column = { "recipe", "recipe_slots", slots_of };

const struct effect effect_recipe = {
	.name = "recipe",
	.kind = &kind,
	.plan = plan,
	.judge = judge,
	.list = &list,
	.read_claims = read_claims,
	.bind = bind,
	.when = BIND_AFTER_COSTS,
	.bound = &bound,
	.column = &column,
};
END
sed -i 's/^  contention /  recipe contention /' host/effect/CMakeLists.txt
grep -q '^  recipe' host/effect/CMakeLists.txt || fail "the list of effects"
touches effect 1

# A column of a loop's instructions: a row of the table.
before host/predict/report.c '"uops", "Uops", NULL' <<'END'
	{ "read", "Reads", "reads", offsetof(struct report_row, critical),
	  false, NULL },
END
touches column 1

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
grep -q '^  recipe  .*  ok$' shown || fail "show has a value of the effect"
printf 'loop:\n\tadd a0, a1, a2\n\tbnez a0, loop\n' >loop.s
"$anechoic" predict --db recipe.db loop.s >predicted
grep -q ' read .* recipe .*|' predicted || fail "predict has both columns"
grep -q '^  *front end  *3.00$' predicted ||
	fail "predict counts the slots of the effect"
grep -q '^  *recipe  *5.00$' predicted || fail "predict has the bound"
grep -q '^bound by the recipe' predicted || fail "predict has the reason"
"$anechoic" predict --db recipe.db --format json loop.s >predicted
grep -q '"recipe_slots": 2,' predicted || fail "JSON has the column"
grep -q '"recipe_bound": 5,' predicted || fail "JSON has the bound"
"$anechoic" export --db recipe.db --format model -o model.json
grep -q '"recipe": \[' model.json || fail "the model has the list"
"$anechoic" predict --model model.json loop.s >predicted
grep -q ' 2.00 | .*add a0' predicted || fail "predict reads the list"
"$anechoic" show --db recipe.db ADD/recipe >shown
grep -q '^  throughput  .*  ok$' shown || fail "the variant has a value"
"$anechoic" export --db recipe.db --format recipe -o exported
grep -qx 'ADD/recipe is ok' exported || fail "export writes the format"
rm -rf "$copy"
echo "a board, an exporter, a variant, an effect and a column work"
