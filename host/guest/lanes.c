/* Vector lanes in use, from counts.
 *
 * RISC-V: the first vset in a block sets the type of what follows it, up to the
 * next.  In such a strip an access without a mask accesses vl elements, and so
 * says what vl was in all of the strip's executions together; instructions
 * without such a strip are not known. */
#include <stdlib.h>
#include <string.h>

#include "host/guest/blocks.h"
#include "host/isa/isa.h"

/* Bytes of a vector register of a RISC-V guest; 0: not known. */
static uint32_t register_bytes(const struct guest_run *r)
{
	enum { BITS = 8 };
	static const char key[] = ",vlen=";
	const char *cpu = r->request.guest_cpu ? r->request.guest_cpu
					       : r->request.c->isa->guest->cpu;
	const char *at = strstr(cpu, key);

	return at ? (uint32_t)strtoul(at + strlen(key), NULL, 10) / BITS : 0;
}

/* Elements that an access without a mask, or with one, accessed. */
static double elements(const struct insn_counts *x, const struct guest_lanes *l,
		       uint32_t element_bytes)
{
	uint32_t size = l->element_bytes ? l->element_bytes : element_bytes;

	return (double)x->bytes / size / l->fields;
}

/* Elements of all executions of the strip that begins behind `from`; below 0:
 * not known. */
static double strip_length(const struct blocks *b, uint32_t from,
			   uint32_t element_bytes)
{
	for (uint32_t i = b->insns[from].next; i != EXCHANGE_NONE;
	     i = b->insns[i].next) {
		const struct guest_lanes *l = &blocks_insn(b, i)->lanes;

		if (l->kind == LANES_SETS_LENGTH)
			break;
		if (l->kind == LANES_LENGTH && l->fields)
			return elements(&b->insns[i], l, element_bytes);
	}
	return -1;
}

static double share_of_length(const struct blocks *b, uint32_t vset,
			      uint32_t insn)
{
	const struct guest_lanes *type, *l = &blocks_insn(b, insn)->lanes;
	double most, n;

	if (vset == EXCHANGE_NONE)
		return -1;
	type = &blocks_insn(b, vset)->lanes;
	most = (double)register_bytes(b->r) * type->used;
	if (most <= 0)
		return -1;
	most *= (double)b->insns[insn].count / type->room / type->element_bytes;
	n = l->fields ? elements(&b->insns[insn], l, type->element_bytes)
		      : strip_length(b, vset, type->element_bytes);
	return n < 0 ? -1 : n / most;
}

/* Of an access whose elements a predicate or a vector chooses. */
static double share_of_state(const struct blocks *b, uint32_t insn)
{
	const struct guest_state *s = &blocks_insn(b, insn)->state;
	uint32_t bytes = b->r->x->layout.vector_bytes;
	uint32_t lanes;
	double most;

	if (s->limit_bytes && s->limit_bytes < bytes)
		bytes = s->limit_bytes;
	lanes = bytes / s->element_bytes;
	most = (double)lanes * s->memory_bytes *
	       (s->n_registers ? s->n_registers : 1) *
	       (double)b->insns[insn].count;
	return most > 0 ? (double)b->insns[insn].bytes / most : -1;
}

/* Mean share of an instruction's lanes; below 0: not known. */
static double share_of(const struct blocks *b, uint32_t vset, uint32_t insn)
{
	const struct guest_lanes *l = &blocks_insn(b, insn)->lanes;
	bool accesses = b->r->x->accesses;

	switch (l->kind) {
	case LANES_FIXED:
		return (double)l->used / l->room;
	case LANES_STATE:
		return accesses ? share_of_state(b, insn) : -1;
	case LANES_LENGTH:
	case LANES_LENGTH_MASKED:
		return accesses ? share_of_length(b, vset, insn) : -1;
	default:
		return -1;
	}
}

void lanes_of_block(const struct blocks *b, uint32_t first,
		    struct profile_block *ret)
{
	uint32_t vset = EXCHANGE_NONE;

	for (uint32_t i = first; i != EXCHANGE_NONE; i = b->insns[i].next) {
		const struct guest_lanes *l = &blocks_insn(b, i)->lanes;
		uint8_t kind = l->kind;
		double share;

		if (kind == LANES_SETS_LENGTH)
			vset = i;
		if (kind == LANES_NONE ||
		    (kind == LANES_SETS_LENGTH && !l->fields))
			continue;
		ret->n_vector++;
		share = share_of(b, vset, i);
		if (share < 0 || share > 1)
			continue;
		ret->n_lanes_known++;
		ret->lane_shares += share;
	}
}
