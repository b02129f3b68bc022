/* Ports from throughput alone.
 *
 * A mix of independent instructions takes
 *
 *	t = max(slots / width, max over sets Q of ports of
 *				(cycles of uops confined to Q) / |Q|)
 *
 * cycles.  For forms of one uop, timing shows min(|union of their sets|,
 * width) for every set of classes and nothing else: a matrix of ports is one
 * witness of that family of numbers.  docs/ports.md tells the method.
 *
 * This room knows neither instructions nor boards: forms are numbers, and what
 * a mix costs is told by an oracle, so that it can be tried on invented truths
 * by the thousand. */
#ifndef PORTS_PORTS_H
#define PORTS_PORTS_H

#include "host/base/arena.h"
#include "host/base/err.h"
#include "host/model/model.h"

enum {
	PORTS_MAX_PARTS = 8,    /* forms of one mix */
	PORTS_MAX_BREAKERS = 3, /* of one form */
	PORTS_MAX_CLASSES = 32, /* of single uops, told apart by their ports */
	PORTS_MAX_COUNT = 400,  /* instances of one form in a mix */
	PORTS_NONE = -1,
};

/* Independent instances, interleaved evenly. */
struct ports_mix {
	size_t n;
	struct {
		uint32_t form;
		uint32_t count;
	} part[PORTS_MAX_PARTS];
};

/* Cycles of a whole mix; `sigma`: relative standard error. */
struct ports_value {
	bool has_value;
	double cycles, sigma;
};

/* What an experiment is for. */
enum ports_phase {
	PORTS_SINGLES,
	PORTS_SLOTS,
	PORTS_MERGE,
	PORTS_MATRIX, /* or pairs, of a core that starts two at a time */
	PORTS_CHECK,  /* of the matrix */
	PORTS_FLOOD,
	PORTS_UNITS,
	PORTS_TRIAL, /* of every form, before the fit */
	PORTS_FIT,   /* of the model */
	PORTS_N_PHASES,
};

/* Measure n mixes.  What cannot be had (a fault, no kernel, the budget is
 * spent) has no value; not ERR_OK ends the inference. */
struct ports_oracle {
	int (*measure)(void *context, enum ports_phase phase,
		       const struct ports_mix *mixes, size_t n,
		       struct ports_value *ret, struct err *e);
	void *context;
};

struct ports_form {
	const char *name;
	/* How well it serves to stand for others: 0 best. */
	uint8_t rank;
	/* It accesses memory: another uop may share a slot with that. */
	bool memory;
	/* Registers that it cannot choose, flags among them, one bit each; two
	 * may share a bit.  Who reads what another writes waits for it. */
	uint64_t reads, writes;
	/* Forms of which the oracle puts one before every instance of this,
	 * which would wait for the one before otherwise. */
	size_t n_breakers;
	uint32_t breakers[PORTS_MAX_BREAKERS];
};

struct ports_request {
	const struct ports_form *forms;
	size_t n_forms;
	const struct ports_oracle *oracle;
	size_t n_checks; /* random mixes of classes */
	size_t n_fit;    /* random mixes of all forms */
	uint64_t seed;
};

/* What became of a form. */
enum ports_verdict {
	PORTS_OK,
	PORTS_NO_VALUE,   /* it could not be measured alone */
	PORTS_UNSURE,     /* its floods fit no whole numbers of uops */
	PORTS_UNFINISHED, /* a mix it needs has no value */
	PORTS_MISFIT,     /* mixes with it are off by more than 10 % */
	PORTS_CLOSES,     /* others have fewer ports while it is about */
	PORTS_OPEN,       /* other ports agree as well with its floods */
};

struct ports_answer_form {
	enum ports_verdict verdict;
	struct model_span throughput, slots;
	int32_t class_id; /* into answer.classes, or PORTS_NONE */
	size_t n_uses;
	const struct model_use *uses;
	const char *how; /* one line: how it came about */
};

struct ports_class {
	uint32_t representative;
	model_ports ports;
	uint32_t n_members;
};

/* An experiment that the rest contradicts. */
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
	/* Nothing fills the front end slot by slot: it is not always as wide,
	 * and slots of forms are not known. */
	bool uneven;
	size_t n_ports; /* pseudo ones last */
	const struct model_port *ports;
	size_t n_classes;
	struct ports_class classes[PORTS_MAX_CLASSES];
	const struct ports_answer_form *forms; /* as in the request */
	/* Of a core that starts two at a time, instead of classes: the class
	 * of each form (0: none), and whether a second form starts in the
	 * cycle of the first, by their classes.  NULL, 0: another core. */
	const uint8_t *pairing;
	size_t n_pairs;                         /* classes, from 1 to n_pairs */
	uint32_t pair_forms[MODEL_MAX_CLASSES]; /* one of each class */
	bool (*pairs)[MODEL_MAX_CLASSES];
	size_t n_notes;
	const char *const *notes; /* what cannot be seen */
	size_t n_conflicts;
	const struct ports_conflict *conflicts;
	size_t n_experiments[PORTS_N_PHASES];
	size_t n_matrices; /* that agree with everything measured, ... */
	/* ... the first is that of the classes; each a set for every class;
	 * NULL where there is one ... */
	const model_ports (*matrices)[PORTS_MAX_CLASSES];
	bool all_matrices;       /* ... and no other does */
	double matrix_seconds;   /* of processor time, without measuring */
	struct ports_errors fit; /* of the random mixes */
};

/* Everything in *ret is owned by `a`. */
int ports_infer(struct arena *a, const struct ports_request *q,
		struct ports_answer *ret, struct err *e);

/* Cycles that the answer expects of a mix; false when a form of it has no
 * ports. */
bool ports_expect(const struct ports_answer *w, const struct ports_mix *mix,
		  double *ret_cycles);

#endif
