/* Floods of sets of ports: what floods.c measures and uses.c concludes. */
#ifndef PORTS_FLOODS_H
#define PORTS_FLOODS_H

#include "host/ports/infer.h"

enum {
	FLOODS_MAX_TARGETS = 96,
	FLOODS_MOST = 240, /* blockers of one flood */
	FLOODS_GRAIN = 8,
};

/* A set of ports that can be flooded. */
struct target {
	model_ports ports;
	unsigned n_ports;
	bool is_class;
	struct matrix_experiment fill; /* of rows */
	/* Time of a flood by its size in grains; 0: not measured. */
	struct ports_value base[FLOODS_MOST / FLOODS_GRAIN + 1];
};

/* What the flood of a target shows of a form. */
struct flooded {
	/* Cycles of the form that have nowhere else to go; NAN: not measured,
	 * HUGE_VAL: it cannot be. */
	double u;
	size_t grains; /* length of the flood; 0: nothing was measured */
	bool sure;     /* near a whole number */
	bool lost;     /* measured, without a value */
};

struct flooding {
	struct infer *in;
	size_t n_targets;
	struct target *targets; /* smallest first */
	size_t n_forms;
	uint32_t *forms; /* that no class has */
	/* Of form f and target t at f * n_targets + t. */
	struct flooded *seen;
	/* Cycles of all uops of each form, as far as they are known: a flood
	 * outlasts them. */
	double *cycles;
};

/* The mix of a flood. */
struct ports_mix floods_mix(const struct infer *in, const struct target *t,
			    size_t grains);

/* Is the target part of the search, at first without unions? */
bool floods_takes_part(const struct target *t, bool unions);
bool floods_lies_in(const struct target *x, const struct target *y);

/* uses.c: one more use of a form. */
void floods_use(struct form_state *f, model_ports ports, double n_uops,
		double cycles);

/* Does what the floods show of the form hang together?  If not, what
 * must be measured again is forgotten. */
bool floods_are_sound(struct flooding *w, size_t form);

/* Fill in the uses; true when floods of unions may tell more. */
bool floods_conclude(struct flooding *w, size_t form, bool unions);

#endif
