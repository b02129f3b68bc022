/* The short table at the end of a measurement. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "host/base/board.h"
#include "host/solve/silence.h"
#include "host/store/store_claim.h"

/* Print up to a screenful of the run's claims, one line a form: latency (the
 * largest of its pairs) and reciprocal throughput; first, warnings where INFO
 * is not what the board's file says (NULL: no board). */
int table_print(struct store *s, int64_t run, const struct board *b,
		struct err *e);

/* Print how many rows were disturbed, and the spread; nothing without
 * samples. */
void table_silence(const struct silence_summary *s);

/* For runs on a reference clock: print the number of samples with each flag
 * for each class of kernels, and what the solver learned from them. */
void table_evidence(const struct evidence_report *e);

/* Say which cores other than that of the run the database has values of. */
int table_other_cores(struct store *s, int64_t run, const char *db,
		      struct err *e);

#endif
