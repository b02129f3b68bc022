/* x86-64: which flags an instruction reads, computes, clears and keeps (Intel
 * SDM volume 1, appendix A, and volume 2; AMD APM volume 3). */
#include "host/isa/flags.h"
#include "host/isa/instance.h"
#include "host/isa/match.h"
#include "host/isa/x86_64.h"

#include <string.h>

enum {
	C = 1 << 0,
	P = 1 << 1,
	A = 1 << 2,
	Z = 1 << 3,
	S = 1 << 4,
	O = 1 << 5,
	ALL = C | P | A | Z | S | O,
	/* The reader's flags are those of its condition. */
	CONDITION = 1 << 7,
};

struct flag_row {
	const char *const *names;
	struct flag_sets sets; /* reads, computes, clears, keeps */
};

/* The first pattern that matches counts; forms with LOCK match the pattern of
 * the form without it. */
static const struct flag_row rows[] = {
	{ NAMES("JCC_#*", "SETCC*", "SETZUCC*", "CFCMOV*", "CMOV#*"),
	  { CONDITION, 0, 0, 0 } },
	{ NAMES("CMOV*BE_F*"), { C | Z, 0, 0, 0 } },
	{ NAMES("CMOV*B_F*"), { C, 0, 0, 0 } },
	{ NAMES("CMOV*E_F*", "LOOPE", "LOOPNE"), { Z, 0, 0, 0 } },
	{ NAMES("CMOV*P_F*"), { P, 0, 0, 0 } },
	{ NAMES("ADCX*", "CMC"), { C, C, 0, ALL & ~C } },
	{ NAMES("ADOX*"), { O, O, 0, ALL & ~O } },
	{ NAMES("ADC*", "SBB*"), { C, ALL, 0, 0 } },
	{ NAMES("INC*", "DEC*"), { 0, ALL & ~C, 0, C } },
	{ NAMES("ANDN#*"), { 0, Z | S, C | O, 0 } },
	{ NAMES("AND#*", "OR#*", "XOR#*", "TEST#*"),
	  { 0, P | Z | S, C | O, 0 } },
	{ NAMES("BT#*", "BTC#*", "BTR#*", "BTS#*"), { 0, C, 0, Z } },
	/* A count of zero keeps everything. */
	{ NAMES("SH*CL*", "SAR*CL*"), { 0, C | P | Z | S, 0, ALL } },
	{ NAMES("RO*CL*"), { 0, C, 0, ALL } },
	{ NAMES("RC*CL*"), { C, C, 0, ALL } },
	/* Only a shift by one defines OF. */
	{ NAMES("SH*r1*", "SH*m1*", "SAR*r1*", "SAR*m1*"),
	  { 0, C | P | Z | S | O, 0, 0 } },
	{ NAMES("SH*", "SAR*"), { 0, C | P | Z | S, 0, 0 } },
	{ NAMES("RO*r1*", "RO*m1*"), { 0, C | O, 0, P | A | Z | S } },
	{ NAMES("RO*"), { 0, C, 0, P | A | Z | S } },
	{ NAMES("RC*r1*", "RC*m1*"), { C, C | O, 0, P | A | Z | S } },
	{ NAMES("RC*"), { C, C, 0, P | A | Z | S } },
	{ NAMES("MUL#*", "IMUL#*"), { 0, C | O, 0, 0 } },
	{ NAMES("DIV#*", "IDIV#*"), { 0, 0, 0, 0 } },
	{ NAMES("BSF*", "BSR*"), { 0, Z, 0, 0 } },
	{ NAMES("LZCNT*", "TZCNT*"), { 0, C | Z, 0, 0 } },
	{ NAMES("POPCNT*"), { 0, Z, C | P | A | S | O, 0 } },
	{ NAMES("BLSMSK*"), { 0, C | S, Z | O, 0 } },
	{ NAMES("BEXTR*"), { 0, Z, C | O, 0 } },
	{ NAMES("BZHI*"), { 0, C | Z | S, O, 0 } },
	/* The other forms of BMI1 and TBM that isolate, fill and mask bits. */
	{ NAMES("BL*", "T1MSKC*", "TZMSK*"), { 0, C | Z | S, O, 0 } },
	{ NAMES("*COM*"), { 0, C | P | Z, A | S | O, 0 } },
	{ NAMES("*PCMP*STR*"), { 0, C | Z | S | O, P | A, 0 } },
	/* Of vectors and masks. */
	{ NAMES("*TEST*"), { 0, C | Z, P | A | S | O, 0 } },
	{ NAMES("RDRAND*", "RDSEED*"), { 0, C, ALL & ~C, 0 } },
	{ NAMES("LAHF"), { ALL & ~O, 0, 0, 0 } },
	{ NAMES("SAHF"), { 0, ALL & ~O, 0, O } },
	{ NAMES("CLC", "STC"), { 0, 0, C, ALL & ~C } },
	{ NAMES("*CMPXCHG*B"), { 0, Z, 0, ALL & ~Z } },
	/* Sums, differences and comparisons, and all other forms. */
	{ NAMES("*"), { ALL, ALL, 0, 0 } },
};

static uint8_t of_condition(int64_t condition)
{
	/* o, b, e, be, s, p, l, le, each before its opposite */
	static const uint8_t pairs[] = {
		O, C, Z, C | Z, S, P, S | O, Z | S | O
	};

	return condition >= 0 && condition >> 1 < (int64_t)ARRAY_LEN(pairs)
		       ? pairs[condition >> 1]
		       : ALL;
}

/* The last row matches every name. */
static struct flag_sets sets_of(const char *name)
{
	static const char lock[] = "LOCK_";

	if (strncmp(name, lock, strlen(lock)) == 0)
		name += strlen(lock);
	return ((const struct flag_row *)NAME_ROW(rows, name))->sets;
}

static int condition(const struct instance *i)
{
	int last = i->form->n_explicit - 1;

	return last >= 0 && sets_of(i->form->name).reads == CONDITION ? last
								      : -1;
}

static struct flag_sets sets(const struct instance *i)
{
	struct flag_sets s = sets_of(i->form->name);

	if (s.reads == CONDITION)
		s.reads = of_condition(i->imm[i->form->n_explicit - 1]);
	return s;
}

const struct isa_flags x86_64_flags = {
	.reg = "EFLAGS",
	.names = NAMES("CF", "PF", "AF", "ZF", "SF", "OF"),
	.chained = C | Z | O,
	.sets = sets,
	.condition = condition,
};
