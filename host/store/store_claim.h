/* Claims: what the solver derived from the samples of a run. */
#ifndef STORE_STORE_CLAIM_H
#define STORE_STORE_CLAIM_H

#include "host/base/arena.h"
#include "host/store/store.h"
#include "host/store/verdict.h"

/* Kinds of values that no solver makes: what `anechoic structures` found
 * (host/view/finding.h). */
#define CLAIM_STRUCTURE "structure"
#define CLAIM_CURVE     "curve"

/* A solved value.  low == high means exact within the residual.  The verdict is
 * VERDICT_OK if nothing is in doubt.  If has_value is false, it gives the
 * reason. */
struct claim {
	int64_t run;
	const char *isa, *form, *board;
	/* A value (docs/method/README.md): latency, latency-short, forward,
	 * throughput, dependent ...; or a kind of host/model/claims.h. */
	const char *kind;
	/* Operands; "" for kinds without.  forward, written: the other form's
	 * in addition; iteration, crossing: instructions in the lines. */
	const char *source, *destination;
	bool has_value;
	/* Cycles; of issue-width, queue, slots and the buffers a number of
	 * instructions, of program-order 0 or 1; host/view/finding.h. */
	double low_cycles, high_cycles;
	double residual; /* residual of the line fit, relative */
	uint32_t visits; /* visits that agree; core clock: undisturbed visits */
	enum verdict verdict;
	/* The word of VERDICT_FAULT, "fault:illegal", and of VERDICT_UNKNOWN,
	 * as the database has it; not read for others. */
	const char *verdict_text;
	const char *label; /* label of the main kernel */
	uint32_t kernel;   /* its index in the run */
	int solver_version;
	const char *detail; /* one line of text: how the value was derived, or
			     * why there is none */
};

/* The word of its verdict. */
const char *claim_verdict(const struct claim *c);

/* Set the verdict to a fault of this cause, in the words of common/wire.md; the
 * text is in `a`. */
void claim_set_fault(struct claim *c, struct arena *a, const char *cause);

/* Begin a transaction that replaces all values of a run that a solver makes; or all
 * its port claims (the kinds of host/model/claims.h).  End it with store_commit(). */
int store_claims_begin(struct store *s, int64_t run, struct err *e);
int store_port_claims_begin(struct store *s, int64_t run, struct err *e);
int store_claim(struct store *s, const struct claim *c, struct err *e);

/* Call each() for every value of a run, ordered by isa, form, kind, source,
 * destination. run 0: the newest run of the chosen core for each board, isa,
 * form and kind. form NULL: all forms. */
typedef int store_each_claim(void *context, const struct claim *c,
			     struct err *e);
int store_claims(struct store *s, int64_t run, const char *form,
		 store_each_claim *each, void *context, struct err *e);

/* The same for port claims. */
int store_port_claims(struct store *s, int64_t run, const char *form,
		      store_each_claim *each, void *context, struct err *e);

/* All claims of a run in the order above, with only the fields that a machine
 * model needs: without board, ISA, label, residual, visits; `detail` only for
 * claims without a form.  `ports`: it is a port claim. */
typedef int store_each_model_claim(void *context, const struct claim *c,
				   bool ports, struct err *e);
int store_model_claims(struct store *s, int64_t run,
		       store_each_model_claim *each, void *context,
		       struct err *e);

#endif
