/* Sums of raw samples; see timing.h. */
#include "host/campaign/timing.h"

#include "common/row.h"
#include "host/store/store_kernel.h"
#include "host/store/store_run.h"

struct sums {
	struct timing timing;
	uint64_t kernel_ticks, calib_ticks;
};

static int add_kernel(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct sums *t = context;

	(void)e;
	t->timing.n_kernels += r->n_samples > 0;
	t->timing.n_visits += r->n_samples;
	for (size_t i = 0; i < r->n_samples; i++) {
		const struct sample *m = &r->samples[i];

		for (uint32_t v = 0; v < m->n_rows * m->row; v++) {
			uint32_t at = v % m->row;

			if (row_is_core(m->row) ||
			    (at >= ROW_LENGTHS && at < ROW_B_LONG))
				t->kernel_ticks += m->values[v];
			else
				t->calib_ticks += m->values[v];
		}
	}
	return ERR_OK;
}

int timing_of(struct store *s, int64_t run, struct timing *ret, struct err *e)
{
	struct arena a = { 0 };
	struct run r;
	struct sums t = { .kernel_ticks = 0 };

	if (store_run_get(s, &a, run, &r, e) == ERR_OK &&
	    store_kernels(s, run, add_kernel, &t, e) == ERR_OK) {
		if (r.clock == CLOCK_REF && r.ref_hz > 0) {
			double hz = (double)r.ref_hz;

			t.timing.ref_hz = hz;
			t.timing.kernel_seconds = (double)t.kernel_ticks / hz;
			t.timing.calib_seconds = (double)t.calib_ticks / hz;
		}
		*ret = t.timing;
	}
	arena_free(&a);
	return e->code;
}
