/* Rounds over one pack of a port search; see port_searching.h.
 *
 * The pack stays on its boards, and the mixes without a good value get more
 * visits: on a shared machine most visits are disturbed, and a new pack would
 * begin again, with a new process and new baselines of its probes.  A pack of few
 * mixes has each of them several times: a pass over few kernels takes longer than
 * its kernels.  These copies are next to each other, and have one value. */
#include <stdlib.h>
#include <string.h>

#include "common/pack.h"
#include "host/base/monotonic.h"
#include "host/campaign/port_searching.h"
#include "host/store/store_run.h"

enum {
	/* More visits of a mix in each round after the first; of each copy. */
	MORE_VISITS = 9,
	MORE_COPIED = 3,
	/* Chosen: rounds end after so many more visits of a mix, those of its
	 * copies included. */
	MOST_VISITS = 120,
	/* So many rounds in a row that settle less than least_share of the open
	 * mixes end the rounds, unless the sibling was busy. */
	IDLE_ROUNDS = 3,
	/* Of a pack with copies. */
	LEAST_KERNELS = 160,
	MOST_COPIES = 24,
};

static const double least_share = 0.05;
/* Seconds: episodes of a busy sibling last up to 0.9 s (docs/method/visits.md). */
static const double episode = 1;

struct port_rounds {
	struct port_search *h;
	struct session *session;
	enum ports_phase phase;
	size_t n, copies;
	bool *skip; /* of each kernel of the pack: it needs no more visits */
	uint32_t visits;
	unsigned idle;
	double began;
};

size_t port_search_copies(const struct port_search *h, size_t n)
{
	size_t copies = n > 0 ? LEAST_KERNELS / n : 1;

	if (!h->noisy || h->image || h->c->request->tty || copies < 1)
		return 1;
	return copies < MOST_COPIES ? copies : MOST_COPIES;
}

static int note_value(void *context, const struct solve_mix *m, struct err *e)
{
	struct port_rounds *r = context;
	uint32_t first = m->kernel - r->session->first_kernel;
	bool good = m->fault ||
		    (m->has_value && m->sigma <= port_answers_good_sigma);

	(void)e;
	for (uint32_t k = first; k < first + m->n_kernels && k < r->n; k++)
		r->skip[k] = good;
	return 0;
}

static const char *label_of(const struct port_rounds *r, size_t k)
{
	const void *pack = r->session->pack;

	return pack_label(pack, &pack_kernels(pack)[k]);
}

/* Is the kernel a copy of the one before it? */
static bool is_copy(const struct port_rounds *r, size_t k)
{
	return k > 0 && strcmp(label_of(r, k - 1), label_of(r, k)) == 0;
}

/* The first round is without copies. */
static void skip_copies(const struct port_rounds *r)
{
	for (size_t k = 1; k < r->n; k++)
		r->skip[k] = is_copy(r, k);
}

static size_t n_open(const struct port_rounds *r)
{
	const struct pack_kernel *kernels = pack_kernels(r->session->pack);
	size_t n = 0;

	for (size_t k = 0; k < r->n; k++)
		n += !(kernels[k].flags & PACK_KERNEL_CALIB) && !r->skip[k];
	return n;
}

static int judge(struct port_rounds *r, struct err *e)
{
	struct port_search *h = r->h;

	return solve_mixes(
		h->s,
		&(struct solve_mixing){ h->run.id, r->session->first_kernel,
					&h->probe, note_value, r, true },
		e);
}

/* More visits help only on a reference clock. */
static int find_clock(const struct port_rounds *r, bool *ret_ref, struct err *e)
{
	struct run run;
	struct arena a = { 0 };

	*ret_ref =
		store_run_get(r->h->s, &a, r->h->run.id, &run, e) == ERR_OK &&
		run.clock == CLOCK_REF;
	arena_free(&a);
	return e->code;
}

static bool is_over(struct port_rounds *r, size_t before, size_t open)
{
	bool few = (double)open > (1 - least_share) * (double)before, many;

	r->idle = few && r->h->probe.busy < port_search_busy ? r->idle + 1 : 0;
	/* An episode of a busy sibling outlasts the rounds of a few mixes.  All
	 * that follows needs those of the classes and their matrix. */
	many = r->visits >= MOST_VISITS &&
	       (r->phase > PORTS_CHECK || r->h->probe.busy < port_search_busy ||
		monotonic_s() - r->began >= episode);
	return open == 0 || many || r->idle == IDLE_ROUNDS ||
	       port_search_is_over(r->h, r->phase);
}

static int run_rounds(struct port_rounds *r, struct err *e)
{
	struct session *s = r->session;
	size_t before, open;
	bool ref;

	skip_copies(r);
	open = n_open(r);
	r->h->noisy = false;
	for (;;) {
		before = open;
		if (session_run(s, e) != ERR_OK || find_clock(r, &ref, e) ||
		    !ref || judge(r, e) != ERR_OK)
			return e->code;
		open = n_open(r);
		if (is_over(r, before, open))
			return ERR_OK;
		r->h->noisy = true;
		s->silence = (struct link_silence){ r->h->probe.cycles,
						    r->h->probe.reading, 0 };
		s->extra_visits = r->copies > 1 ? MORE_COPIED : MORE_VISITS;
		r->visits += s->extra_visits * (uint32_t)r->copies;
	}
}

int port_search_run_rounds(struct port_search *h, enum ports_phase phase,
			   size_t copies, struct session *s, struct err *e)
{
	struct port_rounds r = {
		.h = h,
		.session = s,
		.phase = phase,
		.n = pack_header(s->pack)->n_kernels,
		.copies = copies,
		.began = monotonic_s(),
	};

	r.skip = xrealloc(NULL, r.n, sizeof(*r.skip));
	memset(r.skip, 0, r.n * sizeof(*r.skip));
	s->skip = r.skip;
	s->boards = link_keep_boards();
	(void)run_rounds(&r, e);
	link_end_boards(s->boards);
	free(r.skip);
	return e->code;
}
