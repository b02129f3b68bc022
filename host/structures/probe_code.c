/* Kernels of probes; see probe.h.  Where a walk is stays in memory from one run
 * of the kernel to the next, so each continues the one before. */
#include <inttypes.h>
#include <string.h>

#include "common/crc32.h"
#include "host/campaign/snippet.h"
#include "host/isa/isa.h"
#include "host/isa/mc.h"
#include "host/isa/mc_parse.h"
#include "host/isa/stream.h"
#include "host/structures/probe.h"

/* GPRs that all instruction sets have, and none reserves.  Those of streams are
 * their own, so that the others keep clear of them. */
enum {
	POINTER = 10,
	CELLS = 11,
	COUNTER = 12,
	SECOND = 13, /* another pointer, or random numbers */
	FREE = 14,
	FACTOR = 15,
	STREAM_CELLS = 6,
	STREAM_COUNTER = 8,
};

enum {
	CELL = 8,         /* bytes */
	LOADS = 16,       /* of a chase in a body */
	JUMPS = 16,       /* in a body */
	ACCESSES = 8,     /* of a stream between two advances */
	ADVANCES = 4,     /* in a body */
	LINE = 64,        /* bytes that streams are counted in */
	BODIES = 4,       /* of the shortest length */
	FEW_BODIES = 2,   /* of long ones */
	MOST_VECTOR = 32, /* wider ones change the state of cores */
};

/* Knuth's MMIX generator without its constant: the upper bits of odd numbers are
 * random. */
static const uint64_t factor = UINT64_C(6364136223846793005);

/* ---- texts ------------------------------------------------------------------ */

struct probe_text {
	struct campaign *c;
	const struct core_probe *p;
	struct buffer init, body;
	bool att; /* the body is of a stream: the assembler's usual syntax */
	unsigned cells, counter;
	struct pack_image image;
	uint64_t memory_bytes;
};

static void put(struct probe_text *t, struct buffer *b, const char *line,
		struct frame_operands o)
{
	frame_write(b, t->c->isa, line, &o);
}

static void load(struct probe_text *t, struct buffer *b, unsigned r,
		 unsigned base, int64_t at)
{
	put(t, b, t->c->isa->frame->load,
	    (struct frame_operands){ .r = r, .b = base, .n = at });
}

static void store(struct probe_text *t, struct buffer *b, unsigned r,
		  int64_t at)
{
	put(t, b, t->c->isa->frame->store,
	    (struct frame_operands){ .r = r, .b = t->cells, .n = at });
}

static void point(struct probe_text *t, unsigned gpr, uint64_t at)
{
	t->image.gpr[gpr] = at;
	t->image.gpr_is_memory |= 1u << gpr;
}

static void use_chain(struct probe_text *t)
{
	t->image.memory_fill = PACK_FILL_CHAIN;
	memcpy(t->image.memory, &t->p->chain, sizeof(t->p->chain));
	t->memory_bytes = chain_bytes(&t->p->chain);
}

static void put_chase(struct probe_text *t)
{
	use_chain(t);
	load(t, &t->init, POINTER, t->cells, 0);
	for (unsigned i = 0; i < LOADS; i++)
		load(t, &t->body, POINTER, POINTER, 0);
	store(t, &t->body, POINTER, 0);
}

static void put_parallel(struct probe_text *t)
{
	unsigned n = t->p->n < CHAIN_CELLS ? t->p->n : CHAIN_CELLS;

	use_chain(t);
	for (unsigned i = 0; i < n; i++) {
		load(t, &t->body, POINTER, t->cells, CELL * (int64_t)i);
		load(t, &t->body, POINTER, POINTER, 0);
		store(t, &t->body, POINTER, CELL * (int64_t)i);
	}
}

static void put_window(struct probe_text *t)
{
	static const unsigned pointers[] = { POINTER, SECOND };
	/* Several, so that additions do not wait for each other. */
	static const unsigned sums[] = { FREE, FACTOR, STREAM_CELLS,
					 STREAM_COUNTER };

	use_chain(t);
	load(t, &t->init, POINTER, t->cells, 0);
	load(t, &t->init, SECOND, t->cells, CELL * CHAIN_CELLS / 2);
	for (unsigned k = 0; k < ARRAY_LEN(pointers); k++) {
		load(t, &t->body, pointers[k], pointers[k], 0);
		for (unsigned i = 0; i < t->p->n; i++)
			if (i % 2)
				put(t, &t->body, t->c->isa->frame->add,
				    (struct frame_operands){
					    .r = sums[i / 2 % ARRAY_LEN(sums)],
					    .t = CELLS });
			else
				put(t, &t->body, "nop",
				    (struct frame_operands){ .r = 0 });
	}
	store(t, &t->body, POINTER, 0);
	store(t, &t->body, SECOND, CELL * CHAIN_CELLS / 2);
}

static void put_jumps(struct probe_text *t)
{
	const struct isa_frame *w = t->c->isa->frame;
	bool random = t->p->kind == PROBE_JUMPS;

	t->image.gpr[FACTOR] = factor;
	t->image.gpr[COUNTER] = 0;
	t->image.memory[0] = 1;
	t->memory_bytes = CHAIN_AT;
	load(t, &t->init, SECOND, t->cells, 0);
	for (unsigned i = 0; i < JUMPS; i++) {
		put(t, &t->body, w->mul,
		    (struct frame_operands){ .r = SECOND, .t = FACTOR });
		put(t, &t->body, w->skip_if_clear,
		    (struct frame_operands){ .r = random ? SECOND : POINTER,
					     .t = FREE,
					     .n = i });
		put(t, &t->body,
		    "nop\nL{n}:", (struct frame_operands){ .n = i });
	}
	store(t, &t->body, SECOND, 0);
}

/* ---- streams ---------------------------------------------------------------- */

/* The widest registers of a known length, up to MOST_VECTOR. */
static const struct isa_width *width_of(const struct campaign *c)
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

/* A text of host/isa/stream.h, of the first array. */
static void put_stream(struct probe_text *t, const char *text, unsigned reg,
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

static void put_walk(struct probe_text *t)
{
	const struct isa_stream *s = t->c->isa->stream;
	const struct isa_width *w = width_of(t->c);
	const char *access = t->p->kind == PROBE_READ ? w->load : w->store;

	t->att = true;
	t->cells = STREAM_CELLS;
	t->counter = STREAM_COUNTER;
	point(t, s->base[0], CHAIN_AT);
	t->image.gpr[s->mask] = t->p->n - 1;
	t->memory_bytes = CHAIN_AT + (uint64_t)t->p->n;
	load(t, &t->init, s->offset, t->cells, 0);
	for (unsigned k = 0; k < ADVANCES; k++) {
		if (s->address[0])
			put_stream(t, s->address[0], 0, 0);
		for (unsigned i = 0; i < ACCESSES; i++)
			put_stream(t, access, i % (w->registers / 2u),
				   i * w->bytes);
		put_stream(t, s->advance, 0, ACCESSES * w->bytes);
	}
}

/* ---- code ------------------------------------------------------------------- */

static int encode(struct probe_text *t, struct mc_parser *parser,
		  struct buffer *text, bool att, struct snippet_bytes *ret,
		  struct err *e)
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
	if (n == 0)
		return ERR_OK;
	if (source_read(a, &code, isa->loop, source, e) != ERR_OK)
		return e->code;
	source->dialect =
		isa->frame->dialect && !att ? DIALECT_INTEL : DIALECT_ATT;
	if (program_from_text(a, t->c->catalogue, parser, source, p, e) !=
	    ERR_OK)
		return e->code;
	return snippet_encode_region(
		a, &(struct snippet_region){ .program = p, .n = p->n }, ret, e);
}

/* The body, and behind that of a stream what keeps its place. */
static int encode_body(struct probe_text *t, struct mc_parser *parser,
		       struct snippet *s, struct err *e)
{
	struct snippet_bytes body, end;
	struct buffer tail = { 0 }, code = { 0 };

	if (t->att)
		store(t, &tail, t->c->isa->stream->offset, 0);
	if (encode(t, parser, &t->body, t->att, &body, e) != ERR_OK ||
	    encode(t, parser, &tail, false, &end, e) != ERR_OK) {
		buffer_free(&tail);
		return e->code;
	}
	buffer_add(&code, body.code, body.n);
	buffer_add(&code, end.code, end.n);
	s->gen.n = code.n;
	s->gen.code = (const unsigned char *)buffer_take(&t->c->arena, &code);
	s->gen.forms = body.forms;
	for (size_t i = 0; body.forms && body.offsets[i] < body.n; i++)
		s->gen.n_forms = i + 1;
	return ERR_OK;
}

static void name(struct probe_text *t, struct snippet *s)
{
	static const char *const names[PROBE_N_KINDS] = {
		[PROBE_CHASE] = "chase",   [PROBE_PARALLEL] = "parallel",
		[PROBE_READ] = "read",     [PROBE_WRITE] = "write",
		[PROBE_JUMPS] = "jumps",   [PROBE_KNOWN] = "known",
		[PROBE_WINDOW] = "window",
	};
	const struct core_probe *p = t->p;
	uint32_t crc = crc32_update(0, s->gen.code, s->gen.n);

	crc = crc32_update(crc, &t->image, sizeof(t->image));
	crc = crc32_update(crc, &p->huge, sizeof(p->huge));
	s->key = arena_printf(
		&t->c->arena,
		"%s-%" PRIu32 "-%" PRIu32 ".%" PRIu32 "#%08" PRIx32,
		names[p->kind], p->n, p->chain.places, p->chain.step, crc);
	s->label = arena_printf(&t->c->arena, "code:%s", s->key);
}

int probe_code(struct campaign *c, struct mc_parser *parser,
	       const struct core_probe *p, struct snippet *ret, struct err *e)
{
	static void (*const texts[PROBE_N_KINDS])(struct probe_text *) = {
		[PROBE_CHASE] = put_chase,   [PROBE_PARALLEL] = put_parallel,
		[PROBE_READ] = put_walk,     [PROBE_WRITE] = put_walk,
		[PROBE_JUMPS] = put_jumps,   [PROBE_KNOWN] = put_jumps,
		[PROBE_WINDOW] = put_window,
	};
	struct probe_text t = {
		.c = c, .p = p, .cells = CELLS, .counter = COUNTER
	};
	struct snippet_bytes init;
	uint32_t bodies = p->kind == PROBE_WINDOW ? FEW_BODIES : BODIES;

	*ret = (struct snippet){ .trip = -1 };
	c->isa->init_image(DOMAIN_INT, &t.image);
	memset(t.image.memory, 0, sizeof(t.image.memory));
	texts[p->kind](&t);
	point(&t, t.cells, 0);
	if (encode_body(&t, parser, ret, e) != ERR_OK ||
	    encode(&t, parser, &t.init, false, &init, e) != ERR_OK) {
		buffer_free(&t.init);
		return e->code;
	}
	ret->gen.frame = (struct frame){ .counter = t.counter,
					 .init = init.code,
					 .n_init = init.n,
					 .trip = -1 };
	ret->gen.init_forms = init.forms;
	for (uint32_t i = 0; i < PACK_LENGTHS; i++)
		ret->gen.bodies[i] = bodies * (i + 1);
	ret->gen.image = t.image;
	ret->gen.memory_bytes = (uint32_t)t.memory_bytes;
	name(&t, ret);
	ret->gen.label = ret->label;
	return ERR_OK;
}

double probe_per_body(const struct campaign *c, const struct core_probe *p)
{
	switch (p->kind) {
	case PROBE_CHASE:
		return LOADS;
	case PROBE_PARALLEL:
		return p->n;
	case PROBE_READ:
	case PROBE_WRITE:
		return (double)ADVANCES * ACCESSES * width_of(c)->bytes / LINE;
	case PROBE_JUMPS:
	case PROBE_KNOWN:
		return JUMPS;
	default:
		return 1;
	}
}

bool probe_exists(const struct campaign *c, enum probe_kind kind)
{
	return (kind != PROBE_READ && kind != PROBE_WRITE) || width_of(c);
}
