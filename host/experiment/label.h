/* Splits labels into words without a catalogue: the solver needs the kind
 * and the names, not the forms. */
#ifndef EXPERIMENT_LABEL_H
#define EXPERIMENT_LABEL_H

#include "host/base/arena.h"
#include "host/experiment/kinds.h"

enum { LABEL_MAX_HELPERS = 8 };

/* A measured step of several: "2xA@1>0".  source and destination "": not
 * named. */
struct label_part {
	const char *text;
	unsigned count; /* instances */
	const char *form;
	const char *source, *destination;
};

/* For one measured step: its form, source and destination.  For several
 * ("A@1>0+B@1>0"): the whole text as the form, and the parts.  Strings are
 * never NULL. */
struct label {
	enum experiment_kind kind;
	const char *form;
	const char *source, *destination;
	unsigned instances; /* in a body, without helpers */
	size_t n_parts;     /* 0: one measured step */
	const struct label_part *parts;
	size_t n_helpers;
	struct {
		const char *form;
		unsigned count;
	} helpers[LABEL_MAX_HELPERS];
};

/* A step of a label, "~2xFORM@source>destination": `~` marks a helper, `!` the
 * step at which a chain is broken.  Strings are parts of the text. */
struct label_step {
	bool helper, broken;
	unsigned long count; /* instances; 1 if there is no number */
	char *form;
	char *source, *destination; /* NULL: not named */
};

/* Read a step, and cut the text at its parts.  False if it has no form, or a
 * source without a destination. */
bool label_read_step(char *text, struct label_step *ret);

/* Is it a chain, and not independent instances? */
static inline bool label_is_chain(const struct label *l)
{
	return experiment_kind_is(l->kind, EXPERIMENT_TIMES_CHAIN);
}

/* Split a label; strings in `a`.  False if it is not a label. */
bool label_split(struct arena *a, const char *text, struct label *ret);

/* The parts of steps without a kind, as "A@1>0+B@2>0" or "A@1>0"; strings in
 * `a`. Returns their number, 0 if one cannot be read. */
size_t label_parts(struct arena *a, const char *steps,
		   const struct label_part **ret);

/* The name of the first form of a label: "ADD64rr" of "2xADD64rr@1>0+...". */
char *label_first_form(struct arena *a, const struct label *l);

/* Is the end of a pair an explicit operand, and not an implicit register? */
bool label_is_operand(const char *end);

/* Is it a latency of several steps that each have a source and a
 * destination? */
bool label_is_cycle(const struct label *l);

#endif
