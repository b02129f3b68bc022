/* See probe_text.h. */
#include "host/structures/probe_text.h"

#include <string.h>

#include "host/isa/mc.h"
#include "host/isa/mc_parse.h"

enum { MOST_VECTOR = 32 }; /* wider ones change the state of cores */

void probe_put(struct probe_text *t, const char *line, struct frame_operands o)
{
	frame_write(&t->body, t->c->isa, line, &o);
}

void probe_put_init(struct probe_text *t, const char *line,
		    struct frame_operands o)
{
	frame_write(&t->init, t->c->isa, line, &o);
}

void probe_load(struct probe_text *t, unsigned r, unsigned base, int64_t at)
{
	probe_put(t, t->c->isa->frame->load,
		  (struct frame_operands){ .r = r, .b = base, .n = at });
}

void probe_store(struct probe_text *t, unsigned r, int64_t at)
{
	probe_put(t, t->c->isa->frame->store,
		  (struct frame_operands){ .r = r, .b = t->cells, .n = at });
}

void probe_point(struct probe_text *t, unsigned gpr, uint64_t at)
{
	t->image.gpr[gpr] = at;
	t->image.gpr_is_memory |= 1u << gpr;
}

void probe_use_chain(struct probe_text *t)
{
	t->image.memory_fill = PACK_FILL_CHAIN;
	memcpy(t->image.memory, &t->p->chain, sizeof(t->p->chain));
	t->memory_bytes = chain_bytes(&t->p->chain);
}

void probe_own_loop(struct probe_text *t, uint32_t trips)
{
	t->own_loop = true;
	t->bodies = trips;
	t->image.gpr[TRIP] = 0;
}

const struct isa_width *probe_width(const struct campaign *c)
{
	const struct isa_width *found = NULL, *w;

	if (!c->isa->stream)
		return NULL;
	for (w = c->isa->stream->widths; w->name; w++)
		if (!w->scalable && w->bytes <= MOST_VECTOR &&
		    mc_has(c->catalogue->mc, MC_CPU, w->needs))
			found = w;
	return found;
}

void probe_put_stream(struct probe_text *t, const char *text, unsigned reg,
		      unsigned displacement)
{
	struct buffer *b = &t->body;

	for (; *text; text++)
		if (*text == '@')
			buffer_printf(b, "%u", reg);
		else if (*text == '~')
			buffer_printf(b, "%u", displacement);
		else if (*text == '&')
			buffer_printf(b, "%s", t->c->isa->stream->arrays[0]);
		else
			buffer_add(b, text, 1);
	buffer_add(b, "\n", 1);
}

int probe_encode(struct probe_text *t, struct buffer *text, bool att,
		 struct snippet_bytes *ret)
{
	struct arena *a = &t->c->arena;
	const struct isa *isa = t->c->isa;
	size_t n = text->n;
	const struct code code = { .name = "probe",
				   .bytes = buffer_take(a, text),
				   .n = n };
	struct source *source = ARENA_NEW(a, struct source);
	struct program *p = ARENA_NEW(a, struct program);

	*ret = (struct snippet_bytes){ .n = 0 };
	if (n == 0 || t->e->code != ERR_OK)
		return t->e->code;
	if (source_read(a, &code, isa->loop, source, t->e) != ERR_OK)
		return t->e->code;
	source->dialect =
		isa->frame->dialect && !att ? DIALECT_INTEL : DIALECT_ATT;
	if (program_from_text(a, t->c->catalogue, t->parser, source, p, t->e) !=
	    ERR_OK)
		return t->e->code;
	return snippet_encode_region(
		a, &(struct snippet_region){ .program = p, .n = p->n }, ret,
		t->e);
}

void probe_end(struct probe_text *t, bool att)
{
	struct snippet_bytes x;

	if (probe_encode(t, &t->body, att, &x) != ERR_OK)
		return;
	buffer_add(&t->code, x.code, x.n);
	for (size_t i = 0; x.forms && x.offsets[i] < x.n; i++)
		buffer_add(&t->forms, &x.forms[i], sizeof(const struct form *));
}

void probe_end_raw(struct probe_text *t)
{
	if (t->e->code == ERR_OK)
		(void)frame_code(t->c->isa, t->parser, &t->body, &t->code,
				 t->e);
}

size_t probe_at(const struct probe_text *t)
{
	return t->code.n;
}

void probe_go(struct probe_text *t, size_t to, bool calls)
{
	unsigned char code[16];
	size_t n = t->c->isa->frame->go((int64_t)to - (int64_t)t->code.n, calls,
					code);

	if (n == 0)
		(void)err_set(t->e, ERR_INPUT, "a jump of a probe is too far");
	buffer_add(&t->code, code, n);
}

void probe_pad(struct probe_text *t, size_t to)
{
	const struct isa_code *x = &t->c->isa->padding;

	while (t->code.n + x->n <= to)
		buffer_add(&t->code, x->bytes, x->n);
}

void probe_back(struct probe_text *t, unsigned gpr, size_t top)
{
	const struct isa_frame *w = t->c->isa->frame;
	unsigned char code[16];
	size_t n;

	probe_put(t, w->minus_one, (struct frame_operands){ .r = gpr });
	probe_end_raw(t);
	n = w->back(t->code.n - top, gpr, code);
	if (n == 0)
		(void)err_set(t->e, ERR_INPUT, "a loop of a probe is too long");
	buffer_add(&t->code, code, n);
}
