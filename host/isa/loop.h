/* What reading a loop of compiled code needs, in addition to its forms. */
#ifndef ISA_LOOP_H
#define ISA_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct catalogue; /* host/isa/isa.h */
struct form;
struct instance;

/* Where an instruction accesses memory: base + scale * index + displacement,
 * as operands of the form; -1: no such part. */
struct isa_address {
	int base, index;
	int64_t scale, displacement;
	unsigned bytes; /* of the access; 0: not known */
	bool before; /* the base is written back, and this is its old value */
};

/* A register that becomes another one plus a constant. */
struct isa_step {
	uint8_t written; /* operand that becomes it */
	uint16_t source; /* register; REG_NONE: the constant alone */
	int64_t add;
};

/* What an instruction does to a stack of registers. */
struct isa_stack {
	struct {
		/* Counted from the top before the instruction; -1: pushed. */
		int8_t entry;
		uint8_t operand; /* of `form` */
		bool read, write;
	} uses[4];
	uint8_t n;
	int8_t pops; /* entries; negative: pushes */
	/* The form that has its costs and names the stack in its operands;
	 * NULL: its own, which do not. */
	const struct form *form;
};

struct isa_loop {
	const char *comment; /* starts one that ends with the line */
	/* A move of 111 and these bytes begin a marked region, 222 and they
	 * end it. */
	const unsigned char *marker;
	size_t n_marker;
	uint8_t code_unit; /* bytes: instructions are multiples of it */
	int zero_gpr; /* number of the register that is always zero, or -1 */
	/* A general register keeps what a result narrower than this many bits
	 * does not cover; 0: none does. */
	unsigned merge_bits;
	/* Forms whose result does not depend on their register sources when
	 * these are one register; ends with NULL. */
	const char *const *zero_idioms;
	/* Moves between registers and additions of constants. */
	bool (*step)(const struct catalogue *c, const struct instance *i,
		     struct isa_step *ret);
	/* False: no address, or one of another shape. */
	bool (*address)(const struct catalogue *c, const struct instance *i,
			struct isa_address *ret);
	/* A jump inside a function: bytes from its own start to its target. */
	bool (*jump)(const struct catalogue *c, const struct instance *i,
		     size_t n_code, int64_t *ret_offset);
	/* Do two that follow each other become one uop?  NULL: never. */
	bool (*fuses)(const struct instance *first,
		      const struct instance *second);
	/* A branch to the same place in the next line of code, which says what
	 * it costs to fetch another line, as models name it: the first that is
	 * known; NULL-terminated, or NULL: not measured. */
	const char *const *line_branches;
	/* Write the instruction at text[start..to), behind labels and blanks
	 * from `from` on, as LLVM reads it; NULL: all compilers do. */
	void (*respell)(char *text, size_t from, size_t start, size_t to);
	/* 1 where the operands of an instruction are in Intel's syntax, -1
	 * where they are in AT&T's, 0 where they may be either; NULL: there is
	 * one syntax. */
	int (*intel)(const char *operands, size_t n);
	/* False: it uses no stack.  NULL: there is none. */
	bool (*stack)(const struct catalogue *c, const struct instance *i,
		      struct isa_stack *ret);
	/* The form of an opcode that has variants under the state that the
	 * instructions before set up; NULL where there are none.  `state`
	 * starts at 0 and belongs to the function. */
	const struct form *(*variant)(const struct catalogue *c,
				      const struct instance *i,
				      uint32_t *state);
};

#endif
