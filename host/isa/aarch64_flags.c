/* AArch64: which flags an instruction reads, computes, clears and keeps (Arm
 * ARM, DDI 0487, C6 and C8). */
#include "host/isa/aarch64.h"
#include "host/isa/flags.h"
#include "host/isa/match.h"

enum {
	N = 1 << 0,
	Z = 1 << 1,
	C = 1 << 2,
	V = 1 << 3,
	ALL = N | Z | C | V,
	CONDITION = FLAGS_OF_CONDITION,
};

static const struct flag_row rows[] = {
	{ NAMES("CSEL*", "CSINC*", "CSINV*", "CSNEG*", "FCSEL*", "Bcc*",
		"BCcc*"),
	  { CONDITION, 0, 0, 0 } },
	{ NAMES("CCM*", "FCCMP*"), { CONDITION, ALL, 0, 0 } },
	{ NAMES("ADC*", "SBC*"), { C, ALL, 0, 0 } },
	{ NAMES("CFINV"), { C, C, 0, N | Z | V } },
	{ NAMES("SETF#"), { 0, N | Z | V, 0, C } },
	{ NAMES("AXFLAG"), { Z | C | V, Z | C, N | V, 0 } },
	{ NAMES("XAFLAG"), { Z | C, ALL, 0, 0 } },
	{ NAMES("CTERM*"), { C, N | V, 0, Z | C } },
	/* Predicates: first, none, not last. */
	{ NAMES("*_P*", "PTRUES*", "PFIRST*", "PNEXT*", "WHILE*"),
	  { 0, N | Z | C, V, 0 } },
	{ NAMES("ANDS*", "BICS*"), { 0, N | Z, C | V, 0 } },
	/* Sums, differences and comparisons, and all other forms. */
	{ NAMES("*"), { ALL, ALL, 0, 0 } },
};

/* eq, cs, mi, vs, hi, ge, gt, each before its opposite; always */
static const uint8_t conditions[] = { Z, C, N, V, Z | C, N | V, N | Z | V, 0 };

const struct isa_flags aarch64_flags = {
	.reg = "NZCV",
	.names = NAMES("N", "Z", "C", "V"),
	.chained = Z | C,
	.rows = rows,
	.prefix = "",
	.conditions = conditions,
	.n_conditions = ARRAY_LEN(conditions),
	.equal = 0,
	.leading = NAMES("B*"),
};
