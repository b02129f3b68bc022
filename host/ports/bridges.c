/* Classes that bridge others.
 *
 * All ports of a class may be in two other classes, whose union has at least as
 * many ports as the front end is wide.  Either these two share ports, or the
 * class is none: each of its forms has a uop on ports of each.  Slots would
 * tell, but without a filler they are unknown.  So the class is excluded from
 * the matrix, and its forms are measured with saturation kernels, which can
 * show several uops.  A false overlap would give wrong ports to all forms.
 *
 * Seen on a Zen 5: KMOVB to a general register takes time of integer ports, of
 * vector ports and of loads, all of which seemed to share ports. */
#include "host/base/monotonic.h"
#include "host/ports/evidence.h"

/* Are all ports of the class ports of two others whose union the width hides,
 * and none of which contains the other? */
static bool is_within_two(const struct infer *in, size_t c)
{
	const model_ports *row = in->solution.row;

	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t k = 0; k < i; k++)
			if (i != c && k != c && !in->classes[i].out &&
			    !in->classes[k].out &&
			    (row[c] & ~(row[i] & row[k])) == 0 &&
			    (row[i] & ~row[k]) != 0 &&
			    (row[k] & ~row[i]) != 0 &&
			    model_ports_count(row[i] | row[k]) >= in->cap)
				return true;
	return false;
}

/* The bridge without which the fewest pairs of classes overlap although the
 * width hides it; n_classes: without none there are fewer. */
static size_t find_bridge(struct infer *in)
{
	const struct matrix_problem *all = evidence_question(in);
	double start = monotonic_cpu_s();
	size_t ret = in->n_classes, least = SIZE_MAX;

	for (size_t c = 0; c < in->n_classes; c++) {
		size_t n = matrix_n_hidden(all, &in->solution, (int)c), left;
		struct matrix_problem p;
		struct matrix_solution s;
		unsigned ports = 1;

		if (in->classes[c].out || n == 0 || !is_within_two(in, c))
			continue;
		p = evidence_problem_without(in, c);
		if (matrix_solve(&p, &ports, &s, NULL) != SAT_YES)
			continue;
		matrix_disjoint(&p, &ports, &s);
		left = matrix_n_hidden(&p, &s, PORTS_NONE);
		if (left < n && left < least) {
			least = left;
			ret = c;
		}
	}
	in->w->matrix_seconds += monotonic_cpu_s() - start;
	return ret;
}

bool evidence_exclude_bridge(struct infer *in)
{
	size_t c = in->filler == PORTS_NONE ? find_bridge(in) : in->n_classes;

	if (c == in->n_classes)
		return false;
	infer_note(in,
		   arena_printf(
			   in->a,
			   "%s is not in the matrix: without it fewer classes "
			   "need to share ports, so its forms may have more "
			   "than one uop.",
			   in->q->forms[in->classes[c].form].name));
	evidence_exclude_class(in, c);
	return true;
}
