/* Units, shared by units.c, which finds them, units_mix.c, which compares forms,
 * and units_inside.c, which places units inside known sets of ports. */
#ifndef PORTS_UNITS_H
#define PORTS_UNITS_H

#include "host/ports/infer.h"

enum { UNITS_MAX = 24 };

/* The units found so far, in all batches. */
struct units {
	size_t n;
	struct unit {
		uint32_t representative;
		double cycles;     /* of an instance of the representative */
		model_ports ports; /* ports in the answer */
		unsigned n_ports;
		bool real;
		bool hidden; /* units_hidden.c: no form uses it alone */
		/* Known set that contains the unit's ports; 0: none. */
		model_ports inside;
	} list[UNITS_MAX];
};

struct unit_candidate {
	uint32_t form;
	double cycles;
	int unit;
	size_t head; /* index of its representative in the list */
};

double units_n_uops(const struct form_state *f);

/* Front-end slots of an instance, if not measured those of its known uops. */
double units_slots_of(const struct form_state *f);

/* Slots that uops can take: where slots are unknown, at least two if the form
 * takes more than one; 0: nothing is known. */
double units_least_slots(const struct form_state *f);

/* A mix with about the same time for both. */
struct ports_mix units_compare_mix(const struct infer *in, uint32_t x,
				   uint32_t y);

/* Measure n mixes with a unit's representative, and the representative alone as a
 * control; mixes and values have room for n + 1.  *ret_known is false if most
 * mixes have no value although the control has one: then it is the
 * representative that cannot be measured with others, and nothing follows for
 * these.  Without the control's value the core was disturbed, or the budget has
 * ended: a form whose mix has no value then stays unfinished. */
int units_measure_with(struct infer *in, uint32_t representative,
		       struct ports_mix *mixes, size_t n,
		       struct ports_value *values, bool *ret_known);

/* Is the time closer to one after the other than to the time that known ports
 * and slots allow? */
bool units_is_shared(const struct infer *in, const struct ports_mix *mix,
		     const struct ports_value *v);

/* Append the units that forms with fewer known uops than slots share; their
 * ports are not set.  Nothing where slots are unknown. */
int units_found_hidden(struct infer *in, struct units *units);

/* Find the uops of the batch's forms on these units, whose ports are set. */
int units_use_hidden(struct infer *in, const struct units *units);

/* Set u->inside and u->ports where the n forms of the list that share `unit`
 * have no slot left for its uops: these are uops of a known set then. */
void units_find_inside(struct infer *in, const struct unit_candidate *list,
		       size_t n, int unit, struct unit *u);

/* Move a form's uses on the wider set to the unit. */
void units_move_uses(struct infer *in, const struct unit_candidate *c,
		     const struct unit *u);

#endif
