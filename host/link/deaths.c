/* See deaths.h. */
#include "host/link/deaths.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/pack.h"
#include "host/store/store_run.h"

/* The kernel's number in the run, deaths, and hangs among them. */
#define DIED_AT "died_at"

enum { DIED_ROOM = 64 };

int deaths_read(struct plan_work *w, const struct session *q, struct err *e)
{
	struct arena a = { 0 };
	const char *text;
	unsigned deaths, hangs;
	uint32_t k;
	bool found;

	w->died_at = PLAN_NONE;
	found = store_env_get(q->store, &a, q->run, DIED_AT, &text, e) ==
			ERR_OK &&
		text &&
		sscanf(text, "%" SCNu32 " %u %u", &k, &deaths, &hangs) == 3 &&
		k >= q->first_kernel;
	arena_free(&a);
	if (!found)
		return e->code;
	k -= q->first_kernel;
	if (k >= w->n || !w->kernels[k].wanted ||
	    w->kernels[k].visits == PLAN_FINISHED)
		return ERR_OK;
	w->kernels[k].deaths = deaths < UINT8_MAX ? (uint8_t)deaths : 1;
	w->kernels[k].hangs = hangs < UINT8_MAX ? (uint8_t)hangs : 1;
	w->died_at = k;
	return ERR_OK;
}

int deaths_note(struct live *s, uint32_t k, struct err *e)
{
	struct plan_work *w = s->plan.work;
	char text[DIED_ROOM];

	w->died_at = k;
	(void)snprintf(text, sizeof(text), "%" PRIu32 " %u %u",
		       s->q->first_kernel + k, w->kernels[k].deaths,
		       w->kernels[k].hangs);
	return store_env(s->q->store, s->q->run, DIED_AT, text, e);
}

int deaths_forget(struct live *s, struct err *e)
{
	struct plan_work *w = s->plan.work;

	if (w->died_at == PLAN_NONE || w->kernels[w->died_at].deaths > 0)
		return ERR_OK;
	w->died_at = PLAN_NONE;
	return store_env(s->q->store, s->q->run, DIED_AT, "-", e);
}
