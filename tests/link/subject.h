/* What a campaign measures: a pack made once, the run that stores it, and a
 * database as text, so that two can be compared. */
#ifndef TESTS_LINK_SUBJECT_H
#define TESTS_LINK_SUBJECT_H

#include "host/gen/gen.h"
#include "host/link/link.h"

struct subject {
	struct arena arena;
	struct catalogue *catalogue;
	struct gen *gen;
	struct buffer pack;
	struct board board;
	const char *pack_path;
	bool exact; /* the numbers, too, are the same every time */
};

/* Kernels of the forms of `isa` that match, written to `folder`/`name`. */
int subject_make(struct subject *s, const char *isa, const char *forms,
		 const char *folder, const char *name, struct err *e);
void subject_free(struct subject *s);

/* Measure over the tty into the database, continuing where an earlier host
 * stopped.  With `load` the pack is sent.  Bytes on the line are added to
 * *traffic. */
int subject_measure(const struct subject *s, const char *db, const char *tty,
		    const char *reset, bool load, struct link_traffic *traffic,
		    struct err *e);

/* Contents of the database: one line per kernel, sample and fault. */
int subject_dump(const struct subject *s, const char *db, struct buffer *ret,
		 struct err *e);

#endif
