/* Forms as OSACA distinguishes them, by mnemonic and operand types, and their
 * syntax in OSACA's files. */
#ifndef EXPORT_OSACA_ENTRY_H
#define EXPORT_OSACA_ENTRY_H

#include "host/base/file.h"
#include "host/model/model.h"
#include "host/model/signature.h"

struct osaca_form {
	const struct form *form;
	const struct model_form *f;
	struct signature s;
};

struct osaca_list {
	struct osaca_form *entries;
	/* Number of entries, and of forms without one: n_alike have the same
	 * text as an entry, n_unwritten have no text that OSACA reads, of
	 * n_unknown nothing is known.  OSACA derives missing entries with a
	 * memory operand from the register entry and a load. */
	size_t n, n_alike, n_unwritten, n_unknown;
};

/* Collect the forms of a model; without `unknown`, only those of which
 * something is known.  Of forms with the same text one is chosen: measurable
 * before others, plain before variants.  The list is owned by `a`. */
void osaca_collect(struct arena *a, const struct model *m,
		   const struct catalogue *c, bool unknown,
		   struct osaca_list *ret);

/* Append text as a single-quoted YAML string. */
void osaca_quoted(struct buffer *b, const char *text);

/* Append the lines of an operand, an item of a list. */
void osaca_operand(struct buffer *b, const struct catalogue *c,
		   const struct signature_operand *o);

#endif
