/* What all cores together load in a cycle; see node.h. */
#include <math.h>
#include <string.h>

#include "host/node/node.h"

/* The row of the widest loads of all cores; NULL: none. */
static const struct node_row *find_row(const struct node_result *r,
				       const char *level)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i].kind == NODE_LOAD &&
		    r->rows[i].n_cores == r->n_cores &&
		    strcmp(r->rows[i].level, level) == 0)
			return &r->rows[i];
	return NULL;
}

static double cycles_per_s(const struct node_result *r,
			   const struct node_row *row)
{
	double sum = 0;
	size_t n = 0;

	if (row->clock.value > 0)
		return row->clock.value;
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i].n_cores == row->n_cores &&
		    r->rows[i].clock.value > 0) {
			sum += r->rows[i].clock.value;
			n++;
		}
	return n > 0 ? sum / (double)n : 0;
}

/* Do the arrays of the cores that share the level fit so many bytes? */
static bool fits(const struct node_result *r, const struct node_row *row,
		 uint64_t most_bytes)
{
	uint64_t sharers = 1;

	for (size_t i = 0; i < r->levels.n; i++)
		if (strcmp(r->levels.at[i].name, row->level) == 0 &&
		    r->levels.at[i].sharers > 1)
			sharers = r->levels.at[i].sharers;
	if (row->n_cores > 0 && sharers > row->n_cores)
		sharers = row->n_cores;
	return row->bytes * row->n_arrays <= most_bytes / sharers;
}

/* Are the arrays in memory four times what the cores have of the last cache? */
static bool is_beyond(const struct node_result *r, const struct node_row *row)
{
	enum { TIMES_CACHE = 4 };
	uint64_t share = 0;

	for (size_t i = 0; i < r->levels.n; i++) {
		const struct node_level *x = &r->levels.at[i];
		uint64_t sharers =
			x->sharers < row->n_cores ? x->sharers : row->n_cores;

		if (x->bytes > 0)
			share = x->bytes / (sharers ? sharers : 1);
	}
	return row->bytes * row->n_arrays / TIMES_CACHE >= share;
}

const char *node_loads_of_all(const struct node_result *r, const char *level,
			      uint64_t most_bytes, struct node_value *ret)
{
	const struct node_row *row = find_row(r, level);
	double clock;

	*ret = (struct node_value){ .value = 0 };
	if (!row)
		return "no array size fits this level only, on all cores";
	if (row->problem)
		return row->problem;
	if (most_bytes > 0 && !fits(r, row, most_bytes))
		return "the arrays are larger than the size found for the "
		       "level";
	if (most_bytes == 0 && !is_beyond(r, row))
		return "the arrays are less than four times the last cache";
	clock = cycles_per_s(r, row);
	if (clock <= 0)
		return "the clock of the cores is not known";
	*ret = row->value;
	ret->value /= clock;
	ret->low = fmin(ret->low / clock, ret->value);
	ret->high = fmax(ret->high / clock, ret->value);
	return NULL;
}
