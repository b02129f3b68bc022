/* Which forms share a unit, where some mixes have no value. */
#include <math.h>

#include "host/ports/units.h"
#include "tests/unit/unit.h"

enum { MAX_FORMS = 12, WIDTH = 4 };

/* A core of units that are not pipelined: each form takes its cycles on one of
 * them. */
struct core {
	struct ports_form forms[MAX_FORMS];
	size_t n;
	int unit[MAX_FORMS];
	double cycles[MAX_FORMS];
	/* Has a mix of two forms no value? */
	bool (*is_lost)(uint32_t x, uint32_t y);
};

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	const struct core *core = context;

	(void)e;
	assert_int_equal(phase, PORTS_UNITS);
	for (size_t i = 0; i < n; i++) {
		uint32_t x = mixes[i].part[0].form, y = mixes[i].part[1].form;
		double a = mixes[i].part[0].count * core->cycles[x];
		double b = mixes[i].part[1].count * core->cycles[y];

		ret[i].has_value = mixes[i].n == 1 || !core->is_lost(x, y);
		ret[i].cycles = mixes[i].n == 1                  ? a
				: core->unit[x] == core->unit[y] ? a + b
								 : fmax(a, b);
	}
	return ERR_OK;
}

static void add_form(struct core *core, int unit, double cycles, uint16_t batch)
{
	core->forms[core->n].batch = batch;
	core->unit[core->n] = unit;
	core->cycles[core->n++] = cycles;
}

/* What was found: the ports of each form, 0 if it is unfinished. */
static void find(struct core *core, uint16_t n_batches, model_ports *ret)
{
	const struct ports_oracle oracle = { .measure = measure,
					     .context = core };
	const struct ports_request q = { .forms = core->forms,
					 .n_forms = core->n,
					 .oracle = &oracle };
	struct ports_answer w = { .n_ports = 0 };
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct form_state f[MAX_FORMS];
	struct ports_answer_form answers[MAX_FORMS];
	struct infer in = { .a = &a,
			    .q = &q,
			    .w = &w,
			    .e = &e,
			    .f = f,
			    .answers = answers,
			    .width = WIDTH,
			    .cap = WIDTH,
			    .filler = PORTS_NONE };

	memset(f, 0, sizeof(f));
	memset(answers, 0, sizeof(answers));
	for (size_t i = 0; i < core->n; i++)
		f[i] = (struct form_state){ .alone = { true, core->cycles[i],
						       0 },
					    .slots = 1,
					    .class_id = PORTS_NONE,
					    .how = "" };
	for (; in.batch < n_batches; in.batch++) {
		assert_int_equal(infer_units(&in), ERR_OK);
		assert_int_equal(infer_hidden_units(&in), ERR_OK);
		assert_int_equal(infer_leave_units(&in), ERR_OK);
		for (size_t i = 0; i < core->n; i++) {
			if (!infer_in_batch(&in, i))
				continue;
			answers[i].verdict = f[i].verdict;
			answers[i].n_uses = f[i].n_uses;
		}
	}
	for (size_t i = 0; i < core->n; i++) {
		assert_int_equal(answers[i].verdict, f[i].verdict);
		assert_true(f[i].verdict == PORTS_OK ||
			    f[i].verdict == PORTS_OPEN ||
			    f[i].verdict == PORTS_UNFINISHED);
		assert_int_equal(answers[i].n_uses, f[i].n_uses);
		assert_true(f[i].n_uses == 0 || f[i].verdict == PORTS_OK);
		ret[i] = f[i].n_uses == 0 ? 0 : f[i].uses[0].ports;
	}
	buffer_free(&in.ports);
}

static bool no_mix_is_lost(uint32_t x, uint32_t y)
{
	(void)x;
	(void)y;
	return false;
}

static bool mixes_of_first_are_lost(uint32_t x, uint32_t y)
{
	return x == 0 || y == 0;
}

static bool mixes_of_first_with_equal_are_lost(uint32_t x, uint32_t y)
{
	return (x == 0 && y < 6) || (y == 0 && x < 6);
}

static bool mixes_of_third_are_lost(uint32_t x, uint32_t y)
{
	return x == 2 || y == 2;
}

static bool mixes_of_first_with_last_are_lost(uint32_t x, uint32_t y)
{
	return x == 0 && y > 1;
}

/* Forms of equal costs, and the ports that are found for them. */
struct group {
	unsigned n;
	int unit;
	double cycles, slower; /* each is so much slower than the one before */
	uint16_t batch;
};

struct found {
	unsigned n;
	model_ports ports; /* 0: unfinished */
};

static const struct join {
	const char *name;
	bool (*is_lost)(uint32_t x, uint32_t y);
	struct group groups[7]; /* both lists end with n = 0 */
	struct found found[7];
} joins[] = {
	{ "all mixes have values",
	  no_mix_is_lost,
	  { { 5, 0, 4, 0, 0 },
	    { 2, 1, 4, 0, 1 },
	    { 2, 0, 8, 0, 1 },
	    { 2, 1, 12, 0, 1 } },
	  { { 5, 1 }, { 2, 2 }, { 2, 1 }, { 2, 2 } } },
	/* The second form has an earlier unit than the first. */
	{ "equal times and different units",
	  no_mix_is_lost,
	  { { 1, 0, 3, 0, 0 },
	    { 1, 1, 4, 0, 0 },
	    { 2, 0, 4, 0, 0 },
	    { 1, 0, 4, 0, 1 },
	    { 1, 1, 4, 0, 1 },
	    { 1, 2, 4, 0, 1 } },
	  { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 1, 4 } } },
	/* All forms are equal, and the first cannot be measured with others. */
	{ "equal to a representative without values",
	  mixes_of_first_are_lost,
	  { { 6, 0, 4, 0, 0 } },
	  { { 1, 0 }, { 5, 1 } } },
	/* Slower forms show that the first one cannot be measured, before those
	 * that are equal to it are compared with it. */
	{ "equals get another head",
	  mixes_of_first_are_lost,
	  { { 4, 0, 4, 0, 0 }, { 5, 1, 8, 2, 0 } },
	  { { 1, 0 }, { 3, 1 }, { 5, 2 } } },
	/* The first form is measured with slower ones, so it is the others that
	 * have no value with it. */
	{ "representative with other values",
	  mixes_of_first_with_equal_are_lost,
	  { { 6, 0, 4, 0, 0 }, { 2, 0, 8, 0, 0 } },
	  { { 1, 1 }, { 5, 0 }, { 2, 1 } } },
	/* The first of several equal forms has no value with a unit: the others
	 * are compared with it. */
	{ "head without a value",
	  mixes_of_third_are_lost,
	  { { 2, 0, 4, 0, 0 }, { 4, 0, 8, 0, 0 } },
	  { { 2, 1 }, { 1, 0 }, { 3, 1 } } },
	/* The unit has one form, and this cannot be measured with those of a
	 * later batch: whether they share the unit is not known. */
	{ "unit of an earlier batch",
	  mixes_of_first_are_lost,
	  { { 1, 0, 4, 0, 0 }, { 5, 0, 8, 2, 1 } },
	  { { 1, 0 }, { 5, 2 } } },
	/* The unit of an earlier batch has several forms. */
	{ "forms of a later batch without values",
	  mixes_of_first_with_last_are_lost,
	  { { 2, 0, 4, 0, 0 }, { 5, 0, 8, 2, 1 } },
	  { { 2, 1 }, { 5, 0 } } },
	/* A move that the renamer eliminates: a little slower than the front
	 * end, on no port.  The slow form must not get ports that it shares
	 * with the move, though their mix takes as long as one after the
	 * other. */
	{ "rate that no ports have",
	  no_mix_is_lost,
	  { { 1, 0, 0.267, 0, 0 }, { 1, 0, 4, 0, 0 }, { 1, 1, 0.5, 0, 0 } },
	  { { 1, 0 }, { 1, 4 }, { 1, 3 } } },
};

TEST_ROWS(forms_share_units, joins, name, const struct join *j)
{
	struct core core = { .is_lost = j->is_lost };
	model_ports ports[MAX_FORMS];
	uint16_t n_batches = 0;
	size_t at = 0;

	for (const struct group *g = j->groups; g->n > 0; g++) {
		for (unsigned i = 0; i < g->n; i++)
			add_form(&core, g->unit, g->cycles + i * g->slower,
				 g->batch);
		n_batches = g->batch + 1;
	}
	find(&core, n_batches, ports);
	for (const struct found *f = j->found; f->n > 0; f++)
		for (size_t end = at + f->n; at < end; at++)
			assert_int_equal(ports[at], f->ports);
	assert_int_equal(at, core.n);
}
