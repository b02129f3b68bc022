#include "host/node/theory.h"

#include <string.h>

#include "host/predict/predict.h"

/* Lines that cross a boundary for one line of each array: loads one, stores
 * two. */
static const double crossings[NODE_N_KINDS] = {
	[NODE_LOAD] = 1,
	[NODE_COPY] = 3,
	[NODE_TRIAD] = 4,
	[NODE_STORE] = 2,
};

/* ---- the port model ------------------------------------------------------ */

/* The loop is everything but the last instruction, the return. */
static int predict_row(struct arena *a, const struct node_result *r,
		       struct completion *k, struct node_row *row,
		       struct err *e)
{
	const struct predict_options how = { .equal_split = false };
	struct program p = { .c = r->catalogue, .textless = true };
	struct loop loop = { .label = "" };
	struct prediction x;

	if (program_add_bytes(a, &p,
			      &(struct code){ node_kind_name(row->kind),
					      row->code, row->n_code },
			      0, DATA_REFUSED, e) != ERR_OK)
		return e->code;
	loop.last = p.n - 2;
	if (predict(a, &(struct loop_on){ &p, &loop, k }, &how, &x, e) !=
	    ERR_OK)
		return e->code;
	row->in_core = x.cycles;
	return ERR_OK;
}

/* Does the first cache, or do registers, hold all data? */
static bool is_in_core(const struct node_result *r, const struct node_row *row)
{
	return !*row->level || strcmp(row->level, r->levels.at[0].name) == 0;
}

static void set_theory(struct node_row *row)
{
	double rate = row->per_iteration / row->in_core * row->clock.value;

	if (row->in_core <= 0 || row->clock.value <= 0)
		return;
	row->theory = row->kind == NODE_LATENCY ? 1e9 / rate
						: rate * (double)row->n_cores;
}

/* ---- transfers ----------------------------------------------------------- */

static const struct node_row *find_row(const struct node_result *r,
				       enum node_kind kind, const char *width,
				       const char *level, size_t n_cores)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct node_row *x = &r->rows[i];

		if (x->kind == kind && x->n_cores == n_cores &&
		    strcmp(x->level, level) == 0 &&
		    (!width || strcmp(x->width, width) == 0) &&
		    x->value.value > 0)
			return x;
	}
	return NULL;
}

/* The measured time of an iteration in ns. */
static double time_of(const struct node_row *x)
{
	return 1e9 * x->per_iteration / x->value.value;
}

/* ns that a line of an array adds at the boundary before level `i`. */
static double line_time(const struct node_result *r, const char *width,
			size_t i)
{
	const struct node_row *far =
		find_row(r, NODE_LOAD, width, r->levels.at[i].name, 1);
	const struct node_row *close =
		find_row(r, NODE_LOAD, width, r->levels.at[i - 1].name, 1);
	double lines, added;

	if (!far || !close)
		return -1;
	lines = far->per_iteration / (double)r->levels.line;
	added = (time_of(far) - time_of(close)) / lines;
	return added > 0 ? added : 0;
}

static void set_ecm(const struct node_result *r, struct node_row *row)
{
	const struct node_row *first =
		find_row(r, row->kind, row->width, r->levels.at[0].name, 1);
	double lines, time;

	if (row->n_cores != 1 || crossings[row->kind] <= 0 || !first)
		return;
	lines = crossings[row->kind] * row->per_iteration / row->n_arrays /
		(double)r->levels.line;
	time = time_of(first);
	for (size_t i = 1; i < r->levels.n; i++) {
		double one = line_time(r, row->width, i);

		if (one < 0)
			return;
		time += lines * one;
		if (strcmp(r->levels.at[i].name, row->level) != 0)
			continue;
		row->ecm = 1e9 * row->per_iteration / time;
		return;
	}
}

/* Controllers that count less than this share of what a kernel stores do not
 * see its memory. */
static const double least_seen = 0.5;

static double share(double x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Each line that a store writes back was read before or was not.  Without
 * counters: stores that bypass caches move a line once, others once or
 * twice. */
static void set_allocated(const struct node_result *r, struct node_row *row)
{
	const struct node_traffic *t = &row->traffic;
	const struct node_row *stream;

	if (row->kind != NODE_STORE || strcmp(row->level, "memory") != 0 ||
	    row->value.value <= 0)
		return;
	if (t->stored > 0 && t->written > least_seen * t->stored) {
		row->allocated = share(t->read / t->written);
		row->allocated_from = "counters";
		return;
	}
	stream = find_row(r, NODE_STREAM, NULL, row->level, row->n_cores);
	if (!stream)
		return;
	row->allocated = share(stream->value.value / row->value.value - 1);
	row->allocated_from = "times";
}

/* A cache whose latency is this share of memory's does not hold its array: the
 * virtual machine has a part of the cache, or other programs fill it. */
static const double far_off = 0.5;

static void set_outside(const struct node_result *r, struct node_row *row)
{
	const struct node_row *level =
		find_row(r, NODE_LATENCY, NULL, row->level, 1);
	const struct node_row *memory =
		find_row(r, NODE_LATENCY, NULL, "memory", 1);

	row->is_outside = level && memory && level != memory &&
			  level->value.value > far_off * memory->value.value;
}

int node_theory(struct arena *a, struct node_result *r, struct completion *k,
		struct err *e)
{
	for (size_t i = 0; i < r->n; i++) {
		struct node_row *row = &r->rows[i];

		if (k && is_in_core(r, row) &&
		    predict_row(a, r, k, row, e) != ERR_OK)
			return e->code;
		set_theory(row);
		set_ecm(r, row);
		set_allocated(r, row);
		set_outside(r, row);
	}
	return ERR_OK;
}
