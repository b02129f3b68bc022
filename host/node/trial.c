#include "host/node/trial.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/monotonic.h"
#include "host/machine/uncore.h"
#include "host/node/clock.h"

enum {
	PAGE = 4096,
	NO_REGISTER = 32,
	CHUNK_NS = 500 * 1000,
	CHAIN_NS = 10 * 1000,
	STAGE_MS = 120 * 1000,
	LEAD_MS = 20, /* from the commands to the common begin */
	WINDOW_MS = 2,
	WARM_SHARE = 8,
	PINGS = 200,      /* at most; a busy machine answers late */
	FILL_NUMBERS = 1, /* enum fill of the runtime */
	FILL_CHASE = 2,
	NS_PER_MS = 1000 * 1000,
	MS_PER_S = 1000,
};

/* Clocks of two cores may differ so much, in seconds: less than the lead. */
static const double most_skew = 0.005;

static const double close_answer = 0.0005; /* s; find_offset() */
static const double disturbed = 1.5;       /* row_limit() */

/* Arrays do not begin at the same place in a page: stores would look like the
 * loads of another array (4 KiB aliasing). */
static uint64_t place_of(const struct node_trial *t, unsigned array)
{
	enum { APART = PAGE + 1024 };

	return array * (t->array + APART);
}

/* Memory that each core needs. */
static uint64_t trial_memory(const struct node_trial *t)
{
	unsigned n = t->code->n_arrays;

	if (n == 0)
		return PAGE;
	return (place_of(t, n - 1) + t->array + PAGE - 1) / PAGE * PAGE;
}

/* ---- staging ------------------------------------------------------------ */

static int send_stage(const struct node_trial *t, struct node_core *c,
		      struct err *e)
{
	const struct isa_stream *s = t->stream;
	bool chase = t->code->kind == NODE_LATENCY;
	bool walks = t->code->n_arrays > 0;
	uint64_t regs[STREAM_ARRAYS + 1], at[STREAM_ARRAYS + 1];
	size_t n = chase ? 0 : t->code->n_arrays;
	struct wire_line w;

	for (size_t i = 0; i < n; i++) {
		regs[i] = s->base[i];
		at[i] = place_of(t, (unsigned)i);
	}
	wire_begin(&w, c->seq, "stage");
	wire_u64(&w, "k", t->kernel);
	wire_u64(&w, "memory", chase ? t->array : trial_memory(t));
	wire_u64(&w, "fill", chase ? FILL_CHASE : FILL_NUMBERS);
	wire_list(&w, "regs", regs, n);
	wire_list(&w, "at", at, n);
	wire_u64(&w, "walk", walks ? s->offset : NO_REGISTER);
	wire_u64(&w, "masked", walks && !chase ? s->mask : NO_REGISTER);
	wire_u64(&w, "mask", t->array ? t->array - 1 : 0);
	wire_u64(&w, "step", t->code->step);
	wire_u64(&w, "line", t->line);
	wire_u64(&w, "chunk_ns", CHUNK_NS);
	wire_u64(&w, "chain_ns", t->clock ? CHAIN_NS : 0);
	return core_send(c, &w, e);
}

/* Cores fill their memory at the same time. */
static int stage(const struct node_trial *t, const char **ret_problem,
		 struct err *e)
{
	for (size_t i = 0; i < t->n_cores; i++)
		if (send_stage(t, &t->cores[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < t->n_cores; i++) {
		struct node_core *c = &t->cores[i];

		if (core_wait(c, "staged", STAGE_MS, e) != ERR_OK)
			return e->code;
		if (c->failed)
			*ret_problem = c->text;
	}
	return ERR_OK;
}

/* ---- the common time ---------------------------------------------------- */

/* The core's clock less this program's, in seconds, from its fastest answer.
 * All cores count by one rate: each has measured its own, and the clock may run
 * since long ago. */
static int find_offset(struct node_core *c, double hz, double *ret_offset,
		       double *ret_error, struct err *e)
{
	*ret_error = 1;
	for (int i = 0; i<PINGS && * ret_error> close_answer; i++) {
		double before = monotonic_s(), after;

		if (core_ping(c, e) != ERR_OK)
			return e->code;
		after = monotonic_s();
		if ((after - before) / 2 >= *ret_error)
			continue;
		*ret_error = (after - before) / 2;
		*ret_offset = (double)c->now / hz - (before + after) / 2;
	}
	return ERR_OK;
}

int trial_check_clocks(struct node_core *cores, size_t n,
		       const char **ret_problem, struct err *e)
{
	double hz = (double)cores[0].hz, least = 0, most = 0;

	*ret_problem = NULL;
	for (size_t i = 0; i < n; i++) {
		double offset = 0, error;

		if (find_offset(&cores[i], hz, &offset, &error, e) != ERR_OK)
			return e->code;
		if (i == 0 || offset - error < least)
			least = offset - error;
		if (i == 0 || offset + error > most)
			most = offset + error;
	}
	if (n > 1 && most - least > most_skew)
		*ret_problem = "the clocks of the cores do not agree, so they "
			       "cannot begin together";
	return ERR_OK;
}

static int sustain(const struct node_trial *t, const char **ret_problem,
		   struct err *e)
{
	uint64_t hz = t->cores[0].hz, begin;

	if (core_ping(&t->cores[0], e) != ERR_OK)
		return e->code;
	begin = t->cores[0].now + hz * LEAD_MS / MS_PER_S;
	for (size_t i = 0; i < t->n_cores; i++) {
		struct node_core *c = &t->cores[i];
		struct wire_line w;

		wire_begin(&w, c->seq, "sustain");
		wire_u64(&w, "begin", begin);
		wire_u64(&w, "ticks", hz * t->ms / MS_PER_S);
		if (core_send(c, &w, e) != ERR_OK)
			return e->code;
	}
	for (size_t i = 0; i < t->n_cores; i++) {
		struct node_core *c = &t->cores[i];

		if (core_wait(c, "sustained", STAGE_MS, e) != ERR_OK)
			return e->code;
		if (c->failed)
			*ret_problem = c->text;
	}
	return ERR_OK;
}

/* ---- rates -------------------------------------------------------------- */

/* Part of [from, from + length) in [low, high). */
static double inside(double from, double length, double low, double high)
{
	double a = from > low ? from : low;
	double b = from + length < high ? from + length : high;

	return b > a ? b - a : 0;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The time up to which a core's row counts as undisturbed: a process that was
 * off its core looks much slower than the core's fastest quarter of rows. */
static double row_limit(const struct node_core *c)
{
	double times[CORE_MAX_ROWS];

	for (size_t i = 0; i < c->n_rows; i++)
		times[i] = (double)c->rows[i][1];
	qsort(times, c->n_rows, sizeof(*times), by_size);
	return c->n_rows ? disturbed * times[c->n_rows / 4] : 0;
}

/* Rate of a core in a window: work over the time in its kernel, of undisturbed
 * rows.  0: they do not cover half of the window. */
static double core_rate(const struct node_trial *t, const struct node_core *c,
			double limit, double low, double high)
{
	double busy = 0, covered = 0, work = 0;

	for (size_t i = 0; i < c->n_rows; i++) {
		const uint64_t *r = c->rows[i];
		double chains = (double)(r[2] + r[3]);
		double kernel = (double)r[1];
		double part = inside((double)r[0], kernel, low, high);

		if (kernel > limit || kernel <= 0)
			continue;
		covered += inside((double)r[0], kernel + chains, low, high);
		busy += part;
		work += part / kernel * (double)c->n;
	}
	if (busy <= 0 || covered < (high - low) / 2)
		return 0;
	return work * t->code->per_iteration * (double)c->hz / busy;
}

/* Windows of 2 ms: a few rows each.  The first ones are for warming up. */
static int add_rates(const struct node_trial *t, struct buffer *rates)
{
	int n_windows = (int)t->ms / WINDOW_MS;
	double width = (double)t->cores[0].hz * WINDOW_MS / MS_PER_S;
	double *limits = xrealloc(NULL, t->n_cores, sizeof(*limits));
	int n_lost = 0;

	for (size_t i = 0; i < t->n_cores; i++)
		limits[i] = row_limit(&t->cores[i]);
	for (int k = n_windows / WARM_SHARE; k < n_windows; k++) {
		double sum = 0;
		bool all = true;

		for (size_t i = 0; i < t->n_cores; i++) {
			double one = core_rate(t, &t->cores[i], limits[i],
					       k * width, (k + 1) * width);

			all &= one > 0;
			sum += one;
		}
		if (t->code->kind == NODE_LATENCY)
			sum /= (double)t->n_cores;
		if (all)
			buffer_add(rates, &sum, sizeof(sum));
		n_lost += !all;
	}
	free(limits);
	return n_lost;
}

static void add_clocks(const struct node_trial *t, struct buffer *clocks)
{
	for (size_t i = 0; i < t->n_cores; i++) {
		const struct node_core *c = &t->cores[i];
		struct clock_chains how = {
			.long_cycles = (double)c->n_chain * t->chain_long,
			.short_cycles = (double)c->n_chain * t->chain_short,
			.hz = (double)c->hz,
		};

		clock_add(&how, c->rows, c->n_rows, clocks);
	}
}

/* All rows, disturbed ones too: the memory controllers count these as well. */
static double stored_bytes(const struct node_trial *t)
{
	double sum = 0;

	for (size_t i = 0; i < t->n_cores; i++)
		sum += (double)t->cores[i].n_rows * (double)t->cores[i].n;
	return sum * t->code->per_iteration;
}

static int sustain_counted(const struct node_trial *t,
			   struct node_traffic *traffic,
			   const char **ret_problem, struct err *e)
{
	double from[UNCORE_WAYS], to[UNCORE_WAYS];
	bool counted = t->uncore && uncore_read(t->uncore, from);

	if (sustain(t, ret_problem, e) != ERR_OK || *ret_problem || !counted ||
	    !uncore_read(t->uncore, to))
		return e->code;
	traffic->read += to[UNCORE_READ] - from[UNCORE_READ];
	traffic->written += to[UNCORE_WRITTEN] - from[UNCORE_WRITTEN];
	traffic->stored += stored_bytes(t);
	return ERR_OK;
}

int trial_run(const struct node_trial *t, struct trial_result *to,
	      struct node_row *row, const char **ret_problem, struct err *e)
{
	*ret_problem = NULL;
	if (stage(t, ret_problem, e) != ERR_OK || *ret_problem)
		return e->code;
	if (sustain_counted(t, &row->traffic, ret_problem, e) != ERR_OK ||
	    *ret_problem)
		return e->code;
	row->n_lost += (size_t)add_rates(t, &to->rates);
	if (t->clock)
		add_clocks(t, &to->clocks);
	return ERR_OK;
}
