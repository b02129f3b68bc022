/* See timing_print.h. */
#include "host/cli/timing_print.h"

#include <stdio.h>

#include "host/base/print.h"
#include "host/campaign/timing.h"

/* Print when 95 % of the values were known. */
static void print_most(const struct rounds_result *r)
{
	if (r->most_after == 0)
		return;
	printf("95 %% of the values after %.1f s", r->most_after);
	if (r->most_base_after < r->most_after)
		printf("; of latencies and throughputs, without what refines "
		       "them, after %.1f s",
		       r->most_base_after);
	(void)putchar('\n');
}

/* What the cores did between the first visit and the last. */
static void print_cores(const struct timing *t, const struct rounds_result *r)
{
	double all = r->span * (double)r->n_cores;

	if (r->inside_ticks == 0 || t->ref_hz <= 0 || all <= 0)
		return;
	printf("%zu core%s, %.1f s from the first visit to the last: %.0f %% of "
	       "all their time in kernels and calibration, untimed runs "
	       "included\n",
	       r->n_cores, PLURAL(r->n_cores), r->span,
	       100 * (double)r->inside_ticks / t->ref_hz / all);
}

int timing_print(struct store *s, int64_t run, const struct rounds_result *r,
		 struct err *e)
{
	struct timing t;

	if (timing_of(s, run, &t, e) != ERR_OK)
		return e->code;
	printf("%zu kernel%s, %zu visit%s in %.1f s", t.n_kernels,
	       PLURAL(t.n_kernels), t.n_visits, PLURAL(t.n_visits), r->seconds);
	if (t.n_kernels > 0)
		printf(": %.3f ms per kernel",
		       1e3 * r->seconds / (double)t.n_kernels);
	if (t.kernel_seconds > 0 && r->seconds > 0)
		printf(", %.0f %% of it inside kernels, %.0f %% inside "
		       "calibration",
		       100 * t.kernel_seconds / r->seconds,
		       100 * t.calib_seconds / r->seconds);
	(void)putchar('\n');
	print_cores(&t, r);
	print_most(r);
	return ERR_OK;
}
