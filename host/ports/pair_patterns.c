/* See pair_patterns.h.
 *
 * An in-order core starts an instruction together with the one before it or one
 * cycle later. So the kernel advances by one or two letters of the pattern per
 * cycle. The step from each letter is fixed. The sequence therefore repeats
 * after one or two passes through the pattern, and a time is a number of half
 * cycles. */
#include "host/ports/pair_patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"

enum {
	N_WAYS = 4,
	N_STATES = 1 << (3 + 3 * N_WAYS),
	MAX_PATTERNS = 512,
	/* Limit for patterns of three forms. */
	LONGEST_OF_THREE = 5,
};

/* In half cycles: distance of a measured time from a possible one. */
static const double half_cycle_tolerance = 0.3;

struct patterns {
	size_t n; /* patterns, shortest first; of two forms, then of three */
	struct pair_pattern pattern[MAX_PATTERNS];
	/* Index of the best pattern for each state of knowledge; n: none;
	 * 0xffff: not computed. */
	uint16_t best[2][N_STATES];
};

/* Which forms start together. */
struct pair_table {
	bool together[PATTERN_N_LETTERS][PATTERN_N_LETTERS];
};

/* ---- times --------------------------------------------------------------- */

/* Half cycles of one pass through the pattern, starting at a letter. */
static unsigned pattern_walk(const struct pair_pattern *w,
			     const struct pair_table *t, size_t from)
{
	size_t at = from, seen[PATTERN_MAX_LETTERS], steps = 0, letters = 0;
	bool visited[PATTERN_MAX_LETTERS] = { false };
	size_t first_letters[PATTERN_MAX_LETTERS];

	while (!visited[at]) {
		size_t next = (at + 1) % w->n;
		bool two = t->together[w->letter[at]][w->letter[next]];

		visited[at] = true;
		seen[at] = steps++;
		first_letters[at] = letters;
		letters += two ? 2 : 1;
		at = (at + (two ? 2 : 1)) % w->n;
	}
	steps -= seen[at];
	letters -= first_letters[at];
	return (unsigned)(2 * steps * w->n / letters);
}

/* All times that the pattern can have, one bit each; the start of a kernel is
 * unknown. */
static uint32_t pattern_times(const struct pair_pattern *w,
			      const struct pair_table *t)
{
	uint32_t set = 0;

	for (size_t i = 0; i < w->n; i++)
		set |= 1u << pattern_walk(w, t, i);
	return set;
}

static void set_way(struct pair_table *t, int i, int j, unsigned way)
{
	t->together[i][j] = way & 1;
	t->together[j][i] = way >> 1 & 1;
}

/* The possible times for one way of x and y, for all ways of z. */
static uint32_t times_of(const struct pattern_known *k,
			 const struct pair_pattern *w, unsigned way)
{
	struct pair_table t = { { { false } } };
	bool has_z = memchr(w->letter, PATTERN_Z, w->n) != NULL;
	uint32_t set = 0;

	for (int i = 0; i < PATTERN_N_LETTERS; i++)
		t.together[i][i] = k->self[i];
	set_way(&t, PATTERN_X, PATTERN_Y, way);
	for (unsigned xz = 0; xz < N_WAYS; xz++)
		for (unsigned yz = 0; yz < N_WAYS; yz++) {
			if (!(k->xz >> xz & 1) || !(k->yz >> yz & 1))
				continue;
			set_way(&t, PATTERN_X, PATTERN_Z, xz);
			set_way(&t, PATTERN_Y, PATTERN_Z, yz);
			set |= pattern_times(w, &t);
			if (!has_z)
				return set;
		}
	return set;
}

/* Pairs of ways that the pattern distinguishes in every case. */
static unsigned pattern_score(const struct pattern_known *k,
			      const struct pair_pattern *w)
{
	uint32_t of[N_WAYS] = { 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < N_WAYS; i++) {
		if (!(k->xy >> i & 1))
			continue;
		of[i] = times_of(k, w, i);
		for (unsigned j = 0; j < i; j++)
			n += (k->xy >> j & 1) && (of[i] & of[j]) == 0;
	}
	return n;
}

uint8_t patterns_left(const struct pattern_known *k,
		      const struct pair_pattern *pattern, double cycles)
{
	double halves = round(2 * cycles);
	uint8_t left = 0;

	if (fabs(2 * cycles - halves) > half_cycle_tolerance || halves < 1 ||
	    halves > 31)
		return k->xy;
	for (unsigned i = 0; i < N_WAYS; i++)
		if (k->xy >> i & 1 &&
		    times_of(k, pattern, i) >> (unsigned)halves & 1)
			left |= (uint8_t)(1 << i);
	return left;
}

/* ---- the best pattern ------------------------------------------------ */

/* Is it the first of other rotations? */
static bool pattern_is_first(const struct pair_pattern *w)
{
	for (size_t turn = 1; turn < w->n; turn++)
		for (size_t i = 0; i < w->n; i++) {
			uint8_t own = w->letter[i];
			uint8_t other = w->letter[(i + turn) % w->n];

			if (own > other)
				return false;
			if (own < other)
				break;
		}
	return true;
}

static void pattern_add_all(struct patterns *w, size_t n_letters,
			    unsigned n_forms)
{
	unsigned n = 1;

	for (size_t i = 0; i < n_letters; i++)
		n *= n_forms;
	for (unsigned code = 0; code < n && w->n < MAX_PATTERNS; code++) {
		struct pair_pattern pattern = { .n = n_letters };
		unsigned rest = code, there = 0;

		for (size_t i = 0; i < n_letters; i++, rest /= n_forms) {
			pattern.letter[i] = (uint8_t)(rest % n_forms);
			there |= 1u << pattern.letter[i];
		}
		if (there == (1u << n_forms) - 1 && pattern_is_first(&pattern))
			w->pattern[w->n++] = pattern;
	}
}

struct patterns *patterns_new(void)
{
	struct patterns *w = xrealloc(NULL, 1, sizeof(*w));

	w->n = 0;
	for (size_t n = 2; n <= PATTERN_MAX_LETTERS; n++) {
		pattern_add_all(w, n, 2);
		if (n > 2 && n <= LONGEST_OF_THREE)
			pattern_add_all(w, n, 3);
	}
	memset(w->best, 0xff, sizeof(w->best));
	return w;
}

void patterns_free(struct patterns *w)
{
	free(w);
}

static size_t state_of(const struct pattern_known *k)
{
	size_t self = k->self[0] | k->self[1] << 1 | k->self[2] << 2;

	return self | (size_t)k->xy << 3 | (size_t)k->xz << 7 |
	       (size_t)k->yz << 11;
}

static uint16_t find_best(const struct patterns *w,
			  const struct pattern_known *k, bool z)
{
	size_t best = w->n;
	unsigned most = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct pair_pattern *pattern = &w->pattern[i];
		unsigned n;

		if (best < w->n && pattern->n > w->pattern[best].n)
			break;
		if (!z && memchr(pattern->letter, PATTERN_Z, pattern->n))
			continue;
		n = pattern_score(k, pattern);
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return (uint16_t)best;
}

struct pair_pattern patterns_best(struct patterns *w,
				  const struct pattern_known *k, bool z)
{
	uint16_t *best = &w->best[z][state_of(k)];

	if (*best == UINT16_MAX)
		*best = find_best(w, k, z);
	return *best < w->n ? w->pattern[*best]
			    : (struct pair_pattern){ .n = 0 };
}
