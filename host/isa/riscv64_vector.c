/* RISC-V V 1.0: which vector types an opcode has, and the register groups
 * they make of its operands.
 *
 * A group of 2, 4 or 8 registers starts at a multiple of its size; LLVM's
 * classes VRM2, VRM4 and VRM8 are these groups.  An operand's group follows
 * from LMUL and the ratio of its element width to SEW (spec, 5.2 "Vector
 * Operands").  That groups of one instruction do not overlap in any way the
 * spec reserves is the allocator's business: operands get disjoint registers,
 * and a chain alternates between disjoint groups. */
#include "host/isa/riscv64.h"

#include <stdio.h>
#include <string.h>

#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/mc.h"
#include "host/isa/values.h"
#include "host/isa/variant.h"

/* Logarithms throughout: SEW of 8 to 64 bits is 3 to 6, LMUL of 1/8 to 8 is
 * -3 to 3. */
enum {
	SEW_MIN = 3,
	LMUL_MIN = -3,
	LMUL_MAX = 3,
	N_TYPES = 22,
};

enum {
	E8 = 1 << 0,
	E16 = 1 << 1,
	E32 = 1 << 2,
	E64 = 1 << 3,
	INTS = E8 | E16 | E32 | E64,
	FLOATS = E16 | E32 | E64,
	HALF_INTS = E8 | E16 | E32, /* of which twice the width exists */
	HALF_FLOATS = E16 | E32,
};

/* vtype: vma, vta, vsew[2:0], vlmul[2:0] (spec, 3.4).  Tail and mask agnostic:
 * results do not depend on the destination's old value. */
#define VTYPE(sew, lmul) (0xc0 | ((sew)-SEW_MIN) << 3 | ((lmul)&7))

#define TYPE(sew, lmul, text)                                      \
	{ .suffix = text,                                          \
	  .family = FAMILY_VECTOR,                                 \
	  .vector_type = VTYPE(sew, lmul) },                       \
	{                                                          \
		.suffix = text ",masked", .family = FAMILY_VECTOR, \
		.vector_type = VTYPE(sew, lmul), .masked = true    \
	}

/* SEW must not exceed LMUL * ELEN (spec, 3.4.2). */
static const struct variant types[2 * N_TYPES] = {
	TYPE(3, -3, "e8,mf8"), TYPE(3, -2, "e8,mf4"),  TYPE(3, -1, "e8,mf2"),
	TYPE(3, 0, "e8,m1"),   TYPE(3, 1, "e8,m2"),    TYPE(3, 2, "e8,m4"),
	TYPE(3, 3, "e8,m8"),   TYPE(4, -2, "e16,mf4"), TYPE(4, -1, "e16,mf2"),
	TYPE(4, 0, "e16,m1"),  TYPE(4, 1, "e16,m2"),   TYPE(4, 2, "e16,m4"),
	TYPE(4, 3, "e16,m8"),  TYPE(5, -1, "e32,mf2"), TYPE(5, 0, "e32,m1"),
	TYPE(5, 1, "e32,m2"),  TYPE(5, 2, "e32,m4"),   TYPE(5, 3, "e32,m8"),
	TYPE(6, 0, "e64,m1"),  TYPE(6, 1, "e64,m2"),   TYPE(6, 2, "e64,m4"),
	TYPE(6, 3, "e64,m8"),
};

int riscv64_sew(const struct variant *v)
{
	return (v->vector_type >> 3 & 7) + SEW_MIN;
}

int riscv64_lmul(const struct variant *v)
{
	int lmul = v->vector_type & 7;

	return lmul > LMUL_MAX ? lmul - 8 : lmul;
}

/* What an opcode makes of a vector type.  `groups` has a letter for each
 * vector operand that is neither the mask nor tied to a result, in LLVM's
 * order:
 *	g	LMUL: elements of SEW
 *	w	twice that: elements of twice the width
 *	f q o	a half, quarter, eighth of it
 *	a i c d	elements of 8, 16, 32, 64 bits whatever SEW is
 *	1	one register: a mask, or a scalar in element 0 */
struct vector_shape {
	const char *const *names;
	const char *groups;
	uint8_t widths; /* SEWs that exist for it */
	uint8_t values; /* what it reads */
	bool one_lmul;  /* LMUL does not matter: m1 represents all */
};

enum {
	READS_INTS,
	READS_FLOATS,      /* of SEW */
	READS_WIDE_FLOATS, /* of twice SEW */
};

/* The first that matches. */
static const struct vector_shape shapes[] = {
	/* Masks know no width, only how many elements there are: e8 with each
	 * LMUL has every ratio of the two. */
	{ NAMES("VM*_MM"), "111", E8, READS_INTS, false },
	{ NAMES("VMSBF_M", "VMSIF_M", "VMSOF_M"), "11", E8, READS_INTS, false },
	{ NAMES("VCPOP_M", "VFIRST_M"), "1", E8, READS_INTS, false },
	{ NAMES("VIOTA_M"), "g1", INTS, READS_INTS, false },
	{ NAMES("VID_V"), "g", INTS, READS_INTS, false },
	{ NAMES("VCOMPRESS_VM"), "gg1", INTS, READS_INTS, false },
	{ NAMES("VMV_X_S", "VMV_S_X"), "1", INTS, READS_INTS, true },
	{ NAMES("VFMV_F_S", "VFMV_S_F"), "1", FLOATS, READS_FLOATS, true },
	{ NAMES("VRED*"), "1g1", INTS, READS_INTS, false },
	{ NAMES("VWRED*"), "1g1", HALF_INTS, READS_INTS, false },
	{ NAMES("VFRED*"), "1g1", FLOATS, READS_FLOATS, false },
	{ NAMES("VFWRED*"), "1g1", HALF_FLOATS, READS_FLOATS, false },
	{ NAMES("VMF*"), "1gg", FLOATS, READS_FLOATS, false },
	{ NAMES("VMSEQ_*", "VMSNE_*", "VMSL*", "VMSG*", "VMADC_*", "VMSBC_*"),
	  "1gg", INTS, READS_INTS, false },
	{ NAMES("VRGATHEREI16_VV"), "ggi", INTS, READS_INTS, false },
	{ NAMES("V*EXT_VF2"), "gf", E16 | E32 | E64, READS_INTS, false },
	{ NAMES("V*EXT_VF4"), "gq", E32 | E64, READS_INTS, false },
	{ NAMES("V*EXT_VF8"), "go", E64, READS_INTS, false },
	{ NAMES("VNSR*", "VNCLIP*"), "gwg", HALF_INTS, READS_INTS, false },
	{ NAMES("VFCVT_F_X*"), "gg", FLOATS, READS_INTS, false },
	{ NAMES("VFNCVT_F_X*"), "gw", HALF_FLOATS, READS_INTS, false },
	{ NAMES("VFNCVTBF16_*"), "gw", E16, READS_WIDE_FLOATS, false },
	{ NAMES("VFNCVT_F_F_W", "VFNCVT_ROD_*"), "gw", HALF_FLOATS,
	  READS_WIDE_FLOATS, false },
	{ NAMES("VFNCVT_*"), "gw", HALF_INTS, READS_WIDE_FLOATS, false },
	{ NAMES("VFWCVT_F_X*"), "wg", HALF_INTS, READS_INTS, false },
	{ NAMES("VFWCVTBF16_*"), "wg", E16, READS_FLOATS, false },
	{ NAMES("VFWCVT_*"), "wg", HALF_FLOATS, READS_FLOATS, false },
	{ NAMES("VFWMACCBF16_*"), "wgg", E16, READS_FLOATS, false },
	{ NAMES("VFW*_W*"), "wwg", HALF_FLOATS, READS_FLOATS, false },
	{ NAMES("VFW*"), "wgg", HALF_FLOATS, READS_FLOATS, false },
	{ NAMES("VF*"), "ggg", FLOATS, READS_FLOATS, false },
	{ NAMES("VW*_W*"), "wwg", HALF_INTS, READS_INTS, false },
	{ NAMES("VW*"), "wgg", HALF_INTS, READS_INTS, false },
	/* Cryptography: the second operand of _VS is one element group. */
	{ NAMES("VAES*_VS", "VSM4R_VS"), "g1", E32, READS_INTS, false },
	{ NAMES("VAES*", "VSM3*", "VSM4*", "VGHSH_VV", "VGMUL_VV"), "ggg", E32,
	  READS_INTS, false },
	{ NAMES("VSHA2*"), "ggg", E32 | E64, READS_INTS, false },
	{ NAMES("VCLMUL*"), "ggg", E64, READS_INTS, false },
	{ NAMES("V*"), "ggg", INTS, READS_INTS, false },
};

/* Accesses to memory; the data have a group for each of up to eight fields. SEW
 * is the width accessed; other SEWs would only change the group.  Indexed
 * accesses have any SEW, and their name gives the width of the indices. */
static const struct vector_shape accesses[] = {
	{ NAMES("V*XEI8_V", "V*XSEG#EI8_V"), "ga", INTS, READS_INTS, false },
	{ NAMES("V*XEI16_V", "V*XSEG#EI16_V"), "gi", INTS, READS_INTS, false },
	{ NAMES("V*XEI32_V", "V*XSEG#EI32_V"), "gc", INTS, READS_INTS, false },
	{ NAMES("V*XEI64_V", "V*XSEG#EI64_V"), "gd", INTS, READS_INTS, false },
	/* Whole registers. */
	{ NAMES("VL#RE*"), "", 0, READS_INTS, false },
	{ NAMES("VL*E8*_V", "VS*E8_V"), "g", E8, READS_INTS, false },
	{ NAMES("VL*E16*_V", "VS*E16_V"), "g", E16, READS_INTS, false },
	{ NAMES("VL*E32*_V", "VS*E32_V"), "g", E32, READS_INTS, false },
	{ NAMES("VL*E64*_V", "VS*E64_V"), "g", E64, READS_INTS, false },
	{ NAMES("VLM_V", "VSM_V"), "1", E8, READS_INTS, false },
};

/* Vector instructions without a vector type of their own: they set it, move
 * whole registers, or are vendor extensions. */
static const char *const typeless[] = {
	"VSET*",   "VMV#R_V",    "VC_*",          "VT_*",
	"VQMACC*", "VFNRCLIP_*", "VFWMACC_4x4x4", NULL,
};

/* These read v0 as an operand, not as their mask. */
static bool reads_carry(const char *name)
{
	char opcode[OPCODE_ROOM];

	return name_matches_any(NAMES("*_VVM", "*_VXM", "*_VIM", "*_VFM"),
				name_opcode(name, opcode));
}

static const struct vector_shape *access_of(const char *opcode)
{
	const struct vector_shape *s = NAME_ROW(accesses, opcode);

	return s && *s->groups ? s : NULL;
}

static const struct vector_shape *shape_of(const char *name)
{
	char room[OPCODE_ROOM];
	const char *opcode = name_opcode(name, room);
	const struct vector_shape *access = access_of(opcode);

	if (access)
		return access;
	return name_matches_any(typeless, opcode) ? NULL
						  : NAME_ROW(shapes, opcode);
}

/* Fields of a segment access, 1 for all other forms. */
static int fields_of(const char *name)
{
	const char *segment = strstr(name, "SEG");

	return segment ? segment[3] - '0' : 1;
}

/* Logarithm of an operand's EMUL. */
static int emul(const struct variant *v, char group)
{
	switch (group) {
	case 'w':
		return riscv64_lmul(v) + 1;
	case 'f':
		return riscv64_lmul(v) - 1;
	case 'q':
		return riscv64_lmul(v) - 2;
	case 'o':
		return riscv64_lmul(v) - 3;
	case 'a':
		return riscv64_lmul(v) + 3 - riscv64_sew(v);
	case 'i':
		return riscv64_lmul(v) + 4 - riscv64_sew(v);
	case 'c':
		return riscv64_lmul(v) + 5 - riscv64_sew(v);
	case 'd':
		return riscv64_lmul(v) + 6 - riscv64_sew(v);
	case '1':
		return 0;
	default:
		return riscv64_lmul(v);
	}
}

static bool has_type(const struct vector_shape *s, const struct variant *v,
		     int fields)
{
	int lmul = riscv64_lmul(v) > 0 ? riscv64_lmul(v) : 0;

	/* All fields fit into eight registers (spec, 7.8). */
	if (fields << lmul > 8)
		return false;
	if (!(s->widths >> (riscv64_sew(v) - SEW_MIN) & 1) ||
	    (s->one_lmul && riscv64_lmul(v) != 0))
		return false;
	for (const char *g = s->groups; *g; g++)
		if (emul(v, *g) < LMUL_MIN || emul(v, *g) > LMUL_MAX)
			return false;
	return true;
}

static bool is_mask(const struct mc *mc, size_t opcode, unsigned operand)
{
	struct mc_operand o;
	struct mc_class k;

	mc_get_operand(mc, opcode, operand, &o);
	if (o.reg_class < 0)
		return false;
	mc_get_class(mc, (size_t)o.reg_class, &k);
	return strcmp(k.name, "VMV0") == 0;
}

static bool is_maskable(const struct mc *mc, size_t opcode,
			const struct mc_opcode *m)
{
	for (unsigned i = 0; i < m->n_operands; i++)
		if (is_mask(mc, opcode, i))
			return !reads_carry(m->name);
	return false;
}

void riscv64_variants(const struct mc *mc, size_t opcode,
		      struct variant_list *ret)
{
	const struct vector_shape *s;
	struct mc_opcode m;
	bool maskable;

	mc_get_opcode(mc, opcode, &m);
	if (m.name[0] != 'V')
		return;
	s = m.flags & (MC_MAY_LOAD | MC_MAY_STORE) ? access_of(m.name)
						   : shape_of(m.name);
	if (!s)
		return;
	maskable = is_maskable(mc, opcode, &m);
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (has_type(s, &types[i], fields_of(m.name)) &&
		    (maskable || !types[i].masked))
			variant_add(ret, &types[i]);
}

/* Features that a vector unit may lack: elements of 64 bits, or floats of a
 * width.  LLVM checks the opcode's own extension.  The first match counts;
 * NULL: none. */
static const struct need {
	const char *const *names;
	const char *feature;
} needs[] = {
	{ NAMES("VFIRST_M/*", "VF*BF16*"), NULL },
	{ NAMES("VF*/e64*", "VMF*/e64*", "VFW*/e32*", "VFNCVT_*/e32*"),
	  "zve64d" },
	{ NAMES("VFWCVT_F_F*/e16*", "VFNCVT_F_F*/e16*"), "zvfhmin" },
	{ NAMES("VFWCVT_F_X*/e16*", "VFNCVT_X*/e16*", "VFNCVT_RTZ*/e16*"),
	  NULL },
	{ NAMES("VF*/e16*", "VF*/e8*", "VMF*/e16*"), "zvfh" },
	{ NAMES("VSHA2*/e64*"), "zvknhb" },
	{ NAMES("VMULH*/e64*", "VSMUL*/e64*"), "v" },
	{ NAMES("VW*/e32*", "VNSR*/e32*", "VNCLIP*/e32*"), "zve64x" },
};

const char *riscv64_variant_features(const struct form *f)
{
	enum {
		ZVE32_RATIO = 5, /* SEW up to 32 times LMUL */
		SEW_64 = 6,
	};
	const struct need *need;

	if (!f->variant || !f->variant->vector_type)
		return NULL;
	need = NAME_ROW(needs, f->name);
	if (need && need->feature)
		return need->feature;
	return riscv64_sew(f->variant) == SEW_64 ||
			       riscv64_sew(f->variant) -
					       riscv64_lmul(f->variant) >
				       ZVE32_RATIO
		       ? "zve64x"
		       : NULL;
}

/* LLVM's class of a group, or of one for each of several fields.  If v0 is the
 * mask, the class excludes v0 and the group that starts at v0. */
static uint16_t group_class(const struct catalogue *c, int log_span, int fields,
			    bool no_v0)
{
	int span = 1 << (log_span > 0 ? log_span : 0);
	char name[32] = "VR";

	if (fields > 1)
		(void)snprintf(name, sizeof(name), "VRN%dM%d", fields, span);
	else if (span > 1)
		(void)snprintf(name, sizeof(name), "VRM%d", span);
	if (no_v0)
		(void)strcat(name, "NoV0");
	return catalogue_class(c, name);
}

/* v0 is the mask of a masked form, and not an operand of unmasked forms. */
static void shape_mask(struct form *f, struct operand *ops, unsigned i)
{
	if (reads_carry(f->name)) {
		/* Not encoded, so the bytes do not contain it either. */
		ops[i].implicit = true;
		ops[i].reg_class = CLASS_NONE;
		f->n_explicit = (uint8_t)i;
	} else if (!f->variant->masked) {
		ops[i].kind = OPERAND_OTHER;
		ops[i].read = false;
		ops[i].fixed_reg = REG_NONE;
	}
}

void riscv64_shape_vector(const struct catalogue *c, struct form *f,
			  struct operand *ops)
{
	uint16_t vector = catalogue_class(c, "VR");
	uint16_t mask = catalogue_class(c, "VMV0");
	const struct variant *v = f->variant;
	const char *group;
	bool no_v0;

	group = shape_of(f->name)->groups;
	/* A carry may replace a carry, but not a sum. */
	no_v0 = v->masked || (reads_carry(f->name) && *group != '1');
	for (unsigned i = 0; i < f->n_explicit; i++) {
		if (ops[i].kind != OPERAND_REG)
			continue;
		if (ops[i].reg_class == mask)
			shape_mask(f, ops, i);
		else if (ops[i].reg_class != vector)
			continue;
		else if (ops[i].tied_to >= 0)
			ops[i].reg_class = ops[ops[i].tied_to].reg_class;
		else if (*group) {
			int fields = *group == 'g' ? fields_of(f->name) : 1;

			ops[i].reg_class = group_class(c, emul(v, *group++),
						       fields, no_v0);
		}
	}
}

enum form_domain riscv64_vector_domain(const struct form *f)
{
	static const uint8_t floats[] = {
		DOMAIN_INT,
		DOMAIN_FP16,
		DOMAIN_FP32,
		DOMAIN_FP64,
	};
	int width = riscv64_sew(f->variant) - SEW_MIN;

	switch (shape_of(f->name)->values) {
	case READS_FLOATS:
		return (enum form_domain)floats[width];
	case READS_WIDE_FLOATS:
		return (enum form_domain)floats[width + 1];
	default:
		return DOMAIN_INT;
	}
}

/* vtype with the form's policy (spec, 3.4.3). */
static uint32_t vtype_of(const struct form *f)
{
	enum { VTA = 1 << 6, VMA = 1 << 7 };
	uint32_t type = f->variant->vector_type;

	if (form_family(f) == FAMILY_TAIL)
		type &= ~(uint32_t)VTA;
	if (form_family(f) == FAMILY_INACTIVE)
		type &= ~(uint32_t)VMA;
	return type;
}

static bool has_vector_type(const struct form *f)
{
	return f->variant && f->variant->vector_type;
}

/* vsetvli x3, x0, type: vl becomes VLMAX; vsetivli x3, 1, type: 1.  x3 is
 * reserved: the allocator does not use it, and the runtime restores it. */
static uint32_t vset_of(const struct form *f)
{
	enum { VSETVLI_X3 = 0x000071d7, TYPE_AT = 20 };
	const uint32_t vsetivli_x3_1 = 0xc000f1d7;

	return (form_family(f) == FAMILY_ONE_ELEMENT ? vsetivli_x3_1
						     : VSETVLI_X3) |
	       vtype_of(f) << TYPE_AT;
}

/* The runtime sets v0 to all ones, a mask that is true everywhere.  If v0 is
 * an ordinary operand, the prologue sets it to one: vmv1r.v v0, v1. */
size_t riscv64_prologue(const struct catalogue *c, const struct instance *i,
			size_t n, unsigned char *code, size_t room)
{
	enum { VMV1R_V0_V1 = 0x9e103057, BYTES = 8 };
	uint32_t set = 0;
	bool mask = false;

	(void)c;
	for (size_t k = 0; k < n; k++) {
		const struct form *f = i[k].form;

		if (!has_vector_type(f))
			continue;
		set = set ? set : vset_of(f);
		mask |= f->variant->masked || reads_carry(f->name);
	}
	if (set == 0 || room < BYTES)
		return 0;
	values_put32(code, set);
	if (mask)
		return BYTES / 2;
	values_put32(code + BYTES / 2, VMV1R_V0_V1);
	return BYTES;
}

const char *riscv64_clash(const struct catalogue *c, const struct form *a,
			  const struct form *b)
{
	(void)c;
	if (!has_vector_type(a) || !has_vector_type(b))
		return NULL;
	/* Fault-only-first loads set vl; LLVM does not model this. */
	return vset_of(a) != vset_of(b) || name_matches("VL*FF_V/*", a->name) ||
			       name_matches("VL*FF_V/*", b->name)
		       ? "another vector type or length"
		       : NULL;
}
