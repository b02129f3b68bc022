/* The sets of ports to saturate, and with what; see saturation.h. */
#include "host/ports/saturation.h"

/* Instances of a fill that are confined to these ports. */
static double load_within(const struct infer *in,
			  const struct matrix_experiment *fill, model_ports set)
{
	double load = 0;

	for (size_t i = 0; i < fill->n; i++)
		if ((in->solution.row[fill->part[i].row] & ~set) == 0)
			load += fill->part[i].count;
	return load;
}

double saturation_load_of(const struct matrix_experiment *fill)
{
	double load = 0;

	for (size_t i = 0; i < fill->n; i++)
		load += fill->part[i].count;
	return load;
}

/* Can the whole set make room for a uop on any of its ports? It cannot when the
 * instances of some subset fill that subset alone. */
static bool is_even(const struct infer *in,
		    const struct matrix_experiment *fill,
		    const struct matrix_flat *flat,
		    const struct matrix_flat *flats, size_t n)
{
	double share =
		saturation_load_of(fill) / model_ports_count(flat->ports);

	for (size_t i = 0; i < n; i++)
		if (flats[i].ports != flat->ports &&
		    (flats[i].ports & ~flat->ports) == 0 &&
		    load_within(in, fill, flats[i].ports) >
			    share * model_ports_count(flats[i].ports) - 0.1)
			return false;
	return true;
}

static bool add_fill(struct matrix_experiment *to,
		     const struct matrix_experiment *more)
{
	struct matrix_experiment sum = *to;

	for (size_t i = 0; i < more->n; i++) {
		size_t k = 0;

		while (k < sum.n && sum.part[k].row != more->part[i].row)
			k++;
		if (k == PORTS_MAX_PARTS - 1)
			return false;
		if (k == sum.n) {
			sum.part[sum.n++] = more->part[i];
			continue;
		}
		sum.part[k].count += more->part[i].count;
	}
	*to = sum;
	return true;
}

/* Add fills of the set with different rows until the set is filled evenly. */
static bool fill_evenly(const struct infer *in, const struct matrix_flat *flat,
			const struct matrix_flat *flats, size_t n,
			struct matrix_experiment *ret)
{
	struct matrix_experiment one;

	*ret = (struct matrix_experiment){ .n = 0 };
	for (int keep = PORTS_NONE; keep < (int)in->n_classes; keep++) {
		if (keep >= 0 && !(flat->rows >> keep & 1))
			continue;
		if (!matrix_fill(&in->solution, flat->rows, keep, &one) ||
		    !add_fill(ret, &one))
			continue;
		if (is_even(in, ret, flat, flats, n))
			return true;
	}
	return false;
}

void saturation_find_targets(struct saturation *w)
{
	struct infer *in = w->in;
	struct matrix_flat *flats =
		ARENA_ARRAY(in->a, struct matrix_flat, MATRIX_MAX_FLATS);
	size_t n = matrix_flats(&in->problem, &in->solution, flats);

	w->targets = ARENA_ARRAY(in->a, struct saturation_target,
				 SATURATION_MAX_TARGETS);
	for (size_t i = 0; i < n && w->n_targets < SATURATION_MAX_TARGETS;
	     i++) {
		struct saturation_target t = {
			.ports = flats[i].ports,
			.n_ports = model_ports_count(flats[i].ports),
		};

		if (fill_evenly(in, &flats[i], flats, n, &t.fill))
			w->targets[w->n_targets++] = t;
	}
}
