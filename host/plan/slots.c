/* See slots.h, and host/solve/judge_slots.c for the evaluation. */
#include "host/plan/slots.h"

#include <stdio.h>

#include "host/isa/isa.h"
#include "host/isa/memory.h"

/* Accesses and one-slot instructions of each mix.  Mixes with one access show
 * its number of slots; mixes with several show how late in a cycle an access can
 * start.  With few one-slot instructions the accesses may be the limit; the
 * solver leaves such mixes out. */
static const struct {
	uint16_t accesses, others;
} mixes[SLOTS_MIXES] = {
	{ 1, 3 }, { 1, 4 }, { 1, 5 }, { 1, 6 }, { 1, 7 }, { 2, 3 }, { 3, 1 },
};

static bool is_measurable(const struct form *f)
{
	return f && f->status == FORM_MEASURABLE;
}

int slots_mixes(const struct catalogue *c, size_t at,
		struct experiment ret[SLOTS_MIXES],
		const struct form **ret_form)
{
	const struct isa_memory *m = c->isa->memory;
	const struct form *indexed, *slot;
	char name[ISA_NAME_ROOM];

	if (!m || !m->indexed || !m->indexed[at])
		return -1;
	(void)snprintf(name, sizeof(name), "%s/index", m->indexed[at]);
	*ret_form = catalogue_form(c, m->indexed[at]);
	indexed = catalogue_form(c, name);
	slot = catalogue_form(c, m->slot);
	if (!*ret_form || !is_measurable(indexed) || !is_measurable(slot))
		return 0;
	for (size_t i = 0; i < SLOTS_MIXES; i++)
		ret[i] = (struct experiment){
			.kind = EXPERIMENT_MIX,
			.n_steps = 2,
			.steps = { { .form = indexed,
				     .src = -1,
				     .dst = -1,
				     .count = mixes[i].accesses },
				   { .form = slot,
				     .src = -1,
				     .dst = -1,
				     .count = mixes[i].others } },
		};
	return SLOTS_MIXES;
}
