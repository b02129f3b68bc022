/* RISC-V: the addresses of scalar memory forms, and facts about loads. */
#include "host/isa/riscv64.h"

#include "host/isa/catalogue.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/system.h"

enum { X15 = 15 }; /* a5, one of the eight that compressed forms can name */

/* LLVM calls the register of prefetches no part of an address. */
static bool is_base(const struct form *f, const struct operand *o, int i)
{
	return o->kind == OPERAND_MEM ||
	       (i == 0 && name_matches("PREFETCH_*", f->name));
}

/* One base register, then the offset if there is one.  All later operands are
 * data. */
bool riscv64_open_address(const struct catalogue *c, struct form *f,
			  struct operand *ops)
{
	int base = -1;

	if (system_is(f)) /* its shape says it */
		return true;
	if (riscv64_thead_open(f, ops))
		return true;
	for (int i = 0; i < f->n_explicit; i++) {
		if (!is_base(f, &ops[i], i))
			continue;
		if (base >= 0 || ops[i].reg_class == CLASS_NONE ||
		    c->classes[ops[i].reg_class].bank != BANK_GPR)
			return false;
		base = i;
	}
	if (base < 0)
		return false;
	operand_part(&ops[base], ROLE_BASE);
	if (base + 1 < f->n_explicit && ops[base + 1].kind == OPERAND_IMM) {
		operand_part(&ops[base + 1], ROLE_OTHER);
		operand_pin(&ops[base + 1], 0);
	}
	if (name_matches("V*X*EI#_V*", f->name))
		operand_part(&ops[base + 1], ROLE_INDEX);
	/* LLVM marks a reservation as a store. */
	if (name_matches("LR_*", f->name))
		f->flags = MC_MAY_LOAD;
	f->access = (uint8_t)((f->flags & MC_MAY_LOAD ? ACCESS_LOAD : 0) |
			      (f->flags & MC_MAY_STORE ? ACCESS_STORE : 0));
	if (name_matches("PREFETCH_*", f->name))
		f->access = ACCESS_LOAD;
	return f->access != 0;
}

static const struct isa_forward forwards[] = {
	{ "SB", "LB", false, NULL },   { "SH", "LH", false, NULL },
	{ "SW", "LW", false, NULL },   { "SD", "LD", false, NULL },
	{ "FSH", "FLH", false, NULL }, { "FSW", "FLW", false, NULL },
	{ "FSD", "FLD", false, NULL }, { NULL, NULL, false, NULL },
};

static const struct isa_forward streams[] = {
	{ "SD", "LD", false, NULL },
	{ "FSD", "FLD", false, NULL },
	{ NULL, NULL, false, NULL },
};

static const struct isa_return returns[] = {
	{ "FLD", "FMV_X_D" }, { "C_FLD", "FMV_X_D" }, { "FLW", "FMV_X_W" },
	{ "FLH", "FMV_X_H" }, { NULL, NULL },
};

const struct isa_memory riscv64_memory = {
	.base = X15,
	.pointer_loads =
		NAMES("LD", "C_LD", "TH_LRD", "TH_LURD", "TH_LDIA", "TH_LDIB"),
	.nonzero_loads = (const char *const[]){ NULL },
	.forwards = forwards,
	.streams = streams,
	.layouts = NAMES("LB", "SB", "LD", "SD", "FLD", "FSD", "AMOADD_D"),
	.returns = returns,
	.add = "ADD",
	.close = "AND@1>0+ADD@1>0",
};
