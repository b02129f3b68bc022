/* Choosing a model. */
#include "host/cli/predict_model.h"

#include "host/campaign/timing.h"
#include "host/import/import.h"
#include "host/isa/catalogue.h"

int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e)
{
	const struct model_source source = options_model(o);
	double start = timing_now();

	*ret = (struct predict_model){ 0 };
	(void)model_open(a, &source, !o->no_cache, &ret->c, &ret->m, e);
	ret->seconds = timing_now() - start;
	return e->code;
}

void predict_model_close(struct predict_model *m)
{
	catalogue_free(m->c);
}
