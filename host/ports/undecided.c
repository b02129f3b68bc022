/* Matrices that the evidence does not distinguish: list them, and exclude the
 * classes in which they differ.
 *
 * Some separating mix has no value, because the budget is spent or because it
 * is always disturbed. Several matrices then fit, and their predictions can
 * differ as much as those of classes with all ports in common and with none. No
 * matrix is better than the others. So classes leave the matrix, those with the
 * most differences first, until the matrices agree. The members of these
 * classes are left to the saturation kernels, which use other mixes. */
#include "host/ports/evidence.h"

#include <string.h>

static unsigned undecided_seen(const struct infer *in, model_ports ports)
{
	unsigned n = model_ports_count(ports);

	return n < in->cap ? n : in->cap;
}

static bool undecided_differs(const struct infer *in,
			      const struct matrix_solution *other,
			      uint32_t rows)
{
	return undecided_seen(in, matrix_union(&in->solution, rows)) !=
	       undecided_seen(in, matrix_union(other, rows));
}

static void undecided_complain(const struct infer *in,
			       const struct matrix_solution *other,
			       uint32_t rows, unsigned *complaints)
{
	if (!undecided_differs(in, other, rows))
		return;
	for (size_t c = 0; c < in->n_classes; c++)
		complaints[c] += rows >> c & 1;
}

/* Count the differences of pairs; if there are none, those of triples. */
static bool complaints_of(const struct infer *in,
			  const struct matrix_solution *other,
			  unsigned complaints[PORTS_MAX_CLASSES])
{
	bool any = false;

	for (size_t i = 0; i < in->n_classes; i++)
		complaints[i] = 0;
	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = i + 1; j < in->n_classes; j++)
			undecided_complain(in, other, 1u << i | 1u << j,
					   complaints);
	for (size_t i = 0; i < in->n_classes; i++)
		any |= complaints[i] > 0;
	for (size_t i = 0; !any && i < in->n_classes; i++)
		for (size_t j = i + 1; j < in->n_classes; j++)
			for (size_t k = j + 1; k < in->n_classes; k++)
				undecided_complain(in, other,
						   1u << i | 1u << j | 1u << k,
						   complaints);
	for (size_t i = 0; i < in->n_classes; i++)
		any |= complaints[i] > 0;
	return any;
}

/* The rows of the other classes stay as they are. */
static void undecided_exclude(struct infer *in, size_t c)
{
	unsigned n_ports = in->n_ports;

	evidence_exclude_class(in, c);
	in->n_ports = n_ports;
	in->solution.row[c] = 0;
	in->problem.size[c] = 0;
}

size_t undecided_exclude_classes(struct infer *in,
				 const struct matrix_solution *other)
{
	unsigned complaints[PORTS_MAX_CLASSES];
	struct matrix_solution left = *other;
	size_t n = 0;

	while (complaints_of(in, &left, complaints)) {
		size_t worst = evidence_worst(in, complaints);

		undecided_exclude(in, worst);
		left.row[worst] = 0;
		n++;
	}
	return n;
}

void infer_alternatives(struct infer *in, const struct matrix_problem *p,
			unsigned ports)
{
	struct matrix_solution *known = ARENA_ARRAY(
		in->a, struct matrix_solution, MATRIX_MAX_SOLUTIONS);
	model_ports(*list)[PORTS_MAX_CLASSES] =
		arena_alloc(in->a, MATRIX_MAX_SOLUTIONS, sizeof(*list));
	enum sat_answer answer = SAT_YES;
	size_t n = 1;

	known[0] = in->solution;
	while (n < MATRIX_MAX_SOLUTIONS && answer == SAT_YES) {
		answer = matrix_other(p, ports, known, n, &known[n]);
		n += answer == SAT_YES;
	}
	for (size_t i = 0; i < n; i++)
		memcpy(list[i], known[i].row, sizeof(list[i]));
	in->w->n_matrices = n;
	in->w->all_matrices = answer == SAT_NO;
	in->w->matrices = list;
}
