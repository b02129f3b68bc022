/* Asking ahead, for boards that measure many mixes at once and answer later; see
 * ports.h.
 *
 * Each request of the inference depends on the answers to those before.  So it
 * is run with guesses instead of the answers that are missing (guess.c): where
 * these are right, the mixes that it asks for are those that it needs.  Other
 * guesses lead to other mixes.  A pass ends where mixes would depend on too many
 * guesses. */
#include "host/ports/infer.h"

/* The oracle of a pass. */
struct ahead {
	const struct ports_oracle *oracle;
	size_t n_later;
	bool full; /* it wants no more mixes */
};

static int ask_ahead(void *context, enum ports_phase phase,
		     const struct ports_mix *mixes, size_t n,
		     struct ports_value *ret, struct err *e)
{
	struct ahead *h = context;
	const struct ports_oracle *o = h->oracle;
	bool alone = false;

	if (o->measure(o->context, phase, mixes, n, ret, e) != ERR_OK) {
		h->full = e->code == ERR_INTERRUPTED;
		return e->code;
	}
	for (size_t i = 0; i < n; i++) {
		h->n_later += ret[i].later;
		alone |= ret[i].later && phase == PORTS_SINGLES &&
			 mixes[i].n == 1;
	}
	/* Guesses need the time alone of each form. */
	return alone ? err_set(e, ERR_INTERRUPTED, "times alone are missing")
		     : ERR_OK;
}

static bool begin_batch(void *context, uint16_t batch)
{
	const struct ahead *h = context;
	const struct ports_oracle *o = h->oracle;

	return !o->begin_batch || o->begin_batch(o->context, batch);
}

static bool may_mix(void *context, uint32_t x, uint32_t y)
{
	const struct ahead *h = context;
	const struct ports_oracle *o = h->oracle;

	return !o->may_mix || o->may_mix(o->context, x, y);
}

int ports_ahead(struct arena *a, const struct ports_request *q,
		unsigned n_passes, struct ports_answer *ret, bool *ret_done,
		struct err *e)
{
	struct ahead h = { .oracle = q->oracle };
	const struct ports_oracle oracle = { .measure = ask_ahead,
					     .begin_batch = begin_batch,
					     .may_mix = may_mix,
					     .context = &h };
	struct ports_request pass = *q;

	*ret_done = false;
	pass.oracle = &oracle;
	for (pass.pass = 0; pass.pass < n_passes && !h.full; pass.pass++) {
		struct err why = { .code = ERR_OK };
		struct arena own = { 0 };
		/* The answer of the first pass is that of the search if nothing
		 * was guessed. */
		int code = ports_infer(pass.pass == 0 ? a : &own, &pass, ret,
				       &why);

		arena_free(&own);
		if (h.n_later > 0 || h.full)
			continue;
		*ret_done = code == ERR_OK;
		if (code != ERR_OK)
			*e = why;
		break;
	}
	return e->code;
}
