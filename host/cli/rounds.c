/* The one loop of the chain: what is measured next follows from what the
 * solver made of the last round. */
#include "host/cli/rounds.h"

#include <string.h>

#include "host/cli/timing.h"

enum {
	MAX_ROUNDS = 5,
	/* As many as the first round, so that a majority can form. */
	VISITS_PER_ROUND = 3,
};

struct rejects {
	bool *skip; /* per kernel */
	size_t n_kernels, n;
};

static bool is_rejected(const char *verdict)
{
	static const char *const words[] = { "noisy", "unstable" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(verdict, words[i]) == 0)
			return true;
	return false;
}

static int note_reject(void *context, const struct claim *c, struct err *e)
{
	struct rejects *r = context;

	(void)e;
	if (is_rejected(c->verdict) && c->kernel < r->n_kernels) {
		r->skip[c->kernel] = false;
		r->n++;
	}
	return ERR_OK;
}

/* More visits help where the samples came from a noisy clock only. */
static int find_rejects(const struct session *q, struct rejects *r,
			struct err *e)
{
	struct arena a = { 0 };
	struct run run;

	r->n = 0;
	memset(r->skip, true, r->n_kernels * sizeof(*r->skip));
	if (store_run_get(q->store, &a, q->run, &run, e) == ERR_OK &&
	    strcmp(run.clock, "ref") == 0)
		(void)store_claims(q->store, q->run, NULL, note_reject, r, e);
	arena_free(&a);
	return e->code;
}

int rounds_run(struct session *session, struct solve_summary *ret_summary,
	       double *ret_seconds, struct err *e)
{
	struct arena a = { 0 };
	struct rejects r = {
		.n_kernels = pack_header(session->pack)->n_kernels,
	};

	/* One visit was asked for where nobody looks at the values. */
	int n_rounds =
		pack_header(session->pack)->n_visits > 1 ? MAX_ROUNDS : 1;

	*ret_seconds = 0;
	r.skip = ARENA_ARRAY(&a, bool, r.n_kernels);
	for (int round = 0; round < n_rounds; round++) {
		double start = timing_now();
		int ret = session_run(session, e);

		*ret_seconds += timing_now() - start;
		if (ret != ERR_OK ||
		    solve_run(session->store, session->run, ret_summary, e) !=
			    ERR_OK ||
		    find_rejects(session, &r, e) != ERR_OK || r.n == 0)
			break;
		session->skip = r.skip;
		session->extra_visits += VISITS_PER_ROUND;
	}
	session->skip = NULL;
	arena_free(&a);
	return e->code;
}
