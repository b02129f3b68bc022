/* Prints the classes of forms, which a model does not contain. */
#ifndef CLI_MODEL_CLASSES_H
#define CLI_MODEL_CLASSES_H

#include "host/store/store.h"

/* Print the classes of one uop with their representatives, and all matrices
 * of ports if several agree with the results: of the newest run of the board
 * that searched for ports. */
int model_classes(struct store *s, const char *board, struct err *e);

#endif
