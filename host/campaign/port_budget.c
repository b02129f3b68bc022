/* How a port search shares its budget among its phases; see
 * port_searching.h. */
#include "host/base/monotonic.h"
#include "host/campaign/port_searching.h"

/* What a phase and those before it may spend, where all forms are one batch.  A
 * search that spends all on saturation kernels draws the fit from forms that
 * were never tried; one that spends all on the classes has no matrix. */
static const double shares[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = 0.45, [PORTS_SLOTS] = 0.45, [PORTS_MERGE] = 0.45,
	[PORTS_MATRIX] = 0.50,  [PORTS_CHECK] = 0.55, [PORTS_SATURATION] = 0.78,
	[PORTS_UNITS] = 0.82,   [PORTS_TRIAL] = 0.88, [PORTS_FIT] = 1,
};

/* The same of the first of several batches, which all others are measured against:
 * it has the classes and the matrix. */
static const double first_shares[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = 0.35, [PORTS_SLOTS] = 0.40, [PORTS_MERGE] = 0.55,
	[PORTS_MATRIX] = 0.57,  [PORTS_CHECK] = 0.60, [PORTS_SATURATION] = 0.70,
	[PORTS_UNITS] = 0.73,   [PORTS_TRIAL] = 0.75, [PORTS_FIT] = 1,
};

/* A later batch begins before this part of the budget, and ends before that. */
static const double last_begin = 0.88, last_end = 0.92;

static double share_of(const struct port_search *h, enum ports_phase phase)
{
	if (h->last_batch == 0 || phase == PORTS_FIT)
		return shares[phase];
	return h->batch == 0 ? first_shares[phase] : last_end;
}

bool port_search_begin_batch(void *context, uint16_t batch)
{
	struct port_search *h = context;
	const struct campaign_request *q = h->c->request;
	double spent = monotonic_s() - h->started, most = q->budget_seconds;
	/* The next batch takes as long as the one before. */
	double next = spent - h->batch_started;

	h->batch_started = spent;
	if (h->batch == 0)
		next = 0;
	if (!h->stored_only &&
	    ((most > 0 && spent + next > last_begin * most) ||
	     (q->budget_kernels > 0 &&
	      (double)h->n_measured >
		      last_begin * (double)q->budget_kernels))) {
		h->budget_spent = true;
		return false;
	}
	h->batch = batch;
	return true;
}

size_t port_search_kernels_left(const struct port_search *h,
				enum ports_phase phase)
{
	size_t most = h->c->request->budget_kernels;
	double left = share_of(h, phase) * (double)most - (double)h->n_measured;

	return most == 0 ? SIZE_MAX : left < 1 ? 1 : (size_t)left;
}

bool port_search_is_over(struct port_search *h, enum ports_phase phase)
{
	const struct campaign_request *q = h->c->request;
	double share = share_of(h, phase);

	if (h->stored_only)
		return true;
	if (q->budget_seconds > 0 &&
	    monotonic_s() - h->started > share * q->budget_seconds)
		h->budget_spent = true;
	else if (q->budget_kernels > 0 &&
		 (double)h->n_measured >= share * (double)q->budget_kernels)
		h->budget_spent = true;
	else
		return false;
	return true;
}
