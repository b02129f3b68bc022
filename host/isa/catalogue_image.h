/* Catalogues in the user's cache directory. */
#ifndef ISA_CATALOGUE_IMAGE_H
#define ISA_CATALOGUE_IMAGE_H

#include "host/base/file.h"
#include "host/isa/isa.h"

/* Append what every cached image depends on: this program, LLVM and the ISA,
 * by version and by build id. False: one has no build id. */
bool catalogue_identify(struct buffer *key, const struct isa *isa);

/* catalogue_load() for any CPU, from the cache if it has the catalogue. Else
 * builds it, and tries to store it there. `cached` false: without the cache. */
int catalogue_open(struct arena *a, const struct isa *isa, bool cached,
		   struct catalogue **ret_catalogue, struct err *e);

#endif
