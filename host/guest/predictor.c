/* See predictor.h. */
#include "host/guest/predictor.h"

#include <math.h>
#include <stdlib.h>

enum {
	LEAST_HALF = 8, /* sets */
	HALF_BIT = 5,   /* of an address */
	TAG_BITS = 12,
	COUNTER_MOST = 3, /* 3 bits, -4 to 3 */
	BIMODAL_MOST = 1, /* 2 bits */
	USEFUL_MOST = 3,
	TRUST_MOST = 7,
	/* Branches after which what was useful is forgotten by half. */
	FORGET = 1 << 18,
	MARKS = 255, /* of a taken branch, in the history */
};

/* Lengths of the histories, as shares of the longest: 34, 66 and 194 taken
 * branches in a Golden Cove ("Half&Half"), and a short one, without which a
 * branch that does what the one before did is not learned among others that are
 * random. */
static const double shares[PREDICTOR_TABLES] = { 6.0 / 194, 34.0 / 194,
						 66.0 / 194, 1 };

/* Knuth's multipliers for hashes and for numbers modulo 2^64 (The Art of
 * Computer Programming, volumes 3 and 2). */
static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t base = UINT64_C(6364136223846793005);

/* ---- history ------------------------------------------------------------- */

static uint32_t mark_before(const struct predictor *p, uint32_t n)
{
	return p->history[(p->newest + n) % PREDICTOR_MOST_HISTORY];
}

static void history_push(struct predictor *p, uint32_t mark)
{
	for (unsigned i = 0; i < PREDICTOR_TABLES; i++) {
		struct predictor_table *t = &p->tables[i];

		t->hash = t->hash * base + mark -
			  mark_before(p, t->length - 1) * t->oldest;
	}
	p->newest = (p->newest + PREDICTOR_MOST_HISTORY - 1) %
		    PREDICTOR_MOST_HISTORY;
	p->history[p->newest] = (uint8_t)mark;
}

/* Sets of a half of a table.  Two entries for each branch: a Zen 5, which learns 32,768
 * and not 65,536, mispredicts a quarter of 32,768 in their fifth repetition and
 * 3 % in the ninth, as these tables do. */
static uint32_t half_of(uint32_t patterns)
{
	uint32_t sets = patterns / (PREDICTOR_TABLES * PREDICTOR_WAYS);

	return sets > LEAST_HALF ? sets : LEAST_HALF;
}

struct predictor *predictor_new(const struct cache_core *core)
{
	uint32_t half = half_of(core->patterns);
	size_t sets = 2 * (size_t)half;
	struct predictor *p =
		calloc(1, sizeof(*p) + PREDICTOR_TABLES * sets *
					       sizeof(*p->tables[0].entries));
	char *entries = (char *)(p + 1);

	if (!p)
		return NULL;
	p->random = 1;
	p->loop = core->loop;
	p->half = half;
	for (unsigned i = 0; i < PREDICTOR_TABLES; i++) {
		struct predictor_table *t = &p->tables[i];

		t->entries = (void *)entries;
		entries += sets * sizeof(*t->entries);
		t->length =
			(uint32_t)lround(fmax(1, core->history * shares[i]));
		t->oldest = 1;
		for (uint32_t k = 0; k < t->length; k++)
			t->oldest *= base;
	}
	return p;
}

/* ---- directions ---------------------------------------------------------- */

static void predictor_count(int8_t *counter, int most, bool up)
{
	if (up && *counter < most)
		(*counter)++;
	else if (!up && *counter > -most - 1)
		(*counter)--;
}

/* Instructions may be a byte apart. */
static uint32_t mix(uint64_t address)
{
	return (uint32_t)((address * golden) >> 32);
}

/* Where a branch is or would be in each table, and which tables have it. */
struct lookup {
	struct predictor_entry *sets[PREDICTOR_TABLES];
	struct predictor_entry
		*at[PREDICTOR_TABLES]; /* NULL: it is not there */
	uint16_t tags[PREDICTOR_TABLES];
	int provider, other; /* longest and next history; -1: none */
	int8_t *bimodal;
	bool provided, alternative;
};

static struct predictor_entry *find_way(struct predictor_entry *set,
					uint16_t tag)
{
	for (unsigned w = 0; w < PREDICTOR_WAYS; w++)
		if (set[w].tag == tag)
			return &set[w];
	return NULL;
}

static void look_up(struct predictor *p, uint64_t address, struct lookup *l)
{
	uint32_t h = mix(address);
	uint64_t half = (address >> HALF_BIT & 1) * p->half;

	l->provider = l->other = -1;
	l->bimodal = &p->bimodal[h % PREDICTOR_BIMODAL];
	for (int i = PREDICTOR_TABLES - 1; i >= 0; i--) {
		struct predictor_table *t = &p->tables[i];
		uint64_t both = (t->hash ^ h) * golden;
		uint64_t index = (t->hash * golden >> 32) * p->half >> 32;

		l->sets[i] = t->entries[half + index];
		l->tags[i] = (uint16_t)(both >> (64 - TAG_BITS));
		l->tags[i] = l->tags[i] ? l->tags[i] : 1;
		l->at[i] = find_way(l->sets[i], l->tags[i]);
		if (!l->at[i])
			continue;
		if (l->provider < 0)
			l->provider = i;
		else if (l->other < 0)
			l->other = i;
	}
	l->alternative = l->other >= 0 ? l->at[l->other]->counter >= 0
				       : *l->bimodal >= 0;
	l->provided = l->provider >= 0 ? l->at[l->provider]->counter >= 0
				       : l->alternative;
}

static bool is_new(const struct predictor_entry *e)
{
	return e->useful == 0 && (e->counter == 0 || e->counter == -1);
}

/* A way of a set that is not useful; NULL: none. */
static struct predictor_entry *free_way(struct predictor_entry *set)
{
	for (unsigned w = 0; w < PREDICTOR_WAYS; w++)
		if (set[w].useful == 0)
			return &set[w];
	return NULL;
}

static uint32_t predictor_random(struct predictor *p)
{
	/* xorshift */
	p->random ^= p->random << 13;
	p->random ^= p->random >> 17;
	p->random ^= p->random << 5;
	return p->random;
}

/* After a misprediction two longer histories get an entry, one between them left
 * out: with one alone, a repeated sequence takes twice as long to learn. */
static void allocate(struct predictor *p, const struct lookup *l, bool taken)
{
	enum { APART = 2, MOST = 2 };
	int first = l->provider + 1, n = 0;

	/* Not always the next. */
	if (first + 1 < PREDICTOR_TABLES && (predictor_random(p) & 3) == 0)
		first++;
	for (int i = first; i < PREDICTOR_TABLES && n < MOST;) {
		struct predictor_entry *e = free_way(l->sets[i]);

		if (e) {
			*e = (struct predictor_entry){
				.tag = l->tags[i],
				.counter = taken ? 0 : -1,
			};
			n++;
		}
		i += e ? APART : 1;
	}
	for (int i = first; i < PREDICTOR_TABLES && n == 0; i++)
		for (unsigned w = 0; w < PREDICTOR_WAYS; w++)
			l->sets[i][w].useful--;
}

static void learn(struct predictor *p, const struct lookup *l, bool taken)
{
	struct predictor_entry *e =
		l->provider >= 0 ? l->at[l->provider] : NULL;

	if (e && is_new(e) && l->provided != l->alternative)
		predictor_count(&p->trusts_new, TRUST_MOST,
				l->provided == taken);
	if (e && l->provided != l->alternative) {
		if (l->provided != taken && e->useful > 0)
			e->useful--;
		else if (l->provided == taken && e->useful < USEFUL_MOST)
			e->useful++;
	}
	if (e)
		predictor_count(&e->counter, COUNTER_MOST, taken);
	else
		predictor_count(l->bimodal, BIMODAL_MOST, taken);
}

static void forget(struct predictor *p)
{
	for (unsigned i = 0; i < PREDICTOR_TABLES; i++)
		for (unsigned k = 0; k < 2 * p->half; k++)
			for (unsigned w = 0; w < PREDICTOR_WAYS; w++)
				p->tables[i].entries[k][w].useful /= 2;
}

/* Does the branch end a loop that repeats without predictions?  Counts its
 * iterations. */
static bool ends_loop(struct predictor *p, uint64_t address, bool taken)
{
	uint32_t run = address == p->last ? p->run : 0;

	p->last = address;
	p->run = taken ? run + (run < UINT32_MAX) : 0;
	return p->loop > 0 && !taken && run >= p->loop;
}

void predictor_taken(struct predictor *p, uint64_t address)
{
	history_push(p, 1 + mix(address) % MARKS);
}

bool predictor_direction(struct predictor *p, uint64_t address, bool taken)
{
	struct lookup l;
	bool predicted;

	look_up(p, address, &l);
	predicted = l.provided;
	if (l.provider >= 0 && is_new(l.at[l.provider]) && p->trusts_new < 0)
		predicted = l.alternative;
	learn(p, &l, taken);
	if (predicted != taken && l.provider < PREDICTOR_TABLES - 1)
		allocate(p, &l, taken);
	if (++p->n % FORGET == 0)
		forget(p);
	if (taken)
		predictor_taken(p, address);
	return ends_loop(p, address, taken) || predicted != taken;
}

/* ---- targets ------------------------------------------------------------- */

bool predictor_target(struct predictor *p, uint64_t address, uint64_t target)
{
	uint32_t h = mix(address);
	uint64_t *by_history =
		&p->targets[(h ^ p->tables[PREDICTOR_TABLES / 2].hash >> 32) %
			    PREDICTOR_TARGETS];
	uint64_t *last = &p->last_targets[h % PREDICTOR_TARGETS];
	uint64_t predicted = *by_history ? *by_history : *last;

	*by_history = target;
	*last = target;
	history_push(p, 1 + (h ^ mix(target)) % MARKS);
	return predicted != target;
}
