/* The short table at the end of a measurement. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "host/solve/silence.h"
#include "host/store/store.h"

/* Print up to a screenful of the run's claims, one line a form: latency (the
 * largest of its pairs) and reciprocal throughput. */
int table_print(struct store *s, int64_t run, struct err *e);

/* What a run says about its silence; nothing where no core clock counted. */
void table_silence(const struct silence_summary *s);

/* For runs on a reference clock: how many samples of each class of kernels have
 * each flag, and what the solver learned from them. */
void table_evidence(const struct evidence *e);

/* A value for people: "1", "0.25", "1..3", or the verdict where there is
 * none. */
void table_value(const struct claim *c, char *text, size_t room);

#endif
