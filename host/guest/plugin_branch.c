/* Mispredicted jumps: where a block led is known when the next one begins. */
#include <stdlib.h>

#include "host/guest/plugin.h"
#include "host/guest/predictor.h"

struct predictor *plugin_predictor(void)
{
	return plugin.x->core.history ? predictor_new(&plugin.x->core) : NULL;
}

void plugin_predict(struct vcpu *v, const struct plugin_block *b)
{
	const struct plugin_block *last = v->last;
	bool wrong = false;

	v->last = b;
	if (!v->predictor || !last)
		return;
	if (last->jump == JUMP_CONDITIONAL)
		wrong = predictor_direction(v->predictor, last->last,
					    b->begin != last->end);
	else if (last->jump == JUMP_TO_REGISTER)
		wrong = predictor_target(v->predictor, last->last, b->begin);
	else if (last->jump == JUMP_UNPREDICTED)
		predictor_taken(v->predictor, last->last);
	if (!wrong || v->idle)
		return;
	plugin_count(&slot_mispredicted(plugin.x, plugin.slot)[last->number],
		     1);
	if (v->cache)
		cache_cpu_redirect(v->cache, last->number);
}
