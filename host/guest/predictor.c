/* See predictor.h. */
#include "host/guest/predictor.h"

#include <math.h>
#include <string.h>

enum {
	LEAST_HISTORY = 4,
	INDEX_BITS = 10, /* of PREDICTOR_ENTRIES */
	TAG_BITS = 11,
	COUNTER_MOST = 3, /* 3 bits, -4 to 3 */
	BIMODAL_MOST = 1, /* 2 bits */
	USEFUL_MOST = 3,
	TRUST_MOST = 7,
	/* Branches after which what was useful is forgotten by half. */
	FORGET = 1 << 18,
	TARGET_BITS = 4, /* of a target, in the history */
};

/* Knuth's multipliers for hashes and for numbers modulo 2^64 (The Art of Computer
 * Programming, volumes 3 and 2). */
static const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
static const uint64_t base = UINT64_C(6364136223846793005);

_Static_assert(1 << INDEX_BITS == PREDICTOR_ENTRIES, "bits of an index");

/* ---- history ------------------------------------------------------------- */

static uint32_t bit_before(const struct predictor *p, uint32_t n)
{
	return p->history[(p->newest + n) % PREDICTOR_MOST_HISTORY];
}

static void history_push(struct predictor *p, uint32_t bit)
{
	for (unsigned i = 0; i < PREDICTOR_TABLES; i++) {
		struct predictor_table *t = &p->tables[i];

		t->hash = t->hash * base + bit -
			  bit_before(p, t->length - 1) * t->oldest;
	}
	p->newest = (p->newest + PREDICTOR_MOST_HISTORY - 1) %
		    PREDICTOR_MOST_HISTORY;
	p->history[p->newest] = (uint8_t)bit;
}

void predictor_open(struct predictor *p, uint32_t history)
{
	double least = history < LEAST_HISTORY ? history : LEAST_HISTORY;

	memset(p, 0, sizeof(*p));
	p->random = 1;
	for (unsigned i = 0; i < PREDICTOR_TABLES; i++) {
		struct predictor_table *t = &p->tables[i];
		double share = (double)i / (PREDICTOR_TABLES - 1);

		t->length =
			(uint32_t)lround(least * pow(history / least, share));
		t->oldest = 1;
		for (uint32_t k = 0; k < t->length; k++)
			t->oldest *= base;
	}
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

/* Where a branch would be in each table, and which tables have it. */
struct lookup {
	struct predictor_entry *at[PREDICTOR_TABLES];
	uint16_t tags[PREDICTOR_TABLES];
	int provider, other; /* longest and next history; -1: none */
	int8_t *bimodal;
	bool provided, alternative;
};

static void look_up(struct predictor *p, uint64_t address, struct lookup *l)
{
	uint32_t h = mix(address);

	l->provider = l->other = -1;
	l->bimodal = &p->bimodal[h % PREDICTOR_BIMODAL];
	for (int i = PREDICTOR_TABLES - 1; i >= 0; i--) {
		struct predictor_table *t = &p->tables[i];
		uint64_t both = (t->hash ^ h) * golden;

		l->at[i] = &t->entries[both >> (64 - INDEX_BITS)];
		l->tags[i] = (uint16_t)(both >> (64 - INDEX_BITS - TAG_BITS) &
					((1U << TAG_BITS) - 1));
		/* 0: an empty entry. */
		l->tags[i] = l->tags[i] ? l->tags[i] : 1;
		if (l->at[i]->tag != l->tags[i])
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

/* After a misprediction a longer history gets an entry. */
static void allocate(struct predictor *p, const struct lookup *l, bool taken)
{
	int first = l->provider + 1;

	/* Not always the next: a step of xorshift decides. */
	p->random ^= p->random << 13;
	p->random ^= p->random >> 17;
	p->random ^= p->random << 5;
	if (first + 1 < PREDICTOR_TABLES && (p->random & 3) == 0)
		first++;
	for (int i = first; i < PREDICTOR_TABLES; i++)
		if (l->at[i]->useful == 0) {
			*l->at[i] = (struct predictor_entry){
				.tag = l->tags[i],
				.counter = taken ? 0 : -1,
			};
			return;
		}
	for (int i = first; i < PREDICTOR_TABLES; i++)
		l->at[i]->useful--;
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
		for (unsigned k = 0; k < PREDICTOR_ENTRIES; k++)
			p->tables[i].entries[k].useful /= 2;
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
	history_push(p, taken);
	return predicted != taken;
}

/* ---- targets ------------------------------------------------------------- */

bool predictor_target(struct predictor *p, uint64_t address, uint64_t target)
{
	uint32_t h = mix(address), bits = mix(target);
	uint64_t *by_history =
		&p->targets[(h ^ p->tables[PREDICTOR_TABLES / 2].hash >> 32) %
			    PREDICTOR_TARGETS];
	uint64_t *last = &p->last_targets[h % PREDICTOR_TARGETS];
	uint64_t predicted = *by_history ? *by_history : *last;

	*by_history = target;
	*last = target;
	for (unsigned i = 0; i < TARGET_BITS; i++)
		history_push(p, bits >> (31 - i) & 1);
	return predicted != target;
}
