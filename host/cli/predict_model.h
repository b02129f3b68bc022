/* Opens the model of a prediction. */
#ifndef CLI_PREDICT_MODEL_H
#define CLI_PREDICT_MODEL_H

#include "host/cli/cli.h"
#include "host/model/complete.h"

enum { PREDICT_MAX_OTHERS = 15 };

struct predict_model {
	struct catalogue *c;
	struct completion *m;
	double seconds; /* to read the model and the catalogue */
};

/* Open the model of --db, --model or --cpu; ERR_USAGE unless exactly one is
 * given.  Close it also after an error. */
int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e);
void predict_model_close(struct predict_model *m);

/* Open the models of --with, which refer to `c`: o->with.n of them.  ERR_INPUT
 * if one of them is no model of c's instruction set. */
int predict_model_others(struct arena *a, const struct options *o,
			 const struct catalogue *c, struct completion ***ret,
			 struct err *e);

#endif
