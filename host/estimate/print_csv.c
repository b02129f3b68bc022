/* An estimate's design space as CSV; see print.h. */
#include <inttypes.h>

#include "host/base/csv.h"
#include "host/estimate/print.h"

static void csv_line(struct buffer *b, const struct program_estimate *x,
		     const struct estimate_hierarchy *e, size_t l)
{
	const struct cache_level *c = &e->caches->levels[l];
	const struct cache_counts *n = &e->levels[l].counts;

	csv_add_quoted(b, e->caches->name);
	buffer_printf(b,
		      ",%s,%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64
		      ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		      c->name, c->bytes, c->line_bytes, c->ways, n->accesses,
		      x->in->p->accesses, n->misses, n->cold);
	if (estimate_has_classes(n))
		buffer_printf(b, ",%" PRIu64 ",%" PRIu64, n->capacity,
			      n->conflict);
	else
		buffer_printf(b, ",,");
	buffer_printf(b, ",%" PRIu64, n->writebacks);
	if (e->traced)
		buffer_printf(b, ",%.0f,%.6g,%.6g\n", e->cycles, e->ipc,
			      e->levels[l].bytes_per_cycle);
	else
		buffer_printf(b, ",,,\n");
}

void estimate_print_csv(struct buffer *b, const struct program_estimate *x,
			size_t top)
{
	(void)top;
	buffer_printf(b, "hierarchy,level,bytes,line_bytes,ways,accesses,"
			 "memory_instructions,misses,cold,capacity,conflict,"
			 "writebacks,cycles,ipc,bytes_per_cycle\n");
	for (size_t h = 0; h < x->n_hierarchies; h++)
		for (size_t l = 0; l < x->hierarchies[h].caches->n_levels; l++)
			csv_line(b, x, &x->hierarchies[h], l);
}
