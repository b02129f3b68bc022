/* How assembly writes a form: mnemonic and operands, as tools that read
 * assembly text tell instructions apart. */
#ifndef MODEL_SIGNATURE_H
#define MODEL_SIGNATURE_H

#include "host/isa/isa.h"

enum signature_class {
	SIGNATURE_REGISTER,
	SIGNATURE_IMMEDIATE,
	SIGNATURE_MEMORY,
	SIGNATURE_OTHER, /* a condition, a label */
};

enum { SIGNATURE_WORD = 32, SIGNATURE_OPERANDS = 8 };

struct signature_operand {
	enum signature_class class;
	uint16_t at, length; /* in the text */
	/* Of a register. */
	const struct isa_register_file *file;
	char shape;      /* b h s d q of a vector's elements, 0: none */
	char predicate;  /* m z of a predicate, 0: neither */
	bool mask, zero; /* x86's {%k1} and {z} */
	/* Of memory. */
	bool index, before, after; /* written back before or after */
};

struct signature {
	char name[SIGNATURE_WORD];
	size_t n;
	struct signature_operand operands[SIGNATURE_OPERANDS];
};

/* From a line of assembly, as the catalogue's examples are; false when it has
 * parts that are not understood. */
bool signature_parse(const struct isa *isa, const char *text,
		     struct signature *ret);

/* Do tables that know opcodes, or their text, mean this form?  Not a vector
 * type, nor a variant beside the plain form. */
bool form_is_plain(const struct catalogue *c, const struct form *f);

#endif
