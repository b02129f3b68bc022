/* Immediates that cores treat specially.
 *
 * Some cores execute an addition of a small constant in the renamer, or a
 * rotation by one on another unit.  So a form is measured with a number that
 * none treats specially, and has a variant for each class of numbers that
 * some core does (FAMILY_NUMBER). */
#ifndef ISA_NUMBERS_H
#define ISA_NUMBERS_H

#include "host/isa/variant.h"

struct catalogue;
struct form;
struct instance;
struct operand;

/* The measured number of forms: the first of `values` that survives encoding
 * and decoding.  Only the first immediate of a form counts. */
struct isa_usual_number {
	const char *const *patterns; /* of host/isa/match.h; NULL ends */
	const int64_t *values;
	size_t n_values;
};

/* Forms with a class of numbers, from low to high.  The variant gives the
 * number that is measured. */
struct isa_number_class {
	const char *pattern; /* of opcodes */
	struct variant variant;
	int64_t low, high;
};

struct isa_numbers {
	const struct isa_usual_number *usual; /* NULL patterns end */
	const struct isa_number_class *classes;
	size_t n_classes;
};

#define NUMBER_CLASS(forms, word, what, least, most)  \
	{                                             \
		.pattern = (forms),                   \
		.variant = { .suffix = (word),        \
			     .family = FAMILY_NUMBER, \
			     .reshapes = true,        \
			     .number = (what) },      \
		.low = (least), .high = (most)        \
	}

/* The usual numbers of a form; NULL if it has none. */
const struct isa_usual_number *numbers_usual(const struct isa_numbers *n,
					     const char *form);

/* Add the variants of a form. */
void numbers_variants(const struct isa_numbers *n, const struct form *form,
		      struct variant_list *ret);

/* Give the form the number of its variant; no change for other families. */
void numbers_shape(const struct form *form, struct operand *operands);

/* The form of an instruction: the variant of its number's class if the
 * catalogue has it, else the plain form. */
const struct form *numbers_form(const struct catalogue *c,
				const struct instance *i);

#endif
