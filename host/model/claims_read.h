/* Shared by the files that read claims; nobody else includes this. */
#ifndef MODEL_CLAIMS_READ_H
#define MODEL_CLAIMS_READ_H

#include "host/base/file.h"
#include "host/model/claims.h"

struct reading {
	struct store *s;
	struct arena *a;
	const struct catalogue *c;
	const char *board;
	int64_t ports_run;           /* 0: none */
	struct buffer values, ports; /* struct claim, strings in `a` */
	/* The parts of the model as they grow. */
	struct buffer forms, forwards, mixes, notes, port_list;
	/* Of the form at hand; they keep their room for the next one. */
	struct buffer words, latencies, uses;
	int64_t said_run; /* of run_text; 0: none */
	const char *run_text;
	size_t next; /* form of the catalogue: claims are sorted as it is */
	size_t n_unknown; /* forms that the catalogue lacks */
	size_t n_whole;   /* latencies of all flags at once */
	size_t n_nowhere; /* of operands that the form lacks */
	struct model *m;
};

/* claims_store.c: the claims of the board, sorted by form; of each form and
 * kind those of the newest run, of ports those of one run. */
int claims_fetch(struct reading *r, struct err *e);

/* claims_core.c: what the core is, from claims without a form, and its pairing
 * table.  ERR_INPUT with the claim that cannot be. */
int claims_core(struct reading *r, struct err *e);

/* claims_forward.c: between which forms results come late, from chains of two;
 * after r->forms is complete. */
void claims_forward(struct reading *r);

/* claims_mix.c: loads and stores beside each other, to r->mixes; other mixes
 * say nothing to a model. */
void claims_mix(struct reading *r, const struct claim *c);

/* claims_rate.c: what a form's ports say of its throughput, whose claims are
 * these, where they have bounds only or no settled value. */
void claims_rate(struct reading *r, const struct claim *values, size_t n_values,
		 const struct claim *ports, size_t n_ports,
		 struct model_form *f);

/* Has the claim a value that a model takes? */
bool claim_is_settled(const struct claim *c);

bool claim_is(const struct claim *c, const char *kind);
struct model_span claim_span(const struct claim *c);

/* A whole number from 0 to below `limit` that a claim holds, or -1. */
int claim_whole(const struct claim *c, int limit);

int claim_bad(const struct claim *c, const char *expected, struct err *e);

#endif
