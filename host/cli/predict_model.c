/* Choosing a model. */
#include "host/cli/predict_model.h"

#include "host/base/monotonic.h"
#include "host/cli/side.h"
#include "host/codec/source.h"
#include "host/isa/catalogue.h"

int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e)
{
	const struct model_source source = options_model(o);
	double start = monotonic_s();

	*ret = (struct predict_model){ 0 };
	(void)model_open(a, &source, !o->no_cache, &ret->c, &ret->m, e);
	ret->seconds = monotonic_s() - start;
	if (e->code == ERR_OK)
		options_report_entries(completed_model(ret->m), false);
	return e->code;
}

void predict_model_close(struct predict_model *m)
{
	catalogue_free(m->c);
}

static int open_other(struct arena *a, const struct options *o,
		      const struct catalogue *c, const char *word,
		      struct completion **ret, struct err *e)
{
	struct side s;

	if (side_parse(word, &s, e) != ERR_OK)
		return e->code;
	if (!s.db && !s.model)
		return err_set(e, ERR_INPUT,
			       "--with %s: values alone, without a model",
			       word);

	const struct model_source source = { .db = s.db,
					     .file = s.file,
					     .cpu = s.cpu,
					     .isa = c->isa->name,
					     .strict = o->strict };

	if (model_open_with(a, c, &source, !o->no_cache, ret, e) == ERR_OK)
		options_report_entries(completed_model(*ret), false);
	return e->code;
}

int predict_model_others(struct arena *a, const struct options *o,
			 const struct catalogue *c, struct completion ***ret,
			 struct err *e)
{
	struct completion **list =
		ARENA_ARRAY(a, struct completion *, o->with.n + 1);

	if (o->with.n > PREDICT_MAX_OTHERS)
		return err_set(e, ERR_USAGE, "--with: more than %d cores",
			       PREDICT_MAX_OTHERS);
	for (size_t i = 0; i < o->with.n; i++)
		if (open_other(a, o, c, o->with.words[i], &list[i], e) !=
		    ERR_OK)
			return e->code;
	*ret = list;
	return ERR_OK;
}
