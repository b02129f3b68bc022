/* Mispredicted jumps: where a block led is known when the next one begins. */
#include <stdlib.h>

#include "host/guest/plugin.h"
#include "host/guest/predictor.h"

struct block_jump plugin_jump(struct qemu_plugin_tb *tb, size_t n)
{
	const struct exchange_slot *s = plugin.slot;
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);
	uint64_t at = qemu_plugin_insn_vaddr(last);

	return (struct block_jump){
		.begin = s->question[0].address,
		.end = at + qemu_plugin_insn_size(last),
		.at = at,
		.block = s->block,
		.kind = s->jump,
	};
}

struct predictor *plugin_predictor(void)
{
	struct predictor *p = NULL;

	if (plugin.x->branch_history)
		p = malloc(sizeof(*p));
	if (p)
		predictor_open(p, plugin.x->branch_history,
			       plugin.x->branch_loop);
	return p;
}

void plugin_predict(struct vcpu *v, const struct block_jump *b)
{
	const struct block_jump *last = v->last;
	bool wrong = false;
	uint64_t *n;

	v->last = b;
	if (!v->predictor || !last)
		return;
	if (last->kind == JUMP_CONDITIONAL)
		wrong = predictor_direction(v->predictor, last->at,
					    b->begin != last->end);
	else if (last->kind == JUMP_TO_REGISTER)
		wrong = predictor_target(v->predictor, last->at, b->begin);
	else if (last->kind == JUMP_UNPREDICTED)
		predictor_taken(v->predictor, last->at);
	if (!wrong || v->idle)
		return;
	n = &slot_mispredicted(plugin.x, plugin.slot)[last->block];
	if (plugin.parallel)
		__atomic_fetch_add(n, 1, __ATOMIC_RELAXED);
	else
		(*n)++;
	if (v->cache)
		cache_cpu_redirect(v->cache, last->block);
}
