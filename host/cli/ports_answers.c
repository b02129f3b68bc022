/* See ports.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"
#include "host/cli/ports.h"

enum {
	FIRST_ROOM = 1 << 12,
	MOST_RESULTS = 4, /* of one answer */
	MOST_LOST = 4,
};

/* Known so well, a mix needs no further result. */
static const double good_sigma = 0.004;

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

/* Both together, each by its weight. */
static struct ports_value join(struct ports_value x, struct ports_value y)
{
	double wx, wy;

	if (!x.has_value || !y.has_value)
		return x.has_value ? x : y;
	wx = 1 / fmax(x.sigma * x.sigma, 1e-12);
	wy = 1 / fmax(y.sigma * y.sigma, 1e-12);
	return (struct ports_value){
		.has_value = true,
		.cycles = (wx * x.cycles + wy * y.cycles) / (wx + wy),
		.sigma = sqrt(1 / (wx + wy)),
	};
}

static bool take(struct ports_answers *a, const char *label, bool any,
		 struct ports_value *ret)
{
	struct entry *x = find(a, label);
	struct ports_value v = { .has_value = false };
	size_t n = 0;

	if (!x->label)
		return false;
	while (n < MOST_RESULTS && x->n_taken + n < x->n) {
		v = n == 0 ? x->values[x->n_taken]
			   : join(v, x->values[x->n_taken + n]);
		n++;
		/* What cannot be had once cannot be had. */
		if (!v.has_value || v.sigma <= good_sigma)
			break;
	}
	/* Nothing in so many tries: it cannot be had. */
	if (n == 0 && x->n_lost >= MOST_LOST) {
		*ret = v;
		return true;
	}
	if (n == 0 ||
	    (!any && n < MOST_RESULTS && v.has_value && v.sigma > good_sigma))
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
