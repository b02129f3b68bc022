/* AArch64: the addresses of memory forms, and what is known of loads. */
#include "host/isa/aarch64.h"

#include <string.h>

#include "host/isa/match.h"
#include "host/isa/mc.h"

enum { X17 = 17 };

static bool is_base(const struct catalogue *c, const struct operand *o)
{
	return o->kind == OPERAND_REG && o->read && !o->write &&
	       o->reg_class != CLASS_NONE &&
	       strcmp(c->classes[o->reg_class].name, "GPR64sp") == 0;
}

/* Loads and stores of elements that a vector of offsets names, but for those
 * that may stop at a fault. */
static bool takes_vector(const struct form *f)
{
	return name_matches("GLD1*", f->name) || name_matches("SST1*", f->name);
}

/* The part behind the base: an index, an offset or how to extend an index. */
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

/* Offsets of elements that follow each other, of 64 bits where the name says
 * so. */
bool aarch64_offset_value(const struct form *f, int operand,
			  uint8_t ret[VALUE_BYTES])
{
	static const struct name_rule widths[] = {
		{ "*_SCALED", 1 }, { "*1H*", 2 },  { "*1SH*", 2 },
		{ "*1W*", 4 },     { "*1SW*", 4 }, { "*1D*", 8 },
	};
	size_t bytes = (size_t)name_rule(widths, ARRAY_LEN(widths), f->name, 1);
	size_t lane =
		name_matches("*1D*", f->name) || name_matches("*_D*", f->name)
			? 8
			: 4;

	if (!takes_vector(f) || operand < 0 ||
	    f->operands[operand].role != ROLE_INDEX)
		return false;
	for (size_t i = 0; i < VALUE_BYTES; i++)
		ret[i] = i % lane == 0 ? (uint8_t)(i / lane * bytes) : 0;
	return true;
}

/* The base is the one operand that may be the stack pointer; the address
 * ends the instruction.  LLVM says of atomics and acquiring loads that they
 * do more than it models, which is their order. */
bool aarch64_open_address(const struct catalogue *c, struct form *f,
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
	/* Prefetch for a load, into the first cache, to be kept. */
	if (name_matches("PRF*", f->name))
		operand_pin(&ops[0], 0);
	f->access = access_of(f);
	f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	return true;
}

static const char *const pointer_loads[] = {
	"LDRXui",  "LDURXi",     "LDRXpost", "LDRXpre", "LDRXroX",
	"LDRXroW", "LDTRXi",     "LDARX",    "LDAPRX",  "LDAPURXi",
	"LDLARX",  "LDAPRXpost", NULL,
};

static const char *const nonzero_loads[] = { NULL };

static const struct isa_forward forwards[] = {
	{ "STRBBui", "LDRBBui" }, { "STRHHui", "LDRHHui" },
	{ "STRWui", "LDRWui" },   { "STRXui", "LDRXui" },
	{ "STRBui", "LDRBui" },   { "STRHui", "LDRHui" },
	{ "STRSui", "LDRSui" },   { "STRDui", "LDRDui" },
	{ "STRQui", "LDRQui" },   { "STR_ZXI", "LDR_ZXI" },
	{ NULL, NULL },
};

static const struct isa_return returns[] = {
	{ "LDRXui", NULL, NULL }, /* a pointer_load */
	{ "LDRBui", "FMOVDXr", "ADDXrs" },
	{ "LDRHui", "FMOVDXr", "ADDXrs" },
	{ "LDRSui", "FMOVDXr", "ADDXrs" },
	{ "LDRDui", "FMOVDXr", "ADDXrs" },
	{ "LDRQui", "FMOVDXr", "ADDXrs" },
	{ "LDR_ZXI", "FMOVDXr", "ADDXrs" },
	{ "LDR*ui", NULL, "ADDXrs" },
	{ "LDRBro*", "FMOVDXr", NULL },
	{ "LDRHro*", "FMOVDXr", NULL },
	{ "LDRSro*", "FMOVDXr", NULL },
	{ "LDRDro*", "FMOVDXr", NULL },
	{ "LDRQro*", "FMOVDXr", NULL },
	{ NULL, NULL, NULL },
};

const struct isa_memory aarch64_memory = {
	.base = X17,
	.pointer_loads = pointer_loads,
	.nonzero_loads = nonzero_loads,
	.forwards = forwards,
	.returns = returns,
};
