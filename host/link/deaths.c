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

struct died {
	uint32_t kernel;
	unsigned deaths, hangs;
	bool found;
};

static int take_died(void *context, const char *key, const char *value,
		     struct err *e)
{
	struct died *d = context;

	(void)e;
	if (strcmp(key, DIED_AT) == 0)
		d->found = sscanf(value, "%" SCNu32 " %u %u", &d->kernel,
				  &d->deaths, &d->hangs) == 3;
	return 0;
}

int deaths_read(struct plan_work *w, const struct session *q, struct err *e)
{
	struct died d = { .found = false };
	uint32_t k;

	w->died_at = PLAN_NONE;
	if (store_envs(q->store, q->run, take_died, &d, e) != ERR_OK ||
	    !d.found || d.kernel < q->first_kernel)
		return e->code;
	k = d.kernel - q->first_kernel;
	if (k >= w->n || !w->kernels[k].wanted ||
	    w->kernels[k].visits == PLAN_FINISHED)
		return ERR_OK;
	w->kernels[k].deaths = d.deaths < UINT8_MAX ? (uint8_t)d.deaths : 1;
	w->kernels[k].hangs = d.hangs < UINT8_MAX ? (uint8_t)d.hangs : 1;
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
