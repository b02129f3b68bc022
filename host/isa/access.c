/* Accesses: the width of each, and the places that its displacement reaches. */
#include "host/isa/build.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"

enum {
	LEAST = 8,       /* a word */
	WIDEST = 64,     /* a cache line */
	FARTHEST = 2048, /* bytes; half of a kernel's memory */
};

/* The last number in the address whose range is more than one value. */
static int number_of(const struct form *f)
{
	for (int i = f->n_explicit - 1; i >= 0; i--)
		if (f->operands[i].role == ROLE_OTHER &&
		    f->operands[i].reg_class == CLASS_NONE)
			return i;
	return -1;
}

/* Bytes that the address moves if the number at `i` grows by one. */
static int64_t unit_of(const struct build *b, const struct instance *x, int i)
{
	struct instance more = *x;
	struct isa_address at, next;

	more.imm[i]++;
	if (!b->c->isa->loop->address(b->c, x, &at) ||
	    !b->c->isa->loop->address(b->c, &more, &next) ||
	    at.base != next.base)
		return 0;
	return next.displacement - at.displacement;
}

/* The largest displacement, in steps of the access' own width, that survives
 * encoding and decoding. */
static int64_t reach_of(const struct build *b, const struct instance *x, int i,
			int64_t step, int64_t most)
{
	struct instance far = *x;
	int64_t n = 0;

	for (int64_t bit = most; bit > 0; bit /= 2) {
		far.imm[i] = (n + bit) * step;
		if (instance_survives(b->c, &far, MC_ALL))
			n += bit;
	}
	return n * step;
}

/* If the ISA defines the number's role in the address, instances access
 * different places by changing it. */
static void open_displacement(const struct build *b, const struct instance *x,
			      unsigned bytes, struct form *f,
			      struct operand *ops)
{
	int i = number_of(f);
	int64_t unit = i < 0 || form_writes_base(f) ? 0 : unit_of(b, x, i);

	if (unit <= 0 || unit > bytes || bytes % unit != 0)
		return;
	f->unit_bytes = (uint8_t)unit;
	ops[i].role = ROLE_DISPLACEMENT;
	ops[i].imm_min = 0;
	ops[i].imm_max = reach_of(b, x, i, bytes / unit, FARTHEST / bytes / 2);
}

void build_access(const struct build *b, const struct instance *x,
		  struct form *f, struct operand *ops)
{
	const struct isa *isa = b->c->isa;
	struct isa_address at = { .bytes = 0 };
	struct mc_inst m;
	char text[256];
	unsigned n = 0, data = 0;

	if (isa->access_bytes) {
		instance_to_mc(x, &m);
		mc_print_other(b->mc, &m, text, sizeof(text));
		n = isa->access_bytes(text, &data);
	} else if (isa->loop->address(b->c, x, &at) && at.bytes > 0) {
		n = at.bytes;
		open_displacement(b, x, n, f, ops);
	}
	f->text_bytes = (uint8_t)n;
	f->data_bytes = (uint8_t)data;
	f->access_bytes = (uint16_t)(n == 0 ? WIDEST : n < LEAST ? LEAST : n);
}
