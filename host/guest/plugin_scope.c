/* What of a run is counted: all, a region between marks, or what runs while a
 * function is active: from its first instruction until the call that led there
 * returns.
 *
 * The interface of plugins reads no registers, so calls are followed: each call
 * keeps where it returns to, and a return goes back to the last call that
 * returns there.  Calls above that one were left otherwise, by longjmp or an
 * exception.  A return that matches no call (a signal handler's, a switch of
 * stacks) changes nothing. */
#include <stdlib.h>
#include <sys/mman.h>

#include "host/guest/plugin.h"

/* ---- functions ----------------------------------------------------------- */

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

/* ---- regions ------------------------------------------------------------- */

/* The caches keep their lines.  Regions after the first are not counted. */
void plugin_region_begin(unsigned vcpu, void *data)
{
	const struct exchange *x = plugin.x;

	(void)vcpu, (void)data;
	if (atomic_fetch_add(&plugin.x->regions, 1) > 0)
		return;
	(void)pthread_mutex_lock(&plugin.accessing);
	(void)madvise((char *)plugin.slot + x->counts_at,
		      x->heap_at - x->counts_at, MADV_REMOVE);
	if (plugin.slot->sim)
		cache_sim_forget(plugin.slot->sim);
	for (unsigned k = 0; k < PLUGIN_VCPUS; k++)
		if (plugin.vcpus[k]) {
			plugin.vcpus[k]->n_lines = 0;
			plugin.vcpus[k]->site = NULL;
		}
	(void)pthread_mutex_unlock(&plugin.accessing);
}

void plugin_region_end(unsigned vcpu, void *data)
{
	(void)vcpu, (void)data;
	if (plugin.ended || atomic_load(&plugin.x->regions) == 0)
		return;
	plugin_flush_all();
	plugin_part_counters();
}
