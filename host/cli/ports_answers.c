/* See ports.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/ports.h"

enum {
	FIRST_ROOM = 1 << 12,
	MOST_RESULTS = 4, /* of one answer */
	MOST_LOST = 8,
};

/* Known so well, a mix needs no further result. */
static const double good_sigma = 0.004;
/* Two results differ when they are farther apart than this many deviations,
 * and than clean visits ever are. */
static const double apart = 4.5, least_apart = 0.02;

struct entry {
	char *label; /* NULL: free */
	size_t n, n_taken, room, n_lost;
	struct ports_value *values;
};

struct ports_answers {
	struct arena arena;
	size_t n, room; /* a power of two, less than half full */
	struct entry *entries;
};

struct ports_answers *ports_answers_new(void)
{
	struct ports_answers *a = xrealloc(NULL, 1, sizeof(*a));

	*a = (struct ports_answers){ .room = FIRST_ROOM };
	a->entries = xrealloc(NULL, a->room, sizeof(*a->entries));
	memset(a->entries, 0, a->room * sizeof(*a->entries));
	return a;
}

void ports_answers_free(struct ports_answers *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->room; i++)
		free(a->entries[i].values);
	free(a->entries);
	arena_free(&a->arena);
	free(a);
}

/* FNV-1a, 64 bit. */
static uint64_t hash(const char *text)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3ull;
	return h;
}

static struct entry *find(const struct ports_answers *a, const char *label)
{
	size_t i = hash(label) & (a->room - 1);

	while (a->entries[i].label && strcmp(a->entries[i].label, label) != 0)
		i = (i + 1) & (a->room - 1);
	return &a->entries[i];
}

static void grow(struct ports_answers *a)
{
	struct ports_answers old = *a;

	a->room *= 2;
	a->entries = xrealloc(NULL, a->room, sizeof(*a->entries));
	memset(a->entries, 0, a->room * sizeof(*a->entries));
	for (size_t i = 0; i < old.room; i++)
		if (old.entries[i].label)
			*find(a, old.entries[i].label) = old.entries[i];
	free(old.entries);
}

static struct entry *enter(struct ports_answers *a, const char *label)
{
	struct entry *x = find(a, label);

	if (!x->label) {
		if (2 * ++a->n > a->room) {
			grow(a);
			x = find(a, label);
		}
		x->label = arena_strdup(&a->arena, label);
	}
	return x;
}

size_t ports_answers_n(const struct ports_answers *a, const char *label)
{
	return find(a, label)->n;
}

void ports_answers_lose(struct ports_answers *a, const char *label)
{
	enter(a, label)->n_lost++;
}

void ports_answers_add(struct ports_answers *a, const char *label,
		       const struct ports_value *v)
{
	struct entry *x = enter(a, label);

	if (x->n == x->room) {
		x->room = x->room ? 2 * x->room : 1;
		x->values = xrealloc(x->values, x->room, sizeof(*x->values));
	}
	x->values[x->n++] = *v;
}

/* Results farther apart than this saw different things. */
static bool agree(const struct ports_value *x, const struct ports_value *y)
{
	return fabs(x->cycles - y->cycles) <=
	       y->cycles * fmax(least_apart, apart * hypot(x->sigma, y->sigma));
}

/* All that agree with this one together, each by its weight. */
static struct ports_value join(const struct ports_value *list, size_t n,
			       const struct ports_value *with)
{
	struct ports_value v = { .has_value = true };
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		double w = 1 / fmax(list[i].sigma * list[i].sigma, 1e-12);

		if (!list[i].has_value || !agree(&list[i], with))
			continue;
		v.cycles += w * list[i].cycles;
		all += w;
	}
	v.cycles /= all;
	v.sigma = sqrt(1 / all);
	return v;
}

/* What the results of one request say: the fastest that is known well, for
 * what disturbs a mix makes it slower; an average of results that contradict
 * each other is none of them.  False when none is known well yet; *ret is then
 * the fastest. */
static bool settle(const struct ports_value *list, size_t n,
		   struct ports_value *ret)
{
	struct ports_value best = { .has_value = false };
	struct ports_value fastest = { .has_value = false };

	for (size_t i = 0; i < n; i++) {
		struct ports_value v;

		if (!list[i].has_value)
			continue;
		v = join(list, n, &list[i]);
		if (!fastest.has_value || v.cycles < fastest.cycles)
			fastest = v;
		if (v.sigma <= good_sigma &&
		    (!best.has_value || v.cycles < best.cycles))
			best = v;
	}
	*ret = best.has_value ? best : fastest;
	return best.has_value;
}

static bool take(struct ports_answers *a, const char *label, bool any,
		 struct ports_value *ret)
{
	struct entry *x = find(a, label);
	struct ports_value v = { .has_value = false };
	const struct ports_value *list;
	bool known = false;
	size_t n = 0;

	if (!x->label)
		return false;
	list = x->values + x->n_taken;
	while (!known && n < MOST_RESULTS && x->n_taken + n < x->n) {
		/* What cannot be had once cannot be had. */
		bool none = !list[n++].has_value;

		known = settle(list, n, &v) || none;
	}
	/* Nothing in so many tries: it cannot be had. */
	if (n == 0 && x->n_lost >= MOST_LOST) {
		*ret = v;
		return true;
	}
	if (n == 0 || (!any && n < MOST_RESULTS && !known))
		return false;
	x->n_taken += n;
	*ret = v;
	return true;
}

bool ports_answers_take(struct ports_answers *a, const char *label,
			struct ports_value *ret)
{
	return take(a, label, false, ret);
}

bool ports_answers_take_any(struct ports_answers *a, const char *label,
			    struct ports_value *ret)
{
	return take(a, label, true, ret);
}
