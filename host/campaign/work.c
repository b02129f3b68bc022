/* See work.h. */
#include "host/campaign/work.h"

#include <string.h>

#include "common/pack.h"

void work_init(struct work *w, struct arena *a, const void *pack,
	       const bool *wanted)
{
	size_t n = pack_header(pack)->n_kernels;

	*w = (struct work){
		.n = n,
		.kernels = pack_kernels(pack),
		.wanted = wanted,
		.rank = ARENA_ARRAY(a, uint8_t, n),
		.settled = ARENA_ARRAY(a, bool, n),
		.unproved = ARENA_ARRAY(a, bool, n),
		.visits = ARENA_ARRAY(a, uint32_t, n),
		.last_core = ARENA_ARRAY(a, uint8_t, n),
		.skip = ARENA_ARRAY(a, bool, n),
		.any = ARENA_ARRAY(a, bool, n),
		.check = ARENA_ARRAY(a, uint8_t, n),
		.may_check = ARENA_ARRAY(a, bool, n),
	};
	for (size_t k = 0; k < n; k++)
		w->rank[k] = (uint8_t)experiment_rank(
			pack_label(pack, &w->kernels[k]));
}

bool work_is_calib(const struct work *w, size_t k)
{
	return w->kernels[k].flags & PACK_KERNEL_CALIB;
}

bool work_is_wanted(const struct work *w, size_t k)
{
	return !work_is_calib(w, k) && (!w->wanted || w->wanted[k]);
}

void work_drop_missing(bool *settled, const uint32_t *visits, size_t n)
{
	for (size_t k = 0; k < n; k++)
		settled[k] = settled[k] && visits[k] > 0;
}

/* Does the kernel get visits in the rounds over kernels with few? */
static bool needs_visits(const struct work *w, size_t k)
{
	return work_is_wanted(w, k) && (!w->settled[k] || w->unproved[k]) &&
	       w->visits[k] < PACE_FEW_VISITS;
}

size_t work_open(const struct work *w, size_t n_open[PACE_RANKS])
{
	size_t n_few_visits = 0;

	memset(n_open, 0, PACE_RANKS * sizeof(*n_open));
	for (size_t k = 0; k < w->n; k++) {
		n_open[w->rank[k]] += work_is_wanted(w, k) && !w->settled[k];
		n_few_visits += needs_visits(w, k);
	}
	return n_few_visits;
}

void work_opened(const struct work *w, size_t ret[PACE_RANKS])
{
	memset(ret, 0, PACE_RANKS * sizeof(*ret));
	for (size_t k = 0; k < w->n; k++)
		ret[w->rank[k]] += w->check[k] > 0 && !w->settled[k];
}

/* Is an open kernel in a round over kernels with few visits, or over ranks? */
static bool is_of(const struct work *w, size_t k,
		  const struct pace_round *round)
{
	if (round->few_visits)
		return needs_visits(w, k);
	return work_is_wanted(w, k) && !w->settled[k] &&
	       (round->ranks >> w->rank[k] & 1);
}

void work_choose(struct work *w, const struct pace_round *round)
{
	memset(w->check, 0, w->n * sizeof(*w->check));
	for (size_t k = 0; k < w->n; k++)
		w->skip[k] = !is_of(w, k, round);
}

size_t checks_choose(struct checks *c, const struct checks_request *q,
		     uint8_t *pass)
{
	size_t room = q->room * q->n_passes, n = 0;

	memset(pass, 0, q->n * sizeof(*pass));
	for (; n < room && c->n_seen * CHECKS_ONE_IN < q->n; c->n_seen++) {
		size_t k = c->n_seen * CHECKS_ONE_IN;

		if (q->may[k])
			pass[k] = (uint8_t)(1 + n++ % q->n_passes);
	}
	return n;
}

void work_add_checks(struct work *w, const struct pace_round *round,
		     size_t room, uint32_t first_visits)
{
	struct checks_request q = {
		.n = w->n,
		.may = w->may_check,
		.n_passes = round->visits,
		.room = room,
	};

	for (size_t k = 0; k < w->n; k++) {
		w->may_check[k] = w->skip[k] && work_is_wanted(w, k) &&
				  w->settled[k] && w->visits[k] == first_visits;
		q.room -= !w->skip[k] && q.room > 0;
	}
	(void)checks_choose(&w->checks, &q, w->check);
	for (size_t k = 0; k < w->n; k++)
		w->skip[k] = w->skip[k] && w->check[k] == 0;
}
