/* State shared by the files that read claims. Only claims*.c include this. */
#ifndef MODEL_CLAIMS_READ_H
#define MODEL_CLAIMS_READ_H

#include "host/base/file.h"
#include "host/model/claims.h"

struct form; /* host/isa/catalogue.h */

struct claim_reader {
	struct store *s;
	struct arena *a;
	const struct catalogue *c;
	const char *board;
	int64_t ports_run; /* 0: none */
	bool refused; /* its ports are not used: its random mixes are off */
	double refused_error;        /* by this share on average */
	struct buffer values, ports; /* struct claim, strings in `a` */
	/* Lists of the model, while they grow. */
	struct buffer forms, written, forwards, mixes, notes, port_list;
	/* Lists of the current form; their allocation is reused. */
	struct buffer words, latencies, uses;
	int64_t said_run; /* run that run_text describes; 0: none */
	const char *run_text;
	/* Next form in the catalogue; claims have the same order. */
	size_t next;
	size_t n_unknown; /* forms that are not in the catalogue */
	size_t n_whole;   /* latencies that treat all flags as one operand */
	size_t n_nowhere; /* latencies of operands that the form lacks */
	struct model *m;
};

/* claims_store.c: fetch the claims of the board, sorted by form. For each form
 * and kind, those of the newest run; all claims on ports are of one run. */
int claims_fetch(struct claim_reader *r, struct err *e);

/* claims_about.c: the core, its system, the date and the tool of a run. */
int claims_about(struct claim_reader *r, const struct run *run, struct err *e);

/* claims_core.c: read the claims without a form, and the pairing table.
 * ERR_INPUT names an invalid claim. */
int claims_core(struct claim_reader *r, struct err *e);

/* claims_forward.c: find the bypass classes from alternating chains. Requires a
 * complete r->forms. */
void claims_forward(struct claim_reader *r);

/* claims_forward.c: the latency of the form's own chain for an operand pair "2>0"; without
 * a value if it is unknown. */
struct model_span claims_own_latency(const struct claim_reader *r,
				     const struct model_form *f,
				     const char *pair);

/* claims_forward.c: the form named by the first n characters of `name`; NULL: none. */
struct model_form *claims_find_form(const struct claim_reader *r,
				    const char *name, size_t n);

/* claims_written.c: fill r->written.  Requires a complete r->forms. */
void claims_written(struct claim_reader *r);

/* claims_memory.c: append a chain from a store to a load, a claim whose form is
 * several, to r->forwards; others are ignored. */
void claims_add_forward(struct claim_reader *r, const struct claim *c);

/* The same: instances of a form that wait for what the one before stored.
 * False if they do not wait through memory alone. */
bool claims_add_modify(struct claim_reader *r, const struct form *form,
		       const struct claim *c);

/* claims_mix.c: append a mix of loads and stores to r->mixes; other mixes are
 * ignored. */
void claims_mix(struct claim_reader *r, const struct claim *c);

/* claims_rate.c: what a form's ports say of its throughput, from its claims,
 * where these are bounds or no settled value. */
void claims_rate(struct claim_reader *r, const struct claim *values,
		 size_t n_values, const struct claim *ports, size_t n_ports,
		 struct model_form *f);

/* Does the claim have a value that a model uses? */
bool claim_is_settled(const struct claim *c);

bool claim_is(const struct claim *c, const char *kind);
struct model_span claim_span(const struct claim *c);

/* The claim's value as a whole number from 0 to below `limit`; -1: invalid. */
int claim_whole(const struct claim *c, int limit);

/* Set ERR_INPUT with the claim and what was expected instead; returns it. */
int claim_bad(const struct claim *c, const char *expected, struct err *e);

#endif
