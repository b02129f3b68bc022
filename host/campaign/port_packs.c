/* One pack of a port search; see port_searching.h. */
#include "host/campaign/port_searching.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bend.h"
#include "host/base/file.h"
#include "host/campaign/runs.h"

enum {
	/* On a core clock an experiment may be long, for many repeats. */
	CORE_CYCLES = 60000,
	CORE_REPEATS = 16,
	/* Where an experiment has enough cycles, the bodies of a mix may be
	 * long, if that suits the core (port_bodies.c).  A front end that
	 * stops at the end of a loop, or takes whole groups of instructions,
	 * is off by a cycle in every iteration: 4 % of 144 instances on a core
	 * that is eight wide (measured on a Zen 5). */
	CYCLES_PER_INSTANCE = 80,
	MOST_INSTANCES = 240,
	/* Code of longer mixes is not stored: their labels define it. */
	KEPT_INSTANCES = 16,
};

uint32_t port_search_longest_bodies(const struct port_search *h)
{
	uint32_t n = h->c->kernel_cycles / CYCLES_PER_INSTANCE;

	/* No more than values need: a board on which bodies are short. */
	if (h->c->kernel_cycles <= BEND_BUDGET)
		return 0;
	return n < MOST_INSTANCES ? n : MOST_INSTANCES;
}

struct gen_profile port_search_profile(const struct port_search *h)
{
	uint32_t cycles = h->c->kernel_cycles;
	struct gen_profile p = campaign_profile(
		h->c->board, cycles > CORE_CYCLES ? cycles : CORE_CYCLES);

	p.n_repeats = CORE_REPEATS;
	if (h->bodies > p.mix_unroll)
		p.mix_unroll = h->bodies;
	return p;
}

/* A kernel that cannot be made has no value; false. */
static bool add_kernel(struct port_search *h, const struct experiment *x)
{
	const struct ports_value none = { .has_value = false };
	struct err why = { .code = ERR_OK, .message = "" };
	char label[PACK_MAX_LABEL];

	if (gen_add(h->c->gen, x, &why) == ERR_OK)
		return true;
	if (port_search_label(h, x, label))
		port_answers_add(h->answers, label, &none);
	return false;
}

static void add_copies(struct port_search *h, const struct experiment *x,
		       size_t copies)
{
	for (size_t i = 0; i < copies; i++)
		(void)add_kernel(h, x);
}

static int add_kernels(struct port_search *h, const struct experiment *list,
		       const size_t *wanted, size_t n, size_t copies,
		       struct err *e)
{
	struct gen_profile profile = port_search_profile(h);

	gen_free(h->c->gen);
	buffer_free(&h->c->pack);
	h->c->gen = gen_new(h->c->catalogue, &profile);
	for (size_t i = 0; i < h->n_calibration; i++)
		if (gen_add(h->c->gen, &h->calibration[i], e) != ERR_OK)
			return e->code;
	for (size_t i = 0; i < port_search_controls(h); i++)
		(void)add_kernel(h, &h->controls[i]);
	for (unsigned width = 0; width < GEN_N_WIDTHS; width++)
		for (size_t i = 0; i < n; i++)
			if (gen_width(h->c->catalogue, &list[wanted[i]]) ==
			    width)
				add_copies(h, &list[wanted[i]], copies);
	return gen_finish(h->c->gen, &h->c->pack, e);
}

static int store_pack(struct port_search *h, struct err *e)
{
	if (store_begin(h->s, e) != ERR_OK)
		return e->code;
	for (size_t i = 0; i < gen_n_kernels(h->c->gen); i++) {
		struct kernel_row row;

		gen_kernel_row(h->c->gen, i, &row);
		if (row.instructions > KEPT_INSTANCES)
			memset(row.code, 0, sizeof(row.code));
		if (store_kernel(h->s, h->run.id, h->next_kernel + (uint32_t)i,
				 &row, e) != ERR_OK) {
			store_rollback(h->s);
			return e->code;
		}
	}
	return store_commit(h->s, e);
}

static void report(void *context, const struct link_progress *p)
{
	const struct port_search *h = context;
	const struct port_search_events *v = h->events;

	v->visits(v->context, p->n_done, p->n_total);
}

static int run_pack(struct port_search *h, enum ports_phase phase,
		    size_t copies, struct err *e)
{
	const struct campaign_request *q = h->c->request;
	struct link_request request = workspace_request(h->c, &h->w);
	struct session session = {
		.request = &request,
		.store = h->s,
		.run = h->run.id,
		.first_kernel = h->next_kernel,
		.pack = h->c->pack.bytes,
		.cores = h->w.cores,
		.n_cores = h->w.n_cores,
		.load = q->tty != NULL,
		.silence = { h->probe.cycles, h->probe.reading, 0 },
		.report = report,
		.context = h,
		.stop = q->stop,
	};

	if (workspace_fill(h->c, &h->w, e) != ERR_OK ||
	    store_pack(h, e) != ERR_OK)
		return e->code;
	return port_search_run_rounds(h, phase, copies, &session, e);
}

int port_search_make_image(struct port_search *h, bool *ret_failed,
			   struct err *e)
{
	size_t n = h->wanted.n / sizeof(struct experiment);
	size_t *all = xrealloc(NULL, n, sizeof(*all)), n_kernels;
	char id[RUNS_PACK_ID], key[PORT_SEARCH_IMAGE_KEY], first[16];

	for (size_t i = 0; i < n; i++)
		all[i] = i;
	(void)add_kernels(h, (const struct experiment *)h->wanted.bytes, all, n,
			  1, e);
	free(all);
	if (e->code != ERR_OK)
		return e->code;
	n_kernels = gen_n_kernels(h->c->gen) - h->n_calibration;
	*ret_failed = n_kernels < n;
	if (*ret_failed)
		return ERR_OK;
	runs_pack_id(h->c, id);
	(void)snprintf(key, sizeof(key), PORT_SEARCH_IMAGE "%s", id);
	(void)snprintf(first, sizeof(first), "%u", (unsigned)h->next_kernel);
	if (store_pack(h, e) != ERR_OK ||
	    store_env(h->s, h->run.id, key, first, e) != ERR_OK ||
	    campaign_image(h->c, h->image, e) != ERR_OK)
		return e->code;
	h->n_imaged = n_kernels;
	return ERR_OK;
}

int port_search_keep(void *context, const struct solve_mix *m, struct err *e)
{
	struct port_search *h = context;
	struct ports_value v = { .has_value = m->has_value,
				 .cycles = m->cycles,
				 .sigma = m->sigma };

	(void)e;
	if (h->stored_only && m->kernel >= h->fit_from)
		return 0;
	/* A mix that a busy sibling disturbed is measured again. */
	if (m->has_value || m->fault)
		port_answers_add(h->answers, m->label, &v);
	else if (h->image && m->n_samples > 0)
		port_answers_lose(h->answers, m->label);
	else if (h->stored_only)
		port_answers_miss(h->answers, m->label);
	if (m->kernel + m->n_kernels > h->next_kernel)
		h->next_kernel = m->kernel + m->n_kernels;
	return 0;
}

int port_search_measure_pack(struct port_search *h, enum ports_phase phase,
			     const struct experiment *list,
			     const size_t *wanted, size_t n, struct err *e)
{
	size_t before[PORT_SEARCH_PACK + PORT_SEARCH_CONTROLS];
	uint32_t first = h->next_kernel;
	size_t copies = port_search_copies(h, n);

	assert(n <= PORT_SEARCH_PACK);
	port_search_count(h, list, wanted, n, before);
	if (add_kernels(h, list, wanted, n, copies, e) != ERR_OK)
		return e->code;
	/* Nothing but calibration. */
	if (gen_n_kernels(h->c->gen) <= h->n_calibration)
		return ERR_OK;
	if (run_pack(h, phase, copies, e) != ERR_OK)
		return e->code;
	/* Copies of a mix are one. */
	h->n_measured += (gen_n_kernels(h->c->gen) - h->n_calibration) / copies;
	if (solve_mixes(h->s,
			&(struct solve_mixing){ h->run.id, first, &h->probe,
						port_search_keep, h, false },
			e) != ERR_OK)
		return e->code;
	port_search_judge(h, list, wanted, n, before);
	h->next_kernel = first + (uint32_t)gen_n_kernels(h->c->gen);
	return ERR_OK;
}
