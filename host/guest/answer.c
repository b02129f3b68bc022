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
	const struct run_table *t = &r->table;
	const struct guest_insn *move, *mark;

	if (!r->request.marked || i == 0)
		return REGION_GOES_ON;
	move = &t->decoded[t->insns[b->insns[i - 1]].what].insn;
	mark = &t->decoded[t->insns[b->insns[i]].what].insn;
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
	const struct guest_insn *g = &t->decoded[n->what].insn;

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

static uint8_t leaving_of(const struct guest_run *r, const struct run_block *b)
{
	const struct run_table *t = &r->table;
	uint32_t last = b->insns[b->n_insns - 1];
	const struct guest_insn *g = &t->decoded[t->insns[last].what].insn;

	return g->calls     ? LEAVES_BY_CALL
	       : g->returns ? LEAVES_BY_RETURN
			    : LEAVES_OTHERWISE;
}

static uint8_t jump_of(const struct guest_run *r, const struct run_block *b)
{
	const struct run_table *t = &r->table;
	uint32_t last = b->insns[b->n_insns - 1];
	const struct guest_insn *g = &t->decoded[t->insns[last].what].insn;

	if (!g->branch)
		return JUMP_NONE;
	if (g->returns)
		return JUMP_UNPREDICTED;
	if (g->direct)
		return g->falls && !g->calls ? JUMP_CONDITIONAL
					     : JUMP_UNPREDICTED;
	/* A system call goes on behind itself. */
	return g->calls || !g->falls ? JUMP_TO_REGISTER : JUMP_NONE;
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

/* Before the first block with an access that is found from the CPU state.  False
 * if that cannot be done: the run ends. */
static bool find_state(struct guest_run *r, struct exchange_slot *s,
		       const struct run_block *b)
{
	const struct run_table *t = &r->table;
	bool any = s->settles = settles(r, s);

	for (size_t i = 0; i < b->n_insns && !any; i++)
		any = t->decoded[t->insns[b->insns[i]].what].insn.state.any;
	return !any || !r->x->accesses || r->request.probe ||
	       run_find_layout(r, &r->failure) == ERR_OK;
}

void run_answer(struct guest_run *r, struct exchange_slot *s)
{
	struct run_table *t = &r->table;
	struct question_insn q[EXCHANGE_INSNS];
	uint32_t block = EXCHANGE_NONE;
	size_t n;

	if (take(s, q, &n)) {
		n = without_cut(r->request.c, q, n);
		s->n_insns = (uint32_t)n;

		uint32_t m = table_mapping(t, atomic_load(&s->pid),
					   q[0].address, s->guest_base);

		block = table_block(t, r->request.c, q, n, m);
	}
	if (block != EXCHANGE_NONE && !find_state(r, s, &t->blocks[block]))
		block = EXCHANGE_NONE;
	if (block != EXCHANGE_NONE) {
		s->leaves = leaving_of(r, &t->blocks[block]);
		s->jump = jump_of(r, &t->blocks[block]);
		for (size_t i = 0; i < n; i++)
			answer_insn(r, &t->blocks[block], i, &s->answer[i]);
	}
	s->block = block;
	atomic_store(&s->state, SLOT_ANSWERED);
	exchange_wake(&s->state);
}
