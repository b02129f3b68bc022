/* Plans the requests of a session; see session_plan.h.
 *
 * Visits are made in passes over the whole list, because visits of a kernel are
 * more independent if they are further apart.  A pass requests ranges of
 * kernels of one rank that lack its visit.  Kernels without a result stay in
 * the list and are requested again in smaller ranges. */
#include "host/link/session_plan.h"

#include "common/pack.h"

int plan_init(struct plan_work *w, struct arena *a, const struct session *q,
	      struct err *e)
{
	const struct pack_header *h = pack_header(q->pack);
	const struct pack_kernel *kernels = pack_kernels(q->pack);
	uint32_t *visits = q->visits;

	if (!visits) {
		visits = ARENA_ARRAY(a, uint32_t, h->n_kernels);
		if (store_progress(q->store, q->run, q->first_kernel,
				   h->n_kernels, visits, e) != ERR_OK)
			return e->code;
	}
	*w = (struct plan_work){
		.n = h->n_kernels,
		.block = q->block,
		.kernels = ARENA_ARRAY(a, struct plan_kernel, h->n_kernels),
	};
	for (uint32_t k = 0; k < w->n; k++) {
		w->kernels[k].wanted =
			!(kernels[k].flags & PACK_KERNEL_CALIB) &&
			!(q->skip && q->skip[k]);
		w->kernels[k].any = q->any && q->any[k];
		w->kernels[k].check = q->check ? q->check[k] : 0;
		w->kernels[k].rank = q->rank ? q->rank[k] : 0;
		w->kernels[k].visits = visits[k];
		w->kernels[k].last_plan = q->last_core ? q->last_core[k] : 0;
		w->kernels[k].before = w->kernels[k].visits;
	}
	plan_set_visits(w, 1, 0);
	return ERR_OK;
}

void plan_count(const struct plan_work *w, uint32_t *visits, uint8_t *last)
{
	for (uint32_t k = 0; k < w->n; k++) {
		visits[k] = w->kernels[k].visits;
		if (last)
			last[k] = w->kernels[k].last_plan;
	}
}

void plan_join(struct plan *p, struct plan_work *w)
{
	*p = (struct plan){
		.work = w,
		.number = (uint8_t)++w->n_plans,
		.n_ranges = 1,
		.n_most = PLAN_CHUNK,
	};
}

void plan_allow_lists(struct plan *p, bool lists)
{
	enum { PARTS = 2 }; /* of each core, in each pass that is left */
	const struct plan_work *w = p->work;
	size_t passes = w->n_passes > 0 ? w->n_passes : 1;
	size_t n = (w->n_total - w->n_done) / (PARTS * w->n_plans * passes);

	if (n < PLAN_LEAST_LISTED)
		n = PLAN_LEAST_LISTED;
	if (n > PLAN_MOST_LISTED)
		n = PLAN_MOST_LISTED;
	p->n_ranges = lists ? (uint32_t)n : 1;
	p->n_most = lists ? (uint32_t)n : PLAN_CHUNK;
}

bool plan_has_samples(const struct plan_work *w)
{
	for (uint32_t k = 0; k < w->n; k++)
		if (w->kernels[k].visits > 0 &&
		    w->kernels[k].visits != PLAN_FINISHED)
			return true;
	return false;
}

static uint32_t visits_of(const struct plan_kernel *kernel)
{
	return kernel->visits < kernel->goal ? kernel->visits : kernel->goal;
}

/* Divide the wanted kernels into blocks of nearly equal size, in the order of
 * ranks. */
static void make_blocks(struct plan_work *w)
{
	uint64_t n = 0, at = 0;

	for (uint32_t k = 0; k < w->n; k++)
		n += w->kernels[k].wanted;
	w->n_blocks = w->block ? (uint32_t)((n + w->block / 2) / w->block) : 1;
	if (w->n_blocks == 0 || w->n_blocks > UINT16_MAX)
		w->n_blocks = 1;
	if (n == 0)
		return;
	for (unsigned rank = 0; rank < PLAN_RANKS; rank++)
		for (uint32_t k = 0; k < w->n; k++) {
			struct plan_kernel *kernel = &w->kernels[k];

			if (kernel->wanted && kernel->rank == rank)
				kernel->block =
					(uint16_t)(at++ * w->n_blocks / n);
		}
}

/* The pass of the kernel's first visit in this session, 0 the first. */
static uint32_t first_pass(const struct plan_kernel *kernel)
{
	return kernel->check > 0 ? kernel->check - 1u : 0;
}

/* Passes until the kernel has its visits. */
static uint32_t last_pass(const struct plan_kernel *kernel)
{
	return first_pass(kernel) + kernel->goal - kernel->before;
}

void plan_set_visits(struct plan_work *w, uint32_t least, uint32_t more)
{
	make_blocks(w);
	w->n_passes = 0;
	w->n_done = 0;
	w->n_total = 0;
	for (uint32_t k = 0; k < w->n; k++) {
		struct plan_kernel *kernel = &w->kernels[k];
		uint32_t before = kernel->before;

		if (!kernel->wanted)
			continue;
		if (before == PLAN_FINISHED || before < least)
			kernel->goal = least;
		else
			kernel->goal = before + (kernel->check ? 1 : more);
		w->n_total += kernel->goal;
		w->n_done += visits_of(kernel);
		if (before != PLAN_FINISHED && last_pass(kernel) > w->n_passes)
			w->n_passes = last_pass(kernel);
	}
}

/* Does the kernel lack the visit of the request's pass?  A kernel that still
 * lacks the visit of an earlier pass is being measured by another core. */
static bool is_due(const struct plan *p, uint32_t k,
		   const struct visit_request *r)
{
	const struct plan_kernel *kernel = &p->work->kernels[k];

	return kernel->wanted && kernel->block == r->block &&
	       kernel->rank == r->rank && kernel->visits < kernel->goal &&
	       first_pass(kernel) + kernel->visits - kernel->before == r->pass;
}

/* First kernel of from..to-1 that lacks the visit and is owned by this plan, or
 * PLAN_NONE. */
static uint32_t first_due(const struct plan *p, uint32_t from, uint32_t to,
			  const struct visit_request *r)
{
	for (uint32_t k = from; k < to; k++)
		if (p->work->kernels[k].owner == p->number && is_due(p, k, r))
			return k;
	return PLAN_NONE;
}

/* Choose the kernels of a request, from r->from on; its block, pass and rank
 * are set.  Kernels that other plans own are skipped.  False if there are
 * none. */
static bool fill_request(struct plan *p, struct visit_request *r)
{
	struct plan_work *w = p->work;
	uint32_t n = 0, most = p->n_most, n_ranges = 0;

	for (uint32_t k = r->from; k < w->n && n < most; k++) {
		struct plan_kernel *kernel = &w->kernels[k];

		if (kernel->owner || !is_due(p, k, r) ||
		    (kernel->last_plan == p->number) != r->again ||
		    (n > 0 && kernel->visits != r->visit))
			continue;
		/* A new range costs less than measuring an unneeded kernel. */
		if (n == 0 || k > r->to)
			n_ranges++;
		if (n_ranges > p->n_ranges)
			break;
		/* A kernel in which the board died runs alone, so that another
		 * death is certainly its own. */
		if (n == 0) {
			most = kernel->deaths ? 1 : p->n_most;
			r->from = r->in_flight = k;
			r->visit = kernel->visits;
		}
		kernel->owner = p->number;
		r->to = k + 1;
		n++;
	}
	return n > 0;
}

/* Release the kernels of the request for other plans. */
static void release_kernels(struct plan *p)
{
	for (uint32_t k = p->request.from; k < p->request.to; k++)
		if (p->work->kernels[k].owner == p->number)
			p->work->kernels[k].owner = 0;
}

/* Go to the kernels that this plan visited last, to the next rank, pass or
 * block; false after the last. */
static bool next_rank(const struct plan_work *w, struct visit_request *r)
{
	r->from = 0;
	r->again = !r->again;
	if (r->again || ++r->rank < PLAN_RANKS)
		return true;
	r->rank = 0;
	if (++r->pass < w->n_passes)
		return true;
	r->pass = 0;
	return ++r->block < w->n_blocks;
}

bool plan_next(struct plan *p)
{
	const struct plan_work *w = p->work;
	/* Kernels before request.from are complete or given up in this pass.
	 * Continue there, so that kernels without a result are requested
	 * again. */
	struct visit_request r = { .from = p->request.from,
				   .block = p->request.block,
				   .pass = p->request.pass,
				   .rank = p->request.rank,
				   .again = p->request.again };
	bool more = r.block < w->n_blocks;

	release_kernels(p);
	while (more && !fill_request(p, &r))
		more = next_rank(w, &r);
	p->request = r;
	if (!more)
		p->request = (struct visit_request){ .block = w->n_blocks,
						     .in_flight = PLAN_NONE };
	return more;
}

uint32_t plan_pass(const struct plan *p)
{
	return p->request.block * p->work->n_passes + p->request.pass;
}

bool plan_range(const struct plan *p, uint32_t from, uint32_t *ret_from,
		uint32_t *ret_to)
{
	const struct visit_request *r = &p->request;
	uint32_t first = first_due(p, from, r->to, r);

	if (first == PLAN_NONE)
		return false;
	*ret_from = first;
	*ret_to = first;
	while (*ret_to < r->to &&
	       (p->n_ranges == 1 ||
		p->work->kernels[*ret_to].any == p->work->kernels[first].any) &&
	       first_due(p, *ret_to, *ret_to + 1, r) == *ret_to)
		++*ret_to;
	return true;
}

static void advance_in_flight(struct plan *p, uint32_t k)
{
	struct visit_request *r = &p->request;

	if (k >= r->from && k < r->to)
		r->in_flight = first_due(p, k + 1, r->to, r);
}

void plan_start(struct plan *p, uint32_t k)
{
	if (first_due(p, k, k + 1, &p->request) == k)
		p->request.in_flight = k;
}

void plan_sample(struct plan *p, uint32_t k, uint32_t visit)
{
	struct plan_kernel *kernel = &p->work->kernels[k];

	if (kernel->visits == visit && visit < kernel->goal) {
		kernel->visits++;
		kernel->last_plan = p->number;
		p->work->n_done++;
	}
	kernel->attempts = 0;
	kernel->deaths = 0;
	kernel->hangs = 0;
	if (visit == p->request.visit)
		advance_in_flight(p, k);
}

void plan_fault(struct plan *p, uint32_t k)
{
	struct plan_kernel *kernel = &p->work->kernels[k];

	p->work->n_done += kernel->goal - visits_of(kernel);
	kernel->visits = PLAN_FINISHED;
	advance_in_flight(p, k);
}

bool plan_request_complete(const struct plan *p)
{
	const struct visit_request *r = &p->request;

	return first_due(p, r->from, r->to, r) == PLAN_NONE;
}

void plan_count_attempt(struct plan *p)
{
	const struct visit_request *r = &p->request;

	for (uint32_t k = r->from; k < r->to; k++)
		if (first_due(p, k, k + 1, r) == k)
			p->work->kernels[k].attempts++;
}

uint32_t plan_given_up(const struct plan *p)
{
	const struct visit_request *r = &p->request;

	for (uint32_t k = r->from; k < r->to; k++)
		if (first_due(p, k, k + 1, r) == k &&
		    p->work->kernels[k].attempts >= PLAN_MAX_ATTEMPTS)
			return k;
	return PLAN_NONE;
}
