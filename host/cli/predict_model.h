/* The model that a prediction is made with, from wherever the user says. */
#ifndef CLI_PREDICT_MODEL_H
#define CLI_PREDICT_MODEL_H

#include "host/cli/cli.h"
#include "host/isa/isa.h"
#include "host/model/complete.h"

struct predict_model {
	struct catalogue *c;
	struct completion *m;
	double seconds; /* that the model took to read, behind the catalogue */
};

/* From --db, --model or --cpu; ERR_USAGE when there is none of them.  What is
 * opened is to be closed also after an error. */
int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e);
void predict_model_close(struct predict_model *m);

#endif
