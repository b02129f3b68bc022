/* Runs of a database that are gone on with. */
#ifndef CLI_RUNS_H
#define CLI_RUNS_H

#include "host/store/store.h"

/* What a run is looked for by. */
struct runs_query {
	const char *db;         /* name of the database, for messages */
	const struct run *like; /* board, ISA, what and forms */
	const char *pack;       /* its id, as text */
};

/* The unfinished run like this one, of the same pack; id 0 when there is none.
 * ERR_INPUT when the newest one had other kernels.  Strings in `a`. */
int runs_unfinished(struct store *s, struct arena *a,
		    const struct runs_query *q, struct run *ret, struct err *e);

/* The newest run like this one, of the same pack, finished or not.  ERR_INPUT
 * when there is none, with the nearest one and what to do. */
int runs_newest(struct store *s, struct arena *a, const struct runs_query *q,
		struct run *ret, struct err *e);

#endif
