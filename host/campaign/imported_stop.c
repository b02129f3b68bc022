/* Where a log stopped, and how its board goes on.  A runtime reports a kernel
 * when it is done, so that a board that stops was running the kernel behind the
 * last record.  One stop may be the end of the recording, or a plug that was
 * pulled; a kernel at which the board stopped twice is the cause. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/list.h"
#include "host/campaign/imported.h"
#include "host/store/store_run.h"

/* Of a run's environment: the place and the label at which its last log
 * stopped, "4190 throughput:ADD". */
#define STOPPED_AT "stopped_at"

enum { MOST_SKIPPED = 16 }; /* OPTIONS_MAX_SKIP of target/core/options.h */

/* ---- places -------------------------------------------------------------- */

/* Does the pack only calibrate with kernel k? Where the pack is not known,
 * every plan begins with the kernels that the pack record counts. */
static bool is_calibration(const struct imported *m, uint32_t k)
{
	if (m->is_whole)
		return pack_kernels(m->campaign.pack.bytes)[k].flags &
		       PACK_KERNEL_CALIB;
	return k < m->log.n_pack - m->log.n_measured;
}

/* The kernel that a boot ran when it ended: its place counted over the
 * visits. */
static uint64_t place_of(const struct imported *m,
			 const struct link_log_boot *b)
{
	uint64_t n = m->log.n_pack;
	uint64_t first = b->visit * n + b->k + b->has_result;

	for (uint64_t at = first; at < first + n; at++)
		if (!is_calibration(m, (uint32_t)(at % n)))
			return at;
	return first;
}

static int copy_label(void *context, const struct kernel_result *r,
		      struct err *e)
{
	struct imported *m = context;

	(void)e;
	m->stop.next_label = arena_strdup(&m->arena, r->kernel.label);
	return 0;
}

/* Set the label of kernel k of the run, at which it stopped; "" if the run does
 * not have it. */
static int find_label(struct imported *m, struct store *s, uint32_t k,
		      struct err *e)
{
	const struct store_part part = { .first = k,
					 .end = k + 1,
					 .labels_only = true };

	m->stop.next_label = "";
	return store_kernels_of(s, m->run, &part, copy_label, m, e);
}

/* ---- stops --------------------------------------------------------------- */

struct old_stop {
	const char *label; /* NULL: the run did not stop */
	uint64_t place;
};

/* Where the last log of a run stopped; texts are in `a`. */
static int read_stop(struct store *s, struct arena *a, int64_t run,
		     struct old_stop *ret, struct err *e)
{
	const char *value;
	char *end;

	*ret = (struct old_stop){ .label = NULL };
	if (store_env_get(s, a, run, STOPPED_AT, &value, e) != ERR_OK || !value)
		return e->code;
	ret->place = strtoull(value, &end, 10);
	if (end != value && *end == ' ')
		ret->label = end + 1;
	return ERR_OK;
}

/* How often the boots of the log stopped at this kernel. */
static size_t count_stops(const struct imported *m, uint32_t k)
{
	size_t n = 0;

	for (size_t i = 0; i < m->log.n_boots; i++) {
		const struct link_log_boot *b = &m->log.boots[i];

		n += b->is_ready && !b->is_finished &&
		     place_of(m, b) % m->log.n_pack == k;
	}
	return n;
}

/* The last boot that got as far as running a kernel. */
static const struct link_log_boot *last_boot(const struct imported *m)
{
	const struct link_log_boot *last = NULL;

	for (size_t i = 0; i < m->log.n_boots; i++)
		if (m->log.boots[i].is_ready || m->log.boots[i].has_result)
			last = &m->log.boots[i];
	return last;
}

static int count_done(struct imported *m, struct store *s, uint32_t first,
		      struct err *e)
{
	struct imported_stop *stop = &m->stop;
	uint32_t n = m->log.n_pack;
	uint32_t *visits = ARENA_ARRAY(&m->arena, uint32_t, n);

	if (store_progress(s, m->run, first, n, visits, e) != ERR_OK)
		return e->code;
	for (uint32_t k = 0; k < n; k++)
		stop->n_done += visits[k] > stop->visit;
	return ERR_OK;
}

/* The second stop at a kernel without a result: store the fault. */
static int judge_stop(struct imported *m, struct store *s, uint32_t k,
		      size_t n_stops, struct err *e)
{
	enum { HAS_FAULT = UINT32_MAX };
	const struct fault_row lost = { .kernel = k, .cause = "lost" };
	uint32_t visits = 0;

	if (!*m->stop.next_label ||
	    store_progress(s, m->run, k, 1, &visits, e) != ERR_OK)
		return e->code;
	m->stop.is_lost = visits == HAS_FAULT;
	if (n_stops < 2 || visits > 0)
		return ERR_OK;
	m->stop.is_lost = true;
	m->n_lost++;
	return store_fault(s, m->run, &lost, e);
}

int imported_find_stop(struct imported *m, struct store *s, uint32_t first,
		       struct err *e)
{
	struct imported_stop *stop = &m->stop;
	const struct link_log_boot *b = last_boot(m);
	struct old_stop old;
	size_t n;

	if (m->log.is_complete || !b)
		return ERR_OK;
	stop->from = place_of(m, b);
	/* Behind the last kernel of the last visit nothing is missing but the
	 * end. */
	m->log.is_complete = stop->from / m->log.n_pack >= m->log.n_visits;
	if (m->log.is_complete)
		return ERR_OK;
	stop->is_stopped = true;
	stop->next = (uint32_t)(stop->from % m->log.n_pack);
	stop->visit = (uint32_t)(stop->from / m->log.n_pack);
	stop->last = b->label;
	if (find_label(m, s, first + stop->next, e) != ERR_OK ||
	    read_stop(s, &m->arena, m->run, &old, e) != ERR_OK)
		return e->code;
	n = count_stops(m, stop->next);
	/* The same recording, imported once more when it was longer, is no
	 * other stop. */
	if (old.label && m->log.n_known == 0 && *stop->next_label &&
	    strcmp(old.label, stop->next_label) == 0)
		n++;
	if (judge_stop(m, s, first + stop->next, n, e) != ERR_OK ||
	    store_env(s, m->run, STOPPED_AT,
		      arena_printf(&m->arena, "%" PRIu64 " %s", stop->from,
				   stop->next_label),
		      e) != ERR_OK)
		return e->code;
	return count_done(m, s, first, e);
}

/* ---- going on ------------------------------------------------------------ */

bool imported_is_one_of_many(const char *key)
{
	return list_has("cores first_core option_core", ' ', key);
}

/* The core of a run, if it was one among several: the words of its number. */
struct one_core {
	char number[24];
	bool is_one;
};

static int take_core(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct one_core *o = context;

	(void)e;
	if (strcmp(key, LINK_CORE_KEY) == 0)
		(void)snprintf(o->number, sizeof(o->number), "%s", value);
	o->is_one |= imported_is_one_of_many(key);
	return 0;
}

struct skipped {
	uint32_t n;
	uint32_t list[MOST_SKIPPED + 1];
};

static void add_skipped(struct skipped *w, uint32_t k)
{
	for (uint32_t i = 0; i < w->n; i++)
		if (w->list[i] == k)
			return;
	if (w->n < ARRAY_LEN(w->list))
		w->list[w->n++] = k;
}

static int note_lost(void *context, const struct kernel_result *r,
		     struct err *e)
{
	(void)e;
	if (r->fault && strcmp(r->fault->cause, "lost") == 0)
		add_skipped(context, r->index);
	return 0;
}

/* The first place without a result, where the run has not stopped in a log. */
static int first_open(struct store *s, struct arena *a, int64_t run,
		      const void *pack, uint64_t *ret, struct err *e)
{
	const struct pack_kernel *kernels = pack_kernels(pack);
	uint32_t n = pack_header(pack)->n_kernels;
	uint32_t *visits = ARENA_ARRAY(a, uint32_t, n);
	uint64_t least = UINT64_MAX;

	if (store_progress(s, run, 0, n, visits, e) != ERR_OK)
		return e->code;
	for (uint32_t k = 0; k < n; k++) {
		uint64_t place = (uint64_t)visits[k] * n + k;

		if (!(kernels[k].flags & PACK_KERNEL_CALIB) &&
		    visits[k] != UINT32_MAX && place < least)
			least = place;
	}
	if (least == UINT64_MAX)
		return err_set(e, ERR_INPUT,
			       "--resume: every kernel of run %" PRId64
			       " has a result",
			       run);
	*ret = least;
	return ERR_OK;
}

int imported_find_rest(struct store *s, struct arena *a, int64_t run,
		       const void *pack, struct imported_rest *ret,
		       struct err *e)
{
	const struct store_part all = { .labels_only = true };
	struct old_stop old;
	struct skipped w = { .n = 0 };
	struct one_core core = { .is_one = false };
	const char *text;

	if (read_stop(s, a, run, &old, e) != ERR_OK ||
	    store_envs(s, run, take_core, &core, e) != ERR_OK ||
	    (!old.label &&
	     first_open(s, a, run, pack, &old.place, e) != ERR_OK) ||
	    store_kernels_of(s, run, &all, note_lost, &w, e) != ERR_OK)
		return e->code;
	if (w.n > MOST_SKIPPED)
		return err_set(e, ERR_INPUT,
			       "--resume: more than %d kernels of run %" PRId64
			       " stop the board; leave their forms out with "
			       "--forms",
			       MOST_SKIPPED, run);
	text = arena_printf(a, "%s%s%sfrom=%" PRIu64,
			    core.is_one ? "core=" : "",
			    core.is_one ? core.number : "",
			    core.is_one ? " " : "", old.place);
	for (uint32_t i = 0; i < w.n; i++)
		text = arena_printf(a, "%s%s%" PRIu32, text,
				    i ? "," : " skip=", w.list[i]);
	*ret = (struct imported_rest){ .options = text, .from = old.place };
	return ERR_OK;
}
