/* A whole model by LLVM's writes: names, costs of writes, exceptions, reads,
 * units, pipes and counts. */
#include "host/codec/llvm/whole.h"
#include "host/isa/catalogue.h"
#include "tests/unit/catalogue_load.h"
#include "tests/unit/unit.h"

enum { MOST_PAIRS = 4, MOST_LATENCIES = 4 };

/* A form of an invented core: cycles of its latency from each source operand to
 * its result, of its rate, ports as bits, and its class of pairs. */
struct row {
	const char *name;
	double latency[MOST_LATENCIES], rate;
	unsigned ports;
	uint8_t pairing;
};

struct world {
	struct arena a;
	struct model m;
	struct whole w;
};

static void free_world(struct world *x)
{
	arena_free(&x->a);
}

static struct model_form make_form(struct world *x, const struct catalogue *c,
				   const struct row *r)
{
	const struct form *f = form(c, r->name);
	struct model_form ret = { .name = r->name, .pairing = r->pairing };
	struct model_latency *list =
		ARENA_ARRAY(&x->a, struct model_latency, MOST_LATENCIES);
	struct model_use *uses = ARENA_NEW(&x->a, struct model_use);

	ret.throughput = (struct model_span){ r->rate > 0, r->rate, r->rate };
	for (int i = 0; i < f->n_operands && ret.n_latencies < MOST_LATENCIES;
	     i++) {
		double cycles = r->latency[ret.n_latencies];

		if (!f->operands[i].read || f->operands[i].kind != OPERAND_REG)
			continue;
		if (cycles == 0)
			break;
		list[ret.n_latencies++] = (struct model_latency){
			.source = (int8_t)i, .cycles = { true, cycles, cycles }
		};
	}
	ret.latencies = list;
	ret.has_ports = r->ports != 0;
	if (ret.has_ports) {
		*uses = (struct model_use){ r->ports, 1, 1 };
		ret.uses = uses;
		ret.n_uses = 1;
	}
	return ret;
}

static int by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* The whole model of these forms on ports "a" and "b" and units "u" and "v" that
 * are not pipelined. */
static const struct whole *make(struct world *x, const struct row *rows,
				size_t n, bool (*pairs)[MODEL_MAX_CLASSES])
{
	static const struct model_port ports[] = {
		{ .name = "a" },
		{ .name = "b" },
		{ .name = "u", .pseudo = true },
		{ .name = "v", .pseudo = true }
	};
	const struct catalogue *c = catalogue_of("riscv64");
	struct model_form *forms = ARENA_ARRAY(&x->a, struct model_form, n);
	struct err e = { 0 };

	for (size_t i = 0; i < n; i++)
		forms[i] = make_form(x, c, &rows[i]);
	qsort(forms, n, sizeof(*forms), by_name);
	x->m = (struct model){ .isa = "riscv64",
			       .cpu = "any",
			       .width = { true, 2, 2 },
			       .ports = ports,
			       .n_ports = ARRAY_LEN(ports),
			       .forms = forms,
			       .n_forms = n,
			       .pairs = pairs,
			       .n_pairs = pairs ? MOST_PAIRS : 0 };
	assert_ok(whole_read(&x->a, &x->m, c, &x->w, &e), &e);
	return &x->w;
}

static const struct whole_name *name_of(const struct whole *w, const char *name)
{
	const struct whole_name *x = whole_find(w, name, strlen(name));

	if (!x)
		fail_msg("%s: no such name", name);
	return x;
}

TEST(names)
{
	SCOPED(free_world) struct world x = { 0 };
	const struct row rows[] = { { "ADD", { 1, 1 }, 0.5, 3, 0 } };
	const struct whole *w = make(&x, rows, 1, NULL);
	const struct whole_name *m2 = name_of(w, "WriteVIDivV_M2_E32");
	const struct whole_name *mf8 = name_of(w, "WriteVIDivV_MF8_E8");
	const struct whole_name *worst = name_of(w, "WriteVIDivV_WorstCase");

	assert_int_equal(whole_name_length("WriteA_M1_ReadB_M1"), 9);
	assert_int_equal(whole_name_length("WriteA"), 6);
	assert_int_equal(whole_name_length("ADD_SUB"), 0);
	assert_string_equal(whole_groupings[m2->grouping], "M2");
	assert_int_equal(m2->sew, 32);
	assert_string_equal(whole_groupings[mf8->grouping], "MF8");
	assert_int_equal(mf8->sew, 8);
	assert_true(worst->worst && worst->grouping == -1);
	assert_true(whole_same_family(m2, mf8) && whole_same_family(m2, worst));
	assert_false(whole_same_family(m2, name_of(w, "WriteIALU")));
	assert_true(name_of(w, "ReadIALU")->read);
	assert_false(name_of(w, "WriteIALU")->flow);
	assert_null(whole_find(w, "WriteIAL", 8));
	assert_null(whole_write_of(w, "ReadIALU"));
	assert_null(whole_write_of(w, NULL));
	assert_ptr_equal(whole_write_of(w, "WriteIALU_ReadIALU"),
			 name_of(w, "WriteIALU"));
}

/* The cost that most members have is the write's; of as many, the longest;
 * others become exceptions. */
TEST(costs)
{
	SCOPED(free_world) struct world x = { 0 };
	const struct row rows[] = {
		{ "ADD", { 1, 1 }, 0.5, 3, 0 }, { "SUB", { 1, 1 }, 0.5, 3, 0 },
		{ "XOR", { 2, 2 }, 1, 1, 0 },   { "MUL", { 3, 3 }, 1, 1, 0 },
		{ "MULHU", { 5, 5 }, 1, 1, 0 },
	};
	const struct whole *w = make(&x, rows, ARRAY_LEN(rows), NULL);
	const struct whole_name *alu = name_of(w, "WriteIALU");
	const struct whole_name *mul = name_of(w, "WriteIMul");

	assert_int_equal(alu->n_members, 3);
	assert_int_equal(alu->n_unlike, 1);
	assert_int_equal(alu->n_excepted, 1);
	assert_int_equal(alu->cost->latency, 1);
	assert_int_equal(alu->cost->n_uses, 1);
	assert_int_equal(mul->cost->latency, 5);
	assert_string_equal(mul->member, "MULHU");
	assert_int_equal(w->n_exceptions, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct whole_exception *e = &w->exceptions[i];
		bool is_xor = strcmp(e->opcodes[0], "XOR") == 0;

		assert_int_equal(e->n, 1);
		assert_int_equal(e->cost->latency, is_xor ? 2 : 3);
		assert_string_equal(e->rest, is_xor ? "_ReadIALU_ReadIALU"
						    : "_ReadIMul_ReadIMul");
	}
	assert_int_equal(w->counts[WHOLE_OK], 5);
	assert_null(name_of(w, "WriteIDiv")->cost);
}

/* A rate that neither ports nor width explain is a unit's, which is the one of
 * the family of writes if there is one. */
TEST(units)
{
	SCOPED(free_world) struct world x = { 0 };
	const struct row rows[] = {
		{ "DIV", { 20, 20 }, 20, 0, 0 },
		{ "MUL", { 3, 3 }, 0.5, 0, 0 },
		{ "SLL", { 1, 1 }, 2.5, 0, 0 },
		{ "LD", { 3 }, 0, 0, 0 },
		{ "FMUL_D", { 0 }, 1, 1, 0 },
		{ "VDIV_VV/e32,m1", { 9, 9 }, 4, 1 << 2, 0 },
		{ "VDIV_VV/e32,m2", { 9, 9 }, 8, 1 << 3, 0 },
	};
	const struct whole *w = make(&x, rows, ARRAY_LEN(rows), NULL);
	const struct whole_cost *div = name_of(w, "WriteIDiv")->cost;
	const struct whole_name *m1 = name_of(w, "WriteVIDivV_M1_E32");
	const struct whole_name *m2 = name_of(w, "WriteVIDivV_M2_E32");
	const struct whole_name *worst = name_of(w, "WriteVIDivV_WorstCase");

	assert_int_equal(div->uses[0].ports, 0);
	assert_string_equal(w->units[div->uses[0].unit].name, "IDiv");
	assert_int_equal(div->uses[0].cycles, 20);
	/* Two a cycle is what the width allows. */
	assert_int_equal(name_of(w, "WriteIMul")->cost->n_uses, 0);
	assert_int_equal(w->counts[WHOLE_NOT_WHOLE], 1);
	assert_int_equal(w->counts[WHOLE_NO_RATE], 1);
	assert_int_equal(w->counts[WHOLE_NO_LATENCY], 1);
	/* Both units of a family are one, and that of the rate, too. */
	assert_int_equal(w->m->n_ports, 3);
	for (size_t i = 0; i < m1->cost->n_uses; i++)
		assert_int_equal(m1->cost->uses[i].ports,
				 m2->cost->uses[0].ports);
	assert_int_equal(worst->cost->latency, 9);
	assert_int_equal(worst->cost->uses[0].ports, m2->cost->uses[0].ports);
	assert_string_equal(w->m->ports[2].name, "u");
}

/* Read late by what the chain shows, unless forms differ in it. */
TEST(reads)
{
	SCOPED(free_world) struct world x = { 0 };
	const struct row rows[] = {
		{ "FMADD_D", { 5, 5, 3 }, 1, 1, 0 },
		{ "SH1ADD", { 2, 1 }, 1, 1, 0 },
		{ "SH2ADD", { 2, 2 }, 1, 1, 0 },
	};
	const struct whole *w = make(&x, rows, ARRAY_LEN(rows), NULL);
	const struct whole_name *addend = name_of(w, "ReadFMA64Addend");

	assert_int_equal(addend->advance, 2);
	assert_false(addend->split);
	assert_int_equal(addend->n_writes, 1);
	assert_string_equal(addend->writes[0], "WriteFMA64");
	assert_int_equal(name_of(w, "ReadFMA64")->advance, 0);
	assert_true(name_of(w, "ReadSHXADD")->split);
}

/* Forms that never start together share a pipe; those that start with
 * themselves do not. */
TEST(pipes)
{
	SCOPED(free_world) struct world x = { 0 };
	static bool pairs[MOST_PAIRS][MODEL_MAX_CLASSES];
	const struct row rows[] = {
		{ "ADD", { 1, 1 }, 0.5, 3, 1 },
		{ "MUL", { 3, 3 }, 1, 3, 2 },
		{ "SLL", { 1, 1 }, 1, 3, 3 },
	};
	const struct whole *w;

	memset(pairs, 0, sizeof(pairs));
	for (int i = 1; i < MOST_PAIRS; i++)
		pairs[1][i] = pairs[i][1] = true;
	w = make(&x, rows, ARRAY_LEN(rows), pairs);
	assert_int_equal(w->m->n_ports, 5);
	assert_string_equal(w->m->ports[4].name, "Pipe0");
	assert_true(w->m->ports[4].pseudo);
	assert_int_equal(model_find(w->m, "ADD")->n_uses, 1);
	assert_int_equal(model_find(w->m, "MUL")->n_uses, 2);
	assert_int_equal(model_find(w->m, "MUL")->uses[1].ports, 1 << 4);
	assert_int_equal(model_find(w->m, "SLL")->uses[1].ports, 1 << 4);
}
