/* An estimate as JSON; see print.h. */
#include <inttypes.h>
#include <string.h>

#include "host/base/json.h"
#include "host/estimate/print.h"

static void field(struct buffer *b, const char *name, const char *value)
{
	buffer_printf(b, "\"%s\": ", name);
	json_add_string(b, value);
}

/* Mean share of the lanes in use, of the instructions where it is known. */
static void json_lanes(struct buffer *b, uint64_t n, uint64_t n_known,
		       double lanes)
{
	buffer_printf(b,
		      "\"vector_lanes\": {\"instructions\": %" PRIu64
		      ", \"known\": %" PRIu64 ", \"share\": ",
		      n, n_known);
	if (n_known > 0)
		buffer_printf(b, "%.6g}", lanes / (double)n_known);
	else
		buffer_printf(b, "%s}", n > 0 ? "\"unknown\"" : "null");
}

static void json_program(struct buffer *b, const struct program_estimate *x)
{
	const struct profile *p = x->in->p;

	buffer_printf(b, "  ");
	field(b, "look_at", x->headline);
	buffer_printf(b,
		      ",\n  \"instructions\": %" PRIu64
		      ",\n  \"instructions_of_class\": {",
		      p->instructions);
	for (size_t i = 0; i < PROFILE_N_CLASSES; i++)
		buffer_printf(b, "%s\"%s\": %" PRIu64, i > 0 ? ", " : "",
			      estimate_class_name(i), p->of_class[i]);
	buffer_printf(b,
		      "},\n  \"memory_instructions\": %" PRIu64
		      ",\n  \"lines\": %" PRIu64 ",\n  \"bytes\": %" PRIu64
		      ",\n  \"line_bytes\": %" PRIu32
		      ",\n  \"core_cycles\": %.17g,\n  \"cycles\": %.17g,\n",
		      p->accesses, p->lines, p->bytes, p->line_bytes,
		      x->core_cycles, estimate_all_cycles(x));
	buffer_printf(b, "  ");
	json_lanes(b, p->vectors, p->vectors_known, p->lane_shares);
	buffer_printf(b, ",\n");
	buffer_printf(b,
		      "  \"sampled_share\": %.6g,\n  \"not_predicted\": "
		      "%" PRIu64 ",\n  \"assumed\": %" PRIu64
		      ",\n  \"status\": %d,\n  \"signal\": %d,\n  ",
		      x->sampled, x->unpredicted, x->assumed, p->status,
		      p->signal);
	field(b, "notes", p->notes ? p->notes : "");
	buffer_printf(b, ",\n");
}

static void json_level(struct buffer *b, const struct estimate_hierarchy *e,
		       size_t l)
{
	const struct cache_level *c = &e->caches->levels[l];
	const struct cache_counts *n = &e->levels[l].counts;

	buffer_printf(b, "%s\n      {", l > 0 ? "," : "");
	field(b, "name", c->name);
	buffer_printf(
		b,
		", \"size\": %" PRIu64 ", \"line\": %" PRIu32
		", \"ways\": %" PRIu32 ", \"shared\": %s, \"accesses\": "
		"%" PRIu64 ", \"misses\": %" PRIu64 ", \"cold\": %" PRIu64,
		c->bytes, c->line_bytes, c->ways, c->shared ? "true" : "false",
		n->accesses, n->misses, n->cold);
	if (estimate_has_classes(n))
		buffer_printf(b,
			      ", \"capacity\": %" PRIu64
			      ", \"conflict\": %" PRIu64,
			      n->capacity, n->conflict);
	buffer_printf(b, ", \"writebacks\": %" PRIu64 ", \"bytes\": %.17g",
		      n->writebacks, e->levels[l].bytes);
	if (e->traced)
		buffer_printf(b, ", \"bytes_per_cycle\": %.6g",
			      e->levels[l].bytes_per_cycle);
	buffer_printf(b, "}");
}

static void json_hierarchy(struct buffer *b, const struct program_estimate *x,
			   size_t h)
{
	const struct estimate_hierarchy *e = &x->hierarchies[h];

	buffer_printf(b, "%s\n    {", h > 0 ? "," : "");
	field(b, "name", e->caches->name);
	buffer_printf(b, ", \"levels\": [");
	for (size_t l = 0; l < e->caches->n_levels; l++)
		json_level(b, e, l);
	buffer_printf(b, "], \"tlb\": [");
	for (size_t l = 0; l < e->caches->tlb.n_levels && e->tlb_counts; l++)
		buffer_printf(b,
			      "%s{\"accesses\": %" PRIu64
			      ", \"misses\": %" PRIu64 "}",
			      l > 0 ? ", " : "", e->tlb_counts[l].accesses,
			      e->tlb_counts[l].misses);
	buffer_printf(b, "]");
	if (e->traced) {
		buffer_printf(b,
			      ",\n     \"cycles\": %.17g, \"memory_cycles\": "
			      "%.17g, \"branch_cycles\": %.17g, "
			      "\"ipc\": %.6g, \"entries_mean\": %.6g, "
			      "\"entries_needed\": %" PRIu32 ", \"mshr\": [",
			      e->cycles, e->memory_cycles, e->branch_cycles,
			      e->ipc, e->entries_mean, e->entries_needed);
		for (size_t i = 0; i < x->in->n_mshr; i++)
			buffer_printf(b,
				      "%s{\"entries\": %" PRIu32
				      ", \"stall_cycles\": %.17g}",
				      i > 0 ? ", " : "", e->mshr[i].entries,
				      e->mshr[i].stall_cycles);
		buffer_printf(b, "]");
	}
	buffer_printf(b, "}");
}

/* Of each level of all hierarchies. */
static void json_misses(struct buffer *b, const struct program_estimate *x,
			const struct profile_access *a)
{
	const uint32_t *first = x->in->p->first_level;
	bool any = false;

	for (size_t h = 0; h < x->n_hierarchies; h++) {
		const struct estimate_hierarchy *e = &x->hierarchies[h];

		for (size_t l = 0; l < e->caches->n_levels; l++) {
			buffer_printf(b, "%s%" PRIu64, any ? ", " : "",
				      a->misses[first[e->simulated] + l]);
			any = true;
		}
	}
}

static void json_accesses(struct buffer *b, const struct program_estimate *x,
			  const struct profile_block *k)
{
	buffer_printf(b, ", \"accesses\": [");
	for (uint32_t i = 0; i < k->n_accesses; i++) {
		const struct profile_access *a = &k->accesses[i];

		buffer_printf(b,
			      "%s\n      {\"offset\": %" PRIu32
			      ", \"executions\": %" PRIu64
			      ", \"bytes\": %" PRIu64 ", \"lines\": %" PRIu64
			      ", \"misses\": [",
			      i > 0 ? "," : "", a->offset, a->executions,
			      a->bytes, a->lines);
		json_misses(b, x, a);
		buffer_printf(b, "]}");
	}
	buffer_printf(b, "]");
}

static void json_block(struct buffer *b, const struct program_estimate *x,
		       size_t i)
{
	const struct estimate_block *e = &x->blocks[i];
	const struct profile_block *k = &x->in->p->blocks[e->block];
	struct arena a = { 0 };

	buffer_printf(b, "%s\n    {", i > 0 ? "," : "");
	field(b, "place", estimate_place(&a, k));
	buffer_printf(b,
		      ", \"address\": %" PRIu64 ", \"count\": %" PRIu64
		      ", \"instructions\": %" PRIu32
		      ", \"core_cycles\": %.17g, \"memory_cycles\": [",
		      k->address, k->count, k->n_insns, e->core);
	for (size_t h = 0; h < x->n_traced; h++)
		buffer_printf(b, "%s%.17g", h > 0 ? ", " : "", e->memory[h]);
	buffer_printf(b, "], ");
	field(b, "bound", estimate_bound_name(e->bound));
	buffer_printf(b, ", ");
	field(b, "why", e->why);
	buffer_printf(b, ", \"assumed\": %" PRIu32, e->n_assumed);
	if (x->in->p->predicts)
		buffer_printf(b, ", \"mispredicted\": %" PRIu64,
			      k->mispredicted);
	buffer_printf(b, ", ");
	json_lanes(b, k->n_vector, k->n_lanes_known, k->lane_shares);
	json_accesses(b, x, k);
	buffer_printf(b, "}");
	arena_free(&a);
}

void estimate_print_json(struct buffer *b, const struct program_estimate *x,
			 size_t top)
{
	buffer_printf(b, "{\n");
	json_program(b, x);
	buffer_printf(b, "  \"hierarchies\": [");
	for (size_t h = 0; h < x->n_hierarchies; h++)
		json_hierarchy(b, x, h);
	buffer_printf(b, "],\n  \"blocks\": [");
	for (size_t i = 0; i < x->n_blocks && i < top; i++)
		json_block(b, x, i);
	buffer_printf(b, "]\n}\n");
}
