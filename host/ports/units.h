/* Units: ports that no form of one uop uses.  units.c finds them and the forms
 * that use them, units_hidden.c those that no form keeps busy alone, and
 * units_kernel.c measures and names them. */
#ifndef PORTS_UNITS_H
#define PORTS_UNITS_H

#include "host/ports/infer.h"

enum { UNITS_MAX = 24 };

struct unit {
	uint32_t representative; /* several of it keep the unit busy */
	double cycles;           /* of an instance of it */
	unsigned n_ports;
	bool real; /* each port takes a uop per cycle; else one pseudo port */
	/* Known set that contains the unit's ports; 0: none. */
	model_ports inside;
	model_ports ports; /* in the answer */
	/* A kernel of the representative and another form had a value. */
	bool measured;
	/* No form uses the unit: hardly any kernel with it had a value (the
	 * representative is unfinished), or the representative is slower in the
	 * control than alone (it is unsure). */
	bool dropped;
};

/* The units found so far, in all batches. */
struct units {
	size_t n;
	struct unit list[UNITS_MAX];
};

/* Known uops of an instance. */
double units_n_uops(const struct form_state *f);

/* Slots that uops can take: where slots are unknown, at least two if the form
 * takes more than one; 0: nothing is known. */
double units_least_slots(const struct form_state *f);

/* How many more uops the form may have, by its slots and what may share them; 0: none,
 * or nothing is known. */
double units_room(const struct infer *in, uint32_t form);

/* Least cycles of an instance, by its known uops and its slots. */
double units_bound(const struct infer *in, const struct form_state *f);

/* The time alone is not that of the known uops.  The claim becomes open if a uop
 * may be missing: the form has a free slot, or its slots are unknown. */
void units_doubt_slower(struct infer *in, uint32_t form);

/* A new unit that the form keeps busy, with ports.  `hidden`: the form is as
 * fast as its known ports.  False: there is no room for more ports. */
bool units_make(struct infer *in, uint32_t form, bool hidden, struct unit *ret);

/* A form that may use a unit. */
struct unit_user {
	uint32_t form;
	/* Port cycles that it takes of the unit; NAN: it has no value, or its
	 * kernel cannot show it. */
	double cycles;
	bool lost; /* its kernel has no value */
};

/* Measure what each of n forms takes of a unit: enough of the representative to
 * keep the unit busy, and one of the form.  The first n_slower forms are slower
 * than their uops: if hardly any of them has a value with a unit that never had
 * one, or if the representative is slower in the control than alone, it sets
 * u->dropped. */
int units_ask(struct infer *in, struct unit *u, struct unit_user *users,
	      size_t n, size_t n_slower);

/* units.c: does the form have slots that none of its known uops takes? */
bool units_has_free_slot(const struct infer *in, uint32_t form);

/* units.c: add a unit that this form keeps busy, and find its users: those of the
 * n_slower forms of the list that are still slower than their uops, forms with
 * free slots that are not slower, and the form itself.  `hidden`: as units_make(). */
int units_add(struct infer *in, uint32_t form, bool hidden,
	      const uint32_t *slower, size_t n_slower);

#endif
