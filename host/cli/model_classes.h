/* What `anechoic model` prints of classes, which a model does not hold. */
#ifndef CLI_MODEL_CLASSES_H
#define CLI_MODEL_CLASSES_H

#include "host/store/store.h"

/* Classes of one uop with the forms that stand for them, and where several
 * matrices of ports agree with everything, all of them; of the newest run of
 * the board that found ports. */
int model_classes(struct store *s, const char *board, struct err *e);

#endif
