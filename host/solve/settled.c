/* Which kernels need no more visits, while a run is measured: what was read and
 * judged stays from one call to the next. */
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/solve/judge.h"
#include "host/solve/solving.h"

struct solve_memory *solve_remember(void)
{
	struct solve_memory *m = xrealloc(NULL, 1, sizeof(*m));

	*m = (struct solve_memory){ .walk = NULL };
	return m;
}

void solve_forget(struct solve_memory *m)
{
	solving_forget(m);
	free(m);
}

static struct solve_advice advice_of(const struct solving *v)
{
	const struct kept *kept = (const void *)v->memory->kept.bytes;
	struct solve_advice a = {
		.calibration = v->calibration,
		.ignored = evidence_ignored(v->evidence),
	};

	for (size_t k = 0; k < v->memory->kept.n / sizeof(*kept); k++) {
		a.n_visits += kept[k].n_samples;
		a.n_short += kept[k].n_short;
	}
	return a;
}

/* The first visits of a run calibrate it until the run is complete. */
static int calibrate_once(struct solving *v, struct err *e)
{
	return v->calibration.usable ? ERR_OK : solving_calibrate(v, e);
}

/* Of a short loop the time of whole iterations counts, and not the slope. */
static bool is_doubtful(const struct record *r)
{
	const struct estimate *e = &r->estimate;

	return experiment_kind_is(r->label.kind, EXPERIMENT_WHOLE) &&
			       e->without_reading
		       ? e->shortest == 0 && e->doubtful
		       : e->doubtful;
}

/* May visits yet to come show a second state?  Of a short loop they may always:
 * how its lines are read may depend on where they are. */
static bool is_unproved(const struct record *r)
{
	return !r->fault && (experiment_kind_is(r->label.kind, EXPERIMENT_WHOLE)
				     ? r->estimate.shortest > 0
				     : r->estimate.unproved);
}

/* The walk of `m` over the run.  The labels of a run do not change: they are
 * read once. */
static int resume_walk(struct solve_memory *m, struct store *s, int64_t run,
		       struct err *e)
{
	struct solving *v = m->walk;

	if (v)
		return solving_open_run(v, run, e);
	m->walk = v = xrealloc(NULL, 1, sizeof(*v));
	*v = (struct solving){ .s = s, .memory = m };
	if (solving_open_run(v, run, e) == ERR_OK)
		(void)solving_walk_labels(v, e);
	return e->code;
}

static void list_settled(const struct solving *v, bool *settled, bool *unproved,
			 size_t n)
{
	const struct record *list = (const void *)v->records.bytes;

	for (size_t k = 0; k < n; k++) {
		settled[k] = true;
		if (unproved)
			unproved[k] = false;
	}
	for (size_t i = 0; i < v->records.n / sizeof(*list); i++) {
		const struct record *r = &list[i];

		if (r->index >= n)
			continue;
		settled[r->index] = r->fault || !is_doubtful(r);
		if (unproved)
			unproved[r->index] = is_unproved(r);
	}
}

int solve_settled(struct store *s, int64_t run, struct solve_memory *m,
		  const bool *same, bool *settled, bool *unproved, size_t n,
		  struct solve_advice *ret, struct err *e)
{
	if (resume_walk(m, s, run, e) == ERR_OK) {
		/* Kernels judged by another calibration are read again. */
		bool part = same && m->walk->calibration.usable;

		m->walk->part = (struct store_part){
			.skip = part ? same : NULL,
			.n_skip = part ? n : 0,
		};
		if (calibrate_once(m->walk, e) == ERR_OK &&
		    solving_walk_samples(m->walk, e) == ERR_OK)
			*ret = advice_of(m->walk);
		buffer_free(&m->walk->facts);
	}
	list_settled(m->walk, settled, unproved, n);
	return e->code;
}

int solve_settled_again(struct store *s, int64_t run, struct solve_memory *m,
			bool *settled, bool *unproved, size_t n, struct err *e)
{
	if (resume_walk(m, s, run, e) == ERR_OK && m->walk->ref) {
		solving_learn(m->walk);
		solving_judge(m->walk, true);
	}
	list_settled(m->walk, settled, unproved, n);
	return e->code;
}

void solve_undisturbed(const struct solve_memory *m, bool *any, size_t n)
{
	const struct kept *kept = (const void *)m->kept.bytes;
	size_t n_kept = m->kept.n / sizeof(*kept);

	for (size_t k = 0; k < n; k++) {
		const struct reliability *r = NULL;

		if (m->walk && m->walk->evidence && k < n_kept && kept[k].n > 0)
			r = &m->walk->evidence->reliability[kept[k].class]
							   [kept[k].combine];
		any[k] = r && (r->ignored >> (1u << MARK_SIBLING) & 1);
	}
}
