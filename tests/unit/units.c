/* What follows if mixes with a unit's representative have no value. */
#include "host/ports/units.h"
#include "tests/unit/unit.h"

enum { N = 8, REPRESENTATIVE = 40 };

/* Which mixes have a value: those with forms below `n_valued`, and that of the
 * representative alone. */
struct core {
	uint32_t n_valued;
	bool control;
	double sigma; /* of mixes of two forms, relative */
};

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	const struct core *core = context;

	(void)e;
	assert_int_equal(phase, PORTS_UNITS);
	for (size_t i = 0; i < n; i++) {
		ret[i].has_value = mixes[i].n == 1 ? core->control
						   : mixes[i].part[1].form <
							     core->n_valued;
		ret[i].sigma = mixes[i].n == 1 ? 0 : core->sigma;
		if (mixes[i].n == 1)
			assert_int_equal(mixes[i].part[0].form, REPRESENTATIVE);
	}
	return ERR_OK;
}

/* Of n mixes on the core, n_valued have a value in the end. */
static bool is_known_on(uint32_t n, uint32_t n_valued, struct core *core)
{
	const struct ports_oracle oracle = { .measure = measure,
					     .context = core };
	const struct ports_request q = { .oracle = &oracle };
	struct ports_answer w = { .n_ports = 0 };
	struct err e = { .code = ERR_OK };
	struct form_state forms[REPRESENTATIVE + 1] = { 0 };
	struct infer in = { .q = &q, .w = &w, .e = &e, .f = forms };
	struct ports_mix mixes[N + 1];
	struct ports_value values[N + 1];
	bool known;

	memset(mixes, 0, sizeof(mixes));
	for (uint32_t i = 0; i < n; i++) {
		infer_add(&mixes[i], REPRESENTATIVE, 1);
		infer_add(&mixes[i], i, 1);
	}
	assert_int_equal(units_measure_with(&in, REPRESENTATIVE, mixes, n,
					    values, &known),
			 ERR_OK);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(values[i].has_value, i < n_valued);
	return known;
}

static bool is_known(uint32_t n, uint32_t n_valued, bool control)
{
	struct core core = { n_valued, control, 0 };

	return is_known_on(n, n_valued, &core);
}

TEST(representative_with_values)
{
	assert_true(is_known(N, N, true));
	assert_true(is_known(N, N / 2, true));
	assert_true(is_known(0, 0, false));
}

TEST(representative_without_values)
{
	assert_false(is_known(N, 0, true));
	assert_false(is_known(N, N / 2 - 1, true));
	/* Too few to tell. */
	assert_true(is_known(2, 0, true));
}

/* A value says nothing if 4.5 standard errors are a quarter of it, as 0.056. */
TEST(vague_value)
{
	struct core core = { .n_valued = N, .control = true, .sigma = 0.056 };

	assert_false(is_known_on(N, 0, &core));
	core.sigma = 0.055;
	assert_true(is_known_on(N, N, &core));
}

/* The budget has ended, or the core was disturbed. */
TEST(control_without_a_value)
{
	assert_true(is_known(N, 0, false));
	assert_true(is_known(N, N / 2 - 1, false));
}
