/* The campaign that infers ports: it measures what the inference asks for, in
 * one run of many packs, and keeps every answer, so that it can be resumed,
 * and the inference repeated on old data. */
#ifndef CLI_PORTS_H
#define CLI_PORTS_H

#include "host/cli/cli.h"
#include "host/plan/ports.h"
#include "host/ports/ports.h"
#include "host/store/store.h"

/* `anechoic measure --what ports`. */
int ports_measure(const struct options *o, struct err *e);

/* Infer again from what the runs of a store hold, and replace their claims. */
int ports_solve(struct store *s, struct err *e);

/* "90s", "10m", "1h": time; "5000": kernels; NULL: neither.  ERR_USAGE. */
int ports_budget(const char *text, double *ret_seconds, size_t *ret_kernels,
		 struct err *e);

/* ---- ports_answers.c: what was measured, by label ------------------------ */

/* Results of mixes in the order they came.  A request takes as many of them as
 * it needs to know its mix well, so that old data is used as new data was. */
struct ports_answers;
struct ports_answers *ports_answers_new(void);
void ports_answers_free(struct ports_answers *a);

/* One more result of a mix. */
void ports_answers_add(struct ports_answers *a, const char *label,
		       const struct ports_value *v);

/* How many there are of a mix. */
size_t ports_answers_n(const struct ports_answers *a, const char *label);

/* A try to measure a mix gave nothing. */
void ports_answers_lose(struct ports_answers *a, const char *label);

/* The next answer; false when more results are needed for it: then nothing is
 * taken. */
bool ports_answers_take(struct ports_answers *a, const char *label,
			struct ports_value *ret);

/* As ports_answers_take(), with as many results as there are; false when there
 * are none. */
bool ports_answers_take_any(struct ports_answers *a, const char *label,
			    struct ports_value *ret);

/* ---- ports_waits.c: forms that wait for the register they overwrite ------ */

/* A chain through an operand that a form reads and overwrites. */
struct ports_chain {
	size_t form; /* of the list */
	struct experiment experiment;
};

/* All of them; owned by `a`.  Returns how many. */
size_t ports_chains(struct arena *a, const struct plan_ports_form *forms,
		    size_t n_forms, struct ports_chain **ret);

/* The longest of a form's chains counts; latencies: one for each form. */
void ports_chain_note(const struct ports_chain *chain,
		      const struct ports_value *v, uint16_t *latencies);

/* ---- ports_claims.c -------------------------------------------------------
 */

/* Replace what the run says of ports.  fit_from: the first kernel of the fit;
 * UINT32_MAX: it had none. */
int ports_claims_store(struct store *s, const struct run *run,
		       const struct plan_ports_form *forms, size_t n_left,
		       uint32_t fit_from, const struct ports_answer *w,
		       size_t n_forms, struct err *e);

/* The first kernel of the fit, as it was stored. */
int ports_claims_fit(struct store *s, int64_t run, uint32_t *ret_from,
		     struct err *e);

/* What was found, for people. */
void ports_print(const struct plan_ports_form *forms, size_t n_forms,
		 const struct ports_answer *w);

/* A mix as an experiment, breakers behind the forms they are for; false when it
 * has more steps than an experiment. */
bool ports_experiment(const struct plan_ports_form *forms,
		      const struct ports_mix *mix, struct experiment *ret);

#endif
