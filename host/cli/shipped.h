/* Machine models that come with the program (docs/models.md). */
#ifndef CLI_SHIPPED_H
#define CLI_SHIPPED_H

#include "host/base/err.h"

/* The file of a model: `word` itself if there is such a file or if it has a slash
 * or a dot, else the shipped model of this name. *ret lives as long as the program.
 * ERR_INPUT: there is neither; the message names the nearest shipped model, or
 * all of them. */
int shipped_model(const char *word, const char **ret, struct err *e);

#endif
