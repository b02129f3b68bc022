/* What the prediction of jumps knows and costs; probe_jumps.c has the kernels. */
#include <math.h>

#include "host/solve/stats.h"
#include "host/structures/finder.h"

static const char no_answer[] = "no answer";

/* Parts of a misprediction: of a loop's exit or a return; of a jump to one of many
 * places; what a jump that is known from another one saves. */
static const double of_penalty = 0.5, of_indirect = 0.33, saved = 0.2;
/* A jump whose target is not known takes so much longer than one that is. */
static const double slower_target = 0.7;
/* Of the numbers beyond a limit, so many may contradict it. */
static const double most_against = 0.25;

/* ---- the penalty -------------------------------------------------------------- */

static bool find_penalty(struct core_finder *f)
{
	const struct core_probe list[] = { { .kind = PROBE_JUMPS },
					   { .kind = PROBE_KNOWN },
					   { .kind = PROBE_KNOWN, .n = 1 } };
	struct probe_value v[3];
	struct core_finding x = { .key = "branch.penalty",
				  .unit = FINDING_CYCLES };

	if (!finder_ask(f, list, 3, v))
		return false;
	x.known = v[0].known && v[1].known && v[2].known;
	x.label = v[0].label;
	/* Half of the random ones are taken, and half go as predicted. */
	x.value = 2 * v[0].cycles - v[1].cycles - v[2].cycles;
	x.low = 2 * v[0].low - v[1].high - v[2].high;
	x.high = 2 * v[0].high - v[1].low - v[2].low;
	x.reason = "twice what jumps by random bits cost above the mean of "
		   "jumps always and never taken: half go as predicted";
	if (!x.known)
		x.reason = no_answer;
	else if (x.low <= 0 ||
		 x.value <= 2 * f->q->oracle->resolution * v[0].cycles) {
		x.known = false;
		x.reason = "random jumps cost no more than others: an "
			   "emulator, or nothing is predicted";
	}
	finder_add(f, x);
	return true;
}

/* ---- numbers up to which all is predicted ---------------------------------------- */

enum { MOST_ASKED = 40 };

/* A cost as a function of a number, of which the prediction knows so many. */
struct capacity {
	const char *key;
	enum probe_kind kind;
	bool grows; /* with the number, else it stays the same */
	uint32_t least, most;
	uint32_t step; /* bytes between places, of the kinds with a chain */
	/* What one that is not predicted costs, at least: cycles, and a part of
	 * what the predicted ones do. */
	double more, part;
	const char *reason;
};

/* What the numbers that were predicted cost. */
struct known_number {
	uint32_t least;
	double cycles; /* of the least */
	/* What one more adds, of the kinds that grow: the median of the slopes
	 * from the least.  A quotient would have a part of what the kernel costs
	 * with none. */
	double each;
	size_t n_slopes;
	double slopes[MOST_ASKED];
};

static struct core_probe probe_of(const struct capacity *r, uint32_t n)
{
	struct core_probe p = { .kind = r->kind, .n = n };

	if (r->step)
		p.chain = (struct chain){ .places = n, .step = r->step };
	return p;
}

/* Is a number predicted, too? */
static bool holds(const struct capacity *r, const struct known_number *k,
		  uint32_t n, const struct probe_value *v)
{
	double grown = r->grows ? k->each * (n - k->least) : 0;

	return v->cycles <= (1 + r->part) * k->cycles + grown + r->more;
}

static void take_slope(struct known_number *k, uint32_t n, double cycles)
{
	if (n == k->least)
		return;
	k->slopes[k->n_slopes++] = (cycles - k->cycles) / (n - k->least);
	k->each = fmax(0, stats_median(k->slopes, k->n_slopes));
}

static bool ask_numbers(struct core_finder *f, const struct capacity *r,
			const uint32_t *n, size_t n_asked,
			struct probe_value *ret)
{
	struct core_probe list[64];

	for (size_t i = 0; i < n_asked; i++)
		list[i] = probe_of(r, n[i]);
	return finder_ask(f, list, n_asked, ret);
}

/* Between which numbers the prediction ends; high 0: nowhere. */
struct between {
	uint32_t low, high;
	struct known_number known;
	const char *label; /* of `low` */
	/* Of numbers from `high` on: how many were asked, and cost as little. */
	size_t n_beyond, n_against;
};

static bool ask_coarse(struct core_finder *f, const struct capacity *r,
		       struct between *ret)
{
	uint32_t n[MOST_ASKED];
	struct probe_value v[MOST_ASKED];
	struct known_number *k = &ret->known;
	size_t asked = 0;

	*ret = (struct between){ .low = 0 };
	for (uint32_t x = r->least;
	     x <= r->most && asked<MOST_ASKED; x += x / 4> 1 ? x / 4 : 1)
		n[asked++] = x;
	if (!ask_numbers(f, r, n, asked, v))
		return false;
	if (!v[0].known)
		return true;
	*k = (struct known_number){ .least = r->least,
				    .cycles = v[0].cycles,
				    .each = v[0].cycles / r->least };
	for (size_t i = 0; i < asked; i++) {
		bool good;

		if (!v[i].known)
			continue;
		good = holds(r, k, n[i], &v[i]);
		if (ret->high > 0) {
			ret->n_beyond++;
			ret->n_against += good;
		} else if (good) {
			ret->low = n[i];
			ret->label = v[i].label;
			take_slope(k, n[i], v[i].cycles);
		} else {
			ret->high = n[i];
		}
	}
	return true;
}

static bool ask_fine(struct core_finder *f, const struct capacity *r,
		     struct between *x)
{
	enum { FINE = 7 };
	uint32_t n[FINE], apart = x->high - x->low;
	struct probe_value v[FINE];
	size_t asked = 0;

	for (uint32_t k = 1; k <= FINE; k++) {
		uint32_t next = x->low + apart * k / (FINE + 1);

		if (next > x->low && (asked == 0 || next > n[asked - 1]))
			n[asked++] = next;
	}
	if (asked == 0)
		return true;
	if (!ask_numbers(f, r, n, asked, v))
		return false;
	for (size_t i = asked; i-- > 0;) {
		if (!v[i].known)
			continue;
		if (holds(r, &x->known, n[i], &v[i])) {
			x->low = n[i];
			x->label = v[i].label;
			break;
		}
		x->high = n[i];
	}
	return true;
}

static bool ask_capacity(struct core_finder *f, const struct capacity *r,
			 struct between *ret)
{
	return ask_coarse(f, r, ret) && (ret->high == 0 || ask_fine(f, r, ret));
}

/* Do too many numbers beyond the limit cost as little as those before it? */
static bool contradicts(const struct between *x)
{
	return (double)x->n_against > most_against * (double)x->n_beyond;
}

static bool found_limit(const struct between *x)
{
	return x->high > 0 && !contradicts(x);
}

static bool apart(const struct between *x, const struct between *y)
{
	return x->high == 0 || y->high == 0 || x->low >= y->high ||
	       y->low >= x->high;
}

/* Of two searches, which must agree. */
static void add_capacity(struct core_finder *f, const struct capacity *r,
			 const struct between at[2])
{
	const struct between *bad = contradicts(&at[0]) ? &at[0] : &at[1];
	struct core_finding x = { .key = r->key,
				  .unit = FINDING_COUNT,
				  .reason = no_answer };

	if (at[0].low == 0 || at[1].low == 0) {
		finder_add(f, x);
		return;
	}
	x.low = fmin(at[0].low, at[1].low);
	x.high = fmax(at[0].high, at[1].high);
	if (contradicts(bad))
		x.reason = arena_printf(f->q->a,
					"%u costs more, but %zu of %zu larger "
					"numbers do not",
					(unsigned)bad->high, bad->n_against,
					bad->n_beyond);
	else if (x.high <= 0)
		x.reason = arena_printf(f->q->a,
					"up to %.0f are predicted, and more "
					"were not tried",
					x.low);
	else if (apart(&at[0], &at[1]))
		x.reason = arena_printf(
			f->q->a, "one search found %u, the next one %u",
			(unsigned)at[0].low, (unsigned)at[1].low);
	else {
		x.known = true;
		x.value = x.low;
		x.label = at[at[0].low > at[1].low].label;
		x.reason = r->reason;
	}
	finder_add(f, x);
}

/* ---- history -------------------------------------------------------------------- */

static const uint32_t distances[] = { 4,   8,   16,  32,  48,  64,  96,
				      128, 160, 192, 224, 256, 384, 512 };

enum { N_DISTANCES = ARRAY_LEN(distances) };

/* So many distances are in reach, and so many contradict that; known: all were
 * answered. */
struct history {
	bool known;
	size_t at, wrong;
};

/* A second jump that always does what the first did saves half of a penalty if it
 * is predicted.  Where it shares an entry of a table with others, a short distance
 * is not predicted, so the limit is the one that contradicts the fewest distances. */
static bool ask_history(struct core_finder *f, double penalty,
			struct history *ret)
{
	enum { N = N_DISTANCES };
	struct core_probe probes[2 * N];
	struct probe_value v[2 * N];
	bool related[N];
	size_t wrong = 0;

	*ret = (struct history){ .known = false };
	for (size_t i = 0; i < N; i++) {
		probes[i] = (struct core_probe){ .kind = PROBE_RELATED,
						 .n = distances[i] };
		probes[N + i] = (struct core_probe){ .kind = PROBE_UNRELATED,
						     .n = distances[i] };
	}
	if (!finder_ask(f, probes, 2 * N, v))
		return false;
	for (size_t i = 0; i < N; i++) {
		if (!v[i].known || !v[N + i].known)
			return true;
		related[i] = v[N + i].cycles - v[i].cycles >= saved * penalty;
		wrong += related[i];
	}
	ret->known = true;
	ret->wrong = wrong;
	for (size_t i = 0; i < N; i++) {
		wrong = related[i] ? wrong - 1 : wrong + 1;
		if (wrong >= ret->wrong)
			continue;
		ret->wrong = wrong;
		ret->at = i + 1;
	}
	return true;
}

static bool found_history(const struct history *x)
{
	return x->known && x->wrong <= 2 && x->at > 0 && x->at < N_DISTANCES;
}

static unsigned remembered(const struct history *x)
{
	return x->at ? distances[x->at - 1] + 1 : 0;
}

static void add_history(struct core_finder *f, const struct history h[2])
{
	struct core_finding x = { .key = "branch.history",
				  .unit = FINDING_COUNT };
	size_t at = h[0].at;

	if (!h[0].known || !h[1].known)
		x.reason = no_answer;
	else if (h[0].wrong > 2 || h[1].wrong > 2)
		x.reason = "distances contradict each other";
	else if (at != h[1].at)
		x.reason = arena_printf(f->q->a,
					"one search found %u, the next one %u",
					remembered(&h[0]), remembered(&h[1]));
	else if (at == 0)
		x.reason = "a jump is not predicted by another one";
	else if (at == N_DISTANCES)
		x.reason = "512 taken jumps between two, and more were not "
			   "tried";
	else {
		x.known = true;
		x.value = x.low = remembered(&h[0]);
		x.high = distances[at] + 1;
		x.reason = "taken jumps that the predictor remembers, the "
			   "first of the two included";
	}
	finder_add(f, x);
}

/* ---- targets --------------------------------------------------------------------- */

/* Jumps with two distances between them: if as many are known, their number is the
 * limit; if as many bytes are, it is the cache of instructions. */
static bool find_targets(struct core_finder *f)
{
	enum { NEAR = 16, APART = 32 };
	struct capacity r = { .kind = PROBE_TARGETS,
			      .least = 64,
			      .most = 8192,
			      .step = NEAR,
			      .part = slower_target };
	struct core_finding x = { .key = "branch.targets",
				  .unit = FINDING_COUNT,
				  .reason = no_answer };
	struct between at[2];

	for (size_t i = 0; i < 2; i++) {
		r.step = i ? APART : NEAR;
		if (!ask_capacity(f, &r, &at[i]))
			return false;
	}
	x.known = at[0].high > 0 && at[1].high > 0 && at[0].low < at[1].high &&
		  at[1].low < at[0].high && !contradicts(&at[0]) &&
		  !contradicts(&at[1]);
	if (x.known) {
		x.value = x.low = fmax(at[0].low, at[1].low);
		x.label = at[at[0].low < at[1].low].label;
		x.high = fmin(at[0].high, at[1].high);
		x.reason = "the most jumps, 16 as well as 32 bytes apart, that "
			   "take as long as fewer";
	} else if (at[0].low > 0) {
		x.reason = arena_printf(
			f->q->a,
			"at least %u targets are predicted; more were not told "
			"from a full instruction cache",
			(unsigned)at[0].low);
	}
	finder_add(f, x);
	return true;
}

/* What is found is searched once more, some time later: it may not be repeatable. */
static bool find_predicted(struct core_finder *f, double penalty)
{
	const struct capacity list[] = {
		{ .key = "branch.loop",
		  .kind = PROBE_EXITS,
		  .least = 6,
		  .most = 512,
		  .grows = true,
		  .more = of_penalty * penalty,
		  .reason = "a longer loop costs half of a misprediction "
			    "more" },
		{ .key = "branch.calls",
		  .kind = PROBE_CALLS,
		  .least = 4,
		  .most = 160,
		  .grows = true,
		  .more = of_penalty * penalty,
		  .reason = "calls inside each other whose returns are all "
			    "predicted" },
		{ .key = "branch.indirect",
		  .kind = PROBE_TABLE,
		  .least = 2,
		  .most = 1024,
		  .step = 16,
		  .more = of_indirect * penalty,
		  .reason = "places that one jump goes to in turn, in random "
			    "order" },
	};
	enum { N = ARRAY_LEN(list) };
	struct between at[N][2];
	struct history h[2];

	if (!ask_history(f, penalty, &h[0]))
		return false;
	for (size_t i = 0; i < N; i++)
		if (!ask_capacity(f, &list[i], &at[i][0]))
			return false;
	if (!patterns_find(f, penalty))
		return false;
	h[1] = h[0];
	if (found_history(&h[0]) && !ask_history(f, penalty, &h[1]))
		return false;
	for (size_t i = 0; i < N; i++) {
		at[i][1] = at[i][0];
		if (found_limit(&at[i][0]) &&
		    !ask_capacity(f, &list[i], &at[i][1]))
			return false;
	}
	add_history(f, h);
	for (size_t i = 0; i < N; i++)
		add_capacity(f, &list[i], at[i]);
	return find_targets(f);
}

bool jumps_find(struct core_finder *f)
{
	static const char *const others[] = {
		"branch.history", "branch.patterns", "branch.loop",
		"branch.calls",   "branch.targets",  "branch.indirect"
	};
	const struct core_finding *x;

	finder_say(f, "jumps");
	if (!find_penalty(f))
		return false;
	x = finder_known(f, "branch.penalty");
	if (!x) {
		for (size_t i = 0; i < ARRAY_LEN(others); i++)
			finder_add(f,
				   (struct core_finding){
					   .key = others[i],
					   .unit = FINDING_COUNT,
					   .reason = "needs branch.penalty" });
		return true;
	}
	return find_predicted(f, x->value);
}
