/* Forms of the native model file; see read.h. */
#include <stdlib.h>
#include <string.h>

#include "host/codec/model/read.h"
#include "host/isa/catalogue.h"

static void read_takes(struct model_reader *r)
{
	uint8_t takes[FORM_MAX_OPERANDS];
	bool first = true;
	size_t n = 0;

	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		if (n == FORM_MAX_OPERANDS) {
			(void)json_bad(&r->j, "a class for each operand");
			return;
		}
		takes[n++] =
			(uint8_t)model_read_whole(r, 0, MODEL_MAX_CLASSES - 1);
	}
	r->f->n_takes = n;
	r->f->takes = arena_copy(r->a, takes, n);
}

/* ---- uses --------------------------------------------------------------- */

static void read_port(struct model_reader *r)
{
	const char *name = model_read_name(r);

	for (size_t i = 0; i < r->m->n_ports; i++)
		if (strcmp(r->m->ports[i].name, name) == 0) {
			r->u->ports |= (model_ports)1 << i;
			return;
		}
	if (r->j.e->code == ERR_OK)
		(void)json_bad(&r->j, "a port of the model");
}

static void read_use_ports(struct model_reader *r)
{
	bool first = true;

	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first))
		read_port(r);
}

static void read_uses(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ .name = "ports", .read = read_use_ports },
		MODEL_MEMBER("uops", MODEL_NUMBER, model_use, n_uops),
		MODEL_MEMBER("cycles", MODEL_NUMBER, model_use, cycles),
	};
	bool first = true;

	r->uses.n = 0;
	r->f->has_ports = true;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_use use = { .cycles = 1 };

		r->u = &use;
		model_read_object(r, keys, ARRAY_LEN(keys), &use);
		buffer_add(&r->uses, &use, sizeof(use));
	}
	r->f->n_uses = r->uses.n / sizeof(struct model_use);
	r->f->uses = arena_copy(r->a, r->uses.bytes, r->uses.n);
}

/* ---- latencies ---------------------------------------------------------- */

static void read_latencies(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("from", MODEL_OPERAND, model_latency, source),
		MODEL_MEMBER("to", MODEL_OPERAND, model_latency, destination),
		MODEL_MEMBER("cycles", MODEL_SPAN, model_latency, cycles),
		MODEL_MEMBER("short_chain", MODEL_SPAN, model_latency,
			     short_chain),
	};
	bool first = true;

	r->latencies.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_latency l = { .source = MODEL_ANY,
					   .destination = MODEL_ANY };

		model_read_object(r, keys, ARRAY_LEN(keys), &l);
		buffer_add(&r->latencies, &l, sizeof(l));
	}
	r->f->n_latencies = r->latencies.n / sizeof(struct model_latency);
	r->f->latencies = arena_copy(r->a, r->latencies.bytes, r->latencies.n);
}

/* ---- all ---------------------------------------------------------------- */

static int json_forms_by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void model_read_forms(struct model_reader *r)
{
	static const struct model_key keys[] = {
		MODEL_MEMBER("name", MODEL_FORM, model_form, name),
		MODEL_MEMBER("throughput", MODEL_SPAN, model_form, throughput),
		MODEL_MEMBER("slots", MODEL_SPAN, model_form, slots),
		{ .name = "room",
		  .value = MODEL_SIZE,
		  .at = offsetof(struct model_form, room),
		  .most = 64 },
		{ .name = "before",
		  .value = MODEL_SIZE,
		  .at = offsetof(struct model_form, before),
		  .most = 64 },
		{ .name = "uses", .read = read_uses },
		{ .name = "latencies", .read = read_latencies },
		MODEL_MEMBER("eliminated", MODEL_BOOL, model_form, eliminated),
		MODEL_MEMBER("zero_idiom", MODEL_BOOL, model_form, zero_idiom),
		MODEL_MEMBER("bypass", MODEL_CLASS, model_form, bypass),
		{ .name = "takes", .read = read_takes },
		MODEL_MEMBER("pairing", MODEL_CLASS, model_form, pairing),
		MODEL_MEMBER("evidence", MODEL_NAME, model_form, evidence),
		MODEL_MEMBER("values", MODEL_NAME, model_form, values),
	};
	struct buffer forms = { 0 };
	struct model_form *list;
	bool first = true;

	r->j = r->forms;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_form f = { .name = NULL };

		r->f = &f;
		model_read_object(r, keys, ARRAY_LEN(keys), &f);
		if (r->j.e->code == ERR_OK && !f.name)
			(void)json_bad(&r->j, "the name of a form");
		buffer_add(&forms, &f, sizeof(f));
	}
	r->m->n_forms = forms.n / sizeof(*list);
	list = arena_copy(r->a, forms.bytes, forms.n);
	if (r->m->n_forms > 0 && r->j.e->code == ERR_OK)
		qsort(list, r->m->n_forms, sizeof(*list), json_forms_by_name);
	r->m->forms = list;
	buffer_free(&forms);
}
