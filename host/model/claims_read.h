/* State shared by the files that read claims. claims*.c and effects
 * (host/effect) include this. */
#ifndef MODEL_CLAIMS_READ_H
#define MODEL_CLAIMS_READ_H

#include <string.h>

#include "host/base/file.h"
#include "host/model/claims.h"
#include "host/model/settled.h"
#include "host/store/store_claim.h"

struct form;       /* host/isa/catalogue.h */
struct experiment; /* host/experiment/experiment.h */

/* Consecutive claims. */
struct claim_list {
	const struct claim *list;
	size_t n;
};

struct claim_reader {
	struct store *s;
	struct arena *a;
	const struct catalogue *c;
	const char *board;
	int64_t ports_run; /* 0: none */
	bool refused; /* its ports are not used: its random mixes are off */
	double refused_error;                 /* by this share on average */
	struct buffer fetched, fetched_ports; /* struct claim, strings in `a` */
	/* The same, sorted by form; those without a form come first. */
	struct claim_list values, ports;
	/* Lists of the model, while they grow. */
	struct buffer forms, notes, port_list;
	/* struct claim: of several forms, and of instances of one that wait
	 * for what the one before stored. */
	struct buffer several;
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

/* claims_store.c: fetch the claims of the board. For each form and kind, those
 * of the newest run; all claims on ports are of one run. */
int claims_fetch(struct claim_reader *r, struct err *e);

/* claims_about.c: what the model says of where it comes from: the core, its
 * system, the date and the tool of a run, and notes. */
int claims_about(struct claim_reader *r, const struct run *run, struct err *e);

/* claims_core.c: read the claims without a form, and the pairing table.
 * ERR_INPUT names an invalid claim. */
int claims_core(struct claim_reader *r, struct err *e);

/* claims_pairs.c: the forms of a claim "FORM", "2>0", "OTHER@1>0", and the
 * latencies of their own chains between these operands. */
struct claim_pair {
	struct model_form *form, *other; /* in r->forms */
	struct model_span own, others;
};

/* False if it is no such claim, or if the model lacks a form.  r->forms must be
 * complete. */
bool claims_pair(const struct claim_reader *r, const struct claim *c,
		 struct claim_pair *ret);

/* Move the records that an effect has read, of `size` bytes each, into the
 * model, and free the buffer. */
void claims_give(struct claim_reader *r, const struct effect *x,
		 struct buffer *records, size_t size);

/* Move a list into the arena and free the buffer. */
const void *claims_settle(struct arena *a, struct buffer *b, size_t size,
			  size_t *ret_n);

/* The experiment of a claim of several forms; false: it is of another version
 * of the program. */
bool claims_experiment(const struct claim_reader *r, const struct claim *c,
		       struct experiment *ret);

/* claims_rate.c: what a form's ports say of its throughput, from its claims,
 * where these are bounds or no settled value. */
void claims_rate(struct claim_reader *r, struct claim_list values,
		 struct claim_list ports, struct model_form *f);

/* Append to the evidence of the current form.  It is called tens of thousands
 * of times, so it avoids printf(). */
static inline void claims_say(struct claim_reader *r, const char *text)
{
	buffer_add(&r->words, text, strlen(text));
}

/* Set ERR_INPUT with the claim and what was expected instead; returns it. */
static inline int claims_bad(const struct claim *c, const char *expected,
			     struct err *e)
{
	return err_set(
		e, ERR_INPUT, "run %lld: claim %s of '%s' on '%s': expected %s",
		(long long)c->run, c->kind, c->form, c->source, expected);
}

#endif
