/* See fit.h. */
#include "host/effect/lines/fit.h"

#include <math.h>

/* Chosen: loops of no-operations repeat within 1 %, and a rule that does not
 * hold is off by one cycle in two or three. */
static const double equally_good = 0.01, too_bad = 0.05;
/* A loop this close to what dispatch takes gives only an upper bound for
 * fetch. */
static const double close_to_width = 0.03;

/* Does dispatch explain the time of so many slots? */
static bool is_dispatch(uint32_t slots, double cycles, double width)
{
	return cycles <= slots / width * (1 + close_to_width);
}

static void add_loop(struct model_lines *m, uint32_t slots, double cycles)
{
	if (slots == 0 || slots > MODEL_MAX_LINE || !(cycles > 0))
		return;
	if (m->cycles[slots] == 0 || cycles < m->cycles[slots])
		m->cycles[slots] = cycles;
	if (slots > m->n)
		m->n = slots;
}

/* Cycles never decrease with slots.  A gap takes the value of the next smaller
 * number of slots; below the smallest measured one, its value, or only their
 * dispatch if that value is less than a cycle and dispatch explains it. */
static void fill_gaps(struct model_lines *m, double width)
{
	double least = 0;
	uint32_t first = 0;

	for (uint32_t i = m->n; i > 0; i--) {
		if (m->cycles[i] > 0 && (least == 0 || m->cycles[i] < least))
			least = m->cycles[i];
		if (m->cycles[i] > least)
			m->cycles[i] = least;
	}
	for (uint32_t i = m->n; i > 0; i--)
		if (m->cycles[i] > 0)
			first = i;
	if (first > 0 && m->cycles[first] < 1 &&
	    is_dispatch(first, m->cycles[first], width))
		for (uint32_t i = 1; i < first; i++)
			m->cycles[i] = fmin(i / width, m->cycles[first]);
	for (uint32_t i = 1; i <= m->n; i++)
		if (m->cycles[i] == 0)
			m->cycles[i] = i > 1 ? m->cycles[i - 1] : least;
}

/* Fetch takes whole cycles for a line.  If dispatch explains the measured time,
 * that is only an upper bound for fetch: it is rounded down to whole cycles. */
static void take_off_dispatch(struct model_lines *m, double width)
{
	for (uint32_t i = 1; i <= m->n; i++)
		if (is_dispatch(i, m->cycles[i], width))
			m->cycles[i] =
				fmax(1, floor(m->cycles[i] + close_to_width));
}

/* Cycles for so many slots in one line; above n those of n. */
static double cycles_of(const struct model_lines *m, double slots)
{
	/* Slots are a sum of measured ones. */
	double whole = ceil(slots - 0.01);

	if (whole < 1 || m->n == 0)
		return 0;
	return m->cycles[whole < m->n ? (uint32_t)whole : m->n];
}

double lines_cycles(const struct model_lines *m, const double *slots, size_t n)
{
	double all = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		all += slots[i];
		sum += cycles_of(m, slots[i]);
	}
	if (n == 1 || m->rule == MODEL_LINES_TOGETHER)
		return cycles_of(m, all);
	if (n == 0 || m->rule != MODEL_LINES_EACH)
		return 0;
	return slots[0] <= m->free ? sum - 1 : sum;
}

/* What the other loops with as many slots as l take at least, if only the
 * number of all slots counts; 0: there are none. */
static double others_cycles(const struct lines_loop *list, size_t n,
			    const struct lines_loop *l)
{
	double least = 0;

	for (size_t i = 0; i < n; i++)
		if (&list[i] != l && list[i].cycles > 0 &&
		    list[i].first + list[i].second == l->first + l->second &&
		    (least == 0 || list[i].cycles < least))
			least = list[i].cycles;
	return least;
}

/* How far a rule is off on average over the loops in two lines that it tells
 * something of. */
static double error_of(const struct model_lines *m,
		       const struct lines_loop *list, size_t n, double width)
{
	double sum = 0;
	size_t n_told = 0;

	for (size_t i = 0; i < n; i++) {
		const struct lines_loop *l = &list[i];
		double slots[] = { l->first, l->second };
		double dispatch = (slots[0] + slots[1]) / width, cycles;

		if (l->second == 0 || !(l->cycles > 0))
			continue;
		cycles = m->rule == MODEL_LINES_TOGETHER
				 ? others_cycles(list, n, l)
				 : lines_cycles(m, slots, 2);
		if (cycles == 0)
			continue;
		sum += fabs(fmax(cycles, dispatch) / l->cycles - 1);
		n_told++;
	}
	return n_told > 0 ? sum / (double)n_told : HUGE_VAL;
}

/* The measured loops, and the rule that fits them best so far. */
struct lines_search {
	const struct lines_loop *list;
	size_t n;
	double width, least;
	struct model_lines best;
};

static void try_rule(struct lines_search *f, const struct model_lines *m)
{
	double error = error_of(m, f->list, f->n, f->width);

	if (error > f->least - equally_good)
		return;
	f->best = *m;
	f->least = error;
}

/* The loops in one line, or all of them. */
static struct model_lines table_of(const struct lines_loop *list, size_t n,
				   bool all, double width)
{
	struct model_lines m = { 0 };

	for (size_t i = 0; i < n; i++)
		if (all || list[i].second == 0)
			add_loop(&m, list[i].first + list[i].second,
				 list[i].cycles);
	fill_gaps(&m, width);
	return m;
}

struct model_lines lines_fit(const struct lines_loop *list, size_t n,
			     double width)
{
	struct model_lines m = table_of(list, n, false, width);
	struct lines_search f = { list, n, width, too_bad + equally_good, m };

	m.rule = MODEL_LINES_TOGETHER;
	try_rule(&f, &m);
	m.rule = MODEL_LINES_EACH;
	take_off_dispatch(&m, width);
	for (m.free = 0; m.free <= m.n; m.free++)
		try_rule(&f, &m);
	/* Loops in two lines have more slots than those in one. */
	if (m.n > 0 && f.best.rule == MODEL_LINES_TOGETHER) {
		f.best = table_of(list, n, true, width);
		f.best.rule = MODEL_LINES_TOGETHER;
	}
	return f.best;
}
