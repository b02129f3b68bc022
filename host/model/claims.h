/* The machine model that the claims of a store make.
 *
 * Latencies, throughputs, uops and ports may come from different runs: of each
 * form and kind the newest counts.  Names of ports mean something within one
 * run only, so everything about ports is of the newest run that found any.
 *
 * Kinds of claims about ports, beside `latency` and `throughput`:
 *
 *	kind	form	source		destination	value
 *	width	''	''		''		slots per cycle
 *	port	''	name		'' | pseudo	its place in the order
 *	note	''	number		''		none; detail: a sentence
 *	fit	''	''		''		the first kernel of the
 *							fit of the model
 *	uops	form	''		''		slots of the front end
 *	ports	form	p0|p1		cycles		uops that take one of
 *							these for so many
 *	ports	form	''		''		0: it needs none
 *	alone	form	''		''		cycles of independent
 *							instances
 *	class	form	p0|p1 | ''	''		1: it stands for them
 *	matrix	form	number		p0|p1		none: the form's ports
 *							in one of several
 *							matrices that agree
 *							with everything
 *	order	''	''		''		1: in program order
 *	pairing	form	class name	''		number of its class,
 *from 1 pair	''	class name	class name	1: the second starts
 *with the first, 0: after it
 */
#ifndef MODEL_CLAIMS_H
#define MODEL_CLAIMS_H

#include "host/model/model.h"
#include "host/store/store.h"

/* The newest run of `board` (NULL: of any), to know its ISA; ERR_INPUT when the
 * store has none. */
int model_store_run(struct store *s, struct arena *a, const char *board,
		    struct run *ret, struct err *e);

/* The model of one board, from claims on forms of the catalogue.  Everything
 * but the names of forms is owned by `a`, those by the catalogue.  ERR_INPUT
 * when nothing is known of the board, or what the store says cannot be. */
int model_from_store(struct store *s, struct arena *a, const char *board,
		     const struct catalogue *c, struct model *ret,
		     struct err *e);

/* Are values of this verdict (docs/method.md) taken?  Those of a verdict that
 * is not known here are not. */
bool model_takes_verdict(const char *verdict, bool *ret_known);

#endif
