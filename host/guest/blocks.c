/* Basic blocks: see profile.h.
 *
 * Two instructions that follow each other are in one block if the first does
 * not jump and both were executed equally often.  All executions of the second
 * then come from the first: so no jump leads between them. */
#include "host/guest/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "host/cache/sim.h"

static uint64_t sum_count(struct guest_run *r, size_t block,
			  uint64_t *ret_mispredicted)
{
	uint64_t sum = 0;

	*ret_mispredicted = 0;
	for (uint32_t i = 0, n = run_n_slots(r); i < n; i++) {
		struct exchange_slot *s = run_slot(r, i);

		sum += s ? slot_counts(r->x, s)[block] : 0;
		if (s && r->request.predict && r->request.core.history)
			*ret_mispredicted += slot_mispredicted(r->x, s)[block];
	}
	return sum;
}

static void sum_record(struct guest_run *r, uint32_t record,
		       struct insn_counts *ret)
{
	for (uint32_t i = 0, n = run_n_slots(r); i < n; i++) {
		struct exchange_slot *s = run_slot(r, i);
		const struct access_counts *x =
			s ? &slot_records(r->x, s)[record] : NULL;

		if (!x)
			continue;
		ret->executions += x->executions;
		ret->bytes += x->bytes;
		ret->lines += x->lines;
	}
}

/* Add what the caches of one process charged to a place. */
static void add_misses(const struct guest_request *q, const struct cache_sim *s,
		       uint32_t place, uint64_t *misses)
{
	for (size_t h = 0; h < q->n_hierarchies; h++)
		for (size_t l = 0; l < q->hierarchies[h].n_levels; l++)
			*misses++ += cache_sim_misses(s, h, l, place);
}

static void sum_misses(struct blocks *b)
{
	const struct run_table *t = &b->r->table;

	for (uint32_t p = 0, n = run_n_slots(b->r); p < n; p++) {
		const struct cache_sim *s = guest_caches(b->r, p);

		for (size_t k = 0; s && k < t->n_blocks; k++) {
			const struct run_block *x = &t->blocks[k];

			for (size_t i = 0; i < x->n_insns; i++)
				if (x->records[i] != EXCHANGE_NONE)
					add_misses(&b->r->request, s,
						   x->records[i],
						   &b->misses[x->insns[i] *
							      b->n_levels]);
		}
	}
}

static void link_next(struct insn_counts *x, uint32_t next)
{
	if (x->next == EXCHANGE_NONE && !x->several)
		x->next = next;
	else if (x->next != next) {
		x->next = EXCHANGE_NONE;
		x->several = true;
	}
}

static void sum_blocks(struct blocks *b)
{
	const struct run_table *t = &b->r->table;

	for (size_t k = 0; k < t->n_blocks; k++) {
		const struct run_block *x = &t->blocks[k];
		uint64_t wrong, count = sum_count(b->r, k, &wrong);

		for (size_t i = 0; i < x->n_insns; i++) {
			struct insn_counts *n = &b->insns[x->insns[i]];

			n->count += count;
			if (x->records[i] != EXCHANGE_NONE)
				sum_record(b->r, x->records[i], n);
			if (i + 1 == x->n_insns)
				n->mispredicted += wrong;
			else if (count > 0)
				link_next(n, x->insns[i + 1]);
		}
	}
}

/* ---- order --------------------------------------------------------------- */

static int by_address(const void *a, const void *b, void *context)
{
	const struct run_insn *insns = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (insns[i].address != insns[k].address)
		return insns[i].address < insns[k].address ? -1 : 1;
	return (i > k) - (i < k);
}

static void sort(struct blocks *b)
{
	const struct run_table *t = &b->r->table;

	b->sorted = ARENA_ARRAY(b->a, uint32_t, t->n_insns + 1);
	for (size_t i = 0; i < t->n_insns; i++)
		b->sorted[i] = (uint32_t)i;
	qsort_r(b->sorted, t->n_insns, sizeof(*b->sorted), by_address,
		t->insns);
}

/* The only executed instruction at an address; EXCHANGE_NONE. */
static uint32_t only_at(const struct blocks *b, uint64_t address)
{
	const struct run_insn *insns = b->r->table.insns;
	size_t low = 0, high = b->r->table.n_insns;
	uint32_t ret = EXCHANGE_NONE;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (insns[b->sorted[mid]].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < b->r->table.n_insns &&
	       insns[b->sorted[low]].address == address;
	     low++) {
		if (b->insns[b->sorted[low]].count == 0)
			continue;
		if (ret != EXCHANGE_NONE)
			return EXCHANGE_NONE;
		ret = b->sorted[low];
	}
	return ret;
}

/* Translated blocks also end at pages and limits. */
static void link_by_address(struct blocks *b)
{
	const struct run_table *t = &b->r->table;

	for (uint32_t i = 0; i < t->n_insns; i++) {
		struct insn_counts *x = &b->insns[i];

		if (x->count > 0 && x->next == EXCHANGE_NONE && !x->several)
			x->next = only_at(b, t->insns[i].address +
						     t->insns[i].n_code);
	}
}

static void find_blocks(struct blocks *b)
{
	const struct run_table *t = &b->r->table;

	for (uint32_t i = 0; i < t->n_insns; i++) {
		struct insn_counts *x = &b->insns[i];

		if (x->next == EXCHANGE_NONE)
			continue;
		if (blocks_insn(b, i)->branch ||
		    b->insns[x->next].count != x->count ||
		    b->insns[x->next].inside)
			x->next = EXCHANGE_NONE;
		else
			b->insns[x->next].inside = true;
	}
	b->first = ARENA_ARRAY(b->a, uint32_t, t->n_insns + 1);
	for (size_t i = 0; i < t->n_insns; i++) {
		const struct insn_counts *x = &b->insns[b->sorted[i]];

		if (x->count > 0 && !x->inside)
			b->first[b->n++] = b->sorted[i];
	}
}

void blocks_build(struct arena *a, struct guest_run *r, struct blocks *ret)
{
	const struct guest_request *q = &r->request;
	size_t n = r->table.n_insns;

	*ret = (struct blocks){ .a = a, .r = r };
	for (size_t h = 0; h < q->n_hierarchies; h++)
		ret->n_levels += q->hierarchies[h].n_levels;
	ret->insns = ARENA_ARRAY(a, struct insn_counts, n + 1);
	ret->misses = ARENA_ARRAY(a, uint64_t, (n + 1) * (ret->n_levels + 1));
	for (size_t i = 0; i < n; i++)
		ret->insns[i].next = EXCHANGE_NONE;
	sum_blocks(ret);
	sum_misses(ret);
	sort(ret);
	link_by_address(ret);
	find_blocks(ret);
}
