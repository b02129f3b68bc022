/* x86-64: variants of opcodes.
 *
 * LEA is several computations: how many of base, index, scale and displacement
 * there are decides what it costs.  The shapes have the names that reference
 * tables use, with a comma for their plus sign and an x for their star, which
 * mean something else in a label and in a record. */
#include <string.h>

#include "host/isa/branch.h"
#include "host/isa/layout.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"
#include "host/isa/x86_64.h"

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
static void shape_lea(const struct catalogue *c, struct form *f,
		      struct operand *ops)
{
	enum { BASE = 1, SCALE, INDEX, DISPLACEMENT, SEGMENT };
	const struct lea_shape *s = &lea_shapes[f->variant - lea_variants];

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
static void shape_same(const struct catalogue *c, struct form *f,
		       struct operand *ops)
{
	int last = -1, before = -1;

	(void)c;
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

/* A high byte excludes a REX prefix and the registers that need one. */
static void shape_high(const struct catalogue *c, struct form *f,
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

/* A divisor in the high byte must not be zero either. */
static bool high_value(const struct form *f, int operand, enum reg_bank bank,
		       uint8_t ret[VALUE_BYTES])
{
	values_repeat(0x0101, sizeof(uint64_t), ret);
	return bank == BANK_GPR && operand >= 0 && operand < f->n_explicit;
}

const struct isa_family x86_64_address = { shape_lea, NULL, NULL };
const struct isa_family x86_64_same = { shape_same, NULL, NULL };
const struct isa_family x86_64_high = { shape_high, NULL, high_value };

/* Results that do not depend on the value of their single source, comparisons
 * with itself, and moves to the same register: idioms on some core (Intel
 * Optimization Manual, 3.5.1.7; AMD Software Optimization Guides, zero-cycle
 * moves and zeroing idioms).  A double shift of one register is a rotation, and
 * clang uses it as one; an Emerald Rapids was measured to take 1 cycle for it,
 * and 3 for two registers. */
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
static bool has_twins(const struct catalogue *c, const struct form *f,
		      const struct variant *v)
{
	const struct operand *last = NULL, *before = NULL;

	(void)c, (void)v;
	for (int i = 0; i < f->n_explicit; i++)
		if (f->operands[i].kind == OPERAND_REG) {
			before = last;
			last = &f->operands[i];
		}
	return before && before->reg_class == last->reg_class && last->read &&
	       last->tied_to < 0;
}

/* Registers only, one of them a byte, none that needs REX. */
static bool takes_high_bytes(const struct catalogue *c, const struct form *f,
			     const struct variant *v)
{
	bool bytes = false;

	(void)v;
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

/* A legacy SSE instruction has a vector register and no VEX, XOP or EVEX. */
bool x86_64_is_legacy_sse(const struct catalogue *c, const struct form *f)
{
	return f->name[0] != 'V' && form_uses(c, f, BANK_VECTOR);
}

static bool is_legacy_sse(const struct catalogue *c, const struct form *f,
			  const struct variant *v)
{
	(void)v;
	return x86_64_is_legacy_sse(c, f);
}

static bool divides_floats(const struct catalogue *c, const struct form *f,
			   const struct variant *v)
{
	return values_floats(c, f, v) && !name_matches("*RSQRT*", f->name);
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
unsigned x86_64_straddles(const struct form *f)
{
	enum { SSE_BYTES = 16 };

	if (name_matches_any(aligned, f->name))
		return 0;
	return f->name[0] == 'V' || f->text_bytes < SSE_BYTES ||
			       name_matches_any(
				       NAMES("MOVUP*", "MOVDQU*", "LDDQU*"),
				       f->name)
		       ? f->text_bytes
		       : 0;
}

static bool is_indexed(const struct catalogue *c, const struct form *f,
		       const struct variant *v)
{
	(void)c, (void)v;
	if (name_matches_any(x86_64_memory.indexed, f->name))
		return true;
	for (const struct isa_forward *l = x86_64_memory.forwards; l->load; l++)
		if (l->indexed && (strcmp(l->store, f->name) == 0 ||
				   strcmp(l->load, f->name) == 0))
			return true;
	return false;
}

/* Conditions that read other flags than `equal` does, one of each pair of
 * opposites, by their codes. */
#define CONDITION(word, code) CONDITION_CODE(word, code, "SETCCr", "CMOV#rr")

/* With an instruction that moves the stack pointer back. */
#define BALANCED(word, kind, ...)                                     \
	VARIANT(NAMES(__VA_ARGS__), NULL, word, STACK, .shape = kind, \
		.reshapes = true,                                     \
		.unchained = "a pair with what moves the stack pointer back")

/* Base, scale: the operand behind the base. */
#define SCALED(word, n) SCALED_INDEX("MOV64rm", word, n, 2, n)

/* One width represents all: 64 bits. */
const struct variant_rule x86_64_rules[] = {
	/* The renamer of a Golden Cove adds 1 at six a cycle, up to 1,023 at
	 * two a cycle, and leaves what is larger to an adder.
	 * Rotations by one take twice as long as others on a Golden Cove; those
	 * through the carry are a few uops for one, more for any other. */
	NUMBER_CLASS("one", 1, 1, 1, "ADD64ri8", "SUB64ri8", "ROL64ri",
		     "ROR64ri", "RCL64ri", "RCR64ri", "SHL64ri", "SHR64ri",
		     "SAR64ri"),
	NUMBER_CLASS("small", 511, 0, 1023, "ADD64ri32", "SUB64ri32"),
	CONDITION("o", 0),
	CONDITION("b", 2),
	CONDITION("be", 6),
	CONDITION("s", 8),
	CONDITION("p", 10),
	CONDITION("l", 12),
	CONDITION("le", 14),
	TAKEN("JMP_1", "JMP_4", "JCC_1", "JCC_4", "JRCXZ", "JECXZ", "LOOP",
	      "LOOPNE"),
	TAKEN_CLOSE("JMP_1", "JCC_1"),
	TAKEN_DENSE("JMP_1", "JCC_1"),
	NOT_TAKEN("JCC_1", "JCC_4", "JRCXZ", "JECXZ", "LOOPE"),
	NEXT("JMP64r"),
	RETURN("CALL64pcrel32", "CALL64r"),
	FUSED(x86_64_fuses, "jcc,taken", BRANCH_LINE, false),
	FUSED(x86_64_fuses, "jcc,not-taken", 0, false),
	/* Segments, and encodings that no 64-bit mode has, are left out. */
	BALANCED("lea", X86_64_UP_8, "PUSH64r*", "PUSH64i*", "PUSHF64",
		 "ENTER"),
	BALANCED("lea", X86_64_UP_2, "PUSH16r*", "PUSH16i*", "PUSHF16"),
	BALANCED("lea", X86_64_DOWN_8, "POP64r*"),
	BALANCED("lea", X86_64_DOWN_2, "POP16r*"),
	BALANCED("lea", X86_64_FRAME, "LEAVE64"),
	BALANCED("pushf", X86_64_FLAGS, "POPF64"),
	/* Forms that can follow each other.  A LEAVE needs a frame that was
	 * entered, and a return needs a call. */
	VARIANT(NAMES("PUSH64r*", "PUSH64i*", "PUSHF64", "PUSH16r*", "PUSH16i*",
		      "PUSHF16", "PUSHFS64", "PUSHGS64", "ENTER",
		      "CALL64pcrel32", "CALL64r", "POP64r*", "POP16r*",
		      "POPF64"),
		NULL, "alone", STACK, .shape = X86_64_ALONE, .reshapes = true,
		.unchained = "its results go to memory"),
	VARIANT(NAMES("POP64r"), NULL, "push", STACK, .shape = X86_64_THROUGH,
		.reshapes = true),
	VARIANT(NAMES("LODSB", "LODSW", "LODSL", "LODSQ", "STOSB", "STOSW",
		      "STOSL", "STOSQ", "SCASB", "SCASW", "SCASL", "SCASQ",
		      "MOVSB", "MOVSW", "MOVSL", "MOVSQ", "CMPSB", "CMPSW",
		      "CMPSL", "CMPSQ"),
		NULL, "mov", STRING, .reshapes = true,
		.unchained = "a pair with what sets its pointers"),
	SCALED("x2", 2),
	SCALED("x4", 4),
	SCALED("x8", 8),
	DIVISIONS(NAMES("*DIV*", "*SQRT*"), divides_floats),
	DIVISIONS(NAMES("DIV#*", "IDIV#*"), NULL),
	VARIANT(idioms, has_twins, "same", SAME, .reshapes = true),
	VARIANT(NAMES("*"), takes_high_bytes, "high", HIGH, .reshapes = true),
	VARIANT(NAMES("*"), is_legacy_sse, "dirty", DIRTY),
	VARIANT(NAMES("*"), is_indexed, "index", INDEX,
		.unchained = "for its slots alone"),
	{ .names = NULL },
};

/* Arithmetic, logic, comparisons and constants on general registers.  The
 * numbers are odd, so that products never become zero, and need all the bytes
 * of their immediate: 8, 4, 2, 1.  Shifts, rotations, numbers of bits: more
 * than four, the most in an address, and fewer than eight. */
const struct isa_usual_numbers x86_64_usual_numbers[] = {
	{ NAMES("ADD#*", "ADC#*", "SUB#*", "SBB#*", "AND#*", "OR#*", "XOR#*",
		"CMP#*", "TEST#*", "IMUL#*", "MOV#*i*", "LOCK_ADD#*",
		"LOCK_*SUB#*", "LOCK_AND#*", "LOCK_OR#*", "LOCK_XOR#*"),
	  { 0x123456789abcdef, 0x12345679, 0x1235, 101 },
	  4 },
	{ NAMES("ROL#*i*", "ROR#*i*", "RCL#*i*", "RCR#*i*", "SHL#*i*",
		"SHR#*i*", "SAR#*i*", "SHLD#*i*", "SHRD#*i*", "RORX#*",
		"BT#*i*", "BTC#*i*", "BTR#*i*", "BTS#*i*"),
	  { 5 },
	  1 },
	{ .names = NULL },
};
