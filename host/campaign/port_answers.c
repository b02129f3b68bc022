/* See port_answers.h. */
#include "host/campaign/port_answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/file.h"

enum {
	FIRST_ROOM = 1 << 12,
	MOST_RESULTS = 4, /* of one answer */
	MOST_LOST = 8,
};

const double port_answers_good_sigma = 0.004;
/* Two results disagree when they differ by more than this many deviations and
 * by more than undisturbed visits do. */
static const double apart = 4.5, least_apart = 0.02;

struct attempt {
	struct ports_value value;
	bool missed; /* it gave no result, and another one may */
};

struct answer {
	char *label; /* NULL: free */
	bool wanted;
	size_t n, n_taken, room, n_lost;
	struct attempt *list;
};

struct port_answers {
	struct arena arena;
	enum port_answers_use use;
	size_t n, room; /* a power of two, less than half full */
	struct answer *entries;
};

struct port_answers *port_answers_new(enum port_answers_use use)
{
	struct port_answers *a = xrealloc(NULL, 1, sizeof(*a));

	*a = (struct port_answers){ .use = use, .room = FIRST_ROOM };
	a->entries = xrealloc(NULL, a->room, sizeof(*a->entries));
	memset(a->entries, 0, a->room * sizeof(*a->entries));
	return a;
}

void port_answers_free(struct port_answers *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->room; i++)
		free(a->entries[i].list);
	free(a->entries);
	arena_free(&a->arena);
	free(a);
}

/* FNV-1a, 64 bit. */
static uint64_t hash_label(const char *text)
{
	uint64_t h = 0xcbf29ce484222325ull;

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3ull;
	return h;
}

static struct answer *find_entry(const struct port_answers *a,
				 const char *label)
{
	size_t i = hash_label(label) & (a->room - 1);

	while (a->entries[i].label && strcmp(a->entries[i].label, label) != 0)
		i = (i + 1) & (a->room - 1);
	return &a->entries[i];
}

static void grow_table(struct port_answers *a)
{
	struct port_answers old = *a;

	a->room *= 2;
	a->entries = xrealloc(NULL, a->room, sizeof(*a->entries));
	memset(a->entries, 0, a->room * sizeof(*a->entries));
	for (size_t i = 0; i < old.room; i++)
		if (old.entries[i].label)
			*find_entry(a, old.entries[i].label) = old.entries[i];
	free(old.entries);
}

static struct answer *enter_label(struct port_answers *a, const char *label)
{
	struct answer *x = find_entry(a, label);

	if (!x->label) {
		if (2 * ++a->n > a->room) {
			grow_table(a);
			x = find_entry(a, label);
		}
		x->label = arena_strdup(&a->arena, label);
	}
	return x;
}

size_t port_answers_n(const struct port_answers *a, const char *label)
{
	return find_entry(a, label)->n;
}

void port_answers_lose(struct port_answers *a, const char *label)
{
	enter_label(a, label)->n_lost++;
}

bool port_answers_want(struct port_answers *a, const char *label)
{
	struct answer *x = enter_label(a, label);
	bool first = !x->wanted;

	x->wanted = true;
	return first;
}

void port_answers_want_none(struct port_answers *a)
{
	for (size_t i = 0; i < a->room; i++)
		a->entries[i].wanted = false;
}

bool port_answers_tried(const struct port_answers *a, const char *label)
{
	const struct answer *x = find_entry(a, label);

	return x->label && (x->n > x->n_taken || x->n_lost > 0);
}

static void add_attempt(struct port_answers *a, const char *label,
			const struct attempt *attempt)
{
	struct answer *x = enter_label(a, label);

	if (x->n == x->room) {
		x->room = x->room ? 2 * x->room : 1;
		x->list = xrealloc(x->list, x->room, sizeof(*x->list));
	}
	x->list[x->n++] = *attempt;
}

void port_answers_add(struct port_answers *a, const char *label,
		      const struct ports_value *v)
{
	add_attempt(a, label, &(struct attempt){ .value = *v });
}

void port_answers_miss(struct port_answers *a, const char *label)
{
	add_attempt(a, label, &(struct attempt){ .missed = true });
}

/* Do two results measure the same state of the core? */
static bool agree(const struct ports_value *x, const struct ports_value *y)
{
	return fabs(x->cycles - y->cycles) <=
	       y->cycles * fmax(least_apart, apart * hypot(x->sigma, y->sigma));
}

/* The mean of all results that agree with this one, weighted by 1 / sigma^2. */
static struct ports_value join(const struct attempt *list, size_t n,
			       const struct ports_value *with)
{
	struct ports_value v = { .has_value = true };
	double all = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ports_value *x = &list[i].value;
		double w = 1 / fmax(x->sigma * x->sigma, 1e-12);

		if (!x->has_value || !agree(x, with))
			continue;
		v.cycles += w * x->cycles;
		all += w;
	}
	v.cycles /= all;
	v.sigma = sqrt(1 / all);
	return v;
}

/* The value of one request: the fastest mean with a small error, because a
 * disturbance makes a mix slower; results that disagree are never averaged.
 * False when no mean has a small error yet; *ret is then the fastest. */
static bool settle_request(const struct attempt *list, size_t n,
			   struct ports_value *ret)
{
	struct ports_value best = { .has_value = false };
	struct ports_value fastest = { .has_value = false };

	for (size_t i = 0; i < n; i++) {
		struct ports_value v;

		if (!list[i].value.has_value)
			continue;
		v = join(list, n, &list[i].value);
		if (!fastest.has_value || v.cycles < fastest.cycles)
			fastest = v;
		if (v.sigma <= port_answers_good_sigma &&
		    (!best.has_value || v.cycles < best.cycles))
			best = v;
	}
	*ret = best.has_value ? best : fastest;
	return best.has_value;
}

static bool take_answer(struct port_answers *a, const char *label, bool any,
			struct ports_value *ret)
{
	struct answer *x = find_entry(a, label);
	struct ports_value v = { .has_value = false };
	const size_t most =
		a->use == ANSWERS_STORED ? PORT_ANSWERS_ATTEMPTS : MOST_RESULTS;
	const struct attempt *list;
	bool known = false;
	size_t n = 0;

	if (!x->label)
		return false;
	list = x->list + x->n_taken;
	while (!known && n < most && x->n_taken + n < x->n) {
		/* A fault, or no kernel: it stays so. */
		bool none = !list[n].value.has_value && !list[n].missed;

		known = settle_request(list, ++n, &v) || none;
	}
	/* So many attempts without a result: it has no value. */
	if (n == 0 && x->n_lost >= MOST_LOST) {
		*ret = v;
		return true;
	}
	if (n == 0 || (!any && n < MOST_RESULTS && !known))
		return false;
	x->n_taken += a->use == ANSWERS_KEPT ? 0 : n;
	*ret = v;
	return true;
}

bool port_answers_take(struct port_answers *a, const char *label,
		       struct ports_value *ret)
{
	return take_answer(a, label, false, ret);
}

bool port_answers_take_any(struct port_answers *a, const char *label,
			   struct ports_value *ret)
{
	return take_answer(a, label, true, ret);
}
