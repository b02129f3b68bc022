/* Shared by the files that write LLVM's scheduling models. */
#ifndef EXPORT_LLVM_TD_H
#define EXPORT_LLVM_TD_H

#include "host/base/file.h"
#include "host/isa/tables.h"
#include "host/model/model.h"

/* Why a form is left out; UNLIKE: another of its opcode costs something else.
 */
enum reason {
	WRITTEN,
	NO_PORTS,
	NO_LATENCY,
	NOT_WHOLE,
	VARIANT,
	UNLIKE,
	N_REASONS,
};

/* The cost of a form as text; equal texts share a definition. */
struct cost {
	const char *text;
	const char *opcode;
};

struct td {
	struct arena a;
	struct buffer *out;
	const struct model *m;
	const struct catalogue *c;
	struct tables *tables; /* opcodes of forms that have none of theirs */
	const char *prefix;    /* of every name */
	const char *ports[MODEL_MAX_PORTS]; /* their names, all different */
	struct cost *costs;
	size_t n;
	size_t left_out[N_REASONS];
	/* Sets of several ports, each a group. */
	model_ports *groups;
	size_t n_groups;
};

/* Letters and digits of a text, for a name; owned by `a`. */
char *td_identifier(struct arena *a, const char *text);

/* Names for the model's ports, before anything else is written. */
void td_name_ports(struct td *w);

/* Near enough to a whole number that LLVM holds. */
bool td_whole(double value, long *ret);

/* The model's head, its ports and groups. */
void td_add_core(struct td *w);

#endif
