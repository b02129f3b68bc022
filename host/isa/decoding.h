/* Instructions that decoders take longer over than caches of decoded ones.
 *
 * A prefix that changes how long the rest is (x86: an operand size of 16 bits
 * before an immediate as wide) may stop a decoder for some cycles.  From a
 * cache of decoded instructions such code runs as any other, and which of the
 * two a kernel meets may change from start to start.  So such a form has a
 * variant in bodies that no cache holds (FAMILY_DECODED). */
#ifndef ISA_DECODING_H
#define ISA_DECODING_H

#include "host/isa/variant.h"

enum {
	/* Of one body, at least.  Zen 4 has the largest cache known, of 6,750
	 * instructions (AMD Software Optimization Guide 57647, 2.8.2).  Bodies
	 * of twice what a first cache of code holds find nothing in it; those
	 * of a little more find some, and lie on no line. */
	DECODING_OPS = 12288,
	/* Behind a name there is room for so much. */
	DECODING_ROOM = 64,
};

struct catalogue;
struct form;

struct isa_decoding {
	/* Do these bytes of an instruction have such a prefix? */
	bool (*is_slow)(const struct catalogue *c, const unsigned char *code,
			size_t n);
	/* The form of the same operation without it has one word in place of
	 * another in its name. */
	const char *slow_word, *fast_word;
};

/* Add the variant of a form that is slow to decode. */
void decoding_variants(const struct catalogue *c, const struct form *form,
		       struct variant_list *ret);

/* Is the form such a variant? */
bool decoding_is_long(const struct form *form);

/* Names: of a form's variant, of the form that a variant is of, and of what is
 * like a form but for the prefix; false where there is none, or no room. */
bool decoding_long(const char *form, char ret[DECODING_ROOM]);
bool decoding_short(const char *form, char ret[DECODING_ROOM]);
bool decoding_like(const struct isa_decoding *d, const char *form,
		   char ret[DECODING_ROOM]);

#endif
