/* AArch64: which flags an instruction reads, computes, clears and keeps (Arm
 * ARM, DDI 0487, C6 and C8). */
#include <string.h>

#include "host/isa/aarch64.h"
#include "host/isa/flags.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/variant.h"

enum {
	N = 1 << 0,
	Z = 1 << 1,
	C = 1 << 2,
	V = 1 << 3,
	ALL = N | Z | C | V,
	/* The reader's flags are those of its condition. */
	CONDITION = 1 << 7,
};

struct flag_row {
	const char *const *names;
	struct flag_sets sets; /* reads, computes, clears, keeps */
};

/* The first pattern that matches counts. */
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

static uint8_t of_condition(int64_t condition)
{
	/* eq, cs, mi, vs, hi, ge, gt, each before its opposite; always */
	static const uint8_t pairs[] = {
		Z, C, N, V, Z | C, N | V, N | Z | V, 0
	};

	return condition >= 0 && condition >> 1 < (int64_t)ARRAY_LEN(pairs)
		       ? pairs[condition >> 1]
		       : ALL;
}

/* The last row matches every name. */
static struct flag_sets sets_of(const char *name)
{
	return ((const struct flag_row *)NAME_ROW(rows, name))->sets;
}

/* The operand with the condition: a branch's first, else the last. */
static int condition(const struct instance *i)
{
	const char *name = i->form->name;

	if (sets_of(name).reads != CONDITION || i->form->n_explicit == 0)
		return -1;
	return *name == 'B' ? 0 : i->form->n_explicit - 1;
}

static struct flag_sets sets(const struct instance *i)
{
	struct flag_sets s = sets_of(i->form->name);

	if (s.reads == CONDITION)
		s.reads = of_condition(i->imm[condition(i)]);
	return s;
}

const struct isa_flags aarch64_flags = {
	.reg = "NZCV",
	.names = NAMES("N", "Z", "C", "V"),
	.chained = Z | C,
	.sets = sets,
	.condition = condition,
};

void aarch64_pin_condition(const struct form *f, struct operand *ops)
{
	struct instance i = { .form = f };
	int at = condition(&i);

	if (at >= 0 && ops[at].kind == OPERAND_IMM)
		operand_pin(&ops[at], 0);
}
