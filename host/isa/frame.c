/* Frames, from the instructions of struct isa_frame; see frame.h. */
#include "host/isa/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/isa/isa.h"
#include "host/isa/mc_parse.h"

enum { LINE = 64, MAX_BACK = 32 };

/* No address of any core's page tables, nor of its memory: bit 52. */
static const int64_t nowhere = INT64_C(1) << 52;

/* The frame's assembly, and where its machine code goes. */
struct frame_text {
	const struct isa_frame *words;
	struct buffer text;
};

static void put_gpr(struct frame_text *x, unsigned index)
{
	if (x->words->gprs)
		buffer_printf(&x->text, "%s", x->words->gprs[index]);
	else if (index == x->words->sp)
		buffer_printf(&x->text, "sp");
	else
		buffer_printf(&x->text, "x%u", index);
}

const char *frame_gpr(struct arena *a, const struct isa *isa, unsigned index)
{
	return isa->frame->gprs ? isa->frame->gprs[index]
				: arena_printf(a, "x%u", index);
}

static void put_operand(struct frame_text *x, char name,
			const struct frame_operands *o)
{
	enum { PART_BITS = 16, PART = 0xffff };
	enum { LOW_BITS = 12, LOW_HALF = 1 << 11, UPPER = 0xfffff };

	if (name == 'r')
		put_gpr(x, o->r);
	else if (name == 't')
		put_gpr(x, o->t);
	else if (name == 'b')
		put_gpr(x, o->b);
	else if (name == 'i')
		buffer_printf(&x->text, "%u", o->r);
	else if (name == 'n')
		buffer_printf(&x->text, "%" PRId64, o->n);
	else if (name == 'h')
		buffer_printf(
			&x->text, "%u",
			(unsigned)(((uint64_t)o->n + LOW_HALF) >> LOW_BITS) &
				UPPER);
	else if (name == 'l')
		buffer_printf(
			&x->text, "%d",
			(int)(((uint64_t)o->n + LOW_HALF) % (2 * LOW_HALF)) -
				LOW_HALF);
	else
		buffer_printf(&x->text, "%u",
			      (unsigned)((uint64_t)o->n >>
					 PART_BITS * (unsigned)(name - '0')) &
				      PART);
}

static void frame_add(struct frame_text *x, const char *line,
		      struct frame_operands o)
{
	for (const char *at = line; *at != '\0'; at++) {
		if (*at != '{') {
			buffer_add(&x->text, at, 1);
			continue;
		}
		put_operand(x, at[1], &o);
		at += 2;
	}
	buffer_add(&x->text, "\n", 1);
}

void frame_write(struct buffer *b, const struct isa *isa, const char *line,
		 const struct frame_operands *o)
{
	struct frame_text x = { .words = isa->frame, .text = *b };

	frame_add(&x, line, *o);
	*b = x.text;
}

static int take_code(void *context, const struct mc_statement *s)
{
	buffer_add(context, s->code, s->n_code);
	return ERR_OK;
}

/* Assemble what was added, and begin the next text. */
static int frame_assemble(struct frame_text *x, struct mc_parser *parser,
			  struct buffer *code, struct err *e)
{
	const struct mc_text text = { .name = "frame",
				      .text = buffer_text(&x->text),
				      .n = x->text.n,
				      .dialect = x->words->dialect };

	(void)mc_parse(parser, &text, take_code, code, e);
	buffer_free(&x->text);
	return e->code;
}

int frame_code(const struct isa *isa, struct mc_parser *parser,
	       struct buffer *text, struct buffer *code, struct err *e)
{
	struct frame_text x = { .words = isa->frame, .text = *text };

	*text = (struct buffer){ 0 };
	return frame_assemble(&x, parser, code, e);
}

/* Store or load a register, at this place of the frame that `base` is. */
static void frame_access(struct frame_text *x, const char *line, unsigned r,
			 unsigned base, int64_t place)
{
	frame_add(x, line,
		  (struct frame_operands){ .r = r, .b = base, .n = place });
}

static int64_t frame_slot(unsigned r)
{
	return FRAME_REGS + 8 * (int64_t)r;
}

static bool frame_resets(const struct frame *f, unsigned r)
{
	return (f->reset >> r & 1) != 0;
}

/* Make registers into first values. */
static void open_text(struct frame_text *x, const struct frame *f)
{
	const struct isa_frame *w = x->words;
	const struct frame_operands sum = { .t = f->counter };

	frame_add(x, w->take_stack,
		  (struct frame_operands){ .n = FRAME_BYTES });
	frame_access(x, w->store, f->counter, w->sp, FRAME_COUNT);
	if (w->link >= 0)
		frame_access(x, w->store, (unsigned)w->link, w->sp, FRAME_LINK);
	if (w->link >= 0 && frame_resets(f, (unsigned)w->link))
		frame_add(x, w->number,
			  (struct frame_operands){ .r = (unsigned)w->link,
						   .n = nowhere });
	for (unsigned r = 0; r < 32; r++) {
		struct frame_operands o = sum;

		if (!frame_resets(f, r) || f->bias[r] == 0)
			continue;
		o.r = r;
		frame_add(x, w->number,
			  (struct frame_operands){ .r = f->counter,
						   .n = f->bias[r] });
		frame_add(x, w->add, o);
	}
	if (f->n_init > 0)
		frame_add(x, w->keep_stack,
			  (struct frame_operands){ .r = f->counter });
}

/* Store what the code changes. */
static void store_text(struct frame_text *x, const struct frame *f)
{
	const struct isa_frame *w = x->words;

	if (f->n_init > 0)
		frame_add(x, w->find_stack,
			  (struct frame_operands){ .r = f->counter });
	for (unsigned r = 0; r < 32; r++)
		if (frame_resets(f, r))
			frame_access(x, w->store, r, w->sp, frame_slot(r));
}

/* The trips of this iteration, from how many are left. */
static void trip_text(struct frame_text *x, const struct frame *f)
{
	const struct isa_frame *w = x->words;
	bool fits = f->trip_first == (int32_t)f->trip_first &&
		    f->trip_step == (int32_t)f->trip_step;
	const char *number = w->number_32 && fits ? w->number_32 : w->number;
	const struct frame_operands both = { .r = (unsigned)f->trip,
					     .t = f->counter };

	frame_access(x, w->load, both.r, w->sp, FRAME_COUNT);
	frame_add(x, w->low_bits, both);
	frame_add(x, number,
		  (struct frame_operands){ .r = both.t, .n = f->trip_step });
	frame_add(x, w->mul, both);
	frame_add(x, number,
		  (struct frame_operands){ .r = both.t, .n = f->trip_first });
	frame_add(x, w->add, both);
	frame_access(x, w->load, both.t, w->sp, frame_slot(both.r));
	frame_add(x, w->add, both);
}

/* From here on the counter is the frame's base. */
static void top_text(struct frame_text *x, const struct frame *f)
{
	const struct isa_frame *w = x->words;

	if (f->trip >= 0)
		trip_text(x, f);
	frame_add(x, w->clear_flags, (struct frame_operands){ .r = 0 });
	frame_add(x, w->keep_stack, (struct frame_operands){ .r = f->counter });
	if (f->stack != 0) {
		frame_add(x, w->number,
			  (struct frame_operands){ .r = f->spare,
						   .n = (int64_t)f->stack });
		frame_add(x, w->find_stack,
			  (struct frame_operands){ .r = f->spare });
	}
	for (unsigned r = 0; r < 32; r++)
		if (frame_resets(f, r) && (int)r != f->trip)
			frame_access(x, w->load, r, f->counter, frame_slot(r));
}

/* Fill up to the code's place in a line. */
static void pad(const struct isa *isa, size_t offset, struct buffer *b)
{
	while (b->n % LINE != offset)
		buffer_add(b, isa->padding.bytes, isa->padding.n);
}

int frame_open(struct frame_emission *x, struct err *e)
{
	const struct isa *isa = x->c->isa;
	struct frame_text t = { .words = isa->frame };
	struct buffer *b = x->code;

	x->begin = b->n;
	open_text(&t, x->frame);
	if (frame_assemble(&t, x->parser, b, e) != ERR_OK)
		return e->code;
	x->init = b->n - x->begin;
	buffer_add(b, x->frame->init, x->frame->n_init);
	store_text(&t, x->frame);
	if (frame_assemble(&t, x->parser, b, e) != ERR_OK)
		return e->code;
	x->top = b->n - x->begin;
	buffer_add(b, isa->barrier.bytes, isa->barrier.n);
	top_text(&t, x->frame);
	if (frame_assemble(&t, x->parser, b, e) != ERR_OK)
		return e->code;
	pad(isa, x->frame->offset, b);
	x->body = b->n - x->begin;
	return ERR_OK;
}

int frame_close(const struct frame_emission *x, struct err *e)
{
	const struct isa_frame *w = x->c->isa->frame;
	unsigned counter = x->frame->counter;
	struct frame_text t = { .words = w };
	unsigned char back[MAX_BACK];
	size_t n;

	frame_add(&t, w->find_stack, (struct frame_operands){ .r = counter });
	frame_add(&t, w->count_down,
		  (struct frame_operands){ .r = counter, .n = FRAME_COUNT });
	if (frame_assemble(&t, x->parser, x->code, e) != ERR_OK)
		return e->code;
	n = x->code->n - x->begin;
	n = w->back(n - x->top, counter, back);
	if (n == 0)
		return err_set(e, ERR_INPUT,
			       "the code is %zu bytes long, too far to branch "
			       "over",
			       x->code->n - x->begin - x->body);
	buffer_add(x->code, back, n);
	if (w->link >= 0)
		frame_access(&t, w->load, (unsigned)w->link, w->sp, FRAME_LINK);
	frame_add(&t, w->give_stack,
		  (struct frame_operands){ .n = FRAME_BYTES });
	frame_add(&t, w->end, (struct frame_operands){ .n = 0 });
	return frame_assemble(&t, x->parser, x->code, e);
}

int frame_note(const struct isa *isa, struct mc_parser *parser, unsigned reg,
	       enum frame_note what, struct buffer *code, struct err *e)
{
	struct frame_text t = { .words = isa->frame };
	const struct frame_operands o = { .r = reg };

	if (what != FRAME_COUNT_ONE)
		frame_add(&t, isa->frame->twice, o);
	if (what != FRAME_SHIFT_ZERO)
		frame_add(&t, isa->frame->plus_one, o);
	return frame_assemble(&t, parser, code, e);
}

int frame_jump(const struct isa *isa, struct mc_parser *parser,
	       struct buffer *code, struct err *e)
{
	struct frame_text t = { .words = isa->frame };

	frame_add(&t, isa->frame->jump, (struct frame_operands){ .r = 0 });
	frame_add(&t, "x:", (struct frame_operands){ .r = 0 });
	return frame_assemble(&t, parser, code, e);
}
