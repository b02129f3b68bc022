/* Later batches of a port search: one without values does not end it. */
#include <math.h>

#include "host/ports/ports.h"
#include "tests/unit/unit.h"

enum { N_BATCHES = 4, N_FREE = 4, N_SETS = 3 };

/* Forms per batch: some that use no ports, then two for each set of ports. */
enum { PER_BATCH = N_FREE + 2 * N_SETS, N_FORMS = N_BATCHES * PER_BATCH };

static const model_ports sets[N_SETS] = { 1, 2, 4 };

struct core {
	unsigned width;
	unsigned lost;    /* the batch whose forms have no value */
	unsigned n_begun; /* batches that the budget allows */
	size_t n_lost;    /* mixes without a value */
};

static int measure(void *context, enum ports_phase phase,
		   const struct ports_mix *mixes, size_t n,
		   struct ports_value *ret, struct err *e)
{
	struct core *core = context;

	(void)phase;
	(void)e;
	for (size_t i = 0; i < n; i++) {
		struct model_use uses[PORTS_MAX_PARTS];
		size_t n_uses = 0;
		double slots = 0;

		ret[i].has_value = true;
		for (size_t k = 0; k < mixes[i].n; k++) {
			uint32_t form = mixes[i].part[k].form;
			uint32_t place = form % PER_BATCH;
			double count = mixes[i].part[k].count;

			slots += count;
			ret[i].has_value &= form / PER_BATCH != core->lost;
			if (place >= N_FREE)
				uses[n_uses++] = (struct model_use){
					sets[(place - N_FREE) % N_SETS], count,
					1
				};
		}
		core->n_lost += !ret[i].has_value;
		ret[i].cycles = fmax(slots / core->width,
				     model_port_bound(uses, n_uses, NULL));
	}
	return ERR_OK;
}

static bool begin_batch(void *context, uint16_t batch)
{
	const struct core *core = context;

	return batch < core->n_begun;
}

/* Infer the ports of a core, and count the forms of each batch with this
 * verdict. */
static void infer(struct core *core, enum ports_verdict verdict,
		  size_t ret[N_BATCHES])
{
	const struct ports_oracle oracle = { .measure = measure,
					     .begin_batch = begin_batch,
					     .context = core };
	struct ports_form forms[N_FORMS];
	const struct ports_request q = { .forms = forms,
					 .n_forms = N_FORMS,
					 .oracle = &oracle,
					 .n_checks = 20,
					 .n_fit = 20,
					 .seed = 1 };
	SCOPED(arena_free) struct arena a = { 0 };
	struct err e = { .code = ERR_OK };
	struct ports_answer w;

	for (size_t i = 0; i < N_FORMS; i++)
		forms[i] = (struct ports_form){
			.name = arena_printf(&a, "form%zu", i),
			.rank = i % PER_BATCH >= N_FREE,
			.batch = (uint16_t)(i / PER_BATCH),
		};
	assert_int_equal(ports_infer(&a, &q, &w, &e), ERR_OK);
	for (size_t b = 0; b < N_BATCHES; b++) {
		ret[b] = 0;
		for (size_t i = 0; i < PER_BATCH; i++)
			ret[b] += w.forms[b * PER_BATCH + i].verdict == verdict;
	}
}

TEST(batch_without_values)
{
	static const unsigned widths[] = { 2, 4 };

	for (size_t i = 0; i < 2; i++) {
		struct core core = { widths[i], 1, N_BATCHES, 0 };
		size_t n[N_BATCHES];

		infer(&core, PORTS_UNFINISHED, n);
		assert_int_equal(n[0], 0);
		assert_int_equal(n[1], PER_BATCH);
		assert_int_equal(n[2], 0);
		assert_int_equal(n[3], 0);
		/* Each form alone, and no more. */
		assert_int_equal(core.n_lost, PER_BATCH);
	}
}

TEST(end_of_the_budget)
{
	struct core core = { 4, N_BATCHES, 2, 0 };
	size_t n[N_BATCHES];

	infer(&core, PORTS_UNFINISHED, n);
	assert_int_equal(n[0], 0);
	assert_int_equal(n[1], 0);
	assert_int_equal(n[2], PER_BATCH);
	assert_int_equal(n[3], PER_BATCH);
}
