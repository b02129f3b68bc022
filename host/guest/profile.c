/* The profile of a run: see profile.h. */
#include "host/guest/profile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host/base/file.h"
#include "host/cache/sim.h"
#include "host/guest/blocks.h"
#include "host/guest/symbols.h"
#include "host/isa/guest.h"
#include "host/isa/isa.h"

static enum profile_class class_of(const struct guest_insn *g)
{
	return g->branch   ? PROFILE_BRANCH
	       : g->stores ? PROFILE_STORE
	       : g->loads  ? PROFILE_LOAD
	       : g->vector ? PROFILE_VECTOR
			   : PROFILE_SCALAR;
}

/* ---- blocks -------------------------------------------------------------- */

static void add_access(struct blocks *b, uint32_t insn,
		       const struct profile_block *block,
		       struct profile_access *ret)
{
	const struct insn_counts *x = &b->insns[insn];
	const struct guest_insn *g = blocks_insn(b, insn);

	*ret = (struct profile_access){
		.offset = block->n_code,
		.index = block->n_insns,
		.loads = g->loads,
		.executions = x->executions,
		.bytes = x->bytes,
		.lines = x->lines,
		.misses = &b->misses[insn * b->n_levels],
	};
}

static void finish_block(struct blocks *b, uint32_t last,
			 struct profile_block *x)
{
	const struct guest_insn *g = blocks_insn(b, last);
	uint64_t address = b->r->table.insns[last].address;

	x->target = g->direct ? address + (uint64_t)g->offset : 0;
	x->falls = g->falls;
	x->calls = g->calls;
	x->mispredicted = b->insns[last].mispredicted;
}

static void build_block(struct blocks *b, uint32_t first,
			struct profile_block *x)
{
	const struct run_table *t = &b->r->table;
	size_t n = 0, n_code = 0;
	uint8_t *sizes, *code;
	struct profile_access *accesses;
	uint32_t last = first;

	for (uint32_t i = first; i != EXCHANGE_NONE; i = b->insns[i].next) {
		n++;
		n_code += t->insns[i].n_code;
	}
	sizes = ARENA_ARRAY(b->a, uint8_t, n);
	code = ARENA_ARRAY(b->a, uint8_t, n_code);
	accesses = ARENA_ARRAY(b->a, struct profile_access, n);
	*x = (struct profile_block){ .address = t->insns[first].address,
				     .count = b->insns[first].count,
				     .code = code,
				     .sizes = sizes,
				     .accesses = accesses };
	for (uint32_t i = first; i != EXCHANGE_NONE; i = b->insns[i].next) {
		const struct guest_insn *g = blocks_insn(b, i);

		if (b->insns[i].executions > 0)
			add_access(b, i, x, &accesses[x->n_accesses++]);
		x->n_of[class_of(g)]++;
		memcpy(code + x->n_code, t->insns[i].code, t->insns[i].n_code);
		x->n_code += t->insns[i].n_code;
		sizes[x->n_insns++] = t->insns[i].n_code;
		last = i;
	}
	lanes_of_block(b, first, x);
	finish_block(b, last, x);
}

/* The emulator counts each element as an execution, and once more that none is
 * left. The core has one instruction. */
static void count_repeated(const struct isa_guest *g, struct profile_block *x)
{
	uint64_t n = x->n_accesses > 0 ? x->accesses[0].executions : 0;

	if (x->n_insns != 1 || !g->repeats || n == 0 || n >= x->count)
		return;
	x->element_bytes = g->repeats(x->code, x->n_code);
	if (x->element_bytes == 0)
		return;
	x->elements = n;
	x->count -= n;
}

static void add_totals(struct profile *p, const struct profile_block *x)
{
	p->instructions += x->count * x->n_insns;
	p->vectors += x->count * x->n_vector;
	p->mispredicted += x->mispredicted;
	p->vectors_known += x->count * x->n_lanes_known;
	p->lane_shares += (double)x->count * x->lane_shares;
	for (size_t i = 0; i < PROFILE_N_CLASSES; i++)
		p->of_class[i] += x->count * x->n_of[i];
	for (size_t i = 0; i < x->n_accesses; i++) {
		const struct profile_access *m = &x->accesses[i];

		p->accesses += m->executions;
		p->lines += m->lines;
		p->bytes += m->bytes;
	}
}

/* ---- places of the caches ------------------------------------------------ */

/* Where each record and the jump of each translated block is in the profile. */
static void index_places(struct blocks *b, const struct profile *p)
{
	const struct run_table *t = &b->r->table;
	struct run_place *of =
		ARENA_ARRAY(b->a, struct run_place, t->n_insns + 1);
	struct run_place *places =
		xrealloc(b->r->places, t->n_records + 1, sizeof(*places));
	uint32_t *jumps =
		xrealloc(b->r->jumps, t->n_blocks + 1, sizeof(*jumps));

	memset(of, 0xff, t->n_insns * sizeof(*of)); /* EXCHANGE_NONE */
	for (uint32_t k = 0; k < p->n_blocks; k++) {
		uint32_t access = 0;

		for (uint32_t i = b->first[k]; i != EXCHANGE_NONE;
		     i = b->insns[i].next) {
			of[i].block = k;
			if (b->insns[i].executions > 0)
				of[i].access = access++;
		}
	}
	for (size_t k = 0; k < t->n_blocks; k++) {
		const struct run_block *x = &t->blocks[k];

		jumps[k] = of[x->insns[x->n_insns - 1]].block;
		for (size_t i = 0; i < x->n_insns; i++)
			if (x->records[i] != EXCHANGE_NONE)
				places[x->records[i]] = of[x->insns[i]];
	}
	b->r->places = places;
	b->r->jumps = jumps;
}

bool guest_jump(const struct guest_run *r, uint32_t jump, uint32_t *ret_block)
{
	if (jump >= r->table.n_blocks || r->jumps[jump] == EXCHANGE_NONE)
		return false;
	*ret_block = r->jumps[jump];
	return true;
}

bool guest_place(const struct guest_run *r, uint32_t place, uint32_t *ret_block,
		 uint32_t *ret_access)
{
	if (place >= r->table.n_records ||
	    r->places[place].access == EXCHANGE_NONE)
		return false;
	*ret_block = r->places[place].block;
	*ret_access = r->places[place].access;
	return true;
}

/* ---- what is missing ----------------------------------------------------- */

/* Processes whose caches had too little memory. */
static uint32_t count_short(struct guest_run *r)
{
	uint32_t n_short = 0;

	for (uint32_t p = 0, n = run_n_slots(r); p < n; p++) {
		const struct cache_sim *s = guest_caches(r, p);

		n_short += s && cache_sim_short(s);
	}
	return n_short;
}

static const char *notes(struct arena *a, struct guest_run *r)
{
	const struct exchange *x = r->x;
	const struct {
		uint64_t n;
		const char *what;
	} rows[] = {
		{ x->lost_blocks,
		  "executions of blocks that were not counted, because the "
		  "program has too many" },
		{ x->stray_accesses,
		  "accesses by instructions that are not known to make "
		  "them; they are not in the counts" },
		{ x->unseen_processes,
		  "child processes that were not counted" },
		{ x->execs,
		  "calls of exec: programs started by them are not counted" },
		{ r->request.marked && x->regions == 0,
		  "mark that was not reached: the whole program was counted" },
		{ x->functions && x->entered == 0,
		  "run without a call of any function of --function: nothing "
		  "was counted" },
		{ x->escaped,
		  "times a function was left without a return (longjmp, "
		  "exception); what ran until its caller returned is counted, "
		  "too" },
		{ x->regions > 1 ? x->regions - 1 : 0,
		  "more regions that were not counted" },
		{ count_short(r),
		  "processes without enough memory for the caches: some "
		  "accesses and misses are not counted" },
		{ r->table.n_records >= EXCHANGE_RECORDS,
		  "limit of memory instructions reached: the accesses of "
		  "others are not counted" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].n)
			buffer_printf(&b, "%llu %s\n",
				      (unsigned long long)rows[i].n,
				      rows[i].what);
	return buffer_take(a, &b);
}

static void describe_run(struct arena *a, struct guest_run *r,
			 struct profile *ret)
{
	const struct guest_request *q = &r->request;
	uint32_t *first = ARENA_ARRAY(a, uint32_t, q->n_hierarchies + 1);

	for (size_t h = 0; h < q->n_hierarchies; h++)
		first[h + 1] = first[h] + q->hierarchies[h].n_levels;
	*ret = (struct profile){
		.isa = q->c->isa,
		.n_levels = first[q->n_hierarchies],
		.first_level = first,
		.line_bytes = 1u << r->x->line_shift,
		.predicts = q->predict && q->core.history > 0,
		.n_processes = run_n_slots(r) + r->x->unseen_processes,
		.status = WIFEXITED(r->status) ? WEXITSTATUS(r->status) : 0,
		.signal = WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0,
		.notes = notes(a, r),
	};
}

void guest_profile(struct arena *a, struct guest_run *r, struct profile *ret)
{
	struct profile_block *list;
	struct blocks b;

	describe_run(a, r, ret);
	blocks_build(a, r, &b);
	list = ARENA_ARRAY(a, struct profile_block, b.n + 1);
	for (size_t i = 0; i < b.n; i++) {
		build_block(&b, b.first[i], &list[i]);
		count_repeated(ret->isa->guest, &list[i]);
		add_totals(ret, &list[i]);
	}
	ret->n_blocks = b.n;
	ret->blocks = list;
	index_places(&b, ret);
	symbols_find(a, &r->table, list, b.n);
}
