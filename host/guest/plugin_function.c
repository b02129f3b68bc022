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

void plugin_on_function_block(unsigned vcpu, void *data)
{
	const struct plugin_block *b = data;
	struct vcpu *v = plugin_vcpu(vcpu);
	struct call_stack *c = &v->calls;

	plugin_predict(v, b);
	if (c->left == LEAVES_BY_CALL)
		push(c, c->behind);
	else if (c->left == LEAVES_BY_RETURN)
		back(v, b->begin);
	c->left = b->leaves;
	c->behind = b->end;
	if (b->enters)
		enter(v);
	v->blocks++;
	if (v->idle)
		return;
	v->now += b->n_insns;
	plugin_count(b->count, 1);
}

void plugin_on_function_entry(unsigned vcpu, void *data)
{
	const struct plugin_block *b = data;
	struct vcpu *v = plugin_vcpu(vcpu);

	if (!v->idle)
		return;
	enter(v);
	v->now += b->n_insns;
	plugin_count(b->count, 1);
}

void plugin_function_thread(struct vcpu *v)
{
	v->calls.n = 0;
	v->calls.left = LEAVES_OTHERWISE;
	set_idle(v, true);
}
