/* Counts only while a function is active: enters at its first instruction, and
 * leaves when the call that led there returns.
 *
 * The interface of plugins reads no registers, so calls are followed: each call
 * keeps where it returns to, and a return goes back to the last call that
 * returns there.  Calls above that one were left otherwise, by longjmp or an
 * exception.  A return that matches no call (a signal handler's, a switch of
 * stacks) changes nothing. */
#include <stdlib.h>

#include "host/guest/plugin.h"

struct function_block {
	uint64_t *count;
	uint64_t n_insns;
	struct block_jump jump;
	bool enters;
	uint8_t leaves; /* enum leaving */
};

static void set_idle(struct vcpu *v, bool idle)
{
	if (v->idle == idle)
		return;
	plugin_flush(v);
	v->site = NULL;
	v->idle = idle;
	if (v->cache)
		cache_cpu_count(v->cache, !idle);
}

static void push(struct call_stack *c, uint64_t to)
{
	enum { FIRST = 256 };

	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : FIRST;
		uint64_t *grown = realloc(c->to, room * sizeof(*grown));

		if (!grown)
			return;
		c->to = grown;
		c->room = room;
	}
	c->to[c->n++] = to;
}

static void back(struct vcpu *v, uint64_t to)
{
	struct call_stack *c = &v->calls;
	size_t i = c->n;

	while (i > 0 && c->to[i - 1] != to)
		i--;
	if (i == 0)
		return;
	c->n = i - 1;
	if (v->idle || c->n >= c->base)
		return;
	if (c->n + 1 < c->base)
		atomic_fetch_add(&plugin.x->escaped, 1);
	set_idle(v, true);
}

static void enter(struct vcpu *v)
{
	if (!v->idle)
		return;
	v->calls.base = v->calls.n;
	atomic_fetch_add(&plugin.x->entered, 1);
	set_idle(v, false);
}

static void on_function_block(unsigned vcpu, void *data)
{
	const struct function_block *b = data;
	struct vcpu *v = plugin_vcpu(vcpu);
	struct call_stack *c = &v->calls;

	plugin_predict(v, &b->jump);
	if (c->left == LEAVES_BY_CALL)
		push(c, c->behind);
	else if (c->left == LEAVES_BY_RETURN)
		back(v, b->jump.begin);
	c->left = b->leaves;
	c->behind = b->jump.end;
	if (b->enters)
		enter(v);
	v->blocks++;
	if (v->idle)
		return;
	v->now += b->n_insns;
	__atomic_fetch_add(b->count, 1, __ATOMIC_RELAXED);
}

/* If it was not counted from its begin, the block is counted from here on. */
static void on_entry(unsigned vcpu, void *data)
{
	const struct function_block *b = data;
	struct vcpu *v = plugin_vcpu(vcpu);

	if (!v->idle)
		return;
	enter(v);
	v->now += b->n_insns;
	__atomic_fetch_add(b->count, 1, __ATOMIC_RELAXED);
}

/* NOLINTNEXTLINE(*non-const-parameter): on_entry() counts there. */
void plugin_function_entry(struct qemu_plugin_insn *insn, uint64_t *count,
			   size_t n)
{
	struct function_block *b = malloc(sizeof(*b));

	if (!b)
		return;
	*b = (struct function_block){ .count = count, .n_insns = n };
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_entry,
					       QEMU_PLUGIN_CB_NO_REGS, b);
}

/* NOLINTNEXTLINE(*non-const-parameter): on_function_block() counts there. */
void plugin_function_block(struct qemu_plugin_tb *tb, uint64_t *count, size_t n)
{
	const struct exchange_slot *s = plugin.slot;
	struct function_block *b = malloc(sizeof(*b));

	if (!b)
		return;
	*b = (struct function_block){
		.count = count,
		.n_insns = n,
		.jump = plugin_jump(tb, n),
		.enters = s->answer[0].enters,
		.leaves = s->leaves,
	};
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_function_block,
					     QEMU_PLUGIN_CB_NO_REGS, b);
}

void plugin_function_thread(struct vcpu *v)
{
	v->calls.n = 0;
	v->calls.left = LEAVES_OTHERWISE;
	set_idle(v, true);
}
