/* What OSACA's machine model says of ports, loads and stores. */
#ifndef EXPORT_OSACA_CORE_H
#define EXPORT_OSACA_CORE_H

#include "host/export/osaca_entry.h"

struct osaca_core {
	struct arena *a;
	const struct model *m;
	const struct catalogue *c;
	/* Ports are named p0, p1 ...; OSACA calls them 0, 1 ... */
	bool plain_ports;
};

/* A plain load or store of a register file; f NULL: the model has none. */
struct osaca_core_access {
	const struct form *form;
	const struct model_form *f;
};

/* Prepare; owned by `a`, refers to the others. */
struct osaca_core osaca_core_new(struct arena *a, const struct model *m,
				 const struct catalogue *c);

/* The plain load or store (`access`, of enum memory_access) of the widest
 * registers for which OSACA has the word `word`.  It is one of a list of the
 * instruction set, because most forms that access memory also compute. */
struct osaca_core_access osaca_plain_access(const struct osaca_core *w,
					    const char *word, int access);

/* Has a uop of the form both ports that take an index and ports that do not? */
bool osaca_minds_index(const struct osaca_core *w, const struct model_form *f);

/* Append [[cycles, [ports]], ...] for addresses with or without an index. */
void osaca_add_pressure(const struct osaca_core *w, const struct model_form *f,
			enum osaca_index index, struct buffer *b);

/* Append everything that stands before the list of instruction forms. */
void osaca_add_core(const struct osaca_core *w, struct buffer *b);

/* Append a number, "~" if it is not known. */
void osaca_add_number(struct buffer *b, bool known, double value);

#endif
