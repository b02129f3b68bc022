/* Kernels of own code; see gen_add_snippet(). */
#include <string.h>

#include "host/gen/builder.h"
#include "host/isa/isa.h"

/* One length: the frame around the code, once or as often as it is long. */
static int emit_length(struct gen *g, struct mc_parser *parser,
		       struct gen_snippet *x, int length, struct pack_kernel *k,
		       struct err *e)
{
	struct frame f = x->frame;
	struct frame_emission at = {
		.c = g->c, .parser = parser, .frame = &f, .code = &g->code
	};

	gen_align_code(g);
	f.trip_first = x->trip_first[length];
	if (frame_open(&at, e) != ERR_OK)
		return e->code;
	x->init_at = (uint32_t)at.init;
	x->body_at[length] = (uint32_t)at.body;
	if (x->whole[length].code)
		buffer_add(&g->code, x->whole[length].code, x->whole[length].n);
	else
		for (uint32_t i = 0; i < (x->own_loop ? 1 : x->bodies[length]);
		     i++)
			buffer_add(&g->code, x->code, x->n);
	if (frame_close(&at, e) != ERR_OK)
		return e->code;
	k->unroll[length] = x->bodies[length];
	k->code_offset[length] = (uint32_t)at.begin;
	k->code_bytes[length] = (uint32_t)(g->code.n - at.begin);
	return ERR_OK;
}

/* The flags that forms need, enum pack_kernel_flags. */
static uint8_t forms_flags(const struct catalogue *c,
			   const struct form *const *forms, size_t n)
{
	uint8_t ret = 0;

	for (size_t i = 0; i < n; i++) {
		if (!forms[i])
			continue;
		ret |= gen_form_flags(c, forms[i]);
		if (form_uses(c, forms[i], BANK_X87))
			ret |= PACK_KERNEL_X87 | PACK_KERNEL_VECTOR;
	}
	return ret;
}

/* Append the kernel's data to the code, and its content to the kernel's id. */
static void add_data(struct gen *g, const struct gen_snippet *x,
		     struct pack_kernel *k)
{
	for (size_t i = 0; i < x->n_data; i++) {
		const struct gen_data *from = &x->data[i];
		struct pack_data d = { .at = from->at,
				       .bytes = from->bytes,
				       .value_bytes = from->value_bytes,
				       .is_address = from->is_address };
		size_t at;

		k->id = gen_hash(k->id, &from->at, sizeof(from->at));
		k->id = gen_hash(k->id, &from->bytes, sizeof(from->bytes));
		k->id = gen_hash(k->id, from->value, from->value_bytes);
		gen_align_code(g);
		at = g->code.n;
		buffer_add(&g->code, &d, sizeof(d));
		buffer_add(&g->code, from->value, from->value_bytes);
		gen_align_code(g);
		if (i == 0)
			k->data = (uint32_t)at;
		if (i + 1 == x->n_data)
			break;
		d.next = (uint32_t)g->code.n;
		memcpy(g->code.bytes + at, &d, sizeof(d));
	}
}

int gen_add_snippet(struct gen *g, struct mc_parser *parser,
		    struct gen_snippet *x, struct err *e)
{
	struct code_entry *n = gen_new_entry(g);
	struct pack_kernel *k = &n->kernel;
	size_t code_before = g->code.n;
	unsigned access = 0;

	if (strlen(x->label) >= sizeof(n->label))
		return err_set(e, ERR_INPUT, "%s: the label is too long",
			       x->label);
	(void)strcpy(n->label, x->label);
	for (int i = 0; i < PACK_LENGTHS; i++)
		if (emit_length(g, parser, x, i, k, e) != ERR_OK) {
			g->code.n = code_before;
			return e->code;
		}
	for (size_t i = 0; i < x->n_forms; i++)
		access |= x->forms[i] ? x->forms[i]->access : 0;
	k->flags |= forms_flags(g->c, x->forms, x->n_forms);
	k->flags |= forms_flags(g->c, x->init_forms, x->n_init_forms);
	k->flags |= PACK_KERNEL_PAGES;
	k->flags |= x->calls_system ? PACK_KERNEL_CALLS : 0;
	n->class = gen_class(k->flags, access);
	n->instructions = x->instructions;
	k->image = (uint16_t)gen_add_image(g, &x->image);
	k->counter = (uint8_t)x->frame.counter;
	if (g->memory_bytes < x->memory_bytes)
		g->memory_bytes = x->memory_bytes;
	k->id = gen_kernel_id(g, k);
	if (x->n_data > 0)
		add_data(g, x, k);
	g->n_entries++;
	return ERR_OK;
}
