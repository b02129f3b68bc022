/* Bookkeeping of a session; see session_plan.h.
 *
 * Visits are made in passes over the whole list, because two visits of a
 * kernel tell more the further they lie apart.  A pass asks for ranges that
 * hold only kernels still missing its visit; whatever does not come stays in
 * the list and is asked for again as a smaller range. */
#include "host/link/session_plan.h"

#include "common/pack.h"

int plan_init(struct plan_work *w, struct arena *a, const struct session *q,
	      struct err *e)
{
	const struct pack_header *h = pack_header(q->pack);
	const struct pack_kernel *kernels = pack_kernels(q->pack);
	size_t n = (size_t)q->first_kernel + h->n_kernels;
	uint32_t *visits = ARENA_ARRAY(a, uint32_t, n);
	int ret = store_progress(q->store, q->run, n, visits, e);

	if (ret != ERR_OK)
		return ret;
	*w = (struct plan_work){
		.n = h->n_kernels,
		.n_visits = 1,
		.kernels = ARENA_ARRAY(a, struct plan_kernel, h->n_kernels),
	};
	for (uint32_t k = 0; k < w->n; k++) {
		w->kernels[k].wanted =
			!(kernels[k].flags & PACK_KERNEL_CALIB) &&
			!(q->skip && q->skip[k]);
		w->kernels[k].visits = visits[q->first_kernel + k];
	}
	return ERR_OK;
}

void plan_join(struct plan *p, struct plan_work *w)
{
	*p = (struct plan){ .work = w };
	w->plans[w->n_plans++] = p;
}

bool plan_has_samples(const struct plan_work *w)
{
	for (uint32_t k = 0; k < w->n; k++)
		if (w->kernels[k].visits > 0 &&
		    w->kernels[k].visits != PLAN_FINISHED)
			return true;
	return false;
}

static uint32_t visits_of(const struct plan_work *w, uint32_t k)
{
	uint32_t visits = w->kernels[k].visits;

	return visits < w->n_visits ? visits : w->n_visits;
}

void plan_set_visits(struct plan_work *w, uint32_t n_visits)
{
	w->n_visits = n_visits;
	w->n_done = 0;
	w->n_total = 0;
	for (uint32_t k = 0; k < w->n; k++) {
		if (!w->kernels[k].wanted)
			continue;
		w->n_total += n_visits;
		w->n_done += visits_of(w, k);
	}
}

/* Has another core asked for it? */
static bool is_taken(const struct plan *p, uint32_t k)
{
	const struct plan_work *w = p->work;

	for (size_t i = 0; i < w->n_plans; i++)
		if (w->plans[i] != p && k >= w->plans[i]->request.from &&
		    k < w->plans[i]->request.to)
			return true;
	return false;
}

/* One that lacks an earlier visit still is some other core's, which is not
 * through with that pass. */
static bool needs(const struct plan *p, uint32_t k, uint32_t visit)
{
	const struct plan_kernel *kernel = &p->work->kernels[k];

	return kernel->wanted && kernel->visits != PLAN_FINISHED &&
	       kernel->visits == visit && !is_taken(p, k);
}

/* First kernel of from..to-1 that needs the visit, or PLAN_NONE. */
static uint32_t first_needing(const struct plan *p, uint32_t from, uint32_t to,
			      uint32_t visit)
{
	for (uint32_t k = from; k < to; k++)
		if (needs(p, k, visit))
			return k;
	return PLAN_NONE;
}

static bool next_in_pass(struct plan *p, uint32_t from, uint32_t visit)
{
	struct plan_request *r = &p->request;
	uint32_t first = first_needing(p, from, p->work->n, visit);
	uint32_t n = 0;
	uint32_t most;

	if (first == PLAN_NONE)
		return false;
	/* A suspect runs alone: then a death is its own. */
	most = p->work->kernels[first].deaths ? 1 : PLAN_CHUNK;
	*r = (struct plan_request){
		.from = first,
		.visit = visit,
		.in_flight = first,
	};
	/* A request costs less than a kernel that nobody wants. */
	for (uint32_t k = first;
	     k < p->work->n && n < most && needs(p, k, visit); k++, n++)
		r->to = k + 1;
	return true;
}

bool plan_next(struct plan *p)
{
	/* What a pass has behind it is complete or given up. */
	uint32_t from = p->request.from;

	for (uint32_t v = p->request.visit; v < p->work->n_visits; v++) {
		if (next_in_pass(p, from, v))
			return true;
		from = 0;
	}
	/* Nothing is kept from the others. */
	p->request = (struct plan_request){ .visit = p->work->n_visits,
					    .in_flight = PLAN_NONE };
	return false;
}

static void advance(struct plan *p, uint32_t k)
{
	struct plan_request *r = &p->request;

	if (k >= r->from && k < r->to)
		r->in_flight = first_needing(p, k + 1, r->to, r->visit);
}

void plan_sample(struct plan *p, uint32_t k, uint32_t visit)
{
	struct plan_kernel *kernel = &p->work->kernels[k];

	if (kernel->visits == visit && visit < p->work->n_visits) {
		kernel->visits++;
		p->work->n_done++;
	}
	kernel->attempts = 0;
	kernel->deaths = 0;
	kernel->hangs = 0;
	if (visit == p->request.visit)
		advance(p, k);
}

void plan_fault(struct plan *p, uint32_t k)
{
	p->work->n_done += p->work->n_visits - visits_of(p->work, k);
	p->work->kernels[k].visits = PLAN_FINISHED;
	advance(p, k);
}

bool plan_request_complete(const struct plan *p)
{
	const struct plan_request *r = &p->request;

	return first_needing(p, r->from, r->to, r->visit) == PLAN_NONE;
}

void plan_count_attempt(struct plan *p)
{
	const struct plan_request *r = &p->request;

	for (uint32_t k = r->from; k < r->to; k++)
		if (needs(p, k, r->visit))
			p->work->kernels[k].attempts++;
}

uint32_t plan_given_up(const struct plan *p)
{
	const struct plan_request *r = &p->request;

	for (uint32_t k = r->from; k < r->to; k++)
		if (needs(p, k, r->visit) &&
		    p->work->kernels[k].attempts >= PLAN_MAX_ATTEMPTS)
			return k;
	return PLAN_NONE;
}
