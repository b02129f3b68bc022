/* measure --shard I/N: the same partition of a set's kernels on every
 * machine. */
#ifndef CAMPAIGN_SHARD_H
#define CAMPAIGN_SHARD_H

#include "host/gen/gen.h"

/* Parse "I/N", 1 <= I <= N <= 9999.  ERR_USAGE if it is not. */
int shard_parse(const char *text, uint32_t *ret_shard, uint32_t *ret_of,
		struct err *e);

/* Which kernels are in shard `shard` of `of`: in[k], of gen_n_kernels().  Those
 * of one form stay together, because claims on it depend on all; calibration
 * kernels are in each.  Every kernel has the same budget of time, so the shards
 * have the same number of kernels but for one form. */
void shard_choose(const struct gen *g, uint32_t shard, uint32_t of, bool *in);

#endif
