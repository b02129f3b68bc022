/* One session for each core that measures: they share the list of kernels,
 * and what comes in goes through one store.
 *
 * A core is asked for what no other has been asked for, so two that differ in
 * speed, or in how often they are disturbed, end together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "host/link/live.h"

/* A thread, its session and how it ended. */
struct member {
	pthread_t thread;
	bool has_thread;
	struct live live;
	struct err err;
	int ret;
};

/* A resumed run goes on with the clock it has samples of. */
static int remember_clock(struct crew *c, struct err *e)
{
	struct run run;
	int ret = store_run_get(c->q->store, &c->arena, c->q->run, &run, e);

	if (ret == ERR_OK && plan_has_samples(&c->work))
		(void)snprintf(c->joint.clock_before,
			       sizeof(c->joint.clock_before), "%s", run.clock);
	return ret;
}

static const struct intake_kernel *list_kernels(struct crew *c)
{
	const void *pack = c->q->pack;
	uint32_t n = pack_header(pack)->n_kernels;
	struct intake_kernel *list =
		ARENA_ARRAY(&c->arena, struct intake_kernel, n);

	for (uint32_t k = 0; k < n; k++) {
		const struct pack_kernel *kernel = &pack_kernels(pack)[k];

		list[k].accept = c->work.kernels[k].wanted;
		list[k].id = kernel->id;
		list[k].label = pack_label(pack, kernel);
		memcpy(list[k].unroll, kernel->unroll, sizeof(kernel->unroll));
	}
	return list;
}

static int gather(struct crew *c, const struct session *q, struct err *e)
{
	const struct board *board = q->request->board;
	const char *transport = q->request->tty ? "serial" : board->transport;

	*c = (struct crew){ .q = q };
	(void)pthread_mutex_init(&c->lock, NULL);
	c->transport = transport_find(transport);
	if (!c->transport)
		return err_set(e, ERR_INPUT, "%s: a known transport, not '%s'",
			       board->path, transport);
	if (plan_init(&c->work, &c->arena, q, e) != ERR_OK)
		return e->code;
	c->kernels = list_kernels(c);
	return remember_clock(c, e);
}

static void disband(struct crew *c)
{
	(void)pthread_mutex_destroy(&c->lock);
	arena_free(&c->arena);
}

static void join(struct crew *c, struct member *m, size_t i)
{
	const struct session *q = c->q;
	const struct pack_header *h = pack_header(q->pack);
	const struct isa *isa = isa_by_pack(h->isa);
	struct live *s = &m->live;

	s->crew = c;
	s->q = q;
	s->transport = c->transport;
	s->request = *q->request;
	s->request.cpu = q->n_cores ? (int)q->cores[i] : LINK_ANY_CPU;
	plan_join(&s->plan, &c->work);
	s->in = (struct intake){
		.store = q->store,
		.joint = &c->joint,
		.run = q->run,
		.core = (uint32_t)i,
		.first_kernel = q->first_kernel,
		.isa = isa ? isa->name : "",
		.pack_id = h->id,
		.n_kernels = h->n_kernels,
		.kernels = c->kernels,
		.any_pack = q->load,
		.code = ERR_FAILED,
	};
}

static void *work(void *context)
{
	struct member *m = context;
	struct crew *c = m->live.crew;

	(void)pthread_mutex_lock(&c->lock);
	m->ret = live_run(&m->live, &m->err);
	c->is_over = c->is_over || m->ret != ERR_OK;
	(void)pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* The calling thread is the first; one that cannot have a thread leaves its
 * share to the others. */
static void work_together(struct member *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		list[i].has_thread = pthread_create(&list[i].thread, NULL, work,
						    &list[i]) == 0;
	(void)work(&list[0]);
	for (size_t i = 1; i < n; i++)
		if (list[i].has_thread)
			(void)pthread_join(list[i].thread, NULL);
}

/* The first that failed by itself says why; the others were only stopped. */
static int reason(const struct member *list, size_t n, struct err *e)
{
	const struct member *worst = NULL;

	for (size_t i = 0; i < n; i++)
		if (list[i].ret != ERR_OK &&
		    (!worst || worst->ret == ERR_INTERRUPTED))
			worst = &list[i];
	if (worst)
		*e = worst->err;
	return worst ? worst->ret : ERR_OK;
}

/* What the line did to records belongs to the evidence of a run. */
static int store_losses(const struct crew *c, const struct member *list,
			size_t n, struct err *e)
{
	struct intake_counts sum = { .n_samples = 0 };

	for (size_t i = 0; i < n; i++) {
		sum.n_damaged += list[i].live.in.counts.n_damaged;
		sum.n_refused += list[i].live.in.counts.n_refused;
		sum.n_missing += list[i].live.in.counts.n_missing;
	}

	const struct {
		const char *key;
		size_t n;
	} facts[] = {
		{ "wire_damaged", sum.n_damaged },
		{ "wire_refused", sum.n_refused },
		{ "wire_missing", sum.n_missing },
	};

	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		char value[32];

		if (facts[i].n == 0)
			continue;
		(void)snprintf(value, sizeof(value), "%zu", facts[i].n);
		if (store_env(c->q->store, c->q->run, facts[i].key, value, e) !=
		    ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

static int run_crew(struct crew *c, struct err *e)
{
	size_t n = c->q->n_cores ? c->q->n_cores : 1;
	/* Some buffers of a page or more: not for the stack. */
	struct member *list = xrealloc(NULL, n, sizeof(*list));
	int ret, kept;

	memset(list, 0, n * sizeof(*list));
	for (size_t i = 0; i < n; i++)
		join(c, &list[i], i);
	work_together(list, n);
	ret = reason(list, n, e);

	/* Whatever ended the session, what came before it is kept; the first
	 * error stays in *e. */
	kept = intake_commit(&list[0].live.in, true, e);
	if (kept == ERR_OK)
		kept = store_losses(c, list, n, e);
	for (size_t i = 0; i < n; i++)
		arena_free(&list[i].live.arena);
	free(list);
	return ret != ERR_OK ? ret : kept;
}

int session_run(const struct session *q, struct err *e)
{
	struct crew c;
	int ret = gather(&c, q, e);

	if (ret == ERR_OK)
		ret = run_crew(&c, e);
	disband(&c);
	return ret;
}
