/* Infer ports from throughput alone.
 *
 * A mix of independent instructions takes
 *
 *	t = max(slots / width, max over sets Q of ports of
 *	(cycles of uops confined to Q) / |Q|)
 *
 * cycles. For forms of one uop, timing shows min(|union of their sets|, width)
 * for every set of classes and nothing else. A matrix of ports is one solution
 * of these numbers. docs/ports.md explains the method.
 *
 * The code knows neither instructions nor boards: forms are numbers, and an
 * oracle returns the time of a mix. This allows tests on thousands of invented
 * cores. */
#ifndef PORTS_PORTS_H
#define PORTS_PORTS_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/model/model.h"

enum {
	PORTS_MAX_PARTS = 8,    /* forms in one mix */
	PORTS_MAX_BREAKERS = 3, /* for one form */
	PORTS_MAX_CLASSES = 32, /* of single uops with equal ports */
	PORTS_MAX_COUNT = 400,  /* instances of one form in a mix */
	PORTS_SIDES = 3,        /* integer, vector, memory */
	PORTS_NONE = -1,
};

/* Independent instances, evenly interleaved. */
struct ports_mix {
	size_t n;
	struct {
		uint32_t form;
		uint32_t count;
	} part[PORTS_MAX_PARTS];
};

/* Cycles of one pass through a mix; sigma is the relative standard error. */
struct ports_value {
	bool has_value;
	double cycles, sigma;
	/* It will be measured, see ports_ahead(). */
	bool later;
};

/* Purpose of an experiment. */
enum ports_phase {
	PORTS_SINGLES,
	PORTS_SLOTS,
	PORTS_MERGE,
	PORTS_MATRIX, /* or pairs, for a dual-issue core */
	PORTS_CHECK,  /* random mixes of classes */
	PORTS_SATURATION,
	PORTS_UNITS,
	PORTS_TRIAL, /* mixes of every form, before the fit */
	PORTS_FIT,   /* random mixes of all forms */
	PORTS_N_PHASES,
};

/* Measure n mixes. A mix that cannot be measured (a fault, no kernel, the
 * budget is spent) has no value. Any return value except ERR_OK ends the
 * inference. */
struct ports_oracle {
	int (*measure)(void *context, enum ports_phase phase,
		       const struct ports_mix *mixes, size_t n,
		       struct ports_value *ret, struct err *e);
	/* A batch after batch 0 begins; false: no time is left for it, and the
	 * forms that were not begun stay unfinished.  NULL: all batches. */
	bool (*begin_batch)(void *context, uint16_t batch);
	/* May two forms share a mix?  False: no kernel can hold both, so a mix
	 * with both has no value; most such mixes are not requested.  NULL: any
	 * two may. */
	bool (*may_mix)(void *context, uint32_t x, uint32_t y);
	void *context;
};

struct ports_form {
	const char *name;
	/* Preference as a representative: 0 is best. */
	uint16_t rank;
	/* Accesses memory; the access may share a slot with another uop. */
	bool memory;
	/* Writes memory.  stores_apart: to another line of the cache than the
	 * plain stores of a mix. */
	bool stores, stores_apart;
	/* May depend on itself, which looks like a uop with fewer ports.  It
	 * does not become the representative of a class. */
	bool dependent;
	/* The renamer may execute it.  Its limits look like ports, so the form
	 * does not become the representative of a class either. */
	bool renamed;
	/* It represents no class either: it has an immediate of more than 32
	 * bits, of which some cores keep few decoded, or no compiler writes it. */
	bool represents_none;
	/* Reciprocal throughput in cycles, as other kernels than those of the
	 * oracle measured it; no value: not known.  A form that takes another
	 * time alone gets no unit for it, and is open if a uop of it may be
	 * missing. */
	struct model_span throughput;
	/* Uops in published tables of the core; 0: not published.  Where slots
	 * are unknown, a form without memory that has more than one is no
	 * candidate for a class. */
	double published_uops;
	/* Forms with the same number have the same uses in published tables of
	 * the core, and the same access to memory; 0: not published.  What was found for
	 * one of them is a hypothesis about the others (published.h). */
	uint32_t published;
	/* Registers that the form cannot choose, including flags; one bit each,
	 * and two registers may share a bit. A form that reads a register
	 * depends on forms that write it. */
	uint64_t reads, writes;
	/* For ports_ahead(): forms of one kind probably have the same ports,
	 * and forms of different sides probably have none in common. */
	uint32_t kind;
	uint8_t side; /* below PORTS_SIDES */
	/* Forms are finished batch after batch: batch 0 gives the width, the
	 * classes and the matrix, and each later batch is measured against
	 * these. */
	uint16_t batch;
	/* The oracle puts one of each of these before every instance, to cut
	 * the dependency of the form on itself.  They are in this batch or in
	 * an earlier one. */
	size_t n_breakers;
	uint32_t breakers[PORTS_MAX_BREAKERS];
};

struct ports_request {
	const struct ports_form *forms;
	size_t n_forms;
	const struct ports_oracle *oracle;
	size_t n_checks; /* random mixes of classes, for the check */
	size_t n_fit;    /* random mixes of all forms, for the fit */
	uint64_t seed;
	unsigned pass; /* of ports_ahead(): which guesses are made */
};

/* Result for a form. */
enum ports_verdict {
	PORTS_OK,
	PORTS_NO_VALUE,   /* could not be measured alone */
	PORTS_UNSURE,     /* no uops and no unit explain what was measured */
	PORTS_UNFINISHED, /* a mix that it needs has no value */
	PORTS_MISFIT, /* the model is wrong by more than 10 % for its mixes */
	PORTS_CLOSES, /* disables ports of other forms while in flight */
	PORTS_OPEN, /* its ports do not explain all that was measured, or other
		     * ports do so as well */
	/* Random mixes with forms on its ports are off by too much on average:
	 * its ports are left to published tables. */
	PORTS_LEFT,
};

struct ports_answer_form {
	enum ports_verdict verdict;
	struct model_span throughput, slots;
	int32_t class_id; /* index into answer.classes, or PORTS_NONE */
	size_t n_uses;
	const struct model_use *uses;
	/* Mixes that agree with the uses, if these are those of another form
	 * with the same published ones; 0: they were found for the form
	 * itself. */
	unsigned n_checks;
	const char *how; /* how the result was found, one line */
};

struct ports_class {
	uint32_t representative;
	model_ports ports;
	uint32_t n_members;
};

/* An experiment that contradicts the rest. */
struct ports_conflict {
	struct ports_mix mix;
	double measured, expected; /* cycles; expected 0: no matrix fits */
};

struct ports_errors {
	size_t n;
	double mean, median, p99, worst; /* relative */
};

struct ports_answer {
	struct model_span width;
	/* No filler was found: the front end has no constant width, and the
	 * slots of forms are unknown. */
	bool uneven;
	size_t n_ports; /* pseudo ports last */
	const struct model_port *ports;
	size_t n_classes;
	struct ports_class classes[PORTS_MAX_CLASSES];
	const struct ports_answer_form *forms; /* in the order of the request */
	/* For dual-issue cores, instead of ports: the class of each form (0:
	 * none), and whether a form of the second class starts in the same
	 * cycle as one of the first class before it. NULL and 0 for other
	 * cores. */
	const uint8_t *pairing;
	size_t n_pairs; /* classes, numbered from 1 to n_pairs */
	uint32_t pair_forms[MODEL_MAX_CLASSES]; /* a form of each class */
	bool (*pairs)[MODEL_MAX_CLASSES];
	size_t n_notes;
	const char *const *notes; /* limits of the result, one sentence each */
	size_t n_conflicts;
	const struct ports_conflict *conflicts;
	size_t n_experiments[PORTS_N_PHASES];
	size_t n_matrices; /* number of matrices that fit all measurements */
	/* The matrices, each with one set per class; the first is the one in
	 * `classes`. NULL when there is only one. */
	const model_ports (*matrices)[PORTS_MAX_CLASSES];
	bool all_matrices; /* the list of matrices is complete */
	/* CPU seconds of the solver, without measuring */
	double matrix_seconds;
	/* Errors on the random mixes of the fit; and on half of them, of those
	 * without forms that the other half left to tables. */
	struct ports_errors fit, kept_fit;
};

/* Run the whole inference. Everything in *ret belongs to `a`. Returns the
 * oracle's error, or ERR_FAILED when no form can be measured; *ret is then
 * unchanged. */
int ports_infer(struct arena *a, const struct ports_request *q,
		struct ports_answer *ret, struct err *e);

/* The same with an oracle that measures later: it sets `later` of the mixes that
 * it has no value of, and notes them.  The inference goes on with a guess of
 * their time, n_passes times with other guesses, so that the oracle is asked for
 * the mixes of several requests at once.  *ret_done: all mixes had values, and
 * *ret is as of ports_infer(); else it is unchanged.  An oracle that has enough
 * mixes returns ERR_INTERRUPTED, which is no error here. */
int ports_ahead(struct arena *a, const struct ports_request *q,
		unsigned n_passes, struct ports_answer *ret, bool *ret_done,
		struct err *e);

/* Cycles that the answer predicts for a mix. Returns false when a form of the
 * mix has no ports. */
bool ports_expect(const struct ports_answer *w, const struct ports_mix *mix,
		  double *ret_cycles);

#endif
