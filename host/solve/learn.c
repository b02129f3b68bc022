/* How reliable values of visits are, with and without flags, from all kernels
 * of a run; see evidence.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/solve/candidates.h"
#include "host/solve/tally.h"

/* Upper limit of `right`: visits of a minute have causes of error in common.
 * With it two visits that agree still suffice. */
static const double most_right = 0.99;
/* Upper limit of `coincide`: a third state may not have been seen so far. */
static const double most_coincide = 0.95;
/* Values assumed before learning, a share of them correct.  Chosen: two visits
 * that agree just suffice (doubt 0.0005), and some tens of visits of a class
 * outweigh them. */
static const double prior_right = 0.97, prior_coincide = 0.5, prior_visits = 8;

enum {
	MANY = 4,         /* visits: fewer hardly show two values twice */
	FIRST_VISITS = 2, /* sets that all kernels have */
	/* Flags that are ignored change which values are correct. */
	ROUNDS = 3,
};

static bool is_near(double cycles, double truth)
{
	return cycles <= truth * (1 + values_agree) &&
	       cycles >= truth * (1 - values_agree);
}

/* Do two visits or more have values with these flags, do they agree, and on
 * which value? */
static bool find_pair(const struct candidates *b, uint8_t marks,
		      bool *ret_agree, double *ret_cycles)
{
	uint64_t all = 0;

	*ret_agree = false;
	for (size_t i = 0; i < b->n; i++) {
		uint64_t here = 0;
		bool any = false; /* has one exactly these flags? */

		if (!candidate_has(&b->list[i], marks))
			continue;
		all |= 1ull << b->list[i].visit;
		for (size_t at = i;
		     at < b->n &&
		     b->list[at].cycles <=
			     b->list[i].cycles * (1 + values_agree);
		     at++)
			if (candidate_has(&b->list[at], marks)) {
				here |= 1ull << b->list[at].visit;
				any |= b->list[at].marks == marks;
			}
		if (!*ret_agree && any && count_bits(here) >= 2) {
			*ret_agree = true;
			*ret_cycles = b->list[i].cycles;
		}
	}
	return count_bits(all) >= 2;
}

static void count_pairs(struct flag_tally *y, const struct candidates *b,
			double truth)
{
	bool seen[VALUE_SETS] = { false };

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
			is_near(cycles * (1 + values_agree / 2), truth);
	}
}

/* Values with flags, next to those without of the same kernel. */
static void count_mixed(struct flag_tally *y, const struct candidates *b)
{
	if (b->n_unmarked == 0)
		return;
	for (size_t i = 0; i < b->n; i++) {
		uint8_t marks = b->list[i].marks;
		bool agrees = false;

		for (size_t at = 0; at < b->n && marks != 0; at++)
			agrees |=
				b->list[at].marks == 0 &&
				is_near(b->list[at].cycles, b->list[i].cycles);
		y->mixed[marks]++;
		y->mixed_agree[marks] += agrees;
	}
}

/* Wrong values in ascending order, one of each visit: how often do neighbours
 * agree? */
static void count_coincidences(struct flag_tally *y, const double *wrong,
			       size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		y->wrong_pairs++;
		y->wrong_agree += is_near(wrong[i], wrong[i + 1]);
	}
}

static void count_value_rows(struct flag_tally *y,
			     const struct kernel_visits *t,
			     const struct candidates *b, const struct value *v)
{
	size_t n, n_right;

	value_count_rows(t, b, v, &n, &n_right);
	y->rows += (double)n;
	y->rows_right += (double)n_right;
}

static void count_two(struct flag_tally *y, const struct candidates *b,
		      const struct value *v)
{
	if (b->n_unmarked < MANY)
		return;
	y->many++;
	if (value_slower(b, v) < 2)
		return;
	y->two++;
	y->two_right += (double)v->n_unmarked;
	y->two_n += (double)b->n_unmarked;
}

/* Count a kernel with a value that recurs without flags, which is taken as
 * correct.  A visit is correct if one of its values is. */
static void count_value(struct flag_tally *y, const struct kernel_visits *t,
			const struct candidates *b, const struct value *v)
{
	double truth = b->list[v->first + v->n / 2].cycles;
	double wrong[MAX_EVIDENCE];
	uint64_t right[VALUE_SETS] = { 0 }, all[VALUE_SETS] = { 0 };
	size_t n_wrong = 0;

	for (size_t i = 0; i < b->n; i++) {
		uint64_t visit = 1ull << b->list[i].visit;
		uint8_t marks = b->list[i].marks;

		y->n[marks] += !(all[marks] & visit);
		all[marks] |= visit;
		if (!is_near(b->list[i].cycles, truth))
			continue;
		y->right[marks] += !(right[marks] & visit);
		right[marks] |= visit;
	}
	count_value_rows(y, t, b, v);
	count_two(y, b, v);
	for (size_t i = 0; i < b->n && n_wrong < MAX_EVIDENCE; i++) {
		uint64_t visit = 1ull << b->list[i].visit;

		if (b->list[i].marks != 0 || right[0] & visit)
			continue;
		right[0] |= visit; /* one value of each visit */
		wrong[n_wrong++] = b->list[i].cycles;
	}
	count_coincidences(y, wrong, n_wrong);
}

static void count_visits(struct flag_tally *y, const struct kernel_visits *t,
			 uint32_t ignored)
{
	/* Later visits exist only for kernels that are not settled. */
	for (uint32_t i = 0; i < t->n && i < FIRST_VISITS; i++) {
		const struct visit *v = &t->visits[i];
		if (v->state != VERDICT_OK || v->n_values == 0)
			continue;
		y->visits++;
		y->marked[visit_value_marks(&v->values[0], ignored)]++;
	}
}

static void learn_count(const struct evidence *e,
			const struct kernel_visits *list, size_t n,
			struct flag_tally tally[][N_COMBINES])
{
	struct candidates *b = xrealloc(NULL, 1, sizeof(*b));

	for (size_t i = 0; i < n; i++) {
		const struct kernel_visits *t = &list[i];
		const struct reliability *reliability =
			&e->reliability[t->class][t->combine];
		struct flag_tally *y = &tally[t->class][t->combine];
		struct value v;

		candidates_collect(t, reliability, b);
		v = candidates_recurring(reliability, b, false);
		count_visits(y, t, reliability->ignored);
		count_mixed(y, b);
		count_pairs(y, b,
			    v.n > 0 ? b->list[v.first + v.n / 2].cycles : 0);
		if (v.n > 0) {
			count_value(y, t, b, &v);
		} else if (b->n_unmarked >= 2) {
			/* At least all but one of them are wrong. */
			y->n[0] += (double)b->n_unmarked;
			y->right[0]++;
		}
	}
	free(b);
}

/* A share of few samples is shrunk towards the share of its group. */
static double part_of(double part, double all, double whole)
{
	return (part + whole * prior_visits) / (all + prior_visits);
}

static double share_of_rows(const struct flag_tally *y,
			    const struct flag_tally *wide)
{
	double all = part_of(wide->rows_right, wide->rows, prior_right);

	return fmin(part_of(y->rows_right, y->rows, all), most_right);
}

/* Share that is wrong, if one more is than was seen; `unknown` where few were
 * seen. */
static double wrong_share(double right, double n, double unknown)
{
	return n >= TALLY_FEW ? 1 - tally_share(right, n + 1) : unknown;
}

/* A class within all classes of its width. */
static void conclude(struct reliability *t, const struct flag_tally *y,
		     const struct flag_tally *wide)
{
	double right = part_of(wide->right[0], wide->n[0], prior_right);
	double coincide =
		part_of(wide->wrong_agree, wide->wrong_pairs, prior_coincide);

	t->right = fmin(part_of(y->right[0], y->n[0], right), most_right);
	t->coincide = fmin(part_of(y->wrong_agree, y->wrong_pairs, coincide),
			   most_coincide);
	/* Chosen: most kernels of the width. */
	t->right_of_two = wide->many >= TALLY_FEW && 2 * wide->two >= wide->many
				  ? tally_share(wide->two_right, wide->two_n)
				  : 1;
	/* With too few kernels, pairs with a visit read together are taken to
	 * be as reliable as pairs of single visits with the same flags. */
	for (int set = 1; set < VALUE_SETS; set++) {
		double unknown =
			set > MARK_SETS ? t->wrong[set - MARK_SETS] : 1;

		t->wrong[set] = wrong_share(y->kernels_right[set],
					    y->kernels[set], unknown);
		t->wrong_alone[set] = wrong_share(y->right[set], y->n[set], 1);
	}
}

static void add_tally(struct flag_tally *sum, const struct flag_tally *y)
{
	const double *from = (const void *)y;
	double *to = (void *)sum;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(double); i++)
		to[i] += from[i];
}

/* The sum over some classes from `first` on. */
static struct flag_tally sum_of(struct flag_tally tally[][N_COMBINES], int how,
				int first, int n)
{
	struct flag_tally sum = { .visits = 0 };

	for (int i = 0; i < n; i++)
		add_tally(&sum, &tally[first + i][how]);
	return sum;
}

static void set_noise(struct evidence *e, double noise, double row_noise)
{
	for (int group = 0; group < ESTIMATE_CLASSES; group++)
		for (int how = 0; how < N_COMBINES; how++) {
			e->reliability[group][how].noise = noise;
			e->reliability[group][how].row_noise = row_noise;
		}
}

static void conclude_all(struct evidence *e,
			 struct flag_tally tally[][N_COMBINES])
{
	/* The standard error of a share near 0.97 of so many values is 0.02. */
	const double enough = 100;
	/* 1: no class has enough values */
	double noise = 1, row_noise = 1;

	for (int how = 0; how < N_COMBINES; how++) {
		struct flag_tally all = sum_of(tally, how, 0, KERNEL_N_CLASSES);

		for (int group = 0; group < KERNEL_N_CLASSES; group++) {
			struct flag_tally wide =
				group == KERNEL_UNKNOWN
					? tally[group][how]
					: sum_of(tally, how,
						 kernel_class_first(group),
						 KERNEL_N_ACCESSES);
			struct reliability *t = &e->reliability[group][how];

			conclude(t, &tally[group][how], &wide);
			if (wide.n[0] >= enough) {
				noise = fmin(noise, 1 - t->right);
				row_noise = fmin(
					row_noise,
					1 - share_of_rows(&tally[group][how],
							  &wide));
			}
			tally_ignore(t, &tally[group][how], &wide, &all);
		}
	}
	if (noise < 1)
		set_noise(e, noise, row_noise);
}

static void count_rows(struct evidence *e, const struct kernel_visits *list,
		       size_t n)
{
	memset(e->rows, 0, sizeof(e->rows));
	for (size_t i = 0; i < n; i++)
		for (uint32_t at = 0; at < list[i].n; at++) {
			const struct visit *v = &list[i].visits[at];
			uint8_t group = list[i].class;

			e->rows[group].n_rows += v->n_rows;
			e->rows[group].n_unmarked += v->n_unmarked;
			e->rows[group].n_bent += v->n_bent;
			for (int mark = 0; mark < N_MARKS; mark++)
				e->rows[group].n_marked[mark] +=
					v->n_marked[mark];
		}
}

void evidence_report(const struct evidence *e, struct evidence_report *ret)
{
	for (int group = 0; group < KERNEL_N_CLASSES; group++) {
		ret->classes[group].n_rows = e->rows[group].n_rows;
		ret->classes[group].n_unmarked = e->rows[group].n_unmarked;
		for (int mark = 0; mark < N_MARKS; mark++)
			ret->classes[group].n_marked[mark] =
				e->rows[group].n_marked[mark];
		for (int how = 0; how < N_COMBINES; how++) {
			const struct reliability *t =
				&e->reliability[group][how];

			ret->classes[group].right[how] = t->right;
			ret->classes[group].ignored[how] = t->ignored;
		}
	}
}

void evidence_prior(struct evidence *e)
{
	*e = (struct evidence){ .reliability[0][0].ignored = 0 };
	for (int group = 0; group < ESTIMATE_CLASSES; group++)
		for (int how = 0; how < N_COMBINES; how++) {
			struct reliability *t = &e->reliability[group][how];

			t->right = prior_right;
			t->right_of_two = 1;
			t->noise = t->row_noise = 1 - prior_right;
			t->coincide = prior_coincide;
			for (int set = 0; set < VALUE_SETS; set++)
				t->wrong[set] = t->wrong_alone[set] = 1;
		}
}

/* Sets of flags that are ignored, over all classes. */
static size_t count_ignored(const struct evidence *e)
{
	size_t n = 0;

	for (int group = 0; group < ESTIMATE_CLASSES; group++)
		for (int how = 0; how < N_COMBINES; how++)
			n += count_bits(e->reliability[group][how].ignored);
	return n;
}

void evidence_learn(struct evidence *e, const struct kernel_visits *list,
		    size_t n)
{
	typedef struct flag_tally table[N_COMBINES];
	table *tally = xrealloc(NULL, ESTIMATE_CLASSES, sizeof(*tally));

	evidence_prior(e);
	count_rows(e, list, n);
	for (int round = 0; round < ROUNDS; round++) {
		size_t before = count_ignored(e);

		memset(tally, 0, ESTIMATE_CLASSES * sizeof(*tally));
		learn_count(e, list, n, tally);
		conclude_all(e, tally);
		/* Only sets that are ignored change what is counted, and none
		 * becomes informative again. */
		if (count_ignored(e) == before)
			break;
	}
	free(tally);
}

/* Is the flag of a probe ignored in all classes of a level that have rows? */
static bool is_ignored(const struct evidence *e, enum row_level level, int mark)
{
	bool any = false;

	for (int group = 1; group < KERNEL_N_CLASSES; group++)
		for (int how = 0; how < N_COMBINES; how++) {
			if (kernel_class_level(group) != level ||
			    e->rows[group].n_rows == 0)
				continue;
			any = true;
			if (!(e->reliability[group][how].ignored >>
				      (1 << mark) &
			      1))
				return false;
		}
	return any;
}

uint32_t evidence_ignored(const struct evidence *e)
{
	static const int marks[N_PROBES] = {
		[PROBE_SIBLING] = MARK_SIBLING,
		[PROBE_WIDE] = MARK_WIDE,
		[PROBE_LOADS] = MARK_LOADS,
	};
	uint32_t set = 0;

	for (int level = 0; level < ROW_N_LEVELS; level++)
		for (int p = 0; p < N_PROBES; p++)
			if (is_ignored(e, level, marks[p]))
				set |= row_ignored(level, p);
	return set;
}
