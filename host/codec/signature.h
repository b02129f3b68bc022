/* The signature of a form in assembly: mnemonic and kinds of operands. Tools
 * that read assembly text distinguish instructions by it. */
#ifndef CODEC_SIGNATURE_H
#define CODEC_SIGNATURE_H

#include "host/isa/isa.h"

enum signature_class {
	SIGNATURE_REGISTER,
	SIGNATURE_IMMEDIATE,
	SIGNATURE_MEMORY,
	SIGNATURE_LABEL, /* target of a branch */
	SIGNATURE_OTHER, /* a condition */
};

enum { SIGNATURE_WORD = 32, SIGNATURE_OPERANDS = 8 };

struct signature_operand {
	enum signature_class class;
	uint16_t at, length; /* position in the text */
	/* For registers. */
	const struct isa_register_file *file;
	char shape;      /* vector element b h s d q; 0: none */
	char predicate;  /* predicate m or z; 0: neither */
	bool mask, zero; /* x86's {%k1} and {z} */
	/* For memory; before, after: the base is written back. */
	bool offset, index, scale, before, after;
};

struct signature {
	char name[SIGNATURE_WORD];
	size_t n;
	struct signature_operand operands[SIGNATURE_OPERANDS];
};

/* Parse a line of assembly, such as the catalogue's examples.  An operand that
 * is not understood is SIGNATURE_OTHER; false for a line without a mnemonic,
 * one that begins with a prefix, and one for which a signature has no room. */
bool signature_parse(const struct isa *isa, const char *text,
		     struct signature *ret);

/* Has it an operand of this class? */
bool signature_has(const struct signature *s, enum signature_class class);

/* OSACA's word for the first register; NULL: there is none. */
const char *signature_word(const struct signature *s);

/* The signature of a form's example. The number that a branch's example has for
 * its target is a label. */
bool form_signature(const struct catalogue *c, const struct form *f,
		    struct signature *ret);

/* Is this the form that tables by opcode or by text mean? False for
 * vector types and for variants of a form that the catalogue has. */
bool form_is_plain(const struct catalogue *c, const struct form *f);

#endif
