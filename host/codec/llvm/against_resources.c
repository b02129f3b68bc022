/* The resources of a class as a source writes them; see against.h. */
#include <string.h>

#include "host/codec/llvm/against.h"
#include "host/codec/llvm/read.h"
#include "host/codec/number.h"

/* ---- resources and ports ------------------------------------------------ */

/* The ports that the table has of a resource with units of its own: those of its
 * name, "A", "A.0", "A.1". */
static model_ports own_ports(const struct model *table, const char *name)
{
	size_t n = strlen(name);
	model_ports ports = 0;

	for (size_t i = 0; i < table->n_ports; i++) {
		const char *port = table->ports[i].name;

		if (strncmp(port, name, n) == 0 &&
		    (port[n] == '\0' || port[n] == '.'))
			ports |= (model_ports)1 << i;
	}
	return ports & ~pseudo_ports(table);
}

void against_read_resources(struct against *w)
{
	struct mc_sched_core core;

	mc_sched_get_core(w->sched, &core);
	w->n_resources = core.n_resources;
	w->resources =
		ARENA_ARRAY(w->a, struct mc_resource, core.n_resources + 1);
	w->ports = ARENA_ARRAY(w->a, model_ports, core.n_resources + 1);
	for (unsigned i = 1; i < core.n_resources; i++) {
		mc_sched_get_resource(w->sched, i, &w->resources[i]);
		w->ports[i] = own_ports(w->table, w->resources[i].name);
	}
	for (unsigned i = 1; i < core.n_resources; i++) {
		const struct mc_resource *r = &w->resources[i];

		for (unsigned k = 0; r->members && k < r->n_units; k++)
			w->ports[i] |= w->ports[r->members[k]];
	}
}

unsigned against_resource(const struct against *w, const char *name, size_t n)
{
	for (unsigned i = 1; i < w->n_resources; i++)
		if (strlen(w->resources[i].name) == n &&
		    memcmp(w->resources[i].name, name, n) == 0)
			return i;
	return 0;
}

/* LLVM's tables also charge what contains a resource, which is taken out again. */
size_t against_uses(const struct against *w, unsigned class,
		    struct mc_sched_use ret[MC_SCHED_MAX_USES])
{
	struct mc_sched_class c = { .n_uses = 0 };
	size_t n = 0;

	(void)mc_sched_get_class(w->sched, class, &c);
	for (size_t left = c.n_uses; left > 0; left--) {
		size_t first = 0;
		struct mc_sched_use u;

		for (size_t i = 1; i < left; i++)
			if (llvm_resource_rank(w->resources,
					       c.uses[i].resource) <
			    llvm_resource_rank(w->resources,
					       c.uses[first].resource))
				first = i;
		u = c.uses[first];
		memmove(&c.uses[first], &c.uses[first + 1],
			(left - first - 1) * sizeof(u));
		if (u.cycles == 0)
			continue;
		ret[n++] = u;
		for (size_t i = 0; i + 1 < left; i++) {
			struct mc_sched_use *x = &c.uses[i];

			if (llvm_charges(w->resources, u.resource, x->resource))
				x->cycles -= x->cycles < u.cycles ? x->cycles
								  : u.cycles;
		}
	}
	return n;
}

/* ---- a write ------------------------------------------------------------ */

static long changed(const struct against_change *list, size_t n, int kind,
		    long value)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].kind == kind &&
		    (kind != TDFILE_PORTS || list[i].before == value))
			return list[i].now;
	return value;
}

void against_put_cost(const struct against *w, const struct against_form *x,
		      const struct against_change *list, size_t n,
		      struct buffer *ret)
{
	struct mc_sched_class c;
	struct mc_sched_use uses[MC_SCHED_MAX_USES];
	size_t n_uses = against_uses(w, x->class, uses);
	bool any_cycles = false;
	long uops;

	(void)mc_sched_get_class(w->sched, x->class, &c);
	for (size_t i = 0; i < n_uses; i++) {
		long k = changed(list, n, TDFILE_PORTS, uses[i].resource);

		buffer_printf(ret, "%s%s", i > 0 ? ", " : "",
			      w->resources[k].name);
		uses[i].cycles = (unsigned)changed(list, n, TDFILE_RELEASE,
						   uses[i].cycles);
		any_cycles = any_cycles || uses[i].cycles != 1;
	}
	buffer_printf(ret, "]> {\n  let Latency = %ld;\n",
		      changed(list, n, TDFILE_LATENCY, x->latency));
	for (size_t i = 0; any_cycles && i < n_uses; i++)
		buffer_printf(ret, "%s%u%s",
			      i > 0 ? ", " : "  let ReleaseAtCycles = [",
			      uses[i].cycles, i + 1 < n_uses ? "" : "];\n");
	uops = changed(list, n, TDFILE_UOPS, c.n_uops);
	if (uops != 1)
		buffer_printf(ret, "  let NumMicroOps = %ld;\n", uops);
	buffer_printf(ret, "}\n");
}
