/* GCC's pipeline descriptions: what they say, and a parser for what GCC's own
 * programs ask of them (tests/readers/gcc.sh runs those). */
#include <ctype.h>

#include "tests/unit/model_world.h"
#include "tests/unit/unit.h"

/* ---- a parser ------------------------------------------------------------- */

enum { WORDS_MOST = 4096 };

struct names {
	size_t n;
	const char *list[WORDS_MOST];
	bool used[WORDS_MOST];
};

struct description {
	struct arena *a;
	const char *at;
	struct names automata, units, reservations;
	size_t n_bypasses;
};

static void name_add(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->list[i], name) == 0)
			fail_msg("%s is defined twice", name);
	assert_true(names->n < WORDS_MOST);
	names->list[names->n++] = name;
}

static void name_use(struct names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->list[i], name) == 0) {
			names->used[i] = true;
			return;
		}
	fail_msg("'%s' is not defined", name);
}

static void skip_blanks(struct description *d)
{
	while (isspace((unsigned char)*d->at) || *d->at == ';')
		d->at += *d->at == ';' ? strcspn(d->at, "\n") : 1;
}

static void expect(struct description *d, const char *text)
{
	skip_blanks(d);
	if (strncmp(d->at, text, strlen(text)) != 0)
		fail_msg("expected '%s' at '%.60s'", text, d->at);
	d->at += strlen(text);
}

static const char *string(struct description *d)
{
	size_t n;
	const char *ret;

	expect(d, "\"");
	n = strcspn(d->at, "\"\\");
	assert_true(d->at[n] == '"' && n > 0);
	ret = arena_printf(d->a, "%.*s", (int)n, d->at);
	d->at += n + 1;
	return ret;
}

/* A name of letters, digits and underscores. */
static const char *name(struct description *d)
{
	const char *ret = string(d);

	for (const char *c = ret; *c != '\0'; c++)
		assert_true(isalnum((unsigned char)*c) || *c == '_');
	return ret;
}

static long number(struct description *d)
{
	char *end;
	long ret;

	skip_blanks(d);
	assert_true(isdigit((unsigned char)*d->at));
	ret = strtol(d->at, &end, 10);
	d->at = end;
	return ret;
}

static void condition(struct description *d)
{
	skip_blanks(d);
	if (strncmp(d->at, "(eq_attr", 8) == 0) {
		expect(d, "(eq_attr");
		(void)name(d);
		(void)string(d);
	} else if (strncmp(d->at, "(not", 4) == 0) {
		expect(d, "(not");
		condition(d);
	} else {
		expect(d, "(and");
		condition(d);
		condition(d);
	}
	expect(d, ")");
}

/* sequence: choice {"," choice}; each level below binds more tightly. */
static void units(struct description *d, int level)
{
	static const char signs[] = ",|+";

	if (level < 3) {
		units(d, level + 1);
		while (*d->at == signs[level]) {
			d->at++;
			units(d, level + 1);
		}
		return;
	}
	if (*d->at == '(') {
		d->at++;
		units(d, 0);
		assert_true(*d->at == ')');
		d->at++;
	} else {
		size_t n = strcspn(d->at, ",|+*()");

		name_use(&d->units, arena_printf(d->a, "%.*s", (int)n, d->at));
		d->at += n;
	}
	if (*d->at == '*') {
		d->at++;
		assert_true(number(d) > 1);
	}
}

static void reservation(struct description *d)
{
	const char *text, *after;

	name_add(&d->reservations, name(d));
	assert_true(number(d) <= 512);
	condition(d);
	text = string(d);
	if (strcmp(text, "nothing") == 0)
		return;
	after = d->at;
	d->at = text;
	units(d, 0);
	assert_true(*d->at == '\0');
	d->at = after;
}

static void bypass(struct description *d)
{
	const char *to;

	(void)number(d);
	name_use(&d->reservations, name(d));
	for (to = string(d); *to != '\0'; d->n_bypasses++) {
		size_t n = strcspn(to, ",");

		name_use(&d->reservations,
			 arena_printf(d->a, "%.*s", (int)n, to));
		to += n;
		to += strspn(to, ", \n");
	}
}

static void unit(struct description *d)
{
	name_add(&d->units, name(d));
	name_use(&d->automata, name(d));
}

static struct description *parse(struct arena *a, const char *text)
{
	struct description *d = ARENA_NEW(a, struct description);

	d->a = a;
	d->at = text;
	for (skip_blanks(d); *d->at != '\0'; skip_blanks(d)) {
		expect(d, "(define_");
		if (strncmp(d->at, "automaton", 9) == 0) {
			expect(d, "automaton");
			name_add(&d->automata, name(d));
		} else if (strncmp(d->at, "cpu", 3) == 0) {
			expect(d, "cpu_unit");
			unit(d);
		} else if (strncmp(d->at, "insn", 4) == 0) {
			expect(d, "insn_reservation");
			reservation(d);
		} else {
			expect(d, "bypass");
			bypass(d);
		}
		expect(d, ")");
	}
	for (size_t i = 0; i < d->units.n; i++)
		assert_true(d->units.used[i]);
	return d;
}

/* ---- models ----------------------------------------------------------------- */

#define SPAN(from, to)         \
	{                      \
		true, from, to \
	}
/* From the first source. */
#define LATENCY(from, to)                                             \
	.n_latencies = 1, .latencies = (const struct model_latency[]) \
	{                                                             \
		{                                                     \
			.source = 1, .cycles = SPAN(from, to)         \
		}                                                     \
	}
#define USES(n, ...)                                                       \
	.has_ports = true, .n_uses = n, .uses = (const struct model_use[]) \
	{                                                                  \
		__VA_ARGS__                                                \
	}

static const struct model_port ports[] = {
	{ .name = "p.0" },
	{ .name = "p_0" }, /* the same identifier */
	{ .name = "v0" },
	{ .name = "div", .pseudo = true },
};

static struct description *description(struct world *w, struct model *m,
				       const char **ret_text)
{
	m->isa = "riscv64";
	m->cpu = m->cpu ? m->cpu : "some-core";
	m->n_ports = ARRAY_LEN(ports);
	m->ports = ports;
	*ret_text = written(w, "gcc", m);
	return parse(&w->a, *ret_text);
}

TEST(costs_of_types)
{
	const struct model_form forms[] = {
		{ .name = "ADD", LATENCY(1, 1), USES(1, { 3, 1, 1 }) },
		{ .name = "DIV",
		  LATENCY(19.98, 20.06),
		  USES(2, { 1, 1, 1 }, { 8, 1, 20 }) },
		{ .name = "DIVW",
		  LATENCY(9, 12),
		  USES(2, { 1, 1, 1 }, { 8, 1, 12 }) },
		/* Members of a type that differ. */
		{ .name = "MUL", LATENCY(3, 3), USES(1, { 2, 1, 1 }) },
		{ .name = "MULH", LATENCY(5, 5), USES(1, { 2, 2, 1 }) },
		/* No result, two uops of one set. */
		{ .name = "SD", USES(1, { 3, 2, 1 }) },
		/* A rate that no port explains. */
		{ .name = "VADD_VV/e32,m1",
		  .throughput = SPAN(2, 2),
		  LATENCY(4, 4),
		  USES(1, { 4, 1, 1 }) },
		/* No latency of its result. */
		{ .name = "XOR", USES(1, { 3, 1, 1 }) },
	};
	struct model m = {
		.n_forms = ARRAY_LEN(forms),
		.forms = forms,
		.width = SPAN(4, 4),
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;
	struct description *d = description(&w, &m, &text);

	assert_int_equal(d->reservations.n, 6);
	assert_int_equal(d->units.n, 5);
	assert_part(text, "(define_insn_reservation \"some_core_arith\" 1\n"
			  "  (and (eq_attr \"tune\" \"some_core\")\n"
			  "       (eq_attr \"type\" \"arith\"))\n"
			  "  \"(some_core_p_0|some_core_p_0_)\")\n");
	assert_part(text,
		    "(define_insn_reservation \"some_core_idiv_si\" 12\n");
	assert_part(text, "	    (eq_attr \"mode\" \"SI\")))\n"
			  "  \"some_core_p_0+some_core_div*12\")\n");
	assert_part(text, "(define_insn_reservation \"some_core_idiv\" 20\n");
	assert_part(text, "(not (eq_attr \"mode\" \"SI\"))))\n"
			  "  \"some_core_p_0+some_core_div*20\")\n");
	assert_part(text, ";; latency 3 to 5, members differ:\n"
			  ";;   3: MUL\n;;   5: MULH\n");
	assert_part(text, "\"some_core_imul\" 5\n");
	assert_part(text, "  \"some_core_p_0_*2\")\n");
	assert_part(text, "  \"(some_core_p_0+some_core_p_0_)\")\n");
	assert_part(text, "\"some_core_vialu\" 4\n");
	assert_part(text, "  \"some_core_v0+some_core_vialu_unit0*2\")\n");
	assert_part(text, ";; 1 forms have a result, but no latency.\n");
	assert_part(text, "issue_rate is 4.\n");
}

/* The worst of two modes may be the cost of neither: no form has it. */
TEST(worst_of_no_mode)
{
	const struct model_form forms[] = {
		{ .name = "FADD_D", LATENCY(4, 4), USES(1, { 2, 1, 1 }) },
		{ .name = "FADD_S", LATENCY(3, 3), USES(1, { 1, 1, 2 }) },
	};
	struct model m = { .n_forms = ARRAY_LEN(forms), .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;
	struct description *d = description(&w, &m, &text);

	assert_int_equal(d->reservations.n, 3);
	assert_part(text, "\"some_core_fadd_df\" 4\n");
	assert_part(text, "\"some_core_fadd_sf\" 3\n");
	assert_part(text, ";; No form: the worst of the modes that are named.\n"
			  "(define_insn_reservation \"some_core_fadd\" 4\n");
	assert_part(text, "  \"some_core_p_0*2\")\n");
}

/* What is not certain stands in the head. */
TEST(unknown_in_the_head)
{
	const struct model_form forms[] = {
		{ .name = "ADD",
		  LATENCY(1, 1),
		  USES(1, { 3, 1, 1 }),
		  .mark = { MARK_OPEN } },
		{ .name = "MUL",
		  LATENCY(3, 3),
		  USES(1, { 1, 1, 1 }),
		  .mark = { MARK_MEASURED } },
		/* Neither a port nor the front end explains it. */
		{ .name = "SD", .throughput = SPAN(0.5, 0.5) },
	};
	struct model m = { .n_forms = ARRAY_LEN(forms), .forms = forms };
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;

	(void)description(&w, &m, &text);
	assert_part(text, "issue_rate is not known.\n");
	assert_part(text,
		    ";; The ports of 1 forms with a reservation are open: "
		    "others explain as much.\n");
	assert_part(text, "  \"(some_core_store_unit0|some_core_store_unit1)\")"
			  "\n");
}

TEST(consumers_that_wait_longer)
{
	const struct model_form forms[] = {
		{ .name = "ADD",
		  .bypass = 1,
		  LATENCY(1, 1),
		  USES(1, { 3, 1, 1 }) },
		/* Of the same cost, but no producer for the product. */
		{ .name = "AND", LATENCY(1, 1), USES(1, { 3, 1, 1 }) },
		{ .name = "BEQ/taken", .bypass = 1, USES(1, { 3, 1, 1 }) },
		{ .name = "MUL",
		  .bypass = 2,
		  LATENCY(3, 3),
		  USES(1, { 1, 1, 1 }) },
	};
	double bypass[3][MODEL_MAX_CLASSES] = { [1] = { [2] = 2 } };
	struct model m = {
		.n_forms = ARRAY_LEN(forms),
		.forms = forms,
		.n_bypass = 3,
		.bypass = bypass,
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;

	assert_int_equal(description(&w, &m, &text)->n_bypasses, 1);
	assert_part(text, "(define_bypass 3 \"some_core_arith\"\n"
			  "  \"some_core_imul\")\n");
}

TEST(hostile_texts)
{
	const struct model_form forms[] = {
		{ .name = "ADD",
		  .throughput = SPAN(1e-300, 1e-300),
		  LATENCY(0, 0) },
		{ .name = "DIV",
		  .throughput = SPAN(1e9, 1e9),
		  LATENCY(1e9, 1e9),
		  USES(1, { 1, 1e9, 1e9 }) },
		{ .name = "MUL",
		  .throughput = SPAN(0.001, 0.001),
		  LATENCY(2.5, 2.5) },
	};
	struct model m = {
		.cpu = "a\"b)\n(define_insn",
		.source = "s\n(define_cpu_unit \"x\" \"y\")",
		.about = { .core = "c\r\n\")", .date = ";\n)" },
		.n_forms = ARRAY_LEN(forms),
		.forms = forms,
	};
	SCOPED(close_world) struct world w = open_world("riscv64", NULL);
	const char *text;
	struct description *d = description(&w, &m, &text);

	assert_int_equal(d->reservations.n, 2);
	assert_part(text, ";; 1 forms take more than 512 cycles.\n");
}

/* Every table of LLVM's with vectors, with all its types. */
TEST(tables)
{
	static const char *const cpus[] = { "sifive-p670", "rocket-rv64" };

	for (size_t i = 0; i < ARRAY_LEN(cpus); i++) {
		SCOPED(close_world)
		struct world w = open_world("riscv64", cpus[i]);
		const char *text = written(&w, "gcc", w.m);

		assert_true(parse(&w.a, text)->reservations.n > 10);
	}
}

TEST(other_instruction_sets)
{
	SCOPED(close_world) struct world w = open_world("x86_64", "znver4");
	SCOPED(buffer_free) struct buffer b = { 0 };
	struct err e = { 0 };

	assert_int_equal(exporter_find("gcc")->write_model(w.m, w.c, &b, &e),
			 ERR_INPUT);
	assert_part(e.message, "x86_64");
	assert_int_equal(b.n, 0);
}
