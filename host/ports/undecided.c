/* Classes that the matrix does not decide about.
 *
 * Some mix that it needs has no value: the budget is spent, or something
 * disturbs it whenever it is measured.  Then several matrices agree with all
 * that is known, and what they say of a mix differs by as much as two classes
 * that share all of their ports and two that share none.  The first that was
 * found is no better than the others: so classes leave the matrix, those that
 * most of the differences are about first, until none is left.  Their members
 * are left to the floods, which ask for other mixes. */
#include "host/ports/evidence.h"

static unsigned seen(const struct infer *in, model_ports ports)
{
	unsigned n = model_ports_count(ports);

	return n < in->cap ? n : in->cap;
}

static bool differs(const struct infer *in, const struct matrix_solution *other,
		    uint32_t rows)
{
	return seen(in, matrix_union(&in->solution, rows)) !=
	       seen(in, matrix_union(other, rows));
}

static void complain(const struct infer *in,
		     const struct matrix_solution *other, uint32_t rows,
		     unsigned *complaints)
{
	if (!differs(in, other, rows))
		return;
	for (size_t c = 0; c < in->n_classes; c++)
		complaints[c] += rows >> c & 1;
}

/* By pairs, and where those are the same, by three together. */
static bool complaints_of(const struct infer *in,
			  const struct matrix_solution *other,
			  unsigned complaints[PORTS_MAX_CLASSES])
{
	bool any = false;

	for (size_t i = 0; i < in->n_classes; i++)
		complaints[i] = 0;
	for (size_t i = 0; i < in->n_classes; i++)
		for (size_t j = i + 1; j < in->n_classes; j++)
			complain(in, other, 1u << i | 1u << j, complaints);
	for (size_t i = 0; i < in->n_classes; i++)
		any |= complaints[i] > 0;
	for (size_t i = 0; !any && i < in->n_classes; i++)
		for (size_t j = i + 1; j < in->n_classes; j++)
			for (size_t k = j + 1; k < in->n_classes; k++)
				complain(in, other, 1u << i | 1u << j | 1u << k,
					 complaints);
	for (size_t i = 0; i < in->n_classes; i++)
		any |= complaints[i] > 0;
	return any;
}

/* The matrix of the others stays what it is. */
static void leave(struct infer *in, size_t c)
{
	unsigned n_ports = in->n_ports;

	evidence_without(in, c);
	in->n_ports = n_ports;
	in->solution.row[c] = 0;
	in->problem.size[c] = 0;
}

size_t undecided_leave(struct infer *in, const struct matrix_solution *other)
{
	unsigned complaints[PORTS_MAX_CLASSES];
	struct matrix_solution left = *other;
	size_t n = 0;

	while (complaints_of(in, &left, complaints)) {
		size_t worst = evidence_worst(in, complaints);

		leave(in, worst);
		left.row[worst] = 0;
		n++;
	}
	return n;
}
