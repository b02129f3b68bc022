/* Kernels on streams of memory and in registers, for what a core sustains: as
 * assembly, one row per width of registers.
 *
 * In a text '@' is the number of a register, '!' of a second one, '~' a
 * displacement in bytes, '&' an array; "@", "!" and "~" become decimal.  In
 * texts of a scalable width a displacement counts vectors. */
#ifndef ISA_STREAM_H
#define ISA_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAM_ARRAYS = 3 };

struct isa_width {
	const char *name;  /* "scalar", or the bits of a register */
	const char *needs; /* features of LLVM, comma-separated */
	uint8_t bytes;     /* of a register; elements are doubles.  1 if
			    * scalable */
	bool scalable;     /* the core has the length of a register */
	uint8_t group;     /* registers that a load or store moves; 0: one */
	uint8_t flags;     /* enum pack_kernel_flags */
	uint8_t registers; /* 0..registers-1 may be written */
	/* First lines of an iteration with memory; first lines of one of
	 * `multiply_add`.  NULL: none. */
	const char *begin, *begin_registers;
	/* Last lines of an iteration; NULL: isa_stream.advance. */
	const char *advance;
	const char *load, *store;
	/* a register = memory + constant * memory: several lines. */
	const char *triad;
	const char *stream;       /* store that bypasses caches; NULL: none */
	uint8_t stream_registers; /* that it stores */
	const char *multiply_add; /* onto register '@' */
};

struct isa_stream {
	uint8_t base[STREAM_ARRAYS]; /* GPRs with the arrays' addresses */
	uint8_t offset, mask;        /* GPRs: the place in each, and its bits */
	const char *arrays[STREAM_ARRAYS]; /* what '&' becomes */
	/* Lines that point at the place in an array, before its accesses;
	 * NULL: the accesses do. */
	const char *address[STREAM_ARRAYS];
	const char *advance; /* offset += ~, within the mask */
	/* offset = the word that it points to. */
	const char *chase;
	const struct isa_width *widths; /* a NULL name ends */
};

#endif
