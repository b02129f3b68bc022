/* Rows and groupings of claims, made once for everything that prints them:
 * text, pages, JSON, CSV.  Prints nothing. */
#ifndef VIEW_CLAIMS_H
#define VIEW_CLAIMS_H

#include "host/base/file.h"
#include "host/model/settled.h"
#include "host/store/store_claim.h"

enum { VIEW_MAX_NAMES = 64 };

/* Claims by isa, form, kind, source, destination, as the store has them. */
struct view_claims {
	const struct claim *list;
	size_t n;
};

/* Copy the claims that store_claims(), or store_port_claims(), calls each() for
 * into `a`; NULL strings become "".  Errors as those. */
int view_read_claims(struct store *s, struct arena *a, int64_t run,
		     const char *form, struct view_claims *ret, struct err *e);
int view_read_port_claims(struct store *s, struct arena *a, int64_t run,
			  const char *form, struct view_claims *ret,
			  struct err *e);

/* The claims from the first one of `rest` on that are equal by `same`; *rest is
 * set behind them.  n is 0 at the end. */
struct view_claims view_next(struct view_claims *rest,
			     bool (*same)(const struct claim *x,
					  const struct claim *y));
/* Of one run? */
bool view_same_run(const struct claim *x, const struct claim *y);
/* Of one form and instruction set? */
bool view_same_form(const struct claim *x, const struct claim *y);

/* Is it of two forms (EXPERIMENT_PAIRED)?  There are many of these. */
bool view_has_partner(const struct claim *c);

/* The claims of one form in a row of a table. */
struct view_row {
	/* Over all pairs of operands; has_value false: none. */
	struct model_span latency, throughput;
	/* "two-states,ok": of all latencies, of the throughput, those without a
	 * value included; NULL: no such claim. */
	const char *latency_verdicts, *throughput_verdicts;
};
struct view_row view_row_of(struct arena *a, const struct view_claims *c);

/* Latencies of one form as a matrix, in the order in which the claims name the
 * operands; names beyond VIEW_MAX_NAMES are left out. */
struct view_names {
	const char *list[VIEW_MAX_NAMES];
	size_t n;
};
struct view_matrix {
	struct view_names from, to; /* n is 0: no latencies */
};
void view_matrix_of(const struct view_claims *c, struct view_matrix *ret);

/* Add a name that is not in the list yet. */
void view_note(struct view_names *w, const char *name);

/* The value of this kind for a pair of operands; NULL: none. */
const struct claim *view_pair(const struct view_claims *c, const char *kind,
			      const char *source, const char *destination);

/* The value of a claim, in four digits: "0.25", the middle, if the bounds are
 * at most 5 % apart, else "1..3"; "-": none. */
enum { VIEW_SPAN_ROOM = 40 };
void view_value_text(const struct claim *c, char text[VIEW_SPAN_ROOM]);

#endif
