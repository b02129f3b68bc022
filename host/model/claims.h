/* Build a machine model from the claims in a store.
 *
 * Latencies, throughputs, uops and ports may come from different runs: for each
 * form and kind the newest run counts.  Port names are valid within one run
 * only, so all claims on ports come from the newest run that has any.
 *
 * Kinds of claims on ports:
 *
 *	kind	form	source		destination	value
 *	width	''	''		''		slots per cycle
 *	port	''	name		'' | pseudo	its place in the order
 *	note	''	number		''		none; detail: a sentence
 *	fit	''	''		''		first kernel of the
 *							fit of the model
 *	error	''	''		''		of random mixes, relative:
 *							median, mean
 *	uops	form	''		''		front-end slots
 *	ports	form	p0|p1		cycles		uops that use one of
 *							these for so many
 *	ports	form	''		''		0: it needs no port
 *	alone	form	''		''		cycles of independent
 *							instances
 *	class	form	p0|p1 | ''	''		1: representative of
 *							these ports
 *	matrix	form	number		p0|p1		none: the form's ports
 *							in one of several
 *							matrices that fit
 *	order	''	''		''		1: in program order
 *	pairing	form	class name	''		number of its class,
 *							from 1
 *	pair	''	class name	class name	1: the second starts
 *							with the first, 0: after
 *							it
 */
#ifndef MODEL_CLAIMS_H
#define MODEL_CLAIMS_H

#include "host/model/model.h"
#include "host/store/store_run.h"

/* The newest run of the chosen core and of `board` (NULL: of any board), which
 * gives the ISA. ERR_INPUT when the store has none. */
int model_store_run(struct store *s, struct arena *a, const char *board,
		    struct run *ret, struct err *e);

/* Build the model of one board from claims on the chosen core. Everything is
 * owned by `a`, except the names of forms, which belong to the catalogue.
 * ERR_INPUT when there are no claims on the board, or when a claim is
 * invalid. */
int model_from_store(struct store *s, struct arena *a, const char *board,
		     const struct catalogue *c, struct model *ret,
		     struct err *e);

#endif
