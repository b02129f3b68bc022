/* Fallback forms for missing model entries: forms of the same mnemonic, and
 * plain accesses of the same width. */
#include <string.h>

#include "host/isa/memory.h"
#include "host/predict/body.h"
#include "host/predict/load_store_mix.h"

/* How many places to search on each side in the catalogue, which is sorted by
 * name. Forms of one mnemonic are close to each other (VADDPDYrm, VADDPDYrr).
 * Register forms can be farther away, after all new encodings (XOR32mr,
 * XOR32mr_ND); forms of the same width farther still, after masked, broadcast
 * and variant forms. */
enum { NEAR_NAME = 12, NEAR_REGISTERS = 32, NEAR_WIDTH = 256 };

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

static bool fallback_has_rate(const struct model_form *f)
{
	return f->has_ports || f->throughput.has_value;
}

bool body_has_costs(const struct model_form *f)
{
	return f->n_latencies > 0 && fallback_has_rate(f);
}

/* Do x and f together have a latency and a throughput? */
static bool fallback_completes(const struct model_form *x,
			       const struct model_form *f)
{
	return (f->n_latencies > 0 || x->n_latencies > 0) &&
	       (fallback_has_rate(f) || fallback_has_rate(x));
}

static unsigned data_bits(const struct catalogue *c, const struct form *f)
{
	enum { SHORTEST = 128 }; /* bits; scalars use registers of this width */
	const struct operand *x = &f->operands[0];
	unsigned bits = f->n_explicit > 0 && x->reg_class != CLASS_NONE
				? c->classes[x->reg_class].bits
				: 0;

	return bits < SHORTEST ? SHORTEST : bits;
}

/* The variant with its slash, "/jcc,taken", or "". */
static const char *variant_of(const struct form *f)
{
	return f->name + strcspn(f->name, "/");
}

/* What a fallback must have in common with the form, in addition to the
 * mnemonic. */
struct likeness {
	bool access, width;
	ptrdiff_t far;
};

static bool fallback_is_like(const struct catalogue *c, const struct form *f,
			     const struct form *other, const struct likeness *l)
{
	return strcmp(other->mnemonic, f->mnemonic) == 0 &&
	       strcmp(variant_of(other), variant_of(f)) == 0 &&
	       (!l->access || other->access == f->access) &&
	       (!l->width || data_bits(c, other) == data_bits(c, f));
}

static const struct model_form *fallback_search(const struct body *b,
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
			    !fallback_is_like(c, f, &c->forms[k], l))
				continue;
			x = model_find(b->model, c->forms[k].name);
			if (x && fallback_completes(x, known))
				return x;
		}
	return NULL;
}

const struct model_form *body_find_fallback(const struct body *b,
					    const struct form *f,
					    const struct model_form *known)
{
	/* The width matters more than the distance of the names: a division of
	 * 32 bytes takes twice as long as one of 16. */
	static const struct likeness order[] = {
		{ true, true, NEAR_WIDTH },
		{ false, true, NEAR_WIDTH },
		{ true, false, NEAR_NAME },
		{ false, false, NEAR_NAME },
	};
	const struct model_form *found = NULL;

	for (size_t i = 0; !found && i < ARRAY_LEN(order); i++)
		found = fallback_search(b, f, known, &order[i]);
	return found;
}

static bool fallback_provides(const struct model_form *x, enum body_need what)
{
	if (what == NEED_LATENCY)
		return x->n_latencies > 0;
	return what == NEED_RATE ||
	       (x->has_ports && body_ports_are_consistent(x));
}

/* A plain load or store with a throughput in the model. */
struct plain_access {
	const struct form *form;
	const struct model_form *known;
	uint8_t bank; /* of the data register */
	bool store;
};

struct plain_accesses {
	size_t n;
	struct plain_access *list; /* NULL: not filled yet */
};

struct plain_accesses *body_open_plain_accesses(struct arena *a)
{
	return ARENA_NEW(a, struct plain_accesses);
}

static void add_plain(const struct body *b, const char *name, bool store)
{
	const struct catalogue *c = b->program->c;
	const struct form *form = catalogue_form(c, name);
	const struct model_form *x = model_find(b->model, name);

	if (form && x && x->throughput.has_value)
		b->plain_accesses->list[b->plain_accesses->n++] =
			(struct plain_access){
				.form = form,
				.known = x,
				.bank = access_bank(c, form),
				.store = store,
			};
}

/* Look the names up once per body, because every access needs them. */
static void find_plains(const struct body *b)
{
	const struct isa_forward *all = b->program->c->isa->memory->forwards;
	size_t n = 0;

	while (all && all[n].store)
		n++;
	b->plain_accesses->list =
		ARENA_ARRAY(b->a, struct plain_access, 2 * n + 1);
	for (size_t i = 0; i < n; i++) {
		add_plain(b, all[i].store, true);
		add_plain(b, all[i].load, false);
	}
}

const struct model_form *body_plain_access(const struct body *b,
					   const struct form *of, bool store,
					   enum body_need what)
{
	uint8_t bank = access_bank(b->program->c, of);
	const struct model_form *best = NULL;

	if (!b->plain_accesses->list)
		find_plains(b);
	for (size_t i = 0; i < b->plain_accesses->n; i++) {
		const struct plain_access *x = &b->plain_accesses->list[i];

		if (x->store != store || !fallback_provides(x->known, what) ||
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
					   enum body_need what)
{
	const struct catalogue *c = b->program->c;
	ptrdiff_t at = f - c->forms;

	for (ptrdiff_t d = 1; d <= NEAR_REGISTERS; d++)
		for (ptrdiff_t side = -1; side <= 1; side += 2) {
			ptrdiff_t k = at + side * d;
			const struct model_form *x;

			if (k < 0 || k >= (ptrdiff_t)c->n_forms ||
			    !computes_alike(c, f, &c->forms[k]))
				continue;
			x = model_find(b->model, c->forms[k].name);
			if (x && fallback_provides(x, what))
				return x;
		}
	return NULL;
}
