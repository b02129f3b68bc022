/* AArch64: the addresses of memory forms, and facts about loads. */
#include "host/isa/aarch64.h"

#include <string.h>

#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/system.h"
#include "host/isa/values.h"

enum { X17 = 17 };

static bool is_base(const struct catalogue *c, const struct operand *o)
{
	return o->kind == OPERAND_REG && o->read && !o->write &&
	       o->reg_class != CLASS_NONE &&
	       strcmp(c->classes[o->reg_class].name, "GPR64sp") == 0;
}

/* Does a vector hold the address of each lane's element? */
static bool takes_vector(const struct form *f)
{
	return name_matches_any(
		NAMES("GLD*", "SST1*", "PRF*_D_*", "PRF*_S_*", "*_ZZR_*"),
		f->name);
}

bool aarch64_is_literal(const struct form *f)
{
	return name_matches("LDR*l", f->name) || name_matches("PRFMl", f->name);
}

/* Addresses of 64 bits, and a number that is added to each. */
static bool takes_addresses(const struct form *f)
{
	return takes_vector(f) &&
	       name_matches_any(NAMES("*_IMM", "*_PZI"), f->name);
}

/* Offsets of 64 bits or 32 in a vector, and the base behind it. */
static bool takes_base_last(const struct form *f)
{
	return name_matches_any(NAMES("*_ZZR_*", "GLD1Q", "SST1Q"), f->name);
}

/* The part after the base: an index, an offset or an extension of an index. */
static bool open_part(const struct catalogue *c, const struct form *f,
		      struct operand *o)
{
	enum reg_bank bank = takes_vector(f) ? BANK_VECTOR : BANK_GPR;

	if (o->kind == OPERAND_IMM) {
		operand_part(o, ROLE_OTHER);
		operand_pin(o, 0);
		return true;
	}
	if (o->kind != OPERAND_REG || o->reg_class == CLASS_NONE ||
	    c->classes[o->reg_class].bank != bank)
		return false;
	operand_part(o, ROLE_INDEX);
	return true;
}

static uint8_t access_of(const struct form *f)
{
	unsigned access = f->access;

	if (f->flags & MC_MAY_LOAD)
		access |= ACCESS_LOAD;
	if (f->flags & MC_MAY_STORE)
		access |= ACCESS_STORE;
	return (uint8_t)access;
}

static const struct name_rule widths[] = {
	{ NAMES("*_SCALED*"), 1 },
	{ NAMES("*1H*", "*1SH*"), 2 },
	{ NAMES("*1W*", "*1SW*"), 4 },
	{ NAMES("*1D*", "PRF*"), 8 },
};

unsigned aarch64_element_bytes(const struct form *f)
{
	return (unsigned)name_rule(widths, ARRAY_LEN(widths), f->name, 1);
}

/* Offsets of consecutive elements, of 64 bits if the name says so. */
bool aarch64_offset_value(const struct form *f, int operand,
			  uint8_t ret[VALUE_BYTES])
{
	bool wide = name_matches_any(NAMES("*1D*", "*1Q*", "*_D*"), f->name);

	if (!takes_vector(f) || operand < 0 ||
	    f->operands[operand].role != ROLE_INDEX)
		return false;
	values_steps(wide ? 8 : 4, aarch64_element_bytes(f), ret);
	return true;
}

/* The vector is the third operand except in prefetches; the number added to
 * each element ends the address. */
static bool open_vector(const struct catalogue *c, const struct form *f,
			struct operand *ops)
{
	int last = f->n_explicit - 1;
	const struct operand *v = &ops[last - 1];

	if (last < 1 || v->kind != OPERAND_REG || v->reg_class == CLASS_NONE ||
	    c->classes[v->reg_class].bank != BANK_VECTOR)
		return false;
	if (takes_base_last(f)) {
		operand_part(&ops[last - 1], ROLE_INDEX);
		operand_part(&ops[last], ROLE_BASE);
		return true;
	}
	operand_part(&ops[last - 1], ROLE_ADDRESSES);
	operand_part(&ops[last], ROLE_OTHER);
	operand_pin(&ops[last], 0);
	return true;
}

/* Only the base may be the stack pointer; the address ends the instruction. */
static bool open_base(const struct catalogue *c, const struct form *f,
		      struct operand *ops)
{
	int base = -1;

	for (int i = 0; i < f->n_explicit; i++) {
		if (!is_base(c, &ops[i]))
			continue;
		if (base >= 0)
			return false;
		base = i;
	}
	if (base < 0)
		return false;
	operand_part(&ops[base], ROLE_BASE);
	for (int i = base + 1; i < f->n_explicit; i++)
		if (!open_part(c, f, &ops[i]))
			return false;
	return true;
}

/* LLVM marks atomics and acquiring loads as having unmodelled side effects;
 * this is their ordering. */
bool aarch64_open_address(const struct catalogue *c, struct form *f,
			  struct operand *ops)
{
	bool vector = takes_base_last(f) || takes_addresses(f);

	if (system_is(f)) /* its shape says it */
		return true;
	if (!aarch64_is_literal(f) &&
	    !(vector ? open_vector(c, f, ops) : open_base(c, f, ops)))
		return false;
	/* Prefetch for load, into the first-level cache, keep. */
	if (name_matches("PRF*", f->name))
		operand_pin(&ops[0], 0);
	f->access = access_of(f);
	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	return true;
}

static const struct isa_forward forwards[] = {
	{ "STRBBui", "LDRBBui", false, NULL },
	{ "STRHHui", "LDRHHui", false, NULL },
	{ "STRWui", "LDRWui", false, NULL },
	{ "STRXui", "LDRXui", false, NULL },
	{ "STRBui", "LDRBui", false, NULL },
	{ "STRHui", "LDRHui", false, NULL },
	{ "STRSui", "LDRSui", false, NULL },
	{ "STRDui", "LDRDui", false, NULL },
	{ "STRQui", "LDRQui", false, NULL },
	{ "STR_ZXI", "LDR_ZXI", false, NULL },
	{ NULL, NULL, false, NULL },
};

static const struct isa_forward streams[] = {
	{ "STRXui", "LDRXui", false, NULL },
	{ "STRDui", "LDRDui", false, NULL },
	{ "STRQui", "LDRQui", false, NULL },
	{ NULL, NULL, false, NULL },
};

/* Loads of one lane are excluded: they keep the other lanes. */
static const struct isa_return returns[] = {
	{ "LDR_PXI", NULL },  { "LDR_ZXI", "FMOVDXr" }, { "LD#i#*", NULL },
	{ "LD*", "FMOVDXr" }, { "GLD*", "FMOVDXr" },    { NULL, NULL },
};

const struct isa_memory aarch64_memory = {
	.base = X17,
	.pointer_loads =
		NAMES("LDRXui", "LDURXi", "LDRXpost", "LDRXpre", "LDRXroX",
		      "LDRXroW", "LDTRXi", "LDARX", "LDAPRX", "LDAPURXi",
		      "LDLARX", "LDAPRXpost", "GLD1D_IMM", "GLDFF1D_IMM"),
	/* The address of an authenticated load is signed. */
	.nonzero_loads = NAMES("LDRA*"),
	.forwards = forwards,
	.streams = streams,
	.layouts = NAMES("LDRBBui", "STRBBui", "LDRXui", "STRXui", "LDRQui",
			 "STRQui", "LDADDX"),
	.returns = returns,
	.add = "ADDXrs",
	.close = "ANDXrs@1>0+ADDXrs@1>0",
};
