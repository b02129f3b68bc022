/* The resources of a class as a source writes them; see against.h.  LLVM's
 * tables also charge each group around a unit, which is taken out again, in the
 * way of llvm-exegesis' analysis. */
#include "host/codec/llvm/against.h"

enum { MOST_RESOURCES = 256 };

struct charges {
	double unit[MOST_RESOURCES]; /* cycles of each resource so far */
	struct buffer names, cycles;
	bool any_cycles;
};

static void add_use(struct charges *k, const struct mc_resource *r,
		    unsigned cycles)
{
	buffer_printf(&k->names, "%s%s", k->names.n > 0 ? ", " : "", r->name);
	buffer_printf(&k->cycles, "%s%u", k->cycles.n > 0 ? ", " : "", cycles);
	k->any_cycles = k->any_cycles || cycles != 1;
}

/* Units and resources of several units first, groups then, the smallest first:
 * LLVM lists them in no useful order. */
static void charge(const struct mc_sched *s, const struct mc_sched_use *u,
		   struct charges *k)
{
	struct mc_resource r;
	double rest = u->cycles;

	mc_sched_get_resource(s, u->resource, &r);
	for (unsigned i = 0; r.members && i < r.n_units; i++)
		if (r.members[i] < MOST_RESOURCES)
			rest -= k->unit[r.members[i]];
	if (rest < 0.5)
		return;
	add_use(k, &r, (unsigned)(rest + 0.5));
	k->unit[u->resource] += rest;
	for (unsigned i = 0; r.members && i < r.n_units; i++)
		if (r.members[i] < MOST_RESOURCES)
			k->unit[r.members[i]] += rest / r.n_units;
}

void against_resources(const struct mc_sched *s, unsigned class, long latency,
		       struct buffer *ret)
{
	struct charges k = { .any_cycles = false };
	struct mc_sched_class c;

	(void)mc_sched_get_class(s, class, &c);
	for (unsigned size = 0; size < MOST_RESOURCES; size++)
		for (size_t i = 0; i < c.n_uses; i++) {
			struct mc_resource r;

			if (c.uses[i].resource >= MOST_RESOURCES)
				continue;
			mc_sched_get_resource(s, c.uses[i].resource, &r);
			if ((r.members ? r.n_units : 0) == size)
				charge(s, &c.uses[i], &k);
		}
	buffer_printf(ret, "%s]> {\n  let Latency = %ld;\n",
		      k.names.n > 0 ? buffer_text(&k.names) : "", latency);
	if (k.any_cycles)
		buffer_printf(ret, "  let ReleaseAtCycles = [%s];\n",
			      buffer_text(&k.cycles));
	if (c.n_uops != 1)
		buffer_printf(ret, "  let NumMicroOps = %u;\n", c.n_uops);
	buffer_printf(ret, "}\n");
	buffer_free(&k.names);
	buffer_free(&k.cycles);
}
