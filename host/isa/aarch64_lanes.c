/* AArch64: lanes in use, of the 128 bits of a V register; SVE's instructions
 * without a predicate use all lanes.
 *
 *	FADDv2f32	operation, elements, their type
 *	FADDSrr		operation, size of one element */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/isa/guest_lanes.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"

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

struct guest_lanes aarch64_guest_lanes(const struct instance *i,
				       const unsigned char *code, size_t n)
{
	const char *name = i->form->name;

	(void)code, (void)n;
	if (name_matches_any(sve, name))
		return lanes_fixed(1, 1);
	return lanes_fixed(used_bytes(name), V_BYTES);
}
