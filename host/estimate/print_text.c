/* An estimate as text; see print.h. */
#include <inttypes.h>
#include <string.h>

#include "host/estimate/print.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"

enum { CODE_TEXT = 128 };

/* The end of a line: mean share of lanes of n vector instructions. */
static void print_lanes(struct buffer *b, uint64_t n, uint64_t n_known,
			double lanes)
{
	if (n == 0)
		return;
	if (n_known == 0)
		buffer_printf(b, "lanes in use unknown\n");
	else
		buffer_printf(b, "%.1f %% of the lanes in use",
			      estimate_percent(lanes, (double)n_known));
	if (n_known > 0 && n_known < n)
		buffer_printf(
			b, ", %.1f %% unknown",
			estimate_percent((double)(n - n_known), (double)n));
	if (n_known > 0)
		buffer_printf(b, "\n");
}

static void print_program(struct buffer *b, const struct program_estimate *x)
{
	const struct profile *p = x->in->p;

	buffer_printf(b, "\ninstructions  %15" PRIu64 "\n", p->instructions);
	for (size_t i = 0; i < PROFILE_N_CLASSES; i++)
		buffer_printf(b, "  %-10s  %15" PRIu64 "  %5.1f %%\n",
			      estimate_class_name(i), p->of_class[i],
			      estimate_percent((double)p->of_class[i],
					       (double)p->instructions));
	if (p->vectors > 0)
		buffer_printf(b, "vector lanes  %15" PRIu64 "  instructions, ",
			      p->vectors);
	print_lanes(b, p->vectors, p->vectors_known, p->lane_shares);
	buffer_printf(b, "cycles        %15.0f  %s\n", estimate_all_cycles(x),
		      x->n_traced > 0 ? "with the first caches"
				      : "of the core");
	if (x->n_traced > 0)
		buffer_printf(b, "  waiting     %15.0f  %5.1f %% for memory\n",
			      x->hierarchies[0].memory_cycles,
			      estimate_percent(x->hierarchies[0].memory_cycles,
					       estimate_all_cycles(x)));
	if (x->n_traced > 0 && p->predicts)
		buffer_printf(
			b,
			"  jumps       %15.0f  %5.1f %% for %" PRIu64
			" mispredicted ones, %.2f %%\n",
			x->hierarchies[0].branch_cycles,
			estimate_percent(x->hierarchies[0].branch_cycles,
					 estimate_all_cycles(x)),
			p->mispredicted,
			estimate_percent((double)p->mispredicted,
					 (double)p->of_class[PROFILE_BRANCH]));
	if (estimate_all_cycles(x) > 0)
		buffer_printf(b, "IPC           %15.2f\n",
			      (double)p->instructions / estimate_all_cycles(x));
	if (p->accesses > 0)
		buffer_printf(b,
			      "memory        %15" PRIu64
			      "  instructions, %.3f lines each\n",
			      p->accesses,
			      (double)p->lines / (double)p->accesses);
}

/* ---- caches -------------------------------------------------------------- */

static void print_counts(struct buffer *b, const struct program_estimate *x,
			 const char *name, const struct cache_counts *c)
{
	double misses = (double)c->misses;

	buffer_printf(b, "  %-4s %13" PRIu64 " %13" PRIu64 " %7.3f %7.3f", name,
		      c->accesses, c->misses,
		      estimate_percent(misses, (double)c->accesses),
		      estimate_percent(misses, (double)x->in->p->accesses));
	if (estimate_has_classes(c))
		buffer_printf(b, " %5.1f %5.1f %5.1f",
			      estimate_percent((double)c->cold, misses),
			      estimate_percent((double)c->capacity, misses),
			      estimate_percent((double)c->conflict, misses));
	else
		buffer_printf(b, " %5s %5s %5s", "-", "-", "-");
}

static void print_levels(struct buffer *b, const struct program_estimate *x,
			 size_t h)
{
	static const char *const tlbs[CACHE_TLB_LEVELS] = { "tlb1", "tlb2" };
	const struct estimate_hierarchy *e = &x->hierarchies[h];
	const struct cache_hierarchy *c = e->caches;

	for (size_t l = 0; l < c->n_levels; l++) {
		print_counts(b, x, c->levels[l].name, &e->levels[l].counts);
		if (e->traced)
			buffer_printf(b, " %8.3f",
				      e->levels[l].bytes_per_cycle);
		buffer_printf(b, "\n");
	}
	for (size_t l = 0; l < c->tlb.n_levels && e->tlb_counts; l++) {
		print_counts(b, x, tlbs[l], &e->tlb_counts[l]);
		buffer_printf(b, "\n");
	}
}

static void print_mshr(struct buffer *b, const struct program_estimate *x,
		       size_t h)
{
	const struct estimate_hierarchy *e = &x->hierarchies[h];

	buffer_printf(
		b,
		"  cycles %.0f, IPC %.2f, waiting %.0f; misses in flight: "
		"%.1f, 99 %%: %" PRIu32 "\n",
		e->cycles, e->ipc, e->memory_cycles, e->entries_mean,
		e->entries_needed);
	for (size_t i = 0; i < x->in->n_mshr; i++)
		buffer_printf(b,
			      "  with %" PRIu32 " entries for misses: %.0f "
			      "stall cycles\n",
			      e->mshr[i].entries, e->mshr[i].stall_cycles);
}

static void print_hierarchies(struct buffer *b,
			      const struct program_estimate *x)
{
	if (x->n_hierarchies == 0)
		return;
	buffer_printf(b,
		      "\nCaches: lines asked for, misses, their share of these "
		      "and of the memory\ninstructions in %%; of the misses, "
		      "cold, capacity and conflict in %%; bytes a cycle\n\n"
		      "  %-4s %13s %13s %7s %7s %5s %5s %5s %8s\n",
		      "", "lines", "misses", "/lines", "/insns", "cold", "cap",
		      "conf", "bytes");
	for (size_t h = 0; h < x->n_hierarchies; h++) {
		buffer_printf(b, "%s\n", x->hierarchies[h].caches->name);
		print_levels(b, x, h);
		if (x->hierarchies[h].traced)
			print_mshr(b, x, h);
	}
	if (x->n_traced < x->n_hierarchies)
		buffer_printf(b,
			      "Cycles are known for the first %zu hierarchies "
			      "only.\n",
			      x->n_traced);
	if (x->n_traced > 0)
		buffer_printf(b,
			      "Counts are exact. Waiting comes from samples "
			      "with %.3g %% of the lines.\n",
			      100 * x->sampled);
}

/* ---- blocks -------------------------------------------------------------- */

static void print_code(struct buffer *b, const struct program_estimate *x,
		       const struct profile_block *p)
{
	const unsigned char *code = p->code;
	char text[CODE_TEXT];

	for (uint32_t i = 0; i < p->n_insns; i++) {
		if (instance_text(x->in->c, code, p->sizes[i], text,
				  sizeof(text)) == 0)
			(void)strcpy(text, "(data)");
		buffer_printf(b, "        %12" PRIx64 "  %s\n",
			      p->address + (uint64_t)(code - p->code), text);
		code += p->sizes[i];
	}
}

static void print_block(struct buffer *b, const struct program_estimate *x,
			const struct estimate_block *e)
{
	const struct profile_block *p = &x->in->p->blocks[e->block];
	double cycles = estimate_cycles(x, e);
	struct arena a = { 0 };

	buffer_printf(b,
		      "\n%5.1f %%  %s, %" PRIu64 " times %.2f cycles, IPC "
		      "%.2f\n",
		      estimate_percent(cycles, estimate_all_cycles(x)),
		      estimate_place(&a, p), p->count,
		      cycles / (double)p->count,
		      cycles > 0 ? (double)p->count * p->n_insns / cycles : 0);
	buffer_printf(b, "         %s: %s\n", estimate_bound_name(e->bound),
		      e->why);
	if (p->n_vector > 0)
		buffer_printf(b, "         %" PRIu32 " vector instructions, ",
			      p->n_vector);
	print_lanes(b, p->n_vector, p->n_lanes_known, p->lane_shares);
	if (x->n_traced > 0 && e->memory[0] > 0)
		buffer_printf(b, "         waiting for memory: %.1f %%\n",
			      estimate_percent(e->memory[0], cycles));
	if (x->n_traced > 0 && e->branches[0] > 0)
		buffer_printf(b,
			      "         mispredicted jumps: %.1f %%, %" PRIu64
			      "\n",
			      estimate_percent(e->branches[0], cycles),
			      p->mispredicted);
	if (e->n_assumed > 0)
		buffer_printf(b,
			      "         %" PRIu32 " instructions have assumed "
			      "costs\n",
			      e->n_assumed);
	print_code(b, x, p);
	arena_free(&a);
}

void estimate_print_text(struct buffer *b, const struct program_estimate *x,
			 size_t top)
{
	const char *notes = x->in->p->notes;

	buffer_printf(b, "%s\n", x->headline);
	print_program(b, x);
	print_hierarchies(b, x);
	if (top > 0 && x->n_blocks > 0)
		buffer_printf(b, "\nBlocks by cycles\n");
	for (size_t i = 0; i < x->n_blocks && i < top; i++)
		print_block(b, x, &x->blocks[i]);
	if (x->unpredicted + x->assumed > 0)
		buffer_printf(
			b,
			"\n%.2f %% of the instructions were not predicted, "
			"%.2f %% have assumed costs.\n",
			estimate_percent((double)x->unpredicted,
					 (double)x->in->p->instructions),
			estimate_percent((double)x->assumed,
					 (double)x->in->p->instructions));
	if (notes && *notes != '\0')
		buffer_printf(b, "\n%s\n", notes);
}
