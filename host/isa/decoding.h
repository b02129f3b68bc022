/* Instructions that are slow to decode.
 *
 * A prefix that changes the length of the rest (x86: an operand size of 16
 * bits before an immediate of this size) may stop a decoder for some cycles.
 * From a cache of decoded instructions the code runs at full speed.  Whether
 * a kernel runs from the cache may change from start to start.  So these
 * forms have a variant in bodies that no cache holds (FAMILY_DECODED). */
#ifndef ISA_DECODING_H
#define ISA_DECODING_H

#include "host/isa/variant.h"

enum {
	/* Least instances of a body.  Zen 4 has the largest known cache of
	 * decoded instructions, 6,750 (AMD Software Optimization Guide
	 * 57647, 2.8.2).  The body is also twice as large as a first-level
	 * code cache, so that none of its code is still there when the next
	 * iteration needs it.  Of a slightly larger body a part would still be
	 * there, so its time would not be linear in its length. */
	DECODING_OPS = 12288,
	/* Size of a buffer for a name. */
	DECODING_ROOM = 64,
};

struct catalogue;
struct form;

struct isa_decoding {
	/* Do the bytes of this instruction have a length-changing prefix? */
	bool (*is_slow)(const struct catalogue *c, const unsigned char *code,
			size_t n);
	/* To name the same operation without the prefix, replace slow_word by
	 * fast_word. */
	const char *slow_word, *fast_word;
};

/* Add the variant of a form that is slow to decode. */
void decoding_variants(const struct catalogue *c, const struct form *form,
		       struct variant_list *ret);

/* Is the form a variant added by decoding_variants()? */
bool decoding_is_long(const struct form *form);

/* Translate names; false if there is no such name or it is too long.
 * decoding_long(): "ADD16ri" to its variant "ADD16ri/decoded".
 * decoding_short(): the other way round.  decoding_like(): to the form of the
 * same operation without the prefix. */
bool decoding_long(const char *form, char ret[DECODING_ROOM]);
bool decoding_short(const char *form, char ret[DECODING_ROOM]);
bool decoding_like(const struct isa_decoding *d, const char *form,
		   char ret[DECODING_ROOM]);

#endif
