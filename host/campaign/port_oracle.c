/* The oracle of the inference: measures mixes until they have values; see
 * port_searching.h. */
#include "host/campaign/port_searching.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"

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
						 port_search_keep, h, false },
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
		if (port_search_waits(h, &mixes[i]) ||
		    !make_experiment(h, &mixes[i], &list[i]))
			list[i].n_steps = 0;
	if (phase != PORTS_FIT || begin_fit(h, e) == ERR_OK)
		(void)port_search_ask(
			h,
			&(struct port_question){ phase, phase_words[phase],
						 list, n },
			ret, e);
	for (size_t i = 0; i < n; i++)
		ret[i].later |= port_search_waits(h, &mixes[i]);
	/* A time that dependencies explain says nothing about ports. */
	for (size_t i = 0; i < n; i++)
		if (ret[i].has_value &&
		    ret[i].cycles < dependent * gen_wait(h->c->catalogue,
							 &profile, &list[i]))
			ret[i] = (struct ports_value){ .has_value = false };
	free(list);
	return e->code;
}
