/* The inference as it grows; shared by the files of this room. */
#ifndef PORTS_INFER_H
#define PORTS_INFER_H

#include "host/base/file.h"
#include "host/ports/matrix.h"
#include "host/ports/ports.h"

enum { PORTS_MAX_USES = 12 };

struct form_state {
	struct ports_value alone;
	/* Dispatch slots: what dilution shows, and the whole number in it (0:
	 * none). */
	double slots_low, slots_high;
	unsigned slots;
	unsigned size; /* a class candidate of so many ports; 0: none */
	int32_t class_id;
	/* One uop that holds a port of this class for so many cycles, or
	 * PORTS_NONE. */
	int32_t held_class;
	unsigned held_cycles;
	bool wide;       /* as fast as the front end: no port of it shows */
	unsigned closes; /* one of so many ports of others, or 0 */
	bool lost;       /* what tells its slots, or its unit, has no value */
	enum ports_verdict verdict;
	size_t n_uses;
	struct model_use uses[PORTS_MAX_USES];
	const char *how;
};

/* A mix that was measured to learn of the matrix. */
struct evidence {
	struct ports_mix mix;
	struct ports_value value;
	bool weak; /* slower than the matrix had it, in a random mix */
};

struct infer {
	struct arena *a;
	const struct ports_request *q;
	struct ports_answer *w;
	struct err *e;
	uint64_t random;
	struct form_state *f;
	struct ports_answer_form *answers;
	double width;
	unsigned cap;   /* unions of so many ports look like larger ones */
	int32_t filler; /* a form of one slot and no port that shows */
	/* Forms of different ports, as fast together as slower forms get. */
	struct ports_mix base;
	double base_cycles;
	size_t n_classes;
	struct {
		uint32_t form;
		unsigned size;
		bool out; /* of the matrix: it contradicts the others */
	} classes[PORTS_MAX_CLASSES];
	/* Of the matrix: rows are classes in order. */
	struct matrix_problem problem;
	struct matrix_solution solution;
	unsigned n_ports;
	size_t n_rows; /* classes that the matrix was asked about */
	/* A pair of classes has no value, or a mix that would tell matrices
	 * apart. */
	bool undecided;
	struct buffer evidence, experiments, dropped; /* in step */
	struct buffer notes, conflicts, ports;
};

/* Measure, counted. */
int infer_measure(struct infer *in, enum ports_phase phase,
		  const struct ports_mix *mixes, size_t n,
		  struct ports_value *ret);

/* So much slower than its best a front end may be that nothing fills slot by
 * slot: it takes instructions in groups.  No-operations go at 6.9 a cycle where
 * others go at 8 on a Zen 5. */
extern const double infer_uneven;

/* How far a value may lie from the truth, relative. */
double infer_tolerance(const struct ports_value *v);

void infer_add(struct ports_mix *mix, uint32_t form, uint32_t count);
double infer_instances(const struct ports_mix *mix);
double infer_random(struct infer *in); /* 0 <= x < 1 */
void infer_note(struct infer *in, const char *text);
void infer_conflict(struct infer *in, const struct ports_mix *mix,
		    double measured, double expected);

/* width.c: the width, a filler, and the mix that the filler was tried on. */
int infer_width(struct infer *in);

/* filler.c: set in->filler to a form that fills in->base up at this rate, or
 * to PORTS_NONE. */
int infer_filler(struct infer *in, double rate);

/* closers.c: by a flood of this form, of so many ports, find the forms that
 * close ports of others.  *ret_changes: it is the flooded one that is slower
 * beside most others. */
int infer_closers(struct infer *in, uint32_t flooded, unsigned size,
		  bool *ret_changes);

/* The stages in order. */
int infer_singles(struct infer *in); /* singles.c: width, slots */
int infer_pairing(struct infer *in); /* pairing.c, where the width is two */
int infer_classes(struct infer *in); /* classes.c: without memory */
int infer_matrix(struct infer *in);  /* family.c */
/* others.c: what else agrees with everything, of at most `ports` ports. */
void infer_others(struct infer *in, const struct matrix_problem *p,
		  unsigned ports);
/* founders.c: of these forms, of so many ports each, the one beside which
 * others take least; the first where that makes no clear difference. */
int infer_lightest(struct infer *in, const uint32_t *forms, size_t n,
		   unsigned size, size_t *ret);
/* undecided.c: classes leave the matrix until it says the same of all others as
 * this one does; returns how many.  0: they differ in nothing that can be
 * told. */
size_t undecided_leave(struct infer *in, const struct matrix_solution *other);
/* classes.c: accesses to memory that are one uop.  They need a matrix of the
 * others, and are in none themselves. */
int infer_memory_classes(struct infer *in);
int infer_matrix_check(struct infer *in); /* family.c: random mixes */
int infer_floods(struct infer *in);       /* floods.c: all other forms */
int infer_units(struct infer *in);        /* units.c: what is not pipelined */
/* check.c: leave out forms whose mixes are off; then how far all others are. */
int infer_trial(struct infer *in);
int infer_fit(struct infer *in);

/* breakers.c: forms that stand with breakers leave the search for pairs; when
 * all is known, the breakers' uops are taken off what was found. */
void breakers_set_aside(struct infer *in);
void breakers_take_off(struct infer *in);

#endif
