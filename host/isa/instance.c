/* Instances to bytes and back.  The bytes are encoded from the MCInst, never
 * from text, because printers drop operands. */
#include "host/isa/instance.h"
#include "host/isa/build.h"
#include "host/isa/isa.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"

#include <string.h>

static bool is_register(const struct operand *o)
{
	return o->kind != OPERAND_IMM && o->reg_class != CLASS_NONE;
}

void instance_to_mc(const struct instance *i, struct mc_inst *ret)
{
	ret->opcode = i->form->opcode;
	ret->n = i->form->n_explicit;
	for (uint32_t k = 0; k < ret->n; k++) {
		bool reg = is_register(&i->form->operands[k]);

		ret->kind[k] = reg ? MC_VALUE_REG : MC_VALUE_IMM;
		ret->value[k] = reg ? i->reg[k] : i->imm[k];
	}
}

/* The same register under another name: some of LLVM's decoders return Q0 where
 * the form's class has D0, or V8 for a group that is V8M2 in a variant. The
 * opcode determines the width, the variant the group. */
static bool same_register(const struct instance *i, const struct catalogue *c,
			  int64_t a, int64_t b)
{
	const struct reg *x = &c->regs[a], *y = &c->regs[b];

	return a == b || (x->bank != BANK_NONE && x->bank == y->bank &&
			  x->index == y->index &&
			  (x->span == y->span || i->form->variant) &&
			  x->high_byte == y->high_byte);
}

/* Is operand k of the MCInst the register that the form always has there? */
static bool has_behind(const struct form *f, uint32_t k,
		       const struct mc_inst *m)
{
	return k < f->n_operands && f->operands[k].implicit &&
	       m->kind[k] == MC_VALUE_REG &&
	       m->value[k] == f->operands[k].fixed_reg;
}

bool instance_equals_mc(const struct catalogue *c, const struct instance *i,
			const struct mc_inst *m)
{
	struct mc_inst want;

	instance_to_mc(i, &want);
	if (want.opcode != m->opcode || want.n > m->n)
		return false;
	for (uint32_t k = want.n; k < m->n; k++)
		if (!has_behind(i->form, k, m))
			return false;
	for (uint32_t k = 0; k < want.n; k++)
		if (want.kind[k] != m->kind[k] ||
		    (want.kind[k] == MC_VALUE_REG
			     ? !same_register(i, c, want.value[k], m->value[k])
			     : want.value[k] != m->value[k]))
			return false;
	return true;
}

size_t instance_encode(const struct catalogue *c, const struct instance *i,
		       unsigned char *code, size_t room)
{
	struct mc_inst m;

	instance_to_mc(i, &m);
	return mc_encode(c->mc, &m, code, room);
}

/* The instance as the decoder returns it: unchanged, or the form after a prefix
 * with the same operands.  *ret_skip: bytes of prefix. */
static struct instance as_decoded(const struct catalogue *c,
				  const struct instance *i,
				  const unsigned char *code, size_t n,
				  size_t *ret_skip)
{
	struct instance seen = *i;
	char room[ISA_NAME_ROOM];
	const struct form *f = NULL;
	const char *name;

	*ret_skip = 0;
	name = c->isa->behind_prefix
		       ? c->isa->behind_prefix(i->form, code, n, room, ret_skip)
		       : NULL;
	if (name)
		f = catalogue_form(c, name);
	if (f && f->n_explicit == i->form->n_explicit)
		seen.form = f;
	return seen;
}

bool instance_survives(const struct catalogue *c, const struct instance *i,
		       enum mc_view view)
{
	unsigned char code[MC_MAX_CODE];
	struct instance seen;
	struct mc_inst m;
	size_t skip;
	size_t n = instance_encode(c, i, code, sizeof(code));

	if (n == 0)
		return false;
	seen = as_decoded(c, i, code, n, &skip);
	return mc_decode(c->mc, view, code + skip, n - skip, &m) == n - skip &&
	       instance_equals_mc(c, &seen, &m);
}

bool instance_round_trips(const struct catalogue *c, const struct instance *i)
{
	return instance_survives(c, i, MC_ALL);
}

/* How well does an instruction fit the form's shape of address?  -1: not at
 * all.  A point for each immediate that is equal, and one each if both or
 * neither are 1 (a scale that multiplies nothing) and fit in 8 bits; two if both
 * or neither are 0, because one more part costs more than another scale. */
static int fit(const struct form *f, const struct mc_inst *m)
{
	enum { SMALL = 128 };
	int score = 0;

	for (uint32_t k = 0; k < m->n && k < f->n_explicit; k++) {
		const struct operand *o = &f->operands[k];
		bool absent = m->value[k] == 0;

		if (o->kind == OPERAND_IMM) {
			score += o->imm == m->value[k];
			score += 2 * ((o->imm == 0) == absent);
			score += (o->imm == 1) == (m->value[k] == 1);
			score += (o->imm < SMALL) ==
				 (m->value[k] < SMALL && m->value[k] >= -SMALL);
		} else if ((o->kind == OPERAND_OTHER) != absent ||
			   (o->fixed_reg != REG_NONE &&
			    o->fixed_reg != m->value[k])) {
			return -1;
		}
	}
	return score;
}

/* The form of an instruction: the first of its opcode or, if forms differ in
 * the shape of their address, the closest. */
static const struct form *form_of(const struct catalogue *c,
				  const struct mc_inst *m)
{
	const struct form *f = &c->forms[c->by_opcode[m->opcode]];
	const struct form *best = f;
	int most = -1;

	if (form_family(f) != FAMILY_ADDRESS)
		return flags_condition_form(c, f, m);
	for (; f; f = form_next(c, f)) {
		int score = fit(f, m);

		if (score > most) {
			most = score;
			best = f;
		}
	}
	return best;
}

size_t instance_decode(const struct catalogue *c, const unsigned char *code,
		       size_t n, struct instance *ret)
{
	struct mc_inst m;
	size_t size = mc_decode(c->mc, MC_ALL, code, n, &m);

	if (size == 0)
		return 0;
	*ret = (struct instance){ 0 };
	if (m.opcode >= c->n_opcodes || c->by_opcode[m.opcode] == UINT32_MAX)
		return size;
	ret->form = form_of(c, &m);
	for (uint32_t k = 0; k < m.n && k < ret->form->n_explicit; k++) {
		if (m.kind[k] == MC_VALUE_REG)
			ret->reg[k] = (uint16_t)m.value[k];
		else
			ret->imm[k] = m.value[k];
	}
	return size;
}

bool instance_is_prefix(const struct form *f)
{
	/* Few forms have no operands in text, so few names are compared. */
	return f && f->n_explicit == 0 && name_matches("*_PREFIX", f->name);
}

/* The form that the prefixes make of an instruction.  Operands stay where both
 * have as many. */
static void add_prefixes(const struct catalogue *c, const unsigned char *code,
			 size_t n, struct instance *i)
{
	char room[ISA_NAME_ROOM];
	const char *name = c->isa->whole_form && i->form
				   ? c->isa->whole_form(i->form, code, n, room)
				   : NULL;
	struct instance whole = { .form = name ? catalogue_form(c, name)
					       : NULL };

	if (!name || whole.form == i->form)
		return;
	if (whole.form && whole.form->n_explicit == i->form->n_explicit)
		i->form = whole.form;
	else
		*i = whole;
}

size_t instance_decode_whole(const struct catalogue *c,
			     const unsigned char *code, size_t n,
			     struct instance *ret)
{
	struct instance next;
	size_t at = instance_decode(c, code, n, ret);

	while (at > 0 && at < n && at < MC_MAX_CODE &&
	       instance_is_prefix(ret->form)) {
		size_t size = instance_decode(c, code + at, n - at, &next);

		if (size == 0)
			return at;
		*ret = next;
		at += size;
	}
	if (at > 0 && !instance_is_prefix(ret->form))
		add_prefixes(c, code, at, ret);
	return at;
}

/* Append the text of one instruction. */
static size_t add_text(const struct catalogue *c, const unsigned char *code,
		       size_t n, char *text, size_t room, struct mc_inst *m)
{
	size_t size = mc_decode(c->mc, MC_ALL, code, n, m);
	size_t at = strlen(text);

	if (size > 0 && at > 0 && at + 1 < room) {
		text[at++] = ' ';
		text[at] = '\0';
	}
	if (size > 0 && at < room)
		mc_print(c->mc, m, text + at, room - at);
	return size;
}

size_t instance_text(const struct catalogue *c, const unsigned char *code,
		     size_t n, char *text, size_t room)
{
	struct mc_inst m;
	size_t at, size;

	if (room == 0)
		return instance_text(c, code, n, (char[1]){ "" }, 1);
	text[0] = '\0';
	at = size = add_text(c, code, n, text, room, &m);
	while (size > 0 && at < n && at < MC_MAX_CODE &&
	       m.opcode < c->n_opcodes &&
	       c->by_opcode[m.opcode] != UINT32_MAX &&
	       instance_is_prefix(&c->forms[c->by_opcode[m.opcode]])) {
		size = add_text(c, code + at, n - at, text, room, &m);
		at += size;
	}
	return at;
}
