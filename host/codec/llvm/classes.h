/* A measured model against LLVM's tables, by LLVM's scheduling classes: is a
 * class right, wrong, or do its members differ?
 *
 * A class has one latency, one reciprocal throughput and one number of
 * micro-ops.  Each member gives an interval for each of them.  Where all
 * intervals meet, their common part is what the table should say. */
#ifndef CODEC_LLVM_CLASSES_H
#define CODEC_LLVM_CLASSES_H

#include "host/base/arena.h"
#include "host/base/file.h"
#include "host/isa/catalogue.h"
#include "host/model/model.h"

enum class_value {
	CLASS_LATENCY,
	CLASS_THROUGHPUT,
	CLASS_SLOTS,
	CLASS_N_KINDS,
};

enum class_verdict {
	CLASS_RIGHT,   /* all members agree with the table */
	CLASS_WRONG,   /* all agree on another value */
	CLASS_MIXED,   /* no value agrees with all members */
	CLASS_UNKNOWN, /* nothing exact is known */
	CLASS_N_VERDICTS,
};

extern const char *const class_kind_words[CLASS_N_KINDS];
extern const char *const class_verdict_words[CLASS_N_VERDICTS];

struct class_member {
	const struct form *form;
	struct model_span measured[CLASS_N_KINDS];
	double table[CLASS_N_KINDS]; /* below 0: none */
};

/* What is to be said of a class in one kind. */
struct class_finding {
	const char *name; /* of the class */
	enum class_value kind;
	enum class_verdict verdict;
	size_t n_members; /* that were measured in this kind */
	const struct class_member *members;
	double table;
	struct model_span measured; /* of all: from the least to the largest */
	double write;               /* CLASS_WRONG: what the table should say */
	/* CLASS_MIXED: the property along which members split and each part's
	 * value, "width: 128 1, 256 2"; "": none explains it. */
	const char *split;
	/* Of the worst member: the larger of the table's and the nearest measured
	 * cycles over the smaller, less 1; both are taken as at least 0.1. */
	double error;
};

struct class_report {
	size_t n;
	const struct class_finding *findings; /* the largest error first */
	size_t counts[CLASS_N_KINDS][CLASS_N_VERDICTS];
};

struct class_request {
	const struct catalogue *c;
	const struct model *ours, *table;
	/* The class of each form of the catalogue; NULL: none. */
	const char *const *names;
	double tolerance; /* of values that agree, relative to the larger */
};

/* Everything is owned by `a`, except names. */
void class_compare(struct arena *a, const struct class_request *r,
		   struct class_report *ret);

/* Of all classes with something exact, how many are right; -1 if there is
 * none. */
double class_share_right(const struct class_report *r);

/* classes_split.c: do the intervals of members meet within the tolerance?
 * *ret_value is the value that they have in common; of latencies and micro-ops
 * a whole number, where one is. */
bool class_meet(const struct class_member *const *members, size_t n,
		enum class_value kind, double tolerance, double *ret_value);

/* classes_split.c: the property that splits the members into parts that agree,
 * in words, owned by `a`; "": none does. */
const char *class_split(struct arena *a, const struct catalogue *c,
			const struct class_finding *f, double tolerance);

#endif
