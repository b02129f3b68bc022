/* See evidence.h. */
#include "host/solve/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/solve/stats.h"

/* Values of visits this close agree: clean visits of a steady kernel lie within
 * 1 % (METHOD: p99.9 0.4 %), and one visit's error enters twice. */
static const double agree = 0.02;
/* A calibration chain slowed by a busy sibling makes a kernel look up to 4 %
 * faster (METHOD); only what lies further below is a state of its own. */
static const double below_is_real = 0.05;
/* States of a kernel lie so far apart at least; what is closer scatters. */
static const double apart = 0.03;
/* A value may be wrong so often. */
static const double max_doubt = 0.005;
/* METHOD: p99.9 of known integers lie within 0.4 %. */
static const double accuracy = 0.005;
/* No share of right votes is trusted further: visits of a minute have causes
 * of error in common. */
static const double most_right = 0.98;
/* Before anything is learned so many votes, of so many right, are assumed. */
static const double prior_right = 0.95, prior_coincide = 0.5, prior_votes = 8;

enum {
	OUTVOTING = 4, /* visits that agree against one that was faster */
	LONE = 8,      /* visits against one that nothing repeats */
	FEW = 30,      /* votes or kernels from which nothing is learned */
	ROUNDS = 3,    /* of learning: marks ignored change who is right */
};

/* ---- the votes of one kernel ----------------------------------------------
 */

struct ballot {
	double cycles;
	uint8_t marks; /* that count */
	uint8_t visit;
};

struct ballots {
	size_t n;
	size_t n_unmarked; /* visits with a vote without marks */
	struct ballot list[MAX_EVIDENCE * MAX_VOTES];
};

static int compare_ballots(const void *a, const void *b)
{
	const struct ballot *x = a, *y = b;

	return (x->cycles > y->cycles) - (x->cycles < y->cycles);
}

/* All votes, sorted, without marks that tell nothing. */
static void collect(const struct testimony *t, uint8_t ignored,
		    struct ballots *ret)
{
	ret->n = ret->n_unmarked = 0;
	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++) {
		const struct visit *v = &t->visits[i];
		bool unmarked = false;

		for (int at = 0; at < v->n_votes; at++) {
			struct ballot *b = &ret->list[ret->n++];

			b->cycles = v->votes[at].cycles;
			b->marks = v->votes[at].marks & (uint8_t)~ignored;
			b->visit = (uint8_t)i;
			unmarked |= b->marks == 0;
		}
		ret->n_unmarked += unmarked;
	}
	qsort(ret->list, ret->n, sizeof(ret->list[0]), compare_ballots);
}

/* Votes within `agree` of the fastest of them. */
struct value {
	size_t first, n; /* ballots */
	size_t n_unmarked, n_visits;
	double doubt; /* that all of its visits are wrong */
};

static size_t count_bits(uint64_t bits)
{
	return (size_t)__builtin_popcountll(bits);
}

/* What visits with marks add: those of the best set of marks, two at least. */
static double doubt_of_marked(const struct trust *t, const struct ballots *b,
			      const struct value *v)
{
	double best = 1;

	for (size_t i = v->first; i < v->first + v->n; i++) {
		uint64_t visits = 0;
		uint8_t marks = b->list[i].marks;

		if (marks == 0 || t->wrong[marks] >= best)
			continue;
		for (size_t at = v->first; at < v->first + v->n; at++)
			if (b->list[at].marks == marks)
				visits |= 1ull << b->list[at].visit;
		if (count_bits(visits) >= 2)
			best = t->wrong[marks];
	}
	return best;
}

static struct value value_at(const struct trust *t, const struct ballots *b,
			     size_t first)
{
	struct value v = { .first = first };
	uint64_t all = 0, unmarked = 0;
	size_t end = first;

	while (end < b->n &&
	       b->list[end].cycles <= b->list[first].cycles * (1 + agree)) {
		uint64_t visit = 1ull << b->list[end].visit;

		all |= visit;
		if (b->list[end].marks == 0)
			unmarked |= visit;
		end++;
	}
	v.n = end - first;
	v.n_visits = count_bits(all);
	v.n_unmarked = count_bits(unmarked);
	v.doubt = doubt_of_marked(t, b, &v);
	if (v.n_unmarked > 0)
		v.doubt *=
			pow((1 - t->right) / t->right, (double)v.n_unmarked) *
			pow(t->coincide, (double)v.n_unmarked - 1);
	return v;
}

static bool counts(const struct value *v)
{
	return v->n_visits >= 2 && v->doubt <= max_doubt;
}

/* The fastest value from ballot `from` on that counts, or of visits without
 * marks alone recurs; n 0: none. */
static struct value fastest(const struct trust *t, const struct ballots *b,
			    size_t from, bool recurs)
{
	for (size_t i = from; i < b->n; i++) {
		struct value v = value_at(t, b, i);

		if (recurs ? v.n_unmarked >= 2 : counts(&v))
			return v;
	}
	return (struct value){ .n = 0 };
}

/* Middle of the votes of a value that have no marks, of all where none has;
 * of independent instances the lower quartile, since disturbances only add. */
static double middle(const struct ballots *b, const struct value *v,
		     enum estimate_combine combine)
{
	double list[MAX_EVIDENCE * MAX_VOTES];
	size_t n = 0;

	for (size_t i = v->first; i < v->first + v->n; i++)
		if (b->list[i].marks == 0 || v->n_unmarked == 0)
			list[n++] = b->list[i].cycles;
	return combine == COMBINE_MEDIAN ? (list[(n - 1) / 2] + list[n / 2]) / 2
					 : list[(n - 1) / 4];
}

/* ---- learning --------------------------------------------------------------
 */

/* Votes of a cell, counted: right and all, by their marks. */
struct tally {
	double right[MARK_SETS], n[MARK_SETS];
	/* Of visits without the right vote, two at a time. */
	double wrong_pairs, wrong_agree;
	/* Kernels in which visits with the same marks agree, right and all. */
	double kernels_right[MARK_SETS], kernels[MARK_SETS];
	/* Kernels with two visits of these marks, and those that agree. */
	double pairs[MARK_SETS], pairs_agree[MARK_SETS];
	double visits, marked[N_MARKS]; /* visits; without other votes */
};

static bool is_near(double cycles, double truth)
{
	return cycles <= truth * (1 + agree) && cycles >= truth * (1 - agree);
}

/* Do two visits or more have votes with these marks, do they agree, and on
 * what? */
static bool find_pair(const struct ballots *b, uint8_t marks, bool *ret_agree,
		      double *ret_cycles)
{
	uint64_t all = 0;

	*ret_agree = false;
	for (size_t i = 0; i < b->n; i++) {
		uint64_t here = 0;

		if (b->list[i].marks != marks)
			continue;
		all |= 1ull << b->list[i].visit;
		for (size_t at = i;
		     at < b->n &&
		     b->list[at].cycles <= b->list[i].cycles * (1 + agree);
		     at++)
			if (b->list[at].marks == marks)
				here |= 1ull << b->list[at].visit;
		if (!*ret_agree && count_bits(here) >= 2) {
			*ret_agree = true;
			*ret_cycles = b->list[i].cycles;
		}
	}
	return count_bits(all) >= 2;
}

static void count_pairs(struct tally *y, const struct ballots *b, double truth)
{
	bool seen[MARK_SETS] = { false };

	for (size_t i = 0; i < b->n; i++) {
		uint8_t marks = b->list[i].marks;
		double cycles = 0;
		bool agrees;

		if (seen[marks])
			continue;
		seen[marks] = true;
		if (!find_pair(b, marks, &agrees, &cycles))
			continue;
		y->pairs[marks]++;
		y->pairs_agree[marks] += agrees;
		if (!agrees || truth <= 0)
			continue;
		y->kernels[marks]++;
		y->kernels_right[marks] +=
			is_near(cycles, truth) ||
			is_near(cycles * (1 + agree / 2), truth);
	}
}

/* Visits whose votes with these marks are all wrong, two at a time: how often
 * do they agree? */
static void count_coincidences(struct tally *y, const double *wrong, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		y->wrong_pairs++;
		y->wrong_agree += is_near(wrong[i], wrong[i + 1]);
	}
}

/* A kernel whose votes without marks recur teaches which are right.  A visit
 * is right where one of its votes is. */
static void count_votes(struct tally *y, const struct ballots *b,
			const struct value *v)
{
	double truth = b->list[v->first + v->n / 2].cycles;
	double wrong[MAX_EVIDENCE];
	uint64_t right[MARK_SETS] = { 0 }, all[MARK_SETS] = { 0 };
	size_t n_wrong = 0;

	for (size_t i = 0; i < b->n; i++) {
		uint64_t visit = 1ull << b->list[i].visit;

		all[b->list[i].marks] |= visit;
		if (is_near(b->list[i].cycles, truth))
			right[b->list[i].marks] |= visit;
	}
	for (int marks = 0; marks < MARK_SETS; marks++) {
		y->n[marks] += (double)count_bits(all[marks]);
		y->right[marks] += (double)count_bits(right[marks]);
	}
	for (size_t i = 0; i < b->n && n_wrong < MAX_EVIDENCE; i++) {
		uint64_t visit = 1ull << b->list[i].visit;

		if (b->list[i].marks != 0 || right[0] & visit)
			continue;
		right[0] |= visit; /* one vote of each visit */
		wrong[n_wrong++] = b->list[i].cycles;
	}
	count_coincidences(y, wrong, n_wrong);
}

static void count_visits(struct tally *y, const struct testimony *t,
			 uint8_t ignored)
{
	for (uint32_t i = 0; i < t->n; i++) {
		const struct visit *v = &t->visits[i];
		uint8_t marks = 0;
		bool unmarked = false;

		if (v->state != ESTIMATE_OK)
			continue;
		for (int at = 0; at < v->n_votes; at++) {
			uint8_t one = v->votes[at].marks & (uint8_t)~ignored;

			unmarked |= one == 0;
			marks |= one;
		}
		y->visits++;
		for (int mark = 0; mark < N_MARKS && !unmarked; mark++)
			y->marked[mark] += marks >> mark & 1;
	}
}

static void count(const struct evidence *e, const struct testimony *list,
		  size_t n, struct tally tally[][N_COMBINES])
{
	struct ballots *b = xrealloc(NULL, 1, sizeof(*b));

	for (size_t i = 0; i < n; i++) {
		const struct testimony *t = &list[i];
		const struct trust *trust = &e->trust[t->class][t->combine];
		struct tally *y = &tally[t->class][t->combine];
		struct value v;

		collect(t, trust->ignored, b);
		v = fastest(trust, b, 0, true);
		count_visits(y, t, trust->ignored);
		count_pairs(y, b,
			    v.n > 0 ? b->list[v.first + v.n / 2].cycles : 0);
		if (v.n > 0) {
			count_votes(y, b, &v);
		} else if (b->n_unmarked >= 2) {
			/* All but one of them are wrong. */
			y->n[0] += (double)b->n_unmarked;
			y->right[0]++;
		}
	}
	free(b);
}

static double share(double part, double all)
{
	return all > 0 ? part / all : 0;
}

/* Are votes with only this mark as often right as those without? */
static bool is_harmless(const struct tally *y, const struct trust *t, int mark)
{
	const double slack = 0.03;
	uint8_t set = (uint8_t)(1 << mark);

	return y->n[set] >= FEW &&
	       share(y->right[set], y->n[set]) >= t->right - slack;
}

/* Has nearly no visit votes without this mark, while those with it agree as
 * well as others do, and no faster value says that they are wrong?  Then the
 * probe is slow for a reason that the kernels do not feel.  A sibling's probe
 * tells the same of every class: it must stand alone here. */
static bool is_outlier(const struct tally *y, const struct tally *all, int mark)
{
	const double most = 0.5, slack = 0.05, usual = 0.9, wrong = 0.8;
	uint8_t set = (uint8_t)(1 << mark);
	double here = share(y->marked[mark], y->visits);
	double others = share(all->marked[mark] - y->marked[mark],
			      all->visits - y->visits);
	double agreeing = all->pairs[0] >= FEW
				  ? share(all->pairs_agree[0], all->pairs[0])
				  : usual;

	if (here <= most || y->pairs[set] < FEW ||
	    (y->n[set] >= FEW && share(y->right[set], y->n[set]) < wrong))
		return false;
	if (mark == MARK_SIBLING && (others > most || here < 2 * others))
		return false;
	return share(y->pairs_agree[set], y->pairs[set]) >= agreeing - slack;
}

static void conclude(struct trust *t, const struct tally *y,
		     const struct tally *all)
{
	static const int probes[] = { MARK_SIBLING, MARK_WIDE, MARK_LOADS };

	t->right = (y->right[0] + prior_right * prior_votes) /
		   (y->n[0] + prior_votes);
	t->right = fmin(t->right, most_right);
	t->coincide = (y->wrong_agree + prior_coincide * prior_votes) /
		      (y->wrong_pairs + prior_votes);
	for (int set = 1; set < MARK_SETS; set++)
		t->wrong[set] = y->kernels[set] >= FEW
					? 1 - share(y->kernels_right[set],
						    y->kernels[set] + 1)
					: 1;
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		if (is_harmless(y, t, probes[i]) ||
		    is_outlier(y, all, probes[i]))
			t->ignored |= (uint8_t)(1 << probes[i]);
}

static void add_tally(struct tally *sum, const struct tally *y)
{
	const double *from = (const void *)y;
	double *to = (void *)sum;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(double); i++)
		to[i] += from[i];
}

static void count_rows(struct evidence *e, const struct testimony *list,
		       size_t n)
{
	memset(e->rows, 0, sizeof(e->rows));
	for (size_t i = 0; i < n; i++)
		for (uint32_t at = 0; at < list[i].n; at++) {
			const struct visit *v = &list[i].visits[at];
			uint8_t class = list[i].class;

			e->rows[class].n_rows += v->n_rows;
			e->rows[class].n_unmarked += v->n_unmarked;
			e->rows[class].n_bent += v->n_bent;
			for (int mark = 0; mark < N_MARKS; mark++)
				e->rows[class].n_marked[mark] +=
					v->n_marked[mark];
		}
}

void evidence_prior(struct evidence *e)
{
	*e = (struct evidence){ .trust[0][0].ignored = 0 };
	for (int class = 0; class < ESTIMATE_CLASSES; class ++)
		for (int how = 0; how < N_COMBINES; how++) {
			struct trust *t = &e->trust[class][how];

			t->right = prior_right;
			t->coincide = prior_coincide;
			for (int set = 0; set < MARK_SETS; set++)
				t->wrong[set] = 1;
		}
}

void evidence_learn(struct evidence *e, const struct testimony *list, size_t n)
{
	typedef struct tally table[N_COMBINES];
	table *tally = xrealloc(NULL, ESTIMATE_CLASSES, sizeof(*tally));

	evidence_prior(e);
	count_rows(e, list, n);
	for (int round = 0; round < ROUNDS; round++) {
		memset(tally, 0, ESTIMATE_CLASSES * sizeof(*tally));
		count(e, list, n, tally);
		for (int how = 0; how < N_COMBINES; how++) {
			struct tally all = { .visits = 0 };

			for (int class = 0; class < ESTIMATE_CLASSES; class ++)
				add_tally(&all, &tally[class][how]);
			for (int class = 0; class < ESTIMATE_CLASSES; class ++)
				conclude(&e->trust[class][how],
					 &tally[class][how], &all);
		}
	}
	free(tally);
}

/* ---- judging ----------------------------------------------------------------
 */

/* The value that most visits without marks saw, of those that begin with ballot
 * `from` or a later one of at most so many cycles. */
static struct value strongest(const struct trust *t, const struct ballots *b,
			      size_t from, double most_cycles)
{
	struct value best = { .n = 0 };

	for (size_t i = from; i < b->n && b->list[i].cycles <= most_cycles;
	     i++) {
		struct value v = value_at(t, b, i);

		if (v.n_unmarked > best.n_unmarked ||
		    (v.n_unmarked == best.n_unmarked &&
		     v.n_visits > best.n_visits))
			best = v;
	}
	return best;
}

/* The kernel's value, from the fastest one that counts.  Where votes scatter
 * the fastest begins below the middle of them: the one next to it that most
 * visits without marks saw is the value.  And calibrations that were slowed
 * recur, too, but not as often: outvoted, where the other is no state of its
 * own. */
static struct value settle(const struct trust *t, const struct ballots *b,
			   struct value v)
{
	double low = b->list[v.first].cycles;
	struct value near = strongest(t, b, v.first, low * (1 + agree));
	struct value other =
		strongest(t, b, v.first, low / (1 - below_is_real));

	if (near.n_unmarked > v.n_unmarked && counts(&near))
		v = near;
	if (other.n_unmarked > 0 && counts(&other) &&
	    other.n_unmarked >= OUTVOTING * v.n_unmarked)
		v = other;
	return v;
}

/* Is a slower value a state of this kernel, and no disturbance of its class? */
static bool is_state(const struct trust *t, const struct ballots *b,
		     const struct value *chosen, const struct value *other)
{
	const double least_share = 0.25, unusual = 3;
	double n = (double)b->n_unmarked;

	return other->n_unmarked >= 2 && chosen->n_unmarked >= 1 &&
	       (double)other->n_unmarked >= least_share * n &&
	       (double)other->n_unmarked > unusual * (1 - t->right) * n;
}

static void set_states(struct estimate *e, const struct value *low,
		       const struct value *high, double low_cycles,
		       double high_cycles)
{
	e->state = ESTIMATE_TWO_STATES;
	e->low = low_cycles;
	e->high = high_cycles;
	e->low_share = share((double)low->n_unmarked,
			     (double)(low->n_unmarked + high->n_unmarked));
}

/* A vote without marks that is faster than the value and stands alone: a
 * calibration that was slowed, unless it is too far off. */
static bool is_contradicted(const struct ballots *b, const struct value *v,
			    double value)
{
	for (size_t i = 0; i < v->first; i++)
		if (b->list[i].marks == 0 &&
		    b->list[i].cycles < value * (1 - below_is_real))
			return true;
	return false;
}

/* Fastest and slowest of the votes that a value rests on. */
static double spread_of(const struct ballots *b, const struct value *v,
			double value)
{
	double most = 0;

	for (size_t i = v->first; i < v->first + v->n; i++)
		if (b->list[i].marks == 0 || v->n_unmarked == 0)
			most = fmax(most, fabs(b->list[i].cycles / value - 1));
	return most;
}

static void judge_value(const struct trust *t, const struct ballots *b,
			struct value v, enum estimate_combine combine,
			struct estimate *e)
{
	struct value other;
	double value, spread;
	size_t next;

	v = settle(t, b, v);
	value = middle(b, &v, combine);
	spread = spread_of(b, &v, value);
	e->state = ESTIMATE_OK;
	e->low = e->high = value;
	e->visits = (uint32_t)v.n_visits;
	if (combine == COMBINE_MEDIAN || v.n_unmarked == 0)
		e->uncertainty = fmax(accuracy, spread);
	next = v.first + v.n;
	while (next < b->n && b->list[next].cycles < value * (1 + apart))
		next++;
	other = strongest(t, b, next, INFINITY);
	if (is_state(t, b, &v, &other))
		set_states(e, &v, &other, value, middle(b, &other, combine));
	if (is_contradicted(b, &v, value)) {
		e->doubtful = true;
		if (v.n_unmarked < LONE) {
			e->state = ESTIMATE_UNSTABLE;
			e->low = b->list[0].cycles;
		}
	}
	/* Two suffice where they say the same; and where all have marks, one
	 * without is still worth a visit. */
	if ((v.n_visits < 3 && spread > accuracy) || v.n_unmarked == 0)
		e->doubtful = true;
}

/* Nothing counts: what there is. */
static void judge_rest(const struct trust *t, const struct ballots *b,
		       enum estimate_combine combine, struct estimate *e)
{
	struct value best = { .n = 0, .doubt = INFINITY };

	e->doubtful = true;
	if (b->n == 0)
		return;
	for (size_t i = 0; i < b->n; i++) {
		struct value v = value_at(t, b, i);

		if (v.doubt < best.doubt)
			best = v;
	}
	if (best.n_unmarked == 0)
		return;
	e->has_value = true;
	e->visits = (uint32_t)best.n_visits;
	e->low = e->high = middle(b, &best, combine);
	if (best.n_visits < 2 && b->n_unmarked >= 2) {
		e->state = ESTIMATE_UNSTABLE;
		e->low = b->list[0].cycles;
		e->high = b->list[b->n - 1].cycles;
	}
}

/* Do so many visits speak for the kernel, and not for a disturbance? */
static bool is_rule(size_t n, size_t n_values, size_t n_visits)
{
	return n > n_values && (n >= 2 || n == n_visits);
}

/* What visits without a value say of the kernel; false: nothing. */
static bool judge_shape(const struct testimony *t, struct estimate *e)
{
	double residuals[MAX_EVIDENCE], bounds[MAX_EVIDENCE];
	size_t n_bent = 0, n_implausible = 0, n_values = 0, n = 0;

	for (uint32_t i = 0; i < t->n && i < MAX_EVIDENCE; i++) {
		const struct visit *v = &t->visits[i];

		if (v->state == ESTIMATE_BAD_DATA)
			continue;
		residuals[n] = v->residual;
		bounds[n++] = v->bound;
		n_bent += v->state == ESTIMATE_NOT_LINEAR;
		n_implausible += v->state == ESTIMATE_IMPLAUSIBLE;
		n_values += v->state == ESTIMATE_OK && v->n_votes > 0 &&
			    v->votes[0].marks == 0;
		if (v->state == ESTIMATE_NOT_LINEAR)
			e->rough = fmax(e->rough, v->rough);
	}
	if (n == 0) {
		e->state = ESTIMATE_BAD_DATA;
		return true;
	}
	e->bound = stats_median(bounds, n);
	e->residual = stats_median(residuals, n);
	if (is_rule(n_bent, n_values, n))
		e->state = ESTIMATE_NOT_LINEAR;
	else if (is_rule(n_implausible, n_values, n))
		e->state = ESTIMATE_IMPLAUSIBLE;
	else
		e->rough = 0;
	return e->state != ESTIMATE_NOISY;
}

struct estimate evidence_judge(const struct evidence *ev,
			       const struct testimony *t)
{
	const enum estimate_combine combine = t->combine;
	const struct trust *trust = &ev->trust[t->class][combine];
	struct estimate e = { .state = ESTIMATE_NOISY,
			      .uncertainty = accuracy,
			      .n_visits = t->n };
	struct ballots b;
	struct value v;

	if (t->n == 0) {
		e.state = ESTIMATE_MISSING;
		return e;
	}
	if (judge_shape(t, &e)) {
		e.doubtful = e.state != ESTIMATE_BAD_DATA && t->n < 3;
		return e;
	}
	collect(t, trust->ignored, &b);
	v = fastest(trust, &b, 0, false);
	if (v.n == 0) {
		judge_rest(trust, &b, combine, &e);
		return e;
	}
	e.has_value = true;
	judge_value(trust, &b, v, combine, &e);
	e.doubtful |= e.state != ESTIMATE_OK && t->n < 3;
	return e;
}
