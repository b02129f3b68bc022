/* Choosing a model. */
#include "host/cli/predict_model.h"

#include "host/import/import.h"
#include "host/model/claims.h"
#include "host/store/store.h"

static int load_catalogue(struct arena *a, const char *name,
			  struct predict_model *ret, struct err *e)
{
	const struct isa *isa = name ? isa_find(name) : isa_native();

	if (!isa)
		return err_set(e, ERR_USAGE,
			       "--isa: x86_64, aarch64 or riscv64, not '%s'",
			       name ? name : "");
	return catalogue_load(a, isa, NULL, &ret->c, e);
}

static int from_store(struct arena *a, const struct options *o,
		      struct predict_model *ret, struct err *e)
{
	struct run run;

	if (store_open(o->db, false, &ret->s, e) != ERR_OK ||
	    model_store_run(ret->s, a, o->board, &run, e) != ERR_OK ||
	    load_catalogue(a, run.isa, ret, e) != ERR_OK)
		return e->code;
	ret->m = ARENA_NEW(a, struct model);
	return model_from_store(ret->s, a, o->board, ret->c, ret->m, e);
}

int predict_model_open(struct arena *a, const struct options *o,
		       struct predict_model *ret, struct err *e)
{
	*ret = (struct predict_model){ 0 };
	if (o->db && o->cpu)
		return err_set(e, ERR_USAGE,
			       "predict: either --db or --cpu, not both");
	if (o->db)
		return from_store(a, o, ret, e);
	if (!o->cpu)
		return err_set(e, ERR_USAGE,
			       "predict: --db FILE, or --cpu NAME");
	if (load_catalogue(a, o->isa, ret, e) != ERR_OK)
		return e->code;
	return import_llvm(a, ret->c, o->cpu, &ret->m, e);
}

void predict_model_close(struct predict_model *m)
{
	if (m->s)
		store_close(m->s);
	catalogue_free(m->c);
}
