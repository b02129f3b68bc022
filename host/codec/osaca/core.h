/* What OSACA's machine model says of ports, loads and stores. */
#ifndef CODEC_OSACA_CORE_H
#define CODEC_OSACA_CORE_H

#include "host/codec/osaca/entry.h"

/* Sets of ports that can bound a block. */
struct osaca_sets {
	size_t n;
	model_ports of[MODEL_MAX_PORTS];
};

struct osaca_core {
	struct arena *a;
	const struct model *m;
	const struct catalogue *c;
	/* Set by osaca_core_begin().  Ports are named p0, p1 ...; OSACA calls
	 * them 0, 1 ... */
	bool plain_ports;
	/* Write these sets in the place of ports; NULL: write ports. */
	const struct osaca_sets *sets;
};

/* A plain load or store of a register file; f NULL: the model has none. */
struct osaca_core_access {
	const struct form *form;
	const struct model_form *f;
};

/* ---- ports.c ---- */

/* Prepare to write ports, or sets of ports.  ERR_INPUT: there are more than
 * MODEL_MAX_PORTS sets. */
int osaca_core_begin(struct osaca_core *ret, bool sets, struct err *e);

/* Has a uop of the form both ports that take an index and ports that do not? */
bool osaca_minds_index(const struct osaca_core *w, const struct model_form *f);

/* Append the names of all ports. */
void osaca_add_ports(const struct osaca_core *w, struct buffer *b);

/* Append [[cycles, [ports]], ...] for addresses with or without an index. */
void osaca_add_pressure(const struct osaca_core *w, const struct model_form *f,
			enum osaca_index index, struct buffer *b);

/* ---- head.c ---- */

/* The plain load or store (`access`, of enum memory_access) of the widest
 * registers for which OSACA has the word `word`.  It is one of a list of the
 * instruction set, because most forms that access memory also compute. */
struct osaca_core_access osaca_plain_access(const struct osaca_core *w,
					    const char *word, int access);

/* Append everything that stands before the list of instruction forms. */
void osaca_add_core(const struct osaca_core *w, struct buffer *b);

#endif
