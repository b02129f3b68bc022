/* See words.h.
 *
 * In program order, an instruction starts with the one before or it does not:
 * the kernel walks over its word in steps of one letter or two, one in a cycle.
 * From a letter it always steps alike, so it soon repeats itself, after once
 * around the word or twice: a time is a number of half cycles. */
#include "host/ports/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/arena.h"

enum {
	N_WAYS = 4,
	N_STATES = 1 << (3 + 3 * N_WAYS),
	MAX_WORDS = 512,
	/* Of three forms, words of no more letters. */
	LONGEST_OF_THREE = 5,
};

/* Half cycles: a measured time is that near to one it can be. */
static const double near = 0.3;

struct words {
	size_t n; /* words in all, shortest first; of two forms, then of three
		   */
	struct word word[MAX_WORDS];
	/* By what is known: which word is best; n: none; 0xffff: not yet. */
	uint16_t best[2][N_STATES];
};

/* Who starts with whom. */
struct table {
	bool together[WORDS_N_LETTERS][WORDS_N_LETTERS];
};

/* ---- times --------------------------------------------------------------- */

/* Half cycles of the word, walked from a letter, once around. */
static unsigned walk(const struct word *w, const struct table *t, size_t from)
{
	size_t at = from, seen[WORDS_MAX_LETTERS], steps = 0, letters = 0;
	bool visited[WORDS_MAX_LETTERS] = { false };
	size_t first_letters[WORDS_MAX_LETTERS];

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

/* Every time that the word may take, a bit each: where a kernel begins is not
 * known. */
static uint32_t times(const struct word *w, const struct table *t)
{
	uint32_t set = 0;

	for (size_t i = 0; i < w->n; i++)
		set |= 1u << walk(w, t, i);
	return set;
}

static void set_way(struct table *t, int i, int j, unsigned way)
{
	t->together[i][j] = way & 1;
	t->together[j][i] = way >> 1 & 1;
}

/* The same of one way of x and y, whatever z does. */
static uint32_t times_of(const struct words_known *k, const struct word *w,
			 unsigned way)
{
	struct table t = { { { false } } };
	bool has_z = memchr(w->letter, WORDS_Z, w->n) != NULL;
	uint32_t set = 0;

	for (int i = 0; i < WORDS_N_LETTERS; i++)
		t.together[i][i] = k->self[i];
	set_way(&t, WORDS_X, WORDS_Y, way);
	for (unsigned xz = 0; xz < N_WAYS; xz++)
		for (unsigned yz = 0; yz < N_WAYS; yz++) {
			if (!(k->xz >> xz & 1) || !(k->yz >> yz & 1))
				continue;
			set_way(&t, WORDS_X, WORDS_Z, xz);
			set_way(&t, WORDS_Y, WORDS_Z, yz);
			set |= times(w, &t);
			if (!has_z)
				return set;
		}
	return set;
}

/* Pairs of ways that the word tells apart, whatever else holds. */
static unsigned score(const struct words_known *k, const struct word *w)
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

uint8_t words_left(const struct words_known *k, const struct word *word,
		   double cycles)
{
	double halves = round(2 * cycles);
	uint8_t left = 0;

	if (fabs(2 * cycles - halves) > near || halves < 1 || halves > 31)
		return k->xy;
	for (unsigned i = 0; i < N_WAYS; i++)
		if (k->xy >> i & 1 &&
		    times_of(k, word, i) >> (unsigned)halves & 1)
			left |= (uint8_t)(1 << i);
	return left;
}

/* ---- which word ---------------------------------------------------------- */

/* Is it the first of those that are the same from another letter on? */
static bool is_first(const struct word *w)
{
	for (size_t turn = 1; turn < w->n; turn++)
		for (size_t i = 0; i < w->n; i++) {
			uint8_t mine = w->letter[i];
			uint8_t its = w->letter[(i + turn) % w->n];

			if (mine > its)
				return false;
			if (mine < its)
				break;
		}
	return true;
}

static void add_words(struct words *w, size_t n_letters, unsigned n_forms)
{
	unsigned n = 1;

	for (size_t i = 0; i < n_letters; i++)
		n *= n_forms;
	for (unsigned code = 0; code < n && w->n < MAX_WORDS; code++) {
		struct word word = { .n = n_letters };
		unsigned rest = code, there = 0;

		for (size_t i = 0; i < n_letters; i++, rest /= n_forms) {
			word.letter[i] = (uint8_t)(rest % n_forms);
			there |= 1u << word.letter[i];
		}
		if (there == (1u << n_forms) - 1 && is_first(&word))
			w->word[w->n++] = word;
	}
}

struct words *words_new(void)
{
	struct words *w = xrealloc(NULL, 1, sizeof(*w));

	w->n = 0;
	for (size_t n = 2; n <= WORDS_MAX_LETTERS; n++) {
		add_words(w, n, 2);
		if (n > 2 && n <= LONGEST_OF_THREE)
			add_words(w, n, 3);
	}
	memset(w->best, 0xff, sizeof(w->best));
	return w;
}

void words_free(struct words *w)
{
	free(w);
}

static size_t state_of(const struct words_known *k)
{
	size_t self = k->self[0] | k->self[1] << 1 | k->self[2] << 2;

	return self | (size_t)k->xy << 3 | (size_t)k->xz << 7 |
	       (size_t)k->yz << 11;
}

static uint16_t find_best(const struct words *w, const struct words_known *k,
			  bool z)
{
	size_t best = w->n;
	unsigned most = 0;

	for (size_t i = 0; i < w->n; i++) {
		const struct word *word = &w->word[i];
		unsigned n;

		if (best < w->n && word->n > w->word[best].n)
			break;
		if (!z && memchr(word->letter, WORDS_Z, word->n))
			continue;
		n = score(k, word);
		if (n > most) {
			most = n;
			best = i;
		}
	}
	return (uint16_t)best;
}

struct word words_best(struct words *w, const struct words_known *k, bool z)
{
	uint16_t *best = &w->best[z][state_of(k)];

	if (*best == UINT16_MAX)
		*best = find_best(w, k, z);
	return *best < w->n ? w->word[*best] : (struct word){ .n = 0 };
}
