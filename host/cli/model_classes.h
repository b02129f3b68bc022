/* Prints the classes of forms that a port search found.  A model does not
 * contain them. */
#ifndef CLI_MODEL_CLASSES_H
#define CLI_MODEL_CLASSES_H

#include "host/store/store.h"

/* Of the newest run of `board` that searched for ports, print the classes of
 * forms with one uop and their representatives.  If several matrices of ports
 * agree with the measurements, print all of them. */
int model_classes(struct store *s, const char *board, struct err *e);

#endif
