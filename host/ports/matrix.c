/* The matrix as a Boolean problem: x[row][port], and counters over unions of
 * rows that each experiment bounds from both sides.
 *
 * Ports are interchangeable, and a proof that no matrix exists would go
 * through all of their orders; so columns, read as numbers, must not
 * ascend. */
#include "host/ports/matrix.h"

#include <math.h>
#include <string.h>

enum {
	MAX_UNIONS = 4096,
	MAX_CLAUSE = 1 << 13,
	/* Some seconds; what is not answered by then is unknown. */
	CONFLICTS = 60 * 1000,
	MORE_APART = 10, /* ports that rows may need to be apart */
	ROUNDS = 12,
};

/* A quotient this close to a whole number is it. */
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
	int *selectors; /* of the experiments, 0: dropped */
};

/* ---- encoding ------------------------------------------------------------ */

/* The counter over the union of these rows. */
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

/* The literal "more than n ports", or 0 when that is always false. */
static int more_than(const struct counter *c, size_t n)
{
	return c && n < c->n ? c->out[n] : 0;
}

static void add_sizes(struct encoding *m)
{
	for (size_t r = 0; r < m->p->n_rows; r++) {
		const struct counter *c = counter_of(m, 1u << r);

		if (m->p->size[r] == 0) {
			for (unsigned k = 0; k < m->ports; k++)
				sat_clause(m->s, &(int){ -m->x[r][k] }, 1);
			continue;
		}

		int least = more_than(c, m->p->size[r] - 1);
		int most = more_than(c, m->p->size[r]);

		/* More ports than there are columns: no matrix. */
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
		int equal = 0; /* so far; 0: true */

		for (size_t r = 0; r < m->p->n_rows; r++) {
			int x = m->x[r][p], y = m->x[r][p + 1];
			int clause[3] = { x, -y, -equal };
			int next = sat_var(m->s);

			sat_clause(m->s, clause, equal ? 3 : 2);
			/* next follows from equal and x == y. */
			for (int sign = -1; sign <= 1; sign += 2) {
				int same[4] = { next, sign * x, sign * y,
						-equal };

				sat_clause(m->s, same, equal ? 4 : 3);
			}
			equal = next;
		}
	}
}

static double load_of(const struct matrix_experiment *e, uint32_t subset)
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

/* No union of its rows is so small that it takes longer than `high`, and
 * unless the front end does, one is so small that it takes `low`. */
static void add_experiment(struct encoding *m,
			   const struct matrix_experiment *e, int selector)
{
	int clause[1 << PORTS_MAX_PARTS];
	size_t n = 0;
	uint32_t all = (1u << e->n) - 1;
	bool by_width = load_of(e, all) / m->p->width >= e->low;

	clause[n++] = -selector;
	for (uint32_t subset = 1; subset <= all; subset++) {
		const struct counter *c = counter_of(m, rows_of(e, subset));
		double load = load_of(e, subset);
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
			by_width = true; /* always so small */
		else if (most >= 1 && most <= m->p->cap)
			clause[n++] = -over;
	}
	if (!by_width)
		sat_clause(m->s, clause, n);
}

static void encode(struct encoding *m, const struct matrix_problem *p,
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

static void release(struct encoding *m)
{
	sat_free(m->s);
	arena_free(&m->a);
}

/* ---- solving ------------------------------------------------------------- */

static enum sat_answer ask(struct encoding *m, const int *extra, size_t n_extra,
			   struct matrix_solution *ret)
{
	int *assume = ARENA_ARRAY(&m->a, int, m->p->n_experiments + n_extra);
	enum sat_answer answer;
	size_t n = 0;

	for (size_t i = 0; i < m->p->n_experiments; i++)
		if (m->selectors[i] != 0)
			assume[n++] = m->selectors[i];
	for (size_t i = 0; i < n_extra; i++)
		assume[n++] = extra[i];
	answer = sat_solve(m->s, assume, n, CONFLICTS);
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

	encode(&m, p, ports);
	answer = ask(&m, NULL, 0, ret);
	if (answer == SAT_NO && core)
		for (size_t i = 0; i < p->n_experiments; i++)
			core[i] = m.selectors[i] != 0 &&
				  sat_failed(m.s, m.selectors[i]);
	release(&m);
	return answer;
}

/* Rows that share nothing need so many ports, and no matrix needs more. */
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
	/* A port that no row has changes nothing: where the most are not
	 * enough, none are, and no proof of fewer is needed. */
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

/* May these rows meet in ways that pairs alone do not tell? */
static bool is_open(const struct matrix_solution *s, size_t i, size_t j,
		    size_t k)
{
	model_ports a = s->row[i], b = s->row[j], c = s->row[k];

	if ((a & b) == 0 || (a & c) == 0 || (b & c) == 0)
		return false;
	return (a & ~b) != 0 && (b & ~a) != 0 && (a & ~c) != 0 &&
	       (c & ~a) != 0 && (b & ~c) != 0 && (c & ~b) != 0;
}

static size_t differ(struct encoding *m, const struct matrix_solution *known,
		     uint32_t rows, int *clause, size_t n)
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

/* The other matrix is not this one; `given` holds while it is looked for. */
static void exclude(struct encoding *m, const struct matrix_solution *known,
		    int given)
{
	const struct matrix_problem *p = m->p;
	struct matrix_flat *flats =
		ARENA_ARRAY(&m->a, struct matrix_flat, MATRIX_MAX_FLATS);
	int *clause = ARENA_ARRAY(&m->a, int, MAX_CLAUSE);
	size_t n = 0, n_flats;

	clause[n++] = -given;
	for (size_t i = 0; i < p->n_rows; i++)
		for (size_t j = i + 1; j < p->n_rows; j++) {
			n = differ(m, known, 1u << i | 1u << j, clause, n);
			for (size_t k = j + 1; k < p->n_rows; k++)
				if (is_open(known, i, j, k))
					n = differ(m, known,
						   1u << i | 1u << j | 1u << k,
						   clause, n);
		}
	n_flats = matrix_flats(p, known, flats);
	for (size_t i = 0; i < n_flats; i++)
		n = differ(m, known, flats[i].rows, clause, n);
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
	encode(&m, p, ports);
	given = sat_var(m.s);
	for (size_t i = 0; i < n; i++)
		exclude(&m, &known[i], given);
	answer = ask(&m, &given, 1, ret);
	release(&m);
	return answer;
}

/* ---- hidden overlaps ----------------------------------------------------- */

struct apart {
	size_t n;
	struct {
		uint32_t i, j;
		int selector;
	} pair[PORTS_MAX_CLASSES * PORTS_MAX_CLASSES / 2];
};

/* Pairs of rows whose union looks like any larger one. */
static void find_hidden(const struct matrix_problem *p,
			const struct matrix_solution *s, struct apart *ret)
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

static enum sat_answer ask_apart(struct encoding *m, struct apart *x,
				 struct matrix_solution *ret)
{
	int *assume = ARENA_ARRAY(&m->a, int, x->n + 1);

	for (size_t k = 0; k < x->n; k++) {
		int selector = assume[k] = x->pair[k].selector = sat_var(m->s);

		for (unsigned port = 0; port < m->ports; port++)
			sat_clause3(m->s, -selector, -m->x[x->pair[k].i][port],
				    -m->x[x->pair[k].j][port]);
	}
	return ask(m, assume, x->n, ret);
}

/* Of pairs that cannot all be apart one is left as it is. */
static void leave_failed(const struct encoding *m, struct apart *x)
{
	size_t k = 0;

	while (k < x->n && !sat_failed(m->s, x->pair[k].selector))
		k++;
	if (k == x->n)
		x->n = 0;
	else
		x->pair[k] = x->pair[--x->n];
}

void matrix_apart(const struct matrix_problem *p, unsigned *ports,
		  struct matrix_solution *s)
{
	struct apart x;
	struct matrix_solution found;
	unsigned most = *ports + MORE_APART;

	find_hidden(p, s, &x);
	if (most > MATRIX_MAX_PORTS)
		most = MATRIX_MAX_PORTS;
	for (int round = 0; round < ROUNDS && x.n > 0; round++)
		for (unsigned n = *ports; n <= most; n++) {
			struct encoding m;
			enum sat_answer answer;

			encode(&m, p, n);
			answer = ask_apart(&m, &x, &found);
			if (answer == SAT_NO && n == most)
				leave_failed(&m, &x);
			release(&m);
			if (answer == SAT_UNKNOWN)
				return;
			if (answer != SAT_YES)
				continue;
			*s = found;
			*ports = n;
			return;
		}
}
