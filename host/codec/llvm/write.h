/* Shared by the files that write LLVM's scheduling models. */
#ifndef CODEC_LLVM_WRITE_H
#define CODEC_LLVM_WRITE_H

#include "host/base/file.h"
#include "host/isa/tables.h"
#include "host/model/model.h"

/* Why a form is left out.  UNLIKE: another form of its opcode has a different
 * cost.
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

/* The cost of a form as text.  Forms with equal text share a definition. */
struct cost {
	const char *text;
	const char *opcode;
	const char *values;     /* of struct model_form; "": not shown */
	struct model_mark mark; /* of its ports */
};

struct td {
	struct arena a;
	struct buffer *out;
	const struct model *m;
	const struct catalogue *c;
	struct tables *tables; /* opcodes of forms whose name is not an
				* opcode */
	const char *prefix;    /* prefix of every definition */
	const char *ports[MODEL_MAX_PORTS]; /* identifiers of the ports, all
					     * different */
	struct cost *costs;
	size_t n;
	size_t left_out[N_REASONS];
	/* Sets of several ports; each becomes a group. */
	model_ports *groups;
	size_t n_groups;
};

/* An identifier from the letters and digits of a text; owned by `a`. */
char *td_identifier(struct arena *a, const char *text);

/* Choose identifiers for the model's ports.  Call it first. */
void td_name_ports(struct td *w);

/* Is the value a whole number, within tolerance, in LLVM's range? */
bool td_whole(double value, long *ret);

/* Is the span a whole number of cycles?  Tolerates the clock's resolution. */
bool td_whole_span(const struct model_span *s, long *ret);

/* The longest latency from any operand to a result.  An interval that ends within
 * `busy` cycles is as long as its end.  NO_LATENCY or NOT_WHOLE if there is none. */
enum reason td_longest_latency(const struct form *form,
			       const struct model_form *f, int destination,
			       double busy, long *ret);

/* Write the model's head with more of its fields, its ports and groups. */
void td_add_core(struct td *w, const char *more);

/* The name of the resource for a set of ports, without the prefix; a set of
 * several becomes a group. */
const char *td_resource(struct td *w, model_ports ports);

/* Append "before A, B, C after" of names with blanks between, 80 columns wide;
 * nothing without names. */
void td_add_names(struct buffer *b, const char *before, const char *names,
		  const char *after);

/* Write what the target asks of every model, as not supported: what the model
 * does not know stays unknown to LLVM. */
void td_add_unsupported(struct td *w);

#endif
