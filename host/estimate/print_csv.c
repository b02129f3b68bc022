/* An estimate's design space as CSV; see print.h. */
#include <inttypes.h>
#include <string.h>

#include "host/estimate/print.h"

/* Names come from file names: a quote is doubled (RFC 4180). */
static void csv_name(struct buffer *b, const char *s)
{
	buffer_add(b, "\"", 1);
	for (; *s != '\0'; s++) {
		if (*s == '"')
			buffer_add(b, "\"", 1);
		buffer_add(b, s, 1);
	}
	buffer_add(b, "\"", 1);
}

static void csv_line(struct buffer *b, const struct program_estimate *x,
		     size_t h, size_t l)
{
	const struct cache_level *c = &x->in->hierarchies[h].levels[l];
	const struct estimate_hierarchy *e = &x->hierarchies[h];
	const struct cache_counts *n = &e->levels[l].counts;
	bool classes = n->cold + n->capacity + n->conflict == n->misses;

	csv_name(b, x->in->hierarchies[h].name);
	buffer_printf(b,
		      ",%s,%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64
		      ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
		      c->name, c->bytes, c->line_bytes, c->ways, n->accesses,
		      x->in->p->accesses, n->misses, n->cold);
	if (classes)
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

void estimate_print_csv(struct buffer *b, const struct program_estimate *x)
{
	buffer_printf(b, "hierarchy,level,bytes,line_bytes,ways,accesses,"
			 "memory_instructions,misses,cold,capacity,conflict,"
			 "writebacks,cycles,ipc,bytes_per_cycle\n");
	for (size_t h = 0; h < x->in->n_hierarchies; h++)
		for (size_t l = 0; l < x->in->hierarchies[h].n_levels; l++)
			csv_line(b, x, h, l);
}
