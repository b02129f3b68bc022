/* Events of own code: in a process the kernel counts them while the runtime runs the
 * code again, in its shortest and in its longest length in turn.  What the runtime does
 * around it is the same in both. */
#include "host/campaign/code_events.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "host/base/perf.h"
#include "host/campaign/workspace.h"
#include "host/link/observe.h"

enum {
	READINGS = 16,
	/* Executions of a length while events are counted. */
	ITERATIONS = 256,
	LONGEST = PACK_LENGTHS - 1,
};

/* One event that a board counts while it measures. */
static int check_own(const struct campaign *c, const char *name, struct err *e)
{
	if (c->board->clock == CLOCK_REF)
		return err_set(
			e, ERR_USAGE,
			"--events: board %s has no clock of core cycles, "
			"and no other counters that could be read",
			c->board->name);
	if (strcmp(name, "cycles") != 0 && strcmp(name, "instructions") != 0)
		return err_set(e, ERR_USAGE,
			       "--events: board %s counts cycles and "
			       "instructions, not '%s'",
			       c->board->name, name);
	return ERR_OK;
}

/* Events of this process: are there counters for all at once? */
static int check_kernel(const struct code_event *list, size_t n, struct err *e)
{
	int fds[CODE_MAX_EVENTS];
	uint64_t count = 0;
	size_t n_open = 0;

	while (n_open < n &&
	       perf_open(list[n_open].name, 0, &fds[n_open], e) == ERR_OK)
		n_open++;
	for (size_t i = 0; i < n_open && e->code == ERR_OK; i++)
		(void)perf_count(fds[i], &count, e);
	for (size_t i = 0; i < n_open; i++)
		(void)close(fds[i]);
	return e->code;
}

int code_events_check(const struct campaign *c, const struct code_event *list,
		      size_t n, struct err *e)
{
	assert(n <= CODE_MAX_EVENTS);
	if (campaign_is_here(c))
		return check_kernel(list, n, e);
	for (size_t i = 0; i < n; i++)
		if (check_own(c, list[i].name, e) != ERR_OK)
			return e->code;
	return ERR_OK;
}

/* ---- a process ---------------------------------------------------------------- */

struct counting {
	struct observer observer;
	struct code_event *list;
	size_t n, kernel;
	int fds[CODE_MAX_EVENTS];
	double readings[CODE_MAX_EVENTS][READINGS];
};

static int count_length(struct counting *w, uint64_t length,
			double ret[CODE_MAX_EVENTS], bool *ret_ok,
			struct err *e)
{
	const struct observed_run run = { w->kernel, length, ITERATIONS };
	uint64_t before[CODE_MAX_EVENTS] = { 0 }, behind = 0;

	for (size_t i = 0; i < w->n; i++)
		if (perf_count(w->fds[i], &before[i], e) != ERR_OK)
			return e->code;
	if (observer_run(&w->observer, &run, ret_ok, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < w->n; i++) {
		if (perf_count(w->fds[i], &behind, e) != ERR_OK)
			return e->code;
		ret[i] = (double)(behind - before[i]);
	}
	return ERR_OK;
}

static int count_all(struct counting *w, const struct snippet *s, bool *ret_ok,
		     struct err *e)
{
	double per = (double)ITERATIONS *
		     ((double)s->gen.bodies[LONGEST] - s->gen.bodies[0]);
	double few[CODE_MAX_EVENTS] = { 0 }, many[CODE_MAX_EVENTS] = { 0 };
	bool ok[2] = { true, true };

	/* The first reading is of cold code. */
	for (int k = -1; k < READINGS && ok[0] && ok[1]; k++) {
		if (count_length(w, 0, few, &ok[0], e) != ERR_OK ||
		    count_length(w, LONGEST, many, &ok[1], e) != ERR_OK)
			return e->code;
		for (size_t i = 0; k >= 0 && i < w->n; i++)
			w->readings[i][k] = (many[i] - few[i]) / per;
	}
	*ret_ok = ok[0] && ok[1];
	return ERR_OK;
}

static int count_process(struct counting *w, const struct snippet *s,
			 struct err *e)
{
	const struct stream *stream = &w->observer.stream;
	bool ok = false;
	size_t n_open = 0;

	while (n_open < w->n &&
	       perf_open(w->list[n_open].name, stream->process(stream->state),
			 &w->fds[n_open], e) == ERR_OK)
		n_open++;
	if (e->code == ERR_OK)
		(void)count_all(w, s, &ok, e);
	for (size_t i = 0; i < n_open; i++)
		(void)close(w->fds[i]);
	for (size_t i = 0; ok && i < w->n; i++)
		w->list[i].count = code_count_of(w->readings[i], READINGS);
	return e->code;
}

static int run_again(const struct code_run *q, struct counting *w,
		     struct err *e)
{
	struct campaign *c = q->campaign;
	const struct transport *t = NULL;
	struct workspace space = { .folder = NULL };
	struct link_request request;

	if (transport_of(c->board, NULL, &t, e) != ERR_OK)
		return e->code;
	if (workspace_make(c, &space, e) == ERR_OK &&
	    workspace_fill(c, &space, e) == ERR_OK) {
		request = workspace_request(c, &space);
		request.cpu = LINK_ANY_CPU;
		if (observer_open(&w->observer, &c->arena, t, &request, e) ==
		    ERR_OK)
			(void)count_process(w, q->list, e);
		observer_close(&w->observer);
	}
	workspace_remove(&space);
	return e->code;
}

int code_events_count(const struct code_run *q, const struct code_result *r,
		      struct code_event *list, size_t n, struct err *e)
{
	struct counting *w;

	if (n == 0 || r->claim.verdict == VERDICT_FAULT)
		return ERR_OK;
	if (!campaign_is_here(q->campaign)) {
		for (size_t i = 0; i < n; i++)
			list[i].count = strcmp(list[i].name, "cycles") == 0
						? r->cycles
						: r->retired;
		return ERR_OK;
	}
	w = ARENA_NEW(&q->campaign->arena, struct counting);
	w->list = list;
	w->n = n;
	/* The pack's last one. */
	w->kernel = gen_n_kernels(q->campaign->gen) - 1;
	return run_again(q, w, e);
}
