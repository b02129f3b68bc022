/* Event-driven issue. Producers wake their consumers; entries that become ready
 * later sit in a timing wheel; ready entries are in one bitmap per port. */
#include <math.h>
#include <string.h>

#include "host/predict/ooo.h"

/* ---- ready instructions ------------------------------------------------ */

static uint64_t *issue_columns(const struct ooo_core *c, uint64_t word)
{
	return c->ready_set.words + (word << c->ready_set.shift);
}

static void issue_want(struct ooo_core *c, uint64_t place, model_ports ports)
{
	struct ready_set *w = &c->ready_set;
	uint64_t *columns = issue_columns(c, place / 64);
	uint64_t bit = (uint64_t)1 << place % 64;

	w->wanted |= ports;
	if ((ports & (ports - 1)) != 0)
		columns[READY_SEVERAL] |= bit;
	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		columns[READY_PORTS + p] |= bit;
		w->n_wanting[p]++;
	}
}

/* The entry still wants the ports `kept`. */
static void issue_unwant(struct ooo_core *c, uint64_t place, model_ports ports,
			 model_ports kept)
{
	struct ready_set *w = &c->ready_set;
	uint64_t *columns = issue_columns(c, place / 64);
	uint64_t bit = (uint64_t)1 << place % 64;

	if ((kept & (kept - 1)) == 0)
		columns[READY_SEVERAL] &= ~bit;
	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);
		model_ports none = --w->n_wanting[p] == 0;

		columns[READY_PORTS + p] &= ~bit;
		w->wanted &= ~(none << p);
	}
}

/* All sources of the entry are ready. */
static void issue_add_ready(struct ooo_core *c, const struct rob_entry *x)
{
	uint64_t place = (uint64_t)(x - c->ring);

	issue_want(c, place, x->wants);
	c->ready_set.grown = true;
	if (x->left == 0) {
		issue_columns(c, place / 64)[READY_IDLE] |= (uint64_t)1
							    << place % 64;
		c->ready_set.n_idle++;
	}
}

/* ---- timing wheel ------------------------------------------------------ */

/* When the uops in `left` may start; does not change while the entry is in the
 * wheel. */
static int64_t issue_time(const struct rob_entry *x)
{
	return x->later != 0 ? x->access_ready : x->ready;
}

static void issue_add_to_wheel(struct ooo_core *c, struct rob_entry *x)
{
	unsigned k = (unsigned)issue_time(x) % OOO_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;

	x->next = c->buckets[k];
	c->buckets[k] = (uint32_t)(x - c->ring);
	c->in_buckets |= bit;
}

/* It is known when the uops in `left` may start. */
static void issue_timed(struct ooo_core *c, struct rob_entry *x)
{
	if (issue_time(x) <= c->now)
		issue_add_ready(c, x);
	else
		issue_add_to_wheel(c, x);
}

/* Empty the bucket of this cycle; entries of later cycles return to it. */
static void issue_empty_bucket(struct ooo_core *c)
{
	unsigned k = (unsigned)c->now % OOO_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;
	uint32_t at = c->buckets[k], next;

	if (!(c->in_buckets & bit))
		return;
	c->in_buckets &= ~bit;
	c->buckets[k] = OOO_NONE;
	for (; at != OOO_NONE; at = next) {
		struct rob_entry *x = &c->ring[at];

		next = x->next;
		issue_timed(c, x);
	}
}

void ooo_find_wants(const struct ooo_core *c, struct rob_entry *x)
{
	x->wants = 0;
	for (uint64_t left = x->left; left != 0; left &= left - 1)
		x->wants |= ooo_ports_of(c, x, __builtin_ctzll(left));
}

/* ---- results ----------------------------------------------------------- */

/* Is the time of a source known? Instructions that are no longer in flight have
 * finished. */
static bool issue_is_known(const struct ooo_core *c, const struct rob_entry *x,
			   const struct dependency *w)
{
	uint64_t place = (uint64_t)(x - c->ring);
	const struct rob_entry *y = &c->ring[(place - w->back) & c->mask];

	return w->back > ((place - c->head) & c->mask) || y->finished ||
	       (y->known >> w->slot & 1);
}

/* Set the early results whose sources are all known. */
static void find_early(struct ooo_core *c, struct rob_entry *x)
{
	struct sim *m = c->m;
	const uint32_t *first = &m->g->first_result[x->op];
	struct rob_more *more = ooo_more(c, x);

	for (uint32_t r = first[0]; r < first[1]; r++) {
		uint32_t bit = (uint32_t)1 << (r - first[0]);
		uint32_t l = m->results[r].first_extra;

		if (!m->results[r].is_early || (x->known & bit))
			continue;
		while (l < m->results[r + 1].first_extra &&
		       issue_is_known(c, x, &m->extra_dependencies[l]))
			l++;
		if (l < m->results[r + 1].first_extra)
			continue;
		sim_set_early(m, r, x->iteration, more->dispatched + 1);
		x->known |= bit;
		if (more->unnotified == 0) {
			more->next_unnotified = c->unnotified;
			c->unnotified = (uint32_t)(x - c->ring);
		}
		more->unnotified |= bit;
	}
}

/* A source is there in cycle `at`.  For a source of the access that is the
 * cycle in which what it loads is there. */
static void issue_note_source(const struct ooo_core *c, struct rob_entry *x,
			      int64_t at, bool access)
{
	int64_t load = c->m->ops[x->op].load_to_use;

	if (at > x->ready)
		x->ready = ooo_time(at);
	if (access && at - load > x->access_ready)
		x->access_ready = ooo_time(at - load);
}

void ooo_enqueue(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim *m = c->m;
	const struct dependency *w =
		&m->dependencies[m->ops[x->op].first_dependency];
	const struct dependency *end =
		&m->dependencies[m->ops[x->op + 1].first_dependency];

	x->access_ready = ooo_time(c->now + 1);
	x->earliest = ooo_time(c->now + 1 + m->ops[x->op].load_to_use);
	x->ready = x->earliest;
	for (; w < end; w++) {
		int64_t at;

		if (w->distance > x->iteration)
			continue;
		if (!issue_is_known(c, x, w)) {
			x->n_unknown++;
			x->n_unknown_access += w->access;
			continue;
		}
		at = sim_row(m, x->iteration - w->distance)[w->result] +
		     w->cycles;
		issue_note_source(c, x, at, w->access);
	}
	if (x->later != 0 && x->n_unknown_access == 0)
		issue_timed(c, x);
	else if (x->later == 0 && x->n_unknown == 0)
		issue_timed(c, x);
	/* No younger instruction is in flight yet, so there is no consumer to
	 * notify. */
	if (c->ops[x->op].has_early) {
		find_early(c, x);
		ooo_more(c, x)->unnotified = 0;
		c->unnotified = OOO_NONE;
	}
}

/* The time of one more source is known. */
static void issue_source_known(struct ooo_core *c, struct rob_entry *x,
			       int64_t at, bool access)
{
	issue_note_source(c, x, at, access);
	x->n_unknown--;
	x->n_unknown_access -= access;
	if (c->ops[x->op].has_early)
		find_early(c, x);
	if (x->later != 0) {
		if (access && x->n_unknown_access == 0)
			issue_timed(c, x);
	} else if (x->n_unknown == 0) {
		issue_timed(c, x);
	}
}

/* Notify the consumers in flight of these results. */
static void issue_notify(struct ooo_core *c, const struct rob_entry *x,
			 uint32_t results)
{
	const struct sim_op *s = &c->ops[x->op];
	const int64_t *ready = sim_row(c->m, x->iteration);
	uint64_t place = (uint64_t)(x - c->ring);
	uint64_t n_younger = (c->tail - 1 - place) & c->mask;

	for (uint32_t i = 0; i < s->n_wakes; i++) {
		const struct wake *w = &s->wakes[i];

		if (w->ahead <= n_younger && (results >> w->slot & 1))
			issue_source_known(
				c, &c->ring[(place + w->ahead) & c->mask],
				ready[w->result] + w->cycles, w->access);
	}
}

/* The instruction has started. Notify the consumers of all its results, then
 * those of early results that became known. */
static void issue_finished(struct ooo_core *c, struct rob_entry *x)
{
	issue_notify(c, x, ~x->known);
	while (c->unnotified != OOO_NONE) {
		struct rob_entry *y = &c->ring[c->unnotified];
		struct rob_more *more = ooo_more(c, y);
		uint32_t results = more->unnotified;

		c->unnotified = more->next_unnotified;
		more->unnotified = 0;
		issue_notify(c, y, results);
	}
}

/* ---- ports ------------------------------------------------------------- */

/* Is a port that is in use until `free_at` free within cycle `now`? */
static bool is_free(double free_at, double now)
{
	return free_at < now + 1 - 1e-9;
}

static void find_busy(struct ooo_core *c)
{
	for (model_ports left = c->busy_longer; left != 0; left &= left - 1) {
		int p = __builtin_ctzll(left);

		if (is_free(c->free_at[p], (double)c->now))
			c->busy_longer &= ~((model_ports)1 << p);
	}
	c->busy = c->busy_longer;
}

/* The least used of these ports. */
static int least_used(const struct ooo_core *c, model_ports ports)
{
	int best = __builtin_ctzll(ports);

	for (ports &= ports - 1; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		if (c->used[p] < c->used[best])
			best = p;
	}
	return best;
}

static void take_port(struct ooo_core *c, struct rob_entry *x, int p,
		      double cycles)
{
	model_ports bit = (model_ports)1 << p;
	double now = (double)c->now;
	double free_at = (c->free_at[p] > now ? c->free_at[p] : now) + cycles;

	c->free_at[p] = free_at;
	c->used[p] += cycles;
	c->bound[p] -= c->m->binds_ports ? OOO_BOUND : 0;
	if (c->m->record)
		ooo_more(c, x)->taken |= bit;
	if (is_free(free_at, now))
		return;
	c->busy |= bit;
	if (!is_free(free_at, now + 1))
		c->busy_longer |= bit;
}

/* Start the uops that find a free port. Returns whether all have started. */
static bool start_uops(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim_uop *uops = c->ops[x->op].uops;
	bool one = (x->left & (x->left - 1)) == 0;
	model_ports wants = 0;

	for (uint64_t left = x->left; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);
		model_ports ports = one ? x->wants : ooo_ports_of(c, x, i);
		model_ports free = ports & ~c->busy;

		if (free != 0) {
			take_port(c, x, least_used(c, free), uops[i].cycles);
			x->left &= ~(left & -left);
			c->n_waiting_uops--;
		} else {
			wants |= ports;
		}
	}
	issue_unwant(c, (uint64_t)(x - c->ring), x->wants & ~wants, wants);
	x->wants = wants;
	return x->left == 0;
}

/* Bitmap of the 64 places of a word: ready entries that can use a free port. */
static uint64_t issue_startable(const struct ooo_core *c,
				const uint64_t *columns)
{
	uint64_t found = columns[READY_IDLE];

	for (model_ports left = c->ready_set.wanted & ~c->busy; left != 0;
	     left &= left - 1)
		found |= columns[READY_PORTS + __builtin_ctzll(left)];
	return found;
}

/* The entries of `found` that can still use a free port, after these ports were
 * taken. Of those that want several ports some may not. */
static uint64_t issue_still(const uint64_t *columns, uint64_t found,
			    model_ports taken)
{
	for (; taken != 0; taken &= taken - 1)
		found &= columns[READY_SEVERAL] |
			 ~columns[READY_PORTS + __builtin_ctzll(taken)];
	return found;
}

/* The access has started: queue the uops that compute with its data. */
static void begin_later(struct ooo_core *c, struct rob_entry *x)
{
	int32_t loaded = ooo_time(c->now + c->m->ops[x->op].load_to_use);

	if (c->now > x->access_ready)
		x->earliest = loaded;
	if (loaded > x->ready)
		x->ready = loaded;
	x->left = x->later;
	x->later = 0;
	ooo_find_wants(c, x);
	if (x->n_unknown == 0)
		issue_timed(c, x);
}

/* The last uop starts now.  When did the entry start, for the results? */
static int64_t started_at(const struct ooo_core *c, const struct rob_entry *x)
{
	int64_t first = c->now - c->ops[x->op].inside;

	return first > x->ready ? first : x->ready;
}

/* Returns whether the entry has finished. */
static bool issue_start(struct ooo_core *c, uint64_t place)
{
	struct rob_entry *x = &c->ring[place];
	bool idle = x->left == 0;
	int64_t start;

	if (!start_uops(c, x))
		return false;
	if (idle) {
		issue_columns(c, place / 64)[READY_IDLE] &=
			~((uint64_t)1 << place % 64);
		c->ready_set.n_idle--;
	}
	if (x->later != 0) {
		begin_later(c, x);
		return false;
	}
	c->n_queued -= c->ops[x->op].queued;
	c->leaves[(c->now + c->m->release) % OOO_LEAVES] +=
		c->ops[x->op].general;
	if (c->m->record)
		ooo_more(c, x)->started = ooo_time(c->now);
	start = started_at(c, x);
	x->done = ooo_time(sim_results(c->m, x->op, x->iteration, start,
				       start > x->ready ? start : x->earliest));
	if (x->done <= c->now && c->ops[x->op].least_cycles > 0)
		x->done = ooo_time(c->now + 1);
	x->finished = true;
	issue_finished(c, x);
	return true;
}

/* Start ready entries of one word, of the places in `range`, in their order.
 * Returns whether any finished. */
static bool issue_start_word(struct ooo_core *c, uint64_t word, uint64_t range)
{
	const uint64_t *columns = issue_columns(c, word);
	uint64_t found = issue_startable(c, columns) & range;
	bool any = false;

	while (found != 0) {
		uint64_t place = word * 64 + (uint64_t)__builtin_ctzll(found);
		model_ports busy = c->busy;

		range &= ~(found ^ (found - 1));
		c->ready_set.grown = false;
		any |= issue_start(c, place);
		if (c->ready_set.grown || c->busy == busy)
			found = issue_startable(c, columns) & range;
		else
			found = issue_still(columns, found & (found - 1),
					    c->busy & ~busy);
	}
	return any;
}

bool ooo_issue(struct ooo_core *c)
{
	/* From the oldest entry on. Woken consumers are younger than their
	 * producer, and no port becomes free within a cycle. */
	uint64_t at = c->head;
	bool any = false;

	find_busy(c);
	issue_empty_bucket(c);
	while (at < c->tail && (c->ready_set.n_idle > 0 ||
				(c->ready_set.wanted & ~c->busy) != 0)) {
		uint64_t left = c->tail - at, first = at % 64;
		uint64_t range = ~(uint64_t)0 << first;

		if (left < 64 - first)
			range &= ((uint64_t)1 << (first + left)) - 1;
		any |= issue_start_word(c, (at & c->mask) / 64, range);
		at += 64 - first;
	}
	return any;
}

int64_t ooo_next_start(const struct ooo_core *c)
{
	int64_t next = INT64_MAX;
	unsigned k = (unsigned)(c->now + 1) % OOO_BUCKETS;
	uint64_t rotated = c->in_buckets >> k;

	if (k > 0)
		rotated |= c->in_buckets << (OOO_BUCKETS - k);
	if (rotated != 0)
		next = c->now + 1 + __builtin_ctzll(rotated);
	/* May be one cycle too early, which costs time but is correct. */
	for (model_ports left = c->ready_set.wanted; left != 0;
	     left &= left - 1) {
		double at = c->free_at[__builtin_ctzll(left)] - 1;
		int64_t cycle =
			at < OOO_MAX_CYCLES ? (int64_t)at : OOO_MAX_CYCLES;

		next = cycle < next ? cycle : next;
	}
	return next > c->now ? next : c->now + 1;
}

void ooo_open_issue(struct ooo_core *c)
{
	struct ready_set *w = &c->ready_set;

	c->unnotified = OOO_NONE;
	while ((size_t)1 << w->shift < READY_PORTS + c->m->b->model->n_ports)
		w->shift++;
	w->words =
		ARENA_ARRAY(c->m->a, uint64_t, (c->mask + 64) / 64 << w->shift);
	for (size_t i = 0; i < OOO_BUCKETS; i++)
		c->buckets[i] = OOO_NONE;
}
