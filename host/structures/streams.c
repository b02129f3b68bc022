/* What streams of loads and stores cost in each level; see structures.h. */
#include <math.h>
#include <string.h>

#include "host/structures/finder.h"

enum {
	UNIT = 64,  /* bytes that probe_code.c counts in */
	BEYOND = 4, /* a set of so many times a level is beyond it */
};

static uint32_t power_below(double x)
{
	uint32_t ret = 4096;

	while (2.0 * ret <= x && ret < UINT32_C(1) << 30)
		ret *= 2;
	return ret;
}

/* A set for the level: within it, and beyond the one before; 0: there is none. */
static uint32_t set_of(const struct core_finder *f, size_t level)
{
	const struct levels_found *v = &f->ret->levels;
	double most = (double)f->q->oracle->most_bytes - CHAIN_AT;
	double within = level < v->n ? (double)v->level[level].bytes / 2 : most;
	double before = level > 0 ? (double)v->level[level - 1].bytes : 0;
	uint32_t ret;

	if (level > 0 && level < v->n && within > BEYOND * before)
		within = BEYOND * before;
	ret = power_below(within < most ? within : most);
	return ret > before && ret <= 2 * within && ret <= most ? ret : 0;
}

/* Cycles of a line: the first level, then the others, then memory. */
struct line_costs {
	size_t n;
	struct probe_value read[LEVELS_MOST + 1], write[LEVELS_MOST + 1];
	const char *why[LEVELS_MOST + 1]; /* they are not known */
};

static bool ask_lines(struct core_finder *f, struct line_costs *ret)
{
	struct core_probe list[2 * (LEVELS_MOST + 1)];
	struct probe_value values[2 * (LEVELS_MOST + 1)];
	struct probe_value *to[2 * (LEVELS_MOST + 1)];
	size_t n = 0;

	memset(ret, 0, sizeof(*ret));
	ret->n = f->ret->levels.n + !f->ret->levels.no_memory;
	for (size_t i = 0; i < ret->n; i++) {
		uint32_t bytes = set_of(f, i);

		ret->why[i] = bytes ? "no answer"
				    : "no set is larger than the level before "
				      "and fits: sets are powers of two";
		for (size_t k = 0; k < 2 && bytes; k++) {
			to[n] = k ? &ret->write[i] : &ret->read[i];
			list[n++] = (struct core_probe){
				.kind = k ? PROBE_WRITE : PROBE_READ,
				.n = bytes,
			};
		}
	}
	if (n == 0)
		return true;
	if (!finder_ask(f, list, n, values))
		return false;
	for (size_t i = 0; i < n; i++)
		*to[i] = values[i];
	return true;
}

static double lines_of_unit(const struct core_finder *f)
{
	return (double)UNIT / levels_line(&f->ret->levels);
}

/* What a line of the second level adds to one of the first. */
static void add_fill(struct core_finder *f, const char *name,
		     const struct probe_value *v, const char *const *why,
		     const char *how)
{
	double lines = lines_of_unit(f);
	double more = (v[1].cycles - v[0].cycles) / lines;
	bool second = f->ret->levels.n > 1; /* else v[1] is memory */
	bool both = second && v[0].known && v[1].known;
	double low = (v[1].low - v[0].high) / lines;
	bool known = both && more >= 0.01 && low > 0;
	const char *no = !second ? "no second level is known"
			 : both  ? "a line of the second level costs no more, "
				   "or not in all rows"
				 : why[v[0].known];

	finder_add(f, (struct core_finding){ .key = name,
					     .unit = FINDING_CYCLES,
					     .known = known,
					     .label = v[1].label,
					     .value = more,
					     .low = low,
					     .high = (v[1].high - v[0].low) /
						     lines,
					     .reason = known ? how : no });
}

static void add_bandwidth(struct core_finder *f, const char *name,
			  const struct probe_value *v, const char *why)
{
	bool known = v->known && v->low > 0;

	finder_add(f, (struct core_finding){
			      .key = name,
			      .unit = FINDING_RATE,
			      .known = known,
			      .label = v->label,
			      .value = UNIT / v->cycles,
			      .low = UNIT / v->high,
			      .high = UNIT / v->low,
			      .reason = known ? "one core reads a set of it "
						"in order, in small pages"
					      : why });
}

/* Random loads have so many lines in flight; lines in order that are faster must
 * have been fetched before. */
static void add_prefetch(struct core_finder *f, const struct line_costs *x)
{
	const struct structures *s = f->ret;
	const struct probe_value *v = &x->read[x->n - 1];
	double flight = 0, random, in_order;

	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->list[i].key, "l1.mshr") == 0 && s->list[i].known)
			flight = s->list[i].value;
	if (flight <= 0 || !v->known) {
		finder_add(f,
			   (struct core_finding){
				   .key = "prefetch",
				   .unit = FINDING_PREFETCH,
				   .reason = flight <= 0 ? "needs l1.mshr"
							 : x->why[x->n - 1] });
		return;
	}
	in_order = v->cycles / lines_of_unit(f);
	random = (s->levels.memory_low + s->levels.memory_high) / 2 / flight;
	finder_add(f,
		   (struct core_finding){
			   .key = "prefetch",
			   .unit = FINDING_PREFETCH,
			   .known = true,
			   .value = in_order < random,
			   .low = in_order < random,
			   .high = in_order < random,
			   .label = v->label,
			   .reason = arena_printf(
				   f->q->a,
				   "a line in order takes %.1f cycles, one of "
				   "random loads %.1f",
				   in_order, random) });
}

bool streams_find(struct core_finder *f)
{
	struct line_costs x;

	if (!finder_has(f, PROBE_READ)) {
		finder_add(f, (struct core_finding){ .key = "memory.bandwidth",
						     .unit = FINDING_RATE,
						     .reason = finder_no_answer(
							     f, PROBE_READ) });
		return true;
	}
	finder_say(f, "bandwidth");
	if (!ask_lines(f, &x))
		return false;
	for (size_t i = 0; i < x.n; i++)
		add_bandwidth(f,
			      i < f->ret->levels.n
				      ? finder_key(f, i, "bandwidth")
				      : "memory.bandwidth",
			      &x.read[i], x.why[i]);
	if (x.n > 1) {
		add_fill(f, "l1.fill", x.read, x.why,
			 "a line that is read in the second level, less one "
			 "in the first");
		add_fill(f, "l1.write", x.write, x.why,
			 "a line that is written in the second level, less "
			 "one in the first");
	}
	if (x.n > 0 && !f->ret->levels.no_memory)
		add_prefetch(f, &x);
	return true;
}
