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

/* ---- ports_answers.c: what was measured, by label ------------------------ */

/* Results of mixes in the order they came.  A request takes as many of them as
 * it needs to know its mix well, so that old data is used as new data was. */
struct ports_answers;
struct ports_answers *ports_answers_new(void);
void ports_answers_free(struct ports_answers *a);

/* One more result of a mix. */
void ports_answers_add(struct ports_answers *a, const char *label,
		       const struct ports_value *v);

/* The next answer; false when more results are needed for it: then nothing is
 * taken. */
bool ports_answers_take(struct ports_answers *a, const char *label,
			struct ports_value *ret);

/* As ports_answers_take(), with as many results as there are; false when there
 * are none. */
bool ports_answers_take_any(struct ports_answers *a, const char *label,
			    struct ports_value *ret);

/* ---- ports_claims.c -------------------------------------------------------
 */

/* Replace what the run says of ports. */
int ports_claims_store(struct store *s, const struct run *run,
		       const struct plan_ports_form *forms, size_t n_left,
		       const struct ports_answer *w, size_t n_forms,
		       struct err *e);

/* What was found, for people. */
void ports_print(const struct plan_ports_form *forms, size_t n_forms,
		 const struct ports_answer *w);

#endif
