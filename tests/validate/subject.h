/* A compiled kernel: its hot loop, and what an iteration of it takes here. */
#ifndef TESTS_VALIDATE_SUBJECT_H
#define TESTS_VALIDATE_SUBJECT_H

#include "host/predict/loops.h"
#include "tests/validate/clock.h"
#include "tests/validate/executed.h"

enum { SUBJECT_MAX_ROWS = 1024 };

struct call;

struct subject {
	const char *name; /* "triad-gcc-O3-256" */
	struct program program;
	struct loop loop;
	struct executed path; /* what the loop executes if that differs */
	uint32_t crc;         /* of all its code */
	double measured;      /* cycles of an iteration, by subject_finish() */
	clock_probes probes;
	struct call *call;
	double per_element; /* iterations */
	size_t n_rows;
	struct clock_row rows[SUBJECT_MAX_ROWS];
};

/* The kernel in `base`.so, whose loop is not known yet.  ERR_FAILED with the
 * reason when it cannot be run. */
int subject_open(struct arena *a, const struct catalogue *c, const char *base,
		 struct subject **ret, struct err *e);

/* Find the loop, its iterations and its path by running the kernel step by step, which
 * takes long; ERR_FAILED with the reason. */
int subject_trace(struct arena *a, struct subject *s, struct err *e);

/* The loop begins at instruction `first` and has a path, as was found before;
 * false: none has. */
bool subject_recall(struct arena *a, struct subject *s, size_t first,
		    double per_element, const char *path);

/* Measure up to `n` sandwiches more, as far as there is room, silence and time: a
 * visit takes no longer than some hundredths of a second, or four sandwiches. */
void subject_visit(struct subject *s, size_t n,
		   const struct clock_silence *silence);

/* How many rows were measured on a silent core? */
size_t subject_n_quiet(const struct subject *s,
		       const struct clock_silence *silence);

/* Set what is measured, from these; 0 when they do not agree. */
void subject_finish(struct subject *s, const struct clock_silence *silence);

#endif
