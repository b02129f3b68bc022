/* Mixes of the inference as experiments; see ports.h. */
#include "host/cli/ports.h"

static bool add_step(struct experiment *x, const struct form *form,
		     uint32_t count, bool helper)
{
	if (x->n_steps == EXPERIMENT_MAX_STEPS)
		return false;
	x->steps[x->n_steps++] = (struct experiment_step){
		.form = form,
		.src = -1,
		.dst = -1,
		.count = (uint16_t)count,
		.helper = helper,
	};
	return true;
}

bool ports_experiment(const struct plan_ports_form *forms,
		      const struct ports_mix *mix, struct experiment *ret)
{
	*ret = (struct experiment){ .kind = EXPERIMENT_MIX };
	for (size_t i = 0; i < mix->n; i++) {
		const struct plan_ports_form *f = &forms[mix->part[i].form];

		if (!add_step(ret, f->form, mix->part[i].count, false))
			return false;
		for (size_t k = 0; k < f->n_breakers; k++)
			if (!add_step(ret, forms[f->breakers[k]].form, 1, true))
				return false;
	}
	return true;
}
