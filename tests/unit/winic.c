/* The WINIC export, read back by the importer: every operand pair of every form
 * must be the same. */
#include "host/codec/codec.h"
#include "host/codec/winic/read.h"
#include "host/experiment/experiment.h"
#include "host/store/store_claim.h"
#include "host/store/store_run.h"
#include "tests/unit/any_run.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

#ifdef __SANITIZE_ADDRESS__
/* All forms take a minute; a part covers the same code. */
enum { STEP = 16 };
#else
enum { STEP = 4 };
#endif
enum { NAME = 64 };

struct scratch {
	struct arena a;
	struct err err;
	struct store *s;
	struct catalogue *c;
	struct run run;
	size_t n; /* claims so far */
	struct winic_value *values;
	size_t n_values;
};

static int read_text(struct scratch *t, const void *text, size_t n)
{
	const struct import_text x = { .path = "x.yaml", .text = text, .n = n };
	struct winic_values all = { 0 };
	int code = winic_read(&t->a, t->c, &x, NULL, &all, &t->err);

	t->values = all.list;
	t->n_values = all.n;
	return code;
}

static int set_up(void **state)
{
	struct scratch *t = calloc(1, sizeof(*t));

	*state = t;
	return t && store_open(":memory:", true, &t->s, &t->err) == ERR_OK ? 0
									   : -1;
}

static int tear_down(void **state)
{
	struct scratch *t = *state;

	store_close(t->s);
	if (t->c)
		arena_free(&t->a);
	free(t);
	return 0;
}

EACH(set_up, tear_down);

static void start(struct scratch *t, const char *isa)
{
	t->c = load(&t->a, isa, NULL);
	t->run = any_run(isa, CLOCK_CORE);
	assert_int_equal(store_run_new(t->s, &t->run, &t->err), ERR_OK);
	assert_int_equal(store_claims_begin(t->s, t->run.id, &t->err), ERR_OK);
}

/* Every claim has a value of its own. */
static void claim(struct scratch *t, const char *form, const char *source,
		  const char *destination, const char *verdict)
{
	struct claim c = { .run = t->run.id,
			   .form = form,
			   .kind = *source ? "latency" : "throughput",
			   .source = source,
			   .destination = destination,
			   .has_value = true,
			   .low_cycles = 1 + (double)t->n,
			   .high_cycles = 1 + (double)(t->n + t->n % 3),
			   .verdict = verdict_of(verdict),
			   .verdict_text = verdict,
			   .label = "",
			   .detail = "" };

	assert_ok(store_claim(t->s, &c, &t->err), &t->err);
	t->n++;
}

static void claim_pairs(struct scratch *t, const struct form *f)
{
	for (int s = 0; s < f->n_operands; s++)
		for (int d = 0; d < f->n_operands; d++) {
			char source[NAME], destination[NAME];

			/* Immediates are no sources; memory is left out
			 * here. */
			if (!f->operands[s].read || !f->operands[d].write ||
			    f->operands[s].kind == OPERAND_IMM ||
			    f->operands[d].kind == OPERAND_IMM)
				continue;
			operand_name(t->c, f, s, source, sizeof(source));
			operand_name(t->c, f, d, destination,
				     sizeof(destination));
			claim(t, f->name, source, destination, "ok");
		}
}

static void read_back(struct scratch *t)
{
	SCOPED(buffer_free) struct buffer b = { 0 };

	assert_int_equal(store_commit(t->s, &t->err), ERR_OK);
	assert_ok(exporter_find("winic")->write(t->s, &b, &t->err), &t->err);
	assert_ok(read_text(t, b.bytes, b.n), &t->err);
}

static int by_name(const void *a, const void *b)
{
	const struct winic_value *x = a, *y = b;
	int order = strcmp(x->form, y->form);

	if (order == 0)
		order = strcmp(x->kind, y->kind);
	if (order == 0)
		order = strcmp(x->source, y->source);
	return order ? order : strcmp(x->destination, y->destination);
}

static int found(void *context, const struct claim *c, struct err *e)
{
	struct scratch *t = context;
	struct winic_value key = { .form = c->form,
				   .kind = c->kind,
				   .source = c->source,
				   .destination = c->destination };
	const struct winic_value *v =
		bsearch(&key, t->values, t->n_values, sizeof(key), by_name);

	(void)e;
	if (!v || !v->known || v->low != c->low_cycles ||
	    v->high != c->high_cycles)
		fail_msg("%s %s %s>%s: %g..%g, read %g..%g", c->form, c->kind,
			 c->source, c->destination, c->low_cycles,
			 c->high_cycles, v ? v->low : -1, v ? v->high : -1);
	return 0;
}

static void every_pair_comes_back(struct scratch *t, const char *isa)
{
	size_t n_known = 0;

	start(t, isa);
	for (size_t i = 0; i < t->c->n_forms; i += STEP) {
		const struct form *f = &t->c->forms[i];

		if (f->status != FORM_MEASURABLE)
			continue;
		claim_pairs(t, f);
		claim(t, f->name, "", "", "ok");
	}
	read_back(t);
	for (size_t i = 0; i < t->n_values; i++)
		n_known += t->values[i].known;
	/* An opcode with values of variants alone is there without a value. */
	assert_int_equal(n_known, t->n);
	qsort(t->values, t->n_values, sizeof(*t->values), by_name);
	assert_int_equal(store_claims(t->s, 0, NULL, found, t, &t->err), 0);
}

TEST(every_pair_of_x86_64)
{
	every_pair_comes_back(*state, "x86_64");
}

TEST(every_pair_of_aarch64)
{
	every_pair_comes_back(*state, "aarch64");
}

TEST(every_pair_of_riscv64)
{
	every_pair_comes_back(*state, "riscv64");
}

TEST_ON(unsettled_comes_back_without_a_value, struct scratch *t)
{
	start(t, "riscv64");
	claim(t, "ADD", "1", "0", "noisy");
	claim(t, "ADD", "", "", "unstable");
	read_back(t);
	assert_int_equal(t->n_values, 2);
	assert_false(t->values[0].known || t->values[1].known);
}

static bool has(const struct buffer *b, const char *text)
{
	return memmem(b->bytes, b->n, text, strlen(text)) != NULL;
}

/* WINIC's programs know EFLAGS alone, and the first entry of an opcode. */
TEST_ON(flags_and_variants_are_below_what_winic_reads, struct scratch *t)
{
	SCOPED(buffer_free) struct buffer b = { 0 };

	start(t, "x86_64");
	claim(t, "ADD64ri32", "1", "EFLAGS.CF", "ok"); /* 1 */
	claim(t, "ADD64ri32", "1", "EFLAGS.OF", "ok"); /* 2 to 3 */
	claim(t, "ADD64ri32/small", "", "", "ok");     /* 3 to 5 */
	claim(t, "SUB64rr", "1", "EFLAGS.CF", "ok");
	claim(t, "SUB64rr", "1", "EFLAGS.OF", "noisy");
	assert_int_equal(store_commit(t->s, &t->err), ERR_OK);
	assert_ok(exporter_find("winic")->write(t->s, &b, &t->err), &t->err);
	assert_true(has(&b, "    targetOperand: EFLAGS\n"
			    "    latencyMin: 1\n"
			    "    latencyMax: 3\n"
			    "    flags:\n"
			    "    - sourceOperand: '0'\n"
			    "      targetOperand: EFLAGS.CF\n"));
	/* One flag may cost anything. */
	assert_true(has(&b, "    targetOperand: EFLAGS\n"
			    "    latencyMin: null\n"
			    "    latencyMax: null\n"
			    "    flags:\n"));
	assert_true(has(&b, "  throughputMax: null\n"
			    "  variants:\n"
			    "  - form: ADD64ri32/small\n"));
	assert_false(has(&b, "\n- form:"));
}

/* ---- places ------------------------------------------------------------- */

static void place(const struct form *f, const char *name, const char *expected)
{
	char text[PLACE_ROOM];

	assert_true(operand_place(f, name, text));
	assert_string_equal(text, expected);
}

TEST_ON(memory_has_no_place, struct scratch *t)
{
	const struct form *f;
	char name[PLACE_ROOM];

	t->c = load(&t->a, "x86_64", NULL);
	f = form(t->c, "VADDPDZ128rmk");
	/* Written, its old value, the mask, a source, five of the address. */
	place(f, "0", "0");
	place(f, "1", "0");
	place(f, "2", "1");
	place(f, "3", "2");
	place(f, "4", "mem4");
	assert_true(operand_from_place(f, "0", true, name));
	assert_string_equal(name, "1");
	assert_true(operand_from_place(f, "0", false, name));
	assert_string_equal(name, "0");
	assert_true(operand_from_place(f, "mem4", true, name));
	assert_string_equal(name, "4");
	assert_false(operand_from_place(f, "mem3", true, name));
	assert_false(operand_from_place(f, "3", true, name));
	assert_false(operand_place(f, "99", name));
}

/* ---- other people's files ------------------------------------------------ */

TEST_ON(bad_files, struct scratch *t)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "a: b", "x.yaml:1: expected a list of instructions" },
		{ "- 1", "x.yaml:1: expected a map" },
		{ "- name: add", "llvmName" },
		{ "- llvmName: [a]", "llvmName" },
		{ "-\n  llvmName: ADD\n  throughputMin: fast",
		  "x.yaml:3: expected a number or null" },
		{ "- {llvmName: A, throughputMin: .nan}", "a number" },
		{ "- {llvmName: A, throughputMin: -1}",
		  "a number from 0 to 1e9 or null" },
		{ "- {llvmName: A, throughputMin: 2, throughputMax: 1}",
		  "a minimum below the maximum" },
		{ "- {llvmName: A, operandLatencies: {}}",
		  "x.yaml:1: expected operandLatencies as a list" },
		{ "- {llvmName: A, operandLatencies: [1]}", "a list of maps" },
		{ "- {llvmName: A, operandLatencies: [{latencyMin: 1}]}",
		  "sourceOperand" },
		{ "- {llvmName: ADD, operandLatencies: [{sourceOperand: '7', "
		  "targetOperand: '0'}]}",
		  "ADD has no operand '7'" },
		{ "- {llvmName: A, operandLatencies: [{flags: {}}]}",
		  "expected flags as a list" },
		{ "- &a {llvmName: A, operandLatencies: [&b {flags: [*b]}]}",
		  "sourceOperand" },
		{ "- {llvmName: A, variants: 1", "YAML" },
		{ "- {llvmName: A, variants: [2]}", "variants must be a list" },
		{ "- {llvmName: A, variants: [{form: B/small}]}",
		  "a variant of llvmName" },
		{ "- {llvmName: A", "YAML" },
		{ "- \"a\\0b\"", "a map" },
	};

	t->c = load(&t->a, "riscv64", NULL);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		t->err = (struct err){ .code = ERR_OK };
		assert_int_equal(
			read_text(t, rows[i].text, strlen(rows[i].text)),
			ERR_INPUT);
		assert_part(t->err.message, rows[i].message);
	}
}

TEST_ON(file_of_winic_itself, struct scratch *t)
{
	static const char text[] =
		"- llvmName: ADD\n"
		"  name: add\n"
		"  operands:\n"
		"    - {class: register, name: GPR, read: false, write: true}\n"
		"  latency: 1\n"
		"  operandLatencies:\n"
		"    - sourceOperand: '1'\n"
		"      targetOperand: '0'\n"
		"      latencyMin: 1.5\n"
		"      latencyMax: 2\n"
		"  throughput: 0.25\n"
		"  throughputMin: null\n"
		"  throughputMax: ~\n"
		"- llvmName: NOT_OURS\n"
		"  operandLatencies: null\n";

	t->c = load(&t->a, "riscv64", NULL);
	assert_int_equal(read_text(t, text, sizeof(text) - 1), ERR_OK);
	assert_int_equal(t->n_values, 3);
	assert_string_equal(t->values[0].source, "1");
	assert_true(t->values[0].known && t->values[0].low == 1.5 &&
		    t->values[0].high == 2);
	assert_int_equal(t->values[0].line, 7);
	assert_false(t->values[1].known);
	assert_string_equal(t->values[2].form, "NOT_OURS");
}

/* A truncated file is read or refused, without a crash. */
TEST_ON(cut_files, struct scratch *t)
{
	static const char text[] =
		"---\n"
		"- llvmName: ADD\n"
		"  operandLatencies: [{sourceOperand: '1', targetOperand: '0', "
		"latencyMin: 1, latencyMax: 2}]\n"
		"  throughputMin: 1\n"
		"  throughputMax: 1\n"
		"...\n";

	t->c = load(&t->a, "riscv64", NULL);
	for (size_t n = 0; n < sizeof(text); n++) {
		unsigned char *copy = malloc(n + 1);

		assert_non_null(copy);
		memcpy(copy, text, n);
		t->err = (struct err){ .code = ERR_OK };
		(void)read_text(t, copy, n);
		assert_true(t->err.code == ERR_OK || t->err.code == ERR_INPUT);
		free(copy);
	}
}
