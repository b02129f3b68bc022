/* The oracle of the inference: measures mixes until they have values; see
 * port_searching.h. */
#include "host/campaign/port_searching.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/base/file.h"

enum {
	PASSES = 8,
	/* A session costs as much as this many kernels.  So a later pass over a
	 * few mixes measures each of them several times, MOST_COPIES at most:
	 * with the first pass, these are all the results that an answer uses
	 * (MOST_RESULTS of port_answers.c). */
	SESSION_KERNELS = 64,
	MOST_COPIES = 3,
};

/* Seconds of a pause, and of all pauses of one request; less where no controls
 * show that it is the core that is disturbed. */
static const double pause = 0.1, longest_for_one = 5, longest_without = 0.5;

/* A mix that is no slower than its operand dependencies times this is bounded
 * by them. */
static const double dependent = 1.1;

static const char *const phase_words[PORTS_N_PHASES] = {
	[PORTS_SINGLES] = "alone", [PORTS_SLOTS] = "slots",
	[PORTS_MERGE] = "classes", [PORTS_MATRIX] = "matrix",
	[PORTS_CHECK] = "check",   [PORTS_SATURATION] = "saturation",
	[PORTS_UNITS] = "units",   [PORTS_TRIAL] = "trial",
	[PORTS_FIT] = "fit",
};

/* ---- experiments --------------------------------------------------------- */

static bool add_step(struct experiment *x, const struct experiment_step *step)
{
	if (x->n_steps == EXPERIMENT_MAX_STEPS)
		return false;
	x->steps[x->n_steps] = *step;
	x->steps[x->n_steps].src = x->steps[x->n_steps].dst = -1;
	x->n_steps++;
	return true;
}

/* A mix as an experiment, breakers behind the forms they are for; false when it
 * has more steps than an experiment. */
static bool make_experiment(const struct port_search *h,
			    const struct ports_mix *mix, struct experiment *ret)
{
	*ret = (struct experiment){ .kind = EXPERIMENT_MIX };
	for (size_t i = 0; i < mix->n; i++) {
		size_t form = mix->part[i].form;
		const struct plan_ports_form *f = &h->forms[form];
		const struct experiment_step step = {
			.form = f->form,
			.count = (uint16_t)mix->part[i].count,
			.latency = h->latencies[form],
		};

		if (!add_step(ret, &step))
			return false;
		for (size_t k = 0; k < f->n_breakers; k++) {
			const struct experiment_step breaker = {
				.form = h->forms[f->breakers[k]].form,
				.count = 1,
				.helper = true,
			};

			if (!add_step(ret, &breaker))
				return false;
		}
	}
	return true;
}

/* ---- measuring ----------------------------------------------------------- */

/* Find the experiments that still lack results; the others are answered. */
static size_t find_wanted(struct port_search *h, const struct experiment *list,
			  size_t n, bool *answered, struct ports_value *ret,
			  size_t *wanted)
{
	size_t n_wanted = 0;

	for (size_t i = 0; i < n; i++) {
		char label[PACK_MAX_LABEL];

		if (answered[i])
			continue;
		if (list[i].n_steps == 0 ||
		    !port_search_label(h, &list[i], label) ||
		    port_answers_take(h->answers, label, &ret[i]))
			answered[i] = true;
		/* An image is not made for a second try. */
		else if (!h->image || !port_answers_tried(h->answers, label))
			wanted[n_wanted++] = i;
	}
	return n_wanted;
}

/* Append copies of the whole list of wanted mixes.  Copies of a mix are not
 * adjacent, so that a short disturbance affects only one.  `wanted` has room
 * for MOST_COPIES of each.  Returns the new length. */
static size_t copy_wanted(size_t *wanted, size_t n)
{
	size_t copies = 1;

	while (copies < MOST_COPIES && (copies + 1) * n <= SESSION_KERNELS) {
		memcpy(wanted + copies * n, wanted, n * sizeof(*wanted));
		copies++;
	}
	return copies * n;
}

static int measure_wanted(struct port_search *h, enum ports_phase phase,
			  const struct experiment *list, const size_t *wanted,
			  size_t n, struct err *e)
{
	size_t size;

	for (size_t i = 0; i < n && !port_search_is_over(h, phase); i += size) {
		size_t left = port_search_kernels_left(h, phase);

		size = n - i < PORT_SEARCH_PACK ? n - i : PORT_SEARCH_PACK;
		size = size < left ? size : left;
		if (port_search_measure_pack(h, list, wanted + i, size, e) !=
		    ERR_OK)
			return e->code;
	}
	return ERR_OK;
}

/* After an unusable pack: pause, while the search and this request (*left
 * seconds) have time to wait. */
static bool wait_for_silence(struct port_search *h, double *left)
{
	struct timespec t = { .tv_nsec = (long)(pause * 1e9) };

	bool busy = h->probe.busy >= port_search_busy;
	double spent = longest_for_one - *left;

	if ((!busy && !h->unusable) || h->wait_left <= 0 || *left <= 0 ||
	    (!busy && h->n_controls == 0 && spent >= longest_without) ||
	    h->stored_only)
		return false;
	*left -= pause;
	h->wait_left -= pause;
	(void)nanosleep(&t, NULL);
	return true;
}

/* A single visit may contain a disturbance: its value is good enough to search
 * with, not to judge the model by. */
static void take_any(struct port_search *h, const struct experiment *list,
		     size_t n, const bool *answered, struct ports_value *ret)
{
	char label[PACK_MAX_LABEL];

	for (size_t i = 0; i < n; i++)
		if (!answered[i] && port_search_label(h, &list[i], label))
			(void)port_answers_take_any(h->answers, label, &ret[i]);
}

static int ask(struct port_search *h, enum ports_phase phase, const char *what,
	       const struct experiment *list, size_t n, struct ports_value *ret,
	       struct err *e)
{
	const struct port_search_events *v = h->events;
	size_t *wanted = xrealloc(NULL, MOST_COPIES * n, sizeof(*wanted));
	bool *answered = xrealloc(NULL, n, sizeof(*answered));
	double left = longest_for_one;
	size_t n_wanted = 1;

	memset(answered, 0, n * sizeof(*answered));
	if (!h->stored_only && !h->image)
		v->part(v->context, h->c, what);
	for (int pass = 0; pass <= PASSES && n_wanted > 0; pass++) {
		if (pass > 0 && wait_for_silence(h, &left))
			pass--;
		n_wanted = find_wanted(h, list, n, answered, ret, wanted);
		if (port_search_is_over(h, phase) || pass == PASSES)
			break;
		if (pass > 0 && !h->image)
			n_wanted = copy_wanted(wanted, n_wanted);
		if (measure_wanted(h, phase, list, wanted, n_wanted, e) !=
		    ERR_OK)
			break;
	}
	if (phase != PORTS_FIT)
		take_any(h, list, n, answered, ret);
	if (!h->stored_only && !h->image)
		v->part_end(v->context);
	free(answered);
	free(wanted);
	return e->code;
}

int port_search_ask(struct port_search *h, enum ports_phase phase,
		    const char *what, const struct experiment *list, size_t n,
		    struct ports_value *ret, struct err *e)
{
	/* A part of the fit that exceeds the budget is not begun. */
	size_t most = phase == PORTS_FIT ? PORT_SEARCH_PACK : n;

	for (size_t i = 0; i < n && e->code == ERR_OK; i += most)
		(void)ask(h, phase, what, list + i, n - i < most ? n - i : most,
			  ret + i, e);
	return e->code;
}

/* ---- the oracle ---------------------------------------------------------- */

static int begin_fit(struct port_search *h, struct err *e)
{
	uint32_t from = h->fit_from;

	if (!h->stored_only) {
		h->fit_from = from < h->next_kernel ? from : h->next_kernel;
		return ERR_OK;
	}
	h->fit_from = UINT32_MAX;
	return from == UINT32_MAX
		       ? ERR_OK
		       : solve_mix_packs(h->s,
					 &(struct solve_mixing){
						 h->run.id, from, &h->probe,
						 port_search_keep, h },
					 e);
}

/* The form itself (0), or one of its breakers. */
static const struct form *part_of(const struct port_search *h, uint32_t form,
				  size_t i)
{
	const struct plan_ports_form *f = &h->forms[form];

	return i == 0 ? f->form : h->forms[f->breakers[i - 1]].form;
}

bool port_search_may_mix(void *context, uint32_t x, uint32_t y)
{
	const struct port_search *h = context;

	for (size_t i = 0; i <= h->forms[x].n_breakers; i++)
		for (size_t k = 0; k <= h->forms[y].n_breakers; k++)
			if (!gen_may_mix(h->c->catalogue, part_of(h, x, i),
					 part_of(h, y, k)))
				return false;
	return true;
}

int port_search_oracle(void *context, enum ports_phase phase,
		       const struct ports_mix *mixes, size_t n,
		       struct ports_value *ret, struct err *e)
{
	struct port_search *h = context;
	struct experiment *list;
	struct gen_profile profile = port_search_profile(h);

	if (port_search_dependencies(h, e) != ERR_OK)
		return e->code;
	list = xrealloc(NULL, n, sizeof(*list));

	/* A list without steps is answered: it has no value. */
	for (size_t i = 0; i < n; i++)
		if (!make_experiment(h, &mixes[i], &list[i]))
			list[i].n_steps = 0;
	if (phase != PORTS_FIT || begin_fit(h, e) == ERR_OK)
		(void)port_search_ask(h, phase, phase_words[phase], list, n,
				      ret, e);
	/* A time that dependencies explain says nothing about ports. */
	for (size_t i = 0; i < n; i++)
		if (ret[i].has_value &&
		    ret[i].cycles < dependent * gen_wait(h->c->catalogue,
							 &profile, &list[i]))
			ret[i] = (struct ports_value){ .has_value = false };
	free(list);
	return e->code;
}
