/* See sat.h. The counters are totalizers (Bailleux and Boufkhad, 2003): a tree
 * whose nodes hold the number of true leaves in unary. */
#include "host/ports/sat.h"

#include <ccadical.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LITERALS = 64 };

struct sat {
	CCaDiCaL *solver;
	int n_vars;
};

struct sat *sat_new(void)
{
	struct sat *s = xrealloc(NULL, 1, sizeof(*s));

	*s = (struct sat){ .solver = ccadical_init() };
	return s;
}

void sat_free(struct sat *s)
{
	if (s)
		ccadical_release(s->solver);
	free(s);
}

int sat_var(struct sat *s)
{
	return ++s->n_vars;
}

void sat_clause(struct sat *s, const int *literals, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ccadical_add(s->solver, literals[i]);
	ccadical_add(s->solver, 0);
}

void sat_clause2(struct sat *s, int a, int b)
{
	sat_clause(s, (const int[]){ a, b }, 2);
}

void sat_clause3(struct sat *s, int a, int b, int c)
{
	sat_clause(s, (const int[]){ a, b, c }, 3);
}

int sat_or(struct sat *s, const int *literals, size_t n)
{
	int any = sat_var(s);

	for (size_t i = 0; i < n; i++)
		sat_clause2(s, -literals[i], any);
	for (size_t i = 0; i < n; i++)
		ccadical_add(s->solver, literals[i]);
	sat_clause(s, (const int[]){ -any }, 1);
	return any;
}

/* A number of true literals in unary: digit j is true if and only if it is more
 * than j. */
struct unary {
	size_t n;
	int digit[MAX_LITERALS];
};

/* The sum of two numbers, truncated at the limit. */
static void sat_unary_sum(struct sat *s, const struct unary *x,
			  const struct unary *y, size_t limit,
			  struct unary *sum)
{
	size_t n = x->n + y->n < limit ? x->n + y->n : limit;

	sum->n = n;
	for (size_t i = 0; i < n; i++)
		sum->digit[i] = sat_var(s);
	for (size_t i = 0; i <= x->n; i++)
		for (size_t j = 0; j <= y->n; j++) {
			size_t most = i + j < n ? i + j : n;
			int clause[3];
			size_t k = 0;

			/* At least i and at least j: at least i + j. */
			if (most > 0) {
				if (i > 0)
					clause[k++] = -x->digit[i - 1];
				if (j > 0)
					clause[k++] = -y->digit[j - 1];
				clause[k++] = sum->digit[most - 1];
				sat_clause(s, clause, k);
			}
			/* At most i and at most j: at most i + j. */
			if (i + j >= n)
				continue;
			k = 0;
			if (i < x->n)
				clause[k++] = x->digit[i];
			if (j < y->n)
				clause[k++] = y->digit[j];
			clause[k++] = -sum->digit[i + j];
			sat_clause(s, clause, k);
		}
}

static void sat_count_range(struct sat *s, const int *literals, size_t n,
			    size_t limit, struct unary *sum)
{
	struct unary left, right;

	if (n == 1) {
		sum->n = 1;
		sum->digit[0] = literals[0];
		return;
	}
	sat_count_range(s, literals, n / 2, limit, &left);
	sat_count_range(s, literals + n / 2, n - n / 2, limit, &right);
	sat_unary_sum(s, &left, &right, limit, sum);
}

size_t sat_count(struct sat *s, struct arena *a, const int *literals, size_t n,
		 size_t limit, int **ret)
{
	struct unary sum;

	sum.n = 0;
	if (n > 0 && n <= MAX_LITERALS && limit > 0)
		sat_count_range(s, literals, n, limit, &sum);
	*ret = arena_copy(a, sum.digit, sum.n * sizeof(*sum.digit));
	return sum.n;
}

/* The solver asks at each step of its work whether to end. */
static int count_step(void *state)
{
	uint64_t *left = state;

	*left -= *left > 0;
	return *left == 0;
}

enum sat_answer sat_solve(struct sat *s, const int *assumptions, size_t n,
			  int conflicts, uint64_t *steps)
{
	if (steps && *steps == 0)
		return SAT_UNKNOWN;
	if (steps)
		ccadical_set_terminate(s->solver, steps, count_step);
	for (size_t i = 0; i < n; i++)
		ccadical_assume(s->solver, assumptions[i]);
	if (conflicts > 0)
		ccadical_limit(s->solver, "conflicts", conflicts);
	return (enum sat_answer)ccadical_solve(s->solver);
}

bool sat_value(struct sat *s, int variable)
{
	return ccadical_val(s->solver, variable) > 0;
}

bool sat_failed(struct sat *s, int assumption)
{
	return ccadical_failed(s->solver, assumption) != 0;
}
