/* Answers to the plugin's questions: what the instructions of a block
 * access. */
#include "host/guest/run.h"

/* The question lies in memory that the guest can write: only a copy that was
 * checked is used. */
static bool take(const struct slot *s, struct question_insn *q, size_t *ret_n)
{
	size_t n = s->n_insns;

	if (n == 0 || n > EXCHANGE_INSNS)
		return false;
	for (size_t i = 0; i < n; i++) {
		q[i] = s->question[i];
		if (q[i].n_code == 0 || q[i].n_code > EXCHANGE_CODE)
			return false;
	}
	*ret_n = n;
	return true;
}

static void answer_insn(const struct run_table *t, const struct run_block *b,
			size_t i, struct answer_insn *ret)
{
	const struct run_insn *n = &t->insns[b->insns[i]];
	const struct guest_insn *g = &t->decoded[n->what].insn;

	*ret = (struct answer_insn){
		.record = b->records[i],
		.bytes = g->bytes,
		.modifies = g->loads && g->stores,
	};
}

void run_answer(struct guest_run *r, struct slot *s)
{
	struct run_table *t = &r->table;
	struct question_insn q[EXCHANGE_INSNS];
	uint32_t block = EXCHANGE_NONE;
	size_t n;

	if (take(s, q, &n)) {
		uint32_t m = table_mapping(t, atomic_load(&s->pid),
					   q[0].address, s->guest_base);

		block = table_block(t, r->request.c, q, n, m);
	}
	if (block != EXCHANGE_NONE)
		for (size_t i = 0; i < n; i++)
			answer_insn(t, &t->blocks[block], i, &s->answer[i]);
	s->block = block;
	atomic_store(&s->state, SLOT_ANSWERED);
	exchange_wake(&s->state);
}
