/* What the prediction of jumps knows and costs; probe_jumps.c has the kernels. */
#include <math.h>

#include "host/structures/finder.h"

static const char no_answer[] = "no answer";

/* ---- the penalty -------------------------------------------------------------- */

static bool find_penalty(struct core_finder *f)
{
	const struct core_probe list[] = { { .kind = PROBE_JUMPS },
					   { .kind = PROBE_KNOWN } };
	struct probe_value v[2];
	struct core_finding x = { .key = "branch.penalty",
				  .unit = FINDING_CYCLES };

	if (!finder_ask(f, list, 2, v))
		return false;
	x.known = v[0].known && v[1].known;
	/* Half of the random ones go as predicted. */
	x.value = 2 * (v[0].cycles - v[1].cycles);
	x.low = 2 * (v[0].low - v[1].high);
	x.high = 2 * (v[0].high - v[1].low);
	x.reason = "jumps by random bits, less jumps that are always taken; "
		   "half of the random ones go as predicted";
	if (!x.known)
		x.reason = no_answer;
	/* On a clock of instructions, what is jumped over counts. */
	else if (x.value < 2) {
		x.known = false;
		x.reason = "random jumps cost no more than others: an "
			   "emulator, or nothing is predicted";
	}
	finder_add(f, x);
	return true;
}

/* ---- numbers up to which all is predicted ---------------------------------------- */

/* A cost as a function of a number, of which the prediction knows so many. */
struct reached {
	const char *key;
	enum probe_kind kind;
	bool grows; /* with the number, else it stays the same */
	uint32_t least, most;
	uint32_t step; /* bytes between places, of the kinds with a chain */
	double more;   /* cycles that one misprediction costs, at least */
	const char *reason;
};

/* What the numbers that were predicted cost. */
struct known_number {
	double cycles; /* of the least */
	double each;   /* the most for one, of the kinds that grow */
};

static struct core_probe probe_of(const struct reached *r, uint32_t n)
{
	struct core_probe p = { .kind = r->kind, .n = n };

	if (r->step)
		p.chain = (struct chain){ .places = n, .step = r->step };
	return p;
}

/* Is a number predicted, too? */
static bool holds(const struct reached *r, const struct known_number *k,
		  uint32_t n, const struct probe_value *v)
{
	double as_before = r->grows ? k->each * n : k->cycles;

	return v->cycles <= as_before + r->more;
}

static bool ask_numbers(struct core_finder *f, const struct reached *r,
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
	/* Of numbers from `high` on: how many were asked, and cost as little. */
	size_t n_beyond, n_against;
};

static bool ask_coarse(struct core_finder *f, const struct reached *r,
		       struct between *ret)
{
	enum { MOST_ASKED = 40 };
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
	*k = (struct known_number){ v[0].cycles, v[0].cycles / r->least };
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
			k->each = fmax(k->each, v[i].cycles / n[i]);
		} else {
			ret->high = n[i];
		}
	}
	return true;
}

static bool ask_fine(struct core_finder *f, const struct reached *r,
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
			break;
		}
		x->high = n[i];
	}
	return true;
}

static bool ask_reached(struct core_finder *f, const struct reached *r,
			struct between *ret)
{
	return ask_coarse(f, r, ret) && (ret->high == 0 || ask_fine(f, r, ret));
}

/* Most numbers beyond the limit must be beyond it. */
static bool contradicts(const struct between *x)
{
	return 4 * x->n_against > x->n_beyond;
}

static bool find_reached(struct core_finder *f, const struct reached *r)
{
	struct core_finding x = { .key = r->key,
				  .unit = FINDING_COUNT,
				  .reason = no_answer };
	struct between at;

	if (!ask_reached(f, r, &at))
		return false;
	if (at.high > 0 && contradicts(&at)) {
		x.reason = arena_printf(f->q->a,
					"%u costs more, but %zu of %zu larger "
					"numbers do not",
					(unsigned)at.high, at.n_against,
					at.n_beyond);
	} else if (at.high > 0) {
		x.known = true;
		x.value = at.low;
		x.low = at.low;
		x.high = at.high - 1;
		x.reason = r->reason;
	} else if (at.low > 0) {
		x.reason = arena_printf(f->q->a,
					"up to %u are predicted, and more "
					"were not tried",
					(unsigned)at.low);
	}
	finder_add(f, x);
	return true;
}

/* ---- history -------------------------------------------------------------------- */

/* A second jump that always does what the first did saves half of a penalty if it
 * is predicted.  Where it shares an entry of a table with others, a short distance
 * is not predicted, so the limit is the one that contradicts the fewest distances. */
static bool find_history(struct core_finder *f, double penalty)
{
	static const uint32_t list[] = { 4,   8,   16,  32,  48,  64,  96,
					 128, 160, 192, 224, 256, 384, 512 };
	enum { N = ARRAY_LEN(list) };
	struct core_probe probes[2 * N];
	struct probe_value v[2 * N];
	bool reached[N];
	size_t wrong = 0, least, at = 0;
	struct core_finding x = { .key = "branch.history",
				  .unit = FINDING_COUNT,
				  .reason = no_answer };

	for (size_t i = 0; i < N; i++) {
		probes[i] = (struct core_probe){ .kind = PROBE_REACH,
						 .n = list[i] };
		probes[N + i] = (struct core_probe){ .kind = PROBE_OUT_OF_REACH,
						     .n = list[i] };
	}
	if (!finder_ask(f, probes, 2 * N, v))
		return false;
	for (size_t i = 0; i < N; i++) {
		if (!v[i].known || !v[N + i].known) {
			finder_add(f, x);
			return true;
		}
		reached[i] = v[N + i].cycles - v[i].cycles >= penalty / 5;
		wrong += reached[i];
	}
	least = wrong;
	for (size_t i = 0; i < N; i++) {
		wrong = reached[i] ? wrong - 1 : wrong + 1;
		if (wrong >= least)
			continue;
		least = wrong;
		at = i + 1;
	}
	x.known = at > 0 && at < N && least <= 2;
	x.reason = at == 0   ? "a jump is not predicted by another one"
		   : at == N ? "512 taken jumps between two, and more were "
			       "not tried"
		   : least > 2
			   ? "distances contradict each other"
			   : "so many taken jumps between two that go alike";
	if (x.known) {
		x.value = x.low = list[at - 1] + 1;
		x.high = list[at];
	}
	finder_add(f, x);
	return true;
}

/* ---- targets --------------------------------------------------------------------- */

/* Jumps with two distances between them: if as many are known, their number is the
 * limit; if as many bytes are, it is the cache of instructions. */
static bool find_targets(struct core_finder *f)
{
	enum { NEAR = 16, APART = 32 };
	struct reached r = { .kind = PROBE_TARGETS,
			     .least = 64,
			     .most = 8192,
			     .step = NEAR,
			     .more = 0.7 };
	struct core_finding x = { .key = "branch.targets",
				  .unit = FINDING_COUNT,
				  .reason = no_answer };
	struct between at[2];

	for (size_t i = 0; i < 2; i++) {
		r.step = i ? APART : NEAR;
		if (!ask_reached(f, &r, &at[i]))
			return false;
	}
	x.known = at[0].high > 0 && at[1].high > 0 && at[0].low < at[1].high &&
		  at[1].low < at[0].high && !contradicts(&at[0]) &&
		  !contradicts(&at[1]);
	if (x.known) {
		x.value = x.low = fmax(at[0].low, at[1].low);
		x.high = fmin(at[0].high, at[1].high) - 1;
		x.reason = "the most jumps, 16 as well as 32 bytes apart, that "
			   "take as long as fewer";
	} else if (at[0].low > 0) {
		x.reason = arena_printf(
			f->q->a,
			"%u jumps are, 16 bytes apart; the code of more may "
			"leave the cache of instructions",
			(unsigned)at[0].low);
	}
	finder_add(f, x);
	return true;
}

bool jumps_find(struct core_finder *f)
{
	static const char *const others[] = { "branch.history", "branch.loop",
					      "branch.calls", "branch.targets",
					      "branch.indirect" };
	const struct core_finding *x;
	double penalty;

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
	penalty = x->value;
	return find_history(f, penalty) &&
	       find_reached(f,
			    &(struct reached){
				    .key = "branch.loop",
				    .kind = PROBE_EXITS,
				    .least = 6,
				    .most = 512,
				    .grows = true,
				    .more = penalty / 2,
				    .reason = "a longer loop costs half of a "
					      "misprediction more" }) &&
	       find_reached(f,
			    &(struct reached){
				    .key = "branch.calls",
				    .kind = PROBE_CALLS,
				    .least = 4,
				    .most = 160,
				    .grows = true,
				    .more = penalty / 2,
				    .reason = "calls inside each other whose "
					      "returns are all predicted" }) &&
	       find_targets(f) &&
	       find_reached(f,
			    &(struct reached){
				    .key = "branch.indirect",
				    .kind = PROBE_TABLE,
				    .least = 2,
				    .most = 1024,
				    .step = 16,
				    .more = penalty / 3,
				    .reason = "places that one jump goes to in "
					      "turn, in random order" });
}
