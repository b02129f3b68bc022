/* Which instructions start in a cycle, without looking at those that cannot:
 * who lacks a source is woken by it, who is ready later lies in the bucket of
 * that cycle, and who lacks a port is found by the ports that are free. */
#include <math.h>
#include <string.h>

#include "host/predict/core.h"

/* ---- who could start --------------------------------------------------- */

static uint64_t *word_of(const struct core *c, uint64_t place)
{
	return c->waiters.words + place / 64 * c->waiters.n_columns;
}

static void want(struct core *c, uint64_t place, model_ports ports)
{
	struct waiters *w = &c->waiters;
	uint64_t *columns = word_of(c, place) + 1;

	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		columns[p] |= (uint64_t)1 << place % 64;
		if (w->n_wanting[p]++ == 0)
			w->wanted |= (model_ports)1 << p;
	}
}

static void want_no_more(struct core *c, uint64_t place, model_ports ports)
{
	struct waiters *w = &c->waiters;
	uint64_t *columns = word_of(c, place) + 1;

	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		columns[p] &= ~((uint64_t)1 << place % 64);
		if (--w->n_wanting[p] == 0)
			w->wanted &= ~((model_ports)1 << p);
	}
}

/* Its sources are there. */
static void add_waiter(struct core *c, const struct entry *x)
{
	uint64_t place = (uint64_t)(x - c->ring);

	want(c, place, x->wants);
	if (x->left == 0) {
		word_of(c, place)[0] |= (uint64_t)1 << place % 64;
		c->waiters.n_idle++;
	}
}

/* ---- who will be ready ------------------------------------------------- */

static void add_later(struct core *c, struct entry *x)
{
	unsigned k = (unsigned)x->ready % CORE_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;

	x->next = c->in_buckets & bit ? c->buckets[k] : CORE_NOBODY;
	c->buckets[k] = (uint32_t)(x - c->ring);
	c->in_buckets |= bit;
}

/* Those of this cycle; others of its bucket stay there. */
static void ripen(struct core *c)
{
	unsigned k = (unsigned)c->now % CORE_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;
	uint32_t at = c->buckets[k], next;

	if (!(c->in_buckets & bit))
		return;
	c->in_buckets &= ~bit;
	for (; at != CORE_NOBODY; at = next) {
		struct entry *x = &c->ring[at];

		next = x->next;
		if (x->ready <= c->now)
			add_waiter(c, x);
		else
			add_later(c, x);
	}
}

/* ---- results ----------------------------------------------------------- */

/* Is the time of a source known?  Who is no longer in flight has finished. */
static bool knows(const struct core *c, const struct entry *x,
		  const struct wait *w)
{
	uint64_t place = (uint64_t)(x - c->ring);
	const struct entry *y = &c->ring[(place - w->back) & c->mask];

	return w->back > ((place - c->head) & c->mask) || y->finished ||
	       (y->known >> w->slot & 1);
}

/* Early results whose sources are known are, too. */
static void find_early(struct core *c, struct entry *x)
{
	struct machine *m = c->m;
	const uint32_t *first = &m->g->first_result[x->op];

	for (uint32_t r = first[0]; r < first[1]; r++) {
		uint32_t bit = (uint32_t)1 << (r - first[0]);
		uint32_t l = m->first_late[r];

		if (!m->early[r] || (x->known & bit))
			continue;
		while (l < m->first_late[r + 1] && knows(c, x, &m->late[l]))
			l++;
		if (l < m->first_late[r + 1])
			continue;
		machine_early_result(m, r, x->iteration, x->dispatched + 1);
		x->known |= bit;
		if (x->untold == 0) {
			x->next_untold = c->untold;
			c->untold = (uint32_t)(x - c->ring);
		}
		x->untold |= bit;
	}
}

void core_enqueue(struct core *c, struct entry *x)
{
	const struct machine *m = c->m;
	const struct wait *w = &m->waits[m->first_wait[x->op]];
	const struct wait *end = &m->waits[m->first_wait[x->op + 1]];

	x->ready = c->now + 1 + m->lead[x->op];
	for (; w < end; w++) {
		int64_t at;

		if (w->distance > x->iteration)
			continue;
		if (!knows(c, x, w)) {
			x->n_unknown++;
			continue;
		}
		at = machine_row(m, x->iteration - w->distance)[w->result] +
		     w->later;
		if (at > x->ready)
			x->ready = at;
	}
	if (x->n_unknown == 0)
		add_later(c, x);
	/* Nobody behind it waits yet. */
	if (c->steps[x->op].early) {
		find_early(c, x);
		x->untold = 0;
		c->untold = CORE_NOBODY;
	}
}

/* One of its sources is known now. */
static void learn(struct core *c, struct entry *x, int64_t at)
{
	if (at > x->ready)
		x->ready = at;
	x->n_unknown--;
	if (c->steps[x->op].early)
		find_early(c, x);
	if (x->n_unknown > 0)
		return;
	if (x->ready <= c->now)
		add_waiter(c, x);
	else
		add_later(c, x);
}

/* Tell those in flight that wait for these of its results. */
static void tell(struct core *c, const struct entry *x, uint32_t results)
{
	const struct step *s = &c->steps[x->op];
	const int64_t *ready = machine_row(c->m, x->iteration);
	uint64_t place = (uint64_t)(x - c->ring);
	uint64_t n_younger = (c->tail - 1 - place) & c->mask;

	for (uint32_t i = 0; i < s->n_wakes; i++) {
		const struct wake *w = &s->wakes[i];

		if (w->ahead <= n_younger && (results >> w->slot & 1))
			learn(c, &c->ring[(place + w->ahead) & c->mask],
			      ready[w->result] + w->later);
	}
}

/* It has started: all of its results are known, and what that makes known. */
static void wake(struct core *c, struct entry *x)
{
	tell(c, x, ~x->known);
	while (c->untold != CORE_NOBODY) {
		struct entry *y = &c->ring[c->untold];
		uint32_t results = y->untold;

		c->untold = y->next_untold;
		y->untold = 0;
		tell(c, y, results);
	}
}

/* ---- ports ------------------------------------------------------------- */

static void find_busy(struct core *c)
{
	for (model_ports left = c->busy; left != 0; left &= left - 1) {
		int p = __builtin_ctzll(left);

		if (c->free_at[p] < (double)c->now + 1 - 1e-9)
			c->busy &= ~((model_ports)1 << p);
	}
}

/* The free port that has been used least. */
static bool take_port(struct core *c, const struct uop *u)
{
	model_ports left = u->ports & c->ports & ~c->busy;
	int best;

	if (left == 0)
		return false;
	best = __builtin_ctzll(left);
	for (left &= left - 1; left != 0; left &= left - 1) {
		int p = __builtin_ctzll(left);

		if (c->used[p] < c->used[best])
			best = p;
	}
	c->free_at[best] = fmax(c->free_at[best], (double)c->now) + u->cycles;
	c->used[best] += u->cycles;
	if (!(c->free_at[best] < (double)c->now + 1 - 1e-9))
		c->busy |= (model_ports)1 << best;
	return true;
}

/* Give ports to what is left of an instruction; all of it started? */
static bool start_uops(struct core *c, struct entry *x)
{
	const struct step *s = &c->steps[x->op];
	model_ports wants = 0;

	for (uint64_t left = x->left; left != 0; left &= left - 1) {
		const struct uop *u = &s->uops[__builtin_ctzll(left)];

		if (take_port(c, u)) {
			x->left &= ~(left & -left);
			c->n_waiting_uops--;
		} else {
			wants |= u->ports & c->ports;
		}
	}
	want_no_more(c, (uint64_t)(x - c->ring), x->wants & ~wants);
	x->wants = wants;
	return x->left == 0;
}

/* Of 64 places, those that would get a port now. */
static uint64_t startable(const struct core *c, size_t word)
{
	const uint64_t *columns =
		c->waiters.words + word * c->waiters.n_columns;
	uint64_t found = columns[0];

	for (model_ports left = c->waiters.wanted & ~c->busy; left != 0;
	     left &= left - 1)
		found |= columns[1 + __builtin_ctzll(left)];
	return found;
}

static void start(struct core *c, uint64_t place)
{
	struct entry *x = &c->ring[place];
	bool idle = x->left == 0;

	if (!start_uops(c, x))
		return;
	if (idle) {
		word_of(c, place)[0] &= ~((uint64_t)1 << place % 64);
		c->waiters.n_idle--;
	}
	c->n_queued -= c->steps[x->op].queued;
	x->started = c->now;
	x->done = machine_results(
		c->m, x->op, x->iteration, c->now,
		c->now > x->ready ? c->now
				  : x->dispatched + 1 + c->m->lead[x->op]);
	x->finished = true;
	wake(c, x);
}

bool core_issue(struct core *c)
{
	/* From the oldest on: what is woken stands behind its source, and
	 * ports are not given back within a cycle. */
	uint64_t seen = 0, n = c->tail - c->head;
	bool any = false;

	find_busy(c);
	ripen(c);
	while (seen < n &&
	       (c->waiters.n_idle > 0 || (c->waiters.wanted & ~c->busy) != 0)) {
		uint64_t place = (c->head + seen) & c->mask;
		uint64_t found = startable(c, place / 64) >> place % 64;

		if (found == 0) {
			seen += 64 - place % 64;
			continue;
		}
		seen += (uint64_t)__builtin_ctzll(found);
		if (seen >= n)
			break;
		place = (c->head + seen) & c->mask;
		seen++;
		start(c, place);
		any = any || c->ring[place].finished;
	}
	return any;
}

int64_t core_next_start(const struct core *c)
{
	int64_t next = INT64_MAX;
	unsigned k = (unsigned)(c->now + 1) % CORE_BUCKETS;
	uint64_t turned = c->in_buckets >> k;

	if (k > 0)
		turned |= c->in_buckets << (CORE_BUCKETS - k);
	if (turned != 0)
		next = c->now + 1 + __builtin_ctzll(turned);
	/* Conservative by a cycle, which costs nothing but time. */
	for (model_ports left = c->waiters.wanted; left != 0;
	     left &= left - 1) {
		double at = c->free_at[__builtin_ctzll(left)] - 1;
		int64_t cycle =
			at < CORE_MAX_CYCLES ? (int64_t)at : CORE_MAX_CYCLES;

		next = cycle < next ? cycle : next;
	}
	return next > c->now ? next : c->now + 1;
}

void core_open_issue(struct core *c)
{
	struct waiters *w = &c->waiters;

	c->untold = CORE_NOBODY;
	c->ports = c->m->b->model->n_ports < MODEL_MAX_PORTS
			   ? ((model_ports)1 << c->m->b->model->n_ports) - 1
			   : ~(model_ports)0;
	w->n_columns = 1 + c->m->b->model->n_ports;
	w->words = ARENA_ARRAY(c->m->a, uint64_t,
			       (c->mask + 64) / 64 * w->n_columns);
}
