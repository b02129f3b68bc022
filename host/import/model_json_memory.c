/* The native model file: store-to-load forwarding, and mixes of loads and
 * stores. */
#include "host/import/model_json.h"

/* ---- forwards ----------------------------------------------------------- */

static struct model_forward *last_forward(struct model_reader *r)
{
	return (struct model_forward *)(void *)(r->list.bytes + r->list.n) - 1;
}

static void read_store(struct model_reader *r)
{
	last_forward(r)->store = model_read_form_name(r);
}

static void read_load(struct model_reader *r)
{
	last_forward(r)->load = model_read_form_name(r);
}

static void read_forward_cycles(struct model_reader *r)
{
	last_forward(r)->cycles = model_read_span(r);
}

void model_read_forwards(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ "store", read_store },
		{ "load", read_load },
		{ "cycles", read_forward_cycles },
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		const struct model_forward none = { .store = NULL };

		buffer_add(&r->list, &none, sizeof(none));
		model_read_object(r, keys, ARRAY_LEN(keys));
		if (r->j.e->code == ERR_OK &&
		    (!last_forward(r)->store || !last_forward(r)->load))
			(void)json_bad(&r->j, "a store and a load");
	}
	r->m->n_forwards = r->list.n / sizeof(struct model_forward);
	r->m->forwards = arena_copy(r->a, r->list.bytes, r->list.n);
}

/* ---- mixes -------------------------------------------------------------- */

static struct model_mix *last_mix(struct model_reader *r)
{
	return (struct model_mix *)(void *)(r->list.bytes + r->list.n) - 1;
}

static void read_mix_load(struct model_reader *r)
{
	last_mix(r)->load = model_read_form_name(r);
}

static void read_mix_store(struct model_reader *r)
{
	last_mix(r)->store = model_read_form_name(r);
}

static double read_count(struct model_reader *r)
{
	enum { MOST = 1000 };

	return (double)model_read_whole(r, 1, MOST);
}

static void read_n_loads(struct model_reader *r)
{
	last_mix(r)->n_loads = read_count(r);
}

static void read_n_stores(struct model_reader *r)
{
	last_mix(r)->n_stores = read_count(r);
}

static void read_mix_cycles(struct model_reader *r)
{
	last_mix(r)->cycles = model_read_span(r);
}

void model_read_mixes(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ "load", read_mix_load },     { "store", read_mix_store },
		{ "loads", read_n_loads },     { "stores", read_n_stores },
		{ "cycles", read_mix_cycles },
	};
	bool first = true;

	r->list.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		const struct model_mix none = { .n_loads = 0 };
		const struct model_mix *m;

		buffer_add(&r->list, &none, sizeof(none));
		model_read_object(r, keys, ARRAY_LEN(keys));
		m = last_mix(r);
		if (r->j.e->code == ERR_OK &&
		    (!m->load || !m->store || m->n_loads < 1 ||
		     m->n_stores < 1 || !m->cycles.has_value))
			(void)json_bad(&r->j, "loads, stores and cycles");
	}
	r->m->n_mixes = r->list.n / sizeof(struct model_mix);
	r->m->mixes = arena_copy(r->a, r->list.bytes, r->list.n);
}
