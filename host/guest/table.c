/* Translated blocks and their instructions; each content has one number. */
#include <stdlib.h>
#include <string.h>

#include "host/guest/run.h"

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t h, const void *p, size_t n)
{
	const unsigned char *b = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * UINT64_C(0x100000001b3);
	return h;
}

static const uint64_t hash_start = UINT64_C(0xcbf29ce484222325);

/* Make room for one more entry; `of` gives the hash of an entry. */
static void index_grow(struct run_index *x, const struct run_table *t,
		       uint64_t (*of)(const struct run_table *t, uint32_t i))
{
	size_t room = x->room ? 2 * x->room : 1024;

	if (2 * (x->n + 1) <= x->room)
		return;
	x->places = xrealloc(x->places, room, sizeof(*x->places));
	memset(x->places, 0xff, room * sizeof(*x->places));
	x->room = room;
	for (uint32_t i = 0; i < x->n; i++) {
		size_t k = of(t, i) & (room - 1);

		while (x->places[k] != EXCHANGE_NONE)
			k = (k + 1) & (room - 1);
		x->places[k] = i;
	}
}

/* Append a zeroed entry to an array. */
static void *append(void **array, size_t *n, size_t *room, size_t size)
{
	if (*n == *room) {
		*room = *room ? 2 * *room : 256;
		*array = xrealloc(*array, *room, size);
	}
	return memset((char *)*array + (*n)++ * size, 0, size);
}

#define APPEND(array, n, room) \
	append((void **)(void *)&(array), &(n), &(room), sizeof(*(array)))

/* ---- decoded instructions ------------------------------------------------ */

static uint64_t hash_decoded(const struct run_table *t, uint32_t i)
{
	return hash(hash_start, t->decoded[i].code, t->decoded[i].n_code);
}

static uint32_t find_decoded(struct run_table *t, const struct catalogue *c,
			     const struct question_insn *q)
{
	struct run_index *x = &t->decoded_index;
	struct run_decoded *d;
	size_t k;

	index_grow(x, t, hash_decoded);
	for (k = hash(hash_start, q->code, q->n_code) & (x->room - 1);
	     x->places[k] != EXCHANGE_NONE; k = (k + 1) & (x->room - 1)) {
		d = &t->decoded[x->places[k]];
		if (d->n_code == q->n_code &&
		    memcmp(d->code, q->code, q->n_code) == 0)
			return x->places[k];
	}
	x->places[k] = (uint32_t)x->n++;
	d = APPEND(t->decoded, t->n_decoded, t->decoded_room);
	d->n_code = q->n_code;
	memcpy(d->code, q->code, q->n_code);
	guest_decode(c, q->code, q->n_code, &d->insn);
	return x->places[k];
}

/* ---- instructions -------------------------------------------------------- */

static uint64_t hash_insn_of(uint64_t address, const uint8_t *code, size_t n)
{
	return hash(hash(hash_start, &address, sizeof(address)), code, n);
}

static uint64_t hash_insn(const struct run_table *t, uint32_t i)
{
	const struct run_insn *n = &t->insns[i];

	return hash_insn_of(n->address, n->code, n->n_code);
}

static uint32_t find_insn(struct run_table *t, const struct catalogue *c,
			  const struct question_insn *q, uint32_t mapping)
{
	struct run_index *x = &t->insn_index;
	struct run_insn *n;
	size_t k;

	index_grow(x, t, hash_insn);
	for (k = hash_insn_of(q->address, q->code, q->n_code) & (x->room - 1);
	     x->places[k] != EXCHANGE_NONE; k = (k + 1) & (x->room - 1)) {
		n = &t->insns[x->places[k]];
		if (n->address == q->address && n->n_code == q->n_code &&
		    memcmp(n->code, q->code, q->n_code) == 0)
			return x->places[k];
	}
	x->places[k] = (uint32_t)x->n++;
	n = APPEND(t->insns, t->n_insns, t->insns_room);
	n->address = q->address;
	n->n_code = q->n_code;
	memcpy(n->code, q->code, q->n_code);
	n->what = find_decoded(t, c, q);
	n->mapping = mapping;
	return x->places[k];
}

/* ---- blocks -------------------------------------------------------------- */

static uint64_t hash_block_of(const uint32_t *insns, size_t n)
{
	return hash(hash_start, insns, n * sizeof(*insns));
}

static uint64_t hash_block(const struct run_table *t, uint32_t i)
{
	return hash_block_of(t->blocks[i].insns, t->blocks[i].n_insns);
}

static void add_block(struct run_table *t, const uint32_t *insns, size_t n)
{
	struct run_block *b = APPEND(t->blocks, t->n_blocks, t->blocks_room);

	b->n_insns = (uint32_t)n;
	b->insns = arena_copy(&t->arena, insns, n * sizeof(*insns));
	b->records = ARENA_ARRAY(&t->arena, uint32_t, n);
	for (size_t i = 0; i < n; i++) {
		uint32_t what = t->insns[insns[i]].what;
		bool counted = t->decoded[what].insn.accesses &&
			       t->n_records < EXCHANGE_RECORDS;

		b->records[i] = counted ? t->n_records++ : EXCHANGE_NONE;
	}
}

uint32_t table_block(struct run_table *t, const struct catalogue *c,
		     const struct question_insn *q, size_t n, uint32_t mapping)
{
	struct run_index *x = &t->block_index;
	uint32_t insns[EXCHANGE_INSNS];
	size_t k;

	for (size_t i = 0; i < n; i++)
		insns[i] = find_insn(t, c, &q[i], mapping);
	index_grow(x, t, hash_block);
	for (k = hash_block_of(insns, n) & (x->room - 1);
	     x->places[k] != EXCHANGE_NONE; k = (k + 1) & (x->room - 1)) {
		const struct run_block *b = &t->blocks[x->places[k]];

		if (b->n_insns == n &&
		    memcmp(b->insns, insns, n * sizeof(*insns)) == 0)
			return x->places[k];
	}
	if (x->n >= EXCHANGE_BLOCKS)
		return EXCHANGE_NONE;
	x->places[k] = (uint32_t)x->n++;
	add_block(t, insns, n);
	return x->places[k];
}

void table_free(struct run_table *t)
{
	free(t->insns);
	free(t->blocks);
	free(t->decoded);
	free(t->mappings);
	free(t->insn_index.places);
	free(t->block_index.places);
	free(t->decoded_index.places);
	arena_free(&t->arena);
}
