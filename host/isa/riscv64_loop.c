/* RISC-V: analysis of compiled loops. */
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/riscv64.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

/* nop, which OSACA documents as a marker after `li a1, 111`. */
static const unsigned char marker[] = { 19, 0, 0, 0 };

static const struct name_rule sizes[] = {
	{ NAMES("FLW", "FSW", "LW*", "SW", "C_LW*", "C_SW*"), 4 },
	{ NAMES("FLD", "FSD", "LD", "SD", "C_FLD*", "C_FSD*", "C_LD*", "C_SD*"),
	  8 },
	{ NAMES("FLH", "FSH", "LH*", "SH", "C_LH*", "C_SH*"), 2 },
	{ NAMES("LB*", "SB", "C_LB*", "C_SB*"), 1 },
};

static unsigned access_size(const char *name)
{
	return (unsigned)name_rule(sizes, ARRAY_LEN(sizes), name, 0);
}

static bool vector_access(const struct form *f, struct isa_address *ret)
{
	int base = form_part(f, ROLE_BASE);

	if (base < 0)
		return false;
	*ret = (struct isa_address){ .base = base, .index = -1, .scale = 1 };
	return true;
}

static bool address(const struct catalogue *c, const struct instance *i,
		    struct isa_address *ret)
{
	unsigned bytes = access_size(i->form->name);

	(void)c;
	if (riscv64_thead_address(i, ret))
		return true;
	if (bytes == 0 || i->form->n_explicit != 3)
		return vector_access(i->form, ret);
	*ret = (struct isa_address){
		.base = 1,
		.index = -1,
		.scale = 1,
		.displacement = i->imm[2],
		.bytes = bytes,
	};
	return true;
}

static bool is_zero(const struct catalogue *c, uint16_t reg)
{
	return strcmp(c->regs[reg].name, "X0") == 0;
}

static bool riscv64_loop_step(const struct catalogue *c,
			      const struct instance *i, struct isa_step *ret)
{
	const char *name = i->form->name;

	if (riscv64_thead_step(i, ret))
		return true;
	*ret = (struct isa_step){ .source = i->reg[1] };
	if (name_matches_any(
		    NAMES("ADDI", "C_ADDI16SP", "C_ADDI4SPN", "C_ADDI"),
		    name)) {
		ret->add = i->imm[2];
		if (is_zero(c, ret->source))
			ret->source = REG_NONE;
		return true;
	}
	if (strcmp(name, "C_LI") == 0) {
		ret->source = REG_NONE;
		ret->add = i->imm[1];
		return true;
	}
	if (strcmp(name, "ADD") == 0 && is_zero(c, i->reg[1])) {
		ret->source = i->reg[2];
		return true;
	}
	return strcmp(name, "C_MV") == 0;
}

static bool jump(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	const char *name = i->form->name;

	(void)n_code;
	if (!name_matches_any(NAMES("BEQ", "BNE", "BLT*", "BGE*", "C_BEQZ",
				    "C_BNEZ", "C_J", "JAL"),
			      name) ||
	    (strcmp(name, "JAL") == 0 && !is_zero(c, i->reg[0])))
		return false;
	*ret_offset = i->imm[i->form->n_explicit - 1];
	return true;
}

/* auipc x, 0; jalr y, 0(x) becomes jal y ("RISC-V ABIs Specification", linker
 * relaxation, R_RISCV_CALL_PLT), where y is x, or zero. */
static size_t relax(const unsigned char *code, size_t n, unsigned char ret[4])
{
	enum { BYTES = 8, WORD = 4, REG = 0x1f, RD = 7, RS1 = 15 };
	enum { AUIPC = 0x17, JALR = 0x67 };
	uint32_t first, second, to;

	if (n < BYTES)
		return 0;
	memcpy(&first, code, WORD);
	memcpy(&second, code + WORD, WORD);
	to = second >> RD & REG;
	if ((first & 0xfffff07f) != AUIPC || (second & 0xfff0707f) != JALR ||
	    (second >> RS1 & REG) != (first >> RD & REG) ||
	    (to != 0 && to != (first >> RD & REG)))
		return 0;
	values_put32(ret, riscv64_jump(0) | to << RD);
	return BYTES;
}

/* Is an operand the mask v0? */
static bool is_masked(const struct catalogue *c, const struct instance *i)
{
	const struct form *f = i->form;
	int last = f->n_explicit - 1;

	return last >= 0 && i->reg[last] != REG_NONE &&
	       f->operands[last].reg_class != CLASS_NONE &&
	       strcmp(c->classes[f->operands[last].reg_class].name, "VMV0") ==
		       0;
}

/* The variant whose result is in the register of source k.  One factor is as
 * good as another, and a source without a variant as the one that has it. */
static const struct form *same_as(const struct catalogue *c,
				  const struct form *f, int k)
{
	const struct form *best = NULL;
	int shape = -1; /* of the best */

	for (const struct form *at = f; at; at = form_next(c, at)) {
		if (form_family(at) != FAMILY_SAME_REGISTER || !at->variant)
			continue;
		if (!best || at->variant->shape == k ||
		    (shape != k && at->variant->shape < k)) {
			best = at;
			shape = at->variant->shape;
		}
	}
	return best;
}

/* The variant whose result is in the register of a source; NULL: there is none,
 * or the result is in another register. */
static const struct form *same_register(const struct catalogue *c,
					const struct instance *i)
{
	for (int k = i->form->n_explicit - 1; k > 0; k--)
		if (i->form->operands[k].kind == OPERAND_REG &&
		    i->reg[k] == i->reg[0])
			return same_as(c, i->form, k);
	return NULL;
}

/* Width and grouping are the low six bits of vtype (V 1.0, 3.4); tail and mask
 * policy do not distinguish forms.  The state is vtype + 1. */
static const struct form *variant(const struct catalogue *c,
				  const struct instance *i, uint32_t *state)
{
	enum { WIDTH_AND_GROUP = 0x3f };
	const struct form *f = i->form;
	bool masked;

	if (strncmp(f->name, "VSETVLI", 7) == 0 ||
	    strncmp(f->name, "VSETIVLI", 8) == 0)
		*state = (uint32_t)i->imm[2] + 1;
	else if (strncmp(f->name, "VSETVL", 6) == 0)
		*state = 0;
	if (!f->variant) {
		const struct form *same = same_register(c, i);

		return same ? same : f;
	}
	if (*state == 0)
		return f;
	masked = is_masked(c, i);
	for (const struct form *at = f; at; at = form_next(c, at))
		if (at->variant && at->variant->family == FAMILY_VECTOR &&
		    ((at->variant->vector_type ^ (*state - 1)) &
		     WIDTH_AND_GROUP) == 0 &&
		    at->variant->masked == masked)
			return at;
	return f;
}

const struct isa_loop riscv64_loop = {
	.comment = "#",
	.marker = marker,
	.n_marker = sizeof(marker),
	.code_unit = 2,
	.zero_gpr = 0,
	.stack_gpr = -1,
	.step = riscv64_loop_step,
	.address = address,
	.jump = jump,
	.relax = relax,
	.variant = variant,
};
