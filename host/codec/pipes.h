/* The ports of a model for a language that gives costs to classes of
 * instructions instead of forms. */
#ifndef CODEC_PIPES_H
#define CODEC_PIPES_H

#include "host/base/arena.h"
#include "host/model/model.h"

#define PIPES_NO_FAMILY SIZE_MAX

/* A copy of the model with other ports, owned by `a`.  Units that are not
 * pipelined were found for each form; those of one family become one.  Classes
 * of forms that never start in the same cycle, by the pairs of a core in program
 * order, share a port `PipeN`, which each form uses for a cycle.
 *
 * family[i], below n_families: that of the model's form i.  ret_port[f]: the unit
 * of a family that is not pipelined, MODEL_MAX_PORTS if it has none. */
const struct model *pipes_model(struct arena *a, const struct model *m,
				const size_t *family, size_t n_families,
				size_t *ret_port);

#endif
