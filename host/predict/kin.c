/* Forms that stand in for what the model does not know of another: those of the
 * same mnemonic, and plain accesses as wide. */
#include <string.h>

#include "host/isa/memory.h"
#include "host/predict/beside.h"
#include "host/predict/body.h"

/* Names of kin stand beside each other: VADDPDYrm, VADDPDYrr.  Those between
 * registers are behind all that new encodings add: XOR32mr, XOR32mr_ND; those
 * as wide behind all that masks, broadcasts and variants add. */
enum { FAR = 12, FAR_REGISTERS = 32, FAR_WIDTH = 256 };

const struct model_form *body_find_form(const struct model *m,
					const struct form *f)
{
	const struct model_form *found = model_find(m, f->name);
	size_t n = strcspn(f->name, "/");
	char name[ISA_NAME_ROOM];

	if (found || f->name[n] == '\0' || n >= sizeof(name))
		return found;
	memcpy(name, f->name, n);
	name[n] = '\0';
	return model_find(m, name);
}

static bool has_rate(const struct model_form *f)
{
	return f->has_ports || f->throughput.has_value;
}

bool body_is_whole(const struct model_form *f)
{
	return f->n_latencies > 0 && has_rate(f);
}

/* Does it know what the other does not? */
static bool completes(const struct model_form *x, const struct model_form *f)
{
	return (f->n_latencies > 0 || x->n_latencies > 0) &&
	       (has_rate(f) || has_rate(x));
}

static unsigned data_bits(const struct catalogue *c, const struct form *f)
{
	enum { SHORTEST = 128 }; /* scalars are computed in such registers */
	const struct operand *x = &f->operands[0];
	unsigned bits = f->n_explicit > 0 && x->reg_class != CLASS_NONE
				? c->classes[x->reg_class].bits
				: 0;

	return bits < SHORTEST ? SHORTEST : bits;
}

/* "/jcc,taken", or nothing. */
static const char *variant_of(const struct form *f)
{
	return f->name + strcspn(f->name, "/");
}

/* What a stand-in has in common with a form beside the mnemonic. */
struct likeness {
	bool access, width;
	ptrdiff_t far;
};

static bool is_like(const struct catalogue *c, const struct form *f,
		    const struct form *other, const struct likeness *l)
{
	return strcmp(other->mnemonic, f->mnemonic) == 0 &&
	       strcmp(variant_of(other), variant_of(f)) == 0 &&
	       (!l->access || other->access == f->access) &&
	       (!l->width || data_bits(c, other) == data_bits(c, f));
}

static const struct model_form *kin_beside(const struct body *b,
					   const struct form *f,
					   const struct model_form *known,
					   const struct likeness *l)
{
	const struct catalogue *c = b->program->c;
	ptrdiff_t at = f - c->forms;

	for (ptrdiff_t d = 1; d <= l->far; d++)
		for (ptrdiff_t side = -1; side <= 1; side += 2) {
			ptrdiff_t k = at + side * d;
			const struct model_form *x;

			if (k < 0 || k >= (ptrdiff_t)c->n_forms ||
			    !is_like(c, f, &c->forms[k], l))
				continue;
			x = model_find(b->model, c->forms[k].name);
			if (x && completes(x, known))
				return x;
		}
	return NULL;
}

const struct model_form *body_find_kin(const struct body *b,
				       const struct form *f,
				       const struct model_form *known)
{
	/* A division of 32 bytes takes twice as long as one of 16, so that
	 * width tells more than how far names are apart. */
	static const struct likeness order[] = {
		{ true, true, FAR_WIDTH },
		{ false, true, FAR_WIDTH },
		{ true, false, FAR },
		{ false, false, FAR },
	};
	const struct model_form *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_LEN(order); i++)
		found = kin_beside(b, f, known, &order[i]);
	return found;
}

static bool lends(const struct model_form *x, enum body_lend what)
{
	if (what == LEND_LATENCY)
		return x->n_latencies > 0;
	return what == LEND_RATE || (x->has_ports && body_ports_can_be(x));
}

/* A plain store or load that the model has a throughput of. */
struct plain {
	const struct form *form;
	const struct model_form *known;
	uint8_t bank; /* of the register */
	bool store;
};

struct plains {
	size_t n;
	struct plain *list; /* NULL: nobody has asked */
};

struct plains *body_open_plains(struct arena *a)
{
	return ARENA_NEW(a, struct plains);
}

static void add_plain(const struct body *b, const char *name, bool store)
{
	const struct catalogue *c = b->program->c;
	const struct form *form = catalogue_form(c, name);
	const struct model_form *x = model_find(b->model, name);

	if (form && x && x->throughput.has_value)
		b->plains->list[b->plains->n++] = (struct plain){
			.form = form,
			.known = x,
			.bank = beside_bank(c, form),
			.store = store,
		};
}

/* Names are looked up once for a body: every access asks. */
static void find_plains(const struct body *b)
{
	const struct isa_forward *all = b->program->c->isa->memory->forwards;
	size_t n = 0;

	while (all && all[n].store)
		n++;
	b->plains->list = ARENA_ARRAY(b->a, struct plain, 2 * n + 1);
	for (size_t i = 0; i < n; i++) {
		add_plain(b, all[i].store, true);
		add_plain(b, all[i].load, false);
	}
}

const struct model_form *body_plain_access(const struct body *b,
					   const struct form *of, bool store,
					   enum body_lend what)
{
	uint8_t bank = beside_bank(b->program->c, of);
	const struct model_form *best = NULL;

	if (!b->plains->list)
		find_plains(b);
	for (size_t i = 0; i < b->plains->n; i++) {
		const struct plain *x = &b->plains->list[i];

		if (x->store != store || !lends(x->known, what) ||
		    x->form->access_bytes != of->access_bytes ||
		    (bank != BANK_NONE && x->bank != bank))
			continue;
		if (!best || x->known->throughput.low < best->throughput.low)
			best = x->known;
	}
	return best;
}

static bool computes_alike(const struct catalogue *c, const struct form *f,
			   const struct form *other)
{
	return !other->access && strcmp(other->mnemonic, f->mnemonic) == 0 &&
	       strcmp(variant_of(other), variant_of(f)) == 0 &&
	       data_bits(c, other) == data_bits(c, f);
}

const struct model_form *body_in_registers(const struct body *b,
					   const struct form *f,
					   enum body_lend what)
{
	const struct catalogue *c = b->program->c;
	ptrdiff_t at = f - c->forms;

	for (ptrdiff_t d = 1; d <= FAR_REGISTERS; d++)
		for (ptrdiff_t side = -1; side <= 1; side += 2) {
			ptrdiff_t k = at + side * d;
			const struct model_form *x;

			if (k < 0 || k >= (ptrdiff_t)c->n_forms ||
			    !computes_alike(c, f, &c->forms[k]))
				continue;
			x = model_find(b->model, c->forms[k].name);
			if (x && lends(x, what))
				return x;
		}
	return NULL;
}
