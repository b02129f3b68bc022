/* Basic blocks from translated blocks. */
#ifndef GUEST_BLOCKS_H
#define GUEST_BLOCKS_H

#include "host/guest/run.h"

/* Per instruction of the run's table. */
struct insn_counts {
	uint64_t count;
	uint64_t executions, bytes, lines;
	uint64_t mispredicted; /* executions of a jump */
	uint32_t next;         /* EXCHANGE_NONE: none, or several */
	bool several;
	bool inside; /* of a block, not its first */
};

struct blocks {
	struct arena *a;
	struct guest_run *r;
	struct insn_counts *insns; /* [table.n_insns] */
	uint64_t *misses;          /* [n_levels] of each instruction */
	size_t n_levels;
	uint32_t *sorted; /* instructions by address, then by number */
	size_t n;
	uint32_t *first; /* instruction of each block, in this order */
};

/* Sum all processes, and divide what was executed into blocks. */
void blocks_build(struct arena *a, struct guest_run *r, struct blocks *ret);

/* What an instruction does. */
static inline const struct guest_insn *blocks_insn(const struct blocks *b,
						   uint32_t insn)
{
	return table_insn(&b->r->table, insn);
}

/* lanes.c: the vector lanes of a block that begins with an instruction. */
void lanes_of_block(const struct blocks *b, uint32_t first,
		    struct profile_block *ret);

#endif
