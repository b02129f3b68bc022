/* The parts of `anechoic show`. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "host/isa/catalogue.h"
#include "host/view/claims.h"

/* Print every kernel of the claims' run that measures the form, and those of
 * the claims' labels (claims also follow from kernels of other forms): its
 * code, its samples as a histogram, one row of ticks of each visit, its
 * faults. */
int show_kernels(struct store *s, const struct catalogue *c, const char *form,
		 const struct view_claims *claims, struct err *e);

/* Print the form's uops and ports of the newest run that has any, and with
 * evidence the mixes of that run with the form.  *ret_any: there are some. */
int show_ports(struct store *s, struct arena *a, const char *form,
	       bool evidence, bool *ret_any, struct err *e);

/* Print the structures of the core (host/view/finding.h).  ERR_INPUT: there are
 * none. */
int show_structures(struct store *s, struct arena *a, bool evidence,
		    struct err *e);

/* Find the form of the database that `text` names (host/isa/typed.h), an
 * instruction as people type it: *ret in `a`.  If several fit equally well, a
 * table of all that fit is printed, best first, and *ret is NULL.  ERR_INPUT:
 * none; the message names a near one if there is one. */
int show_typed(struct store *s, struct arena *a, const char *text,
	       const char **ret, struct err *e);

#endif
