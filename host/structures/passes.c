/* See passes.h. */
#include "host/structures/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"
#include "host/solve/rows.h"
#include "host/solve/stats.h"
#include "host/structures/probe.h"

enum {
	LEAST_ROWS = 4, /* that say something, of sandwiches */
	LEAST_CORE =
		2, /* the same of a core clock, which ends at two equal ones */
	LEAST_PASSES = 2, /* else nothing tells whether a value is disturbed */
	MOST_PASSES = 6,
	MOST_PAUSES = 30, /* in all: another thread may be busy all the time */
};

/* Two passes agree if their values differ by less, or by less than half of their
 * rows do. */
static const double same = 0.02, roughly_same = 0.1;

/* ---- rows --------------------------------------------------------------------- */

/* The cycles of a body in rows without another thread of the core, and with one. */
struct bodies {
	double *idle, *busy;
	size_t n_idle, n_busy;
	struct visit_row *rows; /* room for those of a sample */
	double *work;
};

static void add_core(struct bodies *b, const struct sample *m, double bodies)
{
	for (size_t i = 0; i < m->n_rows; i++) {
		const uint64_t *row = m->values + i * m->row;

		b->idle[b->n_idle++] =
			((double)row[PACK_LENGTHS - 1] - (double)row[0]) /
			bodies;
	}
}

static void add_ref(struct bodies *b, const struct calibration *c,
		    const struct shape *k, const struct sample *m)
{
	static const uint8_t bad = 1 << MARK_CHAINS | 1 << MARK_SLOW;
	const uint32_t *unroll = k->unroll;
	size_t n = rows_read(k, c, m, b->rows);

	if (n > 0)
		rows_mark_slow(b->rows, n, b->work);
	for (size_t i = 0; i < n; i++) {
		const struct visit_row *r = &b->rows[i];
		double cycles = (r->lengths[PACK_LENGTHS - 1] *
					 unroll[PACK_LENGTHS - 1] -
				 r->lengths[0] * unroll[0]) /
				(unroll[PACK_LENGTHS - 1] - (double)unroll[0]);

		if (r->marks & bad)
			continue;
		if (r->marks & 1 << MARK_SIBLING)
			b->busy[b->n_busy++] = cycles;
		else
			b->idle[b->n_idle++] = cycles;
	}
}

/* Half of the rows are between low and high. */
static struct probe_value value_of(struct bodies *b, size_t least,
				   double per_body)
{
	bool busy = b->n_idle < least;
	double *v = b->idle;
	size_t n = b->n_idle;

	for (size_t i = 0; busy && i < b->n_busy; i++)
		v[n++] = b->busy[i];
	if (n < least)
		return (struct probe_value){ .known = false };
	stats_sort(v, n);
	return (struct probe_value){
		.known = v[n / 2] > 0,
		.busy = busy,
		.low = v[n / 4] / per_body,
		.cycles = v[n / 2] / per_body,
		.high = v[n - 1 - n / 4] / per_body,
	};
}

struct probe_value passes_value(const struct calibration *c,
				const struct kernel_row *k,
				const struct sample *m, size_t n,
				double per_body)
{
	struct shape shape = { .ops_per_body = 1, .class = (uint8_t)k->class };
	struct bodies b = { .n_idle = 0 };
	struct probe_value ret;
	size_t n_rows = 0, least = LEAST_ROWS;

	memcpy(shape.unroll, k->unroll, sizeof(shape.unroll));
	for (size_t i = 0; i < n; i++)
		n_rows += m[i].n_rows;
	b.idle = xrealloc(NULL, n_rows + 1, 3 * sizeof(*b.idle));
	b.busy = b.idle + n_rows;
	b.work = b.busy + n_rows;
	b.rows = xrealloc(NULL, n_rows + 1, sizeof(*b.rows));
	for (size_t i = 0; i < n; i++) {
		double bodies = (double)m[i].n_iterations *
				(k->unroll[PACK_LENGTHS - 1] - k->unroll[0]);

		if (!(bodies > 0))
			continue;
		if (row_is_core(m[i].row)) {
			least = LEAST_CORE;
			add_core(&b, &m[i], bodies);
		} else {
			add_ref(&b, c, &shape, &m[i]);
		}
	}
	ret = value_of(&b, least, per_body);
	free(b.rows);
	free(b.idle);
	return ret;
}

/* ---- passes ------------------------------------------------------------------- */

/* A value with another thread of the core counts only until there is one without. */
static void take_pass(struct probe_value *best, const struct probe_value *now,
		      double part, bool *settled)
{
	double lower, apart, spread;

	if (!now->known)
		return;
	if (best->known && now->busy && !best->busy)
		return;
	if (!best->known || (best->busy && !now->busy)) {
		*best = *now;
		best->alone = true;
		return;
	}
	lower = now->cycles < best->cycles ? now->cycles : best->cycles;
	apart = fabs(now->cycles - best->cycles);
	spread = fmax(best->high - best->low, now->high - now->low);
	if (now->cycles < best->cycles)
		*best = *now;
	best->alone = apart > fmax(part * lower, spread / 2);
	*settled = !best->alone && !best->busy;
}

/* Another thread of the core may rest after a while. */
static bool pauses(struct passes *q, const struct probe_value *v, size_t n)
{
	bool busy = false;

	for (size_t i = 0; i < n; i++)
		busy |= v[i].known && v[i].busy;
	if (!busy || q->n_pauses == MOST_PAUSES)
		return false;
	q->n_pauses++;
	if (q->pause)
		q->pause();
	return true;
}

int passes_ask(struct passes *q, const struct core_probe *list, size_t n,
	       struct probe_value *ret, struct err *e)
{
	struct probe_value *now = xrealloc(NULL, n + 1, sizeof(*now));
	bool *settled = xrealloc(NULL, n + 1, sizeof(*settled));
	int most = LEAST_PASSES; /* in any case */

	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct probe_value){ .known = false };
		settled[i] = false;
	}
	for (int pass = 0; e->code == ERR_OK; pass++) {
		if (pass >= LEAST_PASSES && pauses(q, ret, n))
			most = pass + LEAST_PASSES;
		if (pass >= most &&
		    (pass >= MOST_PASSES || q->n_probes > q->n_enough))
			break;
		for (size_t i = 0; i < n; i++) {
			now[i] = (struct probe_value){ .known = false };
			q->n_probes += !settled[i];
		}
		if (q->ask(q->context, list, settled, n, now, e) != ERR_OK)
			break;
		for (size_t i = 0; i < n; i++)
			take_pass(&ret[i], &now[i],
				  list[i].rough ? roughly_same : same,
				  &settled[i]);
	}
	for (size_t i = 0; i < n && e->code == ERR_OK; i++) {
		q->n_values += ret[i].known;
		q->n_busy += ret[i].known && ret[i].busy;
		q->n_alone += ret[i].known && ret[i].alone;
	}
	free(settled);
	free(now);
	return e->code;
}
