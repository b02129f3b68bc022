/* The rows of a sample: what the runtime counts, the wire carries, the store
 * keeps and the solver reads.  Every number is a difference of two readings of
 * the board's counter.
 *
 * Core clock: the kernel's three lengths.
 * Reference clock, a sandwich:
 *
 *	chain a   chain b   probe   kernel: length 0, 1, 2   chain b   chain a
 *	long      short                                      long      short
 *
 * and, for a kernel with registers of 32 bytes or more, the two probes that ran
 * before chain a: of the wide units, and of 32-byte loads (0: not run).
 */
#ifndef COMMON_ROW_H
#define COMMON_ROW_H

#include "common/pack.h"

enum row_core {
	ROW_CORE = PACK_LENGTHS, /* numbers in a row */
};

enum row_ref {
	ROW_A_LONG,
	ROW_B_SHORT,
	ROW_PROBE,
	ROW_LENGTHS,
	ROW_B_LONG = ROW_LENGTHS + PACK_LENGTHS,
	ROW_A_SHORT,
	ROW_REF, /* numbers in a row */
	ROW_WIDE = ROW_REF,
	ROW_LOADS,
	ROW_REF_WIDE, /* numbers in a row of a wide kernel */
};

_Static_assert(ROW_REF == 8, "used on the wire and in databases");

/* The probes of a row; see target/core/probes.h. */
enum probe { PROBE_SIBLING, PROBE_WIDE, PROBE_LOADS, N_PROBES };

/* Width of a kernel's registers; determines the probes that run before it. */
enum row_level {
	ROW_NARROW,   /* 16 bytes and less */
	ROW_32_BYTES, /* PACK_KERNEL_WIDE */
	ROW_64_BYTES, /* PACK_KERNEL_WIDEST */
	ROW_N_LEVELS,
};

/* Bit of a probe and level in the set of ignored probes (struct
 * link_silence). */
static inline uint32_t row_ignored(enum row_level level, enum probe probe)
{
	return 1u << ((unsigned)level * N_PROBES + (unsigned)probe);
}

/* Is a row of this many numbers from the core clock, or from the reference
 * clock? */
static inline bool row_is_core(uint32_t row)
{
	return row == ROW_CORE;
}

static inline bool row_is_ref(uint32_t row)
{
	return row == ROW_REF || row == ROW_REF_WIDE;
}

#endif
