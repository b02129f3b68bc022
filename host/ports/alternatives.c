/* Find alternative matrices: those that no measurement distinguishes from the
 * solution, because the separating mix has no value or the budget was spent. */
#include <string.h>

#include "host/ports/infer.h"

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
