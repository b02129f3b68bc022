/* Instructions that are a variant of their form because of their registers. */
#include "tests/unit/predict_world.h"
#include "tests/unit/unit.h"

static const struct predict_options usual;

static const struct row rows[] = {
	{ "CMP8rr", "a|b", 1, { { 0 } }, false },
	{ "CMP8rr/high", "a", 1, { { 0 } }, false },
	{ "MOVDQUrr", "", 0, { { 0 } }, true },
	{ "MOVDQUrr/same", "b", 1, { { 0 } }, false },
	{ "ORPSrr", "a", 1, { { 0 } }, false },
	{ "ORPSrr/same", "a", 1, { { 0 } }, false },
	{ "PSUBBrr", "a", 1, { { 0 } }, false },
	{ "PSUBBrr/same", "", 0, { { 0 } }, false },
	{ "SHLD64rri8", "a", 3, { { 0 } }, false },
	{ "SHLD64rri8/same", "a", 3, { { 1, 0, 1 } }, false },
	{ "SUB64rr", "a", 1, { { 0 } }, false },
	{ "VPSUBBrr", "a", 1, { { 0 } }, false },
};

/* A core that is ten wide, whose forms a test may change. */
static struct world open_core(struct model_form **ret)
{
	struct world w = WORLD_OF("x86_64", "a b", rows);

	w.m->width = exactly(10);
	*ret = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(**ret));
	w.m->forms = *ret;
	return w;
}

static struct model_form *form_of(const struct world *w,
				  struct model_form *forms, const char *name)
{
	for (size_t i = 0; i < w->m->n_forms; i++)
		if (strcmp(forms[i].name, name) == 0)
			return &forms[i];
	fail_msg("%s: no such form", name);
	return NULL;
}

/* Throughputs of two instructions. */
TEST(costs_are_those_of_the_variant)
{
	static const struct {
		const char *text;
		double cycles;
	} cases[] = {
		{ "cmpb %cl, %dl\ncmpb %al, %bl\n", 1 },
		{ "cmpb %ch, %dl\ncmpb %al, %bl\n", 1 },
		{ "cmpb %ch, %dl\ncmpb %al, %bh\n", 2 },
		{ "movdqu %xmm0, %xmm1\nmovdqu %xmm2, %xmm3\n", 0.2 },
		{ "movdqu %xmm1, %xmm1\nmovdqu %xmm3, %xmm3\n", 2 },
		{ "psubb %xmm0, %xmm1\npsubb %xmm2, %xmm3\n", 2 },
		{ "psubb %xmm1, %xmm1\npsubb %xmm3, %xmm3\n", 0.2 },
		{ "orps %xmm1, %xmm1\norps %xmm3, %xmm3\n", 2 },
		/* Not measured with one register. */
		{ "subq %rax, %rax\nsubq %rbx, %rbx\n", 2 },
	};
	struct model_form *forms;
	SCOPED(world_close) struct world w = open_core(&forms);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		world_predict(&w, cases[i].text, usual);
		assert_cycles(w.p.throughput, cases[i].cycles, cases[i].text);
	}
}

/* Only the throughput of the variant is known, as without a search for ports:
 * it is eliminated if it is faster than the ports of the form. */
TEST(a_throughput_shows_what_is_eliminated)
{
	static const char text[] = "psubb %xmm1, %xmm1\npsubb %xmm3, %xmm3\n";
	struct model_form *forms, *same;
	SCOPED(world_close) struct world w = open_core(&forms);

	same = form_of(&w, forms, "PSUBBrr/same");
	same->has_ports = false;
	same->throughput = exactly(0.1);
	world_predict(&w, text, usual);
	assert_cycles(w.p.throughput, 0.2, "eliminated");
	same->throughput = exactly(1);
	world_predict(&w, text, usual);
	assert_cycles(w.p.throughput, 2, "executed");
}

/* Tables say which forms are idioms, and have no rows for variants. */
TEST(a_flag_of_the_form_counts_without_a_variant)
{
	struct model_form *forms;
	SCOPED(world_close) struct world w = open_core(&forms);

	form_of(&w, forms, "SUB64rr")->zero_idiom = true;
	world_predict(&w, "subq %rax, %rax\nsubq %rbx, %rbx\n", usual);
	assert_cycles(w.p.throughput, 0.2, "idiom");
}

/* Slots are those of the variant, too. */
TEST(slots_are_those_of_the_variant)
{
	struct model_form *forms;
	SCOPED(world_close) struct world w = open_core(&forms);

	form_of(&w, forms, "ORPSrr/same")->slots = exactly(40);
	world_predict(&w, "orps %xmm1, %xmm1\n", usual);
	assert_cycles(w.p.throughput, 4, "one register");
	world_predict(&w, "orps %xmm1, %xmm2\n", usual);
	assert_cycles(w.p.throughput, 1, "two");
}

/* A double shift of one register is a rotation, which the variant measured:
 * from either of its sources. */
TEST(latencies_are_those_of_the_variant)
{
	static const char two[] =
		"shldq $13, %rax, %rax\nshldq $13, %rcx, %rcx\n";
	struct model_form *forms, *same;
	SCOPED(world_close) struct world w = open_core(&forms);

	same = form_of(&w, forms, "SHLD64rri8/same");
	world_predict(&w, "shldq $13, %rax, %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 1, "one register");
	world_predict(&w, two, usual);
	assert_cycles(w.p.throughput, 2, "ports of the form");
	/* Its ports are not known, and not those of the form. */
	same->has_ports = false;
	same->throughput = exactly(0.5);
	world_predict(&w, two, usual);
	assert_cycles(w.p.throughput, 1, "the variant's own");
	assert_cycles(w.p.carried.cycles, 1, "its latency");
	world_predict(&w, "shldq $13, %rcx, %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 3, "two");
	same->n_latencies = 0;
	world_predict(&w, "shldq $13, %rax, %rax\n", usual);
	assert_cycles(w.p.carried.cycles, 3, "not measured");
}
