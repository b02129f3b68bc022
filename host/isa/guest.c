/* What instructions do to memory and control flow; see guest.h. */
#include "host/isa/guest.h"

#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"

static void control_flow(const struct catalogue *c, const struct instance *i,
			 size_t n_code, struct guest_insn *ret)
{
	const struct isa_guest *g = c->isa->guest;
	const char *name = i->form->name;

	ret->direct = c->isa->loop->jump(c, i, n_code, &ret->offset);
	ret->calls = g->call(c, i, n_code, &ret->offset);
	ret->returns = g->returns(c, i);
	ret->direct |= ret->calls && ret->offset != 0;
	ret->branch =
		ret->direct || ret->calls || (i->form->flags & MC_CONTROL_FLOW);
	ret->falls = ret->calls || !name_matches_any(g->stops, name);
}

/* LLVM's decoder returns some prefixes as instructions: skip them. */
static size_t decode_last(const struct catalogue *c, const unsigned char *code,
			  size_t n, struct instance *ret)
{
	size_t at = 0, size;

	do {
		size = instance_decode(c, code + at, n - at, ret);
		at += size;
	} while (size > 0 && at < n);
	return size > 0 ? at : 0;
}

static void find_mark(const struct catalogue *c, const struct instance *i,
		      const unsigned char *code, size_t n,
		      struct guest_insn *ret)
{
	const struct isa_loop *l = c->isa->loop;
	enum { BEGINS = 111, ENDS = 222 };

	ret->marks = n == l->n_marker && memcmp(code, l->marker, n) == 0;
	for (unsigned k = 0; k < i->form->n_explicit; k++)
		if (i->imm[k] == BEGINS || i->imm[k] == ENDS)
			ret->constant = (uint8_t)i->imm[k];
}

void guest_decode(const struct catalogue *c, const unsigned char *code,
		  size_t n, struct guest_insn *ret)
{
	struct instance i;
	const struct form *f;
	size_t size = decode_last(c, code, n, &i);

	*ret = (struct guest_insn){ .accesses = true, .falls = true };
	if (size == 0 || !i.form)
		return;
	f = i.form;
	ret->known = true;
	ret->vector =
		form_uses(c, f, BANK_VECTOR) || form_uses(c, f, BANK_MASK);
	ret->loads = (f->flags & MC_MAY_LOAD) || (f->access & ACCESS_LOAD);
	ret->stores = (f->flags & MC_MAY_STORE) || (f->access & ACCESS_STORE);
	if (f->access) {
		ret->loads = f->access & ACCESS_LOAD;
		ret->stores = f->access & ACCESS_STORE;
	}
	control_flow(c, &i, size, ret);
	find_mark(c, &i, code, n, ret);
	ret->accesses = ret->loads || ret->stores || form_has(f, OPERAND_MEM) ||
			name_matches_any(c->isa->guest->accessing, f->name);
	ret->bytes = (uint16_t)c->isa->guest->bytes(c, &i);
	ret->lanes = c->isa->guest->lanes(&i, code, n);
	if (ret->lanes.kind != LANES_SETS_LENGTH &&
	    !form_uses(c, f, BANK_VECTOR))
		ret->lanes = (struct guest_lanes){ 0 };
	if (c->isa->guest->state && c->isa->guest->state(c, &i, &ret->state))
		ret->state.any = ret->accesses = true;
	if (ret->state.any &&
	    (!ret->state.limit_bytes || ret->state.mask_signs))
		ret->lanes.kind = LANES_STATE;
}

const struct isa *guest_isa(const unsigned char *bytes, size_t n)
{
	/* System V ABI, chapter 4: class, byte order and e_machine. */
	static const unsigned char start[] = { 0x7f, 'E', 'L', 'F', 2, 1 };
	enum { MACHINE = 18 };

	if (n < MACHINE + 2 || memcmp(bytes, start, sizeof(start)) != 0)
		return NULL;
	for (size_t i = 0; isas[i]; i++)
		if (isas[i]->guest &&
		    isas[i]->guest->elf_machine ==
			    (bytes[MACHINE] | bytes[MACHINE + 1] << 8))
			return isas[i];
	return NULL;
}
