/* AArch64: contents of registers before the loop that no register image sets:
 * false predicates, the first-fault register, vectors of addresses, signed
 * addresses. */
#include "host/isa/aarch64.h"

#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/memory.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

enum { BYTES = 4 };

/* Code under construction; an instruction for which there is no room is
 * dropped. */
struct words {
	unsigned char *code;
	size_t n, room;
};

static void aarch64_prologue_add(struct words *w, uint32_t word)
{
	if (w->n + BYTES > w->room)
		return;
	values_put32(w->code + w->n, word);
	w->n += BYTES;
}

static void add_false(struct words *w)
{
	enum { N_PREDICATES = 16 };
	static const uint32_t pfalse = 0x2518e400; /* p0.b */

	for (uint32_t i = 0; i < N_PREDICATES; i++)
		aarch64_prologue_add(w, pfalse | i);
}

static bool reads_first_fault(const struct catalogue *c, const struct form *f)
{
	enum { FFR = 16 };

	for (int i = f->n_explicit; i < f->n_operands; i++) {
		const struct reg *r = &c->regs[f->operands[i].fixed_reg];

		if (r->bank == BANK_MASK && r->index == FFR &&
		    f->operands[i].read)
			return true;
	}
	return false;
}

static uint32_t number(const struct catalogue *c, const struct instance *i,
		       int operand)
{
	return c->regs[i->reg[operand]].index;
}

/* index z.d, base, #bytes: consecutive elements. */
static void add_addresses(const struct catalogue *c, const struct instance *i,
			  int vector, struct words *w)
{
	static const uint32_t index_d = 0x04e04400;

	aarch64_prologue_add(w, index_d | aarch64_element_bytes(i->form) << 16 |
					(uint32_t)c->isa->memory->base << 5 |
					number(c, i, vector));
}

/* pacdza base, pacdzb base: signed with the key that the load checks, and with
 * zero. */
static void add_signature(const struct catalogue *c, const struct instance *i,
			  struct words *w)
{
	static const uint32_t pacdza = 0xdac12be0, pacdzb = 0xdac12fe0;

	aarch64_prologue_add(
		w, (name_matches("LDRAA*", i->form->name) ? pacdza : pacdzb) |
			   number(c, i, form_part(i->form, ROLE_BASE)));
}

static bool is_signed(const struct form *f)
{
	return name_matches("LDRA*indexed", f->name);
}

/* Code that all forms need occurs once. */
size_t aarch64_prologue(const struct catalogue *c, const struct instance *i,
			size_t n, unsigned char *code, size_t room)
{
	static const uint32_t setffr = 0x252c9000;
	struct words w = { .code = code, .room = room };
	bool no_lanes = false, first_fault = false, is_done = false;

	for (size_t k = 0; k < n; k++) {
		no_lanes |= form_family(i[k].form) == FAMILY_NO_LANES;
		first_fault |= reads_first_fault(c, i[k].form);
	}
	if (no_lanes)
		add_false(&w);
	if (first_fault)
		aarch64_prologue_add(&w, setffr);
	for (size_t k = 0; k < n; k++) {
		int addresses = form_part(i[k].form, ROLE_ADDRESSES);

		if (addresses >= 0)
			add_addresses(c, &i[k], addresses, &w);
		if (!is_done && is_signed(i[k].form))
			add_signature(c, &i[k], &w);
		is_done |= is_signed(i[k].form);
	}
	return w.n;
}

static bool reads_predicates(const struct catalogue *c, const struct form *f)
{
	for (int i = 0; i < f->n_operands; i++) {
		const struct operand *o = &f->operands[i];

		if (o->read && operand_reg_bank(c, o) == BANK_MASK)
			return true;
	}
	return false;
}

static const char *clash_of(const struct catalogue *c, const struct form *a,
			    const struct form *b)
{
	/* Advanced SIMD is illegal in streaming mode, and so is much of SVE. */
	if (a->streaming && !b->streaming && b->vector_state)
		return "streaming mode";
	if (form_family(a) == FAMILY_NO_LANES &&
	    form_family(b) != FAMILY_NO_LANES && reads_predicates(c, b))
		return "predicates that are false";
	/* All of them use one base. */
	if (is_signed(a) &&
	    (form_part(b, ROLE_BASE) >= 0 ||
	     form_part(b, ROLE_ADDRESSES) >= 0) &&
	    strcmp(a->mnemonic, b->mnemonic) != 0)
		return "a signed base";
	return NULL;
}

const char *aarch64_clash(const struct catalogue *c, const struct form *a,
			  const struct form *b)
{
	const char *why = clash_of(c, a, b);

	return why ? why : clash_of(c, b, a);
}
