/* How many jumps by random bits the prediction learns, if they repeat.  Each of them
 * needs an entry of its tables, chosen by the history before it; so the number is
 * about that of the entries. */
#include <math.h>

#include "host/structures/finder.h"

enum { LEAST_LOG = 9, MOST_LOG = 17, N_LENGTHS = MOST_LOG - LEAST_LOG + 1 };

/* A length is learned if so much of what random jumps cost is gone. */
static const double learned = 0.75;

/* The first length that is not learned; N_LENGTHS: all are.  *ret_against: so many
 * larger ones are. */
static size_t first_beyond(const struct probe_value v[N_LENGTHS], double limit,
			   size_t *ret_against)
{
	size_t ret = 0;

	while (ret < N_LENGTHS && v[ret].cycles <= limit)
		ret++;
	*ret_against = 0;
	for (size_t i = ret; i < N_LENGTHS; i++)
		*ret_against += v[i].cycles <= limit;
	return ret;
}

/* The entries of a length that costs `limit`, between two powers of two of which the
 * first costs no more and the second does. */
static double between(const struct core_probe list[2],
		      const struct probe_value v[2], double limit)
{
	double part = (limit - v[0].cycles) / (v[1].cycles - v[0].cycles);

	double low = (double)probe_pattern_entries(list[0].n);
	double high = (double)probe_pattern_entries(list[1].n);

	return round(low * pow(high / low, part));
}

bool patterns_find(struct core_finder *f, double penalty)
{
	struct core_probe list[N_LENGTHS];
	struct probe_value v[N_LENGTHS];
	struct core_finding x = { .key = "branch.patterns",
				  .unit = FINDING_COUNT };
	double least = HUGE_VAL, limit;
	size_t at, against;

	for (size_t i = 0; i < N_LENGTHS; i++)
		list[i] = (struct core_probe){
			.kind = PROBE_PATTERN,
			.n = UINT32_C(1) << (LEAST_LOG + i),
			.rough = true,
		};
	if (!finder_ask(f, list, N_LENGTHS, v))
		return false;
	for (size_t i = 0; i < N_LENGTHS; i++) {
		if (!v[i].known)
			x.reason = "no answer";
		least = fmin(least, v[i].cycles);
	}
	/* Half of the random ones go as predicted. */
	limit = least + (1 - learned) * penalty / 2;
	at = first_beyond(v, limit, &against);
	if (x.reason)
		;
	else if (at == 0 || against > 0)
		x.reason = "lengths of the sequence contradict each other";
	else if (at == N_LENGTHS) {
		x.at_least = true;
		x.value = x.low = x.high =
			(double)probe_pattern_entries(list[at - 1].n);
		x.reason = "all that were tried are learned";
	} else {
		x.known = true;
		x.label = v[at - 1].label;
		x.low = (double)probe_pattern_entries(list[at - 1].n);
		x.value = between(&list[at - 1], &v[at - 1], limit);
		x.high = (double)probe_pattern_entries(list[at].n);
		x.reason = "jumps by random bits of a sequence that repeats: "
			   "between the last power of two that is learned and "
			   "the next, each by the code of three lengths";
	}
	finder_add(f, x);
	return true;
}
