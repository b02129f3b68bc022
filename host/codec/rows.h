/* Claims and runs as rows of cells, for the formats that list them. */
#ifndef CODEC_ROWS_H
#define CODEC_ROWS_H

#include "host/isa/variant.h"
#include "host/store/store_claim.h"
#include "host/store/store_core.h"
#include "host/store/store_run.h"

struct cell {
	const char *key;
	enum { CELL_TEXT, CELL_NUMBER, CELL_WHOLE } type;
	bool brief; /* of a claim: in tables, too */
	const char *text;
	double number; /* not a number: unknown */
	uint64_t whole;
};

enum { CLAIM_CELLS = 20, RUN_CELLS = 13 };

struct run_of_core {
	struct run run;
	struct core_id core;
};

/* All runs of the chosen core. */
struct runs {
	struct run_of_core *runs;
	size_t n;
};

/* Read them; owned by `a`. */
int runs_read(struct arena *a, struct store *s, struct runs *ret,
	      struct err *e);

/* The cells of a claim; `runs` may lack its run.  The words for what the
 * operands held are in `values`. */
void claim_cells(const struct claim *c, const struct runs *runs,
		 char values[VALUE_WORDS_ROOM], struct cell ret[CLAIM_CELLS]);

/* The cells of a run and its core. */
void run_cells(const struct run_of_core *run, struct cell ret[RUN_CELLS]);

#endif
