/* The frame around code of a person's own: what runs before its first
 * instruction, between two executions of it and behind the last.
 *
 *	open:	take stack, store the number of iterations and the link
 *		register, run the code that sets the state, store the registers
 *		that the code changes
 *	top:	wait for everything before; one register gets the number of
 *		trips of the code's own loop; the others their values again
 *		the code, `bodies` times or until its own loop ends
 *		count down, back to top
 *	close:	give the stack back, return
 *
 *	stack while the code runs
 *	sp + FRAME_BYTES ...	the runtime's
 *	sp + FRAME_SLOTS ...	values of registers, iterations, link
 *	sp ... sp + FRAME_SLOTS	the code's own
 *	below sp		the code's own: pushes
 * With a stack of the code's own (struct frame), sp is there instead.
 */
#ifndef ISA_FRAME_H
#define ISA_FRAME_H

#include "host/base/file.h"
#include "host/isa/catalogue.h"

struct instance;
struct isa;
struct isa_step; /* host/isa/loop.h */
struct mc_parser;

enum {
	FRAME_SLOTS = 1024, /* bytes; a multiple of every stack alignment */
	FRAME_COUNT = FRAME_SLOTS,
	FRAME_LINK = FRAME_COUNT + 8,
	FRAME_REGS = FRAME_LINK + 8, /* 32 registers, 8 bytes each */
	FRAME_BYTES = FRAME_REGS + 32 * 8 + 16,
	/* The number of trips goes through so many values, first, first + step
	 * ..., and begins again. */
	FRAME_TRIPS = 4,
};

/* On what a jump is taken. */
enum frame_condition {
	FRAME_SIGNED, /* or a flag alone, or inequality */
	FRAME_UNSIGNED,
	FRAME_EQUAL,
};

/* How an instruction set writes the instructions of a frame, as assembly: {r},
 * {t} and {b} are registers, {i} the number of {r}, {n} a number, {0} to {3} its 16-bit parts, the lowest
 * first, {h} and {l} its upper 20 and signed lower 12 bits. */
struct isa_frame {
	unsigned dialect;        /* of struct mc_text */
	const char *const *gprs; /* names; NULL: x0, x1 ... */
	int link;                /* GPR that a call writes, -1: none */
	const char *take_stack;  /* sp -= {n}; leaves flags alone */
	const char *give_stack;  /* sp += {n}; the same */
	const char *keep_stack;  /* {r} = sp */
	const char *find_stack;  /* sp = {r} */
	unsigned sp;             /* the stack pointer as {b} */
	const char *store;       /* to {b} + {n} */
	const char *load;        /* {r}, from {b} + {n} */
	const char *number;      /* {r} = {n}, 64 bits */
	/* The same of 32 bits, in as many instructions for every number, so that
	 * kernels of different lengths retire as many; NULL: `number` does. */
	const char *number_32;
	const char *add, *mul; /* {r} = {r} op {t} */
	const char *low_bits;  /* {r} = {r} modulo FRAME_TRIPS */
	/* Go to the label L{n} if bit 40 of {r} is clear; {t} is free. */
	const char *skip_if_clear;
	const char *clear_flags; /* "": there are none */
	const char *count_down;  /* sp + {n} minus one; left in {r} or flags */
	const char *end;         /* return */
	const char *twice, *plus_one; /* {r} = 2 {r}; {r} = {r} + 1; both leave
				       * flags alone */
	const char *jump;             /* to the label `x` */
	/* {r} = {r} - 1, and what `back` tests; {r} = {r} - {t}; {r} = the 32
	 * bits at {b} + {n}, with their sign; to the address in {r}; {r} = the
	 * address {n} bytes behind this line. */
	const char *minus_one, *sub, *half, *jump_to, *here;
	/* The lower 32 bits of {r}, a GPR from 8 on, to {b} + {n}; set
	 * flags from {r} and {t}, and write no register, NULL: there are no flags; a
	 * vector register = {r}; vector register {n} below 14 = {n} combined with
	 * that one: an addition.  On RISC-V, whose cores may lack vectors, these are
	 * floating-point registers, and a maximum. */
	const char *store_half, *compare, *to_vector, *add_vector;
	/* What a function that calls others does before and after. */
	const char *enter, *leave;
	/* A jump, or a call, over so many bytes from its begin, always as long.
	 * Returns bytes, 0: too far. */
	size_t (*go)(int64_t distance, bool calls, unsigned char *code);
	/* Branch to `distance` bytes before this code while the count is not
	 * zero; `counter` is the GPR of {r}.  Returns bytes, 0: too far. */
	size_t (*back)(size_t distance, unsigned counter, unsigned char *code);
	/* Opcodes of jumps with a short distance, and with a long one in the
	 * place behind; ends with NULL.  NULL: all jumps are as long. */
	const char *const *longer;
	/* The GPRs that no code may change. */
	uint32_t reserved;
	/* Forms that compare two registers, or one with a number, or leave flags
	 * of a register that they count up or down; and those of these, and
	 * jumps, that test bits instead.  NULL ends. */
	const char *const *compares, *const *tests;
	/* Calls of a system: what they do is not known.  NULL ends. */
	const char *const *calls_system;
	/* Forms that divide or take roots: their time depends on values. */
	const char *const *divides;
	/* The number that a form of `compares` compares with; it has been set to
	 * the first immediate.  False: something else than the register is
	 * compared, as where one is shifted.  NULL: the first immediate. */
	bool (*number_of)(const struct instance *i, int64_t *number);
	/* What a conditional jump is taken on. */
	enum frame_condition (*condition)(const struct instance *i);
	/* As isa_loop.step, of half a register, which a count of iterations fits
	 * into; NULL: none that isa_loop.step does not know. */
	bool (*narrow_step)(const struct instance *i, struct isa_step *ret);
};

struct frame {
	/* Bit i: GPR i gets its first value at each top, of the link register an
	 * address where nothing is. */
	uint32_t reset;
	/* A GPR that the code does not use: it holds the number of iterations at
	 * entry, and the stack pointer while the code runs, which the code need
	 * not bring back. */
	unsigned counter;
	/* Added to the first value of a register of `reset`. */
	int64_t bias[32];
	/* Runs once, before the first values are stored; its stack pointer is
	 * forgotten.  It does not use the counter. */
	const unsigned char *init;
	size_t n_init;
	/* A register of `reset` whose value at top is its first value plus
	 * trip_first + (count modulo FRAME_TRIPS) * trip_step; -1: none. */
	int trip;
	int64_t trip_first, trip_step;
	/* The code's stack pointer; 0: the frame's own.  It is set through
	 * `spare`, a GPR that the code does not use or that is in `reset`. */
	uint64_t stack;
	unsigned spare;
	uint8_t offset; /* of the code from the begin of a line of 64 bytes */
};

/* The name of a GPR in assembly, "rax", in `a`. */
const char *frame_gpr(struct arena *a, const struct isa *isa, unsigned index);

/* The operands of an instruction of struct isa_frame. */
struct frame_operands {
	unsigned r, t, b; /* GPRs */
	int64_t n;
};

/* Append a line of struct isa_frame with these operands, as assembly. */
void frame_write(struct buffer *b, const struct isa *isa, const char *line,
		 const struct frame_operands *o);

/* Append to *code the bytes of a text of such lines, which it empties.  Labels
 * count as 0.  ERR_INPUT as mc_parse(). */
int frame_code(const struct isa *isa, struct mc_parser *parser,
	       struct buffer *text, struct buffer *code, struct err *e);

/* A frame that is being emitted. */
struct frame_emission {
	const struct catalogue *c;
	struct mc_parser *parser; /* of the catalogue's instruction set */
	const struct frame *frame;
	struct buffer *code; /* at the begin of a line */
	/* Set by frame_open(): where it begins, and the bytes from there to the
	 * code that sets the state, to its top and to the code. */
	size_t begin, init, top, body;
};

/* Append everything before the code; everything behind it.  ERR_INPUT: the code
 * is too long to branch over. */
int frame_open(struct frame_emission *x, struct err *e);
int frame_close(const struct frame_emission *x, struct err *e);

/* What a GPR notes. */
enum frame_note {
	FRAME_SHIFT_ZERO, /* a bit, into the lowest place */
	FRAME_SHIFT_ONE,
	FRAME_COUNT_ONE, /* one more */
};

/* Append to *code the instructions of a note, which leave flags alone; and a jump
 * to the instruction behind it.  ERR_INPUT as mc_parse(). */
int frame_note(const struct isa *isa, struct mc_parser *parser, unsigned reg,
	       enum frame_note what, struct buffer *code, struct err *e);
int frame_jump(const struct isa *isa, struct mc_parser *parser,
	       struct buffer *code, struct err *e);

#endif
