/* What follows if kernels of a unit's representative have no value. */
#include <math.h>

#include "host/ports/units.h"
#include "tests/unit/unit.h"

enum { N = 8, REPRESENTATIVE = 40, FILLER, N_FORMS };

/* Which kernels have a value: those with forms below `n_valued`, and the
 * control. */
struct core {
	uint32_t n_valued;
	bool control;
	double sigma; /* of kernels of two forms, relative */
	double mixed; /* cycles of the representative in the control */
};

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	const struct core *core = context;

	(void)e;
	assert_int_equal(phase, PORTS_UNITS);
	for (size_t i = 0; i < n; i++) {
		bool control = mixes[i].part[1].form == FILLER;

		assert_int_equal(mixes[i].n, 2);
		assert_int_equal(mixes[i].part[0].form, REPRESENTATIVE);
		ret[i] = (struct ports_value){
			.has_value = control ? core->control
					     : mixes[i].part[1].form <
						       core->n_valued,
			.cycles = mixes[i].part[0].count *
				  (control ? core->mixed : 1),
			.sigma = control ? 0 : core->sigma,
		};
	}
	return ERR_OK;
}

/* Is the unit dropped, if n forms are asked and n_valued have a value? */
static bool is_dropped_on(uint32_t n, uint32_t n_valued, struct core *core)
{
	const struct ports_oracle oracle = { .measure = measure,
					     .context = core };
	struct ports_form list[N_FORMS] = { { .rank = 0 } };
	const struct ports_request q = { .forms = list,
					 .n_forms = N_FORMS,
					 .oracle = &oracle };
	struct ports_answer w = { .n_ports = 0 };
	struct err e = { .code = ERR_OK };
	SCOPED(arena_free) struct arena a = { 0 };
	struct form_state forms[N_FORMS] = { { .slots = 0 } };
	struct ports_answer_form answers[N_FORMS] = { { .n_uses = 0 } };
	struct infer in = { .a = &a,
			    .q = &q,
			    .w = &w,
			    .e = &e,
			    .f = forms,
			    .answers = answers,
			    .width = 8,
			    .filler = FILLER };
	struct unit u = { .representative = REPRESENTATIVE,
			  .cycles = 1,
			  .n_ports = 1 };
	struct unit_user users[N] = { { .form = 0 } };

	for (uint32_t i = 0; i < N_FORMS; i++)
		forms[i].alone =
			(struct ports_value){ .has_value = true, .cycles = 1 };
	forms[FILLER].alone.cycles = 0.125;
	for (uint32_t i = 0; i < N; i++)
		users[i].form = i;
	assert_int_equal(units_ask(&in, &u, users, n, n), ERR_OK);
	for (uint32_t i = 0; i < n && !u.dropped; i++) {
		assert_int_equal(users[i].lost, i >= n_valued);
		assert_int_equal(isnan(users[i].cycles), i >= n_valued);
	}
	assert_int_equal(forms[REPRESENTATIVE].lost ||
				 forms[REPRESENTATIVE].verdict == PORTS_UNSURE,
			 u.dropped);
	return u.dropped;
}

static bool is_dropped(uint32_t n, uint32_t n_valued, bool control)
{
	struct core core = { n_valued, control, 0, 1 };

	return is_dropped_on(n, n_valued, &core);
}

TEST(representative_with_values)
{
	assert_false(is_dropped(N, N, true));
	assert_false(is_dropped(N, N / 4, true));
	assert_false(is_dropped(0, 0, false));
}

TEST(representative_without_values)
{
	assert_true(is_dropped(N, 0, true));
	assert_true(is_dropped(N, N / 4 - 1, true));
	/* Too few to tell. */
	assert_false(is_dropped(2, 0, true));
}

/* A value says nothing if 4.5 standard errors are a quarter of it, as 0.056. */
TEST(vague_value)
{
	struct core core = { N, true, 0.056, 1 };

	assert_true(is_dropped_on(N, 0, &core));
	core.sigma = 0.055;
	assert_false(is_dropped_on(N, N, &core));
}

/* The budget has ended, or the core was disturbed. */
TEST(control_without_a_value)
{
	assert_false(is_dropped(N, 0, false));
	assert_false(is_dropped(N, N / 4 - 1, false));
}

/* In mixes it takes longer than alone, for a reason that is no unit. */
TEST(representative_of_two_states)
{
	struct core core = { N, true, 0, 1.25 };

	assert_true(is_dropped_on(N, N, &core));
}
