/* Instructions that are a variant of their form because of their registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/predict_world.h"

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
	{ "SUB64rr", "a", 1, { { 0 } }, false },
	{ "VPSUBBrr", "a", 1, { { 0 } }, false },
};

/* Throughputs of two instructions on a core that is ten wide. */
static void costs_are_those_of_the_variant(void **state)
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
	struct world w = world_open("x86_64");

	(void)state;
	world_ports(&w, "a b");
	world_forms(&w, rows, ARRAY_LEN(rows));
	w.m->width = exactly(10);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		world_predict(&w, cases[i].text, usual);
		assert_cycles(w.p.throughput, cases[i].cycles, cases[i].text);
	}
	world_close(&w);
}

/* Only the throughput of the variant is known, as without a search for ports: it
 * is eliminated if it is faster than the ports of the form. */
static void a_throughput_shows_what_is_eliminated(void **state)
{
	struct world w = world_open("x86_64");
	struct model_form *forms;

	(void)state;
	world_ports(&w, "a b");
	world_forms(&w, rows, ARRAY_LEN(rows));
	w.m->width = exactly(10);
	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++)
		if (strcmp(forms[i].name, "PSUBBrr/same") == 0) {
			forms[i].has_ports = false;
			forms[i].throughput = exactly(0.1);
		}
	w.m->forms = forms;
	world_predict(&w, "psubb %xmm1, %xmm1\npsubb %xmm3, %xmm3\n", usual);
	assert_cycles(w.p.throughput, 0.2, "eliminated");
	for (size_t i = 0; i < w.m->n_forms; i++)
		if (strcmp(forms[i].name, "PSUBBrr/same") == 0)
			forms[i].throughput = exactly(1);
	world_predict(&w, "psubb %xmm1, %xmm1\npsubb %xmm3, %xmm3\n", usual);
	assert_cycles(w.p.throughput, 2, "executed");
	world_close(&w);
}

/* Tables say which forms are idioms, and have no rows for variants. */
static void a_flag_of_the_form_counts_without_a_variant(void **state)
{
	struct world w = world_open("x86_64");
	struct model_form *forms;

	(void)state;
	world_ports(&w, "a b");
	world_forms(&w, rows, ARRAY_LEN(rows));
	w.m->width = exactly(10);
	forms = arena_copy(&w.a, w.m->forms, w.m->n_forms * sizeof(*forms));
	for (size_t i = 0; i < w.m->n_forms; i++)
		forms[i].zero_idiom |= strcmp(forms[i].name, "SUB64rr") == 0;
	w.m->forms = forms;
	world_predict(&w, "subq %rax, %rax\nsubq %rbx, %rbx\n", usual);
	assert_cycles(w.p.throughput, 0.2, "idiom");
	world_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flag_of_the_form_counts_without_a_variant),
		cmocka_unit_test(costs_are_those_of_the_variant),
		cmocka_unit_test(a_throughput_shows_what_is_eliminated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
