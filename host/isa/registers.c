/* Registers and register classes of a catalogue: LLVM's, in the form that the
 * allocator needs.  Their indices are LLVM's numbers. */
#include "host/isa/build.h"
#include "host/isa/isa.h"

static struct reg *load_regs(struct build *b, size_t n)
{
	struct reg *regs =
		ARENA_ARRAY(b->arena, struct reg, n + flags_count(b->c->isa));

	regs[REG_NONE].name = "";
	for (size_t i = 1; i < n; i++) {
		struct mc_reg r;

		mc_get_reg(b->mc, i, &r);
		regs[i] = (struct reg){ .span = 1 };
		b->c->isa->classify_reg(r.name, r.encoding, &regs[i],
					&b->reserved[i]);
		regs[i].name = arena_strdup(b->arena, r.name);
	}
	build_flag_registers(b, regs, n);
	return regs;
}

static bool allocatable(const struct build *b, uint16_t reg)
{
	return !b->reserved[reg] && b->c->regs[reg].bank != BANK_NONE;
}

/* High bytes exclude a REX prefix and with it half of the registers.  They stay
 * only in classes that have no other member. */
static bool wants_high_bytes(const struct build *b, const struct mc_class *m)
{
	for (size_t i = 0; i < m->n_regs; i++)
		if (allocatable(b, m->regs[i]) &&
		    !b->c->regs[m->regs[i]].high_byte)
			return false;
	return true;
}

static void load_class(struct build *b, size_t index, struct reg_class *ret)
{
	struct mc_class m;

	mc_get_class(b->mc, index, &m);

	bool high_bytes = wants_high_bytes(b, &m);
	uint16_t *members = ARENA_ARRAY(b->arena, uint16_t, m.n_regs + 1);

	*ret = (struct reg_class){
		.name = arena_strdup(b->arena, m.name),
		.regs = members,
		.bits = (uint16_t)m.bits,
		.bank = BANK_NONE,
	};
	for (size_t i = 0; i < m.n_regs; i++) {
		const struct reg *r = &b->c->regs[m.regs[i]];

		/* The class keeps its bank even if every member is reserved. */
		if (ret->bank == BANK_NONE)
			ret->bank = r->bank;
		if (allocatable(b, m.regs[i]) && r->high_byte == high_bytes)
			members[ret->n_regs++] = m.regs[i];
	}
}

void build_registers(struct build *b)
{
	size_t n_regs = mc_n_regs(b->mc);
	size_t n_classes = mc_n_classes(b->mc);
	struct reg_class *classes =
		ARENA_ARRAY(b->arena, struct reg_class, n_classes);

	b->reserved = ARENA_ARRAY(b->arena, bool, n_regs);
	b->c->regs = load_regs(b, n_regs);
	b->c->n_regs = n_regs + flags_count(b->c->isa);
	for (size_t i = 0; i < n_classes; i++)
		load_class(b, i, &classes[i]);
	b->c->classes = classes;
	b->c->n_classes = n_classes;
}
