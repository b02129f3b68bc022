/* x86-64: variants of opcodes.
 *
 * LEA is several computations: how many of base, index, scale and displacement
 * there are decides what it costs.  The shapes have the names that reference
 * tables use, with a comma for their plus sign and an x for their star, which
 * mean something else in a label and in a record. */
#include <string.h>

#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/straddle.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

enum {
	NO_SHAPE,
	SHAPE_SAME,
	SHAPE_HIGH,
	SHAPE_CONDITION,
	SHAPE_LEA, /* the first of LEA's shapes */
};

enum lea_displacement { NONE = 0, DISP8 = 8, DISP32 = 1024 };

struct lea_shape {
	const char *base; /* class, "RIP", or NULL */
	uint8_t scale;    /* of the index, 0: there is none */
	uint16_t displacement;
};

/* If the base is RBP or R13, there is always a displacement; the class excludes
 * both. */
#define PLAIN_BASE "GR64_TC"

#define LEA_LIST(X)                                  \
	X("r64", PLAIN_BASE, 0, NONE)                \
	X("r64,disp8", PLAIN_BASE, 0, DISP8)         \
	X("r64,disp32", PLAIN_BASE, 0, DISP32)       \
	X("r64x8,disp32", NULL, 8, DISP32)           \
	X("r64,r64", PLAIN_BASE, 1, NONE)            \
	X("r64,r64,disp8", PLAIN_BASE, 1, DISP8)     \
	X("r64,r64,disp32", PLAIN_BASE, 1, DISP32)   \
	X("r64,r64x2", PLAIN_BASE, 2, NONE)          \
	X("r64,r64x4", PLAIN_BASE, 4, NONE)          \
	X("r64,r64x8", PLAIN_BASE, 8, NONE)          \
	X("r64,r64x8,disp8", PLAIN_BASE, 8, DISP8)   \
	X("r64,r64x8,disp32", PLAIN_BASE, 8, DISP32) \
	X("rip,disp32", "RIP", 0, DISP32)

static const struct lea_shape lea_shapes[] = {
#define X(suffix, base, scale, displacement) { base, scale, displacement },
	LEA_LIST(X)
#undef X
};

enum { N_LEA = ARRAY_LEN(lea_shapes) };

#define X(text, b, s, d) { .suffix = text, .family = FAMILY_ADDRESS },
static const struct variant lea_variants[N_LEA] = { LEA_LIST(X) };
#undef X

void x86_64_variants(const struct mc *mc, size_t opcode,
		     struct variant_list *ret)
{
	struct mc_opcode m;

	mc_get_opcode(mc, opcode, &m);
	if (!name_matches("LEA#*r", m.name))
		return;
	for (size_t i = 0; i < N_LEA; i++)
		variant_add(ret, &lea_variants[i]);
}

static void shape_register(struct operand *o, uint16_t reg_class)
{
	o->kind = OPERAND_REG;
	o->read = true;
	o->reg_class = reg_class;
}

static void shape_absent(struct operand *o)
{
	o->kind = OPERAND_OTHER;
	o->read = false;
}

/* The address is the computation. */
static void shape_lea(const struct catalogue *c, struct operand *ops,
		      const struct lea_shape *s)
{
	enum { BASE = 1, SCALE, INDEX, DISPLACEMENT, SEGMENT };

	if (!s->base)
		shape_absent(&ops[BASE]);
	else if (strcmp(s->base, "RIP") == 0)
		ops[BASE].fixed_reg = catalogue_register(c, s->base);
	else
		shape_register(&ops[BASE], catalogue_class(c, s->base));
	if (ops[BASE].fixed_reg != REG_NONE) {
		ops[BASE].kind = OPERAND_REG;
		ops[BASE].read = false;
	}
	if (s->scale)
		shape_register(&ops[INDEX], ops[INDEX].reg_class);
	else
		shape_absent(&ops[INDEX]);
	ops[SCALE].kind = OPERAND_IMM;
	operand_pin(&ops[SCALE], s->scale ? s->scale : 1);
	ops[DISPLACEMENT].kind = OPERAND_IMM;
	operand_pin(&ops[DISPLACEMENT], s->displacement);
	shape_absent(&ops[SEGMENT]);
}

/* The last source becomes the register of the one before it. */
static void shape_same(const struct form *f, struct operand *ops)
{
	int last = -1, before = -1;

	for (int i = 0; i < f->n_explicit; i++)
		if (ops[i].kind == OPERAND_REG && ops[i].read) {
			before = last;
			last = i;
		}
	if (before < 0) { /* a move */
		ops[last].tied_to = 0;
		return;
	}
	ops[last].tied_to =
		ops[before].tied_to >= 0 ? ops[before].tied_to : (int8_t)before;
	ops[last].read = false;
}

/* Conditions that read other flags than `equal` does, one of each pair of
 * opposites, and their codes. */
#define CONDITION_LIST(X) \
	X("o", 0)         \
	X("b", 2) X("be", 6) X("s", 8) X("p", 10) X("l", 12) X("le", 14)

#define X(text, code)                 \
	{ .suffix = text,             \
	  .family = FAMILY_CONDITION, \
	  .shape = SHAPE_CONDITION,   \
	  .reshapes = true },
static const struct variant conditions[] = { CONDITION_LIST(X) };
#undef X
#define X(text, code) code,
static const uint8_t condition_codes[] = { CONDITION_LIST(X) };
#undef X

static void add_conditions(const struct form *f, struct variant_list *ret)
{
	if (!name_matches_any(NAMES("SETCCr", "CMOV#rr"), f->name))
		return;
	for (size_t i = 0; i < ARRAY_LEN(conditions); i++)
		variant_add(ret, &conditions[i]);
}

/* A high byte excludes a REX prefix and the registers that need one. */
static void shape_high(const struct catalogue *c, const struct form *f,
		       struct operand *ops)
{
	static const struct {
		const char *from, *to;
	} classes[] = {
		{ "GR8", "GR8_ABCD_H" },
		{ "GR16", "GR16_NOREX" },
		{ "GR32", "GR32_NOREX" },
	};

	for (int i = 0; i < f->n_explicit; i++)
		for (size_t k = 0; k < ARRAY_LEN(classes); k++)
			if (ops[i].reg_class ==
			    catalogue_class(c, classes[k].from)) {
				ops[i].reg_class =
					catalogue_class(c, classes[k].to);
				break;
			}
}

void x86_64_shape_form(const struct catalogue *c, struct form *f,
		       struct operand *ops)
{
	const struct variant *v = f->variant;

	if (!v)
		return;
	if (v->family == FAMILY_ADDRESS)
		shape_lea(c, ops, &lea_shapes[v - lea_variants]);
	if (v->family == FAMILY_BRANCH)
		x86_64_shape_branch(c, f, ops);
	if (v->family == FAMILY_X87)
		x86_64_shape_x87(c, f, ops);
	if (v->family == FAMILY_STACK)
		x86_64_shape_stack(c, f, ops);
	if (v->family == FAMILY_STRING)
		x86_64_shape_string(c, f, ops);
	if (v->shape == SHAPE_SAME)
		shape_same(f, ops);
	if (v->shape == SHAPE_HIGH)
		shape_high(c, f, ops);
	if (v->shape == SHAPE_CONDITION)
		operand_pin(&ops[f->n_explicit - 1],
			    condition_codes[v - conditions]);
}

static const struct variant same = { .suffix = "same",
				     .family = FAMILY_SAME,
				     .shape = SHAPE_SAME,
				     .reshapes = true };
static const struct variant indexed = { .suffix = "index",
					.family = FAMILY_INDEX,
					.unchained = "for its slots alone" };
static const struct variant high = { .suffix = "high",
				     .family = FAMILY_HIGH,
				     .shape = SHAPE_HIGH,
				     .reshapes = true };
static const struct variant dirty = { .suffix = "dirty",
				      .family = FAMILY_DIRTY };
static const struct variant fast = { .suffix = "fast", .family = FAMILY_FAST };
static const struct variant slow = { .suffix = "slow", .family = FAMILY_SLOW };

/* Results that do not depend on the value of their single source, comparisons
 * with itself, and moves to the same register: idioms on some core (Intel
 * Optimization Manual, 3.5.1.7; AMD Software Optimization Guides, zero-cycle
 * moves and zeroing idioms).  A double shift of one register is a rotation, and
 * clang uses it as one; an Emerald Rapids was measured to take 1 cycle for it, and 3
 * for two registers. */
static const char *const idioms[] = {
	"XOR#rr",     "SUB#rr",      "SBB#rr",      "CMP#rr",      "AND#rr",
	"OR#rr",      "MOV#rr",      "CMOV#rr",     "PXORrr",      "XORP*rr",
	"PSUB*rr",    "PCMPEQ*rr",   "PCMPGT*rr",   "PANDNrr",     "ANDNP*rr",
	"PORrr",      "ORP*rr",      "MOVAP*rr",    "MOVUP*rr",    "MOVDQ*rr",
	"VPXOR*rr",   "VXORP*rr",    "VPSUB*rr",    "VPCMPEQ*rr",  "VPCMPGT*rr",
	"VPANDN*rr",  "VANDNP*rr",   "VMOVAP*rr",   "VMOVUP*rr",   "VMOVDQ*rr",
	"MMX_PXORrr", "MMX_PSUB*rr", "MMX_PCMP*rr", "MMX_PANDNrr", "KXOR*kk",
	"KXNOR*kk",   "KANDN*kk",    "SHLD#rri8",   "SHRD#rri8",   NULL,
};

/* Two sources of one kind, or one of the result's. */
static bool has_twins(const struct form *f)
{
	const struct operand *last = NULL, *before = NULL;

	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG) {
			before = last;
			last = &f->operands[i];
		}
	return before && before->reg_class == last->reg_class && last->read &&
	       last->tied_to < 0;
}

/* Registers only, one of them a byte, none that needs REX. */
static bool takes_high_bytes(const struct catalogue *c, const struct form *f)
{
	bool bytes = false;

	for (int i = 0; i < f->n_explicit; i++) {
		const struct operand *o = &f->operands[i];
		const char *name;

		if (o->kind == OPERAND_IMM)
			continue;
		if (o->kind != OPERAND_REG)
			return false;
		name = c->classes[o->reg_class].name;
		if (strcmp(name, "GR8") == 0)
			bytes = true;
		else if (strcmp(name, "GR16") != 0 && strcmp(name, "GR32") != 0)
			return false;
	}
	return bytes && strchr(f->name, '_') == NULL;
}

static bool divides(const struct form *f)
{
	return name_matches_any(NAMES("*DIV*", "*SQRT*"), f->name) &&
	       !name_matches("*RSQRT*", f->name);
}

/* Accesses that must be aligned, that lock the bus if unaligned, that are
 * non-temporal, or that go to several places. */
static const char *const aligned[] = {
	"LOCK_*",     "CMPXCHG#B", "LXADD*",   "LCMPXCHG*", "XCHG#rm",
	"CMPCCXADD*", "AADD*",     "AAND*",    "AOR*",      "AXOR*",
	"*MOVNT*",    "*MOVAP*",   "*MOVDQA*", "V*GATHER*", "V*SCATTER*",
	"PREFETCH*",  "MOVDIR*",   "BT*#mr",   "XLAT",      NULL,
};

/* Without VEX or EVEX 16 bytes must be aligned, except for unaligned moves. */
static bool may_straddle(const struct form *f)
{
	enum { SSE_BYTES = 16 };

	if (!f->access || name_matches_any(aligned, f->name))
		return false;
	return f->name[0] == 'V' || f->text_bytes < SSE_BYTES ||
	       name_matches_any(NAMES("MOVUP*", "MOVDQU*", "LDDQU*"), f->name);
}

static bool is_indexed(const struct form *f)
{
	for (const char *const *l = x86_64_indexed; *l; l++)
		if (strcmp(*l, f->name) == 0)
			return true;
	for (const struct isa_forward *l = x86_64_memory.forwards; l->load; l++)
		if (l->indexed && (strcmp(l->store, f->name) == 0 ||
				   strcmp(l->load, f->name) == 0))
			return true;
	return false;
}

void x86_64_derive(const struct catalogue *c, const struct form *f,
		   struct variant_list *ret)
{
	if (f->status == FORM_X87) {
		x86_64_x87_variants(f->name, ret);
		return;
	}
	if (f->status == FORM_STACK) {
		x86_64_stack_variants(f->name, ret);
		return;
	}
	if (f->status == FORM_MEMORY) {
		x86_64_string_variants(f->name, ret);
		return;
	}
	if (f->status == FORM_CONTROL_FLOW) {
		x86_64_branch_variants(f->name, ret);
		x86_64_stack_variants(f->name, ret);
		return;
	}
	values_families(f, divides(f), ret);
	if (name_matches_any(NAMES("DIV#*", "IDIV#*"), f->name)) {
		variant_add(ret, &fast);
		variant_add(ret, &slow);
	}
	if (has_twins(f) && name_matches_any(idioms, f->name))
		variant_add(ret, &same);
	if (takes_high_bytes(c, f))
		variant_add(ret, &high);
	if (x86_64_is_legacy_sse(c, f))
		variant_add(ret, &dirty);
	add_conditions(f, ret);
	if (is_indexed(f))
		variant_add(ret, &indexed);
	if (may_straddle(f))
		straddle_variants(f->text_bytes, ret);
	layout_variants(c->isa, f, ret);
	x86_64_fused(f, ret);
}

/* DIV and IDIV take the high and the low half of the dividend from two
 * registers (bytes: from AX) and leave remainder and quotient there.  With
 *
 *	divisor   (2^n - 1) / 3 + 1
 *	high      m
 *	low       3 m
 *
 * the remainder is m and the quotient 3 m again, whatever m is: with the
 * largest m that neither overflows, the quotient has all n bits (n - 1 where
 * it is signed), in every step.  Fast: 1 divided by 1. */
static uint64_t divide_value(const struct form *f, int operand, unsigned bits)
{
	uint64_t ones = UINT64_MAX >> (64 - bits);
	uint64_t most = f->name[0] == 'I' ? ones >> 1 : ones;
	uint64_t m = most / 3 - 1;
	bool slow_one = form_family(f) == FAMILY_SLOW;

	if (operand == OPERAND_MEMORY || operand < f->n_explicit)
		return slow_one ? ones / 3 + 1 : 1;
	if (bits == 8) /* AX */
		return slow_one ? m << bits | 3 * m : 1;
	if (operand == f->n_explicit) /* the accumulator comes first */
		return slow_one ? 3 * m : 1;
	return slow_one ? m : 0;
}

/* Indices 0 1 2 3, of 64 bits if the letter before the data's says so:
 * VGATHERQPS, VPSCATTERDQ. */
static bool index_value(const struct form *f, int operand,
			uint8_t ret[VALUE_BYTES])
{
	bool quads = name_matches_any(
		NAMES("VGATHERQ*", "VPGATHERQ*", "VSCATTERQ*", "VPSCATTERQ*"),
		f->name);
	size_t bytes = quads ? 8 : 4;

	if (operand < 0 || f->operands[operand].role != ROLE_INDEX)
		return false;
	for (size_t i = 0; i < VALUE_BYTES; i++)
		ret[i] = (uint8_t)(i % bytes == 0 ? i / bytes : 0);
	return true;
}

bool x86_64_operand_value(const struct form *f, int operand, enum reg_bank bank,
			  uint8_t ret[VALUE_BYTES])
{
	bool divide = name_matches_any(NAMES("DIV#*", "IDIV#*"), f->name);
	unsigned bits = 0;

	if (form_family(f) == FAMILY_X87)
		return x86_64_x87_value(f, operand, bank, ret);
	if (form_family(f) == FAMILY_STACK)
		return x86_64_stack_value(f, operand, ret);
	if (name_matches_any(NAMES("V*GATHER*", "V*SCATTER*"), f->name))
		return index_value(f, operand, ret);
	if (name_matches("V*MASKMOV*", f->name)) {
		/* The mask, and the loaded data, which becomes the mask in a
		 * chain. */
		memset(ret, 0xff, VALUE_BYTES);
		return bank == BANK_VECTOR || operand == OPERAND_MEMORY;
	}
	if (form_family(f) == FAMILY_HIGH) {
		/* A divisor in the high byte must not be zero either. */
		values_repeat(0x0101, sizeof(uint64_t), ret);
		return bank == BANK_GPR && operand >= 0 &&
		       operand < f->n_explicit;
	}
	if (form_family(f) == FAMILY_BRANCH)
		return x86_64_branch_value(f, bank, ret);
	if (!divide || !f->variant)
		return values_operand(f, operand, bank, ret) ||
		       x86_64_fused_value(f, operand, bank, ret);
	if (bank != BANK_GPR && operand != OPERAND_MEMORY)
		return false;
	for (const char *at = f->name; *at && bits == 0; at++)
		for (; *at >= '0' && *at <= '9'; at++)
			bits = bits * 10 + (unsigned)(*at - '0');
	values_repeat(divide_value(f, operand, bits), sizeof(uint64_t), ret);
	if (operand == OPERAND_MEMORY)
		values_repeat(divide_value(f, operand, bits), bits / 8, ret);
	return true;
}
