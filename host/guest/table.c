/* Translated blocks, their instructions and the files that these come from.
 * Each content has one number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/guest/run.h"

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

/* ---- numbers of contents ------------------------------------------------- */

/* FNV-1a, 64 bits. */
static uint64_t hash(const void *p, size_t n)
{
	const unsigned char *b = p;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ b[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* The place of a content, or the free one where it belongs. */
static uint32_t *place_of(const struct run_index *x, const void *bytes,
			  size_t n)
{
	size_t k = hash(bytes, n) & (x->room - 1);

	while (x->places[k] != EXCHANGE_NONE &&
	       (x->contents[x->places[k]].n != n ||
		memcmp(x->contents[x->places[k]].bytes, bytes, n) != 0))
		k = (k + 1) & (x->room - 1);
	return &x->places[k];
}

static void index_grow(struct run_index *x)
{
	if (2 * (x->n + 1) <= x->room)
		return;
	x->room = x->room ? 2 * x->room : 1024;
	x->places = xrealloc(x->places, x->room, sizeof(*x->places));
	memset(x->places, 0xff, x->room * sizeof(*x->places));
	for (uint32_t i = 0; i < x->n; i++)
		*place_of(x, x->contents[i].bytes, x->contents[i].n) = i;
}

/* The number of a content, below `most`; EXCHANGE_NONE: there are too many.
 * *ret_new: it is the next number. */
static uint32_t number_of(struct run_table *t, struct run_index *x, size_t most,
			  const void *bytes, size_t n, bool *ret_new)
{
	uint32_t *place;
	struct run_content *c;

	index_grow(x);
	place = place_of(x, bytes, n);
	*ret_new = *place == EXCHANGE_NONE && x->n < most;
	if (!*ret_new)
		return *place;
	*place = (uint32_t)x->n;
	c = APPEND(x->contents, x->n, x->contents_room);
	c->n = n;
	c->bytes = arena_copy(&t->arena, bytes, n);
	return *place;
}

/* ---- instructions and blocks --------------------------------------------- */

static uint32_t decode(struct run_table *t, const struct catalogue *c,
		       const struct question_insn *q)
{
	bool is_new;
	uint32_t i = number_of(t, &t->decoded_index, EXCHANGE_NONE, q->code,
			       q->n_code, &is_new);

	if (is_new) {
		struct guest_insn *d =
			APPEND(t->decoded, t->n_decoded, t->decoded_room);

		guest_decode(c, q->code, q->n_code, d);
	}
	return i;
}

static uint32_t find_insn(struct run_table *t, const struct catalogue *c,
			  const struct question_insn *q, uint32_t mapping)
{
	unsigned char key[sizeof(q->address) + EXCHANGE_CODE];
	struct run_insn *n;
	bool is_new;
	uint32_t i;

	memcpy(key, &q->address, sizeof(q->address));
	memcpy(key + sizeof(q->address), q->code, q->n_code);
	i = number_of(t, &t->insn_index, EXCHANGE_NONE, key,
		      sizeof(q->address) + q->n_code, &is_new);
	if (!is_new)
		return i;
	n = APPEND(t->insns, t->n_insns, t->insns_room);
	n->address = q->address;
	n->n_code = q->n_code;
	memcpy(n->code, q->code, q->n_code);
	n->what = decode(t, c, q);
	n->mapping = mapping;
	return i;
}

uint32_t table_block(struct run_table *t, const struct catalogue *c,
		     const struct question_insn *q, size_t n, uint32_t mapping)
{
	uint32_t insns[EXCHANGE_INSNS], number;
	struct run_block *b;
	bool is_new;

	for (size_t i = 0; i < n; i++)
		insns[i] = find_insn(t, c, &q[i], mapping);
	number = number_of(t, &t->block_index, EXCHANGE_BLOCKS, insns,
			   n * sizeof(*insns), &is_new);
	if (!is_new)
		return number;
	b = APPEND(t->blocks, t->n_blocks, t->blocks_room);
	b->n_insns = (uint32_t)n;
	b->insns = arena_copy(&t->arena, insns, n * sizeof(*insns));
	b->records = ARENA_ARRAY(&t->arena, uint32_t, n);
	for (size_t i = 0; i < n; i++) {
		bool counted = table_insn(t, insns[i])->accesses &&
			       t->n_records < EXCHANGE_RECORDS;

		b->records[i] = counted ? t->n_records++ : EXCHANGE_NONE;
	}
	return number;
}

const struct guest_insn *table_insn(const struct run_table *t, uint32_t insn)
{
	return &t->decoded[t->insns[insn].what];
}

/* ---- mappings ------------------------------------------------------------ */

static uint32_t mapping_of(const struct run_table *t, uint64_t address)
{
	/* The newest first: memory may be mapped again. */
	for (size_t i = t->n_mappings; i-- > 0;)
		if (address >= t->mappings[i].start &&
		    address < t->mappings[i].end)
			return (uint32_t)i;
	return EXCHANGE_NONE;
}

uint32_t table_mapping(struct run_table *t, uint32_t pid, uint64_t address,
		       uint64_t guest_base)
{
	char name[64], line[4200];
	uint32_t known = mapping_of(t, address);
	FILE *f;

	if (known != EXCHANGE_NONE)
		return known;
	(void)snprintf(name, sizeof(name), "/proc/%u/maps", (unsigned)pid);
	f = fopen(name, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long start, end, offset;
		int at = 0;
		struct run_mapping *m;

		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &start, &end,
			   &offset, &at) != 3 ||
		    address < start - guest_base || address >= end - guest_base)
			continue;
		line[strcspn(line, "\n")] = '\0';
		m = APPEND(t->mappings, t->n_mappings, t->mappings_room);
		m->start = start - guest_base;
		m->end = end - guest_base;
		m->offset = offset;
		if (line[at] == '/')
			m->path = arena_strdup(&t->arena, &line[at]);
	}
	if (f)
		(void)fclose(f);
	return mapping_of(t, address);
}

static void index_free(struct run_index *x)
{
	free(x->places);
	free(x->contents);
}

void table_free(struct run_table *t)
{
	free(t->insns);
	free(t->blocks);
	free(t->decoded);
	free(t->mappings);
	index_free(&t->insn_index);
	index_free(&t->block_index);
	index_free(&t->decoded_index);
	arena_free(&t->arena);
}
