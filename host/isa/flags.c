/* Flags of a catalogue; see flags.h. */
#include "host/isa/flags.h"

#include <string.h>

#include "host/isa/build.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/variant.h"

static size_t count_flags(const struct isa_flags *k)
{
	size_t n = 0;

	while (k->names[n])
		n++;
	return n;
}

size_t flags_count(const struct isa *isa)
{
	return isa->flags ? count_flags(isa->flags) : 0;
}

static const struct flag_sets *find_sets(const struct isa_flags *k,
					 const char *name)
{
	const struct flag_row *r = k->rows;
	size_t n = strlen(k->prefix);

	if (strncmp(name, k->prefix, n) == 0)
		name += n;
	while (!name_matches_any(r->names, name))
		r++;
	return &r->sets;
}

int instance_condition(const struct isa *isa, const struct instance *i)
{
	const char *name = i->form->name;
	int last = i->form->n_explicit - 1;

	if (!isa->flags || last < 0 ||
	    find_sets(isa->flags, name)->reads != FLAGS_OF_CONDITION)
		return -1;
	return name_matches_any(isa->flags->leading, name) ? 0 : last;
}

static struct flag_sets sets_of(const struct isa *isa, const struct instance *i)
{
	const struct isa_flags *k = isa->flags;
	struct flag_sets s = *find_sets(k, i->form->name);
	int at = instance_condition(isa, i);

	if (at >= 0) {
		int64_t pair = i->imm[at] >> 1;

		s.reads = pair >= 0 && pair < k->n_conditions
				  ? k->conditions[pair]
				  : (uint8_t)((1u << count_flags(k)) - 1);
	}
	return s;
}

void build_condition(const struct build *b, const struct form *f,
		     struct operand *ops)
{
	const struct instance i = { .form = f };
	int at = form_has(f, OPERAND_LABEL) ? -1
					    : instance_condition(b->c->isa, &i);

	if (form_family(f) == FAMILY_PLAIN && at >= 0 &&
	    ops[at].kind == OPERAND_IMM)
		operand_pin(&ops[at], b->c->isa->flags->equal);
}

/* Add one register for each flag after LLVM's register, which overlaps all. */
void build_flag_registers(struct build *b, struct reg *regs, size_t n_regs)
{
	const struct isa_flags *k = b->c->isa->flags;
	size_t n = flags_count(b->c->isa);

	b->c->flags = REG_NONE;
	for (size_t r = 1; n > 0 && r < n_regs; r++)
		if (strcmp(regs[r].name, k->reg) == 0)
			regs[r].span = (uint8_t)n;
	for (size_t i = 0; i < n; i++)
		regs[n_regs + i] = (struct reg){
			.name = arena_printf(b->arena, "%s.%s", k->reg,
					     k->names[i]),
			.bank = BANK_FLAGS,
			.index = (uint8_t)i,
			.span = 1,
		};
	if (n > 0)
		b->c->flags = (uint16_t)n_regs;
}

int catalogue_flag(const struct catalogue *c, uint16_t reg)
{
	if (c->flags == REG_NONE || reg < c->flags || reg >= c->n_regs)
		return -1;
	return reg - c->flags;
}

static bool is_flags(const struct catalogue *c, const struct operand *o)
{
	return o->implicit && c->regs[o->fixed_reg].bank == BANK_FLAGS;
}

struct flag_sets instance_flags(const struct catalogue *c,
				const struct instance *i)
{
	struct flag_sets none = { 0 }, s;
	bool read = false, write = false;

	for (int k = i->form->n_explicit; k < i->form->n_operands; k++) {
		const struct operand *o = &i->form->operands[k];

		if (!is_flags(c, o))
			continue;
		read |= o->read;
		write |= o->write || o->keeps;
	}
	if (!c->isa->flags || (!read && !write))
		return none;
	s = sets_of(c->isa, i);
	if (!read)
		s.reads = 0;
	if (!write)
		s.writes = s.clears = s.keeps = 0;
	return s;
}

static struct operand flag_operand(const struct catalogue *c,
				   const struct flag_sets *s, unsigned flag)
{
	uint8_t bit = (uint8_t)(1u << flag);
	uint8_t chained = c->isa->flags->chained;
	bool covered = !(chained & bit) && (s->writes & chained);

	return (struct operand){
		.kind = OPERAND_REG,
		.implicit = true,
		.flag = true,
		.tied_to = -1,
		.reg_class = CLASS_NONE,
		.fixed_reg = (uint16_t)(c->flags + flag),
		.read = s->reads & bit,
		.write = (s->writes | s->clears) & bit,
		.keeps = s->keeps & bit,
		.constant = s->clears & bit,
		.unchained = (s->clears & bit) || covered,
	};
}

bool build_flags(const struct build *b, struct form *f, struct operand *ops)
{
	const struct catalogue *c = b->c;
	struct instance x = { .form = f };
	struct flag_sets s;
	uint8_t all, n = f->n_explicit;

	for (int i = 0; i < f->n_explicit; i++)
		x.imm[i] = ops[i].imm;
	s = instance_flags(c, &x);
	all = s.reads | s.writes | s.clears | s.keeps;
	for (int i = f->n_explicit; i < f->n_operands; i++)
		if (!c->isa->flags || !is_flags(c, &ops[i]))
			ops[n++] = ops[i];
	f->n_operands = n;
	for (unsigned i = 0; all >> i != 0; i++) {
		if (!(all >> i & 1))
			continue;
		if (f->n_operands == FORM_MAX_OPERANDS)
			return false;
		ops[f->n_operands++] = flag_operand(c, &s, i);
	}
	return true;
}

static bool has_conditions(const struct catalogue *c, const struct form *first)
{
	for (const struct form *f = first; f; f = form_next(c, f))
		if (form_family(f) == FAMILY_CONDITION)
			return true;
	return false;
}

const struct form *flags_condition_form(const struct catalogue *c,
					const struct form *first,
					const struct mc_inst *m)
{
	struct instance x = { .form = first };
	int at;

	/* Most have none, and to find the operand takes longer. */
	if (!has_conditions(c, first))
		return first;
	for (uint32_t k = 0; k < m->n && k < first->n_explicit; k++)
		x.imm[k] = m->value[k];
	at = instance_condition(c->isa, &x);
	for (const struct form *f = at < 0 ? NULL : first; f;
	     f = form_next(c, f))
		if ((form_family(f) == FAMILY_CONDITION ||
		     form_family(f) == FAMILY_PLAIN) &&
		    f->operands[at].imm >> 1 == x.imm[at] >> 1)
			return f;
	return first;
}
