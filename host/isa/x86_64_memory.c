/* x86-64: the addresses of memory forms, and facts about loads. */
#include "host/isa/x86_64.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/memory.h"
#include "host/isa/variant.h"

enum {
	RSI = 6, /* implicit in string instructions only; they set it */
	SCALE = 1,
	INDEX,
	DISPLACEMENT,
	SEGMENT,
	N_PARTS,
};

/* LLVM has no model of the side effects of these, but they only compute and
 * store. */
static const char *const harmless[] = {
	"DIV#m*",
	"IDIV#m*",
	"MOVDIRI*",
	NULL,
};

static bool is_memory_register(const struct catalogue *c,
			       const struct operand *o, enum reg_bank bank)
{
	return o->kind == OPERAND_MEM && o->reg_class != CLASS_NONE &&
	       c->classes[o->reg_class].bank == bank;
}

static bool is_memory_number(const struct operand *o)
{
	return o->kind == OPERAND_MEM && o->reg_class == CLASS_NONE;
}

/* Base, scale, index, displacement, segment: one group, and no other part.
 * String instructions have another kind of address. */
static bool is_address(const struct catalogue *c, const struct operand *at,
		       unsigned room)
{
	bool vectors = room >= N_PARTS &&
		       is_memory_register(c, &at[INDEX], BANK_VECTOR);

	return room >= N_PARTS && is_memory_register(c, &at[0], BANK_GPR) &&
	       is_memory_number(&at[SCALE]) &&
	       (vectors || is_memory_register(c, &at[INDEX], BANK_GPR)) &&
	       is_memory_number(&at[DISPLACEMENT]) &&
	       at[SEGMENT].kind == OPERAND_MEM;
}

/* LLVM's flags, except: it marks prefetches and non-temporal stores as both;
 * and it has no flags for vextractf64x2 to memory (a store) and vexpandps from
 * memory (a load). */
static uint8_t access_of(const struct form *f)
{
	unsigned access = 0;

	if (name_matches("PREFETCH*", f->name))
		return ACCESS_LOAD;
	if (name_matches_any(NAMES("ST_F*", "IST*", "FNST*", "FBSTP*"),
			     f->name))
		return ACCESS_STORE;
	if (form_family(f) == FAMILY_X87)
		return ACCESS_LOAD;
	if (form_family(f) == FAMILY_STACK)
		return f->name[1] == 'U' ? ACCESS_LOAD : ACCESS_STORE;
	if (name_matches_any(NAMES("*MOVNT*mr", "MOVDIRI*"), f->name))
		return ACCESS_STORE;
	if (f->flags & MC_MAY_LOAD)
		access |= ACCESS_LOAD;
	if (f->flags & MC_MAY_STORE)
		access |= ACCESS_STORE;
	if (access == 0)
		access = name_matches("VEXTRACT*mr", f->name) ? ACCESS_STORE
							      : ACCESS_LOAD;
	return (uint8_t)access;
}

/* Indices are a vector, scaled by the elements' size.  The mask is set before
 * each instance, so its old value is not a source. */
static void open_vectors(const struct catalogue *c, struct form *f,
			 struct operand *ops, struct operand *at)
{
	bool wide = name_matches_any(NAMES("*GATHER*PD*", "*SCATTER*PD*",
					   "VPGATHERDQ*", "VPGATHERQQ*",
					   "VPSCATTERDQ*", "VPSCATTERQQ*"),
				     f->name);
	int mask = x86_64_consumed_mask(c, f, ops);

	if (c->classes[at[INDEX].reg_class].bank != BANK_VECTOR)
		return;
	operand_part(&at[INDEX], ROLE_INDEX);
	operand_pin(&at[SCALE], wide ? 8 : 4);
	for (int i = 0; i < f->n_explicit; i++)
		if (ops[i].tied_to == mask)
			ops[i].read = false;
}

bool x86_64_open_address(const struct catalogue *c, struct form *f,
			 struct operand *ops)
{
	struct operand *at = NULL;

	if (x86_64_open_string(c, f, ops))
		return true;
	for (unsigned i = 0; i < f->n_explicit; i++) {
		if (ops[i].kind != OPERAND_MEM)
			continue;
		if (at || !is_address(c, &ops[i], f->n_explicit - i))
			return false;
		at = &ops[i];
		i += N_PARTS - 1;
	}
	if (!at)
		return false;
	operand_part(at, ROLE_BASE);
	operand_part(&at[SCALE], ROLE_OTHER);
	operand_part(&at[INDEX], ROLE_OPTIONAL_INDEX);
	operand_part(&at[DISPLACEMENT], ROLE_DISPLACEMENT);
	operand_part(&at[SEGMENT], ROLE_OTHER);
	operand_pin(&at[SCALE], 1);
	operand_pin(&at[DISPLACEMENT], 0);
	at[SEGMENT].read = false;
	open_vectors(c, f, ops, at);
	f->access = access_of(f);
	if (name_matches_any(harmless, f->name))
		f->flags &= (uint8_t)~MC_SIDE_EFFECTS;
	return true;
}

/* "qword ptr [rax]{1to8}" */
static unsigned copies(const char *text)
{
	const char *at = strstr(text, "{1to");
	unsigned long n = at ? strtoul(at + 4, NULL, 10) : 1;

	return n >= 1 && n <= 64 ? (unsigned)n : 1;
}

/* "vaddpd ymm0, ymm1, ymmword ptr [rax]" */
unsigned x86_64_access_bytes(const char *text, unsigned *ret_data)
{
	static const struct {
		const char *word;
		unsigned bytes;
	} sizes[] = {
		{ "zmmword ptr", 64 }, { "ymmword ptr", 32 },
		{ "xmmword ptr", 16 }, { "tbyte ptr", 16 },
		{ "qword ptr", 8 },    { "dword ptr", 4 },
		{ "word ptr", 2 },     { "byte ptr", 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		if (strstr(text, sizes[i].word)) {
			*ret_data = sizes[i].bytes * copies(text);
			return sizes[i].bytes;
		}
	*ret_data = 0;
	return 0;
}

/* AVX2 keeps the mask in the second vector that is written, AVX-512 in a mask
 * register. */
int x86_64_consumed_mask(const struct catalogue *c, const struct form *f,
			 const struct operand *ops)
{
	int mask = -1;

	if (!name_matches_any(NAMES("V*GATHER*", "V*SCATTER*"), f->name))
		return -1;
	for (int i = 0; i < f->n_explicit; i++)
		if (ops[i].kind == OPERAND_REG && ops[i].write &&
		    (mask < 0 ||
		     c->classes[ops[mask].reg_class].bank == BANK_VECTOR))
			mask = i;
	return mask;
}

static const struct isa_forward forwards[] = {
	{ "MOV8mr", "MOV8rm", true, NULL },
	{ "MOV16mr", "MOV16rm", true, NULL },
	{ "MOV32mr", "MOV32rm", true, "ADD32rr@1>0" },
	{ "MOV64mr", "MOV64rm", true, "ADD64rr@1>0" },
	{ "MOVSSmr", "MOVSSrm", true, "MULSSrr_Int@1>0" },
	{ "MOVSDmr", "MOVSDrm", true, "MULSDrr_Int@1>0" },
	{ "MOVAPSmr", "MOVAPSrm", false, NULL },
	{ "MOVUPSmr", "MOVUPSrm", true, "MULPSrr@1>0" },
	{ "MOVDQAmr", "MOVDQArm", false, NULL },
	{ "MOVDQUmr", "MOVDQUrm", false, NULL },
	{ "VMOVSSmr", "VMOVSSrm", true, "VMULSSrr_Int@1>0" },
	{ "VMOVSDmr", "VMOVSDrm", true, "VMULSDrr_Int@1>0" },
	{ "VMOVUPSmr", "VMOVUPSrm", true, "VMULPSrr@1>0" },
	{ "VMOVDQUmr", "VMOVDQUrm", false, NULL },
	{ "VMOVUPSYmr", "VMOVUPSYrm", true, "VMULPSYrr@1>0" },
	{ "VMOVDQUYmr", "VMOVDQUYrm", false, NULL },
	{ "VMOVUPSZmr", "VMOVUPSZrm", true, "VMULPSZrr@1>0" },
	{ "VMOVDQU64Zmr", "VMOVDQU64Zrm", false, NULL },
	{ "MMX_MOVQ64mr", "MMX_MOVQ64rm", false, NULL },
	{ "KMOVBmk", "KMOVBkm", false, NULL },
	{ "KMOVWmk", "KMOVWkm", false, NULL },
	{ "KMOVDmk", "KMOVDkm", false, NULL },
	{ "KMOVQmk", "KMOVQkm", false, NULL },
	{ NULL, NULL, false, NULL },
};

static const struct isa_forward streams[] = {
	{ "MOV64mr", "MOV64rm", false, NULL },
	{ "MOVSDmr", "MOVSDrm", false, NULL },
	{ "MOVUPSmr", "MOVUPSrm", false, NULL },
	{ "VMOVUPSYmr", "VMOVUPSYrm", false, NULL },
	{ "VMOVUPSZmr", "VMOVUPSZrm", false, NULL },
	{ NULL, NULL, false, NULL },
};

/* Merging loads place the loaded value outside the low half. */
static const struct isa_return returns[] = {
	{ "*MOVH*", NULL },
	{ "*MOVL*", NULL },
	{ "MOVAP*rm", "MOVPQIto64rr" },
	{ "MOVUP*rm", "MOVPQIto64rr" },
	{ "MOVDQ*rm", "MOVPQIto64rr" },
	{ "MOVS*DUPrm", "MOVPQIto64rr" },
	{ "MOVSSrm", "MOVPQIto64rr" },
	{ "MOVSDrm", "MOVPQIto64rr" },
	{ "MOVDDUPrm", "MOVPQIto64rr" },
	{ "MOVDI2PDIrm", "MOVPQIto64rr" },
	{ "MOVQI2PQIrm", "MOVPQIto64rr" },
	{ "MOVNTDQArm", "MOVPQIto64rr" },
	{ "LDDQUrm", "MOVPQIto64rr" },
	{ "PMOVZX*rm", "MOVPQIto64rr" },
	{ "PMOVSX*rm", "MOVPQIto64rr" },
	{ "VMOV*rm", "VMOVPQIto64rr" },
	{ "VLDDQU*rm", "VMOVPQIto64rr" },
	{ "VBROADCAST*rm", "VMOVPQIto64rr" },
	{ "VPBROADCAST*rm", "VMOVPQIto64rr" },
	{ "VPMOVZX*rm", "VMOVPQIto64rr" },
	{ "VPMOVSX*rm", "VMOVPQIto64rr" },
	{ "MMX_MOVD64rm", "MMX_MOVD64from64rr" },
	{ "MMX_MOVQ64rm", "MMX_MOVD64from64rr" },
	{ "KMOVWkm", "KMOVWrk" },
	{ "KMOV*km", "KMOVQrk" },
	{ NULL, NULL },
};

/* Some cores save or merge upper halves between legacy SSE and VEX. */
static const struct isa_return ways[] = {
	{ "V*", "VMOVPQIto64rr" },
	{ NULL, NULL },
};

const struct isa_memory x86_64_memory = {
	.base = RSI,
	.pointer_loads = NAMES("MOV64rm"),
	/* Loads of zeros whose result is not zero: tzcnt, lzcnt: the width;
	 * blsmsk and similar: ones; bsf, bsr: undefined; APX's three-operand
	 * forms: mostly a larger number. */
	.nonzero_loads =
		NAMES("TZCNT*", "LZCNT*", "BLSMSK*", "BSF*", "BSR*", "BLC*",
		      "BLSFILL*", "T1MSKC*", "TZMSK*", "*_ND*"),
	.forwards = forwards,
	/* Golden Cove fuses these with a load right before them, and then does
	 * not rename the memory; with an immediate, or inc, it does both. */
	.operations =
		NAMES("ADD#rr", "SUB#rr", "AND#rr", "OR#rr", "XOR#rr", "NEG#r"),
	.streams = streams,
	/* With and without VEX and EVEX, by whether they read and write memory
	 * and registers. */
	.indexed = NAMES("ADD64rm", "CMP64rm", "ADD64mr", "MOV64mr", "ADDPDrm",
			 "MOVUPSmr", "VADDPDrm", "VADDPDYrm", "VADDPDZrm",
			 "VFMADD231PDm", "VFMADD231PDYm", "VFMADD231PDZm",
			 "VMOVUPSmr", "VMOVUPSYmr", "VMOVUPSZmr"),
	.slot = "XOR32rr/same",
	/* Of each width, and forms that rotate or add the accessed value. */
	.layouts = NAMES("MOV8mr", "MOV8rm", "MOV64mr", "MOV64rm", "MOVBE16mr",
			 "MOVBE16rm", "MOVUPSmr", "MOVUPSrm", "VMOVUPSYmr",
			 "VMOVUPSYrm", "VMOVUPSZmr", "VMOVUPSZrm", "ADD64mr",
			 "ADD64rm"),
	/* A displacement of 8 bits. */
	.shortest = INT8_MIN,
	.longest = INT8_MAX,
	.returns = returns,
	.add = "ADD64rr",
	.close = "AND64rr@1>0+LEA64r/r64,r64@1>0",
	/* With a LOCK prefix, explicit or implied (Intel SDM, volume 3A,
	 * 9.1.2.2). */
	.locked = NAMES("LOCK_*", "LXADD*", "LCMPXCHG*", "XCHG#rm"),
	.delay = "IMUL64rr@1>0",
	.uncached = NAMES("*MOVNT*mr", "*MOVNT*mr/*", "MOVNTS*", "MOVDIR*"),
	.ways = ways,
};
