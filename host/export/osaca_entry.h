/* Forms as OSACA tells them apart, by mnemonic and kinds of operands, and how
 * its files write them. */
#ifndef EXPORT_OSACA_ENTRY_H
#define EXPORT_OSACA_ENTRY_H

#include "host/base/file.h"
#include "host/model/model.h"
#include "host/model/signature.h"

struct osaca_entry {
	const struct form *form;
	const struct model_form *f;
	struct signature s;
};

struct osaca_list {
	struct osaca_entry *entries;
	/* Entries; forms that look like one of them; forms that have no text
	 * OSACA reads; forms of which nothing is known: without an entry OSACA
	 * makes one of a load of what it knows. */
	size_t n, n_alike, n_unwritten, n_unknown;
};

/* The forms of a model, or those of which something is known, one of each look:
 * of those that look alike, one that can be measured, the plain form before its
 * variants.  Owned by `a`. */
void osaca_collect(struct arena *a, const struct model *m,
		   const struct catalogue *c, bool unknown,
		   struct osaca_list *ret);

/* Text in single quotes of YAML. */
void osaca_quoted(struct buffer *b, const char *text);

/* The lines of an operand, an item of a list. */
void osaca_operand(struct buffer *b, const struct catalogue *c,
		   const struct signature_operand *o);

#endif
