/* The native model file: effects of writers, store-to-load forwarding, and mixes of loads and
 * stores. */
#include "host/codec/model/read.h"

void model_read_written(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("form", MODEL_FORM, model_written, form),
		MODEL_MEMBER("writer", MODEL_FORM, model_written, writer),
		MODEL_MEMBER("cycles", MODEL_NUMBER, model_written, cycles),
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_written x = { .cycles = -1 };

		model_read_object(r, keys, ARRAY_LEN(keys), &x);
		if (r->j.e->code == ERR_OK &&
		    (!x.form || !x.writer || !(x.cycles >= 0) ||
		     x.cycles > MODEL_MOST_WRITTEN))
			(void)json_bad(&r->j,
				       "a form, a writer, and 0 to 100 cycles");
		buffer_add(&r->list, &x, sizeof(x));
	}
	r->m->n_written = r->list.n / sizeof(struct model_written);
	r->m->written = arena_copy(r->a, r->list.bytes, r->list.n);
}

void model_read_forwards(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("store", MODEL_FORM, model_forward, store),
		MODEL_MEMBER("load", MODEL_FORM, model_forward, load),
		MODEL_MEMBER("then", MODEL_FORM, model_forward, then),
		MODEL_MEMBER("mixed", MODEL_BOOL, model_forward, mixed),
		MODEL_MEMBER("cycles", MODEL_SPAN, model_forward, cycles),
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_forward f = { .store = NULL };

		model_read_object(r, keys, ARRAY_LEN(keys), &f);
		if (r->j.e->code == ERR_OK && (!f.store || !f.load))
			(void)json_bad(&r->j, "a store and a load");
		buffer_add(&r->list, &f, sizeof(f));
	}
	r->m->n_forwards = r->list.n / sizeof(struct model_forward);
	r->m->forwards = arena_copy(r->a, r->list.bytes, r->list.n);
}

void model_read_mixes(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("load", MODEL_FORM, model_mix, load),
		MODEL_MEMBER("store", MODEL_FORM, model_mix, store),
		MODEL_MEMBER("loads", MODEL_COUNT, model_mix, n_loads),
		MODEL_MEMBER("stores", MODEL_COUNT, model_mix, n_stores),
		MODEL_MEMBER("cycles", MODEL_SPAN, model_mix, cycles),
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_mix m = { .n_loads = 0 };

		model_read_object(r, keys, ARRAY_LEN(keys), &m);
		if (r->j.e->code == ERR_OK &&
		    (!m.load || !m.store || m.n_loads < 1 || m.n_stores < 1 ||
		     !m.cycles.has_value))
			(void)json_bad(&r->j, "loads, stores and cycles");
		buffer_add(&r->list, &m, sizeof(m));
	}
	r->m->n_mixes = r->list.n / sizeof(struct model_mix);
	r->m->mixes = arena_copy(r->a, r->list.bytes, r->list.n);
}
