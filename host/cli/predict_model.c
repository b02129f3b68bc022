/* Choosing a model. */
#include "host/cli/predict_model.h"

#include "host/campaign/timing.h"
#include "host/import/import.h"
#include "host/isa/catalogue.h"

int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e)
{
	const struct model_source source = options_model(o);
	const struct isa *isa;
	double start;

	*ret = (struct predict_model){ 0 };
	if (model_source_isa(a, &source, &isa, e) != ERR_OK ||
	    catalogue_load(a, isa, NULL, &ret->c, e) != ERR_OK)
		return e->code;
	start = timing_now();
	(void)model_load_completed(a, ret->c, &source, &ret->m, e);
	ret->seconds = timing_now() - start;
	if (e->code == ERR_OK)
		options_report_entries(completed_model(ret->m), false);
	return e->code;
}

void predict_model_close(struct predict_model *m)
{
	catalogue_free(m->c);
}
