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

static const char *const names[] = { "CF", "PF", "AF", "ZF", "SF", "OF", NULL };

struct flag_row {
	const char *pattern;
	struct flag_sets sets; /* reads, computes, clears, keeps */
};

/* The first pattern that matches counts; forms with LOCK match the pattern of
 * the form without it. */
static const struct flag_row rows[] = {
	{ "JCC_#*", { CONDITION, 0, 0, 0 } },
	{ "SETCC*", { CONDITION, 0, 0, 0 } },
	{ "SETZUCC*", { CONDITION, 0, 0, 0 } },
	{ "CFCMOV*", { CONDITION, 0, 0, 0 } },
	{ "CMOV#*", { CONDITION, 0, 0, 0 } },
	{ "CMOV*BE_F*", { C | Z, 0, 0, 0 } },
	{ "CMOV*B_F*", { C, 0, 0, 0 } },
	{ "CMOV*E_F*", { Z, 0, 0, 0 } },
	{ "CMOV*P_F*", { P, 0, 0, 0 } },
	{ "LOOPE", { Z, 0, 0, 0 } },
	{ "LOOPNE", { Z, 0, 0, 0 } },
	{ "ADCX*", { C, C, 0, ALL & ~C } },
	{ "ADOX*", { O, O, 0, ALL & ~O } },
	{ "ADC*", { C, ALL, 0, 0 } },
	{ "SBB*", { C, ALL, 0, 0 } },
	{ "INC*", { 0, ALL & ~C, 0, C } },
	{ "DEC*", { 0, ALL & ~C, 0, C } },
	{ "ANDN#*", { 0, Z | S, C | O, 0 } },
	{ "AND#*", { 0, P | Z | S, C | O, 0 } },
	{ "OR#*", { 0, P | Z | S, C | O, 0 } },
	{ "XOR#*", { 0, P | Z | S, C | O, 0 } },
	{ "TEST#*", { 0, P | Z | S, C | O, 0 } },
	{ "BT#*", { 0, C, 0, Z } },
	{ "BTC#*", { 0, C, 0, Z } },
	{ "BTR#*", { 0, C, 0, Z } },
	{ "BTS#*", { 0, C, 0, Z } },
	/* A count of zero keeps everything. */
	{ "SH*CL*", { 0, C | P | Z | S, 0, ALL } },
	{ "SAR*CL*", { 0, C | P | Z | S, 0, ALL } },
	{ "RO*CL*", { 0, C, 0, ALL } },
	{ "RC*CL*", { C, C, 0, ALL } },
	/* Only a shift by one defines OF. */
	{ "SH*r1*", { 0, C | P | Z | S | O, 0, 0 } },
	{ "SH*m1*", { 0, C | P | Z | S | O, 0, 0 } },
	{ "SAR*r1*", { 0, C | P | Z | S | O, 0, 0 } },
	{ "SAR*m1*", { 0, C | P | Z | S | O, 0, 0 } },
	{ "SH*", { 0, C | P | Z | S, 0, 0 } },
	{ "SAR*", { 0, C | P | Z | S, 0, 0 } },
	{ "RO*r1*", { 0, C | O, 0, P | A | Z | S } },
	{ "RO*m1*", { 0, C | O, 0, P | A | Z | S } },
	{ "RO*", { 0, C, 0, P | A | Z | S } },
	{ "RC*r1*", { C, C | O, 0, P | A | Z | S } },
	{ "RC*m1*", { C, C | O, 0, P | A | Z | S } },
	{ "RC*", { C, C, 0, P | A | Z | S } },
	{ "MUL#*", { 0, C | O, 0, 0 } },
	{ "IMUL#*", { 0, C | O, 0, 0 } },
	{ "DIV#*", { 0, 0, 0, 0 } },
	{ "IDIV#*", { 0, 0, 0, 0 } },
	{ "BSF*", { 0, Z, 0, 0 } },
	{ "BSR*", { 0, Z, 0, 0 } },
	{ "LZCNT*", { 0, C | Z, 0, 0 } },
	{ "TZCNT*", { 0, C | Z, 0, 0 } },
	{ "POPCNT*", { 0, Z, C | P | A | S | O, 0 } },
	{ "BLSMSK*", { 0, C | S, Z | O, 0 } },
	{ "BEXTR*", { 0, Z, C | O, 0 } },
	{ "BZHI*", { 0, C | Z | S, O, 0 } },
	/* The other forms of BMI1 and TBM that isolate, fill and mask bits. */
	{ "BL*", { 0, C | Z | S, O, 0 } },
	{ "T1MSKC*", { 0, C | Z | S, O, 0 } },
	{ "TZMSK*", { 0, C | Z | S, O, 0 } },
	{ "*COM*", { 0, C | P | Z, A | S | O, 0 } },
	{ "*PCMP*STR*", { 0, C | Z | S | O, P | A, 0 } },
	{ "*TEST*", { 0, C | Z, P | A | S | O, 0 } }, /* vectors, masks */
	{ "RDRAND*", { 0, C, ALL & ~C, 0 } },
	{ "RDSEED*", { 0, C, ALL & ~C, 0 } },
	{ "LAHF", { ALL & ~O, 0, 0, 0 } },
	{ "SAHF", { 0, ALL & ~O, 0, O } },
	{ "CMC", { C, C, 0, ALL & ~C } },
	{ "CLC", { 0, 0, C, ALL & ~C } },
	{ "STC", { 0, 0, C, ALL & ~C } },
	{ "*CMPXCHG*B", { 0, Z, 0, ALL & ~Z } },
	/* Sums, differences and comparisons, and all other forms. */
	{ "*", { ALL, ALL, 0, 0 } },
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

static const struct flag_row *row_of(const char *name)
{
	static const char lock[] = "LOCK_";
	const struct flag_row *r = rows;

	if (strncmp(name, lock, strlen(lock)) == 0)
		name += strlen(lock);
	while (!name_matches(r->pattern, name))
		r++;
	return r;
}

static int condition(const struct instance *i)
{
	int last = i->form->n_explicit - 1;

	return last >= 0 && row_of(i->form->name)->sets.reads == CONDITION
		       ? last
		       : -1;
}

static struct flag_sets sets(const struct instance *i)
{
	struct flag_sets s = row_of(i->form->name)->sets;

	if (s.reads == CONDITION)
		s.reads = of_condition(i->imm[i->form->n_explicit - 1]);
	return s;
}

const struct isa_flags x86_64_flags = {
	.reg = "EFLAGS",
	.names = names,
	.chained = C | Z | O,
	.sets = sets,
	.condition = condition,
};
