/* See streams.h. */
#include "host/plan/streams.h"

#include "host/isa/isa.h"
#include "host/isa/memory.h"

int streams_mixes(const struct catalogue *c, size_t at,
		  struct experiment ret[STREAMS_MAX])
{
	/* Loads and stores: a copy, a sum of two, a sum of three, two
	 * results. */
	static const uint16_t counts[STREAMS_MAX][2] = {
		{ 1, 1 }, { 2, 1 }, { 3, 1 }, { 1, 2 }
	};
	const struct isa_memory *m = c->isa->memory;
	const struct form *load, *store;

	if (!m || !m->streams[at].load)
		return -1;
	load = catalogue_form(c, m->streams[at].load);
	store = catalogue_form(c, m->streams[at].store);
	if (!load || !store || load->status != FORM_MEASURABLE ||
	    store->status != FORM_MEASURABLE)
		return 0;
	for (size_t i = 0; i < STREAMS_MAX; i++)
		ret[i] = (struct experiment){
			.kind = EXPERIMENT_MIX,
			.n_steps = 2,
			.steps = { { .form = load,
				     .src = -1,
				     .dst = -1,
				     .count = counts[i][0] },
				   { .form = store,
				     .src = -1,
				     .dst = -1,
				     .count = counts[i][1] } },
		};
	return STREAMS_MAX;
}
