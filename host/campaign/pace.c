/* See pace.h. */
#include "host/campaign/pace.h"

/* The worth of a settled kernel of a rank: a latency or a throughput counts as
 * two values that refine it. */
static const double worth[PACE_RANKS] = { 4, 2, 1 };

/* A round that settles a smaller share of the open kernels ends the rounds of
 * its rank: at 0.3 ms a visit and 2 %, a value costs 15 ms, fifty times a first
 * visit. */
static const double least_share = 0.02;

/* So many rounds in a row that settle too little end a rank.  One may fall into
 * a disturbance, after which more kernels are open than before; of fewer than
 * 1 / least_share kernels one round more says whether any can be settled. */
enum { IDLE_ROUNDS = 2, IDLE_ROUNDS_OF_FEW = 3 };

static bool is_open(const struct pace_rank *r)
{
	return r->n_open > 0 && !r->over;
}

static bool is_small(const struct pace *p, const struct pace_rank *r)
{
	return p->together || r->n_open < PACE_SMALL;
}

/* The share that a visit of the rank is expected to settle, times its worth.  A
 * rank that was never visited is expected to settle as many as the ranks before
 * it did. */
static double promise(const struct pace *p, unsigned rank)
{
	const struct pace_rank *r = &p->ranks[rank];
	double share = 1;

	if (r->visited)
		return worth[rank] * r->share;
	for (unsigned i = 0; i < rank; i++)
		if (p->ranks[i].visited)
			share = p->ranks[i].first_share;
	return worth[rank] * share / p->first_visits;
}

void pace_begin(struct pace *p, const size_t n_open[PACE_RANKS],
		uint32_t first_visits, bool together)
{
	*p = (struct pace){ .first_visits = first_visits,
			    .together = together };
	for (unsigned i = 0; i < PACE_RANKS; i++)
		p->ranks[i].n_open = n_open[i];
}

/* The open rank, of those that are not small, that promises most; PACE_RANKS:
 * there is none. */
static unsigned best_rank(const struct pace *p)
{
	unsigned best = PACE_RANKS;

	for (unsigned i = 0; i < PACE_RANKS; i++)
		if (is_open(&p->ranks[i]) && !is_small(p, &p->ranks[i]) &&
		    (best == PACE_RANKS || promise(p, i) > promise(p, best)))
			best = i;
	return best;
}

static bool next_of_few_visits(const struct pace *p, struct pace_round *ret)
{
	if (p->n_few_visits == 0 ||
	    p->few_visits_rounds >= PACE_FEW_VISITS_ROUNDS)
		return false;
	*ret = (struct pace_round){ .ranks = (1u << PACE_RANKS) - 1,
				    .few_visits = true,
				    .visits = PACE_SMALL_VISITS };
	return true;
}

bool pace_next(const struct pace *p, struct pace_round *ret)
{
	unsigned large = best_rank(p);
	bool any = false, is_first = false;

	*ret = (struct pace_round){ .ranks = 0 };
	for (unsigned i = 0; i < PACE_RANKS; i++) {
		const struct pace_rank *r = &p->ranks[i];

		if (!is_open(r) || (i != large && !is_small(p, r)))
			continue;
		any = true;
		ret->ranks |= 1u << i;
		is_first = is_first || !r->visited;
	}
	if (!any)
		return next_of_few_visits(p, ret);
	if (is_first)
		ret->visits = p->first_visits;
	else
		ret->visits =
			large < PACE_RANKS ? PACE_VISITS : PACE_SMALL_VISITS;
	return true;
}

/* Does a rank end, now that a round settled a share of so many kernels? */
static bool is_idle(struct pace_rank *r, size_t n, bool disturbed)
{
	bool few = (double)n * least_share < 1;

	if (r->share < least_share && !disturbed)
		r->idle++;
	else
		r->idle = 0;
	return r->idle >= (few ? IDLE_ROUNDS_OF_FEW : IDLE_ROUNDS);
}

/* Resume an ended rank if its unsettled kernels have grown by more than
 * least_share: later visits may raise the number of visits that must agree.  A
 * rank with PACE_MAX_VISITS stays ended. */
static void reopen(struct pace_rank *r)
{
	if (!r->over || r->visits >= PACE_MAX_VISITS ||
	    (double)r->n_open <= (double)r->n_left * (1 + least_share))
		return;
	r->over = false;
	r->idle = 0;
}

void pace_reopen(struct pace *p, const size_t n_open[PACE_RANKS],
		 size_t n_few_visits)
{
	p->n_few_visits = n_few_visits;
	for (unsigned i = 0; i < PACE_RANKS; i++) {
		p->ranks[i].n_open = n_open[i];
		reopen(&p->ranks[i]);
	}
}

void pace_settled(struct pace *p, const struct pace_round *round,
		  const size_t n_open[PACE_RANKS], size_t n_few_visits)
{
	p->n_few_visits = n_few_visits;
	p->few_visits_rounds += round->few_visits;
	for (unsigned i = 0; i < PACE_RANKS; i++) {
		struct pace_rank *r = &p->ranks[i];
		size_t before = r->n_open, left;

		r->n_open = n_open[i];
		reopen(r);
		if (!(round->ranks >> i & 1) || round->few_visits ||
		    before == 0)
			continue;
		left = n_open[i] - round->n_opened[i];
		r->share = left < before
				   ? (double)(before - left) / (double)before
				   : 0;
		if (r->visited) {
			r->visits += round->visits;
			r->over = is_idle(r, before, round->disturbed) ||
				  r->visits >= PACE_MAX_VISITS;
			r->n_left = r->n_open;
		} else {
			r->first_share = r->share;
			r->visited = true;
		}
	}
}

/* Visits that open kernels of a rank still get, when they have had so many
 * beyond the first.  Most agree soon; a few never do, and get
 * PACE_MAX_VISITS. */
static double visits_to_come(double n_open, uint32_t had)
{
	/* Seen (Zen 5): with this many for each kernel that is open after its
	 * first visits the whole is right, although most need fewer: a visit of
	 * a small round takes longer, and kernels open again when all are
	 * judged again.  One that is open for long gets at least so many
	 * more. */
	const double usual = 40, least = PACE_SMALL_VISITS;

	return n_open * (had + least < usual ? usual - had : least);
}

/* The share of kernels that are open after their first visits. */
static double open_share(const struct pace *p)
{
	const double usual = 0.03; /* of a quiet machine */
	double n = 0, sum = 0;

	for (unsigned i = 0; i < PACE_RANKS; i++)
		if (p->ranks[i].visited) {
			sum += 1 - p->ranks[i].first_share;
			n++;
		}
	return n > 0 ? sum / n : usual;
}

size_t pace_expected(const struct pace *p, const struct pace_round *round)
{
	double sum = 0;

	for (unsigned i = 0; i < PACE_RANKS; i++) {
		const struct pace_rank *r = &p->ranks[i];
		bool now = round->ranks >> i & 1 && !round->few_visits;
		double n = (double)r->n_open;

		if (!is_open(r))
			continue;
		if (!r->visited) {
			sum += now ? 0 : n * p->first_visits;
			sum += visits_to_come(n * open_share(p), 0);
		} else {
			sum += visits_to_come(
				now ? n * (1 - r->share) : n,
				r->visits + (now ? round->visits : 0));
		}
	}
	return (size_t)sum;
}

uint32_t pace_block(double seconds)
{
	/* A pass takes an eighth of the time where a visit takes 0.5 ms. */
	const double n = seconds * 2000 / 8;

	if (seconds <= 0 || n > PACK_MAX_KERNELS)
		return 0;
	return n < PACE_SMALL ? PACE_SMALL : (uint32_t)n;
}

double pace_reached(const struct pace_point *points, size_t n, double share)
{
	size_t i = 0;

	if (n == 0)
		return 0;
	while (i + 1 < n && (double)points[i].n_settled <
				    share * (double)points[n - 1].n_settled)
		i++;
	return points[i].seconds;
}
