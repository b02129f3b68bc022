/* Units, shared by the files units*.c: units.c finds them, units_join.c the
 * forms that share one, units_mix.c compares forms, units_hidden.c finds ports
 * that no form uses alone, and units_inside.c places units inside known sets of
 * ports. */
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
		/* A mix of the representative with another form had a
		 * value. */
		bool measured;
		/* The representative cannot be measured with others: it is
		 * unfinished, and no form uses the unit. */
		bool dropped;
		/* Known set that contains the unit's ports; 0: none. */
		model_ports inside;
	} list[UNITS_MAX];
};

/* A form that may use a unit. */
struct unit_candidate {
	uint32_t form;
	double cycles; /* of an instance alone */
	int unit;      /* index in struct units; PORTS_NONE: not known */
	/* Index in the list of candidates: the first that is equal to it in
	 * time, slots and ports; itself if it is compared with each unit. */
	size_t head;
	/* It has been compared itself with each unit, not only its head. */
	bool compared;
};

/* Known uops of an instance. */
double units_n_uops(const struct form_state *f);

/* Front-end slots of an instance.  If they are not known, one for each known
 * uop, and at least one. */
double units_slots_of(const struct form_state *f);

/* Slots that uops can take: where slots are unknown, at least two if the form
 * takes more than one; 0: nothing is known. */
double units_least_slots(const struct form_state *f);

/* A mix in which all instances of x alone take about as long as all of y. */
struct ports_mix units_compare_mix(const struct infer *in, uint32_t x,
				   uint32_t y);

/* Compare the n forms of the list, by increasing cycles, with the units of
 * earlier batches, then append units of those that are left: sets unit and head
 * of each form, and `lost` of forms whose mix with a unit has no value. */
int units_join(struct infer *in, struct unit_candidate *list, size_t n,
	       struct units *units);

/* Drop a unit without other forms, whose representative cannot be measured with
 * others: its answer is taken back, because it says that it shares no unit with
 * these. */
void units_drop(struct infer *in, struct unit *u);

/* Measure n mixes of a form with the representative of a unit, or with a member
 * if the two share no kernel.  The representative alone is measured too, as a
 * control: mixes[n] and values[n], for which both arrays have room.
 *
 * *ret_known is false if there are four mixes or more, fewer than half of them
 * have a value, and the control has one.  Then the representative cannot be
 * measured with other forms, and the caller concludes nothing about these.
 * Otherwise a form whose mix has no value stays unfinished; if the control has
 * no value either, the core was disturbed or the budget has ended. */
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
