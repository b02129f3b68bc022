/* Kernels given as code; see gen_add_code(). */
#include <string.h>

#include "host/gen/builder.h"
#include "host/gen/kernel.h"
#include "host/isa/isa.h"

/* All lengths are the same code. */
static int emit_code(struct gen *g, const struct gen_code *q,
		     struct pack_kernel *k, struct err *e)
{
	unsigned char end[KERNEL_MAX_INSTRUCTION * 4];
	size_t n = g->c->isa->loop_end(q->n, false, end, sizeof(end));

	if (n == 0)
		return err_set(e, ERR_INPUT,
			       "%s: %zu bytes are too far to "
			       "branch back",
			       q->label, q->n);
	gen_align_code(g);
	for (uint32_t i = 0; i < PACK_LENGTHS; i++) {
		k->unroll[i] = i + 1;
		k->code_offset[i] = (uint32_t)g->code.n;
		k->code_bytes[i] = (uint32_t)(q->n + n);
	}
	buffer_add(&g->code, q->body, q->n);
	buffer_add(&g->code, end, n);
	return ERR_OK;
}

int gen_add_code(struct gen *g, const struct gen_code *q, struct err *e)
{
	struct pack_image image = { 0 };
	struct code_entry *n = gen_new_entry(g);
	struct pack_kernel *k = &n->kernel;

	if (strlen(q->label) >= sizeof(n->label))
		return err_set(e, ERR_INPUT, "%s: the label is too long",
			       q->label);
	(void)strcpy(n->label, q->label);
	if (emit_code(g, q, k, e) != ERR_OK)
		return e->code;
	g->c->isa->init_image(DOMAIN_FP64, &image);
	k->image = (uint16_t)gen_add_image(g, &image);
	k->counter = g->c->isa->counter;
	k->flags = q->flags | PACK_KERNEL_CALIB;
	n->instructions = 1;
	k->id = gen_kernel_id(g, k);
	g->n_entries++;
	return ERR_OK;
}
