/* Words for the values of a form's operands, from the form's name alone: for
 * tables that have no catalogue. */
#ifndef ISA_VALUE_WORDS_H
#define ISA_VALUE_WORDS_H

#include <stddef.h>

struct isa; /* host/isa/isa.h */

/* Forms whose operands hold something else than what their suffix says
 * everywhere; the first that matches. */
struct isa_value_words {
	const char *const *names; /* of host/isa/match.h; NULL ends a list */
	const char *words;
};

enum { VALUE_WORDS_ROOM = 96 };

/* Write the words for a form, or for the first form of a label
 * ("DIV@1>0+AND@1>0"): "ones" if no class applies.  `isa` may be NULL. */
void value_words(const struct isa *isa, const char *form,
		 char ret[VALUE_WORDS_ROOM]);

#endif
