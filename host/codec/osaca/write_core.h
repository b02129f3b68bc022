/* What OSACA's machine model says of ports, loads and stores. */
#ifndef CODEC_OSACA_WRITE_CORE_H
#define CODEC_OSACA_WRITE_CORE_H

#include "host/codec/osaca/entry.h"

/* Sets of ports that can bound a block; see write_sets.c. */
struct osaca_sets {
	size_t n;
	model_ports of[MODEL_MAX_PORTS];
};

struct osaca_core {
	struct arena *a;
	const struct model *m;
	const struct catalogue *c;
	/* Ports are named p0, p1 ...; OSACA calls them 0, 1 ... */
	bool plain_ports;
	/* Write these sets in the place of ports; NULL: write ports. */
	const struct osaca_sets *sets;
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

/* Set w->sets to the sets of ports that can bound a block.  ERR_INPUT if there
 * are more than MODEL_MAX_PORTS. */
int osaca_use_sets(struct osaca_core *w, struct err *e);

/* Append the name of a set of ports. */
void osaca_add_set_name(const struct osaca_core *w, model_ports set,
			struct buffer *b);

/* Append [[cycles, [set]], ...]: for each set the cycles of the form's uops
 * that are confined to it, divided by its ports.  Uops do not use the ports of
 * `out` (osaca_ports_without()). */
void osaca_add_set_pressure(const struct osaca_core *w,
			    const struct model_form *f, model_ports out,
			    struct buffer *b);

/* `ports` without those of `out`; `ports` itself if none would be left. */
model_ports osaca_ports_without(model_ports ports, model_ports out);

/* Ports whose address unit takes no index. */
model_ports osaca_without_index(const struct osaca_core *w);

/* OSACA's name of a port. */
const char *osaca_port_name(const struct osaca_core *w, size_t port);

/* Write a model with ports, or with sets in their place (write.c). */
int osaca_write(const struct model *m, const struct catalogue *c, bool sets,
		struct buffer *ret, struct err *e);

/* Append a number, "~" if it is not known. */
void osaca_add_number(struct buffer *b, bool known, double value);

#endif
