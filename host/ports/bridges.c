/* Classes that bridge others.
 *
 * If the ports of a class are ports of two others whose union the width hides, either
 * these two have ports in common, or it is no class: its forms have a uop on ports of each.
 * Their slots tell which.  Without a filler slots are not known.  Then such a class is
 * left to the saturation kernels, which find several uops as well as one.  Ports that
 * the other classes do not share would be wrong for all forms.
 *
 * Seen on a Zen 5: KMOVB to a general register takes time of the six integer ports, of
 * vector ports and of loads, all of which seemed to share ports with each other. */
#include "host/ports/evidence.h"

/* Are all ports of the class ports of two others whose union the width hides, and none
 * of which contains the other? */
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

/* The class without which the fewest other classes overlap out of sight of the
 * width; n_classes: without any class there are as many. */
static size_t find_bridge(struct infer *in)
{
	const struct matrix_problem *all = evidence_problem(in);
	double start = evidence_cpu_seconds();
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
	in->w->matrix_seconds += evidence_cpu_seconds() - start;
	return ret;
}

bool evidence_leave_bridge(struct infer *in)
{
	size_t c = in->filler == PORTS_NONE ? find_bridge(in) : in->n_classes;

	if (c == in->n_classes)
		return false;
	infer_note(in, arena_printf(
			       in->a,
			       "%s shares ports with classes that would have "
			       "none in common without it: it may be more than "
			       "one uop.",
			       in->q->forms[in->classes[c].form].name));
	evidence_exclude_class(in, c);
	return true;
}
