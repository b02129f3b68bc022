/* Forms of the native model file; see model_json.c. */
#include <stdlib.h>
#include <string.h>

#include "host/import/model_json.h"

static void read_form(struct model_reader *r)
{
	r->f->name = model_read_form_name(r);
}

static void read_throughput(struct model_reader *r)
{
	r->f->throughput = model_read_span(r);
}

static void read_slots(struct model_reader *r)
{
	r->f->slots = model_read_span(r);
}

static void read_room(struct model_reader *r)
{
	enum { WIDEST = 64 };

	r->f->room = (uint32_t)model_read_whole(r, 1, WIDEST);
}

static void read_eliminated(struct model_reader *r)
{
	(void)json_bool(&r->j, &r->f->eliminated);
}

static void read_zero_idiom(struct model_reader *r)
{
	(void)json_bool(&r->j, &r->f->zero_idiom);
}

static void read_bypass(struct model_reader *r)
{
	r->f->bypass = (uint8_t)model_read_whole(r, 0, MODEL_MAX_CLASSES - 1);
}

static void read_pairing(struct model_reader *r)
{
	r->f->pairing = (uint8_t)model_read_whole(r, 0, MODEL_MAX_CLASSES - 1);
}

static void read_evidence(struct model_reader *r)
{
	r->f->evidence = model_read_name(r);
}

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

static void read_use_uops(struct model_reader *r)
{
	(void)json_number(&r->j, &r->u->n_uops);
}

static void read_use_cycles(struct model_reader *r)
{
	(void)json_number(&r->j, &r->u->cycles);
}

static void read_uses(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ "ports", read_use_ports },
		{ "uops", read_use_uops },
		{ "cycles", read_use_cycles },
	};
	bool first = true;

	r->uses.n = 0;
	r->f->has_ports = true;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_use use = { .cycles = 1 };

		r->u = &use;
		model_read_object(r, keys, ARRAY_LEN(keys));
		buffer_add(&r->uses, &use, sizeof(use));
	}
	r->f->n_uses = r->uses.n / sizeof(struct model_use);
	r->f->uses = arena_copy(r->a, r->uses.bytes, r->uses.n);
}

/* ---- latencies ---------------------------------------------------------- */

static int8_t read_operand(struct model_reader *r)
{
	return (int8_t)(json_null(&r->j)
				? MODEL_ANY
				: model_read_whole(r, 0,
						   FORM_MAX_OPERANDS - 1));
}

static void read_from(struct model_reader *r)
{
	r->l->source = read_operand(r);
}

static void read_to(struct model_reader *r)
{
	r->l->destination = read_operand(r);
}

static void read_cycles(struct model_reader *r)
{
	r->l->cycles = model_read_span(r);
}

static void read_short_chain(struct model_reader *r)
{
	r->l->short_chain = model_read_span(r);
}

static void read_latencies(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ "from", read_from },
		{ "to", read_to },
		{ "cycles", read_cycles },
		{ "short_chain", read_short_chain },
	};
	bool first = true;

	r->latencies.n = 0;
	if (!json_open(&r->j, '['))
		return;
	while (json_next(&r->j, '[', &first)) {
		struct model_latency l = { .source = MODEL_ANY,
					   .destination = MODEL_ANY };

		r->l = &l;
		model_read_object(r, keys, ARRAY_LEN(keys));
		buffer_add(&r->latencies, &l, sizeof(l));
	}
	r->f->n_latencies = r->latencies.n / sizeof(struct model_latency);
	r->f->latencies = arena_copy(r->a, r->latencies.bytes, r->latencies.n);
}

/* ---- all ---------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct model_form *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void model_read_forms(struct model_reader *r)
{
	static const struct model_key keys[] = {
		{ "name", read_form },
		{ "throughput", read_throughput },
		{ "slots", read_slots },
		{ "room", read_room },
		{ "uses", read_uses },
		{ "latencies", read_latencies },
		{ "eliminated", read_eliminated },
		{ "zero_idiom", read_zero_idiom },
		{ "bypass", read_bypass },
		{ "takes", read_takes },
		{ "pairing", read_pairing },
		{ "evidence", read_evidence },
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
		model_read_object(r, keys, ARRAY_LEN(keys));
		if (r->j.e->code == ERR_OK && !f.name)
			(void)json_bad(&r->j, "the name of a form");
		buffer_add(&forms, &f, sizeof(f));
	}
	r->m->n_forms = forms.n / sizeof(*list);
	list = arena_copy(r->a, forms.bytes, forms.n);
	if (r->m->n_forms > 0 && r->j.e->code == ERR_OK)
		qsort(list, r->m->n_forms, sizeof(*list), by_name);
	r->m->forms = list;
	buffer_free(&forms);
}
