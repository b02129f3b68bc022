/* Event-driven issue. Producers wake their consumers; entries that become ready
 * later sit in a timing wheel; ready entries are in one bitmap per port. */
#include <math.h>
#include <string.h>

#include "host/predict/core.h"

/* ---- ready instructions ------------------------------------------------ */

static uint64_t *issue_word_of(const struct ooo_core *c, uint64_t place)
{
	return c->ready_set.words + place / 64 * c->ready_set.n_columns;
}

static void issue_want(struct ooo_core *c, uint64_t place, model_ports ports)
{
	struct ready_set *w = &c->ready_set;
	uint64_t *columns = issue_word_of(c, place) + 1;

	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		columns[p] |= (uint64_t)1 << place % 64;
		if (w->n_wanting[p]++ == 0)
			w->wanted |= (model_ports)1 << p;
	}
}

static void issue_unwant(struct ooo_core *c, uint64_t place, model_ports ports)
{
	struct ready_set *w = &c->ready_set;
	uint64_t *columns = issue_word_of(c, place) + 1;

	for (; ports != 0; ports &= ports - 1) {
		int p = __builtin_ctzll(ports);

		columns[p] &= ~((uint64_t)1 << place % 64);
		if (--w->n_wanting[p] == 0)
			w->wanted &= ~((model_ports)1 << p);
	}
}

/* All sources of the entry are ready. */
static void issue_add_ready(struct ooo_core *c, const struct rob_entry *x)
{
	uint64_t place = (uint64_t)(x - c->ring);

	issue_want(c, place, x->wants);
	if (x->left == 0) {
		issue_word_of(c, place)[0] |= (uint64_t)1 << place % 64;
		c->ready_set.n_idle++;
	}
}

/* ---- timing wheel ------------------------------------------------------ */

static void issue_add_to_wheel(struct ooo_core *c, struct rob_entry *x)
{
	unsigned k = (unsigned)x->at % CORE_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;

	x->next = c->in_buckets & bit ? c->buckets[k] : CORE_NONE;
	c->buckets[k] = (uint32_t)(x - c->ring);
	c->in_buckets |= bit;
}

/* Empty the bucket of this cycle; entries of later cycles return to it. */
static void issue_empty_bucket(struct ooo_core *c)
{
	unsigned k = (unsigned)c->now % CORE_BUCKETS;
	uint64_t bit = (uint64_t)1 << k;
	uint32_t at = c->buckets[k], next;

	if (!(c->in_buckets & bit))
		return;
	c->in_buckets &= ~bit;
	for (; at != CORE_NONE; at = next) {
		struct rob_entry *x = &c->ring[at];

		next = x->next;
		if (x->at <= c->now)
			issue_add_ready(c, x);
		else
			issue_add_to_wheel(c, x);
	}
}

/* The entry's next uops can start from cycle `at` on. */
static void issue_from(struct ooo_core *c, struct rob_entry *x, int64_t at)
{
	x->at = at;
	if (at <= c->now)
		issue_add_ready(c, x);
	else
		issue_add_to_wheel(c, x);
}

/* Union of the ports of the uops in `left`. */
static void find_wants(const struct ooo_core *c, struct rob_entry *x)
{
	const model_ports *ports = core_ports_of(c, x);

	x->wants = 0;
	for (uint64_t left = x->left; left != 0; left &= left - 1)
		x->wants |= ports[__builtin_ctzll(left)];
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
	struct sim_machine *m = c->m;
	const uint32_t *first = &m->g->first_result[x->op];

	for (uint32_t r = first[0]; r < first[1]; r++) {
		uint32_t bit = (uint32_t)1 << (r - first[0]);
		uint32_t l = m->first_extra[r];

		if (!m->early_result[r] || (x->known & bit))
			continue;
		while (l < m->first_extra[r + 1] &&
		       issue_is_known(c, x, &m->extra_dependencies[l]))
			l++;
		if (l < m->first_extra[r + 1])
			continue;
		machine_early_result(m, r, x->iteration, x->dispatched + 1);
		x->known |= bit;
		if (x->unnotified == 0) {
			x->next_unnotified = c->unnotified;
			c->unnotified = (uint32_t)(x - c->ring);
		}
		x->unnotified |= bit;
	}
}

/* A source is there in cycle `at`.  For a source of the access that is the cycle in
 * which what it loads is there. */
static void issue_note_source(const struct ooo_core *c, struct rob_entry *x,
			      int64_t at, bool access)
{
	int64_t load = c->m->load_to_use[x->op];

	if (at > x->ready)
		x->ready = at;
	if (access && at - load > x->access_ready)
		x->access_ready = at - load;
}

void core_enqueue(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim_machine *m = c->m;
	const struct dependency *w =
		&m->dependencies[m->first_dependency[x->op]];
	const struct dependency *end =
		&m->dependencies[m->first_dependency[x->op + 1]];

	find_wants(c, x);
	x->access_ready = c->now + 1;
	x->earliest = x->access_ready + m->load_to_use[x->op];
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
		at = machine_row(m, x->iteration - w->distance)[w->result] +
		     w->cycles;
		issue_note_source(c, x, at, w->access);
	}
	if (x->later != 0 && x->n_unknown_access == 0)
		issue_from(c, x, x->access_ready);
	else if (x->later == 0 && x->n_unknown == 0)
		issue_from(c, x, x->ready);
	/* No younger instruction is in flight yet, so there is no consumer to
	 * notify. */
	if (c->steps[x->op].early_result) {
		find_early(c, x);
		x->unnotified = 0;
		c->unnotified = CORE_NONE;
	}
}

/* The time of one more source is known. */
static void issue_source_known(struct ooo_core *c, struct rob_entry *x,
			       int64_t at, bool access)
{
	issue_note_source(c, x, at, access);
	x->n_unknown--;
	x->n_unknown_access -= access;
	if (c->steps[x->op].early_result)
		find_early(c, x);
	if (x->later != 0) {
		if (access && x->n_unknown_access == 0)
			issue_from(c, x, x->access_ready);
	} else if (x->n_unknown == 0) {
		issue_from(c, x, x->ready);
	}
}

/* Notify the consumers in flight of these results. */
static void issue_notify(struct ooo_core *c, const struct rob_entry *x,
			 uint32_t results)
{
	const struct sim_step *s = &c->steps[x->op];
	const int64_t *ready = machine_row(c->m, x->iteration);
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
	while (c->unnotified != CORE_NONE) {
		struct rob_entry *y = &c->ring[c->unnotified];
		uint32_t results = y->unnotified;

		c->unnotified = y->next_unnotified;
		y->unnotified = 0;
		issue_notify(c, y, results);
	}
}

/* ---- ports ------------------------------------------------------------- */

static void find_busy(struct ooo_core *c)
{
	for (model_ports left = c->busy; left != 0; left &= left - 1) {
		int p = __builtin_ctzll(left);

		if (c->free_at[p] < (double)c->now + 1 - 1e-9)
			c->busy &= ~((model_ports)1 << p);
	}
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
	double now = (double)c->now;

	c->free_at[p] = (c->free_at[p] > now ? c->free_at[p] : now) + cycles;
	c->used[p] += cycles;
	c->n_bound[p] -= c->m->binds_ports;
	x->taken |= (model_ports)1 << p;
	if (!(c->free_at[p] < now + 1 - 1e-9))
		c->busy |= (model_ports)1 << p;
}

/* Start the uops that find a free port. Returns whether all have started. */
static bool start_uops(struct ooo_core *c, struct rob_entry *x)
{
	const struct sim_uop *uops = c->steps[x->op].uops;
	const model_ports *ports = core_ports_of(c, x);
	model_ports wants = 0;

	for (uint64_t left = x->left; left != 0; left &= left - 1) {
		int i = __builtin_ctzll(left);
		model_ports free = ports[i] & ~c->busy;

		if (free != 0) {
			take_port(c, x, least_used(c, free), uops[i].cycles);
			x->left &= ~(left & -left);
			c->n_waiting_uops--;
		} else {
			wants |= ports[i];
		}
	}
	issue_unwant(c, (uint64_t)(x - c->ring), x->wants & ~wants);
	x->wants = wants;
	return x->left == 0;
}

/* Bitmap of the 64 places of a word: ready entries that can use a free port. */
static uint64_t issue_startable(const struct ooo_core *c, size_t word)
{
	const uint64_t *columns =
		c->ready_set.words + word * c->ready_set.n_columns;
	uint64_t found = columns[0];

	for (model_ports left = c->ready_set.wanted & ~c->busy; left != 0;
	     left &= left - 1)
		found |= columns[1 + __builtin_ctzll(left)];
	return found;
}

/* The access has started: queue the uops that compute with its data. */
static void begin_later(struct ooo_core *c, struct rob_entry *x)
{
	int64_t loaded = c->now + c->m->load_to_use[x->op];

	if (c->now > x->access_ready)
		x->earliest = loaded;
	if (loaded > x->ready)
		x->ready = loaded;
	x->left = x->later;
	x->later = 0;
	find_wants(c, x);
	if (x->n_unknown == 0)
		issue_from(c, x, x->ready);
}

static void issue_start(struct ooo_core *c, uint64_t place)
{
	struct rob_entry *x = &c->ring[place];
	bool idle = x->left == 0;

	if (!start_uops(c, x))
		return;
	if (idle) {
		issue_word_of(c, place)[0] &= ~((uint64_t)1 << place % 64);
		c->ready_set.n_idle--;
	}
	if (x->later != 0) {
		begin_later(c, x);
		return;
	}
	c->n_queued -= c->steps[x->op].queued;
	x->started = c->now;
	x->done = machine_results(c->m, x->op, x->iteration, c->now,
				  c->now > x->ready ? c->now : x->earliest);
	x->finished = true;
	issue_finished(c, x);
}

bool core_issue(struct ooo_core *c)
{
	/* Scan from the oldest entry. Woken consumers are younger than their
	 * producer, and no port becomes free within a cycle. */
	uint64_t seen = 0, n = c->tail - c->head;
	bool any = false;

	find_busy(c);
	issue_empty_bucket(c);
	while (seen < n && (c->ready_set.n_idle > 0 ||
			    (c->ready_set.wanted & ~c->busy) != 0)) {
		uint64_t place = (c->head + seen) & c->mask;
		uint64_t found = issue_startable(c, place / 64) >> place % 64;

		if (found == 0) {
			seen += 64 - place % 64;
			continue;
		}
		seen += (uint64_t)__builtin_ctzll(found);
		if (seen >= n)
			break;
		place = (c->head + seen) & c->mask;
		seen++;
		issue_start(c, place);
		any = any || c->ring[place].finished;
	}
	return any;
}

int64_t core_next_start(const struct ooo_core *c)
{
	int64_t next = INT64_MAX;
	unsigned k = (unsigned)(c->now + 1) % CORE_BUCKETS;
	uint64_t rotated = c->in_buckets >> k;

	if (k > 0)
		rotated |= c->in_buckets << (CORE_BUCKETS - k);
	if (rotated != 0)
		next = c->now + 1 + __builtin_ctzll(rotated);
	/* May be one cycle too early, which costs time but is correct. */
	for (model_ports left = c->ready_set.wanted; left != 0;
	     left &= left - 1) {
		double at = c->free_at[__builtin_ctzll(left)] - 1;
		int64_t cycle =
			at < CORE_MAX_CYCLES ? (int64_t)at : CORE_MAX_CYCLES;

		next = cycle < next ? cycle : next;
	}
	return next > c->now ? next : c->now + 1;
}

void core_open_issue(struct ooo_core *c)
{
	struct ready_set *w = &c->ready_set;

	c->unnotified = CORE_NONE;
	w->n_columns = 1 + c->m->b->model->n_ports;
	w->words = ARENA_ARRAY(c->m->a, uint64_t,
			       (c->mask + 64) / 64 * w->n_columns);
}
