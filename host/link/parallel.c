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
#include "host/store/store_run.h"

/* A session, its thread and its result. */
struct parallel_member {
	struct link_boards *boards;
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

	if (ret == ERR_OK && plan_has_samples(&c->work)) {
		c->joint.clock_before = run.clock;
		(void)snprintf(c->joint.clock_text, sizeof(c->joint.clock_text),
			       "%s", run_clock(&run));
	}
	return ret;
}

/* A run stays on one core. */
static int remember_core(struct parallel_session *c, struct err *e)
{
	const char *core;

	if (store_env_get(c->q->store, &c->arena, c->q->run, LINK_CORE_KEY,
			  &core, e) != ERR_OK)
		return e->code;
	c->wants_core = core != NULL;
	c->core = core ? strtoull(core, NULL, 0) : 0;
	return ERR_OK;
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

/* What every session needs; it measures nothing yet. */
static int parallel_open(struct parallel_session *c, const struct session *q,
			 struct err *e)
{
	*c = (struct parallel_session){ .q = q };
	(void)pthread_mutex_init(&c->lock, NULL);
	return transport_of(q->request->board, q->request->tty, &c->transport,
			    e);
}

static int parallel_init(struct parallel_session *c, const struct session *q,
			 struct err *e)
{
	if (parallel_open(c, q, e) != ERR_OK ||
	    plan_init(&c->work, &c->arena, q, e) != ERR_OK ||
	    deaths_read(&c->work, q, e) != ERR_OK ||
	    remember_core(c, e) != ERR_OK)
		return e->code;
	c->kernels = list_kernels(c);
	return remember_clock(c, e);
}

static void parallel_free(struct parallel_session *c)
{
	(void)pthread_mutex_destroy(&c->lock);
	arena_free(&c->arena);
}

/* Give the member its part of a session.  Its board may have stayed from the
 * one before. */
static void join_member(struct parallel_session *c, struct parallel_member *m)
{
	struct live *s = &m->live;

	m->err = (struct err){ .code = ERR_OK };
	s->parallel = c;
	s->q = c->q;
	plan_join(&s->plan, &c->work);
	s->n_fruitless = s->n_lost_in_a_row = 0;
	s->in.joint = &c->joint;
	s->in.kernels = c->kernels;
	s->in.counts = (struct intake_counts){ .n_samples = 0 };
	s->in.wants_core = c->wants_core;
	s->in.wanted_core = c->core;
}

static void init_member(struct parallel_session *c, struct parallel_member *m,
			size_t i)
{
	const struct session *q = c->q;
	const struct pack_header *h = pack_header(q->pack);
	const struct isa *isa = isa_by_pack(h->isa);
	struct live *s = &m->live;

	s->transport = c->transport;
	s->request = *q->request;
	s->request.cpu = q->n_cores ? (int)q->cores[i] : LINK_ANY_CPU;
	dialogue_open(&s->dialogue, q->request->board);
	s->in.store = q->store;
	s->in.run = q->run;
	s->in.core = (uint32_t)i;
	s->in.first_kernel = q->first_kernel;
	s->in.isa = isa ? isa->name : "";
	s->in.pack_id = h->id;
	s->in.n_kernels = c->kernels ? h->n_kernels : 0;
	s->in.any_pack = q->load;
	s->in.code = ERR_FAILED;
}

/* Boards and the threads that serve them.  A thread stays as long as its board:
 * a process ends with the thread that started it (spawn.c). */
struct link_boards {
	struct parallel_member *list;
	size_t n;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	unsigned n_sessions; /* begun so far */
	size_t n_running;    /* threads that serve the last one */
	bool is_over;        /* there will be no more */
};

static void member_run(struct parallel_member *m)
{
	struct parallel_session *c = m->live.parallel;

	(void)pthread_mutex_lock(&c->lock);
	m->ret = live_run(&m->live, &m->err);
	c->is_over = c->is_over || m->ret != ERR_OK;
	(void)pthread_mutex_unlock(&c->lock);
}

static void *member_serve(void *context)
{
	struct parallel_member *m = context;
	struct link_boards *b = m->boards;

	(void)pthread_mutex_lock(&b->lock);
	for (unsigned served = 0;;) {
		while (!b->is_over && b->n_sessions == served)
			(void)pthread_cond_wait(&b->changed, &b->lock);
		if (b->is_over)
			break;
		served = b->n_sessions;
		(void)pthread_mutex_unlock(&b->lock);
		member_run(m);
		(void)pthread_mutex_lock(&b->lock);
		b->n_running--;
		(void)pthread_cond_broadcast(&b->changed);
	}
	(void)pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* The calling thread runs the first session.  If a thread cannot be created,
 * the other sessions do its share. */
static void run_members(struct link_boards *b)
{
	(void)pthread_mutex_lock(&b->lock);
	for (size_t i = 1; i < b->n; i++)
		b->n_running += b->list[i].has_thread;
	b->n_sessions++;
	(void)pthread_cond_broadcast(&b->changed);
	(void)pthread_mutex_unlock(&b->lock);
	member_run(&b->list[0]);
	(void)pthread_mutex_lock(&b->lock);
	while (b->n_running > 0)
		(void)pthread_cond_wait(&b->changed, &b->lock);
	(void)pthread_mutex_unlock(&b->lock);
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

struct link_boards *link_keep_boards(void)
{
	struct link_boards *b = xrealloc(NULL, 1, sizeof(*b));

	*b = (struct link_boards){ .n = 0 };
	(void)pthread_mutex_init(&b->lock, NULL);
	(void)pthread_cond_init(&b->changed, NULL);
	return b;
}

void link_end_boards(struct link_boards *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->n; i++)
		live_bye(&b->list[i].live);
	for (size_t i = 0; i < b->n; i++)
		live_end(&b->list[i].live);
	(void)pthread_mutex_lock(&b->lock);
	b->is_over = true;
	(void)pthread_cond_broadcast(&b->changed);
	(void)pthread_mutex_unlock(&b->lock);
	for (size_t i = 0; i < b->n; i++) {
		if (b->list[i].has_thread)
			(void)pthread_join(b->list[i].thread, NULL);
		arena_free(&b->list[i].live.arena);
	}
	(void)pthread_cond_destroy(&b->changed);
	(void)pthread_mutex_destroy(&b->lock);
	free(b->list);
	free(b);
}

/* The members of the first session.  They are too large for the stack. */
static void open_members(struct parallel_session *c, struct link_boards *b)
{
	b->n = c->q->n_cores ? c->q->n_cores : 1;
	b->list = xrealloc(NULL, b->n, sizeof(*b->list));
	memset(b->list, 0, b->n * sizeof(*b->list));
	for (size_t i = 0; i < b->n; i++) {
		struct parallel_member *m = &b->list[i];

		init_member(c, m, i);
		m->boards = b;
		m->has_thread = i > 0 && pthread_create(&m->thread, NULL,
							member_serve, m) == 0;
	}
}

static int parallel_run(struct parallel_session *c, struct link_boards *boards,
			struct err *e)
{
	struct parallel_member *list;
	size_t n;
	int ret, kept;

	if (boards->n == 0)
		open_members(c, boards);
	list = boards->list;
	n = boards->n;
	for (size_t i = 0; i < n; i++)
		join_member(c, &list[i]);
	run_members(boards);
	ret = first_failure(list, n, e);

	/* Commit what was received, even after an error; *e keeps the first
	 * error. */
	kept = intake_commit(&list[0].live.in, true, e);
	if (kept == ERR_OK)
		kept = store_losses(c, list, n, e);
	return ret != ERR_OK ? ret : kept;
}

int session_run(const struct session *q, struct err *e)
{
	struct parallel_session c;
	struct link_boards *boards = q->boards ? q->boards : link_keep_boards();
	int ret = parallel_init(&c, q, e);

	if (ret == ERR_OK)
		ret = parallel_run(&c, boards, e);
	if (ret == ERR_OK && q->visits)
		plan_count(&c.work, q->visits, q->last_core);
	if (!q->boards)
		link_end_boards(boards);
	parallel_free(&c);
	return ret;
}

int session_find_cores(const struct session *q, bool each_kind,
		       struct link_cores *ret, struct err *e)
{
	struct parallel_session c;
	/* Too large for the stack. */
	struct parallel_member *m = xrealloc(NULL, 1, sizeof(*m));
	struct intake *in = &m->live.in;

	memset(m, 0, sizeof(*m));
	*ret = (struct link_cores){ .n = 0 };
	if (parallel_open(&c, q, e) == ERR_OK) {
		init_member(&c, m, 0);
		join_member(&c, m);
		in->is_outside = in->is_known = in->any_pack = true;
		m->live.cores = ret;
		m->live.each_kind = each_kind;
		(void)pthread_mutex_lock(&c.lock);
		(void)live_run(&m->live, e);
		(void)pthread_mutex_unlock(&c.lock);
		arena_free(&m->live.arena);
	}
	parallel_free(&c);
	free(m);
	return e->code;
}
