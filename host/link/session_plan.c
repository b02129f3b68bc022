/* Bookkeeping of a session; see session_plan.h.
 *
 * Visits are made in passes over the whole list, because two visits of a
 * kernel tell more the further they lie apart.  A pass asks for ranges that
 * hold only kernels still missing its visit; whatever does not come stays in
 * the list and is asked for again as a smaller range. */
#include "host/link/session_plan.h"

#include "common/pack.h"

int plan_init(struct plan *p, struct arena *a, const struct session *q,
	      struct err *e)
{
	const struct pack_header *h = pack_header(q->pack);
	const struct pack_kernel *kernels = pack_kernels(q->pack);
	size_t n = (size_t)q->first_kernel + h->n_kernels;
	uint32_t *visits = ARENA_ARRAY(a, uint32_t, n);
	int ret = store_progress(q->store, q->run, n, visits, e);

	if (ret != ERR_OK)
		return ret;
	*p = (struct plan){
		.n = h->n_kernels,
		.n_visits = 1,
		.kernels = ARENA_ARRAY(a, struct plan_kernel, h->n_kernels),
	};
	for (uint32_t k = 0; k < p->n; k++) {
		p->kernels[k].wanted =
			!(kernels[k].flags & PACK_KERNEL_CALIB) &&
			!(q->skip && q->skip[k]);
		p->kernels[k].visits = visits[q->first_kernel + k];
	}
	return ERR_OK;
}

bool plan_has_samples(const struct plan *p)
{
	for (uint32_t k = 0; k < p->n; k++)
		if (p->kernels[k].visits > 0 &&
		    p->kernels[k].visits != PLAN_FINISHED)
			return true;
	return false;
}

static uint32_t visits_of(const struct plan *p, uint32_t k)
{
	uint32_t visits = p->kernels[k].visits;

	return visits < p->n_visits ? visits : p->n_visits;
}

void plan_set_visits(struct plan *p, uint32_t n_visits)
{
	p->n_visits = n_visits;
	p->n_done = 0;
	p->n_total = 0;
	for (uint32_t k = 0; k < p->n; k++) {
		if (!p->kernels[k].wanted)
			continue;
		p->n_total += n_visits;
		p->n_done += visits_of(p, k);
	}
}

static bool needs(const struct plan *p, uint32_t k, uint32_t visit)
{
	const struct plan_kernel *kernel = &p->kernels[k];

	return kernel->wanted && kernel->visits != PLAN_FINISHED &&
	       kernel->visits <= visit;
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
	uint32_t first = first_needing(p, from, p->n, visit);
	uint32_t n = 0;
	uint32_t most;

	if (first == PLAN_NONE)
		return false;
	/* A suspect runs alone: then a death is its own. */
	most = p->kernels[first].deaths ? 1 : PLAN_CHUNK;
	*r = (struct plan_request){
		.from = first,
		.visit = visit,
		.in_flight = first,
	};
	/* A request costs less than a kernel that nobody wants. */
	for (uint32_t k = first; k < p->n && n < most && needs(p, k, visit);
	     k++, n++)
		r->to = k + 1;
	return true;
}

bool plan_next(struct plan *p)
{
	/* What a pass has behind it is complete or given up. */
	uint32_t from = p->request.from;

	for (uint32_t v = p->request.visit; v < p->n_visits; v++) {
		if (next_in_pass(p, from, v))
			return true;
		from = 0;
	}
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
	struct plan_kernel *kernel = &p->kernels[k];

	if (kernel->visits == visit && visit < p->n_visits) {
		kernel->visits++;
		p->n_done++;
	}
	kernel->attempts = 0;
	kernel->deaths = 0;
	kernel->hangs = 0;
	if (visit == p->request.visit)
		advance(p, k);
}

void plan_fault(struct plan *p, uint32_t k)
{
	p->n_done += p->n_visits - visits_of(p, k);
	p->kernels[k].visits = PLAN_FINISHED;
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
			p->kernels[k].attempts++;
}

uint32_t plan_given_up(const struct plan *p)
{
	const struct plan_request *r = &p->request;

	for (uint32_t k = r->from; k < r->to; k++)
		if (needs(p, k, r->visit) &&
		    p->kernels[k].attempts >= PLAN_MAX_ATTEMPTS)
			return k;
	return PLAN_NONE;
}
