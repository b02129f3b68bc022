/* The matrix as a Boolean problem: variables x[row][port], and counters over
 * unions of rows, which each experiment bounds from both sides.
 *
 * Ports are interchangeable, and a proof that no matrix exists would have to
 * visit all their permutations. So the columns, read as numbers, must not
 * ascend. */
#include "host/ports/matrix.h"

#include <math.h>
#include <string.h>

enum {
	MAX_UNIONS = 4096,
	MAX_CLAUSE = 1 << 13,
	/* Limit of the solver, some seconds; beyond it the answer is
	 * SAT_UNKNOWN. */
	CONFLICTS = 60 * 1000,
	MORE_DISJOINT = 10, /* additional ports allowed for separate rows */
	ROUNDS = 12,
};

/* A quotient this close to a whole number is whole. */
static const double slack = 1e-6;

struct counter {
	uint32_t rows;
	size_t n;
	int *out;
};

struct encoding {
	struct arena a;
	struct sat *s;
	const struct matrix_problem *p;
	unsigned ports;
	int x[PORTS_MAX_CLASSES][MATRIX_MAX_PORTS];
	size_t n_counters;
	struct counter *counters;
	int *selectors; /* one per experiment; 0: excluded */
};

/* ---- encoding ------------------------------------------------------------ */

/* The counter of the union of these rows. */
static const struct counter *counter_of(struct encoding *m, uint32_t rows)
{
	int in[MATRIX_MAX_PORTS];
	size_t i = 0;

	while (i < m->n_counters && m->counters[i].rows != rows)
		i++;
	if (i < m->n_counters)
		return &m->counters[i];
	if (m->n_counters == MAX_UNIONS)
		return NULL;
	for (unsigned p = 0; p < m->ports; p++) {
		int list[PORTS_MAX_CLASSES];
		size_t n = 0;

		for (size_t r = 0; r < m->p->n_rows; r++)
			if (rows >> r & 1)
				list[n++] = m->x[r][p];
		in[p] = n == 1 ? list[0] : sat_or(m->s, list, n);
	}
	m->counters[i].rows = rows;
	m->counters[i].n = sat_count(m->s, &m->a, in, m->ports, m->p->cap + 1,
				     &m->counters[i].out);
	m->n_counters++;
	return &m->counters[i];
}

/* The literal "more than n ports"; 0 when it is always false. */
static int more_than(const struct counter *c, size_t n)
{
	return c && n < c->n ? c->out[n] : 0;
}

static void add_sizes(struct encoding *m)
{
	for (size_t r = 0; r < m->p->n_rows; r++) {
		const struct counter *c = counter_of(m, 1u << r);

		if (m->p->size[r] == 0) {
			for (unsigned k = 0; k < m->ports; k++) {
				int absent = -m->x[r][k];

				sat_clause(m->s, &absent, 1);
			}
			continue;
		}

		int least = more_than(c, m->p->size[r] - 1);
		int most = more_than(c, m->p->size[r]);

		/* More ports than columns: no matrix exists. */
		sat_clause(m->s, &least, least != 0);
		most = -most;
		if (most != 0)
			sat_clause(m->s, &most, 1);
	}
}

/* Column p is not below column p + 1. */
static void add_order(struct encoding *m)
{
	for (unsigned p = 0; p + 1 < m->ports; p++) {
		int equal = 0; /* equal so far; 0: true */

		for (size_t r = 0; r < m->p->n_rows; r++) {
			int x = m->x[r][p], y = m->x[r][p + 1];
			int clause[3] = { x, -y, -equal };
			int next = sat_var(m->s);

			sat_clause(m->s, clause, equal ? 3 : 2);
			/* The new `equal` follows from the old one and x ==
			 * y. */
			for (int sign = -1; sign <= 1; sign += 2) {
				int same[4] = { next, sign * x, sign * y,
						-equal };

				sat_clause(m->s, same, equal ? 4 : 3);
			}
			equal = next;
		}
	}
}

static double matrix_load_of(const struct matrix_experiment *e, uint32_t subset)
{
	double load = 0;

	for (size_t i = 0; i < e->n; i++)
		if (subset >> i & 1)
			load += e->part[i].count;
	return load;
}

static uint32_t rows_of(const struct matrix_experiment *e, uint32_t subset)
{
	uint32_t rows = 0;

	for (size_t i = 0; i < e->n; i++)
		if (subset >> i & 1)
			rows |= 1u << e->part[i].row;
	return rows;
}

/* No union of rows may be so small that the mix takes longer than `high`.
 * Unless the front end explains `low`, some union must be small enough. */
static void add_experiment(struct encoding *m,
			   const struct matrix_experiment *e, int selector)
{
	int clause[1 << PORTS_MAX_PARTS];
	size_t n = 0;
	uint32_t all = (1u << e->n) - 1;
	bool by_width = matrix_load_of(e, all) / m->p->width >= e->low;

	clause[n++] = -selector;
	for (uint32_t subset = 1; subset <= all; subset++) {
		const struct counter *c = counter_of(m, rows_of(e, subset));
		double load = matrix_load_of(e, subset);
		double need = ceil(load / e->high - slack);
		double most = floor(load / e->low + slack);
		int over;

		if (need >= 1 && need <= m->p->cap) {
			over = more_than(c, (size_t)need - 1);
			if (over != 0)
				sat_clause2(m->s, -selector, over);
			else
				sat_clause(m->s, &(int){ -selector }, 1);
		}
		over = more_than(c, (size_t)most);
		if (most >= 1 && over == 0)
			by_width = true; /* always true */
		else if (most >= 1 && most <= m->p->cap)
			clause[n++] = -over;
	}
	if (!by_width)
		sat_clause(m->s, clause, n);
}

static void matrix_encode(struct encoding *m, const struct matrix_problem *p,
			  unsigned ports)
{
	*m = (struct encoding){ .p = p, .ports = ports, .s = sat_new() };
	m->counters = ARENA_ARRAY(&m->a, struct counter, MAX_UNIONS);
	m->selectors = ARENA_ARRAY(&m->a, int, p->n_experiments + 1);
	for (size_t r = 0; r < p->n_rows; r++)
		for (unsigned k = 0; k < ports; k++)
			m->x[r][k] = sat_var(m->s);
	add_sizes(m);
	add_order(m);
	for (size_t i = 0; i < p->n_experiments; i++) {
		if (p->dropped && p->dropped[i])
			continue;
		m->selectors[i] = sat_var(m->s);
		add_experiment(m, &p->experiments[i], m->selectors[i]);
	}
}

static void matrix_release(struct encoding *m)
{
	sat_free(m->s);
	arena_free(&m->a);
}

/* ---- solving ------------------------------------------------------------- */

static enum sat_answer matrix_ask(struct encoding *m, const int *extra,
				  size_t n_extra, struct matrix_solution *ret)
{
	int *assume = ARENA_ARRAY(&m->a, int, m->p->n_experiments + n_extra);
	enum sat_answer answer;
	size_t n = 0;

	for (size_t i = 0; i < m->p->n_experiments; i++)
		if (m->selectors[i] != 0)
			assume[n++] = m->selectors[i];
	for (size_t i = 0; i < n_extra; i++)
		assume[n++] = extra[i];
	answer = sat_solve(m->s, assume, n, CONFLICTS, m->p->steps);
	if (answer != SAT_YES)
		return answer;
	memset(ret, 0, sizeof(*ret));
	for (size_t r = 0; r < m->p->n_rows; r++)
		for (unsigned k = 0; k < m->ports; k++)
			if (sat_value(m->s, m->x[r][k]))
				ret->row[r] |= (model_ports)1 << k;
	return answer;
}

static enum sat_answer ask_of(const struct matrix_problem *p, unsigned ports,
			      struct matrix_solution *ret, bool *core)
{
	struct encoding m;
	enum sat_answer answer;

	matrix_encode(&m, p, ports);
	answer = matrix_ask(&m, NULL, 0, ret);
	if (answer == SAT_NO && core)
		for (size_t i = 0; i < p->n_experiments; i++)
			core[i] = m.selectors[i] != 0 &&
				  sat_failed(m.s, m.selectors[i]);
	matrix_release(&m);
	return answer;
}

/* Disjoint rows need this many ports, and no matrix needs more. */
static unsigned most_ports(const struct matrix_problem *p, unsigned *least)
{
	unsigned most = 0;

	for (size_t r = 0; r < p->n_rows; r++) {
		most += p->size[r];
		*least = p->size[r] > *least ? p->size[r] : *least;
	}
	return most > MATRIX_MAX_PORTS ? MATRIX_MAX_PORTS : most;
}

bool matrix_fits(const struct matrix_problem *p)
{
	struct matrix_solution ignored;
	unsigned least = 1, most = most_ports(p, &least);

	return ask_of(p, most, &ignored, NULL) == SAT_YES;
}

enum sat_answer matrix_solve(const struct matrix_problem *p, unsigned *ports,
			     struct matrix_solution *ret, bool *core)
{
	unsigned n = *ports, most = most_ports(p, &n), n_unknown = 0;
	struct matrix_solution found;
	/* A port without rows changes nothing. If the maximum number of ports
	 * is not enough, no number is; this avoids proofs for smaller
	 * numbers. */
	enum sat_answer any = ask_of(p, most, ret, core);

	if (any == SAT_NO)
		return any;
	for (; n < most && n_unknown < 2; n++) {
		enum sat_answer answer = ask_of(p, n, &found, NULL);

		n_unknown += answer == SAT_UNKNOWN;
		if (answer != SAT_YES)
			continue;
		*ret = found;
		*ports = n;
		return answer;
	}
	*ports = most;
	return any;
}

/* May these rows overlap in a way that pairs do not determine? */
static bool matrix_is_open(const struct matrix_solution *s, size_t i, size_t j,
			   size_t k)
{
	model_ports a = s->row[i], b = s->row[j], c = s->row[k];

	if ((a & b) == 0 || (a & c) == 0 || (b & c) == 0)
		return false;
	return (a & ~b) != 0 && (b & ~a) != 0 && (a & ~c) != 0 &&
	       (c & ~a) != 0 && (b & ~c) != 0 && (c & ~b) != 0;
}

static size_t matrix_differ(struct encoding *m,
			    const struct matrix_solution *known, uint32_t rows,
			    int *clause, size_t n)
{
	unsigned u = model_ports_count(matrix_union(known, rows));
	const struct counter *c = counter_of(m, rows);
	int more = u < m->p->cap ? more_than(c, u) : 0;
	int least = u < m->p->cap ? u : m->p->cap;
	int less = more_than(c, (size_t)least - 1);

	if (n + 2 > MAX_CLAUSE)
		return n;
	if (more != 0)
		clause[n++] = more;
	if (less != 0)
		clause[n++] = -less;
	return n;
}

/* Exclude this matrix. The clause holds under the assumption `given`. */
static void matrix_exclude(struct encoding *m,
			   const struct matrix_solution *known, int given)
{
	const struct matrix_problem *p = m->p;
	struct matrix_flat *flats =
		ARENA_ARRAY(&m->a, struct matrix_flat, MATRIX_MAX_FLATS);
	int *clause = ARENA_ARRAY(&m->a, int, MAX_CLAUSE);
	size_t n = 0, n_flats;

	clause[n++] = -given;
	for (size_t i = 0; i < p->n_rows; i++)
		for (size_t j = i + 1; j < p->n_rows; j++) {
			n = matrix_differ(m, known, 1u << i | 1u << j, clause,
					  n);
			for (size_t k = j + 1; k < p->n_rows; k++)
				if (matrix_is_open(known, i, j, k))
					n = matrix_differ(m, known,
							  1u << i | 1u << j |
								  1u << k,
							  clause, n);
		}
	n_flats = matrix_flats(p, known, flats);
	for (size_t i = 0; i < n_flats; i++)
		n = matrix_differ(m, known, flats[i].rows, clause, n);
	sat_clause(m->s, clause, n);
}

enum sat_answer matrix_other(const struct matrix_problem *p, unsigned ports,
			     const struct matrix_solution *known, size_t n,
			     struct matrix_solution *ret)
{
	struct encoding m;
	enum sat_answer answer;
	int given;

	if (ports > MATRIX_MAX_PORTS)
		ports = MATRIX_MAX_PORTS;
	matrix_encode(&m, p, ports);
	given = sat_var(m.s);
	for (size_t i = 0; i < n; i++)
		matrix_exclude(&m, &known[i], given);
	answer = matrix_ask(&m, &given, 1, ret);
	matrix_release(&m);
	return answer;
}

/* ---- hidden overlaps ----------------------------------------------------- */

struct disjoint {
	size_t n;
	struct {
		uint32_t i, j;
		int selector;
	} pair[PORTS_MAX_CLASSES * PORTS_MAX_CLASSES / 2];
};

/* Find pairs of rows whose union is so large that it takes the same time as
 * a larger one. */
static void find_hidden(const struct matrix_problem *p,
			const struct matrix_solution *s, struct disjoint *ret)
{
	ret->n = 0;
	for (uint32_t i = 0; i < p->n_rows; i++)
		for (uint32_t j = i + 1; j < p->n_rows; j++) {
			if (s->row[i] == 0 || s->row[j] == 0 ||
			    model_ports_count(s->row[i] | s->row[j]) < p->cap)
				continue;
			ret->pair[ret->n].i = i;
			ret->pair[ret->n++].j = j;
		}
}

size_t matrix_n_hidden(const struct matrix_problem *p,
		       const struct matrix_solution *s, int but)
{
	struct disjoint x;
	size_t ret = 0;

	find_hidden(p, s, &x);
	for (size_t k = 0; k < x.n; k++)
		ret += (int)x.pair[k].i != but && (int)x.pair[k].j != but &&
		       (s->row[x.pair[k].i] & s->row[x.pair[k].j]) != 0;
	return ret;
}

static enum sat_answer ask_disjoint(struct encoding *m, struct disjoint *x,
				    struct matrix_solution *ret)
{
	int *assume = ARENA_ARRAY(&m->a, int, x->n + 1);

	for (size_t k = 0; k < x->n; k++) {
		int selector = assume[k] = x->pair[k].selector = sat_var(m->s);

		for (unsigned port = 0; port < m->ports; port++)
			sat_clause3(m->s, -selector, -m->x[x->pair[k].i][port],
				    -m->x[x->pair[k].j][port]);
	}
	return matrix_ask(m, assume, x->n, ret);
}

/* Of the pairs that cannot all be disjoint, leave one as it is. */
static void leave_failed(const struct encoding *m, struct disjoint *x)
{
	size_t k = 0;

	while (k < x->n && !sat_failed(m->s, x->pair[k].selector))
		k++;
	if (k == x->n)
		x->n = 0;
	else
		x->pair[k] = x->pair[--x->n];
}

void matrix_disjoint(const struct matrix_problem *p, unsigned *ports,
		     struct matrix_solution *s)
{
	struct disjoint x;
	struct matrix_solution found;
	unsigned most = *ports + MORE_DISJOINT;

	find_hidden(p, s, &x);
	if (most > MATRIX_MAX_PORTS)
		most = MATRIX_MAX_PORTS;
	for (int round = 0; round < ROUNDS && x.n > 0; round++)
		for (unsigned n = *ports; n <= most; n++) {
			struct encoding m;
			enum sat_answer answer;

			matrix_encode(&m, p, n);
			answer = ask_disjoint(&m, &x, &found);
			if (answer == SAT_NO && n == most)
				leave_failed(&m, &x);
			matrix_release(&m);
			if (answer == SAT_UNKNOWN)
				return;
			if (answer != SAT_YES)
				continue;
			*s = found;
			*ports = n;
			return;
		}
}
