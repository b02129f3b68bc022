/* Completed models as memory images. */
#ifndef MODEL_COMPLETE_IMAGE_H
#define MODEL_COMPLETE_IMAGE_H

#include "host/base/image.h"
#include "host/model/complete.h"

/* Store the completion in a file; errors as in image_write(). */
int completion_store(const struct completion *k, const char *path,
		     const char *key, struct err *e);

/* Map a stored completion of this catalogue. Owned by `a`; NULL: there is no
 * valid image with this key. */
struct completion *completion_map(struct arena *a, const struct catalogue *c,
				  const char *path, const char *key);

#endif
