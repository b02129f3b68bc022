/* Instructions as people type them, to find their forms: "add r64 imm",
 * "ADD (R64, R64)", "addq %rcx, %rax", "vpermd ymm0, ymm1, [rax]",
 * "lw a0, 8(sp)".
 *
 * A text is read into words (the mnemonic and whatever is no operand) and
 * operands, each of the kinds that it may be: r64, xmm, m256, imm8.  A form's
 * own assembly is read in the same way, so that both are compared by kinds.
 * host/site/typed.js does the same in a browser with the names and forms that
 * host/site writes from here; tests/site compares the two. */
#ifndef ISA_TYPED_H
#define ISA_TYPED_H

#include "host/isa/catalogue.h"

/* Names of operands, and the kinds that each may be, separated by blanks; '#'
 * in a name stands for its first number.  No kinds: the name says nothing. */
struct typed_names {
	const char *names, *kinds;
};

enum {
	TYPED_KIND = 16,
	TYPED_MAX = 12,  /* operands or words of a text; more are left out */
	TYPED_NAME = 32, /* of a word */
};

struct typed_text {
	char words[TYPED_MAX][TYPED_NAME]; /* in lower case */
	unsigned n_words;
	/* Kinds, separated by blanks.  Masks and the like, which stand in
	 * braces, are behind the others, n_main. */
	char operands[TYPED_MAX][4 * TYPED_KIND];
	unsigned n_operands, n_main;
	bool att;      /* in the order of AT&T's syntax: destination last */
	bool concrete; /* has a register or an address: its order is meant */
};

/* Read any text; nothing is refused. */
void typed_read(const struct isa *isa, const char *text,
		struct typed_text *ret);

/* What a form is found by. */
struct typed_form {
	const char *name;
	const char *mnemonics; /* "add,addq": in lower case, every syntax */
	/* "r64 imm8", destination first; those in braces behind a bar: "zmm
	 * zmm | k z". */
	const char *operands;
	const char *text; /* name, mnemonic and example in lower case */
};

/* Another mnemonic, `word`.  `of` NULL: of all forms of `opcode`.  Else of the
 * forms of `opcode` with the mnemonic `of`; and, if `first`, of the forms of
 * all opcodes with that mnemonic: of several lines with a word only the first
 * one is general. */
struct typed_alias {
	const char *word, *of; /* of: NULL, or a mnemonic */
	uint32_t opcode;
	bool first;
};

/* What an instruction set has in addition to its catalogue. */
struct typed_index {
	struct used_name *used; /* forms that programs use most, by name */
	size_t n_used;
	struct typed_alias *aliases;
	size_t n_aliases;
};

/* Everything is owned by `a`. */
int typed_index_load(struct arena *a, const struct catalogue *c,
		     struct typed_index *ret, struct err *e);

/* What the form is found by, in `a`. */
void typed_form(struct arena *a, const struct catalogue *c,
		const struct typed_index *x, const struct form *f,
		struct typed_form *ret);

/* How badly does the form fit?  0 is best; -1: not at all.  `raw` is the text
 * as it was typed. */
enum {
	TYPED_VARIANT = 1,   /* a variant that the text does not name */
	TYPED_OPERANDS = 2,  /* once: some are left out; more: another order */
	TYPED_WORDS = 8,     /* once: a name begins so; twice: holds it */
	TYPED_ANYWHERE = 64, /* each word is somewhere in the form's text */
};
int typed_score(const struct typed_text *t, const char *raw,
		const struct typed_form *f);

/* Place of the form's opcode among those that programs use most, from 0;
 * TYPED_UNUSED: none.  The lists are host/isa/used. */
enum { TYPED_UNUSED = 1 << 30 };
unsigned typed_used_place(const struct typed_index *x, const char *form);

#endif
