/* What a run of a program under QEMU was: its basic blocks with their bytes and
 * counts, and the memory accesses of each instruction with their misses.
 *
 * A basic block is a run of instructions that follow each other in memory, were
 * executed equally often and end at a jump or where the count changes.
 * QEMU's translation blocks, which also end at pages and limits, are merged
 * into these.  The same address with other bytes (code that modifies itself, or
 * another library loaded there) is another block.
 *
 * Misses are counted for each level of each hierarchy of caches that was
 * simulated in the run.  All hierarchies' levels form one list: those of h
 * are first_level[h] .. first_level[h + 1] - 1, the first-level cache first;
 * this is the index of every `misses`.  Numbers are exact unless `notes` say
 * otherwise.  Everything belongs to the arena that the profile was built
 * in. */
#ifndef GUEST_PROFILE_H
#define GUEST_PROFILE_H

#include "common/types.h"

struct isa;

enum profile_class {
	PROFILE_SCALAR, /* everything else */
	PROFILE_VECTOR, /* computes on vector registers */
	PROFILE_LOAD,   /* reads memory; vector or not */
	PROFILE_STORE,  /* writes memory, or reads and writes it */
	PROFILE_BRANCH,
	PROFILE_N_CLASSES,
};

/* Instructions of a block that access memory. */
struct profile_access {
	uint32_t offset; /* of the instruction in the block's code */
	uint32_t index;  /* instructions before it in the block */
	bool loads;
	/* Executions that accessed memory: less than the block's count where
	 * all elements were masked off or a fault came. */
	uint64_t executions;
	/* Bytes accessed, and distinct (execution, line) pairs; a line has
	 * profile.line_bytes. */
	uint64_t bytes;
	uint64_t lines;
	const uint64_t *misses; /* [profile.n_levels], of lines */
};

struct profile_block {
	uint64_t address;
	uint64_t count; /* executions */
	/* Of one repeated instruction (REP MOVS): elements of all executions,
	 * and bytes of an element; 0: of others. */
	uint64_t elements;
	uint32_t element_bytes;
	const unsigned char *code;
	uint32_t n_code; /* bytes */
	uint32_t n_insns;
	const uint8_t *sizes; /* [n_insns], bytes of each instruction */
	uint32_t n_of[PROFILE_N_CLASSES];
	/* Instructions that name a vector register; those of them whose share
	 * of lanes in use is known, and the sum of these shares. */
	uint32_t n_vector, n_lanes_known;
	double lane_shares;
	/* Where a direct jump at its end goes; 0: no jump, or to an address
	 * in a register.  `falls`: the next instruction in memory may follow,
	 * because there is no jump, or a conditional one or a call. */
	uint64_t target;
	bool falls;
	bool calls;
	/* Executions whose jump at the end was mispredicted. */
	uint64_t mispredicted;
	uint32_t n_accesses;
	const struct profile_access *accesses;
	/* From the file that the code was loaded from; NULL: not known. */
	const char *symbol;
	uint64_t symbol_offset;
	const char *source; /* file of the first instruction's line */
	uint32_t line;
};

struct profile {
	const struct isa *isa;
	/* In the order of addresses; blocks of the same address in the order
	 * in which their code was first seen. */
	size_t n_blocks;
	const struct profile_block *blocks;

	size_t n_levels;
	const uint32_t *first_level; /* of each hierarchy */
	uint32_t line_bytes;

	/* Totals over all blocks, processes and threads. */
	uint64_t instructions;
	uint64_t of_class[PROFILE_N_CLASSES]; /* executed */
	uint64_t accesses; /* executions of instructions that access memory */
	uint64_t lines;    /* rates of misses divide by lines or by accesses */
	uint64_t bytes;
	bool predicts; /* branches were predicted */
	uint64_t mispredicted;

	/* Executions of vector instructions; those whose share of lanes in use
	 * is known, and the sum of these shares. */
	uint64_t vectors, vectors_known;
	double lane_shares;
	uint32_t n_processes;
	/* How the program ended: exit status, or the signal. */
	int status, signal;
	/* What is not in the numbers and why, one a line; "": nothing. */
	const char *notes;
};

#endif
