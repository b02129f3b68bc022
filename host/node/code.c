#include "host/node/code.h"

#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/mc_parse.h"

enum {
	UNROLL = 8, /* accesses of each array in an iteration */
	CHASES = 16,
	FLOPS_OF_ONE = 2, /* a multiply-add */
	ELEMENT = 8,
	LOOP_END = 64,
};

/* What a kernel does in its arrays: first accesses load, later ones store. */
static const struct {
	const char *name;
	unsigned n_arrays;
} kinds[NODE_N_KINDS] = {
	[NODE_FLOPS] = { "flops", 0 },     [NODE_LOAD] = { "load", 1 },
	[NODE_COPY] = { "copy", 2 },       [NODE_TRIAD] = { "triad", 3 },
	[NODE_STORE] = { "store", 1 },     [NODE_STREAM] = { "stream", 1 },
	[NODE_LATENCY] = { "latency", 1 },
};

const char *node_kind_name(enum node_kind kind)
{
	return kinds[kind].name;
}

bool node_code_exists(const struct catalogue *c, enum node_kind kind,
		      const struct isa_width *w)
{
	if (!c->isa->stream)
		return false;
	if (kind == NODE_LATENCY)
		return !w;
	return w && mc_has(c->mc, MC_CPU, w->needs) &&
	       (kind != NODE_STREAM || w->stream);
}

/* ---- texts -------------------------------------------------------------- */

struct writer {
	struct buffer text;
	const struct isa_stream *s;
	const struct isa_width *w;
};

/* Write a template as lines. */
static void put(struct writer *t, const char *text, unsigned reg,
		unsigned second, unsigned displacement, unsigned array)
{
	for (; *text; text++)
		if (*text == '@')
			buffer_printf(&t->text, "%u", reg);
		else if (*text == '!')
			buffer_printf(&t->text, "%u", second);
		else if (*text == '~' && displacement > 0)
			buffer_printf(&t->text, "%u", displacement);
		else if (*text == '~')
			buffer_add(&t->text, "0", 1);
		else if (*text == '&')
			buffer_printf(&t->text, "%s", t->s->arrays[array]);
		else
			buffer_add(&t->text, text, 1);
	buffer_add(&t->text, "\n", 1);
}

static void put_accesses(struct writer *t, const char *text, unsigned step,
			 unsigned array)
{
	unsigned half = t->w->registers / 2u;

	for (unsigned i = 0; i < UNROLL; i += step)
		put(t, text, i % half, half + i % half, i * t->w->bytes, array);
}

static void put_stream(struct writer *t, enum node_kind kind)
{
	const struct isa_width *w = t->w;
	unsigned group = w->group ? w->group : 1;

	if (w->begin)
		put(t, w->begin, 0, 0, 0, 0);
	for (unsigned i = 0; i < kinds[kind].n_arrays; i++)
		if (t->s->address[i])
			put(t, t->s->address[i], 0, 0, 0, 0);
	if (kind == NODE_LOAD || kind == NODE_COPY || kind == NODE_TRIAD)
		put_accesses(t, w->load, group, 0);
	if (kind == NODE_TRIAD)
		put_accesses(t, w->triad, group, 1);
	if (kind == NODE_STREAM)
		put_accesses(t, w->stream, w->stream_registers, 0);
	if (kind == NODE_COPY || kind == NODE_TRIAD || kind == NODE_STORE)
		put_accesses(t, w->store, group, kinds[kind].n_arrays - 1);
	put(t, w->advance ? w->advance : t->s->advance, 0, 0, UNROLL * w->bytes,
	    0);
}

static void put_flops(struct writer *t)
{
	const struct isa_width *w = t->w;

	if (w->begin_registers)
		put(t, w->begin_registers, 0, 0, 0, 0);
	for (unsigned i = 0; i < 2u * w->registers; i++)
		put(t, w->multiply_add, i % w->registers, 0, 0, 0);
}

static void put_kernel(struct writer *t, enum node_kind kind)
{
	if (kind == NODE_LATENCY)
		for (unsigned i = 0; i < CHASES; i++)
			put(t, t->s->chase, 0, 0, 0, 0);
	else if (kind == NODE_FLOPS)
		put_flops(t);
	else
		put_stream(t, kind);
}

/* ---- code --------------------------------------------------------------- */

static int take(void *context, const struct mc_statement *s)
{
	struct buffer *code = context;

	if (s->n_code == 0)
		return ERR_INPUT;
	buffer_add(code, s->code, s->n_code);
	return ERR_OK;
}

static double work_of(enum node_kind kind, const struct isa_width *w)
{
	if (kind == NODE_LATENCY)
		return CHASES;
	if (kind == NODE_FLOPS)
		return 2.0 * w->registers * FLOPS_OF_ONE * w->bytes / ELEMENT;
	return (double)UNROLL * w->bytes * kinds[kind].n_arrays;
}

bool node_code_scale(struct node_code *k, uint64_t bytes)
{
	enum { LEAST = ELEMENT, MOST = 256 };

	if (bytes < LEAST || bytes > MOST || (bytes & (bytes - 1)) != 0)
		return false;
	k->step *= (uint32_t)bytes;
	k->per_iteration *= (double)bytes;
	return true;
}

int node_code_make(const struct node_assembler *how, enum node_kind kind,
		   const struct isa_width *w, struct node_code *ret,
		   struct err *e)
{
	const struct isa *isa = how->c->isa;
	struct writer t = { .s = isa->stream, .w = w };
	struct buffer code = { 0 };
	unsigned char end[LOOP_END];
	size_t n_body;
	int status;

	put_kernel(&t, kind);
	status = mc_parse(how->parser,
			  &(struct mc_text){ .name = node_kind_name(kind),
					     .text = buffer_text(&t.text),
					     .n = t.text.n },
			  take, &code, e);
	if (status != ERR_OK && e->code == ERR_OK)
		(void)err_set(e, ERR_INPUT, "%s: LLVM cannot encode a line",
			      node_kind_name(kind));
	n_body = code.n;
	buffer_add(&code, end, isa->loop_end(n_body, false, end, sizeof(end)));
	*ret = (struct node_code){
		.kind = kind,
		.width = w,
		.n_arrays = kinds[kind].n_arrays,
		.step = w && kind != NODE_FLOPS ? UNROLL * w->bytes : 0,
		.per_iteration = work_of(kind, w),
		.n_body = n_body,
		.n = code.n,
	};
	ret->body = (const unsigned char *)buffer_take(how->a, &code);
	buffer_free(&t.text);
	return e->code;
}
