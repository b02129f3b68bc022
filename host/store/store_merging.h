/* What the steps of a merge share.  Private to host/store. */
#ifndef STORE_STORE_MERGING_H
#define STORE_STORE_MERGING_H

#include "host/base/file.h"
#include "host/store/store_db.h"

/* A run of a source. */
struct merge_part {
	size_t source;
	int64_t run;
	bool is_search; /* of ports */
	/* Parts with the same key are parts of one run: copies of it, states
	 * of it at different times, or shards. */
	const char *key;
	const char *date; /* of its run: the earliest of its parts */
	uint64_t hash;    /* of its rows; set if other parts have its key */
};

struct merge {
	struct arena *a;
	struct store *to;
	const char *const *paths; /* of sources, of this schema version */
	/* [n_sources]: the system was asked to read the file in advance. */
	bool *was_read;
	/* [n_sources]: parts that are not copied yet.  NULL: not counted
	 * yet. */
	size_t *n_left;
	size_t n_sources;
	size_t attached;      /* the attached source, from 1; 0: none */
	size_t next;          /* the one to attach next, from 1; 0: not known */
	struct buffer united; /* int64_t: runs to be solved again */
};

/* Make a source (from 0) available as the schema `source`, instead of the one
 * that is attached.  Asks the system to read it and the next one in advance. */
int merge_attach(struct merge *m, size_t source, struct err *e);

/* Copy code and register images of a part that the result lacks.  ERR_INPUT
 * if it has other code under the same content id. */
int merge_code(struct merge *m, const struct merge_part *p, struct err *e);

/* Make one run of several parts: the union of their kernels, samples, faults
 * and lines of text. */
int merge_unite(struct merge *m, const struct merge_part *parts, size_t n,
		int64_t run, struct err *e);

/* The columns of a sample and of a kernel that are copied as they are. */
#define MERGE_SAMPLE                                                 \
	"iterations, iterations_a, iterations_b, iterations_probe, " \
	"n_rows, row, \"values\", retired"
#define MERGE_KERNEL                                                       \
	"content, label, unroll0, unroll1, unroll2, ops_per_body, calib, " \
	"chains, instructions, class"

#endif
