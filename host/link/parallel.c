/* Parallel session: one session for each measuring core.  The sessions share
 * the list of kernels and one store.
 *
 * Each session requests kernels that no other has requested.  Cores of
 * different speed, or with different disturbance, therefore finish at the same
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "host/isa/isa.h"
#include "host/link/deaths.h"
#include "host/link/live.h"

/* A session, its thread and its result. */
struct parallel_member {
	pthread_t thread;
	bool has_thread;
	struct live live;
	struct err err;
	int ret;
};

/* A resumed run must use the clock of its stored samples. */
static int remember_clock(struct parallel_session *c, struct err *e)
{
	struct run run;
	int ret = store_run_get(c->q->store, &c->arena, c->q->run, &run, e);

	if (ret == ERR_OK && plan_has_samples(&c->work))
		(void)snprintf(c->joint.clock_before,
			       sizeof(c->joint.clock_before), "%s", run.clock);
	return ret;
}

static const struct intake_kernel *list_kernels(struct parallel_session *c)
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

static int parallel_init(struct parallel_session *c, const struct session *q,
			 struct err *e)
{
	*c = (struct parallel_session){ .q = q };
	(void)pthread_mutex_init(&c->lock, NULL);
	if (transport_of(q->request->board, q->request->tty, &c->transport,
			 e) != ERR_OK)
		return e->code;
	if (plan_init(&c->work, &c->arena, q, e) != ERR_OK ||
	    deaths_read(&c->work, q, e) != ERR_OK)
		return e->code;
	c->kernels = list_kernels(c);
	return remember_clock(c, e);
}

static void parallel_free(struct parallel_session *c)
{
	(void)pthread_mutex_destroy(&c->lock);
	arena_free(&c->arena);
}

static void init_member(struct parallel_session *c, struct parallel_member *m,
			size_t i)
{
	const struct session *q = c->q;
	const struct pack_header *h = pack_header(q->pack);
	const struct isa *isa = isa_by_pack(h->isa);
	struct live *s = &m->live;

	s->parallel = c;
	s->q = q;
	s->transport = c->transport;
	s->request = *q->request;
	s->request.cpu = q->n_cores ? (int)q->cores[i] : LINK_ANY_CPU;
	plan_join(&s->plan, &c->work);
	dialogue_open(&s->dialogue, q->request->board);
	s->in.store = q->store;
	s->in.joint = &c->joint;
	s->in.run = q->run;
	s->in.core = (uint32_t)i;
	s->in.first_kernel = q->first_kernel;
	s->in.isa = isa ? isa->name : "";
	s->in.pack_id = h->id;
	s->in.n_kernels = h->n_kernels;
	s->in.kernels = c->kernels;
	s->in.any_pack = q->load;
	s->in.code = ERR_FAILED;
}

static void *member_run(void *context)
{
	struct parallel_member *m = context;
	struct parallel_session *c = m->live.parallel;

	(void)pthread_mutex_lock(&c->lock);
	m->ret = live_run(&m->live, &m->err);
	c->is_over = c->is_over || m->ret != ERR_OK;
	(void)pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* The calling thread runs the first session.  If a thread cannot be created,
 * the other sessions do its share. */
static void run_members(struct parallel_member *list, size_t n)
{
	for (size_t i = 1; i < n; i++)
		list[i].has_thread = pthread_create(&list[i].thread, NULL,
						    member_run, &list[i]) == 0;
	(void)member_run(&list[0]);
	for (size_t i = 1; i < n; i++)
		if (list[i].has_thread)
			(void)pthread_join(list[i].thread, NULL);
}

/* Report the first session that failed itself; the others were only stopped. */
static int first_failure(const struct parallel_member *list, size_t n,
			 struct err *e)
{
	const struct parallel_member *worst = NULL;

	for (size_t i = 0; i < n; i++)
		if (list[i].ret != ERR_OK &&
		    (!worst || worst->ret == ERR_INTERRUPTED))
			worst = &list[i];
	if (worst)
		*e = worst->err;
	return worst ? worst->ret : ERR_OK;
}

/* Store the number of damaged, refused and missing records with the run. */
static int store_losses(const struct parallel_session *c,
			const struct parallel_member *list, size_t n,
			struct err *e)
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

static int parallel_run(struct parallel_session *c, struct err *e)
{
	size_t n = c->q->n_cores ? c->q->n_cores : 1;
	/* Too large for the stack. */
	struct parallel_member *list = xrealloc(NULL, n, sizeof(*list));
	int ret, kept;

	memset(list, 0, n * sizeof(*list));
	for (size_t i = 0; i < n; i++)
		init_member(c, &list[i], i);
	run_members(list, n);
	ret = first_failure(list, n, e);

	/* Commit what was received, even after an error; *e keeps the first
	 * error. */
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
	struct parallel_session c;
	int ret = parallel_init(&c, q, e);

	if (ret == ERR_OK)
		ret = parallel_run(&c, e);
	parallel_free(&c);
	return ret;
}
