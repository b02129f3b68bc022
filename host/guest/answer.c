/* Answers to the plugin's questions: what the instructions of a block
 * access. */
#include <string.h>

#include "host/guest/functions.h"
#include "host/guest/run.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"

/* The question lies in memory that the guest can write: only a copy that was
 * checked is used. */
static bool take(const struct exchange_slot *s, struct question_insn *q,
		 size_t *ret_n)
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

/* QEMU 7.2 lists an instruction that goes on in the next page, with some of its
 * bytes, although the block ends before it. */
static size_t without_cut(const struct catalogue *c,
			  const struct question_insn *q, size_t n)
{
	enum { PAGE = 4096 };
	const struct question_insn *x = &q[n - 1];
	struct instance i;

	if (n > 1 && PAGE - x->address % PAGE < EXCHANGE_CODE &&
	    instance_decode(c, x->code, x->n_code, &i) != x->n_code)
		return n - 1;
	return n;
}

uint32_t run_block(struct guest_run *r, struct exchange_slot *s)
{
	struct question_insn q[EXCHANGE_INSNS];
	size_t n;
	uint32_t mapping;

	if (!take(s, q, &n))
		return EXCHANGE_NONE;
	n = without_cut(r->request.c, q, n);
	s->n_insns = (uint32_t)n;
	mapping = table_mapping(&r->table, atomic_load(&s->pid), q[0].address,
				s->guest_base);
	return table_block(&r->table, r->request.c, q, n, mapping);
}

/* Is the instruction before the block one that the block's first settles?  Only
 * where all instructions have the same size can it be found. */
static bool settles(const struct guest_run *r, const struct exchange_slot *s)
{
	const struct catalogue *c = r->request.c;
	struct guest_insn g;

	if (!r->x->fixed_size || !c->isa->guest->state)
		return false;
	guest_decode(c, s->before, EXCHANGE_BEFORE, &g);
	return g.state.any;
}

bool run_needs_layout(const struct guest_run *r, const struct exchange_slot *s,
		      uint32_t block)
{
	const struct run_block *b = &r->table.blocks[block];
	bool any = settles(r, s);

	for (size_t i = 0; i < b->n_insns && !any; i++)
		any = table_insn(&r->table, b->insns[i])->state.any;
	return any && r->x->accesses;
}

/* ---- the answer --------------------------------------------------------- */

static bool is_mark(const struct guest_request *q, const struct run_insn *n)
{
	const struct isa_guest *g = q->c->isa->guest;

	return q->probe && n->n_code == g->n_state_mark &&
	       memcmp(n->code, g->state_mark, n->n_code) == 0;
}

/* A mark is a move of 111 or 222 and the bytes of a mark behind it. */
static uint8_t region_of(const struct guest_run *r, const struct run_block *b,
			 size_t i)
{
	enum { BEGINS = 111, ENDS = 222 };
	const struct guest_insn *move, *mark;

	if (!r->request.marked || i == 0)
		return REGION_GOES_ON;
	move = table_insn(&r->table, b->insns[i - 1]);
	mark = table_insn(&r->table, b->insns[i]);
	if (!mark->marks)
		return REGION_GOES_ON;
	return move->constant == BEGINS ? REGION_BEGINS
	       : move->constant == ENDS ? REGION_ENDS
					: REGION_GOES_ON;
}

static void answer_insn(const struct guest_run *r, const struct run_block *b,
			size_t i, struct answer_insn *ret)
{
	const struct run_table *t = &r->table;
	const struct run_insn *n = &t->insns[b->insns[i]];
	const struct guest_insn *g = table_insn(t, b->insns[i]);

	*ret = (struct answer_insn){
		.record = b->records[i],
		.bytes = g->bytes,
		.state = g->state,
		.region = region_of(r, b, i),
		.enters = functions_enter(r->request.functions, t, n),
		.probe = is_mark(&r->request, n),
		.loads = g->loads,
		.stores = g->stores,
		.modifies = g->bytes && g->loads && g->stores,
	};
	/* Relative to the next instruction. */
	if (g->state.relative)
		ret->state.displacement += (int64_t)(n->address + n->n_code);
}

static uint8_t leaving_of(const struct guest_insn *last)
{
	return last->calls     ? LEAVES_BY_CALL
	       : last->returns ? LEAVES_BY_RETURN
			       : LEAVES_OTHERWISE;
}

static uint8_t jump_of(const struct guest_insn *last)
{
	if (!last->branch)
		return JUMP_NONE;
	if (last->returns)
		return JUMP_UNPREDICTED;
	if (last->direct)
		return last->falls && !last->calls ? JUMP_CONDITIONAL
						   : JUMP_UNPREDICTED;
	/* A system call goes on behind itself. */
	return last->calls || !last->falls ? JUMP_TO_REGISTER : JUMP_NONE;
}

void run_answer(struct guest_run *r, struct exchange_slot *s, uint32_t block)
{
	if (block != EXCHANGE_NONE) {
		const struct run_block *b = &r->table.blocks[block];
		const struct guest_insn *last =
			table_insn(&r->table, b->insns[b->n_insns - 1]);

		s->settles = settles(r, s);
		s->leaves = leaving_of(last);
		s->jump = jump_of(last);
		for (size_t i = 0; i < b->n_insns; i++)
			answer_insn(r, b, i, &s->answer[i]);
	}
	s->block = block;
	atomic_store(&s->state, SLOT_ANSWERED);
	exchange_wake(&s->state);
}
