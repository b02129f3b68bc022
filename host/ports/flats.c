/* Flats: unions of rows of a known matrix, and the mixes that show them. */
#include <stdlib.h>
#include <string.h>

#include "host/ports/matrix.h"

model_ports matrix_union(const struct matrix_solution *s, uint32_t rows)
{
	model_ports set = 0;

	for (size_t r = 0; r < PORTS_MAX_CLASSES; r++)
		if (rows >> r & 1)
			set |= s->row[r];
	return set;
}

static uint32_t rows_within(const struct matrix_problem *p,
			    const struct matrix_solution *s, model_ports set)
{
	uint32_t rows = 0;

	for (size_t r = 0; r < p->n_rows; r++)
		if (s->row[r] != 0 && (s->row[r] & ~set) == 0)
			rows |= 1u << r;
	return rows;
}

static int flats_by_size(const void *x, const void *y)
{
	const struct matrix_flat *a = x, *b = y;
	unsigned na = model_ports_count(a->ports);
	unsigned nb = model_ports_count(b->ports);

	if (na != nb)
		return na < nb ? -1 : 1;
	return (a->ports > b->ports) - (a->ports < b->ports);
}

size_t matrix_flats(const struct matrix_problem *p,
		    const struct matrix_solution *s,
		    struct matrix_flat ret[MATRIX_MAX_FLATS])
{
	size_t n = 0;

	for (size_t r = 0; r < p->n_rows; r++) {
		size_t before = n;

		if (s->row[r] == 0)
			continue;
		for (size_t i = 0; i <= before && n < MATRIX_MAX_FLATS; i++) {
			model_ports set =
				s->row[r] | (i < before ? ret[i].ports : 0);
			size_t at = 0;

			while (at < n && ret[at].ports != set)
				at++;
			if (at == n && model_ports_count(set) < p->cap)
				ret[n++].ports = set;
		}
	}
	for (size_t i = 0; i < n; i++)
		ret[i].rows = rows_within(p, s, ret[i].ports);
	qsort(ret, n, sizeof(*ret), flats_by_size);
	return n;
}

/* A minimal set of rows with the same union: add the widest rows first, then
 * remove each row that the others make superfluous. */
static uint32_t flats_cover(const struct matrix_solution *s, uint32_t rows,
			    int keep)
{
	uint32_t kept = keep < 0 ? 0 : 1u << keep, chosen = kept;
	model_ports all = matrix_union(s, rows), have = matrix_union(s, kept);

	while (have != all) {
		unsigned most = 0;
		size_t best = 0;

		for (size_t r = 0; r < PORTS_MAX_CLASSES; r++) {
			unsigned gain =
				rows >> r & 1
					? model_ports_count(s->row[r] & ~have)
					: 0;

			if (gain > most) {
				most = gain;
				best = r;
			}
		}
		chosen |= 1u << best;
		have |= s->row[best];
	}
	for (size_t r = 0; r < PORTS_MAX_CLASSES; r++)
		if ((chosen & ~kept) >> r & 1 &&
		    matrix_union(s, chosen & ~(1u << r)) == all)
			chosen &= ~(1u << r);
	return chosen;
}

/* Of the rows that can use a port, the one that owns the fewest ports so far;
 * of equals, the narrowest. Each row of a minimal set has a port of its own. */
static size_t flats_owner(const struct matrix_solution *s, unsigned port,
			  const struct matrix_experiment *x)
{
	size_t best = x->n;

	for (size_t i = 0; i < x->n; i++) {
		if (!(s->row[x->part[i].row] >> port & 1))
			continue;
		if (best == x->n || x->part[i].count < x->part[best].count)
			best = i;
	}
	return best;
}

static unsigned n_rows_at(const struct matrix_solution *s,
			  const struct matrix_experiment *x, unsigned port)
{
	unsigned n = 0;

	for (size_t i = 0; i < x->n; i++)
		n += (unsigned)(s->row[x->part[i].row] >> port & 1);
	return n;
}

bool matrix_fill(const struct matrix_solution *s, uint32_t rows, int keep,
		 struct matrix_experiment *ret)
{
	uint32_t chosen = flats_cover(s, rows, keep);
	struct matrix_experiment x = { .n = 0 };

	for (uint32_t r = 0; r < PORTS_MAX_CLASSES; r++) {
		if (!(chosen >> r & 1))
			continue;
		if (x.n == PORTS_MAX_PARTS)
			return false;
		x.part[x.n++].row = r;
	}
	/* Ports with one possible owner first. */
	for (unsigned n = 1; n <= x.n; n++)
		for (unsigned port = 0; port < MODEL_MAX_PORTS; port++)
			if (n_rows_at(s, &x, port) == n)
				x.part[flats_owner(s, port, &x)].count++;
	*ret = x;
	return true;
}

double matrix_cycles(const struct matrix_problem *p,
		     const struct matrix_solution *s,
		     const struct matrix_experiment *x)
{
	struct model_use uses[PORTS_MAX_PARTS];
	double slots = 0, bound;

	for (size_t i = 0; i < x->n; i++) {
		uses[i] = (struct model_use){ s->row[x->part[i].row],
					      x->part[i].count, 1 };
		slots += x->part[i].count;
	}
	bound = model_port_bound(uses, x->n, NULL);
	return bound > slots / p->width ? bound : slots / p->width;
}

/* Fill each union of one matrix that is larger in the other. */
static double flats_separate(const struct matrix_problem *p,
			     const struct matrix_solution *x,
			     const struct matrix_solution *y, double best,
			     struct matrix_experiment *ret)
{
	struct matrix_flat *flats =
		xrealloc(NULL, MATRIX_MAX_FLATS, sizeof(*flats));
	size_t n = matrix_flats(p, x, flats);

	for (size_t i = 0; i < n; i++) {
		if (model_ports_count(matrix_union(y, flats[i].rows)) <=
		    model_ports_count(flats[i].ports))
			continue;
		for (int keep = PORTS_NONE; keep < (int)p->n_rows; keep++) {
			struct matrix_experiment mix;
			double ratio;

			if ((keep >= 0 && !(flats[i].rows >> keep & 1)) ||
			    !matrix_fill(x, flats[i].rows, keep, &mix))
				continue;
			ratio = matrix_cycles(p, x, &mix) /
				matrix_cycles(p, y, &mix);
			if (ratio - 1 > best + 1e-9) {
				best = ratio - 1;
				*ret = mix;
			}
		}
	}
	free(flats);
	return best;
}

bool matrix_separate(const struct matrix_problem *p,
		     const struct matrix_solution *x,
		     const struct matrix_solution *y, double least,
		     struct matrix_experiment *ret)
{
	double best = flats_separate(p, x, y, least, ret);

	return flats_separate(p, y, x, best, ret) > least;
}
