/* Effects: what cores do beyond "a uop on a port, with a latency", one file
 * each.
 *
 * A stage calls the functions of all effects in the order of effects[], and
 * names none of them.  It includes this header alone; the file of an effect may
 * include the internal headers of the stages.  A function that an effect does
 * not need is NULL. */
#ifndef EFFECT_EFFECT_H
#define EFFECT_EFFECT_H

#include <stddef.h>
#include <stdint.h>

#include "host/experiment/kinds.h"

struct catalogue;    /* host/isa/catalogue.h */
struct form;         /* the same */
struct experiment;   /* host/experiment/experiment.h */
struct record;       /* host/solve/judge.h */
struct claim;        /* host/store/store_claim.h */
struct judge;        /* host/solve/judging.h */
struct claim_reader; /* host/model/claims_read.h */
struct model_record; /* host/model/fields.h */
struct completion;   /* host/model/complete.h */
struct model_charge; /* the same */
struct body;         /* host/predict/body.h */
struct op;           /* the same */
struct reg_span;     /* the same */

enum {
	/* What models and completions have room for; unit.effects counts. */
	EFFECT_MAX = EXPERIMENT_MAX_EFFECTS,
};

/* A request for experiments, and where they go. */
struct effect_plan {
	const struct catalogue *catalogue;
	bool latencies, throughputs;
	bool thorough;   /* also pairs of forms, and buffers */
	bool core_clock; /* the board counts cycles of the core */
	/* Is the form requested? */
	bool (*is_chosen)(const void *choice, const struct form *f);
	const void *choice;
	void (*add)(void *context, const struct experiment *x);
	void *context;
};

/* When a request is planned. */
enum effect_plan_time {
	PLAN_LAST,     /* after everything else */
	PLAN_FIRST,    /* before them: on the core itself */
	PLAN_CONTROLS, /* after them, before the parts of latency cycles */
};

/* What the model has of it: a list of records (host/model/fields.h). */
struct effect_list {
	const char *key; /* in model files */
	const struct model_record *record;
};

/* A claim about two forms, in a table of its own on the page of each. */
struct effect_pairs {
	const char *summary, *caption;
	/* Its cycles are compared with the sum of both latencies; else with
	 * that of the first form. */
	bool sum;
};

/* When a loop is bound to a model. */
enum effect_bind {
	BIND_AFTER_COSTS,  /* ports, slots and latencies are known */
	BIND_AFTER_POOLS,  /* and pools of ports */
	BIND_AFTER_ACCESS, /* all that an instruction costs by itself is */
};

/* Weights: the contention of loads and stores keeps a pseudo port busy for load
 * * u + store * v cycles in an iteration, where u and v are the cycles that all
 * its loads and all its stores take by themselves. */
struct load_store_cost {
	double load, store;
};

/* What is said of a loop in addition. */
struct effect_note {
	const char *key;             /* in JSON, of the value */
	const char *before, *behind; /* around the value in text and pages */
	/* NULL: there is nothing to say. */
	const char *(*value)(const struct body *b);
};

/* A column of the table of a loop's instructions. */
struct effect_column {
	const char *title, *key; /* in text and pages, in JSON */
	/* The instruction's number; negative: nothing to show. */
	double (*value)(const struct body *b, const struct op *o);
};

/* A lower bound of a loop: the front end takes so long for an iteration. */
struct effect_bound {
	const char *text, *html, *json; /* its names in each format */
	const char *reason;             /* "bound by" this */
	/* Cycles of an iteration; 0: none is known. */
	double (*cycles)(const struct body *b);
};

struct effect {
	const char *name;

	/* Its own kind of experiment, and of the claims that follow; NULL: it
	 * has none. */
	const struct experiment_row *kind;
	const struct effect_pairs *pairs;
	/* Add the experiments of a request, at this time. */
	void (*plan)(const struct effect_plan *p);
	enum effect_plan_time plan_when;
	/* Store in `j` what all records show of the core, before any claim is made. */
	void (*learn)(struct judge *j);
	/* Give the claims of n records with one key, which are of its kind or
	 * which judges() takes, to the sink of `j`.  An error of the sink, or
	 * 0. */
	int (*judge)(const struct judge *j, const struct record *r, size_t n);
	/* Does it give the claims of this record of another kind? */
	bool (*judges)(const struct judge *j, const struct record *r);
	/* Give its claims on the core itself, before those of forms. */
	int (*judge_core)(const struct judge *j);

	/* Change the claim of a chain (EXPERIMENT_TIMES_CHAIN) or of instances if
	 * the effect may have limited them.  True: it became a bound, and no
	 * other effect is asked. */
	bool (*limits)(const struct judge *j, const struct record *r,
		       struct claim *c);
	/* The whole time, in cycles, of an independent instance of a form that
	 * the effect slows down; 0: it does not, INFINITY: it may, by an unknown
	 * time.  The largest of all effects counts. */
	double (*held_cycles)(const struct judge *j, const char *form);

	/* Its part of the model; NULL: what it needs are members of struct
	 * model. */
	const struct effect_list *list;
	/* Set its part of the model by claims that are of use; the forms of the
	 * model are there. */
	void (*read_claims)(struct claim_reader *r);
	/* What follows from the part of the model for other forms: fill a
	 * structure of so many bytes without pointers (all zero before). */
	size_t completed_bytes;
	void (*complete)(const struct completion *k, void *ret);
	/* The form's class in that structure, from 1; 0: none. */
	uint8_t (*class_of)(const struct completion *k, const struct form *f);

	/* Change the costs of a bound loop, at this time. */
	void (*bind)(struct body *b);
	enum effect_bind when;
	/* Cycles by which a result of one instruction reaches a source of
	 * another later than the latencies say; negative: earlier.  `cycles`
	 * is what the model's bypasses and the effects before this one say,
	 * and is replaced by what is returned. */
	double (*link)(const struct body *b, const struct op *from,
		       const struct op *to, const struct reg_span *source,
		       double cycles);
	/* Cycles by which the data of the store `from` reaches the load `to`
	 * later than from the cache; negative: earlier.  Both are numbers of
	 * instructions.  What the effects return is added. */
	double (*memory_link)(const struct body *b, uint32_t from, uint32_t to);
	/* Least cycles between two loads of a chain through memory, of which
	 * `to` is the second and has its data from `from`; 0: none is known.
	 * The largest of all effects counts. */
	double (*memory_period)(const struct body *b, uint32_t from,
				uint32_t to);
	/* Find the time that the body's loads and stores take together,
	 * independent of the ports that they use.  False, and *ret counts
	 * nothing: they take no more than by themselves.  The first effect that
	 * finds one counts. */
	bool (*contention)(const struct body *b, struct load_store_cost *ret);
	/* Change what an instruction charges to a pool, of which *ret has the
	 * pool: a charge to the same pool replaces x, one to another pool is
	 * added; 0 cycles: none is.  Without an instruction (NULL): set the
	 * pool alone. */
	void (*charge)(const struct body *b, const struct op *o,
		       const struct model_charge *x, struct model_charge *ret);
	const struct effect_bound *bound;   /* NULL: none */
	const struct effect_note *note;     /* the same */
	const struct effect_column *column; /* the same */
};

/* All effects, NULL-terminated; generated from CMakeLists.txt. */
extern const struct effect *const effects[];

/* The place of an effect in effects[], below EFFECT_MAX. */
size_t effect_number(const struct effect *x);

/* The effect of this name; NULL: none. */
const struct effect *effect_find(const char *name);

/* The number that is reserved for its own kind of experiment. */
enum experiment_kind effect_kind(const struct effect *x);

/* The effect that this number is reserved for; NULL: it is a kind of the
 * table. */
const struct effect *effect_of_kind(enum experiment_kind kind);

#endif
