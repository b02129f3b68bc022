/* AArch64: programs under an emulator; which lanes of vectors they use, and
 * where SVE accesses memory. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/guest.h"
#include "host/isa/instance.h"
#include "host/isa/isa.h"
#include "host/isa/loop.h"
#include "host/isa/match.h"

/* ---- lanes ------------------------------------------------------------- */

/* Lanes in use, of the 128 bits of a V register; SVE's instructions
 * without a predicate use all lanes.
 *
 *	FADDv2f32	operation, elements, their type
 *	FADDSrr		operation, size of one element */

enum { V_BYTES = 16 };

/* On all elements that the name has. */
static const char *const vector_ops[] = {
	"ABS",    "ADD",    "AND",  "BIC",    "BIF",    "BIT",    "BSL",
	"CMEQ",   "CMGE",   "CMGT", "CMHI",   "CMHS",   "CMTST",  "DUP",
	"EOR",    "FABD",   "FABS", "FADD",   "FCMEQ",  "FCMGE",  "FCMGT",
	"FCVTZS", "FCVTZU", "FDIV", "FMAX",   "FMAXNM", "FMIN",   "FMINNM",
	"FMLA",   "FMLS",   "FMOV", "FMUL",   "FMULX",  "FNEG",   "FSQRT",
	"FSUB",   "LD1One", "LD1R", "LD1Two", "MLA",    "MLS",    "MOVI",
	"MUL",    "MVNI",   "NEG",  "NOT",    "ORN",    "ORR",    "SCVTF",
	"SHL",    "SMAX",   "SMIN", "SSHL",   "SSHR",   "ST1One", "ST1Two",
	"SUB",    "TRN1",   "TRN2", "UCVTF",  "UMAX",   "UMIN",   "USHL",
	"USHR",   "UZP1",   "UZP2", "ZIP1",   "ZIP2",   NULL,
};

/* On one element, with r or i behind its size. */
static const char *const scalar_ops[] = {
	"FABS",  "FADD",  "FCCMP",  "FCCMPE", "FCMP",   "FCMPE",
	"FCSEL", "FDIV",  "FMADD",  "FMAX",   "FMAXNM", "FMIN",
	"FMOV",  "FMUL",  "FMINNM", "FMSUB",  "FNEG",   "FNMADD",
	"FNMUL", "FSQRT", "FNMSUB", "FSUB",   NULL,
};

static const char *const accesses[] = {
	"LDR", "STR", "LDUR", "STUR", "LDP", "STP", "LDNP", "STNP", NULL,
};

static const char *const sve[] = {
	"ADD_ZZZ_*",  "SUB_ZZZ_*",  "MUL_ZZZ_*",  "FADD_ZZZ_*", "FSUB_ZZZ_*",
	"FMUL_ZZZ_*", "AND_ZZZ*",   "ORR_ZZZ*",   "EOR_ZZZ*",   "BIC_ZZZ*",
	"FMLA_ZZZI*", "FMLS_ZZZI*", "FMUL_ZZZI*", "ADD_ZI*",    "SUB_ZI*",
	"MUL_ZI*",    "LSL_ZZI*",   "LSR_ZZI*",   "ASR_ZZI*",   "DUP_ZR*",
	"DUP_ZI*",    "DUP_ZZI*",   "FDUP_ZI*",   "INDEX_*",    "LDR_ZXI*",
	"STR_ZXI*",   NULL,
};

static unsigned bytes_of(char letter)
{
	static const char letters[] = "bhsdq";
	const char *at = letter ? strchr(letters, tolower(letter)) : NULL;

	return at ? 1u << (at - letters) : 0;
}

/* v, a number of elements, and i or f and bits, or a letter; 0: no vector. */
static unsigned vector_bytes(const char *at)
{
	enum { BITS = 8 };
	char *end;
	unsigned long n = strtoul(at, &end, 10);
	unsigned size = bytes_of(*end);

	if (*end == 'i' || *end == 'f')
		size = (unsigned)strtoul(end + 1, NULL, 10) / BITS;
	return n * size <= V_BYTES ? (unsigned)n * size : 0;
}

static unsigned used_bytes(const char *name)
{
	const char *v = strchr(name, 'v');
	size_t n = strcspn(name, "abcdefghijklmnopqrstuvwxyz_/");

	while (v && !isdigit((unsigned char)v[1]))
		v = strchr(v + 1, 'v');
	if (v)
		return name_is_any(vector_ops, name, (size_t)(v - name))
			       ? vector_bytes(v + 1)
			       : 0;
	if (n < 2)
		return 0;
	if (name_is_any(accesses, name, n - 1) ||
	    ((name[n] == 'r' || name[n] == 'i') &&
	     name_is_any(scalar_ops, name, n - 1)))
		return bytes_of(name[n - 1]);
	return 0;
}

static struct guest_lanes lanes(const struct instance *i,
				const unsigned char *code, size_t n)
{
	const char *name = i->form->name;

	(void)code, (void)n;
	if (name_matches_any(sve, name))
		return lanes_fixed(1, 1);
	return lanes_fixed(used_bytes(name), V_BYTES);
}

/* ---- state ------------------------------------------------------------- */

/* Where SVE accesses memory, from the names and operands of forms.
 * QEMU 7.2 reports no access of contiguous, structure and gather forms to its
 * plugins.
 *
 *	LD1SB_H_IMM	prefix, size in memory (B), size in registers (H)
 *	GLD1W_D_SXTW_SCALED */

enum { DATA, PREDICATE, FIRST, SECOND };

enum kind { CONTIGUOUS, REPLICATED, GATHERED };

static const struct prefix {
	const char *text;
	uint8_t kind;
	uint8_t n; /* registers; or bytes that are replicated */
	bool store;
} prefixes[] = {
	{ "GLDFF1", GATHERED, 1, false },
	{ "GLD1", GATHERED, 1, false },
	{ "SST1", GATHERED, 1, true },
	{ "LDFF1", CONTIGUOUS, 1, false },
	{ "LDNF1", CONTIGUOUS, 1, false },
	{ "LDNT1", CONTIGUOUS, 1, false },
	{ "STNT1", CONTIGUOUS, 1, true },
	{ "LD1RQ_", REPLICATED, 16, false },
	{ "LD1RO_", REPLICATED, 32, false },
	{ "LD1", CONTIGUOUS, 1, false },
	{ "LD2", CONTIGUOUS, 2, false },
	{ "LD3", CONTIGUOUS, 3, false },
	{ "LD4", CONTIGUOUS, 4, false },
	{ "ST1", CONTIGUOUS, 1, true },
	{ "ST2", CONTIGUOUS, 2, true },
	{ "ST3", CONTIGUOUS, 3, true },
	{ "ST4", CONTIGUOUS, 4, true },
};

static const struct prefix *find_prefix(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (strncmp(name, prefixes[i].text, strlen(prefixes[i].text)) ==
		    0)
			return &prefixes[i];
	return NULL;
}

/* Size in bytes of a letter; 0: another letter. */
static unsigned size_of(char letter)
{
	return letter == 'B'   ? 1
	       : letter == 'H' ? 2
	       : letter == 'W' ? 4
	       : letter == 'D' ? 8
			       : 0;
}

/* A letter after an underscore, at the end or before another one. */
static bool has_part(const char *text, const char *part)
{
	const char *at = strstr(text, part);
	size_t n = strlen(part);

	return at && (at[n] == '\0' || at[n] == '_');
}

/* How many bytes a load that repeats one element (LD1RW_IMM) reads. */
static unsigned broadcast_bytes(const char *name)
{
	const char *at = name + strlen("LD1R");

	return size_of(at[*at == 'S']);
}

/* Both sizes of an element; false: a form of another kind. */
static bool read_sizes(const char *rest, struct guest_state *ret)
{
	unsigned memory;

	if (*rest == 'S' && size_of(rest[1]))
		rest++;
	memory = size_of(*rest++);
	if (memory == 0 || (*rest != '\0' && *rest != '_') ||
	    has_part(rest, "_Q") || has_part(rest, "_2Z") ||
	    has_part(rest, "_4Z"))
		return false;
	ret->memory_bytes = (uint8_t)memory;
	ret->element_bytes = (uint8_t)(has_part(rest, "_D")   ? 8
				       : has_part(rest, "_S") ? 4
				       : has_part(rest, "_H") ? 2
							      : memory);
	return true;
}

static uint8_t gpr(const struct catalogue *c, uint16_t reg)
{
	const struct reg *r = &c->regs[reg];

	return reg == REG_NONE || strcmp(r->name, "XZR") == 0
		       ? GUEST_NONE
		       : (uint8_t)(strcmp(r->name, "SP") == 0 ? 31 : r->index);
}

static uint8_t log2_of(unsigned n)
{
	return (uint8_t)__builtin_ctz(n);
}

static void gathered(const struct catalogue *c, const struct instance *i,
		     struct guest_state *ret)
{
	const char *name = i->form->name;
	bool extended = strstr(name, "XTW") != NULL;

	ret->address_bits = (uint8_t)(8 * ret->element_bytes);
	if (strstr(name, "_IMM")) {
		ret->addresses = c->regs[i->reg[FIRST]].index;
		ret->displacement =
			(int32_t)(i->imm[SECOND] * ret->memory_bytes);
	} else if (strstr(name, "_ZZR")) {
		ret->addresses = c->regs[i->reg[FIRST]].index;
		ret->base = gpr(c, i->reg[SECOND]);
	} else {
		ret->base = gpr(c, i->reg[FIRST]);
		ret->addresses = c->regs[i->reg[SECOND]].index;
		ret->address_bits = extended ? 32 : 64;
		ret->address_signed = strstr(name, "SXTW") != NULL;
		if (strstr(name, "_SCALED"))
			ret->address_shift = log2_of(ret->memory_bytes);
	}
	ret->early =
		!ret->store && c->regs[i->reg[DATA]].index == ret->addresses;
}

static void contiguous(const struct catalogue *c, const struct instance *i,
		       const struct prefix *p, struct guest_state *ret)
{
	const char *name = i->form->name;
	bool number = strstr(name, "_IMM") || strstr(name, "_ZRI");

	ret->base = gpr(c, i->reg[FIRST]);
	if (!number) {
		ret->index = gpr(c, i->reg[SECOND]);
		ret->index_shift = log2_of(ret->memory_bytes);
	} else if (p->kind == REPLICATED) {
		ret->displacement = (int64_t)i->imm[SECOND] * p->n;
	} else {
		ret->vectors = (int16_t)(i->imm[SECOND] * p->n);
	}
	if (p->kind == REPLICATED)
		ret->limit_bytes = p->n;
	else
		ret->n_registers = p->n;
}

static bool state(const struct catalogue *c, const struct instance *i,
		  struct guest_state *ret)
{
	const struct prefix *p = find_prefix(i->form->name);

	if (!p || i->form->n_explicit <= SECOND ||
	    c->regs[i->reg[PREDICATE]].bank != BANK_MASK)
		return false;
	*ret = (struct guest_state){
		.base = GUEST_NONE,
		.index = GUEST_NONE,
		.addresses = GUEST_NONE,
		.mask = c->regs[i->reg[PREDICATE]].index,
		.n_registers = 1,
		.store = p->store,
	};
	if (!read_sizes(i->form->name + strlen(p->text), ret))
		return false;
	if (p->kind == GATHERED || strstr(i->form->name, "_ZZR"))
		gathered(c, i, ret);
	else
		contiguous(c, i, p, ret);
	return true;
}

/* ---- instructions -------------------------------------------------------- */

static unsigned bytes(const struct catalogue *c, const struct instance *i)
{
	struct isa_address a;

	if (name_matches("LD1R*_IMM", i->form->name))
		return broadcast_bytes(i->form->name);
	return c->isa->loop->address(c, i, &a) ? a.bytes : 0;
}

static bool call(const struct catalogue *c, const struct instance *i,
		 size_t n_code, int64_t *ret_offset)
{
	enum { WORD = 4 };

	(void)c;
	(void)n_code;
	if (!name_matches("BL*", i->form->name))
		return false;
	*ret_offset = name_matches("BL", i->form->name) ? i->imm[0] * WORD : 0;
	return true;
}

static bool returns(const struct catalogue *c, const struct instance *i)
{
	(void)c;
	return name_matches("RET*", i->form->name);
}

const struct isa_guest aarch64_guest = {
	.emulator = "qemu-aarch64",
	.cpu = "max",
	.sysroot = "/usr/aarch64-linux-gnu",
	.elf_machine = 183,
	.exec_calls = { 221, 281 },
	.bytes = bytes,
	.call = call,
	.returns = returns,
	.lanes = lanes,
	.stops = NAMES("B", "BR*", "RET*", "BRK", "HLT", "UDF"),
	/* DC ZVA, and atomic instructions. */
	.accessing = NAMES("SYSxt", "LD*", "ST*", "CAS*", "SWP*"),
	.state = state,
	.state_program = "guest-state-aarch64",
	.state_mark = { 0x5f, 0x2f, 0x03, 0xd5 }, /* hint #122 */
	.n_state_mark = 4,
	.n_gprs = 31,
	.n_vectors = 32,
	.n_masks = 16,
	.other_gpr = GUEST_NONE,
};
