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

/* The walk of the memory over the run.  The labels of a run do not change: they
 * are read once. */
static int resume_walk(const struct solve_progress *p, struct err *e)
{
	struct solve_memory *m = p->memory;
	struct solving *v = m->walk;

	if (v)
		return solving_open_run(v, p->run, e);
	m->walk = v = xrealloc(NULL, 1, sizeof(*v));
	*v = (struct solving){ .s = p->store, .memory = m };
	if (solving_open_run(v, p->run, e) == ERR_OK)
		(void)solving_walk_labels(v, e);
	return e->code;
}

static void list_settled(const struct solve_progress *p)
{
	const struct solving *v = p->memory->walk;
	const struct record *list = (const void *)v->records.bytes;

	for (size_t k = 0; k < p->n; k++) {
		p->settled[k] = true;
		if (p->unproved)
			p->unproved[k] = false;
	}
	for (size_t i = 0; i < v->records.n / sizeof(*list); i++) {
		const struct record *r = &list[i];

		if (r->index >= p->n)
			continue;
		p->settled[r->index] = r->fault || !is_doubtful(r);
		if (p->unproved)
			p->unproved[r->index] = is_unproved(r);
	}
}

int solve_settled(const struct solve_progress *p, const bool *same,
		  struct solve_advice *ret, struct err *e)
{
	if (resume_walk(p, e) == ERR_OK) {
		struct solving *v = p->memory->walk;
		/* Kernels judged by another calibration are read again. */
		bool part = same && v->calibration.usable;

		v->part = (struct store_part){
			.skip = part ? same : NULL,
			.n_skip = part ? p->n : 0,
		};
		if (calibrate_once(v, e) == ERR_OK &&
		    solving_walk_samples(v, e) == ERR_OK)
			*ret = advice_of(v);
		buffer_free(&v->facts);
	}
	list_settled(p);
	return e->code;
}

int solve_settled_again(const struct solve_progress *p, struct err *e)
{
	if (resume_walk(p, e) == ERR_OK && p->memory->walk->ref) {
		solving_learn(p->memory->walk);
		solving_judge(p->memory->walk, true);
	}
	list_settled(p);
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
