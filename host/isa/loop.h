/* What the analysis of compiled loops needs in addition to the forms. */
#ifndef ISA_LOOP_H
#define ISA_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct catalogue; /* host/isa/catalogue.h */
struct form;
struct instance;

/* The address of a memory access: base + scale * index + displacement, as
 * operands of the form; -1: no such part. */
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

/* A kind of forms that facts name (models/facts). */
struct isa_kind {
	const char *word; /* NULL ends a list */
	const char *const *forms;
};

/* What a decoder must know of an instruction's bytes to find its end. */
struct isa_lengths {
	uint8_t opcode; /* bytes before the opcode */
	/* A prefix changes the size of the immediate, and so the length. */
	bool changes;
};

struct isa_loop {
	const char *comment; /* starts one that ends with the line */
	/* A move of 111 and these bytes begin a marked region, 222 and they
	 * end it. */
	const unsigned char *marker;
	size_t n_marker;
	uint8_t code_unit; /* bytes: instructions are multiples of it */
	int zero_gpr; /* number of the register that is always zero, or -1 */
	/* A general register keeps its bits above a result narrower than this
	 * many bits; 0: every result clears or extends the rest. */
	unsigned merge_bits;
	/* Forms whose result does not depend on their register sources when
	 * these are one register; ends with NULL. */
	const char *const *zero_idioms;
	/* Number of the general register that is the stack pointer, or -1. */
	int stack_gpr;
	/* Bytes by which a push, pop, call or return moves the stack pointer,
	 * negative for push and call; 0: the form is none of these.  NULL: no
	 * form is. */
	int (*stack_move)(const struct form *f);
	/* The form that adds a constant to a general register; NULL: no form
	 * moves the stack pointer so. */
	const char *addition;
	/* The suffix of the variant that has the costs of an instance with
	 * registers of a certain kind, such as "high" for ah; returns NULL for
	 * all other instances.  No function: the ISA has none. */
	const char *(*suffix)(const struct catalogue *c,
			      const struct instance *i);
	/* Moves between registers and additions of constants. */
	bool (*step)(const struct catalogue *c, const struct instance *i,
		     struct isa_step *ret);
	/* False: the form has no address, or one of another shape. */
	bool (*address)(const struct catalogue *c, const struct instance *i,
			struct isa_address *ret);
	/* Moves between registers that renamers may execute; divisions of
	 * integers.  NULL: none. */
	const struct isa_kind *moves, *divisions;
	/* Forms that lock memory, and that choose one of two registers. */
	const char *const *locked, *const *conditional_moves;
	/* Does it add base, index and displacement, and access nothing?  NULL:
	 * no form does. */
	bool (*adds_three)(const struct catalogue *c, const struct instance *i);
	/* A jump inside a function: bytes from its own start to its target. */
	bool (*jump)(const struct catalogue *c, const struct instance *i,
		     size_t n_code, int64_t *ret_offset);
	/* The bytes of two instructions that a linker makes one of where the
	 * target is near, and that one, of 4 bytes: a call or jump in an object
	 * that is not linked (RISC-V's AUIPC and JALR).  0: code[0..n) does not
	 * begin with such two.  NULL: there are none. */
	size_t (*relax)(const unsigned char *code, size_t n,
			unsigned char ret[4]);
	/* Of an instruction's n bytes; NULL: all have one length, or lengths
	 * cost nothing to find. */
	void (*lengths)(const unsigned char *code, size_t n,
			struct isa_lengths *ret);
	/* Do two consecutive instructions become one uop?  NULL: never. */
	bool (*fuses)(const struct instance *first,
		      const struct instance *second);
	/* Branches to the same place in the next line of code, as models name
	 * them.  They measure the cost of fetching another line.  The first
	 * known one is used.  NULL-terminated; NULL: not measured. */
	const char *const *line_branches;
	/* Ends of the names of variants that are measured as a pair with
	 * another instruction, which the end names.  NULL-terminated; NULL:
	 * none. */
	const char *const *pairs;
	/* Texts of which one is in assembly whose comments begin with a
	 * semicolon; elsewhere it ends a statement.  NULL-terminated; NULL:
	 * it always does. */
	const char *const *semicolon_marks;
	/* Rewrite the instruction at text[start..to) into the syntax of LLVM;
	 * labels and blanks precede it from `from` on.  NULL: compilers write
	 * LLVM's syntax. */
	void (*respell)(char *text, size_t from, size_t start, size_t to);
	/* 1: the operands of the instruction are in Intel's syntax; -1: in
	 * AT&T's; 0: in either.  NULL: there is one syntax. */
	int (*intel)(const char *operands, size_t n);
	/* False: the form uses no stack.  NULL: the ISA has no stack. */
	bool (*stack)(const struct catalogue *c, const struct instance *i,
		      struct isa_stack *ret);
	/* The form of an opcode whose variant depends on state that earlier
	 * instructions set; NULL where there is none.  `state` starts at 0 and
	 * belongs to the function. */
	const struct form *(*variant)(const struct catalogue *c,
				      const struct instance *i,
				      uint32_t *state);
};

#endif
