/* Print an estimate. */
#ifndef ESTIMATE_PRINT_H
#define ESTIMATE_PRINT_H

#include "host/base/file.h"
#include "host/estimate/estimate.h"

/* For a terminal of 80 columns: what to look at, the program, the caches, and
 * the `top` blocks with the most cycles, with their instructions. */
void estimate_print_text(struct buffer *b, const struct program_estimate *x,
			 size_t top);

/* The same numbers as one JSON object, with all hierarchies and `top`
 * blocks. */
void estimate_print_json(struct buffer *b, const struct program_estimate *x,
			 size_t top);

/* One HTML page without scripts: the text, and curves of the miss rates over
 * the sizes and ways that the hierarchies have, as SVG. */
void estimate_print_html(struct buffer *b, const struct program_estimate *x,
			 size_t top);

/* Table of the design space: one line for each level of each hierarchy; without
 * blocks. */
void estimate_print_csv(struct buffer *b, const struct program_estimate *x,
			size_t top);

/* "scalar", "vector", ... */
const char *estimate_class_name(size_t class);

/* Were misses divided into classes? */
static inline bool estimate_has_classes(const struct cache_counts *c)
{
	return c->cold + c->capacity + c->conflict == c->misses;
}

/* "file.c:12", "main+0x20" or an address; belongs to `a`. */
const char *estimate_place(struct arena *a, const struct profile_block *b);

/* Share of a sum in percent; 0 of nothing is 0. */
static inline double estimate_percent(double x, double of)
{
	return of > 0 ? 100 * x / of : 0;
}

static inline double estimate_cycles(const struct program_estimate *x,
				     const struct estimate_block *b)
{
	return b->core + (x->n_traced > 0 ? b->memory[0] + b->branches[0] : 0);
}

static inline double estimate_all_cycles(const struct program_estimate *x)
{
	return x->n_traced > 0 ? x->hierarchies[0].cycles : x->core_cycles;
}

#endif
