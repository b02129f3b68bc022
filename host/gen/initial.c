/* Values of registers and memory; see initial.h. */
#include "host/gen/initial.h"

#include <string.h>

#include "host/gen/unite.h"
#include "host/isa/carrier.h"
#include "host/isa/isa.h"
#include "host/isa/system.h"
#include "host/isa/values.h"

enum {
	MEMORY_BYTES = 4096, /* address.c starts in the middle */
	TWO_PAGES = 8192,    /* where an access straddles both */
};

/* ---- memory -------------------------------------------------------------- */

/* Is the kernel made of fused multiply-adds alone? A mix is not: its other
 * forms share their constants. */
static bool is_fused(const struct experiment *x)
{
	for (size_t s = 0; s < x->n_steps; s++)
		if (!values_fused(x->steps[s].form))
			return false;
	return x->kind != EXPERIMENT_MIX;
}

/* Memory holds what registers hold: a float of the form's type, bytes of one
 * for vectors of integers, else the number 1; or what the form says. */
static void memory_of(const struct catalogue *c, const struct form *f,
		      bool fused, uint8_t ret[VALUE_BYTES])
{
	static const uint8_t ones[VALUE_BYTES] = { [0] = 1, [8] = 1 };
	struct pack_image own = { .memory_fill = 0 };

	memcpy(ret, ones, VALUE_BYTES);
	if (f->domain != DOMAIN_INT || f->vector_state) {
		c->isa->init_image((enum form_domain)f->domain, &own);
		values_fill_family(f, &own);
		if (fused)
			values_fill_fused(f, &own);
		memcpy(ret, own.vector[0], VALUE_BYTES);
	}
	if ((f->access || form_family(f) == FAMILY_STACK) &&
	    c->isa->operand_value)
		(void)c->isa->operand_value(f, OPERAND_MEMORY, BANK_NONE, ret);
}

/* How much a form's cost depends on the contents of memory. */
enum care {
	CARE_NOT,    /* integer addition: any values */
	CARE_FLOAT,  /* a float that is normal, of whatever type */
	CARE_NORMAL, /* exactly this number, which is normal */
	CARE_ALL,    /* just this one */
};

static enum care care_of(const struct catalogue *c, const struct form *f)
{
	uint8_t ignored[VALUE_BYTES];

	if (!f->access)
		return CARE_NOT;
	if (c->isa->operand_value &&
	    c->isa->operand_value(f, OPERAND_MEMORY, BANK_NONE, ignored))
		return CARE_ALL;
	if (values_has(f))
		return form_family(f) == FAMILY_ZERO ||
				       form_family(f) == FAMILY_DENORMAL
			       ? CARE_ALL
			       : CARE_NORMAL;
	return f->domain == DOMAIN_INT ? CARE_NOT : CARE_FLOAT;
}

/* The form that depends on them most: of a mix, any; of a chain, the first. */
static const struct form *memory_form(const struct catalogue *c,
				      const struct experiment *x)
{
	const struct form *best = x->steps[0].form;

	for (size_t s = 1; x->kind == EXPERIMENT_MIX && s < x->n_steps; s++) {
		const struct form *f = x->steps[s].form;

		if (!x->steps[s].helper && f->access &&
		    (!best->access || care_of(c, f) > care_of(c, best)))
			best = f;
	}
	return best;
}

static int check_memory(const struct catalogue *c, const struct experiment *x,
			const struct form *chosen, struct err *e)
{
	uint8_t mine[VALUE_BYTES], its[VALUE_BYTES];
	enum care most = care_of(c, chosen);

	memory_of(c, chosen, false, mine);
	for (size_t s = 0; x->kind == EXPERIMENT_MIX && s < x->n_steps; s++) {
		const struct form *f = x->steps[s].form;
		enum care care = care_of(c, f);

		memory_of(c, f, false, its);
		if (x->steps[s].helper || care == CARE_NOT ||
		    (care == CARE_FLOAT && most <= CARE_NORMAL) ||
		    memcmp(mine, its, VALUE_BYTES) == 0)
			continue;
		return err_set(e, ERR_INPUT,
			       "%s cannot be mixed with %s: it needs other "
			       "values in memory",
			       f->name, chosen->name);
	}
	return ERR_OK;
}

static void init_memory(const uint8_t value[VALUE_BYTES],
			const struct assigned_memory *m,
			struct pack_image *image)
{
	memcpy(image->memory, value, sizeof(image->memory));
	if (m->all_zero) {
		memset(image->memory, 0, sizeof(image->memory));
		memset(image->gpr, 0, sizeof(image->gpr));
		memset(image->vector, 0, sizeof(image->vector));
	}
	image->memory_fill = PACK_FILL_PATTERN;
	image->gpr_is_memory = m->pointers;
	for (unsigned i = 0; i < ARRAY_LEN(image->gpr); i++) {
		if (m->zeros >> i & 1)
			image->gpr[i] = 0;
		if (!(m->pointers >> i & 1))
			continue;
		image->gpr[i] = m->offset[i];
		if (m->self)
			image->memory_fill = m->offset[i] % sizeof(uint64_t)
						     ? PACK_FILL_SELF_ODD
						     : PACK_FILL_SELF;
	}
}

uint32_t initial_memory_bytes(const struct experiment *x,
			      const struct assigned *a)
{
	if (!a->memory.pointers)
		return 0;
	for (size_t s = 0; s < x->n_steps; s++)
		if (form_family(x->steps[s].form) == FAMILY_PAGE ||
		    system_is_state(x->steps[s].form))
			return TWO_PAGES;
	return MEMORY_BYTES;
}

/* ---- registers ----------------------------------------------------------- */

/* The image, and of a mix the registers that have a value of their own. */
struct values {
	const struct catalogue *c;
	const struct experiment *x;
	struct pack_image *image;
	uint32_t gpr, vector, fp; /* bit i: register i */
	struct err *e;
};

/* Registers of one bank in an image: which have a value of their own, where
 * they are, and their bytes. */
struct bank_values {
	uint32_t *taken;
	void *registers;
	size_t bytes;
};

static int put(struct values *v, const struct bank_values *b, unsigned i,
	       const uint8_t *value, const struct form *f)
{
	unsigned char *at = (unsigned char *)b->registers + i * b->bytes;
	bool other = (*b->taken >> i & 1) && memcmp(at, value, b->bytes) != 0;

	if (other && v->x->kind == EXPERIMENT_MIX)
		return err_set(v->e, ERR_INPUT,
			       "%s: no register is free for its own value",
			       f->name);
	*b->taken |= 1u << i;
	memcpy(at, value, b->bytes);
	return ERR_OK;
}

static bool bank_of(struct values *v, const struct reg *r,
		    struct bank_values *ret)
{
	struct pack_image *image = v->image;

	if (r->bank == BANK_GPR)
		*ret = (struct bank_values){ &v->gpr, image->gpr,
					     sizeof(image->gpr[0]) };
	else if (r->bank == BANK_VECTOR)
		*ret = (struct bank_values){ &v->vector, image->vector,
					     sizeof(image->vector[0]) };
	else if (r->bank == BANK_FP || r->bank == BANK_X87)
		*ret = (struct bank_values){ &v->fp, image->fp,
					     sizeof(image->fp[0]) };
	else
		return false;
	return true;
}

static int put_register(struct values *v, const struct reg *r,
			const uint8_t value[VALUE_BYTES], const struct form *f)
{
	size_t end = (size_t)r->index + r->span;
	struct bank_values bank;
	int ret = ERR_OK;

	if (!bank_of(v, r, &bank))
		return ERR_OK;
	for (unsigned i = r->index;
	     i < end && i < ARRAY_LEN(v->image->gpr) && ret == ERR_OK; i++)
		ret = put(v, &bank, i, value, f);
	return ret;
}

/* The register of an instance's operand. */
static const struct reg *register_of(const struct catalogue *c,
				     const struct instance *in, int operand)
{
	const struct operand *o = &in->form->operands[operand];

	if (o->fixed_reg != REG_NONE)
		return &c->regs[o->fixed_reg];
	if (operand >= in->form->n_explicit ||
	    (o->role != ROLE_NONE && o->role != ROLE_INDEX))
		return &c->regs[REG_NONE];
	/* Indices in general registers belong to the address. */
	return o->role == ROLE_INDEX &&
			       c->regs[in->reg[operand]].bank == BANK_GPR
		       ? &c->regs[REG_NONE]
		       : &c->regs[in->reg[operand]];
}

/* In a mix: the floats of a form with its own values, or of a register that is
 * a number of one type only. */
static bool has_floats(const struct values *v, const struct form *f,
		       const struct reg *r)
{
	return v->x->kind == EXPERIMENT_MIX && f->domain != DOMAIN_INT &&
	       (r->bank == BANK_FP || r->bank == BANK_X87 ||
		(r->bank == BANK_VECTOR && values_has(f)));
}

static int put_floats(struct values *v, const struct form *f,
		      const struct reg *r)
{
	struct pack_image own = { .memory_fill = 0 };
	int ret = ERR_OK;

	v->c->isa->init_image((enum form_domain)f->domain, &own);
	values_fill_family(f, &own);
	for (unsigned i = r->index; ret == ERR_OK && i < r->index + r->span &&
				    i < ARRAY_LEN(own.vector);
	     i++) {
		const struct reg one = { .bank = r->bank,
					 .index = (uint8_t)i,
					 .span = 1 };

		ret = put_register(v, &one,
				   r->bank == BANK_VECTOR
					   ? own.vector[i]
					   : (const uint8_t *)&own.fp[i],
				   f);
	}
	return ret;
}

static uint64_t number_of(const uint8_t value[VALUE_BYTES])
{
	uint64_t number;

	memcpy(&number, value, sizeof(number));
	return number;
}

/* The starting value of an operand of step `s` in op `op`, if it differs from
 * the image's. */
static bool value_in(const struct values *v, const struct form *f, int i,
		     enum reg_bank bank, size_t op, uint8_t value[VALUE_BYTES])
{
	const struct isa *isa = v->c->isa;
	bool own = isa->operand_value(f, i, bank, value);
	uint64_t number = own ? number_of(value) : 1;

	if ((bank != BANK_GPR && bank != BANK_FP) ||
	    v->x->kind == EXPERIMENT_MIX || !isa->vary ||
	    !isa->vary(f, i, (unsigned)(op % ISA_VARIED), &number))
		return own;
	values_repeat(number, sizeof(number), value);
	return true;
}

static int put_operands(struct values *v, const struct instance *in, size_t op)
{
	const struct form *f = in->form;
	uint8_t value[VALUE_BYTES];
	int ret = ERR_OK;

	for (int i = 0; i < f->n_operands && ret == ERR_OK; i++) {
		const struct reg *r = register_of(v->c, in, i);

		/* Results that nothing reads may share registers in a mix. */
		if (r->bank == BANK_NONE ||
		    (v->x->kind == EXPERIMENT_MIX && !f->operands[i].read))
			continue;
		if (value_in(v, f, i, (enum reg_bank)r->bank, op, value))
			ret = put_register(v, r, value, f);
		else if (has_floats(v, f, r))
			ret = put_floats(v, f, r);
	}
	return ret;
}

bool initial_same(const struct catalogue *c, const struct form *f, int i,
		  const struct form *g, int k)
{
	uint8_t x[VALUE_BYTES] = { 0 }, y[VALUE_BYTES] = { 0 };
	enum reg_bank bank =
		(enum reg_bank)c->classes[f->operands[i].reg_class].bank;
	bool own, its;

	if ((values_has(f) || values_has(g)) &&
	    (form_family(f) != form_family(g) || f->domain != g->domain))
		return false;
	if (!c->isa->operand_value)
		return true;
	own = c->isa->operand_value(f, i, bank, x);
	its = c->isa->operand_value(g, k, bank, y);
	return own == its && (!own || memcmp(x, y, VALUE_BYTES) == 0);
}

/* A copy restores the starting value of a register: the source of the copy
 * holds it throughout. */
static void put_copies(const struct catalogue *c, const struct experiment *x,
		       const struct assigned *a, struct pack_image *image)
{
	for (size_t s = 0; s < x->n_steps; s++) {
		const struct instance *in = &a->instances[0][s];

		if (x->steps[s].helper && c->isa->breaker_copy &&
		    strcmp(in->form->name, c->isa->breaker_copy) == 0)
			image->gpr[c->regs[in->reg[1]].index] =
				image->gpr[c->regs[in->reg[0]].index];
	}
}

/* The register's place in the image; NULL: its bank has no numbers. */
static uint64_t *place_of(const struct reg *r, struct pack_image *image)
{
	if (r->bank == BANK_GPR && r->index < ARRAY_LEN(image->gpr))
		return &image->gpr[r->index];
	if (r->bank == BANK_FP && r->index < ARRAY_LEN(image->fp))
		return &image->fp[r->index];
	return NULL;
}

/* The inverse of an odd number modulo 2^64: each step of Newton's method
 * doubles the number of right bits, of which the number itself has three. */
static uint64_t inverse_of(uint64_t odd)
{
	uint64_t inverse = odd;

	for (int bits = 3; bits < 64; bits *= 2)
		inverse *= 2 - odd * inverse;
	return inverse;
}

/* Registers that a carrier only reads: zero in the first of two; in the next,
 * what makes the starting value of the chain's source of that zero; in a third
 * one its factor. */
static void put_constants(const struct catalogue *c, const struct instance *in,
			  int source, uint64_t value, struct pack_image *image)
{
	for (int i = 0; i < in->form->n_explicit; i++) {
		const struct operand *o = &in->form->operands[i];
		uint64_t *at = place_of(&c->regs[in->reg[i]], image);

		if (o->kind == OPERAND_REG && o->read && !o->write &&
		    o->tied_to < 0 && i != source && at)
			*at = value;
	}
}

/* The step behind the one that adds, broken, reads what that would add. */
static void put_broken(const struct catalogue *c, const struct experiment *x,
		       const struct instance *in, size_t adds, uint64_t added,
		       struct pack_image *image)
{
	size_t s = adds + 1;

	if (s < experiment_measured(x) && s == experiment_broken_step(c, x))
		*place_of(&c->regs[in[s].reg[x->steps[s].src]], image) = added;
}

/* If neighbours must have different operands, the carrier's step `adds` gives
 * the source of the next op its starting value, divided by the carrier's
 * factor: times `inverse`. */
static void put_next_values(const struct catalogue *c,
			    const struct experiment *x, size_t adds,
			    uint64_t inverse, const struct assigned *a,
			    struct pack_image *image)
{
	const struct experiment_step *first = &x->steps[0];

	for (size_t op = 0; c->isa->vary && op < a->period; op++) {
		uint8_t value[VALUE_BYTES];
		uint64_t number = 1;

		if (c->isa->operand_value(first->form, first->src, BANK_GPR,
					  value))
			number = number_of(value);
		if (c->isa->vary(first->form, first->src,
				 (unsigned)((op + 1) % ISA_VARIED), &number)) {
			put_constants(c, &a->instances[op][adds],
				      x->steps[adds].src, number * inverse,
				      image);
			put_broken(c, x, a->instances[op], adds,
				   number * inverse, image);
		}
	}
}

static void put_carriers(const struct catalogue *c, const struct experiment *x,
			 const struct assigned *a, struct pack_image *image)
{
	const struct isa_carrier *k = experiment_carrier(c, x);
	const struct experiment_step *first = &x->steps[0];
	size_t last = experiment_measured(x) - 1, adds;
	const struct instance *in = a->instances[0];
	uint64_t *start, zero = 0, inverse;

	if (!k || last < 2)
		return;
	adds = k->factor > 0 ? last - 1 : last;
	inverse = k->factor > 0 ? inverse_of(k->factor) : 1;
	start = place_of(register_of(c, &in[0], first->src), image);
	if (!start)
		return;
	if (register_of(c, &in[0], first->src)->bank == BANK_FP)
		zero = values_boxed_zero(
			(enum form_domain)x->steps[1].form->domain);
	put_constants(c, &in[1], x->steps[1].src, zero, image);
	put_constants(c, &in[adds], x->steps[adds].src, *start * inverse,
		      image);
	put_broken(c, x, in, adds, *start * inverse, image);
	put_next_values(c, x, adds, inverse, a, image);
	if (k->factor > 0)
		put_constants(c, &in[last], x->steps[last].src, k->factor,
			      image);
	/* The step that adds, broken, adds to a zero, too. */
	if (adds == experiment_broken_step(c, x))
		*place_of(&c->regs[in[adds].reg[x->steps[adds].src]], image) =
			zero;
}

static int put_values(struct values *v, const struct assigned *a)
{
	int ret = ERR_OK;

	for (size_t op = 0; v->c->isa->operand_value && op < a->period; op++)
		for (size_t s = 0; s < v->x->n_steps; s++)
			if (!v->x->steps[s].helper && ret == ERR_OK)
				ret = put_operands(v, &a->instances[op][s], op);
	return ret;
}

int initial_image(const struct catalogue *c, const struct experiment *x,
		  const struct assigned *a, struct pack_image *ret,
		  struct err *e)
{
	const struct form *first = unite_domain(x);
	const struct form *stored = memory_form(c, x);
	struct values v = { .c = c, .x = x, .image = ret, .e = e };
	uint8_t memory[VALUE_BYTES];

	memset(ret, 0, sizeof(*ret));
	c->isa->init_image((enum form_domain)first->domain, ret);
	if (x->kind != EXPERIMENT_MIX)
		values_fill_family(first, ret);
	if (is_fused(x))
		values_fill_fused(first, ret);
	if (a->memory.pointers) {
		if (check_memory(c, x, stored, e) != ERR_OK)
			return e->code;
		memory_of(c, stored, is_fused(x), memory);
		init_memory(memory, &a->memory, ret);
	}
	/* A chain through zeros has zeros in all registers. */
	if (a->memory.all_zero)
		return ERR_OK;
	if (put_values(&v, a) != ERR_OK)
		return e->code;
	put_copies(c, x, a, ret);
	put_carriers(c, x, a, ret);
	return ERR_OK;
}
